"""The table's state machine: `step(state, given, now)` says what an input means, and what must be journalled.

Pure: the host gives the time, writes the events of the act, and only then adopts the new state. An input that is not
allowed raises `RefusedError` and changes nothing.
"""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table import inputs
from companion.table.acts import Step, question_cue
from companion.table.answers import answer, correct, step_back
from companion.table.buttons import choose, press
from companion.table.choices import choice_question
from companion.table.cues import Cue, CueKind
from companion.table.idle import awake, only_wakes, tick
from companion.table.lobby import edit_lobby, new_game, start_draft
from companion.table.manual_entry import enter_roll, fault, motion_changed
from companion.table.menu import pause
from companion.table.resume import resume, under_way
from companion.table.state import TableState
from companion.table.throws import settled
from farkle.errors import FarkleError, IllegalMoveError

CANNOT = "it cannot be played like that"
"""What players hear of an error of the rules other than `IllegalMoveError`, whose texts are for players."""


def step(state: TableState, given: inputs.Input, now: float) -> Step:
    """Take one input at time `now` (monotonic seconds).

    Raises:
        RefusedError: if the input is not allowed; nothing has changed.
    """
    if isinstance(given, inputs.Press | inputs.Pause) and only_wakes(state):
        return Step(awake(state, now))
    try:
        made = _with_choice(_step(state, given, now))
    except FarkleError as error:
        raise RefusedError(str(error), None if isinstance(error, IllegalMoveError) else CANNOT) from error
    if isinstance(given, inputs.Tick | inputs.Fault) and state.active_s is not None:
        return made
    return replace(made, state=awake(made.state, now))


def with_open_choice(state: TableState) -> TableState:
    """Return a restored table that asks again about the choice that its newest act leaves open."""
    return replace(state, question=choice_question(state))


def _with_choice(made: Step) -> Step:
    """Return the step with the question about the choice that its act leaves open, unless another question is open."""
    if not made.events or made.state.question is not None:
        return made
    after = with_open_choice(made.state)
    if after.question is None:
        return made
    return replace(made, state=after, cues=(*made.cues, question_cue(after.question)))


def _step(state: TableState, given: inputs.Input, now: float) -> Step:
    match given:
        case inputs.Press():
            return press(state, given, now)
        case inputs.ReadingSettled(observation=observation, source=source):
            return settled(state, observation, source, now)
        case inputs.MotionReported(motion=motion):
            return motion_changed(state, motion, now)
        case inputs.TrayFoundAgain():
            return Step(state, cues=(Cue(CueKind.BUMPED),))
        case inputs.Fault():
            return fault(state, given, now)
        case inputs.Pause():
            return pause(state)
        case inputs.Started(address=address):
            return _started(replace(state, address=address))
        case inputs.EnterRoll(faces=faces):
            return enter_roll(state, faces, now)
        case inputs.NewGame():
            return new_game(state, given, now)
        case inputs.EditLobby():
            edited = edit_lobby(state, given)
            return start_draft(edited.state, now) if given.begin else edited
        case inputs.ResumeGame():
            return resume(state, given, now)
        case inputs.ChooseSelection(dice=dice, points=points):
            return choose(state, dice, points, now)
        case inputs.CorrectRoll(faces=faces):
            return correct(state, faces, now)
        case inputs.Undo():
            return step_back(state, now)
        case inputs.Answer(answer=given_answer):
            return answer(state, given_answer, now)
        case inputs.Tick():
            return tick(state, now)
        case _:
            raise TypeError(f"expected an input, got {given!r}")


def _started(state: TableState) -> Step:
    """Say how a game under way stands: "Ann, nine at risk, four dice"."""
    game = state.game
    if game is None or game.over:
        return Step(state)
    return Step(state, cues=(Cue(CueKind.RESUMED, under_way(game)),))
