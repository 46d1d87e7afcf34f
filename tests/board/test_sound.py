"""Sound: the recorder, the volume, and several drivers together."""

import pytest

from pegboard.errors import PegboardError
from pegboard.sound.port import Loudness, Tone
from pegboard.sound.sound_drivers import SoundRecorder, Together


def test_several_sounds_are_one_until_closed():
    sounds = SoundRecorder(), SoundRecorder()
    together = Together(sounds)
    together.say("farkle")
    together.play(Tone.TICK, 3)
    together.close()
    together.say("too late")
    assert [list(sound.heard) for sound in sounds] == [["farkle", *[Tone.TICK] * 3]] * 2


def test_one_sound_that_raises_does_not_silence_the_others():
    class Broken(SoundRecorder):
        def say(self, text):
            raise ValueError(text)

        def close(self):
            raise KeyError("close")

    broken, sound = Broken(), SoundRecorder()
    together = Together((broken, sound))
    with pytest.raises(ValueError, match="farkle"):
        together.say("farkle")
    with pytest.raises(KeyError):
        together.close()
    sound.say("too late")
    assert list(sound.heard) == ["farkle"]


def test_by_night_speech_is_a_whisper_and_there_are_no_tones():
    day, night = Loudness(1.0), Loudness(1.0, night=True)
    assert 0 < night.speech < day.speech / 2
    assert (day.tones, night.tones, Loudness(0.0).tones) == (True, False, False)


@pytest.mark.parametrize("volume", [-0.1, 1.1])
def test_an_impossible_volume_is_refused(volume):
    with pytest.raises(PegboardError, match="expected a volume from 0 to 1"):
        Loudness(volume)
