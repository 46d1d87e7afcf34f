"""The lights with working and failing strips: the frames and the reports of failures. No call waits for the strip."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hosted import PATIENCE_S, ToldClock, fast_clock
from tables import Table

from companion.devices.lights import ANSWER_S, Lights, board_view
from companion.runtime.feed import Feed
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import Fault, Located, Pause
from companion.table.view import View
from companion.words import because, english, message
from pegboard.animation.effects import DIGIT_S, PAUSE_S
from pegboard.errors import DriverError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.led_drivers import LedRecorder
from pegboard.pegs import Prompt, Status

LAYOUT = load_layout()


class WatchedStrip(LedRecorder):
    """A strip whose frames a test can wait for. It fails while `broken` is set."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        self.changed = threading.Condition()
        self.broken: Exception | None = None
        self.said = ""
        self.lines: tuple[str, ...] = ()

    def show(self, frame: LedFrame) -> None:
        with self.changed:
            self.changed.notify_all()
            if self.broken is not None and not self._ending:
                raise self.broken
            super().show(frame)

    _ending = False

    def close(self) -> None:
        self._ending = True
        super().close()

    def until(self, fits: Callable[[], bool]) -> bool:
        with self.changed:
            return self.changed.wait_for(fits, PATIENCE_S)


class SpeakingStrip(WatchedStrip):
    """A strip with lines of text below it, like a terminal. `said` is the first line."""

    def say(self, *lines: str) -> None:
        with self.changed:
            self.said, self.lines = lines[0], lines
            self.changed.notify_all()


class RunningLights:
    """The running lights of a table that the test plays."""

    def __init__(
        self,
        strip: WatchedStrip,
        clock: ToldClock | None = None,
        secret: Callable[[], tuple[int, ...]] = tuple,
    ) -> None:
        self.table = Table().start()
        self.feed = Feed(self.table.view)
        self.strip = strip
        self.faults: list[Fault] = []
        clock_ = replace(clock.clock, speed=1000.0) if clock else fast_clock(100.0)
        self.running = Lights(self.feed, LAYOUT, strip, clock_, self.report, foot=("page http://here/",), secret=secret)

    def report(self, fault: Fault) -> None:
        with self.strip.changed:
            self.faults.append(fault)
            self.strip.changed.notify_all()

    def publish(self, *cues: Cue) -> View:
        self.feed.publish(self.table.view, cues)
        return self.table.view

    def lit(self, side: int, hole: int) -> bool:
        """Return whether the LED of a hole shines, by the bytes sent to the strip."""
        return max(self.strip.last[LAYOUT.lane_of(side).spots[hole].led]) > 8


@contextmanager
def running(
    strip: WatchedStrip, clock: ToldClock | None = None, secret: Callable[[], tuple[int, ...]] = tuple
) -> Iterator[RunningLights]:
    made = RunningLights(strip, clock, secret)
    made.running.start()
    try:
        yield made
    finally:
        made.running.close()


def test_a_banked_score_shines_on_the_strip() -> None:
    with running(WatchedStrip()) as lights:
        lights.table.throws("233346").taps("bank")
        lights.publish()
        assert lights.strip.until(lambda: lights.lit(0, 8))


def test_a_new_view_is_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CALM_S", "BUSY_S"):
        monkeypatch.setattr(f"companion.devices.lights.{name}", 1e6)
    strip = WatchedStrip()
    with running(strip) as lights:
        assert strip.until(lambda: bool(strip.frames))
        shown = len(strip.frames)
        lights.table.throws("233346").taps("bank")
        lights.publish()
        assert strip.until(lambda: len(strip.frames) > shown)


@pytest.mark.parametrize("error", [DriverError("the cable is loose"), OSError(5, "Input/output error")])
def test_a_strip_that_fails_is_said_once_and_shows_the_newest_view_when_it_answers_again(error: Exception) -> None:
    strip = WatchedStrip()
    with running(strip) as lights:
        strip.broken = error
        assert strip.until(lambda: bool(lights.faults))
        lights.table.throws("233346").taps("bank")
        lights.publish()
        strip.broken = None
        assert strip.until(lambda: lights.lit(0, 8))
        assert strip.until(lambda: len(lights.faults) > 1)
    assert [(fault.part, fault.text is None) for fault in lights.faults] == [("leds", False), ("leds", True)]
    assert lights.faults[0].text == because(message("fault.lights"), str(error))


def test_a_reading_in_doubt_blinks_for_its_dice_and_a_single_one_shows_its_face() -> None:
    table = Table().start().throws("233346", sure=False)
    prompt = board_view(table.view).prompt
    doubted = [die.face for die in table.view.reading.dice if die.doubts] if table.view.reading else []
    assert (prompt.blinking, prompt.lit) == (len(doubted), doubted[0] if len(doubted) == 1 else 0)


def test_a_question_about_points_shows_where_its_answers_lead() -> None:
    table = Table().start("Ann", "Ben", settings={"piggyback": True})
    table.throws("233346").chooses("333").taps("bank")
    board = board_view(table.view)
    assert board.status is Status.ASK
    assert len(board.prompt.outcomes) == 2


def test_a_question_without_outcomes_leaves_the_pegs_alone() -> None:
    table = Table().start("Ann", settings={"target": 5}).throws("233346").taps("bank").taps("bank")
    board = board_view(table.view)
    assert table.view.question is not None
    assert (board.status, board.prompt) == (Status.ASK, Prompt())


def test_only_the_winner_of_a_game_shines() -> None:
    table = Table().start("Ann", "Ben", settings={"target": 5}).throws("233346").taps("bank").throws("334466")
    if board_view(table.view).status is not Status.OVER:
        table.taps("bank")
    assert (board_view(table.view).status, board_view(table.view).leaders) == (Status.OVER, (0,))


