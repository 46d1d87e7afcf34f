"""The eye's loop in process, and its process over a real socket."""

import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_table import THROWS, drawn_table, learnt

from dicereader.data.frame import Frame, Pixels
from dicereader.data.pictures import decode
from dicereader.errors import SourceError
from dicereader.live import eye as eye_module
from dicereader.live import tray_reader
from dicereader.live.eye import Eye
from dicereader.live.faults import FaultDetector
from dicereader.live.messages import (
    AnyMessage,
    Behind,
    Decoder,
    Expect,
    FaultsChanged,
    Forget,
    FromEye,
    Heartbeat,
    Hello,
    MotionChanged,
    NextPicture,
    NoFrames,
    Observed,
    Setup,
    SetWorld,
    Stop,
    TrayMoved,
    TrayPicture,
    Trouble,
    encode,
)
from dicereader.live.timing import LOOKS, MOST_STEP_S, REPORT_AGAIN_S, LookRate, ScaledClock, SettleTiming
from dicereader.reading import Box, CameraFault, DiceReading, Fate, ReadDie
from dicereader.sources.synthetic.world import DieKey, DiePath, JoltKey, Lighting, Pose, World, upright


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_s(self, seconds: float) -> None:
        self.now += seconds


class Wire:
    """A wire that keeps the eye's messages in the form in which they cross the socket."""

    def __init__(self) -> None:
        self.sent: list[tuple[AnyMessage, bytes]] = []

    def __call__(self, message: FromEye, payload: bytes) -> None:
        self.sent += Decoder().feed(encode(message, payload))

    def of(self, kind: type) -> list:
        return [message for message, _ in self.sent if isinstance(message, kind)]


class Reads:
    """A reader that always sees one five, and keeps its pictures and settings."""

    def __init__(self) -> None:
        self.given: list[dict] = []

    def __call__(self, pixels: Pixels, **known: object) -> DiceReading:
        self.given.append(known)
        return DiceReading((ReadDie(5, Box(40, 40, 30, 30), 0.99),), True)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch, fewer_pixels: None) -> Reads:
    reads = Reads()
    monkeypatch.setattr(tray_reader, "read_pixels", reads)
    return reads


def run(eye: Eye, clock: Clock, seconds: float) -> None:
    end = clock.now + seconds
    while clock.now < end:
        clock.now += max(0.001, eye.look())


def lying(x: float = 0.0, face: int = 5) -> World:
    return World(3, (DiePath((DieKey(0.0, Pose(x, 0.0, 8.0, upright(face))),)),))


def photos(folder: Path, count: int = 3) -> Path:
    for n in range(count):
        cv2.imwrite(str(folder / f"{n}.png"), np.full((100, 120, 3), 50 + 50 * n, np.uint8))
    return folder


def test_an_eye_says_hello_with_the_kind_of_its_source(tmp_path: Path):
    wire = Wire()
    Eye(Setup("recorded", str(photos(tmp_path))), wire, Clock())
    (hello,) = wire.of(Hello)
    assert not hello.live


def test_an_eye_without_a_source_is_an_error():
    with pytest.raises(SourceError, match="nowhere"):
        Eye(Setup("recorded", "nowhere"), Wire(), Clock())


def test_each_photograph_is_observed_when_it_is_asked_for(tmp_path: Path, reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("recorded", str(photos(tmp_path))), wire, clock)
    run(eye, clock, 0.5)
    assert wire.of(Observed) == []
    eye.obey(NextPicture())
    run(eye, clock, 0.5)
    eye.obey(NextPicture())
    run(eye, clock, 0.5)
    seen = [message.observation for message in wire.of(Observed)]
    assert [(one.number, one.name, one.still) for one in seen] == [(1, "0.png", True), (2, "1.png", True)]
    assert seen[0].episode.fates == (Fate.THROWN,)


