"""A phone asks to play: the table shows a quiet line, and whoever stands there opens the door for it."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.acts import Step, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import DoorChanged
from companion.table.state.state import TableState
from companion.words import message


def door_changed(state: TableState, given: DoorChanged) -> Step:
    """Show which phone asks to play, and whether the door is open. The voice stays silent."""
    cues = (Cue(CueKind.ASKS),) if given.asks and given.asks != state.asks else ()
    return Step(replace(state, asks=given.asks, door_open=given.is_open), cues=cues)


def let_in(state: TableState) -> Step:
    """Open the door for phones that can answer with what the table shows.

    Raises:
        RefusedError: if no phone reaches this table.
    """
    if not state.lets_in:
        raise RefusedError(message("refused.no_phones"))
    return say(replace(state, asks="", door_open=True), message("said.let_in"), CueKind.LET_IN)
