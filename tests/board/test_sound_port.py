"""The port of sound, the same for every driver: it accepts any words at any time and returns nothing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pegboard.sound.port import Adjustable, Loudness, Sound, Tone
from pegboard.sound.sound_drivers import DRIVERS, MOST_RECORDED, SoundRecorder, open_sound


@pytest.fixture(params=DRIVERS)
def sound(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sound]:
    """Return each driver. The programs of speech are silent ones, and the buzzer is at gpiozero's mock pins."""
    import gpiozero
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    for program in ("espeak-ng", "aplay"):
        (tmp_path / program).symlink_to("/bin/true")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    opened = open_sound(request.param)
    yield opened
    opened.close()


def heard(sound: Sound) -> list[str | Tone] | None:
    """Return the recorder's sounds, or None for the other drivers."""
    return list(sound.heard) if isinstance(sound, SoundRecorder) else None


def test_any_words_and_every_tone_are_accepted_in_their_order(sound: Sound) -> None:
    texts = "Ann banks 7: 15.", "", "Zoë, 小龙", "a\x1b[2Jb\x00", "x" * 100_000
    for text in texts:
        sound.say(text)
    for tone in Tone:
        sound.play(tone)
    assert heard(sound) in (None, [*texts, *Tone])


def test_every_driver_can_be_made_louder_and_quieter(sound: Sound) -> None:
    assert isinstance(sound, Adjustable)
    for loudness in (Loudness(0.0), Loudness(1.0), Loudness(0.5, night=True)):
        sound.set_loudness(loudness)
        sound.say("Ann")
        sound.play(Tone.TICK)


def test_nothing_is_heard_after_the_close(sound: Sound) -> None:
    sound.close()
    sound.say("too late")
    sound.play(Tone.BELL)
    sound.close()
    assert not heard(sound)


def test_an_evening_of_words_fills_no_memory(sound: Sound) -> None:
    for number in range(2 * MOST_RECORDED if isinstance(sound, SoundRecorder) else 6):
        sound.say(f"{number} at risk")
    assert len(heard(sound) or ()) <= MOST_RECORDED
