"""The speaker: it plays the newest sentence and the tones of each update, on any sound driver."""

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hosted import PATIENCE_S
from speech import Programs
from tables import Table

from companion.devices.speaker import MOST_WAITING, Speaker
from companion.runtime import guard
from companion.runtime.feed import Feed
from companion.table.state.cues import Cue, CueKind
from companion.table.state.house import SoundLevel
from companion.table.state.inputs import Fault, SetSound
from companion.words import because, load_catalogue, message
from pegboard.errors import DriverError
from pegboard.sound.port import Loudness, Sound, Tone
from pegboard.sound.sound_drivers import Together


class QueuedSound:
    """A sound driver whose calls a test can wait for. It fails while `broken` is set."""

    broken: Exception | None = None
    closed = False

    def __init__(self) -> None:
        self.heard: queue.Queue[str | Tone] = queue.Queue()

    def say(self, text: str) -> None:
        if self.broken:
            raise self.broken
        self.heard.put(text)

    def play(self, tone: Tone, times: int = 1) -> None:
        for _ in range(times):
            self.heard.put(tone)

    def say_after(self, wav: bytes, text: str) -> None:
        self.heard.put(wav.decode())
        self.say(text)

    def close(self) -> None:
        self.closed = True


class Spoken:
    """A table whose updates go to a speaker."""

    def __init__(self, sound: Sound | None = None) -> None:
        self.table = Table()
        self.feed = Feed(self.table.view)
        self.sound = QueuedSound()
        self.faults: queue.Queue[Fault] = queue.Queue()
        self.speaker = Speaker(self.feed, sound or self.sound, load_catalogue(), self.faults.put)

    def say(self, words: str) -> None:
        self.feed.publish(self.feed.latest.view, (Cue(CueKind.REFUSED, words),))

    def publish(self) -> None:
        self.feed.publish(self.table.view, tuple(self.table.cues))

    def at_volume(self, volume: int) -> None:
        self.table.state = replace(self.table.state, sound=SoundLevel(volume))
        self.publish()

    def until(self, last: str) -> list[str | Tone]:
        """Return the sounds up to these words."""
        self.feed.publish(self.feed.latest.view, (Cue(CueKind.REFUSED, last),))
        heard: list[str | Tone] = []
        while (sound := self.sound.heard.get(timeout=PATIENCE_S)) != last:
            heard.append(sound)
        return heard

    def after(self) -> list[str | Tone]:
        """Return the sounds of the newest act alone."""
        self.until("before")
        self.publish()
        return self.until("after")


@pytest.fixture
def spoken() -> Iterator[Spoken]:
    made = Spoken()
    made.table.start()
    made.publish()
    made.speaker.start()
    yield made
    made.speaker.close()


