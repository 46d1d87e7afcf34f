"""Sound: the port of its drivers, and the drivers by name."""

from pegboard.sound.port import Adjustable, Checkable, Loudness, Sound, Tone
from pegboard.sound.sound_drivers import SoundRecorder, Together, open_sound

__all__ = ["Adjustable", "Checkable", "Loudness", "Sound", "SoundRecorder", "Together", "Tone", "open_sound"]
