"""The camera: check that it is found, free and gives pictures; list the cameras to choose from; look through one."""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from companion.calibration.store import camera_identity
from companion.cameras import camera_named
from companion.checkup.findings import Finding, Level, told
from companion.checkup.machine import Machine
from companion.checkup.raspberry_pi import CONFIG_FILE, settings
from companion.config import Config, is_open
from companion.errors import ConfigError, RefusedError
from companion.words import Message, message
from companion.work_process import WorkProcess
from dicereader.data.camera_modules import CameraView, modules
from dicereader.data.dataclass_json import from_plain
from dicereader.sources.addresses import shown
from dicereader.sources.found_cameras import cameras, listed, number_of, ribbon_cameras

EYE_MODULE = "dicereader.live.eye"
"""The module in the command line of a table's eye process."""

BEHIND = re.compile(r"^(\S+) .*looks at (\d+) of (\d+) frames a second", re.MULTILINE)
"""The line of `dicereader.live.messages.Behind` in the service's log, after its time."""

PICTURE_S = 15.0
"""Seconds until a camera must have given a picture. A camera that hangs cannot hang the table: a process asks it."""

ELSEWHERE = {"url": message("set_up.url"), "recorded": message("set_up.recorded")}
"""The cameras that only a configuration file or the command line can name."""


def camera(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the camera of the configuration."""
    try:
        wanted = camera_named(config.camera.source)
    except ConfigError:
        return  # the check of the configuration reports it
    if wanted.name == "usb":
        number = number_of(wanted.arg, machine.root / "dev")
        yield _usb(machine, wanted.arg, number)
        yield from _holders(machine, (f"/dev/video{number}",) if number is not None else ())
    elif wanted.name == "picamera2":
        ribbon, holders = _ribbon(machine), list(_holders(machine, ("/dev/media*", "/dev/video*")))
        yield ribbon
        yield from holders
        if ribbon.level is Level.PASS:
            yield _view(machine, wanted.arg, held=bool(holders))
    elif wanted.name == "url":
        yield _address(machine, wanted.arg)
    else:
        yield told("camera", "none", source=config.camera.source)


def eye(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Report the last time that the eye fell behind, if the service's log may be read and has one."""
    for when, looked, wanted in BEHIND.findall(machine.log_lines())[-1:]:
        yield told("eye", "behind", when=when, looked=looked, wanted=wanted)


def _usb(machine: Machine, arg: str, number: int | None) -> Finding:
    if number is not None and machine.find(f"dev/video{number}"):
        name = machine.text(f"sys/class/video4linux/video{number}/name") or "a camera"
        return told("camera", "usb", name=name, number=number)
    wanted = f"usb:{arg} is not there" if arg else "usb is the only camera"
    return told("camera", "usb_missing", wanted=wanted, known=listed(cameras(machine.root / "dev")))


def _address(machine: Machine, address: str) -> Finding:
    """Report whether a camera in the network gives pictures, and their size."""
    look = machine.probe("picture", address)
    why = look.last_line.rpartition("SourceError: ")[2]
    return told("camera", "url_silent" if look.status else "url", address=shown(address), size=look.last_line, why=why)


def sensors(machine: Machine) -> list[str]:
    """Return the camera sensors that the kernel has found on the ribbon, such as `imx219`."""
    return sorted({camera.sensor for camera in ribbon_cameras(machine.root)})


def _ribbon(machine: Machine) -> Finding:
    found = sensors(machine)
    if found:
        seen = "ribbon" if machine.find("dev/media*") else "hidden"
        return told("camera", seen, name=modules()[found[0]].title, sensor=found[0])
    text = machine.text(CONFIG_FILE)
    lines = settings(text, machine.family) if machine.family else ()
    searched = {line.key: line.value for line in lines}.get("camera_auto_detect", "1") != "0"
    searched = searched or any(sensor in text for sensor in modules())
    return told("camera", "ribbon_missing" if searched else "off", file=CONFIG_FILE)


def _view(machine: Machine, arg: str, *, held: bool) -> Finding:
    """Report the sensor's mode, the field of view and the height that the lens needs."""
    look = None if held else machine.probe("view", arg)
    if look is None or (look.status and "to be free" in look.last_line):
        return told("view", "used")
    if look.status:
        library = "the library picamera2" in look.last_line
        return told("view", "library" if library else "closed", why=look.last_line)
    from dicereader.tray.camera_place import needed_height_mm  # loads OpenCV

    view: CameraView = from_plain(CameraView, json.loads(look.last_line))
    if view.cropped or view.upright_deg is None:
        return told("view", "cropped" if view.cropped else "unknown", view=view)
    return told("view", "good", view=view, height_cm=needed_height_mm(view.upright_deg) / 10)


def _holders(machine: Machine, devices: tuple[str, ...]) -> Iterator[Finding]:
    """Report each process that has the camera open."""
    for number, name in machine.holders(devices):
        if EYE_MODULE in machine.text(f"proc/{number}/cmdline"):
            found = "eye"
        else:
            found = "desktop" if name in {"pipewire", "wireplumber"} else "other"
        yield told("holder", found, name=name, number=number)


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
        self._work = WorkProcess(message("set_up.camera_silent"))

    def picture(self, source: str, newest: Callable[[], bytes | None], config: Config) -> bytes:
        """Return a picture of a camera as JPEG: the eye's newest if it looks through this camera, else a new one.

        Args:
            source: the value of `camera.source`.
            newest: returns the eye's newest picture.
            config: the configuration of the running table.

        Raises:
            RefusedError: if the camera gives no picture. `BusyError` reaches the caller while another camera is looked
                through.
        """
        camera, now = camera_named(source), camera_named(config.camera.source)
        one = camera.name != "usb" or camera_identity(source) == camera_identity(config.camera.source)
        if (used := camera.name == now.name and one) and (jpeg := newest()) is not None:
            return jpeg
        if used or camera.name not in ("usb", "picamera2"):
            raise RefusedError(message("access.no_picture"))
        with self._work.alone(message("set_up.looking")):
            try:
                return self._work.run(partial(_taken, camera.source, camera.arg), PICTURE_S)
            finally:
                self._work.end()

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
