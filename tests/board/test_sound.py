"""Sound: the recorder, the volume, and several drivers together."""

from array import array

import pytest
from speech import wav_of

from pegboard.errors import DriverError, PegboardError
from pegboard.sound.port import Loudness, Tone
from pegboard.sound.sound_drivers import SoundRecorder, Together
from pegboard.sound.wav_file import HEAD, LONGEST_S, at_volume, read_wav


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


def test_a_wav_file_is_read_for_its_first_seconds_and_played_at_a_volume(tmp_path):
    file = tmp_path / "win.wav"
    file.write_bytes(wav_of(16_000 * LONGEST_S + 800))
    assert read_wav(file) == wav_of(16_000 * LONGEST_S)
    loud = wav_of(8, channels=2)[:HEAD] + array("h", [20_000, -20_000, 7, -7]).tobytes()
    file.write_bytes(loud[:-1])  # a file that was cut off
    assert array("h", at_volume(read_wav(file), 0.5)[HEAD:]) == array("h", [10_000, -10_000, 3])


@pytest.mark.parametrize(
    ("written", "got"),
    [
        (b"", "its end"),
        (b"MP3 or so, but no WAV", "file does not start with RIFF id"),
        (wav_of(800, rate=7999), "16 bits, channels: 1, 7999 Hz"),
        (wav_of(900, channels=3), "16 bits, channels: 3, 8000 Hz"),
        (wav_of(900, width=3), "24 bits, channels: 1, 8000 Hz"),
    ],
)
def test_another_file_is_refused_in_a_line(tmp_path, written, got):
    (tmp_path / "win.wav").write_bytes(written)
    with pytest.raises(DriverError) as error:
        read_wav(tmp_path / "win.wav")
    assert str(error.value).endswith(
        f"win.wav: expected a WAV file of 16-bit PCM, one or two channels, 8000 to 48000 Hz, got {got}"
    )


def test_a_wav_file_is_played_by_the_sounds_that_can():
    class Player(SoundRecorder):
        def say_after(self, wav, text):
            self.heard.extend((len(wav), text))

    voice, player = SoundRecorder(), Player()
    Together([voice, player]).say_after(b"wav", "farkle")
    assert (list(voice.heard), list(player.heard)) == (["farkle"], [3, "farkle"])
