"""What is set aside now, what BANK would bring, what KEEP proposes next: asked by buttons, page and lights alike."""

from collections import Counter
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.interpret import may_throw
from companion.table.modes import Mode, mode
from companion.table.starting import thrower
from companion.table.state import CHOICES, TableState
from farkle.errors import FarkleError
from farkle.game.commands import Adjust, Bank, Keep
from farkle.game.events import Event
from farkle.game.machine import course_of, verify
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections


def selections(state: TableState) -> tuple[Selection, ...]:
    """What may be kept of the last roll, best first; empty while no roll lies there."""
    if state.game is None or state.game.phase is not Phase.CHOOSING:
        return ()
    return legal_selections(state.game.rules, state.game.turn.roll)


def proposal(state: TableState) -> Selection | None:
    """What would be kept if the rest were thrown now: what counts of the dice on the shelf, else what was chosen.

    A die that has hopped onto the shelf may have been chosen where it lies, and others were laid beside it.
    """
    aside, chosen = _valid_part(selections(state), state.set_aside), state.chosen
    if aside is not None and chosen is not None:
        beside = Counter(state.set_aside)
        if not beside - Counter(chosen.dice) and not Counter(chosen.dice) - beside - Counter(state.hopped):
            return chosen
    return aside or chosen


def _valid_part(possible: tuple[Selection, ...], aside: Faces) -> Selection | None:
    parts = [each for each in possible if not Counter(each.dice) - Counter(aside)]
    return max(parts, key=lambda each: (len(each.dice), each.points), default=None)


def to_bank(state: TableState) -> Selection | None:
    """What BANK keeps: the best legal selection that contains what is set aside; nothing set aside: the best."""
    base = proposal(state)
    if base is not None and state.game is not None and state.game.rules.lower_score_can_win:
        return base
    wanted = Counter(base.dice if base else ())
    whole = (each for each in selections(state) if not wanted - Counter(each.dice))
    best = next(whole, None)
    if base is not None and best is not None and sorted(best.dice) == sorted(base.dice):
        return base
    return best


def may_bank(state: TableState) -> bool:
    """Whether the turn under way may be banked now."""
    try:
        return state.game is not None and bool(banked(state.game, to_bank(state)))
    except RefusedError:
        return False


def banked(game: GameState, kept: Selection | None) -> tuple[Event, ...]:
    """The events of keeping this, where dice are to be kept, and banking; raises `RefusedError` with the reason."""
    try:
        keeping = (Keep(kept.dice, kept.points),) if kept else ()
        return tuple(course_of(game, *keeping, Bank()).events)
    except FarkleError as error:
        raise RefusedError(str(error)) from error


def throwable(state: TableState) -> tuple[int, ...]:
    """The numbers of dice that may be thrown next: after a bank without a press all of them; none while it asks.

    A throw may answer a choice that the rules leave open, so there it may come while the table asks.
    """
    if state.game is None or (state.question is not None and state.question.kind not in CHOICES):
        return ()
    if state.pending is not None and state.pending.again:
        return tuple(sorted({state.pending.again, *may_throw(state.game)}))
    if thrower(state) is not None:
        return (state.game.rules.switches.start_roll_dice,)
    fresh = {state.game.rules.n_dice} if may_bank(state) else set()
    return tuple(sorted({*may_throw(state.game), *fresh}))


def next_proposal(state: TableState) -> Selection | None:
    """What the next tap on KEEP proposes: the best first, then the next, round and round."""
    possible = selections(state)
    if not possible:
        return None
    if state.chosen is None:
        return possible[0]
    dice = sorted(state.chosen.dice)
    current = next((i for i, each in enumerate(possible) if sorted(each.dice) == dice), -1)
    return possible[(current + 1) % len(possible)]


def declared(selection: Selection, points: int | None) -> Selection:
    """The selection at a declared total; raises `RefusedError` where its dice cannot be given that."""
    if points is None or points == selection.points:
        return selection
    if points not in selection.totals:
        possible = " or ".join(str(total) for total in selection.totals)
        raise RefusedError(f"expected {possible} points for these dice, got {points!r}")
    return replace(selection, points=points)


def _nothing_counted(state: TableState) -> dict[str, str]:
    assert state.game is not None
    if state.game.phase is not Phase.KEPT:
        return {"bank": "count the points first: KEEP"}
    why = verify(state.game, Bank())
    return {} if why is None else {"bank": why}


def refusals(state: TableState) -> dict[str, str]:
    """Why a button's tap is not legal now, by button; a legal one is missing."""
    game = state.game
    match mode(state):
        case Mode.MENU | Mode.LOBBY:
            return {}
        case Mode.ADJUST:
            assert state.menu is not None
            assert game is not None
            why = verify(game, Adjust(state.menu.side, state.menu.amount))
            return {} if why is None else {"bank": why}
        case Mode.ASKING:
            assert state.question is not None
            found = {} if len(state.question.answers) > 1 else {"roll": "answer the question first"}
            return found if state.question.bank is not None else {**found, "bank": "answer the question first"}
        case Mode.OVER:
            return {"keep": "the game is over", "roll": "the game is over"}
        case Mode.COUNTING:
            return _nothing_counted(state)
        case Mode.PLAY:
            pass
    assert game is not None
    if game.phase in (Phase.TO_THROW, Phase.STARTING):
        return {"keep": "throw first", "bank": "throw first"}
    found = {}
    if game.phase is Phase.KEPT:
        found["keep"] = "these dice are kept; throw the rest or bank"
    elif proposal(state) is None:
        found["roll"] = "keep a die first"
    try:
        banked(game, to_bank(state))
    except RefusedError as error:
        found["bank"] = str(error)
    return found
