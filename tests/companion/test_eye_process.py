"""The eye process: started, read, started again after a crash, and ended."""

import os
import queue
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from broken_library import BROKEN, SAID, break_library
from samples import sampled

from companion.devices.eye_patience import (
    RETRY_S,
    WORK_WEIGHT,
    RestartSchedule,
    patience_s,
    processor_times,
)
from companion.devices.eye_process import KEPT_PICTURES, SILENCE_S, EyeProcess
from companion.simulation.hands import SimulatedHands
from companion.table.state.inputs import Fault
from companion.words import english
from dicereader.data.camera_modules import CameraView
from dicereader.data.pictures import decode
from dicereader.live.messages import (
    LENGTHS,
    FromEye,
    Heartbeat,
    Hello,
    MotionChanged,
    Observed,
    Setup,
    SetWorld,
    Stop,
    Trouble,
    encode,
)
from dicereader.reading import Motion, Observation
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


def test_a_crashed_eye_is_started_again_at_once():
    schedule = RestartSchedule()
    assert not schedule.fail(100.0)
    assert schedule.next_start_s == 100.0


def test_a_second_crash_is_reported_once_and_the_eye_restarted_every_ten_seconds():
    schedule = RestartSchedule()
    assert [schedule.fail(t) for t in (1.0, 2.0, 12.0)] == [False, True, False]
    assert schedule.next_start_s == 12.0 + RETRY_S


def test_after_some_time_without_a_crash_the_next_crash_counts_as_the_first():
    schedule = RestartSchedule()
    schedule.fail(1.0)
    schedule.start(1.0)
    schedule.succeed(1.0 + RETRY_S)
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
        message = self.wait_for(Observed)
        assert isinstance(message, Observed)
        return message.observation


class Desk:
    def __init__(self, source: str = "synthetic", arg: str = "41") -> None:
        self.hands = SimulatedHands(41)
        self.ear = Ear()
        self.eye = EyeProcess(Setup(source, arg, speed=10.0), self.ear)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    desk.eye.expect((6,))
    desk.eye.set_world(desk.hands.still())
    desk.eye.start()
    yield desk
    desk.eye.stop()


OPEN = """
import socket, sys
from dicereader.data.camera_modules import CameraView
from dicereader.live.messages import Hello, encode
eye = socket.socket(fileno=int(sys.argv[-1]))
eye.sendall(encode(Hello(True, CameraView("imx219", "1640 x 1232", 62.2, 48.7))))
while eye.recv(4096):
    pass
"""


@pytest.fixture
def open_eye() -> Iterator[EyeProcess]:
    """Start an eye process that says Hello and listens, for tests that read no picture."""
    ear = Ear()
    eye = EyeProcess(Setup("picamera2"), ear, command=(sys.executable, "-c", OPEN))
    eye.start()
    ear.wait_for(Hello)
    yield eye
    eye.stop()


CRASH = """
import os, signal, socket, sys
from dicereader.live.messages import Heartbeat, encode
eye = socket.socket(fileno=int(sys.argv[-1]))
eye.sendall(encode(Heartbeat(1.0)))
eye.recv(1)
os.kill(os.getpid(), signal.SIGSEGV)
"""


def runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_a_throw_is_reported_with_its_picture_and_a_killed_eye_is_started_again_and_goes_on_counting(desk: Desk):
    before = desk.ear.observation()
    assert before.episode.first
    desk.eye.set_world(desk.hands.throw([1, 2, 2, 3, 5, 6]))
    motions = set()
    while not isinstance(message := desk.ear.heard.get(timeout=PATIENCE_S), Observed):
        if isinstance(message, MotionChanged):
            motions.add(message.motion)
    assert motions == {Motion.HAND, Motion.MOVING, Motion.STILL}
    seen = message.observation
    assert sorted(seen.reading.faces) == [1, 2, 2, 3, 5, 6]
    assert len(seen.episode.thrown()) == 6
    picture = desk.eye.picture(seen.number)
    assert picture is not None
    assert decode(picture).shape == (720, 960, 3)
    assert desk.eye.preview() is not None
    assert desk.eye.picture(seen.number + 1) is None
    pid = desk.eye.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    desk.ear.wait_for(Hello)
    again = desk.ear.observation()
    assert (before.number, seen.number, again.number) == (1, 2, 3)
    assert sorted(again.reading.faces) == [1, 2, 2, 3, 5, 6]
    assert again.episode.first
    assert desk.eye.pid != pid
    assert desk.eye.picture(seen.number) != desk.eye.picture(again.number)
    desk.eye.forget()
    assert desk.ear.observation().episode.first


BEATS = """
import socket, sys, time
from dicereader.live.messages import Heartbeat, Hello, encode
eye = socket.socket(fileno=int(sys.argv[-1]))
eye.sendall(encode(Hello(True, None)))
while True:
    eye.sendall(encode(Heartbeat(1.0)))
    time.sleep(0.1)
"""


def test_an_eye_that_hangs_is_replaced():
    ear = Ear()
    eye = EyeProcess(Setup("synthetic"), ear, command=(sys.executable, "-c", BEATS))
    eye.start()
    ear.wait_for(Heartbeat)
    pid = eye.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    ear.wait_for(Hello)
    assert eye.pid not in (None, pid)
    assert not runs(pid)
    eye.stop()


@pytest.mark.exhaustive
def test_an_eye_that_makes_way_for_another_calibration_is_no_failure(caplog: pytest.LogCaptureFixture):
    ear = Ear()
    eye = EyeProcess(Setup("picamera2"), ear, command=(sys.executable, "-c", OPEN))
    eye.start()
    for _ in range(3):  # the second failure in a row would be reported
        ear.wait_for(Hello)
        eye.calibrate(SyntheticSource(lambda: 0.0).camera)
    ear.wait_for(Hello)
    eye.stop()
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == []
    assert not any(isinstance(message, Trouble) for message in ear.heard.queue)


def test_ctrl_c_at_the_terminal_does_not_reach_the_eye(open_eye: EyeProcess):
    pid = open_eye.pid
    assert pid is not None
    assert os.getpgid(pid) == pid != os.getpgid(0)


def test_stop_leaves_no_process_and_may_be_called_twice(open_eye: EyeProcess):
    pid = open_eye.pid
    assert pid is not None
    open_eye.stop()
    open_eye.stop()
    assert not runs(pid)
    assert open_eye.pid is None


def test_stop_ends_an_eye_that_hangs(open_eye: EyeProcess):
    pid = open_eye.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    open_eye.stop()
    assert not runs(pid)


def test_a_source_that_cannot_be_opened_is_reported_once_with_its_reason():
    desk = Desk("recorded", "/nowhere")
    desk.eye.start()
    trouble = desk.ear.wait_for(Trouble)
    desk.eye.stop()
    assert isinstance(trouble, Trouble)
    assert trouble.fatal
    assert "'/nowhere'" in trouble.text
    assert desk.ear.heard.empty()


@pytest.mark.parametrize("how", sampled(BROKEN, "another numpy"))
def test_an_eye_whose_library_is_broken_is_a_fault_that_names_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
):
    break_library(tmp_path, monkeypatch, BROKEN[how])
    desk = Desk()
    desk.eye.start()
    trouble = desk.ear.wait_for(Trouble)
    desk.eye.stop()
    assert isinstance(trouble, Trouble)
    assert trouble.fatal
    assert trouble.text.startswith(f"the reader cannot start: {SAID[how]}")
    assert "; see farklecrib doctor; enter throws on the page" in trouble.text


