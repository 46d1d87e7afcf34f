"""The table itself: its sound, its address, the phones at its door, and how all this is shown."""

import re
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from companion.errors import RefusedError
from companion.table.asking.manual_entry import SEEING, count_unit
from companion.table.state import inputs
from companion.table.state.acts import Handlers, Step, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.house import SoundLevel
from companion.table.state.menus import CLOSES, Menu, SayAddress, entry
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState, shows
from companion.words import Text, in_form, joined, message
from pegboard.pegs import IdleStage

A_STEP = 10
"""Percent by which the sound gets louder or quieter."""


def sound_menu(state: TableState, chosen: str = "") -> Menu:
    """Return the menu of the sound, at the entry of this name if it has it."""
    level, entries = state.sound, [CLOSES]
    if level is not None and level.muted:
        entries = [entry("sound_on", inputs.SetSound(muted=False)), *entries]
    elif level is not None:
        quieter, louder = max(level.volume - A_STEP, 0), min(level.volume + A_STEP, 100)
        steps = [entry("quieter", inputs.SetSound(volume=quieter)), entry("louder", inputs.SetSound(volume=louder))]
        entries = [*steps, entry("mute", inputs.SetSound(muted=True)), *entries]
    names = [each.id for each in entries]
    return Menu("sound", tuple(entries), names.index(chosen) if chosen in names else 0)


def set_sound(state: TableState, given: inputs.SetSound, _now: float) -> Step:
    """Set the sound as the page or the menu asks.

    Raises:
        RefusedError: if the table makes no sound.
    """
    level = state.sound
    if level is None:
        raise RefusedError(message("refused.no_sound"))
    volume = level.volume if given.volume is None else given.volume
    level = SoundLevel(volume, level.muted if given.muted is None else given.muted)
    after = replace(state, sound=level)
    if state.menu is not None and state.menu.kind == "sound":
        after = replace(after, menu=sound_menu(after, state.menu.items[state.menu.place].id))
    said = message("said.muted") if level.muted else message("said.volume", volume=level.volume)
    return Step(after, cues=(Cue(CueKind.CHANGED, said),))


def say_address(state: TableState) -> Step:
    """Say where the page is; the lights count out the last number of the address in the network."""
    text: Text = message("said.no_page")
    if state.address:
        place = urlsplit(state.address)
        port = " ".join(str(place.port or ""))
        spelling = spelled(place.hostname or "")
        text = message("said.address", address=state.address, host=spelling, port=port)
    digits = address_digits(state)
    if digits:
        counting = message("said.lights_count", digits=" ".join(map(str, digits)))
        text = joined(text, counting)
    return Step(replace(state, announced=text), cues=(Cue(CueKind.ADDRESS, in_form(text, "spoken")),))


def address_digits(state: TableState) -> tuple[int, ...]:
    """Return the digits of the last number of this machine's IPv4 address; empty without a network."""
    return tuple(int(digit) for digit in state.network_address.rpartition(".")[2])


def spelled(host: str) -> Text:
    """Return a host as it is read aloud: a name in words, a number digit by digit."""
    named = any(character.isalpha() for character in host) and ":" not in host
    parts = re.split(r"([.:-])", host) if named else host
    signs = {".": message("said.dot"), "-": message("said.dash"), ":": message("said.colon")}
    return joined(*(signs.get(part, part) for part in parts))


def door_changed(state: TableState, given: inputs.DoorChanged, _now: float) -> Step:
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


def held_to_set_up(state: TableState, given: inputs.Press) -> Step | None:
    """Let the phone set the table up that asks for it, when KEEP is held long; None if the press means something else.

    The hold that comes before the long one does nothing then.
    """
    at_keep = (given.button, given.origin) == (inputs.Button.KEEP, inputs.Origin.TABLE)
    if not at_keep or given.gesture is inputs.Gesture.TAP or not state.sets_up:
        return None
    if given.gesture is inputs.Gesture.HOLD:
        return Step(state)
    return say(replace(state, sets_up=""), message("said.sets_up", name=state.sets_up), CueKind.SET_UP)


@dataclass(frozen=True)
class HouseShown:
    """The table itself."""

    blind: bool = shows(lambda state: not SEEING.isdisjoint(dict(state.faults)))
    """Whether the table cannot see its tray."""
    by_hand: ManualEntry = shows(lambda state: state.manual)
    """What players do in place of the eye."""
    count_unit: int = shows(lambda state: count_unit(state.game.rules) if state.game else 1)
    """In points mode the points of a turn are a multiple of this."""
    degraded: tuple[Text, ...] = shows(lambda state: tuple([said for _, said in state.faults]))
    """The faults, in sentences."""
    rest: IdleStage = shows(lambda state: state.idle)
    """For how long nothing has happened."""
    sound: SoundLevel | None = shows(lambda state: state.sound)
    """The sound; null at a table that makes none."""
    address_digits: tuple[int, ...] = shows(address_digits)
    """The digits of the last number of the table's address in the network."""
    asks: str = shows(lambda state: state.asks)
    """The name of the phone that asks to play."""
    lets_in: bool = shows(lambda state: state.lets_in)
    """Whether phones may be let in."""
    door_open: bool = shows(lambda state: state.door_open)
    """Whether the table shows what phones answer with, until one of them is in."""
    sets_up: str = shows(lambda state: state.sets_up)
    """The name of the phone that asks to set the table up."""


HANDLERS: Handlers = {
    inputs.SetSound: set_sound,
    SayAddress: lambda state, _given, _now: say_address(state),
    inputs.Located: lambda state, given, _: Step(
        replace(state, address=given.address, network_address=given.network_address)
    ),
    inputs.DoorChanged: door_changed,
    inputs.OpenDoor: lambda state, _given, _now: let_in(state),
    inputs.PhonesSeated: lambda state, given, _: Step(replace(state, seats=given.seats)),
    inputs.PhoneLetIn: lambda state, given, _: say(state, message("said.phone_in", name=given.name)),
}
