"""Which camera a value of `--camera` names, whatever its options are and whatever number it has today."""

import re
from pathlib import Path

from companion.cameras import camera_shown
from dicereader.sources.found_cameras import cameras, number_of, ribbon_cameras

NUMBERED = re.compile(r"(usb|picamera2)(?::([0-9]{0,5})(?:,[0-9]+)?)?")
"""A camera of this machine that is named by its number, or as the only one, with its options."""


def camera_identity(text: str, root: Path = Path("/")) -> str:
    """Return what a calibration keeps of its camera; a text that this has returned is returned unchanged.

    That is a USB camera's name by udev, a ribbon camera's sensor and port, and for any other camera the text as a log
    may hold it. A camera that is not there now has the name of its kind alone, such as `usb`. None is opened.

    Args:
        text: the camera, as written after `--camera`, or as a calibration has kept it.
        root: the root of the file system.
    """
    kind, _, arg = text.partition(":")
    numbered = NUMBERED.fullmatch(text)
    if kind == "usb":
        known = cameras(root / "dev")
        number = number_of(numbered[2] or "" if numbered else arg, root / "dev")
        return f"usb:{known[number] or number}" if number in known else "usb" if numbered else text
    if numbered:
        there, number = ribbon_cameras(root), int(numbered[2] or 0)
        return f"picamera2:{there[number].sensor}@{there[number].port}" if number < len(there) else kind
    return camera_shown(text)


def is_same_camera(one: str, other: str, root: Path = Path("/")) -> bool:
    """Return whether two texts name one camera, as far as that is known: one that is not there may be any of its kind.

    Args:
        one: a camera, as `camera_identity` takes it.
        other: another one.
        root: the root of the file system.
    """
    mine, its = camera_identity(one, root), camera_identity(other, root)
    kind = mine.partition(":")[0]
    may_be_any = kind in ("usb", "picamera2") and kind == its.partition(":")[0] and kind in (mine, its)
    return mine == its or may_be_any
