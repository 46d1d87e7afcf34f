"""Speech by espeak-ng as a process, and tones on a buzzer. None of this ran with a loudspeaker or on a Pi."""

import json
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from gpiozero import TonalBuzzer
from headers import HEADERS
from samples import sampled
from started import Started

from pegboard.errors import DriverError, NoDeviceError
from pegboard.sound import Loudness, Tone, open_sound
from pegboard.sound.buzzer import MELODIES, PIN, Buzzer
from pegboard.sound.espeak import LONGEST, Espeak, speakable

PATIENCE_S = 60.0
SPEAKER = f"""#!{sys.executable}
import json, sys, time
with open({{path!r}}, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[-1] == "long":
    time.sleep(60)
sys.exit(3 if sys.argv[-1] == "broken" else 0)
"""


@pytest.fixture
def speaker(tmp_path: Path) -> tuple[Path, Path]:
    """Return a program that takes espeak-ng's options and writes the sentences to a file."""
    program, heard = tmp_path / "speaker", tmp_path / "heard"
    program.write_text(SPEAKER.format(path=str(heard)), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program, heard


def said(heard: Path) -> list[list[str]]:
    return [json.loads(line) for line in heard.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    return Started().note(monkeypatch)


def finish(started: Started) -> int:
    """Wait until the last sentence has been spoken. Return the exit status of its process."""
    return started.processes[-1].wait(PATIENCE_S)


@pytest.mark.parametrize(
    ("loudness", "amplitude"), [(Loudness(1.0), "160"), (Loudness(0.5), "80"), (Loudness(1.0, night=True), "56")]
)
def test_a_sentence_is_spoken_at_its_volume_in_its_voice(speaker, started, loudness, amplitude):
    program, heard = speaker
    sound = Espeak(loudness, "de", [str(program)])
    sound.say("nine at risk")
    finish(started)
    sound.close()
    assert said(heard) == [["-v", "de", "-s", "165", "-a", amplitude, "--", "nine at risk"]]


def test_a_new_sentence_cuts_off_the_previous_one_without_a_wait(speaker, started):
    program, heard = speaker
    sound = Espeak(Loudness(), command=[str(program)])
    sound.say("long")
    (first,) = started.processes
    sound.say("short")
    assert first.wait(PATIENCE_S) != 0
    finish(started)
    sound.close()
    assert said(heard)[-1][-1] == "short"


def test_closing_ends_the_current_sentence(speaker, started):
    program, _ = speaker
    sound = Espeak(Loudness(), command=[str(program)])
    sound.say("long")
    (process,) = started.processes
    sound.close()
    assert process.poll() is not None
    sound.say("too late")
    assert started.processes == [process]


def test_the_error_of_a_sentence_is_raised_with_the_next_one(speaker, started):
    program, _ = speaker
    sound = Espeak(Loudness(), command=[str(program)])
    sound.say("broken")
    finish(started)
    with pytest.raises(DriverError, match="got its status 3: is a loudspeaker set up"):
        sound.say("again")
    finish(started)
    sound.say("and well again")
    sound.close()


def test_an_empty_sentence_is_silent_and_raises_the_last_error(speaker, started):
    program, heard = speaker
    sound = Espeak(Loudness(), command=[str(program)])
    sound.say("broken")
    finish(started)
    with pytest.raises(DriverError, match="status 3"):
        sound.say("")
    sound.close()
    assert len(said(heard)) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann banks 7.", "Ann banks 7."),
        ("[[h@'loU]] <break/> & co", "h@'loU break/ co"),
        ("a\x1b[2Jb\x00\nc", "a 2Jb c"),
        ("x" * 100_000, "x" * LONGEST),
        ("\n \t", ""),
    ],
)
def test_no_name_is_read_as_an_option(text, words):
    assert speakable(text) == words


def test_a_name_that_looks_like_an_option_is_spoken(speaker, started):
    program, heard = speaker
    sound = Espeak(Loudness(), command=[str(program)])
    sound.say("--help")
    finish(started)
    sound.close()
    assert said(heard)[0][-2:] == ["--", "--help"]


def test_a_missing_program_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NoDeviceError, match="expected the program espeak-ng, got none: sudo apt install espeak-ng"):
        open_sound("espeak")


def test_the_real_espeak_takes_these_options_and_makes_a_sound(tmp_path, started):
    if shutil.which("espeak-ng") is None:
        pytest.skip("needs espeak-ng: sudo apt install espeak-ng")
    file = tmp_path / "said.wav"
    sound = Espeak(Loudness(), command=["espeak-ng", "-w", str(file)])
    sound.say("three fours, eight; one, one; nine at risk")
    assert finish(started) == 0
    sound.close()
    assert file.stat().st_size > 50_000  # two seconds and more
    helped = subprocess.run(["espeak-ng", "--version"], capture_output=True, text=True, check=True)
    assert "eSpeak NG" in helped.stdout


@pytest.fixture(params=HEADERS)
def header(request, monkeypatch):
    with HEADERS[request.param](monkeypatch) as made:
        yield made


class Listening:
    """A list of the notes that gpiozero's buzzer plays."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.notes: list[str | None] = []
        self.changed = threading.Condition()
        play = TonalBuzzer.play

        def heard(buzzer: TonalBuzzer, note: str | None) -> None:
            play(buzzer, note)
            with self.changed:
                self.notes.append(note)
                self.changed.notify_all()

        monkeypatch.setattr(TonalBuzzer, "play", heard)

    def until(self, count: int) -> list[str | None]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.notes) >= count, PATIENCE_S)
            return list(self.notes)


@pytest.mark.parametrize("tone", sampled(Tone, Tone.BELL))
def test_a_tone_is_its_melody_and_then_silence(header, monkeypatch, tone):
    buzzer = Buzzer(Loudness(), pin_factory=header.factory)
    heard = Listening(monkeypatch)
    buzzer.play(tone)
    melody = [note for note, _ in MELODIES[tone]]
    assert heard.until(len(melody) + 1) == [*melody, None]
    buzzer.close()


def test_a_walk_ticks_once_a_hole(header, monkeypatch):
    buzzer = Buzzer(Loudness(), pin_factory=header.factory)
    heard = Listening(monkeypatch)
    buzzer.play(Tone.TICK, 6)
    assert [note for note in heard.until(13) if note] == ["A6"] * 6
    buzzer.close()


def test_the_pin_carries_the_notes_frequency(header, monkeypatch):
    buzzer = Buzzer(Loudness(), pin_factory=header.factory)
    heard = Listening(monkeypatch)
    buzzer.play(Tone.FALL)
    heard.until(1)
    assert header.pwm(PIN) == pytest.approx(880, abs=1)
    buzzer.close()


def test_by_night_there_are_no_tones(header, monkeypatch):
    buzzer = Buzzer(Loudness(night=True), pin_factory=header.factory)
    heard = Listening(monkeypatch)
    buzzer.play(Tone.BELL)
    buzzer.close()
    assert heard.notes in ([], [None])


def test_without_a_pi_the_buzzer_says_what_to_install(monkeypatch):
    from gpiozero import Device

    monkeypatch.setattr(Device, "pin_factory", None)
    with pytest.raises(NoDeviceError, match=r"expected a buzzer on GPIO12, got: .*pip install"):
        open_sound("buzzer")