def test_an_eye_that_crashes_at_work_is_a_fault_that_names_the_signal():
    ear = Ear()
    eye = EyeProcess(Setup("synthetic"), ear, command=(sys.executable, "-c", CRASH))
    eye.start()
    trouble = ear.wait_for(Trouble)
    eye.stop()
    assert isinstance(trouble, Trouble)
    assert trouble.text.startswith("the reader stopped: it ended with SIGSEGV (segmentation fault)")


def test_photographs_come_one_by_one_and_only_the_last_pictures_are_kept(tmp_path: Path):
    import cv2
    import numpy as np

    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), np.full((120, 160, 3), 40, np.uint8))
    desk = Desk("recorded", str(tmp_path))
    desk.eye.start()
    desk.ear.wait_for(Hello)
    names = []
    for _ in range(KEPT_PICTURES + 2):
        desk.eye.next_picture()
        names.append(desk.ear.observation().name)
    kept = [n for n in range(1, KEPT_PICTURES + 3) if desk.eye.picture(n) is not None]
    desk.eye.stop()
    assert names[:3] == ["a.png", "b.png", "a.png"]
    assert kept == list(range(3, KEPT_PICTURES + 3))


GARBAGE = """
import socket, sys
from dicereader.live.messages import Heartbeat, Stop, encode
eye = socket.socket(fileno=int(sys.argv[-1]))
eye.sendall(encode(Heartbeat(1.0)))
eye.sendall({bytes})
while eye.recv(4096):
    pass
"""


@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        pytest.param(b'\0\0\0\x1f\0\0\0\0{"kind":["Heartbeat"],"body":{}}', marks=pytest.mark.exhaustive),
        pytest.param(
            LENGTHS.pack(47, 0) + b'{"kind":"Heartbeat","body":{"at_s":1' + b"0" * 400 + b"}}",
            marks=pytest.mark.exhaustive,
        ),
        encode(Stop()),
    ],
)
def test_an_eye_that_sends_an_illegal_message_is_reported_and_replaced(sent: bytes):
    ear, faults = Ear(), queue.Queue[Fault]()
    command = (sys.executable, "-c", GARBAGE.format(bytes=sent))
    eye = EyeProcess(Setup("synthetic"), ear, report=faults.put, command=command)
    eye.start()
    trouble = ear.wait_for(Trouble)
    eye.stop()
    assert isinstance(trouble, Trouble)
    assert trouble.text.startswith("its messages broke off: expected")
    assert faults.empty()  # the watcher itself goes on


def test_the_mode_and_the_field_of_the_camera_are_logged_and_known(caplog: pytest.LogCaptureFixture):
    caplog.set_level("INFO", "farklecrib.eye")
    ear = Ear()
    eye = EyeProcess(Setup("picamera2"), ear, command=(sys.executable, "-c", OPEN))
    assert eye.view() is None
    eye.start()
    ear.wait_for(Hello)
    eye.stop()
    assert eye.view() == CameraView("imx219", "1640 x 1232", 62.2, 48.7)
    told = "imx219 (Camera Module 2), sensor mode 1640 x 1232, picture of 62.2° across and 48.7° upright"
    assert f"camera {told}" in caplog.messages


SHOWS = """
import socket, sys
from dicereader.live.messages import Observed, encode
from dicereader.reading import DiceReading, Episode, Observation
eye = socket.socket(fileno=int(sys.argv[-1]))
for number, size in enumerate([(640, 480), (480, 640), (480, 640), (640, 480)], 1):
    seen = Observation(number, 1.0, DiceReading((), True), Episode(True, False, ()), size=size)
    eye.sendall(encode(Observed(seen)))
while eye.recv(4096):
    pass
"""


