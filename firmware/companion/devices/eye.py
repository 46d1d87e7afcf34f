"""The eye of a table: its process, its messages, and what the table tells it."""

from dataclasses import dataclass

from companion.calibration.store import StoredCalibration
from companion.cameras import CameraChoice
from companion.config import EyeConfig
from companion.devices.eye_events import EyeEvents, EyeInstructor
from companion.devices.eye_process import EyeProcess
from companion.runtime.host import Host
from dicereader.live.messages import Setup


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
