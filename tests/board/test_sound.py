"""The port of sound, the same for every driver."""

import pytest

from pegboard.errors import PegboardError
from pegboard.sound import Tone, open_sound, sound_drivers
from pegboard.sound.recorder import SoundRecorder


@pytest.mark.parametrize("name", sound_drivers())
def test_a_driver_speaks_plays_and_closes_twice(name):
    sound = open_sound(name)
    sound.say("nine at risk")
    sound.play(Tone.TICK)
    sound.close()
    sound.close()
    sound.say("too late")


def test_the_recorder_keeps_words_and_tones_in_order_until_closed():
    sound = SoundRecorder()
    sound.play(Tone.FALL)
    sound.say("farkle")
    sound.close()
    sound.say("too late")
    assert list(sound.heard) == [Tone.FALL, "farkle"]


def test_an_unknown_driver_names_the_known_ones():
    with pytest.raises(PegboardError, match="recorder, silent; got 'tuba'"):
        open_sound("tuba")
