"""The table's machine: `step(state, given, now)` says what an input means, what follows and what must be journalled.

Pure: the host gives the time, writes the events of the act, and only then adopts the new state. An input that is not
allowed raises `RefusedError` with the words a player reads, and changes nothing.
"""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step
from companion.table.choices import choice_question
from companion.table.cues import Cue, CueKind
from companion.table.inputs import (
    Answer,
    ChooseSelection,
    CorrectRoll,
    Fault,
    Input,
    NewGame,
    Press,
    Seen,
    Tick,
    TrayMotion,
    Undo,
)
from companion.table.lobby import new_game
from companion.table.presses import choose, press
from companion.table.questions import answer, correct
from companion.table.repair import undo
from companion.table.state import TableState
from companion.table.throws import question_cue, seen
from farkle.errors import FarkleError


def step(state: TableState, given: Input, now: float) -> Step:
    """The table after one input at time `now` (seconds, monotonic). Raises `RefusedError` and then changes nothing."""
    try:
        return _asking(_step(state, given, now))
    except FarkleError as error:
        raise RefusedError(str(error)) from error


def resumed(state: TableState) -> TableState:
    """A restored table, which asks again what its newest act leaves open."""
    return replace(state, question=choice_question(state))


def _asking(made: Step) -> Step:
    """The step with the question that its act leaves open, where it asks none itself."""
    if not made.events or made.state.question is not None:
        return made
    after = resumed(made.state)
    if after.question is None:
        return made
    return replace(made, state=after, cues=(*made.cues, question_cue(after.question)))


def _step(state: TableState, given: Input, now: float) -> Step:
    match given:
        case Press():
            return press(state, given, now)
        case Seen(observation=observation, source=source):
            return seen(state, observation, source, now)
        case TrayMotion(motion=motion):
            return Step(replace(state, motion=motion))
        case Fault(part=part, text=text):
            said = text is not None and (part, text) not in state.faults
            return Step(state.fault(part, text), cues=(Cue(CueKind.FAULT, text or ""),) if said else ())
        case NewGame():
            return new_game(state, given, now)
        case ChooseSelection(dice=dice, points=points):
            return choose(state, dice, points, now)
        case CorrectRoll(faces=faces):
            return correct(state, faces, now)
        case Undo():
            return undo(state, now)
        case Answer(answer=given_answer):
            return answer(state, given_answer, now)
        case Tick():
            due = state.farkled is not None and now >= state.farkled.until_s
            return Step(replace(state, farkled=None) if due else state)
