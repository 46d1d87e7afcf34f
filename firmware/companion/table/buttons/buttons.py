"""What each button does, tapped and held, in each mode; and what choosing dice on the page does.

What a press does is defined in `PRESSES` and nowhere else; the table in docs/table.md is generated from it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.asking.answers import answer, step_back, step_back_caption
from companion.table.asking.house import held_to_set_up, let_in
from companion.table.asking.manual_entry import BIG_STEPS, ask_farkle, bank_counted, count_more, enter_next
from companion.table.asking.menu import change_amount, close, do_item, next_item
from companion.table.buttons import captions as caption
from companion.table.buttons.captions import Caption, CaptionView
from companion.table.buttons.modes import Mode, Situation, situation_of
from companion.table.feature import held_bank
from companion.table.lobby.lobby import add_player, ask_for_next, choose_next_rules, remove_player, start_draft
from companion.table.state.acts import Handlers, Step, act, ask, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import SelectionChosen
from companion.table.state.inputs import Button, ChooseSelection, Gesture, Press
from companion.table.state.menus import Menu
from companion.table.state.questions import Choice, Question
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.table.throws.bot_turn import bot_goes_on, why_bot
from companion.table.throws.selection import (
    as_journalled,
    dice_due,
    next_suggestion,
    with_declared_points,
)
from companion.table.throws.undo import misread_question
from companion.words import NOTHING, Text, message
from farkle.game.commands import Keep
from farkle.game.machine import decide
from farkle.game.state import Phase
from farkle.rules.dice import Faces
from farkle.rules.selections import find_selection


@dataclass(frozen=True)
class Pressed(Situation):
    """The situation and the time of a press."""

    now: float


Doing = Callable[[Pressed], Step]


@dataclass(frozen=True)
class PressAction:
    """What a press does: in words, as a function, and in a caption that is empty where it would be refused."""

    words: str
    do: Doing
    caption: Caption


def press(state: TableState, given: Press, now: float) -> Step:
    """Do what a press means now.

    Raises:
        RefusedError: if the press has no meaning now; the text is the table's answer.
    """
    if (made := held_to_set_up(state, given)) is not None:
        return made
    if given.gesture is Gesture.LONG_HOLD:  # the hold before it has done what it means
        return Step(state)
    at = situation_of(state)
    why = at.refused.get(given.button) if given.gesture is Gesture.TAP else None
    if why is not None:
        raise RefusedError(why)
    action = _action(at, given.button, given.gesture)
    if action is None:
        nothing = message("refused.hold_nothing", button=given.button.upper())
        raise RefusedError(nothing if state.question is None else message("refused.answer_first"))
    return action.do(Pressed(at.state, at.turn, at.mode, at.phase, at.refused, at.wakes, at.lets_in, now))


def _action(at: Situation, button: Button, gesture: Gesture) -> "PressAction | None":
    if at.lets_in and (button, gesture) == (Button.KEEP, Gesture.TAP):
        return LETS_IN
    return PRESSES.get((at.mode, button, gesture))


def captions(at: Situation) -> dict[str, CaptionView]:
    """Return by button what its tap and its hold do now."""
    return {
        button.value: CaptionView(_caption(at, button, Gesture.TAP), _caption(at, button, Gesture.HOLD))
        for button in Button
    }


def presses_said(at: Situation) -> Text:
    """Return what the voice says of the buttons, such as `KEEP: yes, ROLL: no`."""
    said = []
    for name, press_captions in captions(at).items():
        if press_captions.tap:
            button, tap, hold = name.upper(), press_captions.tap, press_captions.hold
            steps = hold and at.mode in (Mode.ADJUST, Mode.COUNTING)
            said.append(
                message("said.press_or_hold", button=button, tap=tap, hold=hold)
                if steps
                else message("said.press", button=button, tap=tap)
            )
    return message("said.presses", presses=said)


def _caption(at: Situation, button: Button, gesture: Gesture) -> Text:
    if at.wakes:
        glowing = button is Button.ROLL and gesture is Gesture.TAP
        return message("caption.wake") if glowing else NOTHING
    action = _action(at, button, gesture)
    refused = gesture is Gesture.TAP and button in at.refused
    return NOTHING if action is None or refused else action.caption(at)


def _answer(place: Callable[[Question], int | None]) -> Doing:
    """Return a press action that gives the answer at `place` of the open question."""

    def give(at: Pressed) -> Step:
        question = at.state.question
        if question is None:
            raise RefusedError(message("refused.no_question"))
        return answer(at.state, question.answers[place(question) or 0].id, at.now)

    return give


def _first(_: Question) -> int:
    return 0


def _second(_: Question) -> int:
    return 1


def _of_bank(question: Question) -> int | None:
    return question.bank


def _one_fewer(at: Situation) -> Text:
    return message("caption.one_fewer") if len(at.state.lobby.draft.names) > 1 else NOTHING


def _step_back(at: Pressed) -> Step:
    return step_back(at.state, at.now)


def _step_back_caption(at: Situation) -> Text:
    return step_back_caption(at.state)


def _in_menu(do: Callable[[TableState, Menu], Step]) -> Doing:
    """Return a press action that changes the open menu."""
    return lambda at: Step(at.state) if at.state.menu is None else do(at.state, at.state.menu)


def _adjust(by: int) -> Doing:
    return lambda at: change_amount(at.state, by)


def _keep(at: Pressed) -> Step:
    """Say what is set aside; if nothing is, choose the best selection, then the next best."""
    state, turn = at.state, at.turn
    if state.bot_waits:
        return bot_goes_on(state)
    if as_journalled(state):
        return say(replace(state, out_of_step=False), message("said.as_it_lies"))
    if turn.set_aside:
        points = turn.pending.points if turn.pending else 0
        return say(state, message("said.set_aside", dice=turn.set_aside, points=points), CueKind.CHOSEN)
    suggested = next_suggestion(turn, state.current.chosen)
    if suggested is None and turn.no_throw is not None:
        return say(state, message("said.bank_only"), CueKind.CHOSEN)
    if suggested is None:
        return say(state, message("said.throw_or_bank", dice=dice_due(state, turn)), CueKind.CHOSEN)
    return choose(state, suggested.dice, suggested.points, at.now)


def _held_bank(at: Pressed) -> Step:
    """Do what a feature answers.

    Raises:
        RefusedError: if no feature answers, or this one not now.
    """
    held = held_bank(at.state)
    if held is None:
        raise RefusedError(message("refused.hold_nothing", button="BANK"))
    return held.do(at.state)


def _misread(at: Pressed) -> Step:
    """Ask which throw was misread: likely faces of the last one."""
    return ask(at.state, misread_question(at.state))


def _ready(at: Pressed) -> Step:
    """Say how many dice are to be thrown, or enter their faces."""
    if at.state.manual is ManualEntry.FACES:
        return enter_next(at.state)
    return say(at.state, message("said.throw", dice=dice_due(at.state, at.turn)), CueKind.READY)


def _bank(at: Pressed) -> Step:
    """Bank the turn, and say which dice are kept beside those that were set aside."""
    aside, kept = at.turn.pending, at.turn.bank
    made = act(at.state, at.turn.banking, at.now)
    if aside is None or kept is None or len(kept.dice) <= len(aside.dice):
        return made
    added = tuple((Counter(kept.dice) - Counter(aside.dice)).elements())
    return replace(made, cues=(Cue(CueKind.ADDED, message("said.added", dice=added, points=kept.points)), *made.cues))


LETS_IN = PressAction(
    "lets the phone in that asks to play", lambda at: let_in(at.state), caption.always("caption.let_in")
)
"""What KEEP does while a phone asks, in the lobby and where it would be refused."""

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
    (Mode.PLAY, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", _step_back, _step_back_caption),
    (Mode.PLAY, Button.BANK, Gesture.TAP): PressAction("ends the turn", _bank, caption.of_bank),
    (Mode.PLAY, Button.BANK, Gesture.HOLD): PressAction(
        "asks the coach, if the table wants one", _held_bank, caption.of_held_bank
    ),
    (Mode.ASKING, Button.KEEP, Gesture.TAP): PressAction(
        "the first answer", _answer(_first), caption.of_answer(_first)
    ),
    (Mode.ASKING, Button.ROLL, Gesture.TAP): PressAction(
        "the second answer", _answer(_second), caption.of_answer(_second)
    ),
    (Mode.ASKING, Button.ROLL, Gesture.HOLD): PressAction(
        "what the question's row says", _step_back, _step_back_caption
    ),
    (Mode.ASKING, Button.BANK, Gesture.TAP): PressAction(
        "the third answer, where it is lit", _answer(_of_bank), caption.of_answer(_of_bank)
    ),
    (Mode.OVER, Button.KEEP, Gesture.HOLD): PressAction(
        "that's wrong: likely faces of the last throw", _misread, caption.of_misread
    ),
    (Mode.OVER, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", _step_back, _step_back_caption),
    (Mode.OVER, Button.BANK, Gesture.TAP): PressAction(
        "asks for another game", lambda at: ask_for_next(at.state), caption.of_another_game
    ),
    (Mode.LOBBY, Button.KEEP, Gesture.TAP): PressAction(
        "another player joins", lambda at: add_player(at.state), caption.always("caption.another_player")
    ),
    (Mode.LOBBY, Button.KEEP, Gesture.HOLD): PressAction(
        "one player fewer", lambda at: remove_player(at.state), _one_fewer
    ),
    (Mode.LOBBY, Button.ROLL, Gesture.TAP): PressAction(
        "the next rule set", lambda at: choose_next_rules(at.state), caption.always("caption.other_rules")
    ),
    (Mode.LOBBY, Button.ROLL, Gesture.HOLD): PressAction("back to the last game", _step_back, _step_back_caption),
    (Mode.LOBBY, Button.BANK, Gesture.TAP): PressAction(
        "starts the game", lambda at: start_draft(at.state, at.now), caption.always("caption.start")
    ),
    (Mode.COUNTING, Button.KEEP, Gesture.TAP): PressAction(
        "counts a step", lambda at: count_more(at.state, at.now), caption.of_steps(1)
    ),
    (Mode.COUNTING, Button.KEEP, Gesture.HOLD): PressAction(
        "counts ten steps", lambda at: count_more(at.state, at.now, BIG_STEPS), caption.of_steps(BIG_STEPS)
    ),
    (Mode.COUNTING, Button.ROLL, Gesture.TAP): PressAction(
        "asks whether it was a farkle", lambda at: ask_farkle(at.state), caption.always("caption.farkle_counted")
    ),
    (Mode.COUNTING, Button.ROLL, Gesture.HOLD): PressAction("takes the last act off", _step_back, _step_back_caption),
    (Mode.COUNTING, Button.BANK, Gesture.TAP): PressAction(
        "banks what was counted", lambda at: bank_counted(at.state, at.now), caption.of_bank_counted
    ),
    (Mode.MENU, Button.KEEP, Gesture.TAP): PressAction(
        "closes it", lambda at: close(at.state), caption.always("menu.go_on")
    ),
    (Mode.MENU, Button.ROLL, Gesture.TAP): PressAction(
        "the next item", _in_menu(next_item), caption.always("caption.next")
    ),
    (Mode.MENU, Button.ROLL, Gesture.HOLD): PressAction("closes it", _step_back, _step_back_caption),
    (Mode.MENU, Button.BANK, Gesture.TAP): PressAction(
        "does the item", _in_menu(do_item), caption.always("menu.do_it")
    ),
    (Mode.ADJUST, Button.KEEP, Gesture.TAP): PressAction("a step more", _adjust(1), caption.of_steps(1)),
    (Mode.ADJUST, Button.KEEP, Gesture.HOLD): PressAction(
        "ten steps more", _adjust(BIG_STEPS), caption.of_steps(BIG_STEPS)
    ),
    (Mode.ADJUST, Button.ROLL, Gesture.TAP): PressAction("a step less", _adjust(-1), caption.of_steps(-1)),
    (Mode.ADJUST, Button.ROLL, Gesture.HOLD): PressAction(
        "ten steps less", _adjust(-BIG_STEPS), caption.of_steps(-BIG_STEPS)
    ),
    (Mode.ADJUST, Button.BANK, Gesture.TAP): PressAction(
        "sets the score", _in_menu(do_item), caption.always("menu.do_it")
    ),
}
"""What each press does."""


def choose(state: TableState, dice: Faces, points: int | None, now: float) -> Step:
    """Choose dice of the roll, at a declared total or the highest; empty `dice` take the choice back.

    The choice is journalled, so it outlives a restart.

    Raises:
        RefusedError: if a question is open, no roll is to be chosen from, or the dice have no such total.
    """
    if state.question is not None and not isinstance(state.question, Choice):
        raise RefusedError(message("refused.answer_first"))
    if (why := why_bot(state)) is not None:
        raise RefusedError(why)
    game = state.current.game
    if game.phase is not Phase.CHOOSING:
        raise RefusedError(situation_of(state).refused.get("keep", message("rules.throw_first")))
    if not dice:
        if state.current.chosen is None:
            return Step(state)
        said = message("said.nothing_kept")
        made = act(state, (SelectionChosen((), 0),), now)
        return replace(made, state=replace(made.state, announced=said), cues=(Cue(CueKind.CHOSEN, said),))
    chosen = with_declared_points(find_selection(game.rules, game.turn.roll, dice), points)
    decide(game, Keep(chosen.dice, chosen.points))  # refuses what may not be kept in this turn
    made = act(state, (SelectionChosen(chosen.dice, chosen.points),), now)
    said = message("said.chosen", dice=chosen.dice, points=chosen.points)
    return replace(made, state=replace(made.state, announced=said), cues=(Cue(CueKind.CHOSEN, said),))


HANDLERS: Handlers = {
    Press: press,
    ChooseSelection: lambda state, given, now: choose(state, given.dice, given.points, now),
}
