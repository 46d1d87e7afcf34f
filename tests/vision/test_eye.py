"""The eye's loop in process, and its process over a real socket."""

import itertools
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_table import THROWS, calibrated, drawn_table, level, pushed, world_of
from spoiled_camera import UnsteadyTray

from dicereader.data.frame import Frame, Pixels
from dicereader.data.pictures import decode
from dicereader.errors import SourceError
from dicereader.live import eye as eye_module
from dicereader.live import messages, tray_reader
from dicereader.live.eye import Eye
from dicereader.live.faults import FaultDetector
from dicereader.live.timing import LOOKS, MOST_STEP_S, LookRate, ReopenTimer, ScaledClock, SettleTiming
from dicereader.reading import Box, CameraFault, DiceReading, Fate, ReadDie
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import DieKey, DiePath, Lighting, Pose, World, upright
from dicereader.tray.calibration import Calibration

SELDOM = SettleTiming(frames_a_second=10.0, idle_frames_a_second=5.0)


class Bench:
    """An eye on a clock that its looks move on. Its messages are kept in the form in which they cross the socket."""

    def __init__(self, source: str = "synthetic", arg: str = "3", empty: Pixels | None = None, **setup: object) -> None:
        self.now = 1000.0
        self.sent: list[tuple[messages.AnyMessage, bytes]] = []
        asked = messages.Setup(source, arg, **{"timing": SELDOM} | setup)  # type: ignore[arg-type]
        self.eye = Eye(asked, self._send, lambda: self.now, empty)

    def _send(self, message: messages.FromEye, payload: bytes) -> None:
        self.sent += messages.Decoder().feed(messages.encode(message, payload))

    def of(self, kind: type) -> list:
        return [message for message, _ in self.sent if isinstance(message, kind)]

    def pass_s(self, seconds: float) -> None:
        self.now += seconds

    def look(self) -> float:
        """Let the eye look once, and wait as long as it says."""
        wait_s = self.eye.look()
        self.now += max(0.001, wait_s)
        return wait_s

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.look()

    def ask(self, message: messages.AnyMessage, seconds: float = 1.0) -> None:
        self.eye.obey(message)
        self.run(seconds)

    def firsts(self) -> list[bool]:
        """Return of each observation whether it is a first one."""
        return [message.observation.episode.first for message in self.of(messages.Observed)]


class Reads:
    """Readers that always see one five. `given` keeps the calibration and the empty tray of each."""

    def __init__(self) -> None:
        self.given: list[tuple[Calibration | None, Pixels | None]] = []

    def __call__(self, calibration: Calibration | None, empty: Pixels | None, *_: int) -> "Reads":
        self.given.append((calibration, empty))
        return self

    def read(self, pixels: Pixels) -> DiceReading:
        return DiceReading((ReadDie(5, Box(40, 40, 30, 30), 0.99),), True)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch, fewer_pixels: None) -> Reads:
    reads = Reads()
    monkeypatch.setattr(tray_reader, "Reader", reads)
    return reads


def lying(x: float = 0.0) -> messages.SetWorld:
    return messages.SetWorld(world_of(level([(5, x, 0.0)])))


def photos(folder: Path) -> str:
    for n in range(3):
        cv2.imwrite(str(folder / f"{n}.png"), np.full((100, 120, 3), 50 + 50 * n, np.uint8))
    return str(folder)


def test_each_photograph_is_observed_with_its_picture_when_it_is_asked_for(tmp_path: Path, reads: Reads):
    bench = Bench("recorded", photos(tmp_path))
    assert [hello.live for hello in bench.of(messages.Hello)] == [False]
    bench.run(0.5)
    assert bench.of(messages.Observed) == []
    for _ in range(2):
        bench.ask(messages.NextPicture(), 0.5)
    seen = [message.observation for message in bench.of(messages.Observed)]
    assert [(one.name, one.still) for one in seen] == [("0.png", True), ("1.png", True)]
    assert seen[0].episode.fates == (Fate.THROWN,)
    jpegs = [payload for message, payload in bench.sent if isinstance(message, messages.Observed)]
    assert [round(float(decode(jpeg).mean()), -1) for jpeg in jpegs] == [50, 100]


def test_a_broken_photograph_is_reported_and_the_next_one_read(tmp_path: Path, reads: Reads):
    bench = Bench("recorded", photos(tmp_path))
    (tmp_path / "0.png").write_bytes(b"no picture")
    bench.ask(messages.NextPicture(), 0.3)
    (trouble,) = bench.of(messages.Trouble)
    assert ("0.png" in trouble.text, trouble.fatal) == (True, False)
    assert bench.of(messages.Observed)[0].observation.name == "1.png"


