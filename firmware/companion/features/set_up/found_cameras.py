"""The cameras that a person may choose in the browser, and one picture of each."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from companion.calibration.camera_identity import camera_identity
from companion.cameras import camera_named
from companion.config import Config, is_open
from companion.doctor.camera import sensors
from companion.doctor.machine import Machine
from companion.errors import BusyError, RefusedError
from companion.words import Message, message
from companion.work_process import WorkProcess
from dicereader.sources.found_cameras import cameras, number_of

PICTURE_S = 15.0
"""Seconds until a camera must have given a picture. A camera that hangs cannot hang the table: a process asks it."""

ELSEWHERE = {"url": message("set_up.url"), "recorded": message("set_up.recorded")}
"""The cameras that only a configuration file or the command line can name."""


@dataclass(frozen=True)
class FoundCamera:
    """A camera: the value of `camera.source`, its name for people, and whether it is the table's now.

    `needs` says what the table must be started with before it can be chosen; empty if it can be chosen.
    """

    source: str
    name: Message
    in_use: bool
    needs: str = ""


def found_cameras(config: Config, machine: Machine) -> tuple[FoundCamera, ...]:
    """Return the cameras of a machine, a phone, and the simulated one."""
    now = camera_named(config.camera.source)
    found, devices = [], machine.root / "dev"
    known = cameras(devices)
    for number, name in known.items():
        if not name and machine.model:
            continue  # of a Pi's own codecs, which udev gives no name of a USB camera
        in_use = now.name == "usb" and number_of(now.arg, devices) == number
        source = "usb" if len(known) == 1 else f"usb:{name or number}"
        shown = name.replace("_", " ")
        named, unnamed = message("set_up.usb_camera", number=number, name=shown), message("set_up.usb", number=number)
        found.append(FoundCamera(source, named if name else unnamed, in_use))
    if there := sensors(machine):
        words = message("set_up.pi_camera", name=", ".join(there))
        found.append(FoundCamera("picamera2", words, now.name == "picamera2"))
    by_phone = is_open(config.web.host) and config.web.tls
    needs = "" if by_phone or now.name == "phone" else "--camera phone"
    found.append(FoundCamera("phone", message("set_up.phone"), now.name == "phone", needs))
    if now.name in ELSEWHERE:
        found.append(FoundCamera(now.name, ELSEWHERE[now.name], True))
    found.append(FoundCamera("simulated", message("set_up.simulated"), now.simulated))
    return tuple(found)


class CameraPictures:
    """Takes one picture at a time of the cameras that were found. Any thread may use it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._work = WorkProcess(message("set_up.camera_silent"))

    def picture(self, source: str, newest: Callable[[], bytes | None], config: Config) -> bytes:
        """Return a picture of a camera as JPEG: the eye's newest if it looks through this camera, else a new one.

        Args:
            source: the value of `camera.source`.
            newest: returns the eye's newest picture.
            config: the configuration of the running table.

        Raises:
            BusyError: while another camera is looked through.
            RefusedError: if the camera gives no picture.
        """
        camera, now = camera_named(source), camera_named(config.camera.source)
        identities = {camera_identity(source), camera_identity(config.camera.source)}
        if camera.name == now.name and (camera.name != "usb" or len(identities) == 1):
            if (jpeg := newest()) is not None:
                return jpeg
            raise RefusedError(message("access.no_picture"))
        if camera.name not in ("usb", "picamera2"):
            raise RefusedError(message("access.no_picture"))
        if not self._turn.acquire(blocking=False):
            raise BusyError(message("set_up.looking"))
        try:
            return self._work.run(partial(_taken, camera.source, camera.arg), PICTURE_S)
        finally:
            self._work.end()
            self._turn.release()

    def close(self) -> None:
        """End a look under way."""
        self._work.close()


def _taken(source: str, arg: str) -> bytes:
    """Return a camera's picture as JPEG, once its exposure has settled for some frames. It runs in its own process.

    Raises:
        RefusedError: if there is none.
    """
    try:
        import cv2

        from dicereader.sources import open_source

        opened = open_source(source, arg, time.monotonic)
        frames = [frame for frame in (opened.next(3.0) for _ in range(8)) if frame]
        return cv2.imencode(".jpg", frames[-1].pixels)[1].tobytes()
    except Exception as error:
        raise RefusedError(message("set_up.camera_silent")) from error