def test_pictures_of_another_size_than_the_calibrations_are_reported_once_until_they_end():
    level = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    known = Calibration(640, 480, 500.0, level, (0.0, 0.0, 400.0))
    faults: queue.Queue[Fault] = queue.Queue()
    setup = Setup("phone", calibration=known)
    eye = EyeProcess(setup, Ear(), report=faults.put, command=(sys.executable, "-c", SHOWS))
    eye.start()
    told = [faults.get(timeout=PATIENCE_S) for _ in range(2)]
    eye.calibrate(known)
    told.append(faults.get(timeout=PATIENCE_S))
    eye.stop()
    assert [each.part for each in told] == ["calibration"] * 3
    assert "pictures of 640 x 480, and they are 480 x 640 now" in english().text(told[0].text)
    assert [each.text for each in told[1:]] == [None, None]


def test_an_eye_that_cannot_be_started_is_reported_and_tried_again():
    faults: queue.Queue[Fault] = queue.Queue()
    eye = EyeProcess(Setup("synthetic"), Ear(), report=faults.put, command=("/nowhere/eye",))
    eye.start()
    said = "I can't see the tray: [Errno 2] No such file or directory: '/nowhere/eye'"
    assert english().rendered(faults.get(timeout=PATIENCE_S)) == Fault("eye", said)
    assert eye.alive
    eye.stop()


@pytest.mark.exhaustive
def test_an_error_while_a_message_is_handled_is_reported_and_another_eye_started():
    faults, ear, pids = queue.Queue[Fault](), Ear(), []

    def handle(message: FromEye) -> None:
        pids.append(eye.pid)
        if len(set(pids)) == 1:
            raise ValueError("a bug")
        ear(message)

    command = (sys.executable, "-c", BEATS)
    eye = EyeProcess(Setup("synthetic"), handle, report=faults.put, command=command)
    eye.start()
    ear.wait_for(Heartbeat)
    pid = pids[0]
    eye.stop()
    assert pid is not None
    assert not runs(pid)
    said = "I can't see the tray: an error of the program (ValueError), see its log"
    found = [english().rendered(faults.get(timeout=PATIENCE_S)) for _ in range(2)]
    assert found == [Fault("eye", said), Fault("eye", None)]


DEAF = """
import socket, sys, time
from dicereader.live.messages import Heartbeat, Trouble, encode
eye = socket.socket(fileno=int(sys.argv[-1]))
if {heartbeats}:
    eye.sendall(encode(Heartbeat(1.0)))
eye.sendall(encode(Trouble("deaf", False)))
while {heartbeats}:
    eye.sendall(encode(Heartbeat(1.0)))
    time.sleep(0.1)
time.sleep(3600)
"""


def deaf_eye(ear: Ear, *, heartbeats: bool) -> EyeProcess:
    """Start an eye process that never reads its socket."""
    return EyeProcess(Setup("synthetic"), ear, command=(sys.executable, "-c", DEAF.format(heartbeats=heartbeats)))


def test_no_call_waits_for_an_eye_that_reads_nothing():
    ear = Ear()
    eye = deaf_eye(ear, heartbeats=False)
    eye.start()
    ear.wait_for(Trouble)
    sent = 0
    pid = eye.pid
    world = SimulatedHands(41).throw([1, 2, 2, 3, 5, 6])
    size = len(encode(SetWorld(world)))
    while sent < 1 << 20:  # more bytes than any socket buffers
        eye.set_world(world)
        sent += size
    eye.expect((3,))
    assert (eye.preview(), eye.pid) == (None, pid)  # the same eye, and all calls have returned
    eye.stop()


@pytest.mark.exhaustive
def test_an_eye_that_lives_and_reads_nothing_is_replaced():
    ear = Ear()
    eye = deaf_eye(ear, heartbeats=True)
    eye.start()
    ear.wait_for(Trouble)
    pid = eye.pid
    world = SimulatedHands(41).throw([1, 2, 2, 3, 5, 6])
    for _ in range((1 << 19) // len(encode(SetWorld(world)))):  # more bytes than its socket buffers
        eye.set_world(world)
    while eye.pid == pid:
        ear.wait_for(Trouble)
    eye.stop()
