"""The eye of a table: its messages become inputs, and it is told which dice are expected."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.calibration.session import CalibrationSession
from companion.calibration.store import StoredCalibration
from companion.calibration.tray_cameras import EyeCamera, SimulatedCamera
from companion.cameras import CameraChoice
from companion.config import EyeConfig
from companion.devices.eye_process import EyeProcess
from companion.runtime.feed import Feed, Update
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Host
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Fault, Input, MotionReported, ReadingSettled, TrayFoundAgain
from companion.table.state.state import TableState
from companion.table.throws.selection import expected_throw
from companion.words import because, message
from companion.work_process import WorkProcess
from dicereader.live import messages
from dicereader.live.messages import Setup
from dicereader.reading import CameraFault, Observation

CAMERA_FAULT_TEXTS = {fault: message(f"fault.{fault}") for fault in CameraFault}

MAYBE_FALSE_ALARMS = frozenset(CameraFault) - {CameraFault.BLACK, CameraFault.WHITE, CameraFault.FROZEN}
"""The eye detects these faults by comparison with an earlier good picture, so it may be wrong."""


LONGEST = 300
"""The most characters that are shown of an eye's error."""

BLIND = message("fault.blind")

HEARTBEAT_S = 1.0
"""The most seconds between two passes through the loop of `EyeInstructor`."""


class ObservationFilter(Protocol):
    """Decides which observations the table gets, as recorded pictures do."""

    def observed(self, observation: Observation) -> None:
        """Take an observation, and pass it to `EyeEvents.accept` if the table should get it."""

    def hello(self, live: bool) -> None:
        """Note that an eye has opened its source: a camera or clip is `live`, photographs are not."""


class EyeEvents:
    """Puts the eye's messages into the host's inbox. `fatal` is the reason why the eye cannot start, or empty."""

    def __init__(self, submit: Callable[[Input], object], source: str) -> None:
        self._submit = submit
        self._source = source
        self._in_trouble = False
        self._camera_faulty = False
        self._filter: ObservationFilter | None = None
        self.fatal = ""

    def filter_by(self, observation_filter: ObservationFilter) -> None:
        """Give every observation to a filter, and not to the table."""
        self._filter = observation_filter

    def accept(self, observation: Observation) -> None:
        """Put a settled reading into the inbox."""
        self._submit(ReadingSettled(observation, self._source))

    def on_message(self, message: messages.FromEye) -> None:
        """Handle a message of the eye; called on the thread of the `EyeProcess`."""
        match message:
            case messages.Observed(observation=observation):
                (self._filter.observed if self._filter else self.accept)(observation)
            case messages.MotionChanged(motion=motion):
                self._submit(MotionReported(motion))
            case messages.TrayMoved():
                self._submit(TrayFoundAgain())
            case messages.Trouble(text=text, fatal=fatal):
                text = " ".join(text.split())[:LONGEST]
                self._in_trouble = True
                self.fatal = text if fatal else self.fatal
                self._submit(Fault("eye", because(BLIND, text)))
            case messages.FaultsChanged(faults=faults):
                self._report_camera(faults)
            case messages.Hello(live=live):
                if self._camera_faulty:  # the eye before this one had reported a fault
                    self._report_camera(())
                if self._filter:
                    self._filter.hello(live)
            case messages.Heartbeat() if self._in_trouble:
                self._in_trouble = False
                self.fatal = ""
                self._submit(Fault("eye", None))

    def _report_camera(self, faults: tuple[CameraFault, ...]) -> None:
        """Report the first of the camera's faults, or that the camera works."""
        self._camera_faulty = bool(faults)
        if faults:
            self._submit(Fault("camera", CAMERA_FAULT_TEXTS[faults[0]], faults[0] in MAYBE_FALSE_ALARMS))
        else:
            self._submit(Fault("camera", None))


class EyeInstructor(Worker):
    """Tells the eye which throw the table expects, and which faults to ignore.

    A thread of its own works out the expected throw from the newest state, and sends it to the eye. When the table and
    the tray are out of step, the eye's next observation is a first one. When players call the camera's faults false
    alarms, the eye ignores them.
    """

    def __init__(
        self, feed: Feed, state: Callable[[], TableState], eye: EyeProcess, report: Callable[[Fault], object]
    ) -> None:
        super().__init__("expectation", Guard("expectation", message("fault.expectation"), report))
        self._state = state
        self._eye = eye
        self._unsubscribe = feed.subscribe(self._on_update, "eye")

    def close(self) -> None:
        """End the thread, so that the eye gets no more messages from it."""
        self._unsubscribe()
        self._end()

    def _on_update(self, update: Update) -> None:
        for cue in update.cues:
            if cue.kind is CueKind.OUT_OF_STEP:
                self._eye.forget()
            elif cue.kind is CueKind.OVERLOOK:
                self._eye.ignore_faults()
        self._wake()

    def _work(self) -> float:
        expected = expected_throw(self._state())
        self._eye.expect(expected.counts, expected.high_stakes)
        self._guard.works()
        return HEARTBEAT_S


@dataclass(frozen=True)
class EyeParts:
    """The parts of the eye."""

    process: EyeProcess
    events: EyeEvents
    instructor: EyeInstructor


def open_eye(camera: CameraChoice, known: StoredCalibration, settings: EyeConfig, speed: float, host: Host) -> EyeParts:
    """Return the eye of a table; its process is not started yet.

    Args:
        camera: the camera to look through.
        known: the calibration of that camera.
        settings: the eye's times and limits.
        speed: the speed of the clock.
        host: gets the eye's readings.
    """
    events = EyeEvents(host.submit, camera.source)
    setup = Setup(camera.source, camera.arg, known.calibration, speed, settings)
    process = EyeProcess(setup, events.on_message, known.empty, host.submit)
    return EyeParts(process, events, EyeInstructor(host.feed, lambda: host.state, process, host.submit))


def open_session(camera: CameraChoice, data: Path, eye: EyeProcess) -> CalibrationSession | None:
    """Return a calibration session for a table, or None if photographs take the place of a camera.

    Args:
        camera: the table's camera; a simulated camera has its number.
        data: the table's data folder.
        eye: takes the pictures, and gets the new calibration.
    """
    source = f"{camera.name}:{camera.arg}" if camera.arg else camera.name
    if camera.name == "recorded":
        return None
    worker = WorkProcess(message("calibrate.worker_ended"))
    taken = EyeCamera(eye.preview, eye.view, eye.picture_age_s)
    drawn = SimulatedCamera(int(camera.arg), worker.run) if camera.name == "simulated" else None
    return CalibrationSession(drawn or taken, source, data, eye.calibrate, worker)