def test_the_picture_that_was_read_comes_beside_the_observation(tmp_path: Path, reads: Reads):
    wire = Wire()
    eye = Eye(Setup("recorded", str(photos(tmp_path))), wire, Clock())
    eye.obey(NextPicture())
    eye.look()
    (jpeg,) = [payload for message, payload in wire.sent if isinstance(message, Observed)]
    assert abs(float(decode(jpeg).mean()) - 50) < 2


def test_a_broken_photograph_is_reported_and_the_next_one_read(tmp_path: Path, reads: Reads):
    (photos(tmp_path) / "0.png").write_bytes(b"no picture")
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("recorded", str(tmp_path)), wire, clock)
    eye.obey(NextPicture())
    run(eye, clock, 0.3)
    (trouble,) = wire.of(Trouble)
    assert "0.png" in trouble.text
    assert not trouble.fatal
    assert wire.of(Observed)[0].observation.name == "1.png"


def test_the_tags_of_a_live_tray_calibrate_the_reader(reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3"), wire, clock)
    eye.obey(SetWorld(lying()))
    run(eye, clock, 1.0)
    assert {known["calibration"] is not None for known in reads.given} == {True}


def test_the_empty_tray_s_picture_is_given_to_the_reader(reads: Reads):
    clock, empty = Clock(), np.full((360, 480, 3), 30, np.uint8)
    run(Eye(Setup("synthetic", "3"), Wire(), clock, empty), clock, 1.0)
    assert all(known["empty"] is empty for known in reads.given)


def test_a_moved_tray_is_reported_once_and_read_at_its_new_place():
    table = drawn_table(3)
    known = learnt(table)
    # The calibration was made with the camera 9 mm to the side.
    way = np.float32([[1, 0, -20], [0, 1, 0]])
    elsewhere = cv2.warpAffine(table.empty, way, (960, 720), borderMode=cv2.BORDER_REPLICATE)
    x, y, z = known.position_mm
    before = replace(known, position_mm=(x + 20 / known.focal_px * z, y, z))
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3", before), wire, clock, elsewhere)
    level = (DiePath((DieKey(0.0, Pose(u, v, 8.0, upright(face, 0.4))),)) for face, u, v in THROWS[0])
    eye.obey(SetWorld(World(3, tuple(level))))
    run(eye, clock, 1.5)
    assert (wire.of(TrayMoved), wire.of(Trouble)) == ([TrayMoved()], [])
    reading = wire.of(Observed)[-1].observation.reading
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)


@pytest.mark.exhaustive
def test_a_hand_that_pushes_the_tray_a_little_while_it_throws_spoils_no_throw():
    table = drawn_table(3)
    known = learnt(table)
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3", known), wire, clock, table.empty)
    before, after = ([Pose(x, y, 8.0, upright(face, 0.4)) for face, x, y in dice] for dice in THROWS[:2])
    eye.obey(SetWorld(World(3, tuple(DiePath((DieKey(0.0, pose),)) for pose in before))))
    run(eye, clock, 1.0)
    falls = tuple(DiePath((DieKey(0.0, a), DieKey(0.5, b))) for a, b in zip(before, after, strict=True))
    push = JoltKey(0.0), JoltKey(0.3, -1.0, 1.0, 0.3)
    eye.obey(SetWorld(World(3, falls, jolts=push)))
    run(eye, clock, 2.0)
    observation = wire.of(Observed)[-1].observation
    assert (observation.reading.sure, len(observation.episode.thrown())) == (True, 6)
    assert wire.of(TrayMoved) == []


