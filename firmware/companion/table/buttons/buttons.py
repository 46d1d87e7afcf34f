"""What each button does, tapped and held, in each mode; and what choosing dice on the page does.

What a press does is defined in `PRESSES` and nowhere else; the table in docs/table.md is generated from it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.asking.answers import answer, step_back, step_back_caption
from companion.table.asking.idle import only_wakes
from companion.table.asking.manual_entry import BIG_STEPS, bank_counted, count_farkle, count_more, enter_next
from companion.table.asking.menu import change_amount, close, do_item, next_item
from companion.table.buttons import captions as caption
from companion.table.buttons.captions import Caption
from companion.table.buttons.modes import Mode, mode, refusals
from companion.table.lobby.lobby import lobby_press, remove_player
from companion.table.state.acts import Step, act, ask, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import SelectionChosen
from companion.table.state.inputs import Button, Gesture, Press
from companion.table.state.presses import CaptionView
from companion.table.state.questions import Choice, Question, rematch
from companion.table.state.state import ManualEntry, Menu, TableState
from companion.table.throws.interpret import dice_to_throw
from companion.table.throws.selection import (
    as_journalled,
    bank_events,
    bank_selection,
    chosen_selection,
    next_suggestion,
    pending_selection,
    with_declared_points,
)
from companion.table.throws.undo import misread_question
from companion.words import words
from farkle.game.state import Phase
from farkle.rules.dice import Faces

Doing = Callable[[TableState, float], Step]


@dataclass(frozen=True)
class PressAction:
    """What a press does: in words, as a function, and in a caption that is empty where it would be refused."""

    words: str
    do: Doing
    caption: Caption


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
        nothing = words("refused.hold_nothing", button=given.button.upper())
        raise RefusedError(nothing if state.question is None else words("refused.answer_first"))
    return action.do(state, now)


def captions(state: TableState) -> dict[str, CaptionView]:
    """Return by button what its tap and its hold do now."""
    return {button.value: CaptionView(*(_caption(state, button, gesture) for gesture in Gesture)) for button in Button}


def presses_said(state: TableState) -> str:
    """Return what the voice says of the buttons, such as `KEEP: yes, ROLL: no`."""
    said = []
    for name, press_captions in captions(state).items():
        if press_captions.tap:
            button, tap, hold = name.upper(), press_captions.tap, press_captions.hold
            steps = hold and mode(state) in (Mode.ADJUST, Mode.COUNTING)
            said.append(
                words("said.press_or_hold", button=button, tap=tap, hold=hold)
                if steps
                else words("said.press", button=button, tap=tap)
            )
    return words("said.presses", presses=", ".join(said))


def _caption(state: TableState, button: Button, gesture: Gesture) -> str:
    if only_wakes(state):
        return words("caption.wake")
    action = PRESSES.get((mode(state), button, gesture))
    refused = gesture is Gesture.TAP and button in refusals(state)
    return "" if action is None or refused else action.caption(state)


def _answer(place: Callable[[Question], int | None]) -> Doing:
    """Return a press action that gives the answer at `place` of the open question."""

    def give(state: TableState, now: float) -> Step:
        if state.question is None:
            raise RefusedError(words("refused.no_question"))
        return answer(state, state.question.answers[place(state.question) or 0], now)

    return give


def _first(question: Question) -> int:  # noqa: ARG001 - of every question
    return 0


def _second(question: Question) -> int:  # noqa: ARG001
    return 1


def _of_bank(question: Question) -> int | None:
    return question.bank


def _one_fewer(state: TableState) -> str:
    return words("caption.one_fewer") if len(state.lobby.names) > 1 else ""


def _in_lobby(button: Button) -> Doing:
    return lambda state, now: lobby_press(state, button, now)


def _in_menu(do: Callable[[TableState, Menu, float], Step]) -> Doing:
    """Return a press action that changes the open menu."""
    return lambda state, now: Step(state) if state.menu is None else do(state, state.menu, now)


def _adjust(by: str) -> Doing:
    return _in_menu(lambda state, menu, now: change_amount(state, menu, by))  # noqa: ARG005


def _keep(state: TableState, now: float) -> Step:
    """Say what is set aside; if nothing is, choose the best selection, then the next best."""
    if as_journalled(state):
        return say(replace(state, out_of_step=False), words("said.as_it_lies"))
    if state.set_aside:
        kept = pending_selection(state)
        said = words("said.set_aside", dice=state.set_aside, points=kept.points if kept else 0)
        return say(state, said, CueKind.CHOSEN)
    suggested = next_suggestion(state)
    if suggested is None:
        return say(state, words("said.throw_or_bank", dice=dice_due(state)), CueKind.CHOSEN)
    return choose(state, suggested.dice, suggested.points, now)


def _misread(state: TableState, now: float) -> Step:  # noqa: ARG001 - every press is given the time
    """Ask which throw was misread: likely faces of the last one."""
    return ask(state, misread_question(state))


def _ready(state: TableState, now: float) -> Step:  # noqa: ARG001
    """Say how many dice are to be thrown, or enter their faces."""
    if state.manual is ManualEntry.FACES:
        return enter_next(state)
    return say(state, words("said.throw", dice=dice_due(state)), CueKind.READY)


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
    return replace(made, cues=(Cue(CueKind.ADDED, words("said.added", dice=added, points=kept.points)), *made.cues))


def _rematch(state: TableState, now: float) -> Step:  # noqa: ARG001
    return ask(state, rematch())


PRESSES: Mapping[tuple[Mode, Button, Gesture], PressAction] = {
    (Mode.PLAY, Button.KEEP, Gesture.TAP): PressAction(
        "says what is set aside; if nothing is, suggests the best selection, then the next",
        _keep,
        caption.of_keep,
    ),
    (Mode.PLAY, Button.KEEP, Gesture.HOLD): PressAction(
        "that's wrong: likely faces of the last throw", _misread, caption.of_misread
    ),
    (Mode.PLAY, Button.ROLL, Gesture.TAP): PressAction("says what is to be thrown", _ready, caption.of_ready),
    (Mode.PLAY, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", step_back, step_back_caption),
    (Mode.PLAY, Button.BANK, Gesture.TAP): PressAction("ends the turn", _bank, caption.of_bank),
    (Mode.ASKING, Button.KEEP, Gesture.TAP): PressAction(
        "the first answer", _answer(_first), caption.of_answer(_first)
    ),
    (Mode.ASKING, Button.ROLL, Gesture.TAP): PressAction(
        "the second answer", _answer(_second), caption.of_answer(_second)
    ),
    (Mode.ASKING, Button.ROLL, Gesture.HOLD): PressAction("what the question's row says", step_back, step_back_caption),
    (Mode.ASKING, Button.BANK, Gesture.TAP): PressAction(
        "the third answer, where it is lit", _answer(_of_bank), caption.of_answer(_of_bank)
    ),
    (Mode.OVER, Button.KEEP, Gesture.HOLD): PressAction(
        "that's wrong: likely faces of the last throw", _misread, caption.of_misread
    ),
    (Mode.OVER, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", step_back, step_back_caption),
    (Mode.OVER, Button.BANK, Gesture.TAP): PressAction(
        "asks for another game", _rematch, caption.always("caption.another_game")
    ),
    (Mode.LOBBY, Button.KEEP, Gesture.TAP): PressAction(
        "another player joins", _in_lobby(Button.KEEP), caption.always("caption.another_player")
    ),
    (Mode.LOBBY, Button.KEEP, Gesture.HOLD): PressAction("one player fewer", remove_player, _one_fewer),
    (Mode.LOBBY, Button.ROLL, Gesture.TAP): PressAction(
        "the next rule set", _in_lobby(Button.ROLL), caption.always("caption.other_rules")
    ),
    (Mode.LOBBY, Button.ROLL, Gesture.HOLD): PressAction("back to the last game", step_back, step_back_caption),
    (Mode.LOBBY, Button.BANK, Gesture.TAP): PressAction(
        "starts the game", _in_lobby(Button.BANK), caption.always("caption.start")
    ),
    (Mode.COUNTING, Button.KEEP, Gesture.TAP): PressAction("counts a step", count_more, caption.of_steps(1)),
    (Mode.COUNTING, Button.KEEP, Gesture.HOLD): PressAction(
        "counts ten steps", lambda state, now: count_more(state, now, BIG_STEPS), caption.of_steps(BIG_STEPS)
    ),
    (Mode.COUNTING, Button.ROLL, Gesture.TAP): PressAction(
        "a farkle", count_farkle, caption.always("caption.farkle_counted")
    ),
    (Mode.COUNTING, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", step_back, step_back_caption),
    (Mode.COUNTING, Button.BANK, Gesture.TAP): PressAction(
        "banks what was counted", bank_counted, caption.of_bank_counted
    ),
    (Mode.MENU, Button.KEEP, Gesture.TAP): PressAction(
        "closes it",
        lambda state, now: close(state),  # noqa: ARG005
        caption.always("menu.go_on"),
    ),
    (Mode.MENU, Button.ROLL, Gesture.TAP): PressAction(
        "the next item",
        _in_menu(lambda state, menu, now: next_item(state, menu)),  # noqa: ARG005
        caption.always("caption.next"),
    ),
    (Mode.MENU, Button.ROLL, Gesture.HOLD): PressAction("closes it", step_back, step_back_caption),
    (Mode.MENU, Button.BANK, Gesture.TAP): PressAction(
        "does the item", _in_menu(do_item), caption.always("menu.do_it")
    ),
    (Mode.ADJUST, Button.KEEP, Gesture.TAP): PressAction("a step more", _adjust("+1"), caption.of_steps(1)),
    (Mode.ADJUST, Button.KEEP, Gesture.HOLD): PressAction(
        "ten steps more", _adjust("+10"), caption.of_steps(BIG_STEPS)
    ),
    (Mode.ADJUST, Button.ROLL, Gesture.TAP): PressAction("a step less", _adjust("-1"), caption.of_steps(-1)),
    (Mode.ADJUST, Button.ROLL, Gesture.HOLD): PressAction(
        "ten steps less", _adjust("-10"), caption.of_steps(-BIG_STEPS)
    ),
    (Mode.ADJUST, Button.BANK, Gesture.TAP): PressAction(
        "sets the score", _in_menu(do_item), caption.always("menu.do_it")
    ),
}
"""What each press does."""


def choose(state: TableState, dice: Faces, points: int | None, now: float) -> Step:
    """Choose dice of the roll, at a declared total or the best; no dice take the choice back.

    The choice is journalled, so it outlives a restart.

    Raises:
        RefusedError: if a question is open, or no roll is to be chosen from.
    """
    if state.question is not None and not isinstance(state.question, Choice):
        raise RefusedError(words("refused.answer_first"))
    game = state.current.game
    if game.phase is not Phase.CHOOSING:
        raise RefusedError(refusals(state).get("keep", words("refused.throw_first")))
    if not dice:
        if state.current.chosen is None:
            return Step(state)
        said = words("said.nothing_kept")
        made = act(state, (SelectionChosen((), 0),), now)
        return replace(made, state=replace(made.state, announced=said), cues=(Cue(CueKind.CHOSEN, said),))
    chosen = with_declared_points(chosen_selection(game, dice), points)
    made = act(state, (SelectionChosen(chosen.dice, chosen.points),), now)
    said = words("said.chosen", dice=chosen.dice, points=chosen.points)
    return replace(made, state=replace(made.state, announced=said), cues=(Cue(CueKind.CHOSEN, said),))
