"""The table's machine: `step(state, given, now)` says what an input means, what follows and what must be journalled.

Pure: the host gives the time, writes the events of the act, and only then adopts the new state. An input that is not
allowed raises `RefusedError` with the words a player reads, and changes nothing.
"""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step
from companion.table.asking import question_cue
from companion.table.buttons import choose, press
from companion.table.choices import choice_question
from companion.table.cues import Cue, CueKind
from companion.table.idle import only_wakes, tick, woken
from companion.table.inputs import (
    Answer,
    Bumped,
    ChooseSelection,
    CorrectRoll,
    EnterRoll,
    Fault,
    Input,
    NewGame,
    Pause,
    Press,
    Seen,
    Started,
    Tick,
    TrayMotion,
    Undo,
)
from companion.table.lobby import new_game
from companion.table.manual_entry import enter_roll, fault, stirred
from companion.table.menu import pause
from companion.table.questions import answer, correct
from companion.table.state import TableState
from companion.table.text import counted
from companion.table.throws import seen
from companion.table.undo import step_back
from farkle.errors import FarkleError


def step(state: TableState, given: Input, now: float) -> Step:
    """The table after one input at time `now` (seconds, monotonic). Raises `RefusedError` and then changes nothing."""
    if isinstance(given, Press | Pause) and only_wakes(state):
        return Step(woken(state, now))
    try:
        made = _asking(_step(state, given, now))
    except FarkleError as error:
        raise RefusedError(str(error)) from error
    if isinstance(given, Tick | Fault) and state.active_s is not None:
        return made
    return replace(made, state=woken(made.state, now))


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
            return stirred(state, motion, now)
        case Bumped():
            return Step(state, cues=(Cue(CueKind.BUMPED),))
        case Fault(part=part, text=text, doubtful=doubtful):
            return fault(state, part, text, now, doubtful=doubtful)
        case Pause():
            return pause(state)
        case Started(address=address):
            return _started(replace(state, address=address))
        case EnterRoll(faces=faces):
            return enter_roll(state, faces, now)
        case NewGame():
            return new_game(state, given, now)
        case ChooseSelection(dice=dice, points=points):
            return choose(state, dice, points, now)
        case CorrectRoll(faces=faces):
            return correct(state, faces, now)
        case Undo():
            return step_back(state, now)
        case Answer(answer=given_answer):
            return answer(state, given_answer, now)
        case Tick():
            return tick(state, now)


def _started(state: TableState) -> Step:
    """The table is on: in the middle of a game it says where that stands, "Ann, nine at risk, four dice"."""
    game = state.game
    if game is None or game.over:
        return Step(state)
    risk = f", {game.turn.points} at risk" if game.turn.points else ""
    said = f"{game.players[game.to_move]}{risk}, {counted(game.turn.dice_left)}."
    return Step(state, cues=(Cue(CueKind.RESUMED, said),))
