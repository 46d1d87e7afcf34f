"""What each button does, tapped and held, in each mode; and what choosing dice on the page does.

What a press does is defined in `PRESSES` and nowhere else; the table in docs/table.md is generated from it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.acts import Step, act, ask, say
from companion.table.answers import answer, step_back
from companion.table.cues import Cue, CueKind
from companion.table.events import SelectionChosen
from companion.table.inputs import Button, Gesture, Press
from companion.table.interpret import dice_to_throw, fits
from companion.table.lobby import lobby_press, remove_player
from companion.table.manual_entry import BIG_STEPS, bank_counted, count_farkle, count_more, enter_next
from companion.table.menu import change_amount, close, do_item, next_item
from companion.table.modes import Mode, mode, refusals
from companion.table.questions import Choice, Question, misread_throw, rematch
from companion.table.selection import (
    bank_events,
    bank_selection,
    next_suggestion,
    pending_selection,
    with_declared_points,
)
from companion.table.state import ManualEntry, Menu, TableState
from companion.table.text import counted, plural
from companion.table.undo import last_roll, may_correct, may_void
from farkle.game.state import Phase
from farkle.rules.dice import Faces, check_faces, spaced
from farkle.rules.selections import find_selection, legal_selections

Doing = Callable[[TableState, float], Step]


@dataclass(frozen=True)
class PressAction:
    """What a press does: in words, and as a function."""

    words: str
    do: Doing


def press(state: TableState, given: Press, now: float) -> Step:
    """Do what a press means now.

    Raises:
        RefusedError: if the press means nothing; the text is what the table answers.
    """
    why = refusals(state).get(given.button) if given.gesture is Gesture.TAP else None
    if why is not None:
        raise RefusedError(why)
    action = PRESSES.get((mode(state), given.button, given.gesture))
    if action is None:
        nothing = f"holding {given.button.upper()} does nothing here"
        raise RefusedError(nothing if state.question is None else "answer the question first")
    return action.do(state, now)


def _answer(place: Callable[[Question], int | None]) -> Doing:
    """Return a press action that gives the answer at `place` of the open question."""

    def give(state: TableState, now: float) -> Step:
        if state.question is None:
            raise RefusedError("no question is open")
        return answer(state, state.question.answers[place(state.question) or 0], now)

    return give


def _in_lobby(button: Button) -> Doing:
    return lambda state, now: lobby_press(state, button, now)


def _in_menu(do: Callable[[TableState, Menu, float], Step]) -> Doing:
    """Return a press action that changes the open menu."""
    return lambda state, now: Step(state) if state.menu is None else do(state, state.menu, now)


def _adjust(by: str) -> Doing:
    return _in_menu(lambda state, menu, now: change_amount(state, menu, by))  # noqa: ARG005


def _keep(state: TableState, now: float) -> Step:
    """Say what is set aside; if nothing is, choose the best selection, then the next best."""
    if _as_journalled(state):
        return say(replace(state, out_of_step=False), "As it lies.")
    if state.set_aside:
        kept = pending_selection(state)
        points = plural(kept.points if kept else 0, "point")
        return say(state, f"{spaced(state.set_aside)} set aside: {points}.", CueKind.CHOSEN)
    suggested = next_suggestion(state)
    return choose(state, suggested.dice, suggested.points, now)


def _as_journalled(state: TableState) -> bool:
    """Return whether a tray that is out of step fits the game after all."""
    game, seen = state.game, state.observation
    if not state.out_of_step or seen is None or game is None or game.phase is not Phase.CHOOSING:
        return False
    return fits(game, seen.reading) and len(seen.reading.dice) >= len(game.turn.roll)


def _misread(state: TableState, now: float) -> Step:  # noqa: ARG001 - every press is given the time
    """Ask which throw was misread: likely faces of the last one.

    Raises:
        RefusedError: if the throw can have been no other.
    """
    if state.current.start_thrower is not None:
        raise RefusedError("hold ROLL to take the last throw off")
    rules = state.current.game.rules
    question = misread_throw(
        last_roll(state)[1],
        state.observation.reading.dice if state.observation else (),
        lambda faces: may_correct(state, faces),
        lambda faces: bool(legal_selections(rules, faces)),
        void=may_void(state),
    )
    if question is None:
        raise RefusedError("the turn has gone on since that throw; hold ROLL to undo back to it")
    return ask(state, question)


def _ready(state: TableState, now: float) -> Step:  # noqa: ARG001
    """Say how many dice are to be thrown, or enter their faces."""
    if state.manual is ManualEntry.FACES:
        return enter_next(state)
    return say(state, f"Throw {counted(dice_due(state))}.", CueKind.READY)


def dice_due(state: TableState) -> int:
    """Return how many dice the table waits for."""
    if state.incomplete is not None and state.incomplete.again:
        return state.incomplete.again
    if state.current.start_thrower is not None:
        return state.current.dice_for_start
    return dice_to_throw(state.current.game, pending_selection(state))


def _bank(state: TableState, now: float) -> Step:
    """Bank the turn, and say which dice are kept beside those that were set aside."""
    aside, kept = pending_selection(state), bank_selection(state)
    made = act(state, bank_events(state.current.game, kept), now)
    if aside is None or kept is None or len(kept.dice) <= len(aside.dice):
        return made
    added = tuple((Counter(kept.dice) - Counter(aside.dice)).elements())
    return replace(made, cues=(Cue(CueKind.ADDED, f"and {spaced(added)}: {kept.points}"), *made.cues))


def _rematch(state: TableState, now: float) -> Step:  # noqa: ARG001
    return ask(state, rematch())


PRESSES: Mapping[tuple[Mode, Button, Gesture], PressAction] = {
    (Mode.PLAY, Button.KEEP, Gesture.TAP): PressAction(
        "says what is set aside; if nothing is, suggests the best selection, then the next", _keep
    ),
    (Mode.PLAY, Button.KEEP, Gesture.HOLD): PressAction("that's wrong: likely faces of the last throw", _misread),
    (Mode.PLAY, Button.ROLL, Gesture.TAP): PressAction("says what is to be thrown", _ready),
    (Mode.PLAY, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", step_back),
    (Mode.PLAY, Button.BANK, Gesture.TAP): PressAction("ends the turn", _bank),
    (Mode.ASKING, Button.KEEP, Gesture.TAP): PressAction("the first answer", _answer(lambda _: 0)),
    (Mode.ASKING, Button.ROLL, Gesture.TAP): PressAction("the second answer", _answer(lambda _: 1)),
    (Mode.ASKING, Button.ROLL, Gesture.HOLD): PressAction("what the question's row says", step_back),
    (Mode.ASKING, Button.BANK, Gesture.TAP): PressAction(
        "the third answer, where it is lit", _answer(lambda question: question.bank)
    ),
    (Mode.OVER, Button.KEEP, Gesture.HOLD): PressAction("that's wrong: likely faces of the last throw", _misread),
    (Mode.OVER, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", step_back),
    (Mode.OVER, Button.BANK, Gesture.TAP): PressAction("asks for another game", _rematch),
    (Mode.LOBBY, Button.KEEP, Gesture.TAP): PressAction("another player joins", _in_lobby(Button.KEEP)),
    (Mode.LOBBY, Button.KEEP, Gesture.HOLD): PressAction("one player fewer", remove_player),
    (Mode.LOBBY, Button.ROLL, Gesture.TAP): PressAction("the next rule set", _in_lobby(Button.ROLL)),
    (Mode.LOBBY, Button.ROLL, Gesture.HOLD): PressAction("back to the last game", step_back),
    (Mode.LOBBY, Button.BANK, Gesture.TAP): PressAction("starts the game", _in_lobby(Button.BANK)),
    (Mode.COUNTING, Button.KEEP, Gesture.TAP): PressAction("counts a step", count_more),
    (Mode.COUNTING, Button.KEEP, Gesture.HOLD): PressAction(
        "counts ten steps", lambda state, now: count_more(state, now, BIG_STEPS)
    ),
    (Mode.COUNTING, Button.ROLL, Gesture.TAP): PressAction("a farkle", count_farkle),
    (Mode.COUNTING, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", step_back),
    (Mode.COUNTING, Button.BANK, Gesture.TAP): PressAction("banks what was counted", bank_counted),
    (Mode.MENU, Button.KEEP, Gesture.TAP): PressAction("closes it", lambda state, now: close(state)),  # noqa: ARG005
    (Mode.MENU, Button.ROLL, Gesture.TAP): PressAction(
        "the next item",
        _in_menu(lambda state, menu, now: next_item(state, menu)),  # noqa: ARG005
    ),
    (Mode.MENU, Button.ROLL, Gesture.HOLD): PressAction("closes it", step_back),
    (Mode.MENU, Button.BANK, Gesture.TAP): PressAction("does the item", _in_menu(do_item)),
    (Mode.ADJUST, Button.KEEP, Gesture.TAP): PressAction("a step more", _adjust("+1")),
    (Mode.ADJUST, Button.KEEP, Gesture.HOLD): PressAction("ten steps more", _adjust("+10")),
    (Mode.ADJUST, Button.ROLL, Gesture.TAP): PressAction("a step less", _adjust("-1")),
    (Mode.ADJUST, Button.ROLL, Gesture.HOLD): PressAction("ten steps less", _adjust("-10")),
    (Mode.ADJUST, Button.BANK, Gesture.TAP): PressAction("sets the score", _in_menu(do_item)),
}
"""What each press does."""


def choose(state: TableState, dice: Faces, points: int | None, now: float) -> Step:
    """Choose dice of the roll, at a declared total or the best. The choice is journalled, so it outlives a restart.

    Raises:
        RefusedError: if a question is open, or no roll is to be chosen from.
    """
    if state.question is not None and not isinstance(state.question, Choice):
        raise RefusedError("answer the question first")
    game = state.current.game
    if game.phase is not Phase.CHOOSING:
        raise RefusedError(refusals(state).get("keep", "throw first"))
    chosen = with_declared_points(find_selection(game.rules, game.turn.roll, check_faces(dice)), points)
    made = act(state, (SelectionChosen(chosen.dice, chosen.points),), now)
    said = f"{spaced(chosen.dice)} for {chosen.points}."
    return replace(made, state=replace(made.state, announced=said), cues=(Cue(CueKind.CHOSEN, said),))
