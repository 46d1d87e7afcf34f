"""The camera: whether the kernel has found one, and who holds it."""

from collections.abc import Iterator

from companion.config import Config, camera_named
from companion.doctor.findings import Finding, failed, passed, warned
from companion.doctor.machine import Machine
from companion.doctor.pi_model import CONFIG_FILE, settings
from companion.errors import ConfigError

SENSORS = {
    "ov5647": "Camera Module 1",
    "imx219": "Camera Module 2",
    "imx708": "Camera Module 3",
    "imx477": "High Quality Camera",
    "imx296": "Global Shutter Camera",
    "imx500": "AI Camera",
}
"""What the kernel's drivers call the sensors of Raspberry Pi's cameras."""

CABLE = (
    "power off; push the cable in at both ends, contacts towards the board, and close the clips; then rpicam-hello "
    "--list-cameras"
)
OURS = "dicereader.live.eye"
"""What the command line of a table's eye names."""


def camera(machine: Machine, config: Config) -> Iterator[Finding]:
    """The camera of the configuration."""
    try:
        wanted = camera_named(config.camera.source)
    except ConfigError:
        return  # the configuration's own line says it
    if wanted.name == "usb":
        number = int(wanted.arg or 0)
        yield _usb(machine, number)
        yield from _held(machine, (f"/dev/video{number}",))
    elif wanted.name == "picamera2":
        yield _ribbon(machine)
        yield from _held(machine, ("/dev/media*", "/dev/video*"))
    else:
        yield passed("camera", f"the camera is {config.camera.source!r}: none is needed")


def _usb(machine: Machine, number: int) -> Finding:
    there = [path.name for path in machine.found("dev/video*")]
    if f"video{number}" in there:
        said = machine.text(f"sys/class/video4linux/video{number}/name") or "a camera"
        return passed("camera", f"{said} at /dev/video{number}")
    listed = ", ".join(there) or "none"
    return failed(
        "camera",
        f"/dev/video{number} is not there; cameras here: {listed}",
        "plug the camera in; v4l2-ctl --list-devices (apt install v4l-utils) says which number it has",
    )


def _ribbon(machine: Machine) -> Finding:
    names = [
        path.read_text(encoding="ascii", errors="replace").strip()
        for path in machine.found("sys/bus/i2c/devices/*/name")
    ]
    found = sorted({name.partition("_")[0] for name in names} & SENSORS.keys())
    if not found:
        on = (
            {each.key: each.value for each in settings(machine.text(CONFIG_FILE), machine.family)}
            if machine.family
            else {}
        )
        if on.get("camera_auto_detect", "1") == "0" and not any(
            sensor in machine.text(CONFIG_FILE) for sensor in SENSORS
        ):
            return failed(
                "camera",
                f"/{CONFIG_FILE} turns the search for cameras off",
                f"set camera_auto_detect=1 in /{CONFIG_FILE}, then sudo reboot",
            )
        return failed("camera", "the kernel has found no sensor on the ribbon", CABLE)
    if not machine.found("dev/media*"):
        return failed(
            "camera",
            f"{found[0]} was found, and /dev/media* is not there",
            f"sudo reboot; then sudo dmesg | grep -i {found[0]}",
        )
    return passed("camera", f"{SENSORS[found[0]]} ({found[0]})")


def _held(machine: Machine, devices: tuple[str, ...]) -> Iterator[Finding]:
    """Who has the camera open: the table's own eye, or a program in its way."""
    for number, name in machine.holders(devices):
        if OURS in machine.text(f"proc/{number}/cmdline"):
            yield passed("holder", f"{name} (process {number}) has the camera: a running table's eye")
        elif name in {"pipewire", "wireplumber"}:
            mend = "systemctl --user stop wireplumber pipewire, or install Raspberry Pi OS Lite, which has no desktop"
            yield warned("holder", f"{name} (process {number}) watches the camera", mend)
        else:
            yield failed("holder", f"{name} (process {number}) has the camera", f"end it: sudo kill {number}")
