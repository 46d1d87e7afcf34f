"""The eye process: started, read, started again after a crash, and ended."""

import os
import queue
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from broken_library import BROKEN, SAID, break_library
from samples import sampled

from companion.devices.eye_patience import (
    WORK_WEIGHT,
    RestartSchedule,
    patience_s,
    processor_times,
)
from companion.devices.eye_process import COMMAND, KEPT_PICTURES, SILENCE_S, EyeProcess
from companion.simulation.hands import SimulatedHands
from companion.table.state.inputs import Fault
from companion.words import english
from dicereader.data.camera_modules import CameraView
from dicereader.live.messages import (
    LENGTHS,
    Expect,
    FromEye,
    Heartbeat,
    Hello,
    Observed,
    Setup,
    SetWorld,
    Stop,
    Trouble,
    encode,
)
from dicereader.reading import Observation
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.calibration import Calibration

PATIENCE_S = 60.0


def test_waiting_for_the_processor_does_not_count_against_the_patience_and_computing_counts_by_its_weight():
    began_s = patience_s(10.0, 3.0, 1.0)
    assert patience_s(10.0 + SILENCE_S, 3.0, 1.0) - began_s == SILENCE_S
    assert patience_s(40.0, 3.0, 26.0) - began_s == 30.0 - 25.0
    assert patience_s(14.0, 7.0, 1.0) - began_s == pytest.approx(4 * WORK_WEIGHT)


def test_a_process_without_times_is_watched_by_the_clock_alone():
    assert patience_s(10.0, *processor_times(-1)) == 10.0


def test_a_crashed_eye_is_started_again_at_once_and_after_a_second_crash_every_ten_seconds_reported_once():
    schedule = RestartSchedule()
    assert not schedule.fail(1.0)
    assert schedule.next_start_s == 1.0
    assert [schedule.fail(t) for t in (2.0, 12.0)] == [True, False]
    assert schedule.next_start_s == 22.0


def test_after_some_time_without_a_crash_the_next_crash_counts_as_the_first():
    schedule = RestartSchedule()
    schedule.fail(1.0)
    schedule.start(1.0)
    schedule.succeed(11.0)
    assert not schedule.fail(30.0)
    assert schedule.next_start_s == 30.0


def test_each_crash_after_the_first_frames_is_reported():
    schedule = RestartSchedule()
    said = []
    for at in (0.0, 1.0, 12.0):
        schedule.start(at)
        schedule.succeed(at + 0.5)
        said.append(schedule.fail(at + 0.6))
    assert said == [False, True, True]


class Ear:
    """A listener that keeps the messages of the eye process, and can wait for one."""

    def __init__(self) -> None:
        self.heard: queue.Queue[FromEye] = queue.Queue()

    def __call__(self, message: FromEye) -> None:
        self.heard.put(message)

    def wait_for(self, kind: type) -> FromEye:
        while True:
            message = self.heard.get(timeout=PATIENCE_S)
            if isinstance(message, kind):
                return message

    def observation(self) -> Observation:
        return self.wait_for(Observed).observation


HEAD = """
import os, signal, socket, sys, time
from dicereader.data.camera_modules import CameraView
from dicereader.live.messages import Decoder, Heartbeat, Hello, Observed, Stop, Trouble, encode
from dicereader.reading import DiceReading, Episode, Observation
eye = socket.socket(fileno=int(sys.argv[-1]))
"""
LISTENS = """
while eye.recv(4096):
    pass
"""
OPEN = f"""{HEAD}
eye.sendall(encode(Hello(True, CameraView("imx219", "1640 x 1232", 62.2, 48.7))))
{LISTENS}"""
BEATS = f"""{HEAD}
eye.sendall(encode(Hello(True, None)))
while True:
    eye.sendall(encode(Heartbeat(1.0)))
    time.sleep(0.1)
"""
CRASH = f"""{HEAD}
eye.sendall(encode(Heartbeat(1.0)))
eye.recv(1)
os.kill(os.getpid(), signal.SIGSEGV)
"""


class Desk:
    """An eye process with a listener: the real eye, or a program in its place."""

    def __init__(self, setup: Setup, program: str = "", *, command: tuple[str, ...] | None = None) -> None:
        self.ear, self.faults = Ear(), queue.Queue[Fault]()
        command = command or ((sys.executable, "-c", program) if program else COMMAND)
        self.eye = EyeProcess(setup, self.ear, report=self.faults.put, command=command)

    def trouble(self) -> Trouble:
        return self.ear.wait_for(Trouble)

    @property
    def pid(self) -> int:
        pid = self.eye.pid
        assert pid is not None
        return pid


