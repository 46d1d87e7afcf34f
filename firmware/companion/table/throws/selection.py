"""The selection in hand: what is set aside now, what BANK would keep, and what KEEP suggests next."""

from collections import Counter
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.questions import Choice
from companion.table.state.state import TableState
from companion.table.throws.interpret import fits, throw_counts
from companion.words import words
from farkle.errors import FarkleError
from farkle.game.commands import Bank, Keep
from farkle.game.events import Event
from farkle.game.machine import course_of
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces, is_part
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection, legal_selections


def selections(state: TableState) -> tuple[Selection, ...]:
    """Return what may be kept of the last roll, best first; nothing if no roll is to be chosen from."""
    if state.game is None or state.game.phase is not Phase.CHOOSING:
        return ()
    return legal_selections(state.game.rules, state.game.turn.roll)


def pending_selection(state: TableState) -> Selection | None:
    """Return what the next throw would keep: the dice on the shelf that count, else what was chosen by press or page.

    A chosen die that hopped onto the shelf stays chosen when other chosen dice are laid beside it.
    """
    if state.play is None:
        return None
    aside, chosen = _valid_part(selections(state), state.set_aside), state.play.chosen
    if aside is not None and chosen is not None:
        beside = Counter(state.set_aside)
        if not beside - Counter(chosen.dice) and not Counter(chosen.dice) - beside - Counter(state.hopped):
            return chosen
    return aside or chosen


def _valid_part(possible: tuple[Selection, ...], aside: Faces) -> Selection | None:
    parts = [each for each in possible if not Counter(each.dice) - Counter(aside)]
    return max(parts, key=lambda each: (len(each.dice), each.points), default=None)


def bank_selection(state: TableState) -> Selection | None:
    """Return what BANK keeps: the best legal selection that contains the pending one."""
    base = pending_selection(state)
    if base is not None and state.current.game.rules.lower_score_can_win:
        return base
    wanted = Counter(base.dice if base else ())
    best = next((each for each in selections(state) if not wanted - Counter(each.dice)), None)
    if base is not None and best is not None and sorted(best.dice) == sorted(base.dice):
        return base
    return best


def as_journalled(state: TableState) -> bool:
    """Return whether a tray that is out of step fits the game after all."""
    game, seen = state.game, state.observation
    if not state.out_of_step or seen is None or game is None or game.phase is not Phase.CHOOSING:
        return False
    return fits(game, seen.reading) and len(seen.reading.dice) >= len(game.turn.roll)


def may_bank(state: TableState) -> bool:
    """Return whether the turn may be banked now."""
    try:
        return state.game is not None and bool(bank_events(state.game, bank_selection(state)))
    except RefusedError:
        return False


def bank_events(game: GameState, kept: Selection | None) -> tuple[Event, ...]:
    """Return the events of keeping this selection (if any) and banking.

    Raises:
        RefusedError: if the turn may not be banked; the text is the reason.
    """
    try:
        keeping = (Keep(kept.dice, kept.points),) if kept else ()
        return tuple(course_of(game, *keeping, Bank()).events)
    except FarkleError as error:
        raise RefusedError(str(error)) from error


def allowed_throws(state: TableState) -> tuple[int, ...]:
    """Return the numbers of dice that may be thrown next, in rising order; none while a question prevents a throw.

    All dice are allowed if the turn may be banked: a player may bank without a press.
    """
    play = state.play
    if play is None or (state.question is not None and not isinstance(state.question, Choice)):
        return ()
    counts = throw_counts(play.game)
    if state.incomplete is not None and state.incomplete.again:
        return tuple(sorted({state.incomplete.again, *counts}))
    if play.start_thrower is not None:
        return (play.dice_for_start,)
    return tuple(sorted({play.game.rules.n_dice, *counts} if may_bank(state) else counts))


def next_suggestion(state: TableState) -> Selection | None:
    """Return what the next tap on KEEP suggests: the best selection, then the next best, round and round.

    None if the only selection is chosen already.
    """
    possible = selections(state)
    chosen = sorted(state.current.chosen.dice) if state.current.chosen else None
    current = next((i for i, each in enumerate(possible) if sorted(each.dice) == chosen), -1)
    return possible[(current + 1) % len(possible)] if current < 0 or len(possible) > 1 else None


def with_declared_points(selection: Selection, points: int | None) -> Selection:
    """Return the selection at a declared total.

    Raises:
        RefusedError: if these dice cannot be given that total.
    """
    if points is None or points == selection.points:
        return selection
    if points not in selection.totals:
        raise RefusedError(words("refused.these_totals", totals=[str(total) for total in selection.totals]))
    return replace(selection, points=points)


def chosen_selection(game: GameState, dice: Faces) -> Selection:
    """Return the selection of these dice of the roll.

    Raises:
        RefusedError: if they are not all in the roll, or do not all score.
    """
    if not is_part(dice, game.turn.roll):
        raise RefusedError(words("refused.not_of_the_roll", dice=dice))
    possible = legal_selections(game.rules, game.turn.roll)
    exact = next((each for each in possible if sorted(each.dice) == sorted(dice)), None)
    if exact is not None:
        return exact
    most = max((each.dice for each in possible if is_part(each.dice, dice)), key=len, default=())
    if most:
        raise RefusedError(words("refused.only_these_score", dice=dice, scoring=most))
    raise RefusedError(words("refused.does_not_score", dice=dice))


def selection_of(state: TableState, dice: Faces | None) -> Selection | None:
    """Return the selection of these dice of the last roll, or None for no dice."""
    game = state.current.game
    return None if dice is None else find_selection(game.rules, game.turn.roll, dice)