@pytest.mark.parametrize(
    ("layout", "players", "track", "built", "said"),
    [
        ("long-board-1", ("Ann", "Ben", "Cy"), 121, True, "3 sides share the 1 lane of long-board-1."),
        ("long-board-1", ("Ann", "Ben", "Cy"), 121, False, ""),
        (
            "short-board-2",
            ("Ann", "Ben"),
            241,
            True,
            "short-board-2 has a track of 61 or 121 holes, and this game goes over 241: the lights walk round again.",
        ),
    ],
)
def test_a_game_that_the_board_has_no_lanes_or_holes_for_is_reported_once(
    layout: str, players: tuple[str, ...], track: int, built: bool, said: str
) -> None:
    small, faults, table = load_layout(layout), list[Fault](), Table().start(*players, track=track)
    feed = Feed(table.view)
    lights = Lights(feed, small, LedRecorder(small), fast_clock(1.0), faults.append, built=built)
    feed.publish(table.throws("233346").view)
    feed.publish(table.taps("bank").view)
    lights.close()
    assert [english().rendered(fault) for fault in faults] == [Fault("layout", said)] * bool(said)


class LooseStrip(WatchedStrip):
    """A strip that loses every third frame."""

    tries = 0

    def show(self, frame: LedFrame) -> None:
        self.tries += 1
        self.broken = OSError(5, "Input/output error") if self.tries % 3 == 0 else None
        super().show(frame)


def test_a_strip_that_fails_again_and_again_is_said_once_a_minute() -> None:
    strip, clock = LooseStrip(), ToldClock(stride=0.5)
    with running(strip, clock) as lights:
        assert strip.until(lambda: clock.now > 100 + 5 * 60)
    failures = [fault for fault in lights.faults if fault.text is not None]
    assert 3 <= len(failures) <= (clock.now - 100) / 60 + 1
    assert len(strip.frames) > 10


def test_a_closed_display_is_dark_and_its_thread_has_ended() -> None:
    strip = WatchedStrip()
    with running(strip) as lights:
        assert strip.until(lambda: bool(strip.frames))
    assert (strip.last, lights.running.alive) == (dark(LAYOUT.leds), False)


def test_the_answer_to_a_dark_button_is_shown_for_a_while() -> None:
    strip, clock = SpeakingStrip(), ToldClock()
    with running(strip, clock) as lights:
        lights.publish(Cue(CueKind.REFUSED, "throw first"))
        assert strip.until(lambda: strip.said == "throw first")
        clock.now += ANSWER_S
        assert strip.until(lambda: strip.said == lights.table.view.message.text)


def test_the_footer_stays_below_the_caption() -> None:
    strip = SpeakingStrip()
    with running(strip) as lights:
        assert strip.until(lambda: strip.lines[-1:] == ("page http://here/",))
        lights.table.throws("233346")
        text = lights.publish().message.text
        assert strip.until(lambda: strip.said == text)
        assert strip.lines[-1] == "page http://here/"


class HangingStrip(WatchedStrip):
    """A strip whose write does not return until the test releases it."""

    def __init__(self) -> None:
        super().__init__()
        self.hangs, self.go_on = threading.Event(), threading.Event()

    def show(self, frame: LedFrame) -> None:
        if not self._ending:
            self.hangs.set()
            self.go_on.wait(PATIENCE_S)
        super().show(frame)


def test_a_strip_that_hangs_delays_no_publisher() -> None:
    strip = HangingStrip()
    lights = RunningLights(strip)
    lights.running.start()
    assert strip.hangs.wait(PATIENCE_S)
    for _ in range(20):  # each publish calls the lights on the publisher's thread
        lights.table.throws("233346").taps("bank")
        lights.publish()
    assert lights.feed.latest.view == lights.table.view
    strip.go_on.set()
    lights.running.close()
    assert not lights.running.alive


def test_the_last_number_of_the_address_is_shown_as_lights() -> None:
    clock = ToldClock()
    with running(WatchedStrip(), clock) as lights:
        lights.table.take(Located("http://10.0.0.3:8080/", "10.0.0.3"))
        lights.table.take(Pause())
        lights.table.answers("network address")
        lights.publish(*lights.table.cues)
        clock.now += PAUSE_S + DIGIT_S / 2
        assert lights.strip.until(lambda: [hole for hole in range(1, 121) if lights.lit(0, hole)] == [1, 2, 3])


def test_holes_that_let_a_phone_in_are_lit_alone_in_every_lane() -> None:
    secret: list[int] = [7, 60, 118]
    strip = WatchedStrip()
    leds = {lane.spots[hole].led for lane in LAYOUT.lanes for hole in secret}
    with running(strip, secret=lambda: tuple(secret)):
        assert strip.until(lambda: bool(strip.frames) and set(strip.frames[-1].lit()) == leds)
        secret.clear()
        assert strip.until(lambda: set(strip.frames[-1].lit()) != leds)


def test_a_trial_is_shown_in_place_of_the_game_until_it_is_ended() -> None:
    strip = WatchedStrip()
    whole, shelf = set(range(LAYOUT.leds)), {lamp.led for lamp in LAYOUT.shelf}
    with running(strip) as lights:
        for what, lit in (("red", whole), ("shelf", shelf)):
            lights.running.trial(what)
            assert strip.until(lambda lit=lit: bool(strip.frames) and set(strip.frames[-1].lit()) == lit)
        lights.running.trial("")
        assert strip.until(lambda: set(strip.frames[-1].lit()) not in (whole, shelf))