Started = Callable[..., Desk]


@pytest.fixture
def started() -> Iterator[Started]:
    """Return a function that starts an eye, which is stopped at the end."""
    desks: list[Desk] = []

    def start(setup: Setup, program: str = "", **given: tuple[str, ...]) -> Desk:
        desks.append(Desk(setup, program, **given))
        desks[-1].eye.start()
        return desks[-1]

    yield start
    for desk in desks:
        desk.eye.stop()


@pytest.fixture
def open_eye(started: Started) -> Desk:
    """Start an eye process that says Hello and listens, for tests that read no picture."""
    desk = started(Setup("picamera2"), OPEN)
    desk.ear.wait_for(Hello)
    return desk


def runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


TELLS = f"""{HEAD}
decoder, number = Decoder(), 0
while data := eye.recv(1 << 18):
    for message, _ in decoder.feed(data):
        number += 1
        told = Observation(DiceReading((), True), Episode(True, False, ()), name=repr(message))
        eye.sendall(encode(Observed(told), b"%d of %d" % (number, os.getpid())))
"""
"""An eye that observes each message that it gets, with a picture."""


def test_observations_are_kept_with_their_last_pictures_and_a_killed_eye_gets_its_orders_again_and_goes_on_counting(
    started: Started,
):
    setup, hands = Setup("recorded"), SimulatedHands(41)
    desk = started(setup, TELLS)
    assert desk.ear.observation().name == repr(setup)
    desk.ear.observation()
    desk.eye.expect((6,))
    world = hands.throw([1, 2, 2, 3, 5, 6])
    for order in (lambda: desk.eye.set_world(world), *[desk.eye.next_picture] * KEPT_PICTURES):
        order()
        newest = desk.ear.observation()
    newest = desk.ear.observation()
    assert newest.number == KEPT_PICTURES + 4
    assert [n for n in range(1, 100) if desk.eye.picture(n)] == list(range(5, KEPT_PICTURES + 5))
    assert desk.eye.preview() == desk.eye.picture(newest.number) == b"%d of %d" % (newest.number, desk.pid)
    os.kill(desk.pid, signal.SIGKILL)
    again = [desk.ear.observation() for _ in range(3)]
    assert [each.number - newest.number for each in again] == [1, 2, 3]
    assert [each.name for each in again] == list(map(repr, (setup, Expect((6,)), SetWorld(world.at_rest()))))


def test_an_eye_that_hangs_is_replaced(started: Started, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("companion.devices.eye_process.SILENCE_S", 1.0)
    desk = started(Setup("synthetic"), BEATS)
    desk.ear.wait_for(Heartbeat)
    pid = desk.pid
    os.kill(pid, signal.SIGSTOP)
    desk.ear.wait_for(Hello)
    assert desk.pid != pid
    assert not runs(pid)


@pytest.mark.exhaustive
def test_an_eye_that_makes_way_for_another_calibration_is_no_failure(open_eye: Desk, caplog: pytest.LogCaptureFixture):
    for _ in range(3):  # the second failure in a row would be reported
        open_eye.eye.calibrate(SyntheticSource(lambda: 0.0).camera)
        open_eye.ear.wait_for(Hello)
    open_eye.eye.stop()
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == []
    assert not any(isinstance(message, Trouble) for message in open_eye.ear.heard.queue)


def test_ctrl_c_at_the_terminal_does_not_reach_the_eye_and_stop_leaves_no_process(open_eye: Desk):
    pid = open_eye.pid
    assert os.getpgid(pid) == pid != os.getpgid(0)
    open_eye.eye.stop()
    open_eye.eye.stop()
    assert not runs(pid)
    assert open_eye.eye.pid is None


def test_stop_ends_an_eye_that_hangs(open_eye: Desk):
    pid = open_eye.pid
    os.kill(pid, signal.SIGSTOP)
    open_eye.eye.stop()
    assert not runs(pid)


def test_the_reason_of_an_eye_that_cannot_open_its_source_is_reported_once(started: Started):
    desk = started(Setup("recorded"), f"{HEAD}eye.sendall(encode(Trouble('no pictures here', True)))")
    trouble = desk.trouble()
    desk.eye.stop()
    assert (trouble.fatal, trouble.text) == (True, "no pictures here; enter throws on the page")
    assert desk.ear.heard.empty()


@pytest.mark.parametrize("how", sampled(BROKEN, "another numpy"))
def test_an_eye_whose_library_is_broken_is_a_fault_that_names_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: Started, how: str
):
    break_library(tmp_path, monkeypatch, BROKEN[how])
    trouble = started(Setup("synthetic", "41")).trouble()
    assert trouble.fatal
    assert trouble.text.startswith(f"the reader cannot start: {SAID[how]}")
    assert "; see farklecrib doctor; enter throws on the page" in trouble.text