def test_a_request_that_a_source_cannot_do_is_reported_and_has_no_effect(tmp_path: Path):
    bench = Bench("recorded", photos(tmp_path))
    bench.eye.obey(lying())
    (trouble,) = bench.of(messages.Trouble)
    assert ("SetWorld" in trouble.text, trouble.fatal) == (True, False)


@pytest.mark.parametrize(("shape", "fits"), [((360, 480, 3), True), ((720, 960, 3), False)])
def test_tags_calibrate_the_reader_which_gets_an_empty_tray_of_the_pictures_size(reads: Reads, shape, fits):
    empty = np.full(shape, 30, np.uint8)
    Bench(empty=empty).ask(lying())
    assert reads.given
    assert all(known is not None and bare is (empty if fits else None) for known, bare in reads.given)


def test_a_moved_tray_is_reported_once_and_read_at_its_new_place(reads: Reads):
    source = SyntheticSource(lambda: 1.0, seed=3)
    # The calibration was made with the camera to the side.
    elsewhere = pushed(source.empty_picture(), -20.0, 0.0, 0.0)
    x, y, z = source.camera.position_mm
    was = replace(source.camera, position_mm=(x + 20 / source.camera.focal_px * z, y, z))
    bench = Bench(empty=elsewhere, calibration=was)
    bench.ask(lying(), 2.0)
    assert (bench.of(messages.TrayMoved), bench.of(messages.Trouble)) == ([messages.TrayMoved()], [])
    known, _ = reads.given[-1]
    assert known.project(0.0, 0.0, 0.0) == pytest.approx(source.camera.project(0.0, 0.0, 0.0), abs=1.0)


@pytest.mark.exhaustive
def test_a_hand_that_pushes_the_tray_a_little_while_it_throws_spoils_no_throw():
    table = drawn_table(3)
    bench = Bench(empty=table.empty, calibration=calibrated(table))
    bench.eye._source = tray = UnsteadyTray(bench.eye._time, 3)  # noqa: SLF001 - the simulated tray, pushed
    before, after = (world_of(level(dice)) for dice in THROWS[:2])
    bench.ask(messages.SetWorld(before))
    pairs = zip(before.dice, after.dice, strict=True)
    falls = tuple(DiePath((a.keys[0], replace(b.keys[0], t_s=0.5))) for a, b in pairs)
    tray.change(0.3, x_mm=-1.0, y_mm=1.0, turn_deg=0.3)
    bench.ask(messages.SetWorld(World(3, falls)), 2.0)
    observation = bench.of(messages.Observed)[-1].observation
    assert (observation.reading.sure, len(observation.episode.thrown())) == (True, 6)
    assert bench.of(messages.TrayMoved) == []


def test_a_settled_tray_is_observed_once_and_reported_as_still_with_two_heartbeats_a_second(reads: Reads):
    bench = Bench()
    bench.ask(lying(), 4.0)
    assert len(bench.of(messages.Observed)) == 1
    assert [changed.motion for changed in bench.of(messages.MotionChanged)] == ["still"]
    beats = bench.of(messages.Heartbeat)
    assert 6 <= len(beats) <= 8
    assert 1000.0 < beats[0].at_s < beats[-1].at_s <= bench.now


def test_forget_asks_for_another_first_picture(reads: Reads):
    bench = Bench()
    bench.run(1.0)
    bench.ask(messages.Forget())
    assert bench.firsts() == [True, True]


def test_frames_come_seldom_while_nothing_happens_and_often_when_something_does(reads: Reads):
    bench = Bench(timing=SettleTiming(frames_a_second=20.0, idle_frames_a_second=4.0, idle_after_s=1.0))
    often, seldom = pytest.approx(1 / 20), pytest.approx(1 / 4)
    waits = [bench.look() for _ in range(40)]
    assert (max(waits[:20]), waits[-1]) == (often, seldom)
    bench.eye.obey(lying(60.0))
    assert [bench.look() for _ in range(2)][-1] == often


def test_previews_come_at_most_five_a_second_and_only_when_something_changed(reads: Reads):
    bench = Bench()
    path = DiePath((DieKey(0.0, Pose(-80, 0, 8, upright(5))), DieKey(3.0, Pose(40, 0, 8, upright(5)))))
    bench.ask(messages.SetWorld(World(3, (path,))), 3.0)
    assert 10 <= len(bench.of(messages.TrayPicture)) <= 16
    bench.run(1.5)
    settled = len(bench.of(messages.TrayPicture))
    bench.run(2.0)
    assert len(bench.of(messages.TrayPicture)) == settled


