"""The table's sound: mute it, and make it louder or quieter, from the pause menu and from the page."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.acts import Handlers, Step
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import SetSound
from companion.table.state.questions import GO_ON, Option, menu_option
from companion.table.state.state import Menu, SoundLevel, TableState
from companion.words import message

LOUDER, QUIETER, MUTE, SOUND_ON = map(menu_option, ("louder", "quieter", "mute", "sound_on"))

A_STEP = 10
"""Percent by which the sound gets louder or quieter."""


def sound_items(state: TableState) -> tuple[Option, ...]:
    """Return what may be done to the sound now; empty at a table without sound."""
    if state.sound is None:
        return ()
    return (SOUND_ON,) if state.sound.muted else (QUIETER, LOUDER, MUTE)


def sound_menu(state: TableState, item: Option | None = None) -> Menu:
    """Return the menu of the sound, at this item if it has it."""
    items = (*sound_items(state), GO_ON)
    return Menu("sound", items, items.index(item) if item in items else 0)


def change_sound(state: TableState, item: Option) -> Step:
    """Do one of `sound_items`."""
    level = _level(state)
    match item:
        case _ if item in (MUTE, SOUND_ON):
            return _set(state, replace(level, muted=item == MUTE))
        case _:
            by = A_STEP if item == LOUDER else -A_STEP
            return _set(state, replace(level, volume=max(0, min(level.volume + by, 100))))


def set_sound(state: TableState, given: SetSound) -> Step:
    """Set the sound as the page asks; a `RefusedError` says that the table has none."""
    level = _level(state)
    volume = level.volume if given.volume is None else given.volume
    return _set(state, SoundLevel(volume, level.muted if given.muted is None else given.muted))


def _level(state: TableState) -> SoundLevel:
    if state.sound is None:
        raise RefusedError(message("refused.no_sound"))
    return state.sound


def _set(state: TableState, level: SoundLevel) -> Step:
    said = message("said.muted") if level.muted else message("said.volume", volume=level.volume)
    after = replace(state, sound=level)
    if state.menu is not None and state.menu.kind == "sound":
        after = replace(after, menu=sound_menu(after, state.menu.items[state.menu.place]))
    return Step(after, cues=(Cue(CueKind.CHANGED, said),))


HANDLERS: Handlers = {
    SetSound: lambda state, given, _: set_sound(state, given),
}
