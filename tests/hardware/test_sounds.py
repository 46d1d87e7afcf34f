"""Speech by espeak-ng and aplay as processes, and tones on a buzzer. None of this ran with a loudspeaker or on a Pi."""

import os
import re
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest
from gpiozero import Device, TonalBuzzer
from headers import HEADERS, Header
from samples import sampled
from speech import PATIENCE_S, Programs, finish, wav_of
from started import Started

from pegboard.errors import DriverError, NoDeviceError
from pegboard.installation import add_extra
from pegboard.sound.buzzer import MELODIES, PIN, Buzzer
from pegboard.sound.espeak import (
    CHARACTER_S,
    HANGS_S,
    LONGEST,
    MOST_COMPLAINTS,
    MOST_OVERDUE,
    PACKAGES,
    START_S,
    Espeak,
    needed_s,
    speakable,
)
from pegboard.sound.port import Loudness, Tone
from pegboard.sound.sound_drivers import open_sound
from pegboard.sound.wav_file import LONGEST_S

NO_CARD = "pcm.!default {type hw card 31}"
BYTES_A_SECOND = 2 * 22050
"""What espeak-ng writes: 16 bits, one channel."""

BEEP = wav_of(16_000)
"""A second of silence."""

FILE = "pcm.!default {{type file file {file!r} format raw slave.pcm null}} pcm.null {{type null}}"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    return Started().note(monkeypatch)


@pytest.fixture
def programs(tmp_path: Path, started: Started) -> Programs:
    return Programs(tmp_path)


@pytest.fixture
def now() -> list[float]:
    """Return the seconds on the clock of `sound`, which a test changes."""
    return [1000.0]


@pytest.fixture
def sound(programs: Programs, now: list[float]) -> Iterator[Espeak]:
    opened = programs.open(clock=lambda: now[0])
    yield opened
    opened.close()


@pytest.mark.parametrize(("loudness", "amplitude"), [(Loudness(0.5), "80"), (Loudness(1.0, night=True), "56")])
def test_a_sentence_is_spoken_at_its_volume_in_its_voice_though_it_looks_like_an_option(
    programs, started, loudness, amplitude
):
    sound = programs.open(loudness, "de")
    sound.say("--help")
    finish(sound, started)
    sound.close()
    assert programs.options == [["--stdout", "-v", "de", "-s", "165", "-a", amplitude, "--", "--help"]]
    assert programs.heard == ["--help"]


def test_a_wav_file_is_played_before_its_sentence_and_not_at_night(sound, programs, started):
    for words, loudness in (("one", Loudness()), ("", Loudness()), ("three", Loudness(night=True))):
        sound.set_loudness(loudness)
        sound.say_after(BEEP, words)
        finish(sound, started)
    size = f"[{len(BEEP)} bytes] "
    assert programs.heard == [f"{size}one", size, "three"]


def test_a_wav_file_has_its_time_before_a_sentence_counts_as_hanging(sound, now):
    sound.say_after(BEEP, "long")
    now[0] += HANGS_S + CHARACTER_S * len("long") + LONGEST_S / 2
    assert sound.check()


def test_a_new_sentence_cuts_off_both_processes_of_the_previous_one_without_a_wait(sound, programs, started):
    sound.say("long")
    first = tuple(started.processes)
    sound.say("short")
    assert len(first) == 2
    assert all(process.wait(PATIENCE_S) == -signal.SIGKILL for process in first)
    finish(sound, started)
    assert programs.heard == ["short"]


def test_closing_ends_both_processes_of_the_sentence(sound, started):
    sound.say("long")
    sound.close()
    assert [process.poll() for process in started.processes] == [-signal.SIGKILL] * 2
    sound.say("too late")
    assert len(started.processes) == 2


def test_a_sentence_without_a_loudspeaker_fails_until_a_later_one_is_heard(sound, programs, started):
    programs.pull()
    sound.say("one")
    with pytest.raises(DriverError, match="got aplay: audio open error: No such file or directory; plug in a loud"):
        finish(sound, started)
    programs.plug_in()
    with pytest.raises(DriverError, match="audio open error"):
        sound.say("two")
    finish(sound, started)
    sound.say("three")
    finish(sound, started)
    assert programs.heard == ["two", "three"]