def looks(rate: LookRate, now_s: float, work_s: float) -> list[float]:
    return [told for _ in range(LOOKS) if (told := rate.look(now_s, work_s)) is not None]


def test_work_that_leaves_time_for_less_than_half_the_frames_is_reported_once_a_minute():
    rate = LookRate(30.0)
    assert looks(rate, 0.0, 1 / 20) == []
    assert looks(rate, 0.0, 1 / 10) == [pytest.approx(8.0)]
    assert looks(rate, 59.0, 1 / 10) == []
    assert looks(rate, 60.0, 1 / 10) == [pytest.approx(8.0)]


def test_a_camera_is_silent_and_due_from_two_seconds_on():
    timer = ReopenTimer(10.0)
    assert [timer.is_silent(at_s) for at_s in (11.9, 12.0)] == [False, True]
    assert [timer.due(at_s, broken=False) for at_s in (11.9, 12.0, 13.9, 14.0)] == [False, True, False, True]


@pytest.fixture
def busy(reads: Reads, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Return an eye whose every look takes the seconds `work_s`."""
    bench = Bench(timing=SettleTiming())
    bench.work_s = 0.1
    monkeypatch.setattr(FaultDetector, "look", lambda *_: bench.pass_s(bench.work_s))
    return bench


def shake(bench: Bench, times: int) -> list[float]:
    """Let the eye look at a die that moves; return the times of the looks."""
    looked_s = []
    for number in range(times):
        looked_s.append(bench.now)
        bench.eye.obey(lying(float(20 * (number % 2))))
        bench.look()
    return looked_s


@pytest.mark.parametrize(
    ("work_s", "frames_a_second", "told"), [(0.026, 30.0, []), (0.03, 26.7, []), (0.1, 8.0, [(8, 30)])]
)
def test_a_slow_eye_looks_at_fewer_moving_frames_and_reports_less_than_half(busy, work_s, frames_a_second, told):
    busy.work_s = work_s
    looked_s = shake(busy, LOOKS + 2)
    assert 20 / (looked_s[-1] - looked_s[1]) == pytest.approx(frames_a_second, rel=0.01)
    assert [(round(each.looked), each.wanted) for each in busy.of(messages.Behind)] == told


def test_an_eye_loses_no_time_once_the_dice_lie(busy: Bench):
    waits_s = []
    for x in (0.0, 20.0, 0.0, 0.0, 0.0):
        busy.eye.obey(lying(x))
        waits_s.append(busy.look())
    assert waits_s[1:] == [pytest.approx(0.025)] * 2 + [0.0] * 2


@pytest.mark.exhaustive
def test_a_slow_eye_makes_fewer_previews(reads: Reads, monkeypatch):
    made = []
    for work_s in (0.01, 0.1):
        bench = Bench()
        monkeypatch.setattr(eye_module, "jpeg", lambda _, work_s=work_s, bench=bench: bench.pass_s(work_s) or b"")
        for number in range(60):
            bench.now += 0.03
            bench.eye.obey(lying(float(20 * (number % 2))))
            bench.eye.look()
        made.append(len(bench.of(messages.TrayPicture)))
    assert made[0] > 2 * made[1] > 0


@pytest.mark.parametrize(
    ("speed", "is_real", "steps_s", "passed_s"),
    [(1.0, True, (0.7,), 0.7), (1.0, False, (0.7,), MOST_STEP_S), (5.0, False, (0.01, 10.0), 0.05 + MOST_STEP_S)],
    ids=["a real one", "simulated time", "a fast one"],
)
def test_only_a_real_clock_jumps(speed, is_real, steps_s, passed_s):
    now = [1000.0]
    clock = ScaledClock(lambda: now[0], speed)
    assert clock.real is (speed == 1.0)
    clock.real = is_real
    for step_s in steps_s:
        now[0] += step_s
        clock.tick()
    assert clock() == pytest.approx(1000.0 + passed_s)


class Process:
    """The eye's process and the test's end of its socket."""

    def __init__(self) -> None:
        self.wire, theirs = socket.socketpair()
        self.wire.settimeout(180)
        fd = theirs.fileno()
        command = [sys.executable, "-m", "dicereader.live.eye", "--fd", str(fd)]
        self.process = subprocess.Popen(command, pass_fds=[fd], stderr=subprocess.PIPE)
        theirs.close()
        self.decoder = messages.Decoder()
        self.arrived: list[tuple[messages.AnyMessage, bytes]] = []

    def send(self, *asked: messages.AnyMessage) -> None:
        for message in asked:
            self.wire.sendall(messages.encode(message))

    def wait_for(self, kind: type) -> messages.AnyMessage:
        while True:
            for n, (message, _) in enumerate(self.arrived):
                if isinstance(message, kind):
                    del self.arrived[: n + 1]
                    return message
            data = self.wire.recv(1 << 16)
            assert data, f"the eye ended before it sent {kind.__name__}"
            self.arrived += self.decoder.feed(data)

    def ended(self) -> int:
        """Wait for the end of the process and return its exit status."""
        return self.process.wait(60)

    def close(self) -> None:
        self.wire.close()
        self.process.kill()
        self.process.wait(60)
        self.process.stderr.close()


@pytest.fixture
def process() -> Iterator[Process]:
    process = Process()
    yield process
    process.close()


def test_the_dice_of_a_world_are_observed(process: Process):
    world = world_of(level([(2, -60.0, 40.0), (6, 10.0, 10.0), (1, 60.0, -20.0)]))
    process.send(messages.Setup("synthetic", "3", speed=5.0), messages.Expect((3,)), messages.SetWorld(world))
    assert process.wait_for(messages.Hello).live
    assert sorted(process.wait_for(messages.Observed).observation.reading.faces) == [1, 2, 6]
    process.send(messages.Stop())
    assert process.ended() == 0


def test_the_eye_ignores_ctrl_c_and_ends_at_once_on_sigterm(process: Process):
    process.send(messages.Setup("synthetic", "3"))
    process.wait_for(messages.Hello)
    process.process.send_signal(signal.SIGINT)
    process.wait_for(messages.Heartbeat)
    process.process.send_signal(signal.SIGTERM)
    assert process.ended() == -signal.SIGTERM


def test_what_cannot_be_used_is_a_fatal_trouble_and_no_traceback(process: Process):
    process.wire.sendall(messages.encode(messages.Setup("synthetic", "3"), b"no picture"))
    trouble = process.wait_for(messages.Trouble)
    assert (trouble.fatal, "the empty tray" in trouble.text) == (True, True)
    assert process.ended() == 1
    assert process.process.stderr.read() == b""


def test_noise_on_the_wire_ends_the_eye(process: Process):
    process.wire.sendall(os.urandom(1 << 10).replace(b"\x00", b"\xff"))
    assert process.ended() == 0


PARENT = """
import socket, subprocess, sys, time
ours, theirs = socket.socketpair()
command = [sys.executable, "-m", "dicereader.live.eye", "--fd", str(theirs.fileno())]
subprocess.Popen(command, pass_fds=[theirs.fileno()])
theirs.close()
print("started", flush=True)
time.sleep(60)
"""


def test_the_eye_ends_when_its_parent_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    assert parent.stdout.readline() == b"started\n"
    parent.kill()
    assert parent.communicate(timeout=60)[0] == b"", "the eye holds the pipe, too, until it ends"


def noisy(picture: Pixels, rng: np.random.Generator) -> Pixels:
    """Return a picture with some new noise in its upper lines: a live camera's frames never repeat."""
    seen = picture.copy()
    seen[:4] = rng.integers(118, 122, seen[:4].shape, np.uint8)
    return seen


class Silent:
    """A live camera that stops giving frames at some time. `opened` counts its openings."""

    live = True
    opened = 0
    frames_each: tuple[int, ...] = (1000,)

    def __init__(self, clock) -> None:
        self.clock = clock
        self.left = self.frames_each[min(self.opened, len(self.frames_each) - 1)]
        type(self).opened += 1
        self.rng = np.random.default_rng(1)

    def next(self, timeout_s: float):
        if self.left <= 0:
            return None
        self.left -= 1
        return Frame(self.picture(), at_s=self.clock())

    def picture(self) -> Pixels:
        return noisy(np.full((120, 160, 3), 90, np.uint8), self.rng)

    def close(self) -> None:
        pass


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch, reads: Reads):
    """Return a function that opens an eye on a camera of this kind, with its frames after each opening."""

    def opened(kind: type[Silent], *frames_each: int, **named: object) -> tuple[type[Silent], Bench]:
        of_its_own = type(kind.__name__, (kind,), {"frames_each": frames_each or kind.frames_each, **named})
        monkeypatch.setattr(eye_module, "open_source", lambda name, arg, clock: of_its_own(clock))
        return of_its_own, Bench("usb", "0")

    return opened


