"""The USB cameras of this machine: their numbers, which change at a restart, and udev's names, which stay."""

from pathlib import Path

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
