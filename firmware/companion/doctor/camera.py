"""Check whether the kernel has found the camera, which program has it open, and what its picture shows."""

import json
import re
from collections.abc import Iterator

from companion.cameras import camera_named
from companion.config import Config
from companion.doctor.findings import Finding, Level, failed, passed, warned
from companion.doctor.machine import Machine
from companion.doctor.pi_model import CONFIG_FILE, settings
from companion.errors import ConfigError
from dicereader.data.camera_modules import CameraView, modules
from dicereader.data.dataclass_json import from_plain
from dicereader.sources.addresses import shown
from dicereader.sources.found_cameras import cameras, listed, number_of, ribbon_cameras

CABLE = (
    "power off; push the cable in at both ends, contacts towards the board, and close the clips; then rpicam-hello "
    "--list-cameras"
)
LOOK = (
    "import json, os, sys, time; os.environ['LIBCAMERA_LOG_LEVELS'] = '*:ERROR'; "
    "from dataclasses import asdict; from dicereader.sources import open_source; "
    "source = open_source('picamera2', {arg!r}, time.monotonic); source.close(); "
    "print(json.dumps(source.view and asdict(source.view)), file=sys.stderr, flush=True); os._exit(0)"
)
"""Python that opens the camera as the table does, prints what it shows, and ends before a library prints more."""

FETCH = (
    "import os, sys, time; from dicereader.sources import open_source; "
    "frame = open_source('url', {arg!r}, time.monotonic).next(12.0); "
    "print('%d x %d pixels' % frame.size if frame else 'no picture came within 12 s', file=sys.stderr, flush=True); "
    "os._exit(frame is None)"
)
"""Python that takes one picture of a camera in the network, as the table does, and prints its size."""

EYE_MODULE = "dicereader.live.eye"
"""The module in the command line of a table's eye process."""

BEHIND = re.compile(r"^(\S+) .*looks at (\d+) of (\d+) frames a second", re.MULTILINE)
"""The line of `dicereader.live.messages.Behind` in the service's log, after its time."""


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
        yield passed("camera", f"the camera is {config.camera.source!r}: no camera is needed")


def eye(machine: Machine) -> Iterator[Finding]:
    """Report the last time that the eye fell behind, if the service's log may be read and has one."""
    said = BEHIND.findall(machine.log_lines())
    if said:
        when, looked, wanted = said[-1]
        wrong = (
            f"it fell behind, last at {when}: {looked} of {wanted} frames a second of moving dice; scores come later"
        )
        cure = (
            "end other busy programs (see top); cure the finding power, if it failed; a Raspberry Pi 4 or 5 is faster"
        )
        yield warned("eye", wrong, cure)


def _usb(machine: Machine, arg: str, number: int | None) -> Finding:
    if number is not None and machine.find(f"dev/video{number}"):
        name = machine.text(f"sys/class/video4linux/video{number}/name") or "a camera"
        return passed("camera", f"{name} at /dev/video{number}")
    known = cameras(machine.root / "dev")
    wrong = f"{f'usb:{arg} is not there' if arg else 'usb is the only camera'}; cameras here: {listed(known)}"
    return failed("camera", wrong, "plug the camera in, or name one of these as camera.source")


def _address(machine: Machine, address: str) -> Finding:
    """Report whether a camera in the network gives pictures, and their size."""
    look = machine.run_python(FETCH.format(arg=address))
    if look.status:
        cure = "open the address in a browser on this machine; the camera must be on, and in the same network"
        return failed("camera", look.last_line.rpartition("SourceError: ")[2], cure)
    return passed("camera", f"{shown(address)} gives pictures of {look.last_line}")


def sensors(machine: Machine) -> list[str]:
    """Return the camera sensors that the kernel has found on the ribbon, such as `imx219`."""
    return sorted({camera.sensor for camera in ribbon_cameras(machine.root)})


def _ribbon(machine: Machine) -> Finding:
    found = sensors(machine)
    if not found:
        text = machine.text(CONFIG_FILE)
        lines = settings(text, machine.family) if machine.family else ()
        searched = {line.key: line.value for line in lines}.get("camera_auto_detect", "1") != "0"
        if searched or any(sensor in text for sensor in modules()):
            return failed("camera", "the kernel has found no sensor on the ribbon", CABLE)
        cure = f"set camera_auto_detect=1 in /{CONFIG_FILE}, then sudo reboot"
        return failed("camera", f"/{CONFIG_FILE} turns the search for cameras off", cure)
    if not machine.find("dev/media*"):
        wrong = f"{found[0]} was found, and /dev/media* is not there"
        return failed("camera", wrong, f"sudo reboot; then sudo dmesg | grep -i {found[0]}")
    return passed("camera", f"{modules()[found[0]].title} ({found[0]})")


def _view(machine: Machine, arg: str, *, held: bool) -> Finding:
    """Report the sensor's mode, the field of view and the height that the lens needs."""
    in_use = "the camera is in use; the log of the table names its mode: journalctl -u farklecrib | grep 'sensor mode'"
    if held:
        return passed("view", in_use)
    look = machine.run_python(LOOK.format(arg=arg))
    if look.status:
        if "to be free" in look.last_line:
            return passed("view", in_use)
        cure = "first cure the finding picamera2" if "the library picamera2" in look.last_line else CABLE
        return failed("view", f"the camera cannot be opened: {look.last_line}", cure)
    from dicereader.tray.camera_height import needed_height_mm  # loads OpenCV

    view: CameraView = from_plain(CameraView, json.loads(look.last_line))
    if view.cropped:
        wrong = f"{view}: the picture may be cropped, because no mode that shows the whole sensor is in use"
        return warned(
            "view", wrong, "sudo apt full-upgrade, which brings the newest driver; then compare picture and tray"
        )
    if view.upright_deg is None:
        return passed("view", str(view))
    return passed(
        "view", f"{view}: lens at least {needed_height_mm(view.upright_deg) / 10:.0f} cm above the tray's floor"
    )


def _holders(machine: Machine, devices: tuple[str, ...]) -> Iterator[Finding]:
    """Report each process that has the camera open."""
    for number, name in machine.holders(devices):
        if EYE_MODULE in machine.text(f"proc/{number}/cmdline"):
            yield passed("holder", f"{name} (process {number}) has the camera: a running table's eye")
        elif name in {"pipewire", "wireplumber"}:
            cure = "systemctl --user stop wireplumber pipewire, or install Raspberry Pi OS Lite, which has no desktop"
            yield warned("holder", f"{name} (process {number}) watches the camera", cure)
        else:
            yield failed("holder", f"{name} (process {number}) has the camera", f"end it: sudo kill {number}")