def test_observations_are_numbered_on_when_the_tray_was_found_again(reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3"), wire, clock)
    for x in (0.0, 60.0, -60.0):
        eye.obey(SetWorld(lying(x)))
        run(eye, clock, 1.0)
        eye._settler = eye._new_settler()  # noqa: SLF001 - as when the tray was found again
    assert [message.observation.number for message in wire.of(Observed)] == [1, 2, 3]


def test_an_empty_picture_of_another_size_is_ignored(reads: Reads):
    clock, empty = Clock(), np.full((720, 960, 3), 30, np.uint8)
    run(Eye(Setup("synthetic", "3"), Wire(), clock, empty), clock, 1.0)
    assert {known["empty"] for known in reads.given} == {None}


def test_a_settled_tray_is_observed_once_and_reported_as_still(reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3"), wire, clock)
    eye.obey(SetWorld(lying()))
    run(eye, clock, 3.0)
    assert len(wire.of(Observed)) == 1
    assert [changed.motion for changed in wire.of(MotionChanged)] == ["still"]


def test_forget_asks_for_another_first_picture(reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3"), wire, clock)
    run(eye, clock, 1.0)
    eye.obey(Forget())
    run(eye, clock, 1.0)
    assert [message.observation.episode.first for message in wire.of(Observed)] == [True, True]


def test_frames_come_seldom_while_nothing_happens_and_often_when_something_does(reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3"), wire, clock)
    waits = []

    def look() -> None:
        waits.append(eye.look())
        clock.now += waits[-1]

    for _ in range(150):
        look()
    assert max(waits[:20]) == pytest.approx(1 / 30)
    assert waits[-1] == pytest.approx(1 / 10)
    eye.obey(SetWorld(lying(60.0)))
    look()
    look()
    assert waits[-1] == pytest.approx(1 / 30)


def test_the_number_of_frames_a_second_can_be_set(reads: Reads):
    clock = Clock()
    timing = SettleTiming(frames_a_second=20.0, idle_frames_a_second=4.0, idle_after_s=1.0)
    eye = Eye(Setup("synthetic", "3", timing=timing), Wire(), clock)
    waits = []
    while clock.now < Clock().now + 3.0:
        waits.append(eye.look())
        clock.now += waits[-1]
    assert waits[0] == pytest.approx(1 / 20)
    assert waits[-1] == pytest.approx(1 / 4)


def test_the_time_that_the_eye_waits_for_stillness_can_be_set(reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3", timing=SettleTiming(still_s=1.0)), wire, clock)
    eye.obey(SetWorld(lying()))
    run(eye, clock, 0.95)
    assert wire.of(Observed) == []
    run(eye, clock, 0.25)
    assert len(wire.of(Observed)) == 1


def test_previews_come_at_most_five_a_second_and_only_when_something_changed(reads: Reads):
    wire, clock = Wire(), Clock()
    path = DiePath(tuple(DieKey(t / 10, Pose(-80 + 4 * t, 0, 8, upright(5))) for t in range(31)))
    eye = Eye(Setup("synthetic", "3"), wire, clock)
    eye.obey(SetWorld(World(3, (path,))))
    run(eye, clock, 3.0)
    moving = len(wire.of(TrayPicture))
    assert 10 <= moving <= 16
    run(eye, clock, 1.5)
    settled = len(wire.of(TrayPicture))
    run(eye, clock, 2.0)
    assert len(wire.of(TrayPicture)) == settled


def looks(rate: LookRate, now_s: float, work_s: float) -> list[float]:
    return [told for _ in range(LOOKS) if (told := rate.look(now_s, work_s)) is not None]


def test_work_that_leaves_time_for_half_the_frames_is_not_reported():
    assert looks(LookRate(30.0), 0.0, 1 / 20) == []


def test_work_that_leaves_time_for_fewer_frames_is_reported_once_a_minute():
    rate = LookRate(30.0)
    assert looks(rate, 0.0, 1 / 10) == [pytest.approx(8.0)]
    assert looks(rate, REPORT_AGAIN_S - 1, 1 / 10) == []
    assert looks(rate, REPORT_AGAIN_S, 1 / 10) == [pytest.approx(8.0)]


def test_a_slow_eye_reports_its_frame_rate_and_a_quick_one_does_not(reads: Reads, monkeypatch):
    for work_s, told in ((0.01, []), (0.1, [(8, 30)])):
        wire, clock = Wire(), Clock()
        eye = Eye(Setup("synthetic"), wire, clock)
        monkeypatch.setattr(FaultDetector, "look", lambda *_, work_s=work_s, clock=clock: clock.pass_s(work_s))
        eye.obey(SetWorld(lying()))
        for number in range(LOOKS + 2):
            clock.now += 0.01
            eye.obey(SetWorld(lying(float(20 * (number % 2)))))
            eye.look()
        assert [(round(each.looked), each.wanted) for each in wire.of(Behind)] == told


@pytest.mark.parametrize(
    ("work_s", "frames_a_second"),
    [(0.02, 30.0), (0.026, 30.0), (0.03, 26.7), (0.1, 8.0)],
)
def test_an_eye_looks_at_fewer_moving_frames_before_it_must_drop_some(
    reads: Reads, monkeypatch: pytest.MonkeyPatch, work_s: float, frames_a_second: float
):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic"), wire, clock)
    monkeypatch.setattr(FaultDetector, "look", lambda *_: clock.pass_s(work_s))
    looked_s = []
    for number in range(22):
        looked_s.append(clock.now)
        eye.obey(SetWorld(lying(float(20 * (number % 2)))))
        wait_s = eye.look()
        clock.now += wait_s
    assert 20 / (looked_s[-1] - looked_s[1]) == pytest.approx(frames_a_second, rel=0.01)


def test_an_eye_loses_no_time_once_the_dice_lie(reads: Reads, monkeypatch: pytest.MonkeyPatch):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic"), wire, clock)
    monkeypatch.setattr(FaultDetector, "look", lambda *_: clock.pass_s(0.1))
    waits_s = []
    for x in (0.0, 20.0, 0.0, 0.0, 0.0):
        eye.obey(SetWorld(lying(x)))
        waits_s.append(eye.look())
        clock.pass_s(waits_s[-1])
    assert waits_s[1:] == [pytest.approx(0.025)] * 2 + [0.0] * 2


@pytest.mark.exhaustive
def test_a_slow_eye_makes_fewer_previews(reads: Reads, monkeypatch):
    made = []
    for work_s in (0.01, 0.1):
        wire, clock = Wire(), Clock()
        monkeypatch.setattr(eye_module, "jpeg", lambda _pixels, work_s=work_s, clock=clock: clock.pass_s(work_s) or b"")
        eye = Eye(Setup("synthetic"), wire, clock)
        for number in range(60):
            clock.now += 0.03
            eye.obey(SetWorld(lying(float(20 * (number % 2)))))
            eye.look()
        made.append(len(wire.of(TrayPicture)))
    assert made[0] > 2 * made[1] > 0


def test_the_eye_sends_two_heartbeats_a_second_by_frame_times(reads: Reads):
    wire, clock = Wire(), Clock()
    run(Eye(Setup("synthetic", "3"), wire, clock), clock, 4.0)
    beats = wire.of(Heartbeat)
    assert 6 <= len(beats) <= 8
    assert 1000.0 < beats[0].at_s < beats[-1].at_s <= clock.now


def test_a_request_that_a_source_cannot_do_is_reported_and_has_no_effect(tmp_path: Path):
    wire = Wire()
    eye = Eye(Setup("recorded", str(photos(tmp_path))), wire, Clock())
    eye.obey(SetWorld(lying()))
    (trouble,) = wire.of(Trouble)
    assert "SetWorld" in trouble.text
    assert not trouble.fatal


def test_a_clock_at_speed_1_is_the_real_one():
    real = Clock()
    clock = ScaledClock(real, 1.0)
    real.now += 0.7
    clock.tick()
    assert clock() == real.now


def test_simulated_time_never_jumps():
    real = Clock()
    clock = ScaledClock(real, 1.0)
    clock.real = False
    real.now += 0.7
    clock.tick()
    assert clock() == pytest.approx(1000.0 + MOST_STEP_S)


def test_a_fast_clock_never_jumps():
    real = Clock()
    clock = ScaledClock(real, 5.0)
    real.now += 0.01
    clock.tick()
    assert clock() == pytest.approx(1000.05)
    real.now += 10.0
    clock.tick()
    assert clock() == pytest.approx(1000.05 + MOST_STEP_S)


class Process:
    """The eye's process and the test's end of its socket."""

    def __init__(self) -> None:
        self.wire, theirs = socket.socketpair()
        self.wire.settimeout(180)
        fd = theirs.fileno()
        command = [sys.executable, "-m", "dicereader.live.eye", "--fd", str(fd)]
        self.process = subprocess.Popen(command, pass_fds=[fd], stderr=subprocess.PIPE)
        theirs.close()
        self.decoder = Decoder()
        self.arrived: list[tuple[AnyMessage, bytes]] = []

    def send(self, *messages: AnyMessage) -> None:
        for message in messages:
            self.wire.sendall(encode(message))

    def wait_for(self, kind: type) -> AnyMessage:
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
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture
def process() -> Iterator[Process]:
    process = Process()
    yield process
    process.close()


def test_the_dice_of_a_world_are_observed(process: Process):
    dice = [(-60.0, 40.0, 2), (10.0, 10.0, 6), (60.0, -20.0, 1)]
    paths = tuple(DiePath((DieKey(0.0, Pose(x, y, 8.0, upright(f, 0.3 * f))),)) for x, y, f in dice)
    process.send(Setup("synthetic", "3", speed=5.0), Expect((3,)), SetWorld(World(3, paths)))
    hello = process.wait_for(Hello)
    assert isinstance(hello, Hello)
    assert hello.live
    seen = process.wait_for(Observed)
    assert isinstance(seen, Observed)
    assert sorted(seen.observation.reading.faces) == [1, 2, 6]
    process.wire.sendall(encode(Stop()))
    assert process.ended() == 0


def test_the_eye_ends_with_the_game(process: Process):
    process.send(Setup("synthetic", "3"))
    process.wait_for(Hello)
    process.wire.shutdown(socket.SHUT_RDWR)
    process.ended()


def test_the_eye_ignores_ctrl_c_and_ends_at_once_on_sigterm(process: Process):
    process.send(Setup("synthetic", "3"))
    process.wait_for(Hello)
    process.process.send_signal(signal.SIGINT)
    process.wait_for(Heartbeat)
    process.process.send_signal(signal.SIGTERM)
    assert process.ended() == -signal.SIGTERM


def test_a_source_that_cannot_be_opened_is_a_fatal_trouble_and_no_traceback(process: Process):
    process.send(Setup("recorded", "/nowhere"))
    trouble = process.wait_for(Trouble)
    assert isinstance(trouble, Trouble)
    assert trouble.fatal
    assert "'/nowhere'" in trouble.text
    assert process.ended() == 1
    assert process.process.stderr is not None
    assert process.process.stderr.read() == b""


@pytest.mark.exhaustive
def test_the_empty_tray_crosses_the_wire_with_the_setup(process: Process):
    done, png = cv2.imencode(".png", np.full((720, 960, 3), 30, np.uint8))
    assert done
    process.wire.sendall(encode(Setup("synthetic", "3"), png.tobytes()))
    process.wait_for(Hello)


def test_an_empty_tray_that_is_no_picture_is_a_fatal_trouble(process: Process):
    process.wire.sendall(encode(Setup("synthetic", "3"), b"no picture"))
    trouble = process.wait_for(Trouble)
    assert isinstance(trouble, Trouble)
    assert "the empty tray" in trouble.text
    assert process.ended() == 1


def test_noise_on_the_wire_ends_the_eye(process: Process):
    process.wire.sendall(os.urandom(1 << 10).replace(b"\x00", b"\xff"))
    process.ended()


def test_an_eye_without_a_socket_says_what_it_expected():
    done = subprocess.run(
        [sys.executable, "-m", "dicereader.live.eye", "--fd", "77"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "expected a socket as --fd, got 77" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_eye_ends_when_its_parent_is_killed(tmp_path: Path):
    """A parent starts an eye, prints its process id and is killed. The eye ends as well."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import socket, subprocess, sys, time\n"
        "ours, theirs = socket.socketpair()\n"
        "eye = subprocess.Popen([sys.executable, '-m', 'dicereader.live.eye', '--fd', str(theirs.fileno())],\n"
        "                       pass_fds=[theirs.fileno()])\n"
        "theirs.close()\n"
        "print(eye.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait(60)
    parent.stdout.close()
    end = time.monotonic() + 60
    while _runs(pid):
        assert time.monotonic() < end, "the eye is still there"
        os.sched_yield()


def _runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


class Silent:
    """A live camera that stops giving frames at some time. `opened` counts its openings."""

    live = True
    opened = 0
    frames_each: tuple[int, ...] = (10,)

    def __init__(self, clock) -> None:
        self.clock = clock
        self.left = self.frames_each[min(Silent.opened, len(self.frames_each) - 1)]
        Silent.opened += 1
        self.rng = np.random.default_rng(1)

    def next(self, timeout_s: float):
        if self.left <= 0:
            return None
        self.left -= 1
        pixels = self.rng.integers(60, 200, (120, 160, 3), dtype=np.uint8)
        return Frame(pixels, at_s=self.clock(), number=0)

    def close(self) -> None:
        pass


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> type[Silent]:
    Silent.opened, Silent.frames_each = 0, (10,)
    monkeypatch.setattr(eye_module, "open_source", lambda name, arg, clock: Silent(clock))
    return Silent


def test_a_camera_without_frames_is_reported_and_opened_again_after_two_seconds(silent, reads: Reads):
    silent.frames_each = (10, 1000)
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("usb", "0"), wire, clock)
    run(eye, clock, 2.0)
    assert (silent.opened, wire.of(Trouble)) == (1, [])
    assert wire.of(NoFrames)
    run(eye, clock, 1.0)
    assert silent.opened == 2
    assert [trouble.text for trouble in wire.of(Trouble)] == ["no frames come: opening the camera again"]
    run(eye, clock, 6.0)
    assert silent.opened == 2


def test_after_three_useless_reopenings_the_eye_ends(silent, reads: Reads):
    silent.frames_each = (10, 0)
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("usb", "0"), wire, clock)
    began = clock.now
    with pytest.raises(SourceError, match="no frames come; opening the camera again did not help"):
        run(eye, clock, 20.0)
    assert silent.opened == 4
    assert 8.0 < clock.now - began < 9.5


def test_a_frame_after_a_reopening_resets_the_count_of_reopenings(silent, reads: Reads):
    silent.frames_each = (10, 0, 5, 0, 0, 1000)
    wire, clock = Wire(), Clock()
    run(Eye(Setup("usb", "0"), wire, clock), clock, 20.0)
    assert silent.opened == 6


class Slow(Silent):
    """A live camera that has a new frame at every fourth look, as a phone has while nothing moves."""

    frames_each = (1000,)
    looks = itertools.count()

    def next(self, timeout_s: float):
        return super().next(timeout_s) if next(self.looks) % 4 == 0 else None


def test_a_camera_that_is_slower_than_the_eye_is_never_said_to_give_no_frames(reads: Reads, monkeypatch):
    monkeypatch.setattr(eye_module, "open_source", lambda name, arg, clock: Slow(clock))
    wire, clock = Wire(), Clock()
    run(Eye(Setup("phone"), wire, clock), clock, 10.0)
    assert wire.of(NoFrames) == []
    assert len(wire.of(Heartbeat)) >= 10


class Bumped(Silent):
    """A live camera that is bumped after some time: it shows other clutter from then on."""

    def next(self, timeout_s: float):
        seed, flat = (1, 0) if self.clock() < 1004.0 else (2, 60)
        greys = np.random.default_rng(seed).choice((60, 120, 200), (12, 16)).astype(np.uint8)
        picture = cv2.resize(greys, (160, 120), interpolation=cv2.INTER_NEAREST)
        picture[120 - flat :] = 90
        noisy = np.clip(picture + self.rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
        return Frame(cv2.cvtColor(noisy, cv2.COLOR_GRAY2BGR), at_s=self.clock(), number=0)


def test_a_picture_that_has_changed_wholly_is_looked_at_as_at_a_start_after_ten_seconds(reads: Reads, monkeypatch):
    monkeypatch.setattr(eye_module, "open_source", lambda name, arg, clock: Bumped(clock))
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("usb", "0"), wire, clock)
    run(eye, clock, 13.0)
    assert [each.faults for each in wire.of(FaultsChanged)] == [(CameraFault.COVERED,)]
    assert len(wire.of(Observed)) == 1
    run(eye, clock, 4.0)
    assert [each.faults for each in wire.of(FaultsChanged)] == [(CameraFault.COVERED,), ()]
    assert [each.observation.episode.first for each in wire.of(Observed)] == [True, True]


def test_a_remote_camera_that_is_slow_is_reported_and_not_opened_again_before_its_time(silent, reads, monkeypatch):
    monkeypatch.setattr(silent, "silent_s", 6.0, raising=False)
    monkeypatch.setattr(silent, "waiting", "it has not answered yet", raising=False)
    silent.frames_each = (0, 1000)
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("url", "http://camera/"), wire, clock)
    run(eye, clock, 5.0)
    assert (silent.opened, {trouble.text for trouble in wire.of(Trouble)}) == (1, {"it has not answered yet"})
    assert 2 <= len(wire.of(Trouble)) <= 4
    run(eye, clock, 2.0)
    assert (silent.opened, wire.of(Trouble)[-1].text) == (2, "no frames come: opening the camera again")


def test_frames_of_another_size_begin_anew_with_a_first_picture(reads: Reads, monkeypatch):
    sizes = itertools.chain(itertools.repeat((160, 120), 60), itertools.repeat((320, 240)))

    class Turned(Silent):
        def next(self, timeout_s: float):
            width, height = next(sizes)
            pixels = self.rng.integers(118, 122, (height, width, 3), dtype=np.uint8)
            return Frame(pixels, at_s=self.clock(), number=0)

    monkeypatch.setattr(eye_module, "open_source", lambda name, arg, clock: Turned(clock))
    wire, clock = Wire(), Clock()
    run(Eye(Setup("url", "http://camera/"), wire, clock), clock, 10.0)
    assert [seen.observation.episode.first for seen in wire.of(Observed)] == [True, True]


def test_a_camera_with_a_fault_is_reported_and_not_read_and_the_next_picture_is_a_first_one(reads: Reads):
    wire, clock = Wire(), Clock()
    eye = Eye(Setup("synthetic", "3"), wire, clock)
    eye.obey(SetWorld(lying()))
    run(eye, clock, 1.5)
    read_so_far = len(reads.given)
    eye.obey(SetWorld(replace(lying(), light=Lighting(level=0.0))))
    run(eye, clock, 2.0)
    assert wire.of(FaultsChanged) == [FaultsChanged((CameraFault.BLACK,))]
    assert len(reads.given) == read_so_far
    eye.obey(SetWorld(lying(60.0)))
    run(eye, clock, 4.0)
    assert wire.of(FaultsChanged)[-1] == FaultsChanged(())
    assert [seen.observation.episode.first for seen in wire.of(Observed)] == [True, True]
