"""What each button does, tapped and held, in each mode; and what choosing dice on the page does.

What a press does is defined in `PRESSES` and nowhere else; the table in docs/table.md is generated from it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.asking.answers import answer, step_back, step_back_caption
from companion.table.asking.house import held_to_set_up, let_in
from companion.table.asking.manual_entry import BIG_STEPS, ask_farkle, count_more, enter_next
from companion.table.asking.menu import change_amount, close, do_item, next_item
from companion.table.buttons import captions as caption
from companion.table.buttons.modes import Mode, Situation, situation_of
from companion.table.feature import held_bank
from companion.table.lobby import lobby
from companion.table.state.acts import Handlers, Step, act, ask, carry_out, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import SelectionChosen
from companion.table.state.inputs import Button, ChooseSelection, Gesture, Press
from companion.table.state.menus import Menu
from companion.table.state.questions import Choice, Question
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.table.throws.bot_turn import bot_goes_on, why_bot
from companion.table.throws.selection import as_journalled, dice_due, next_suggestion, with_declared_points
from companion.table.throws.undo import may_be_misread, misread_question
from companion.words import NOTHING, Text, message
from farkle.game.commands import Bank, Keep
from farkle.game.machine import decide
from farkle.game.state import Phase
from farkle.rules.dice import Faces
from farkle.rules.selections import find_selection

Doing = Callable[[Situation, float], Step]
"""What a press does in a situation, at a time on the table's clock."""


@dataclass(frozen=True)
class PressAction:
    """What a press does: in words, as a function, and in a caption that is empty where it would be refused."""

    words: str
    do: Doing
    caption: caption.Caption


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
    return action.do(at, now)


def _action(at: Situation, button: Button, gesture: Gesture) -> PressAction | None:
    if at.lets_in and (button, gesture) == (Button.KEEP, Gesture.TAP):
        return LETS_IN
    return PRESSES.get((at.mode, button, gesture))


