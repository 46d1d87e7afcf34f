"""Sound: the port of its drivers, and the drivers by name."""

from pegboard.sound.drivers import SoundRecorder, Together, open_sound
from pegboard.sound.port import Adjustable, Loudness, Sound, Tone

__all__ = ["Adjustable", "Loudness", "Sound", "SoundRecorder", "Together", "Tone", "open_sound"]
