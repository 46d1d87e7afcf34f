"""Presses: what a tap and a hold on KEEP, ROLL and BANK mean, and what a choice on the page does."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step, act
from companion.table.choices import KINDS as CHOICES
from companion.table.cues import Cue, CueKind
from companion.table.events import SelectionChosen
from companion.table.explain import dice_to_throw
from companion.table.inputs import Button, Gesture, Press
from companion.table.lobby import lobby_press
from companion.table.phrases import counted, plural
from companion.table.proposal import banked, declared, next_proposal, proposal, refusals, to_bank
from companion.table.questions import answer
from companion.table.repair import last_roll, undo
from companion.table.state import Question, TableState
from companion.table.throws import ask
from farkle.game.state import Phase
from farkle.rules.dice import Faces, check_faces, spaced
from farkle.rules.selections import find_selection


def press(state: TableState, given: Press, now: float) -> Step:
    """A button's press; raises `RefusedError` with the words that answer a dark button."""
    if given.gesture is Gesture.HOLD:
        return _hold(state, given.button, now)
    if state.question is not None:
        return _press_answers(state, given.button, now)
    if state.game is None:
        return lobby_press(state, given.button, now)
    if state.game.phase is Phase.OVER and given.button is Button.BANK:
        return ask(state, Question("rematch", "Another game with the same players?", "another game?", ("yes", "no")))
    why = refusals(state).get(given.button)
    if why is not None:
        raise RefusedError(why)
    match given.button:
        case Button.KEEP:
            return _keep(state, now)
        case Button.ROLL:
            return _ready(state)
        case Button.BANK:
            return _bank(state, now)


def _hold(state: TableState, button: Button, now: float) -> Step:
    match button:
        case Button.KEEP:
            if state.question is not None:
                raise RefusedError("answer the question first")
            faces = last_roll(state)
            text = f"Was {spaced(faces)} thrown? On the page a tap on a die corrects it."
            return ask(state, Question("wrong", text, f"{spaced(faces)}?", ("yes", "throw again"), faces))
        case Button.ROLL:
            return undo(state, now)
        case Button.BANK:
            raise RefusedError("holding BANK does nothing; a tap banks")


def _keep(state: TableState, now: float) -> Step:
    if state.set_aside:
        kept = proposal(state)
        points = kept.points if kept else 0
        said = f"{spaced(state.set_aside)} set aside: {plural(points, 'point')}."
        return Step(replace(state, said=said), cues=(Cue(CueKind.CHOSEN, said),))
    proposed = next_proposal(state)
    assert proposed is not None
    return choose(state, proposed.dice, proposed.points, now)


def _ready(state: TableState) -> Step:
    assert state.game is not None
    said = f"Throw {counted(dice_to_throw(state.game, proposal(state)))}."
    return Step(replace(state, said=said), cues=(Cue(CueKind.TURN, said),))


def _bank(state: TableState, now: float) -> Step:
    assert state.game is not None
    return act(state, banked(state.game, to_bank(state)), now)


def _press_answers(state: TableState, button: Button, now: float) -> Step:
    assert state.question is not None
    place = {Button.KEEP: 0, Button.ROLL: 1}.get(button)
    if place is None or place >= len(state.question.answers):
        raise RefusedError("answer the question first")
    return answer(state, state.question.answers[place], now)


def choose(state: TableState, dice: Faces, points: int | None, now: float) -> Step:
    """Choose these dice of the roll, at a declared total or the best; journalled, so it outlives a restart."""
    if state.question is not None and state.question.kind not in CHOICES:
        raise RefusedError("answer the question first")
    if state.game is None:
        raise RefusedError("no game is under way")
    if state.game.phase is not Phase.CHOOSING:
        raise RefusedError(refusals(state)["keep"])
    chosen = find_selection(state.game.rules, state.game.turn.roll, check_faces(dice))
    chosen = declared(chosen, points)
    step_ = act(state, (SelectionChosen(chosen.dice, chosen.points),), now)
    said = f"{spaced(chosen.dice)} for {chosen.points}."
    return replace(step_, state=replace(step_.state, said=said), cues=(Cue(CueKind.CHOSEN, said),))
