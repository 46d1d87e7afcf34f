"""The trials of devices, with a simulated person who answers; pauses are recorded instead of waited for."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import permutations

import pytest
from scripts import ScriptedButtons
from speech import PATIENCE_S, Programs, wav_of
from started import Started

from companion.checkup.buttons import try_buttons
from companion.checkup.leds import COLOURS, HELD_S, STEP_S, order_seen, picture_of, strip_pictures, try_leds
from companion.checkup.sound import try_sound
from companion.checkup.trials import Person
from companion.config import Config, LedsConfig
from companion.config_files import load_config
from companion.errors import CompanionError, RefusedError
from pegboard.buttons.port import Button, Hold, Stuck, Tap
from pegboard.errors import DriverError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, current_ma
from pegboard.leds.led_drivers import LedRecorder
from pegboard.sound import sound_drivers as sounds
from pegboard.sound.sound_drivers import SoundRecorder

LAYOUT = load_layout("long-board-1")
SHORT = load_layout("short-board-2")
NAMES = {"R": "red", "G": "green", "B": "blue"}
CONFIG = replace(Config(), leds=LedsConfig(driver="recorder", layout="long-board-1"))


class Answers:
    """A person who gives the test's answers. `lines` is the printed text."""

    def __init__(self, answer: Callable[[str], str | None]) -> None:
        self.lines: list[str] = []
        self.person = Person(answer, self.lines.append)


@pytest.fixture
def strip(monkeypatch) -> LedRecorder:
    made = LedRecorder(LAYOUT)
    monkeypatch.setattr("companion.checkup.leds.open_leds", lambda *_: made)
    return made


def seeing(strip: LedRecorder) -> Callable[[str], str | None]:
    """Return a function that answers each question by the strip's LEDs."""

    def answer(question: str) -> str:
        lit = strip.last.lit()
        if "colour" in question:
            assert len(lit) == LAYOUT.leds
            return next(name for name, rgb in COLOURS.items() if rgb.index(max(rgb)) == _brightest(strip))
        if "How many" in question:
            return str(len(lit))
        if "dark" in question:
            return "no" if lit else "y"
        return "yes"

    return answer


def _brightest(strip: LedRecorder) -> int:
    rgb = strip.last[0]
    return rgb.index(max(rgb))


@pytest.mark.parametrize(
    ("colour", "status", "said"),
    [
        ("as it is", 0, "leds: as it should be"),
        ("green", 1, "leds: 2 wrong"),
        (None, 0, "leds: nobody said what there was"),
    ],
)
def test_a_strip_is_as_the_person_says(strip, colour: str | None, status: int, said: str) -> None:
    sees = seeing(strip)
    answers = Answers(
        lambda question: colour and (colour if "colour" in question and colour == "green" else sees(question))
    )
    assert try_leds(CONFIG, answers.person, lambda _: None) == status
    assert answers.lines[-1] == said
    assert any("expected red, got 'green': set the order" in line for line in answers.lines) == bool(status)


def test_the_light_walks_from_the_start_to_the_game_hole(strip) -> None:
    try_leds(CONFIG, Answers(lambda _: None).person, lambda _: None)
    single = [frame.lit()[0] for frame in strip.frames if len(frame.lit()) == 1]
    lane = [led for (led,) in strip_pictures(LAYOUT)["lane-1"].groups]
    assert single[: len(lane)] == lane
    assert (lane[0], lane[-1], len(lane)) == (LAYOUT.lanes[0].spots[0].led, LAYOUT.lanes[0].spots[-1].led, 122)


class LostStrip(LedRecorder):
    """A strip that is not there."""

    def show(self, frame: LedFrame) -> None:
        raise DriverError("the cable is loose")

    def close(self) -> None:
        """Do nothing."""


def test_a_strip_that_does_not_answer_is_one_line(monkeypatch) -> None:
    monkeypatch.setattr("companion.checkup.leds.open_leds", lambda *_: LostStrip(LAYOUT))
    answers = Answers(lambda _: None)
    assert try_leds(CONFIG, answers.person, lambda _: None) == 1
    assert answers.lines[1:] == ["  wrong: the cable is loose", "leds: 1 wrong"]


class DrawnStrip(LedRecorder):
    """A strip with a screen of its own, which disappears when the strip is closed."""

    said = ""

    def say(self, *lines: str) -> None:
        self.said = lines[0]


def test_a_strip_with_its_own_screen_asks_there_and_prints_the_faults_at_the_end(monkeypatch) -> None:
    strip = DrawnStrip(LAYOUT)
    monkeypatch.setattr("companion.checkup.leds.open_leds", lambda *_: strip)
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(strip.said)
        assert question == ""
        return "green" if "colour" in strip.said else seeing(strip)(strip.said)

    answers = Answers(answer)
    assert try_leds(CONFIG, answers.person, lambda _: None) == 1
    assert asked[0].startswith("Which colour is the whole chain?")
    assert len(answers.lines) == 4  # the name of the test, two faults, the number of faults
    assert answers.lines[1].startswith("  wrong: expected red, got 'green'")


class Presser(ScriptedButtons):
    """Buttons that press the requested button or the one that the test sets. They record the lamps."""

    def __init__(self, *gestures) -> None:
        super().__init__([(float(at), each) for at, each in enumerate(gestures)])
        self.lit: list[set[Button]] = []

    def light(self, lit) -> None:
        self.lit.append(set(lit))


class Clock:
    """A clock that only the pauses move on."""

    now = 0.0

    def pause(self, seconds: float) -> None:
        self.now += seconds


