"""Sound: one port, one table of drivers by name."""

from pegboard.sound.loudness import Loudness
from pegboard.sound.port import Sound, Tone
from pegboard.sound.table import Together, open_sound, sound_drivers

__all__ = ["Loudness", "Sound", "Together", "Tone", "open_sound", "sound_drivers"]
