"""Presses: one table of what each button does, tapped and held, in each mode; and what a choice on the page does.

What a press means stands in `PRESSES` and nowhere else; the table in docs/architecture.md is written from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.acts import Step, act
from companion.table.asking import ask, say
from companion.table.cues import Cue, CueKind
from companion.table.doubts import wrong
from companion.table.events import SelectionChosen
from companion.table.inputs import Button, Gesture, Press
from companion.table.interpret import dice_to_throw, fits
from companion.table.lobby import lobby_press, one_fewer, rematch_question
from companion.table.manual_entry import BIG_STEPS, bank_counted, count_farkle, count_more, enter_next
from companion.table.menu import changed, closed, do_item, next_item
from companion.table.modes import Mode, mode
from companion.table.questions import answer
from companion.table.selection import banked, declared, next_proposal, proposal, refusals, to_bank
from companion.table.starting import dice_for_start, thrower
from companion.table.state import CHOICES, ByHand, TableState
from companion.table.text import counted, plural
from companion.table.undo import last_roll, may_be, may_throw_again, step_back
from farkle.game.state import Phase
from farkle.rules.dice import Faces, check_faces, spaced
from farkle.rules.selections import find_selection, legal_selections

Doing = Callable[[TableState, float], Step]


@dataclass(frozen=True)
class Meaning:
    """What one press means: in words, and what it does."""

    words: str
    do: Doing


def press(state: TableState, given: Press, now: float) -> Step:
    """A button's press; raises `RefusedError` with the words that answer a dark button."""
    if given.gesture is Gesture.TAP:
        why = refusals(state).get(given.button)
        if why is not None:
            raise RefusedError(why)
    meaning = PRESSES.get((mode(state), given.button, given.gesture))
    if meaning is None:
        if state.question is not None:
            raise RefusedError("answer the question first")
        raise RefusedError(f"holding {given.button.upper()} does nothing here")
    return meaning.do(state, now)


def _answer(place: int) -> Doing:
    def give(state: TableState, now: float) -> Step:
        assert state.question is not None
        return answer(state, state.question.answers[place], now)

    return give


def _bank_answers(state: TableState, now: float) -> Step:
    assert state.question is not None
    assert state.question.bank is not None
    return answer(state, state.question.answers[state.question.bank], now)


def _in_lobby(button: Button) -> Doing:
    return lambda state, now: lobby_press(state, button, now)


def _adjusting(by: str) -> Doing:
    return lambda state, now: changed(state, by)  # noqa: ARG005 - every press is given the time


def _next_item(state: TableState, now: float) -> Step:  # noqa: ARG001
    return next_item(state)


def _close_menu(state: TableState, now: float) -> Step:  # noqa: ARG001
    return closed(state)


def _keep(state: TableState, now: float) -> Step:
    if _lies_as_journalled(state):
        return say(replace(state, out_of_step=False), "As it lies.", CueKind.CHANGED)
    if state.set_aside:
        kept = proposal(state)
        points = kept.points if kept else 0
        said = f"{spaced(state.set_aside)} set aside: {plural(points, 'point')}."
        return Step(replace(state, said=said), cues=(Cue(CueKind.CHOSEN, said),))
    proposed = next_proposal(state)
    assert proposed is not None
    return choose(state, proposed.dice, proposed.points, now)


def _lies_as_journalled(state: TableState) -> bool:
    """Whether a tray out of step lies as the game has it after all: KEEP then says so."""
    game, seen = state.game, state.observation
    if not state.out_of_step or seen is None or game is None or game.phase is not Phase.CHOOSING:
        return False
    return fits(game, seen.reading) and len(seen.reading.dice) >= len(game.turn.roll)


def _wrong(state: TableState, now: float) -> Step:  # noqa: ARG001
    if thrower(state) is not None:
        raise RefusedError("hold ROLL to take the last throw off")
    faces = last_roll(state)
    assert state.game is not None
    rules = state.game.rules
    question = wrong(
        state,
        faces,
        lambda other: may_be(state, other),
        lambda other: bool(legal_selections(rules, other)),
        again=may_throw_again(state),
    )
    if question is None:
        raise RefusedError("the turn has gone on since that throw; hold ROLL to undo back to it")
    return ask(state, question)


def _ready(state: TableState, now: float) -> Step:  # noqa: ARG001
    assert state.game is not None
    if state.by_hand is ByHand.FACES:
        return enter_next(state)
    count = dice_for_start(state) if thrower(state) is not None else dice_to_throw(state.game, proposal(state))
    count = state.pending.again if state.pending is not None and state.pending.again else count
    said = f"Throw {counted(count)}."
    return Step(replace(state, said=said), cues=(Cue(CueKind.READY, said),))


def _bank(state: TableState, now: float) -> Step:
    assert state.game is not None
    aside, kept = proposal(state), to_bank(state)
    more: tuple[Cue, ...] = ()
    if aside is not None and kept is not None and len(kept.dice) > len(aside.dice):
        added = list(kept.dice)
        for face in aside.dice:
            added.remove(face)
        more = (Cue(CueKind.ADDED, f"and {spaced(tuple(added))}: {kept.points}"),)
    made = act(state, banked(state.game, kept), now)
    return replace(made, cues=(*more, *made.cues))


