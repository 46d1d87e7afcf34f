"""The table's sound: mute it, and make it louder or quieter, from the pause menu and from the page."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.acts import Handlers, Step
from companion.table.state.cues import Cue, CueKind
from companion.table.state.house import SoundLevel
from companion.table.state.inputs import SetSound
from companion.table.state.menus import CLOSES, Menu, entry
from companion.table.state.state import TableState
from companion.words import message

A_STEP = 10
"""Percent by which the sound gets louder or quieter."""


def sound_menu(state: TableState, chosen: str = "") -> Menu:
    """Return the menu of the sound, at the entry of this name if it has it."""
    level, entries = state.sound, [CLOSES]
    if level is not None and level.muted:
        entries = [entry("sound_on", SetSound(muted=False)), *entries]
    elif level is not None:
        quieter, louder = max(level.volume - A_STEP, 0), min(level.volume + A_STEP, 100)
        steps = [entry("quieter", SetSound(volume=quieter)), entry("louder", SetSound(volume=louder))]
        entries = [*steps, entry("mute", SetSound(muted=True)), *entries]
    names = [each.id for each in entries]
    return Menu("sound", tuple(entries), names.index(chosen) if chosen in names else 0)


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
        after = replace(after, menu=sound_menu(after, state.menu.items[state.menu.place].id))
    return Step(after, cues=(Cue(CueKind.CHANGED, said),))


HANDLERS: Handlers = {
    SetSound: lambda state, given, _: set_sound(state, given),
}
