"""Check whether the kernel has found the camera, and which program has it open."""

from collections.abc import Iterator

from companion.config import Config, camera_named
from companion.doctor.findings import Finding, failed, passed, warned
from companion.doctor.machine import Machine
from companion.doctor.pi_model import CONFIG_FILE, SENSORS, settings
from companion.errors import ConfigError

CABLE = (
    "power off; push the cable in at both ends, contacts towards the board, and close the clips; then rpicam-hello "
    "--list-cameras"
)
EYE_MODULE = "dicereader.live.eye"
"""The module in the command line of a table's eye process."""


def camera(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the camera of the configuration."""
    try:
        wanted = camera_named(config.camera.source)
    except ConfigError:
        return  # the check of the configuration reports it
    if wanted.name == "usb":
        number = int(wanted.arg or 0)
        yield _usb(machine, number)
        yield from _holders(machine, (f"/dev/video{number}",))
    elif wanted.name == "picamera2":
        yield _ribbon(machine)
        yield from _holders(machine, ("/dev/media*", "/dev/video*"))
    else:
        yield passed("camera", f"the camera is {config.camera.source!r}: none is needed")


def _usb(machine: Machine, number: int) -> Finding:
    devices = [path.name for path in machine.find("dev/video*")]
    if f"video{number}" in devices:
        name = machine.text(f"sys/class/video4linux/video{number}/name") or "a camera"
        return passed("camera", f"{name} at /dev/video{number}")
    wrong = f"/dev/video{number} is not there; cameras here: {', '.join(devices) or 'none'}"
    cure = "plug the camera in; v4l2-ctl --list-devices (apt install v4l-utils) says which number it has"
    return failed("camera", wrong, cure)


def _ribbon(machine: Machine) -> Finding:
    names = [
        path.read_text(encoding="ascii", errors="replace").strip()
        for path in machine.find("sys/bus/i2c/devices/*/name")
    ]
    found = sorted({name.partition("_")[0] for name in names} & SENSORS.keys())
    if not found:
        text = machine.text(CONFIG_FILE)
        lines = settings(text, machine.family) if machine.family else ()
        searched = {line.key: line.value for line in lines}.get("camera_auto_detect", "1") != "0"
        if searched or any(sensor in text for sensor in SENSORS):
            return failed("camera", "the kernel has found no sensor on the ribbon", CABLE)
        cure = f"set camera_auto_detect=1 in /{CONFIG_FILE}, then sudo reboot"
        return failed("camera", f"/{CONFIG_FILE} turns the search for cameras off", cure)
    if not machine.find("dev/media*"):
        wrong = f"{found[0]} was found, and /dev/media* is not there"
        return failed("camera", wrong, f"sudo reboot; then sudo dmesg | grep -i {found[0]}")
    return passed("camera", f"{SENSORS[found[0]]} ({found[0]})")


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