def test_an_eye_that_crashes_at_work_is_a_fault_that_names_the_signal(started: Started):
    trouble = started(Setup("synthetic"), CRASH).trouble()
    assert trouble.text.startswith("the reader stopped: it ended with SIGSEGV (segmentation fault)")


HTTP = b"HTTP/1.1 200 OK\r\n\r\n"
ILLEGAL = (
    HTTP,
    b'\0\0\0\x1f\0\0\0\0{"kind":["Heartbeat"],"body":{}}',
    LENGTHS.pack(47, 0) + b'{"kind":"Heartbeat","body":{"at_s":1' + b"0" * 400 + b"}}",
    encode(Stop()),
)


@pytest.mark.parametrize("sent", sampled(ILLEGAL, HTTP))
def test_an_eye_that_sends_an_illegal_message_is_reported_and_replaced(started: Started, sent: bytes):
    desk = started(Setup("synthetic"), f"{HEAD}eye.sendall(encode(Heartbeat(1.0)))\neye.sendall({sent})\n{LISTENS}")
    assert desk.trouble().text.startswith("its messages broke off: expected")
    assert desk.faults.empty()  # the watcher itself goes on


def test_the_mode_and_the_field_of_the_camera_are_logged_and_known(started: Started, caplog: pytest.LogCaptureFixture):
    caplog.set_level("INFO", "farklecrib.eye")
    desk = started(Setup("picamera2"), OPEN)
    desk.ear.wait_for(Hello)
    assert desk.eye.view() == CameraView("imx219", "1640 x 1232", 62.2, 48.7)
    told = "imx219 (Camera Module 2), sensor mode 1640 x 1232, picture of 62.2° across and 48.7° upright"
    assert f"camera {told}" in caplog.messages


SHOWS = f"""{HEAD}
for size in [(640, 480), (480, 640), (480, 640), (640, 480)]:
    seen = Observation(DiceReading((), True), Episode(True, False, ()), size=size)
    eye.sendall(encode(Observed(seen)))
{LISTENS}"""


def test_pictures_of_another_size_than_the_calibrations_are_reported_once_until_they_end(started: Started):
    level = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    known = Calibration(640, 480, 500.0, level, (0.0, 0.0, 400.0))
    desk = started(Setup("phone", calibration=known), SHOWS)
    told = [desk.faults.get(timeout=PATIENCE_S) for _ in range(2)]
    desk.eye.calibrate(known)
    told.append(desk.faults.get(timeout=PATIENCE_S))
    assert [each.part for each in told] == ["calibration"] * 3
    assert "pictures of 640 x 480, and they are 480 x 640 now" in english().text(told[0].text)
    assert [each.text for each in told[1:]] == [None, None]


def test_an_eye_that_cannot_be_started_is_reported_and_tried_again(started: Started):
    desk = started(Setup("synthetic"), command=("/nowhere/eye",))
    said = "I can't see the tray: [Errno 2] No such file or directory: '/nowhere/eye'"
    assert english().rendered(desk.faults.get(timeout=PATIENCE_S)) == Fault("eye", said)
    assert desk.eye.alive


DEAF = f"""{HEAD}
beats = sys.argv[1] == "beats"
if beats:
    eye.sendall(encode(Heartbeat(1.0)))
eye.sendall(encode(Trouble("deaf", False)))
while beats:
    eye.sendall(encode(Heartbeat(1.0)))
    time.sleep(0.1)
time.sleep(3600)
"""


def deaf(started: Started, kind: str, size: int) -> tuple[Desk, int]:
    """Start an eye process that never reads its socket, and send it more bytes than that buffers."""
    desk = started(Setup("synthetic"), command=(sys.executable, "-c", DEAF, kind))
    desk.trouble()
    pid, world = desk.pid, SimulatedHands(41).throw([1, 2, 2, 3, 5, 6])
    for _ in range(1 + size // len(encode(SetWorld(world)))):
        desk.eye.set_world(world)
    return desk, pid


def test_no_call_waits_for_an_eye_that_reads_nothing(started: Started):
    desk, pid = deaf(started, "silent", 1 << 20)
    desk.eye.expect((3,))
    assert (desk.eye.preview(), desk.pid) == (None, pid)  # the same eye, and all calls have returned


@pytest.mark.exhaustive
def test_an_eye_that_lives_and_reads_nothing_is_replaced(started: Started):
    desk, pid = deaf(started, "beats", 1 << 19)
    while desk.eye.pid == pid:
        desk.trouble()