class SlowVoice(QueuedSound):
    """A voice that speaks until a test ends its sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.speaking = threading.Event()

    def say(self, text: str) -> None:
        super().say(text)
        self.speaking.set()

    def check(self) -> bool:
        return self.speaking.is_set()


def test_words_for_later_wait_for_the_end_of_the_present_sentence() -> None:
    voice = SlowVoice()
    spoken = Spoken(voice)
    spoken.speaker.start()
    try:
        spoken.say("Ann banks two")
        spoken.speaker.say("throwing was worth more", later=True)
        assert voice.heard.get(timeout=PATIENCE_S) == "Ann banks two"
        assert voice.heard.empty()
        voice.speaking.clear()
        assert voice.heard.get(timeout=PATIENCE_S) == "throwing was worth more"
        spoken.speaker.say("lost", later=True)
        spoken.say("two, two at risk")
        spoken.speaker.say("last")
        assert [voice.heard.get(timeout=PATIENCE_S) for _ in range(2)] == ["two, two at risk", "last"]
    finally:
        spoken.speaker.close()


def nothing(table: Table) -> Table:
    return table


@pytest.mark.parametrize(
    ("before", "act", "heard"),
    [
        (nothing, lambda table: table.throws("233346"), [Tone.TICK]),
        (nothing, lambda table: table.throws("334466"), [Tone.TICK, Tone.FALL, "farkle. Ben"]),
        (
            lambda table: table.throws("233346"),
            lambda table: table.chooses("2333"),
            [*[Tone.TICK] * 8, "three threes, six; two, two; eight at risk"],
        ),
        (
            lambda table: table.throws("233346"),
            lambda table: table.taps("bank"),
            [*[Tone.TICK] * 8, "Ann banks eight and has eight. Ben"],
        ),
        (
            lambda table: table.throws("233346").taps("bank"),
            lambda table: table.undoes(),
            ["Undone: Ann keeps 3 3 3 2 for 8. Ann banks 8 and has 8"],
        ),
        (
            nothing,
            lambda table: table.take(Fault("eye", "I can't see the tray: no frames")),
            ["I can't see the tray: no frames"],
        ),
    ],
    ids=["a throw that scores", "a farkle", "a choice", "a bank", "only the change of an undo", "a fault of the eye"],
)
def test_tones_and_words_say_what_has_just_happened(
    spoken: Spoken, before: Callable[[Table], Table], act: Callable[[Table], object], heard: list[str | Tone]
) -> None:
    before(spoken.table)
    spoken.publish()
    act(spoken.table)
    assert spoken.after() == heard


BANKS = "Ann banks eight and has eight. Ben"


@pytest.mark.parametrize(
    ("own", "act", "heard"),
    [
        (["farkle"], lambda table: table.throws("334466"), [Tone.TICK, "farkle.wav", "farkle. Ben"]),
        (["settled"], lambda table: table.throws("334466"), [Tone.FALL, "settled.wav", "farkle. Ben"]),
        (["farkle", "settled"], lambda table: table.throws("334466"), ["farkle.wav", "farkle. Ben"]),
        (["settled"], lambda table: table.throws("233346"), ["settled.wav", ""]),
        (["bank"], lambda table: table.throws("233346").taps("bank"), [*[Tone.TICK] * 8, "bank.wav", BANKS]),
        (["win"], lambda table: table.throws("334466"), [Tone.TICK, Tone.FALL, "farkle. Ben"]),
    ],
    ids=["a cue", "a quieter cue alone", "the loudest of two", "without words", "a moment", "another moment"],
)
def test_a_wav_file_plays_in_place_of_the_tone_of_its_moment(
    spoken: Spoken, own: list[str], act: Callable[[Table], object], heard: list[str | Tone]
) -> None:
    spoken.speaker.wavs.update({kind: f"{kind}.wav".encode() for kind in own})
    act(spoken.table)
    assert spoken.after() == heard
    spoken.table.cues = []
    assert spoken.after() == []  # the same act in another view


def test_the_final_round_plays_a_bell(spoken: Spoken) -> None:
    spoken.table.start("Ann", "Ben", settings={"target": 5}).throws("233346").taps("bank")
    heard = spoken.after()
    assert heard[0] is Tone.BELL
    assert "final round" in str(heard[1])


def test_hot_dice_are_said(spoken: Spoken) -> None:
    spoken.table.throws("111222").throws("233346", shelf="111222")
    assert "all six" in str(spoken.after()[-1])


def test_a_question_is_asked_once(spoken: Spoken) -> None:
    spoken.table.throws("233346", sure=False)
    question = spoken.table.view.question
    assert spoken.after() == [f"{question.text} KEEP: yes, ROLL: throw again"]
    spoken.table.cues = []
    assert spoken.after() == []


def test_events_of_one_update_are_spoken_in_order_and_once(spoken: Spoken) -> None:
    spoken.table.cues = [Cue(CueKind.REFUSED, "first: -1,250"), *[Cue(CueKind.FAULT, "second")] * 2]
    assert spoken.after() == ["first: minus 1250. second"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DriverError("no loudspeaker"), "no loudspeaker"),
        (ZeroDivisionError(), "an error of the program (ZeroDivisionError), see its log"),
    ],
)
def test_a_failing_sound_driver_is_reported_once_and_used_again(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    monkeypatch.setattr(guard, "FIRST_WAIT_S", 0.0)
    spoken = Spoken()
    spoken.sound.broken = error
    spoken.speaker.start()
    for _ in range(2):
        spoken.feed.publish(spoken.table.view, (Cue(CueKind.REFUSED, "throw first"),))
    assert spoken.faults.get(timeout=PATIENCE_S) == Fault("sound", because(message("fault.sound"), reason))
    spoken.sound.broken = None
    spoken.until("after")
    assert spoken.faults.get(timeout=PATIENCE_S) == Fault("sound", None)
    spoken.speaker.close()
    assert spoken.faults.empty()


def test_a_lost_loudspeaker_is_reported_with_its_first_sentence_and_until_a_later_one_is_heard(tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    spoken = Spoken(Together([programs.open()]))
    spoken.speaker.start()
    programs.pull()
    spoken.say("one")
    fault = spoken.faults.get(timeout=PATIENCE_S)
    assert fault.part == "sound"
    assert "aplay: audio open error: No such file or directory" in str(fault.text)
    programs.plug_in()
    spoken.say("two")
    assert spoken.faults.get(timeout=PATIENCE_S) == Fault("sound", None)
    assert programs.heard == ["two"]
    spoken.speaker.close()


def test_a_sound_driver_that_hangs_delays_no_publisher(spoken: Spoken, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, go_on = threading.Event(), threading.Event()
    was_let_go: list[bool] = []

    def hang(text: str) -> None:
        hangs.set()
        was_let_go.append(go_on.wait(PATIENCE_S))

    monkeypatch.setattr(spoken.sound, "say", hang)
    spoken.feed.publish(spoken.table.view, (Cue(CueKind.REFUSED, "throw first"),))
    assert hangs.wait(PATIENCE_S)
    for _ in range(2 * MOST_WAITING):
        spoken.feed.publish(spoken.table.view, (Cue(CueKind.REFUSED, "throw first"),))
    go_on.set()
    spoken.speaker.close()
    assert set(was_let_go) == {True}


def test_a_closed_speaker_is_silent(spoken: Spoken) -> None:
    spoken.until("all that came before")
    spoken.speaker.close()
    spoken.table.throws("233346")
    spoken.publish()
    assert (spoken.sound.closed, spoken.speaker.alive, spoken.sound.heard.empty()) == (True, False, True)


def test_the_view_says_how_loud_the_driver_is(spoken: Spoken) -> None:
    loud: list[Loudness] = []
    spoken.sound.set_loudness = loud.append  # type: ignore[attr-defined]
    spoken.at_volume(80)
    spoken.table.take(SetSound(volume=30))
    assert spoken.after() == ["Sound at 30 per cent"]
    assert [each.volume for each in loud] == [0.3]


def test_a_muted_table_stops_speaking_at_once(spoken: Spoken) -> None:
    spoken.at_volume(80)
    spoken.table.take(SetSound(muted=True))
    spoken.publish()
    spoken.table.throws("334466")
    spoken.publish()
    spoken.table.take(SetSound(muted=False))
    spoken.publish()
    assert spoken.until("end")[-2:] == ["", "Sound at 80 per cent"]


def test_words_that_no_view_may_hold_are_said_unless_the_table_is_muted(spoken: Spoken) -> None:
    spoken.at_volume(80)
    spoken.speaker.say("4 8 2 1 9 3")
    assert "4 8 2 1 9 3" in spoken.until("heard")
    spoken.table.take(SetSound(muted=True))
    spoken.publish()
    spoken.speaker.say("4 8 2 1 9 3")
    spoken.table.take(SetSound(muted=False))
    spoken.publish()
    assert "4 8 2 1 9 3" not in spoken.until("end")
