"""A phone asks to play: the table shows a quiet line, and whoever stands there opens the door for it."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.acts import Handlers, Step, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import Button, DoorChanged, Gesture, OpenDoor, Origin, PhoneLetIn, PhonesSeated, Press
from companion.table.state.state import TableState
from companion.words import message


def door_changed(state: TableState, given: DoorChanged) -> Step:
    """Show which phone asks to play, and whether the door is open. The voice stays silent."""
    cues = (Cue(CueKind.ASKS),) if given.asks and given.asks != state.asks else ()
    return Step(replace(state, asks=given.asks, door_open=given.is_open, sets_up=given.sets_up), cues=cues)


def let_in(state: TableState) -> Step:
    """Open the door for phones that can answer with what the table shows.

    Raises:
        RefusedError: if no phone reaches this table.
    """
    if not state.lets_in:
        raise RefusedError(message("refused.no_phones"))
    said = message("said.let_in_named", name=state.asks) if state.asks else message("said.let_in")
    return say(replace(state, asks="", door_open=True), said, CueKind.LET_IN)


def held_to_set_up(state: TableState, given: Press) -> Step | None:
    """Let the phone set the table up that asks for it, when KEEP is held long; None if the press means something else.

    The hold that comes before the long one does nothing then.
    """
    if given.button is not Button.KEEP or given.gesture is Gesture.TAP or given.origin is not Origin.TABLE:
        return None
    if not state.sets_up:
        return None
    if given.gesture is Gesture.HOLD:
        return Step(state)
    return say(replace(state, sets_up=""), message("said.sets_up", name=state.sets_up), CueKind.SET_UP)


HANDLERS: Handlers = {
    DoorChanged: lambda state, given, _: door_changed(state, given),
    OpenDoor: lambda state, _given, _now: let_in(state),
    PhonesSeated: lambda state, given, _: Step(replace(state, seats=given.seats)),
    PhoneLetIn: lambda state, given, _: say(state, message("said.phone_in", name=given.name)),
}
