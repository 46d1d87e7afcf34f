"""A phone asks to play: the table shows a quiet line, and whoever stands there lets it in."""

from dataclasses import replace

from companion.table.state.acts import Step, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.state import TableState
from companion.words import message


def phone_asks(state: TableState, name: str) -> Step:
    """Show that the phone of this name asks to play; an empty name takes the line away. The voice stays silent."""
    cues = (Cue(CueKind.ASKS),) if name else ()
    return Step(replace(state, asks=name), cues=cues)


def let_in(state: TableState) -> Step:
    """Open the door for phones that can answer with what the table shows."""
    return say(replace(state, asks=""), message("said.let_in"), CueKind.LET_IN)
