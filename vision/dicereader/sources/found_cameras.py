"""The cameras of this machine: USB cameras with their lasting names, and those on a Pi's ribbons. None is opened."""

from dataclasses import dataclass
from pathlib import Path

from dicereader.data.camera_modules import modules

BY_ID, BY_PATH = "v4l/by-id/usb-*-video-index0", "v4l/by-path/*-usb-*-video-index0"
"""udev's links to the pictures of USB cameras; a higher index is a camera's metadata."""


def cameras(devices: Path = Path("/dev")) -> dict[int, str]:
    """Return the USB cameras by number, each with the name that udev gives it.

    That is its name in `/dev/v4l/by-id` without `usb-` and `-video-index0`. Two cameras of a kind without serial
    numbers share such a name; then the names tell the sockets, as in `/dev/v4l/by-path`. Without udev every
    `/dev/videoN` counts, without a name.
    """
    ids, sockets = _links(devices, BY_ID), _links(devices, BY_PATH)
    found = sockets if sockets.keys() - ids.keys() else ids
    numbers = (path.name.removeprefix("video") for path in devices.glob("video*"))
    return dict(sorted(found.items())) or dict.fromkeys(sorted(map(int, filter(str.isdecimal, numbers))), "")


def number_of(arg: str, devices: Path = Path("/dev")) -> int | None:
    """Return the number of the camera `usb:ARG`, None if there is none.

    Args:
        arg: a number, which need not be there; a name of udev; or empty for the only camera.
        devices: the folder of the devices.
    """
    if arg.isdecimal() and len(arg) <= 5:
        return int(arg)
    known = cameras(devices)
    if not arg:
        return next(iter(known)) if len(known) == 1 else None
    named = (*known.items(), *_links(devices, BY_PATH).items())
    return next((number for number, name in named if name == arg), None)


def listed(known: dict[int, str]) -> str:
    """Return cameras as text, as `--camera` takes them, or `none`."""
    return ", ".join(f"usb:{name or number}" for number, name in known.items()) or "none"


def _links(devices: Path, pattern: str) -> dict[int, str]:
    """Return udev's names by the number of the camera."""
    found = {}
    for link in devices.glob(pattern):
        number = link.resolve().name.removeprefix("video")
        if number.isdecimal():
            found[int(number)] = link.name.removeprefix("usb-").removesuffix("-video-index0")
    return found


@dataclass(frozen=True)
class RibbonCamera:
    """A camera: the name of its sensor, such as `imx219`, and the port at which it is."""

    sensor: str
    port: str


def ribbon_cameras(root: Path = Path("/")) -> tuple[RibbonCamera, ...]:
    """Return the cameras by the numbers that picamera2 gives them.

    picamera2 sorts cameras backwards by libcamera's identifiers, which are their places in the device tree
    (`Picamera2.global_camera_info`).

    Args:
        root: the root of the file system.
    """
    found = []
    for file in root.glob("sys/bus/i2c/devices/*/name"):
        sensor = file.read_text(encoding="ascii", errors="replace").strip().partition("_")[0]
        if sensor in modules():
            node = file.with_name("of_node")
            place = str(node.readlink()).rpartition("/devicetree")[2] if node.is_symlink() else f"/{file.parent.name}"
            found.append(RibbonCamera(sensor, place))
    return tuple(sorted(found, key=lambda camera: camera.port, reverse=True))