def test_a_camera_without_frames_is_reported_and_opened_again_after_two_seconds(camera):
    silent, bench = camera(Silent, 10, 1000)
    bench.run(2.0)
    assert (silent.opened, bench.of(messages.Trouble)) == (1, [])
    assert bench.of(messages.NoFrames)
    bench.run(1.0)
    assert silent.opened == 2
    assert [trouble.text for trouble in bench.of(messages.Trouble)] == ["no frames come: opening the camera again"]
    bench.run(6.0)
    assert silent.opened == 2


def test_after_three_useless_reopenings_the_eye_ends(camera):
    silent, bench = camera(Silent, 10, 0)
    with pytest.raises(SourceError, match="no frames come; opening the camera again did not help"):
        bench.run(20.0)
    assert silent.opened == 4
    assert 1008.0 < bench.now < 1009.5


def test_a_frame_after_a_reopening_resets_the_count_of_reopenings(camera):
    silent, bench = camera(Silent, 10, 0, 5, 0, 0, 1000)
    bench.run(14.0)
    assert silent.opened == 6


class Slow(Silent):
    """A live camera that has a new frame at every fourth look, as a phone has while nothing moves."""

    looks = itertools.count()

    def next(self, timeout_s: float):
        return super().next(timeout_s) if next(self.looks) % 4 == 0 else None