def test_a_sentence_that_is_cut_short_neither_fails_nor_ends_a_failure(sound, programs, started):
    sound.say("long")
    sound.say("")
    assert not sound.check()
    programs.pull()
    sound.say("lost")
    with pytest.raises(DriverError):
        finish(sound, started)
    programs.plug_in()
    for words in ("long", ""):
        with pytest.raises(DriverError):
            sound.say(words)
    with pytest.raises(DriverError, match="audio open error"):
        sound.check()


def test_a_speech_that_fails_names_itself_and_not_the_player(sound, started):
    sound.say("broken")
    with pytest.raises(DriverError, match="got espeak-ng: Error: The specified espeak-ng voice does not exist"):
        finish(sound, started)


def test_a_sentence_that_does_not_end_is_cut_and_fails(sound, started, now):
    sound.say("long")
    assert sound.check()
    now[0] += HANGS_S + CHARACTER_S * len("long")
    with pytest.raises(DriverError, match="got aplay: the sentence did not end"):
        sound.check()
    assert all(process.wait(PATIENCE_S) == -signal.SIGKILL for process in started.processes)


@pytest.mark.parametrize("hangs", [True, False])
def test_a_player_that_hangs_is_found_although_each_sentence_cuts_the_last_one_and_a_quick_game_is_none(
    sound, started, now, hangs
):
    def say_some() -> None:
        for _ in range(MOST_OVERDUE):
            sound.say("long")
            now[0] += (1.0 if hangs else 0.9) * needed_s("long")

    said = f"got aplay: {MOST_OVERDUE} sentences in a row did not end; plug in"
    say_some()
    with pytest.raises(DriverError, match=said) if hangs else nullcontext():
        sound.say("short")
    finish(sound, started)
    say_some()  # one ended by itself


def test_a_player_that_never_stops_complaining_is_heard_and_fills_no_memory(sound, programs, started, monkeypatch):
    kept = []
    kept_of = os.memfd_create
    monkeypatch.setattr(os, "memfd_create", lambda *given: kept.append(kept_of(*given)) or kept[-1])
    programs.aplay.write_text(
        "#!/bin/sh\nhead -c 5000000 /dev/zero | tr '\\0' '!' >&2\necho aplay: the end >&2\nexit 1\n", encoding="ascii"
    )
    sound.say("short")
    for process in started.processes:
        process.wait(PATIENCE_S)
    assert all(os.fstat(file).st_size <= MOST_COMPLAINTS for file in kept)
    with pytest.raises(DriverError, match=r"got aplay: !!!+"):
        sound.check()


def test_a_player_that_a_real_time_signal_ends_is_named_and_a_later_sentence_is_heard(sound, programs, started):
    sound.say("long")
    for process in started.processes:
        process.send_signal(signal.SIGRTMIN + 2)
        process.wait(PATIENCE_S)
    with pytest.raises(DriverError, match=f"espeak-ng: signal {signal.SIGRTMIN + 2}"):
        sound.check()
    with pytest.raises(DriverError):  # it tells of the sentence before
        sound.say("short")
    finish(sound, started)
    assert not sound.check()
    assert programs.heard[-1] == "short"  # the first player may have begun


def test_an_evening_of_sentences_keeps_no_descriptor_and_no_process_open(sound, started):
    sound.say("first")
    finish(sound, started)
    before = len(os.listdir("/proc/self/fd"))
    for words in ("second", "long", "third"):
        sound.say(words)
    finish(sound, started)
    sound.say("")
    for process in started.processes:
        process.wait(PATIENCE_S)
    sound.say("")
    assert len(os.listdir("/proc/self/fd")) == before


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


@pytest.mark.parametrize(("program", "package"), [("espeak-ng", "espeak-ng"), ("aplay", "alsa-utils")])
def test_a_missing_program_says_what_to_install(monkeypatch, programs, program, package):
    (programs.folder / program).unlink()
    monkeypatch.setenv("PATH", str(programs.folder))
    with pytest.raises(NoDeviceError, match=f"expected the program {program}, got none: sudo apt install {package}"):
        open_sound("espeak")


@pytest.fixture
def alsa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that gives the real espeak-ng and aplay this ALSA configuration in place of the machine's."""
    for program, package in PACKAGES.items():
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}: sudo apt install {package}")
    config = tmp_path / "alsa.conf"
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))
    return lambda text: config.write_text(text, encoding="utf-8") and None