def captions(at: Situation) -> dict[str, caption.CaptionView]:
    """Return by button what its tap and its hold do now."""
    return {
        button.value: caption.CaptionView(_caption(at, button, Gesture.TAP), _caption(at, button, Gesture.HOLD))
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


def _answers(words: str, place: Callable[[Question], int | None]) -> PressAction:
    """Return a press that gives the answer at `place` of the open question."""

    def give(at: Situation, now: float) -> Step:
        question = at.state.question
        assert question is not None  # the mode says so
        return answer(at.state, question.answers[place(question) or 0].id, now)

    return PressAction(words, give, caption.of_answer(place))


def _steps_back(words: str) -> PressAction:
    """Return a press that closes what is open, or takes the last act off."""
    return PressAction(words, lambda at, now: step_back(at.state, now), lambda at: step_back_caption(at.state))


def _always(words: str, key: str, do: Doing) -> PressAction:
    """Return a press whose caption is always the one of this key."""
    return PressAction(words, do, lambda _: message(key))


def _in_menu(words: str, key: str, do: Callable[[TableState, Menu], Step]) -> PressAction:
    """Return a press that changes the open menu."""
    return _always(words, key, lambda at, _: Step(at.state) if at.state.menu is None else do(at.state, at.state.menu))


def _counts(words: str, steps: int) -> PressAction:
    """Return a press that counts steps of points."""
    return PressAction(words, lambda at, now: count_more(at.state, now, steps), caption.of_steps(steps))


def _adjusts(words: str, steps: int) -> PressAction:
    """Return a press that changes the score that is being adjusted by steps of points."""
    return PressAction(words, lambda at, _: change_amount(at.state, steps), caption.of_steps(steps))


def _keep(at: Situation, now: float) -> Step:
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
    return choose(state, suggested.dice, suggested.points, now)


def _held_bank(at: Situation, _: float) -> Step:
    """Do what a feature answers.

    Raises:
        RefusedError: if no feature answers, or this one not now.
    """
    held = held_bank(at.state)
    if held is None:
        raise RefusedError(message("refused.hold_nothing", button="BANK"))
    return held.do(at.state)


def _held_bank_caption(at: Situation) -> Text:
    held = held_bank(at.state)
    return NOTHING if held is None else held.caption(at.state)


def _ready(at: Situation, _: float) -> Step:
    """Say how many dice are to be thrown, or enter their faces."""
    if at.state.manual is ManualEntry.FACES:
        return enter_next(at.state)
    return say(at.state, message("said.throw", dice=dice_due(at.state, at.turn)), CueKind.READY)


def _bank(at: Situation, now: float) -> Step:
    """Bank the turn, and say which dice are kept beside those that were set aside."""
    aside, kept = at.turn.pending, at.turn.bank
    made = act(at.state, at.turn.banking, now)
    if aside is None or kept is None or len(kept.dice) <= len(aside.dice):
        return made
    added = tuple((Counter(kept.dice) - Counter(aside.dice)).elements())
    return replace(made, cues=(Cue(CueKind.ADDED, message("said.added", dice=added, points=kept.points)), *made.cues))


LETS_IN = _always("lets the phone in that asks to play", "caption.let_in", lambda at, _: let_in(at.state))
"""What KEEP does while a phone asks, in the lobby and where it would be refused."""

MISREAD = PressAction(
    "that's wrong: likely faces of the last throw",
    lambda at, _: ask(at.state, misread_question(at.state)),
    lambda at: message("caption.misread") if may_be_misread(at.state) else NOTHING,
)
UNDOES = _steps_back("takes the last act off")
KEEP, ROLL, BANK = Button
TAP, HOLD = Gesture.TAP, Gesture.HOLD

PRESSES: Mapping[tuple[Mode, Button, Gesture], PressAction] = {
    (Mode.PLAY, KEEP, TAP): PressAction(
        "says what is set aside; if nothing is, suggests the best selection, then the next", _keep, caption.of_keep
    ),
    (Mode.PLAY, KEEP, HOLD): MISREAD,
    (Mode.PLAY, ROLL, TAP): PressAction("says what is to be thrown", _ready, caption.of_ready),
    (Mode.PLAY, ROLL, HOLD): UNDOES,
    (Mode.PLAY, BANK, TAP): PressAction("ends the turn", _bank, caption.of_bank),
    (Mode.PLAY, BANK, HOLD): PressAction("asks the coach, if the table wants one", _held_bank, _held_bank_caption),
    (Mode.ASKING, KEEP, TAP): _answers("the first answer", lambda _: 0),
    (Mode.ASKING, ROLL, TAP): _answers("the second answer", lambda _: 1),
    (Mode.ASKING, ROLL, HOLD): _steps_back("what the question's row says"),
    (Mode.ASKING, BANK, TAP): _answers("the third answer, where it is lit", lambda question: question.bank),
    (Mode.OVER, KEEP, HOLD): MISREAD,
    (Mode.OVER, ROLL, HOLD): UNDOES,
    (Mode.OVER, BANK, TAP): PressAction(
        "asks for another game",
        lambda at, _: lobby.ask_for_next(at.state),
        lambda at: lobby.next_game(at.state).caption,
    ),
    (Mode.LOBBY, KEEP, TAP): _always(
        "another player joins", "caption.another_player", lambda at, _: lobby.add_player(at.state)
    ),
    (Mode.LOBBY, KEEP, HOLD): PressAction(
        "one player fewer",
        lambda at, _: lobby.remove_player(at.state),
        lambda at: message("caption.one_fewer") if len(at.state.lobby.draft.names) > 1 else NOTHING,
    ),
    (Mode.LOBBY, ROLL, TAP): _always(
        "the next rule set", "caption.other_rules", lambda at, _: lobby.choose_next_rules(at.state)
    ),
    (Mode.LOBBY, ROLL, HOLD): _steps_back("back to the last game"),
    (Mode.LOBBY, BANK, TAP): _always(
        "starts the game", "caption.start", lambda at, now: lobby.start_draft(at.state, now)
    ),
    (Mode.COUNTING, KEEP, TAP): _counts("counts a step", 1),
    (Mode.COUNTING, KEEP, HOLD): _counts("counts ten steps", BIG_STEPS),
    (Mode.COUNTING, ROLL, TAP): _always(
        "asks whether it was a farkle", "caption.farkle_counted", lambda at, _: ask_farkle(at.state)
    ),
    (Mode.COUNTING, ROLL, HOLD): UNDOES,
    (Mode.COUNTING, BANK, TAP): PressAction(
        "banks what was counted", lambda at, now: carry_out(at.state, Bank(), now), caption.of_bank
    ),
    (Mode.MENU, KEEP, TAP): _always("closes it", "menu.go_on", lambda at, _: close(at.state)),
    (Mode.MENU, ROLL, TAP): _in_menu("the next item", "caption.next", next_item),
    (Mode.MENU, ROLL, HOLD): _steps_back("closes it"),
    (Mode.MENU, BANK, TAP): _in_menu("does the item", "menu.do_it", do_item),
    (Mode.ADJUST, KEEP, TAP): _adjusts("a step more", 1),
    (Mode.ADJUST, KEEP, HOLD): _adjusts("ten steps more", BIG_STEPS),
    (Mode.ADJUST, ROLL, TAP): _adjusts("a step less", -1),
    (Mode.ADJUST, ROLL, HOLD): _adjusts("ten steps less", -BIG_STEPS),
    (Mode.ADJUST, BANK, TAP): _in_menu("sets the score", "menu.do_it", do_item),
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
    if dice:
        kept = with_declared_points(find_selection(game.rules, game.turn.roll, dice), points)
        decide(game, Keep(kept.dice, kept.points))  # refuses what may not be kept in this turn
        chosen = SelectionChosen(kept.dice, kept.points)
        said = message("said.chosen", dice=kept.dice, points=kept.points)
    elif state.current.chosen is not None:
        chosen, said = SelectionChosen((), 0), message("said.nothing_kept")
    else:
        return Step(state)
    made = act(state, (chosen,), now)
    return replace(made, state=replace(made.state, announced=said), cues=(Cue(CueKind.CHOSEN, said),))


HANDLERS: Handlers = {
    Press: press,
    ChooseSelection: lambda state, given, now: choose(state, given.dice, given.points, now),
}