def _rematch(state: TableState, now: float) -> Step:  # noqa: ARG001
    return ask(state, rematch_question())


def _big_step(state: TableState, now: float) -> Step:
    return count_more(state, now, BIG_STEPS)


PRESSES: Mapping[tuple[Mode, Button, Gesture], Meaning] = {
    (Mode.PLAY, Button.KEEP, Gesture.TAP): Meaning("says what is set aside; nothing: proposes, then the next", _keep),
    (Mode.PLAY, Button.KEEP, Gesture.HOLD): Meaning("that's wrong: likely faces of the last throw", _wrong),
    (Mode.PLAY, Button.ROLL, Gesture.TAP): Meaning("says what is to be thrown", _ready),
    (Mode.PLAY, Button.ROLL, Gesture.HOLD): Meaning("takes the last act off", step_back),
    (Mode.PLAY, Button.BANK, Gesture.TAP): Meaning("ends the turn", _bank),
    (Mode.ASKING, Button.KEEP, Gesture.TAP): Meaning("the first answer", _answer(0)),
    (Mode.ASKING, Button.ROLL, Gesture.TAP): Meaning("the second answer", _answer(1)),
    (Mode.ASKING, Button.ROLL, Gesture.HOLD): Meaning("voids the throw that is asked about", step_back),
    (Mode.ASKING, Button.BANK, Gesture.TAP): Meaning("the third answer, where it is lit", _bank_answers),
    (Mode.OVER, Button.KEEP, Gesture.HOLD): Meaning("that's wrong: likely faces of the last throw", _wrong),
    (Mode.OVER, Button.ROLL, Gesture.HOLD): Meaning("takes the last act off", step_back),
    (Mode.OVER, Button.BANK, Gesture.TAP): Meaning("asks for another game", _rematch),
    (Mode.LOBBY, Button.KEEP, Gesture.TAP): Meaning("another player joins", _in_lobby(Button.KEEP)),
    (Mode.LOBBY, Button.KEEP, Gesture.HOLD): Meaning("one player fewer", one_fewer),
    (Mode.LOBBY, Button.ROLL, Gesture.TAP): Meaning("the next rule set", _in_lobby(Button.ROLL)),
    (Mode.LOBBY, Button.ROLL, Gesture.HOLD): Meaning("back to the last game", step_back),
    (Mode.LOBBY, Button.BANK, Gesture.TAP): Meaning("starts", _in_lobby(Button.BANK)),
    (Mode.COUNTING, Button.KEEP, Gesture.TAP): Meaning("counts a step", count_more),
    (Mode.COUNTING, Button.KEEP, Gesture.HOLD): Meaning("counts ten steps", _big_step),
    (Mode.COUNTING, Button.ROLL, Gesture.TAP): Meaning("a farkle", count_farkle),
    (Mode.COUNTING, Button.ROLL, Gesture.HOLD): Meaning("takes the last act off", step_back),
    (Mode.COUNTING, Button.BANK, Gesture.TAP): Meaning("banks what was counted", bank_counted),
    (Mode.MENU, Button.KEEP, Gesture.TAP): Meaning("closes it", _close_menu),
    (Mode.MENU, Button.ROLL, Gesture.TAP): Meaning("the next item", _next_item),
    (Mode.MENU, Button.ROLL, Gesture.HOLD): Meaning("closes it", step_back),
    (Mode.MENU, Button.BANK, Gesture.TAP): Meaning("does the item", do_item),
    (Mode.ADJUST, Button.KEEP, Gesture.TAP): Meaning("a step more", _adjusting("+1")),
    (Mode.ADJUST, Button.KEEP, Gesture.HOLD): Meaning("ten steps more", _adjusting("+10")),
    (Mode.ADJUST, Button.ROLL, Gesture.TAP): Meaning("a step less", _adjusting("-1")),
    (Mode.ADJUST, Button.ROLL, Gesture.HOLD): Meaning("ten steps less", _adjusting("-10")),
    (Mode.ADJUST, Button.BANK, Gesture.TAP): Meaning("the score is that", do_item),
}
"""What each press does."""


def choose(state: TableState, dice: Faces, points: int | None, now: float) -> Step:
    """Choose these dice of the roll, at a declared total or the best; journalled, so it outlives a restart."""
    if state.question is not None and state.question.kind not in CHOICES:
        raise RefusedError("answer the question first")
    if state.game is None:
        raise RefusedError("no game is under way")
    if state.game.phase is not Phase.CHOOSING:
        raise RefusedError(refusals(state).get("keep", "throw first"))
    chosen = find_selection(state.game.rules, state.game.turn.roll, check_faces(dice))
    chosen = declared(chosen, points)
    step_ = act(state, (SelectionChosen(chosen.dice, chosen.points),), now)
    said = f"{spaced(chosen.dice)} for {chosen.points}."
    return replace(step_, state=replace(step_.state, said=said), cues=(Cue(CueKind.CHOSEN, said),))
