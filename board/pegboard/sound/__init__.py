"""Sound: one port, one table of drivers by name."""

from pegboard.sound.port import Sound, Tone
from pegboard.sound.table import open_sound, sound_drivers

__all__ = ["Sound", "Tone", "open_sound", "sound_drivers"]