def test_a_camera_that_is_slower_than_the_eye_is_never_said_to_give_no_frames(camera):
    _, bench = camera(Slow)
    bench.run(10.0)
    assert bench.of(messages.NoFrames) == []
    assert len(bench.of(messages.Heartbeat)) >= 10


def test_a_remote_camera_that_is_slow_is_reported_and_not_opened_again_before_its_time(camera):
    silent, bench = camera(Silent, 0, 1000, silent_s=6.0, waiting="it has not answered yet")
    bench.run(5.0)
    assert (silent.opened, {trouble.text for trouble in bench.of(messages.Trouble)}) == (1, {"it has not answered yet"})
    assert 2 <= len(bench.of(messages.Trouble)) <= 4
    bench.run(2.0)
    assert (silent.opened, bench.of(messages.Trouble)[-1].text) == (2, "no frames come: opening the camera again")


class Bumped(Silent):
    """A live camera that is bumped after some time: it shows other clutter from then on."""

    def picture(self) -> Pixels:
        seed, flat = (1, 0) if self.clock() < 1004.0 else (2, 60)
        greys = np.random.default_rng(seed).choice((60, 120, 200), (12, 16)).astype(np.uint8)
        picture = cv2.resize(greys, (160, 120), interpolation=cv2.INTER_NEAREST)
        picture[120 - flat :] = 90
        return noisy(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), self.rng)


def test_a_picture_that_has_changed_wholly_is_looked_at_as_at_a_start_after_ten_seconds(camera):
    _, bench = camera(Bumped)
    bench.run(13.0)
    assert [each.faults for each in bench.of(messages.FaultsChanged)] == [(CameraFault.COVERED,)]
    assert bench.firsts() == [True]
    bench.run(4.0)
    assert [each.faults for each in bench.of(messages.FaultsChanged)] == [(CameraFault.COVERED,), ()]
    assert bench.firsts() == [True, True]


class Turned(Silent):
    """A live camera whose frames have another size after some time."""

    def picture(self) -> Pixels:
        return noisy(np.full((120, 160, 3) if self.left > 980 else (240, 320, 3), 90, np.uint8), self.rng)


def test_frames_of_another_size_begin_anew_with_a_first_picture(camera):
    _, bench = camera(Turned)
    bench.run(4.0)
    assert bench.firsts() == [True, True]


def test_a_camera_with_a_fault_is_reported_and_not_read_and_the_next_picture_is_a_first_one(reads: Reads):
    bench = Bench()
    bench.ask(lying(), 1.5)
    read_so_far = len(reads.given)
    bench.ask(messages.SetWorld(replace(lying().world, light=Lighting(level=0.0))), 2.0)
    assert bench.of(messages.FaultsChanged) == [messages.FaultsChanged((CameraFault.BLACK,))]
    assert len(reads.given) == read_so_far
    bench.ask(lying(60.0), 4.0)
    assert bench.of(messages.FaultsChanged)[-1] == messages.FaultsChanged(())
    assert bench.firsts() == [True, True]


def test_an_eye_without_a_socket_says_what_it_expected(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with (tmp_path / "no socket").open("wb") as file:
        assert eye_module.main(["--fd", str(file.fileno())]) == 2
        assert f"expected a socket as --fd, got {file.fileno()}" in capsys.readouterr().err