def test_the_real_programs_speak_and_a_lost_card_comes_back(alsa, tmp_path, started):
    played = tmp_path / "played.raw"
    sound = open_sound("espeak")
    for _ in range(2):
        alsa(NO_CARD)
        with suppress(DriverError):
            sound.say("three fours, eight; one, one; nine at risk")
        with pytest.raises(DriverError, match="got aplay: audio open error: No such "):
            finish(sound, started)
        alsa(FILE.format(file=str(played)))
        with pytest.raises(DriverError, match="audio open error"):
            sound.say("three fours, eight; one, one; nine at risk")
        finish(sound, started)
        assert played.stat().st_size > 50_000  # two seconds and more
        played.unlink()
    sound.close()


@pytest.mark.parametrize(
    "words", ["7", "B.", "J K L M N W W W W X Y", "999999999999", "Ann: three fives, 500. At risk 1250."]
)
def test_no_words_take_the_real_espeak_ng_longer_than_they_need(alsa, tmp_path, started, words):
    played = tmp_path / "played.raw"
    alsa(FILE.format(file=str(played)))
    sound = open_sound("espeak")
    sound.say(words)
    finish(sound, started)
    sound.close()
    assert played.stat().st_size / BYTES_A_SECOND <= needed_s(words) - START_S / 2


def test_the_real_aplay_plays_a_wav_file_of_another_rate_before_the_words(alsa, tmp_path, started):
    played = tmp_path / "played.raw"
    alsa(FILE.format(file=str(played)))
    sound = open_sound("espeak")
    sound.say_after(BEEP, "farkle")
    finish(sound, started)
    sound.close()
    assert played.stat().st_size > len(BEEP) + BYTES_A_SECOND / 4


def test_a_real_espeak_ng_without_this_voice_says_so(alsa, tmp_path, started):
    alsa(FILE.format(file=str(tmp_path / "played.raw")))
    sound = open_sound("espeak", language="no such")
    sound.say("nine at risk")
    with pytest.raises(DriverError, match=r"got espeak-ng: .*voice does not exist"):
        finish(sound, started)
    sound.close()


@pytest.fixture(params=sampled(HEADERS, "lgpio"))
def header(request, monkeypatch):
    with HEADERS[request.param](monkeypatch) as made:
        monkeypatch.setattr(Device, "pin_factory", made.factory)
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


@pytest.fixture
def buzzer(header: Header) -> Iterator[Buzzer]:
    opened = Buzzer(Loudness())
    yield opened
    opened.close()


@pytest.mark.parametrize("tone", sampled(Tone, Tone.FALL))
def test_a_tone_is_its_melody_and_then_silence(buzzer, header, monkeypatch, tone):
    heard = Listening(monkeypatch)
    buzzer.play(tone)
    melody = [note for note, _ in MELODIES[tone]]
    if tone is Tone.FALL:
        heard.until(1)
        assert header.pwm(PIN) == pytest.approx(880, abs=1)
    assert heard.until(len(melody) + 1) == [*melody, None]


def test_a_walk_ticks_once_a_hole(buzzer, monkeypatch):
    heard = Listening(monkeypatch)
    buzzer.play(Tone.TICK, 6)
    assert [note for note in heard.until(13) if note] == ["A6"] * 6


def test_a_lost_pin_is_an_error_until_a_later_tone_sounds(buzzer, monkeypatch):
    lost = threading.Event()

    def lose(_buzzer: TonalBuzzer, _note: str | None) -> None:
        lost.set()
        raise OSError("the pin is lost")

    with monkeypatch.context() as patch:
        patch.setattr(TonalBuzzer, "play", lose)
        buzzer.play(Tone.TICK)
        assert lost.wait(PATIENCE_S)
        with pytest.raises(DriverError, match="expected the buzzer on GPIO12 to play, got: the pin is lost"):
            buzzer.check()
    heard = Listening(monkeypatch)
    buzzer.play(Tone.TICK)
    heard.until(len(MELODIES[Tone.TICK]) + 1)
    assert not buzzer.check()


def test_by_night_there_are_no_tones(buzzer, monkeypatch):
    buzzer.set_loudness(Loudness(night=True))
    heard = Listening(monkeypatch)
    buzzer.play(Tone.BELL)
    buzzer.close()
    assert heard.notes in ([], [None])


def test_without_a_pi_the_buzzer_says_what_to_install(monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", None)
    with pytest.raises(NoDeviceError, match=f"expected a buzzer on GPIO12, got: .*{re.escape(add_extra('pi'))}"):
        open_sound("buzzer")