def pressing(*gestures) -> tuple[int, list[str], Presser]:
    answers, hands, clock = Answers(lambda _: None), Presser(*gestures), Clock()
    config = load_config(None, {"buttons.driver": "keyboard"})
    status = try_buttons(config, answers.person, hands, lambda: clock.now, clock.pause)
    return status, answers.lines, hands


def test_each_button_that_comes_as_asked_passes_with_its_lamp_lit() -> None:
    asked = (*(Tap(button) for button in Button), Hold(Button.KEEP))
    status, lines, hands = pressing(*asked)
    assert (status, lines[-1]) == (0, "buttons: as it should be")
    assert hands.lit == [{press.button} for press in asked]


def test_crossed_wires_are_reported() -> None:
    keep, roll, bank = Button
    status, lines, _ = pressing(Tap(roll), Tap(keep), Tap(roll), Tap(bank), Hold(keep))
    assert status == 1
    assert any("to press KEEP gave ROLL tapped: wires that are crossed" in line for line in lines)


def test_a_dead_button_and_a_stuck_one_are_reported() -> None:
    keep, _, _ = Button
    status, lines, _ = pressing(Stuck(keep, stuck=True))
    assert status == 1
    assert any("KEEP stuck" in line for line in lines)
    assert sum("nothing came; look at the wire" in line for line in lines) == 4


def test_every_sound_is_heard_and_asked_about(monkeypatch) -> None:
    heard = SoundRecorder()
    monkeypatch.setitem(sounds.DRIVERS, "recorder", lambda *_: heard)
    answers = Answers(lambda question: "no" if "bell" in question else "yes")
    assert try_sound(load_config(None, {"sound.driver": "recorder"}), answers.person, {}, lambda _: None) == 1
    assert "Three fours, eight points. Good luck!" in heard.heard
    assert {str(each) for each in heard.heard} >= {"tick", "fall", "bell"}
    assert answers.lines[-1] == "sound: 1 wrong"


def test_each_sound_of_the_house_is_heard_and_asked_about(monkeypatch, tmp_path) -> None:
    programs = Programs(tmp_path)
    monkeypatch.setitem(sounds.DRIVERS, "espeak", lambda *_: programs.open())
    started, asked = Started().note(monkeypatch), list[str]()

    def pause(_seconds: float) -> None:
        for process in started.processes:
            process.wait(PATIENCE_S)

    answers = Answers(lambda question: asked.append(question) or "yes")
    beep = wav_of(800)
    assert try_sound(load_config(None, {"sound.driver": "espeak"}), answers.person, {"win": beep}, pause) == 0
    assert asked[1] == "espeak played the sound of win: heard? [yes/no] "
    assert programs.heard[1] == f"[{len(beep)} bytes] "


def test_a_missing_sound_is_reported_and_the_next_one_tried(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setitem(sounds.DRIVERS, "recorder", lambda *_: SoundRecorder())
    answers = Answers(lambda _: "yes")
    assert try_sound(load_config(None, {"sound.driver": "espeak+recorder"}), answers.person, {}, lambda _: None) == 1
    assert any("sudo apt install espeak-ng" in line for line in answers.lines)
    assert answers.lines[-1] == "sound: 1 wrong"


def test_a_lost_loudspeaker_is_reported_and_nobody_is_asked(monkeypatch, tmp_path) -> None:
    programs = Programs(tmp_path)
    programs.pull()
    monkeypatch.setitem(sounds.DRIVERS, "espeak", lambda *_: programs.open())
    started = Started().note(monkeypatch)

    def pause(_seconds: float) -> None:
        for process in started.processes:
            process.wait(PATIENCE_S)

    answers = Answers(lambda _: "yes")
    assert try_sound(load_config(None, {"sound.driver": "espeak"}), answers.person, {}, pause) == 1
    assert len(answers.lines) == 2
    assert answers.lines[0].startswith("  wrong: expected the sentence to be heard, got aplay: audio open error")


def test_a_driver_without_hardware_cannot_be_tested() -> None:
    for run, section in ((try_leds, "leds"), (try_buttons, "buttons"), (partial(try_sound, wavs={}), "sound")):
        with pytest.raises(CompanionError, match=f"expected {section} that can be tested, got .*--{section}"):
            run(Config(), Answers(lambda _: None).person)


def test_the_picture_of_a_lane_stays_for_a_while_after_its_last_led() -> None:
    picture = picture_of("lane-1", SHORT)
    walked_s = len(picture.groups) * STEP_S
    last = picture.frame(SHORT.leds, walked_s + HELD_S - 0.1, 1.0, 2500)
    assert last.lit() == picture.groups[-1]
    assert picture.frame(SHORT.leds, walked_s + HELD_S + 0.1, 1.0, 2500) is None


def test_a_whole_strip_keeps_the_budget() -> None:
    frame = picture_of("red", SHORT).frame(SHORT.leds, 0.0, 1.0, 400.0)
    assert current_ma(frame) <= 400.0


def test_an_unknown_picture_is_refused() -> None:
    with pytest.raises(RefusedError):
        picture_of("lane-9", SHORT)


ORDERS = ["".join(order) for order in permutations("RGB")]


@pytest.mark.parametrize("configured", ORDERS)
def test_the_order_of_any_strip_is_found_whatever_was_configured(configured: str) -> None:
    for true in ORDERS:
        seen = {NAMES[shown]: NAMES[true[configured.index(shown)]] for shown in "RGB"}
        assert order_seen(configured, seen) == true


def test_two_colours_that_look_alike_are_refused() -> None:
    with pytest.raises(RefusedError):
        order_seen("GRB", {"red": "red", "green": "red", "blue": "blue"})
