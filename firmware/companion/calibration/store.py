"""Where a table's calibration is stored, and which camera it belongs to."""

import re
from dataclasses import dataclass
from pathlib import Path

from companion.cameras import camera_shown
from dicereader.data.files import MOST_PICTURE_BYTES, read_bytes
from dicereader.errors import CalibrationError
from dicereader.sources.found_cameras import cameras, number_of, ribbon_cameras
from dicereader.tray.calibration import Calibration, empty_file, load

FILE = "calibration.toml"

NUMBERED = re.compile(r"(usb|picamera2)(?::([0-9]{0,5})(?:,[0-9]+)?)?")
"""A camera of this machine that is named by its number, or as the only one, with its options."""


@dataclass(frozen=True)
class StoredCalibration:
    """A table's calibration, and a picture of its empty tray as PNG; both may be missing.

    `of_another` is the camera of a stored calibration that is not this camera's, as a log may hold it.
    """

    calibration: Calibration | None = None
    empty: bytes = b""
    of_another: str = ""


def calibration_file(data: Path) -> Path:
    """Return the calibration's file in a data folder."""
    return data / FILE


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


def belongs(known: Calibration, camera: str) -> bool:
    """Return whether a calibration is for a camera: the one it was learnt from, or any that has pictures if none was.

    Args:
        known: the calibration.
        camera: the camera, as written after `--camera`.
    """
    return is_same_camera(known.camera, camera) if known.camera else not camera.startswith("simulated")


def load_calibration(data: Path, camera: str) -> StoredCalibration:
    """Return the calibration of a camera, or an empty one; see `belongs`.

    Args:
        data: the data folder.
        camera: the camera, as written after `--camera`.

    Raises:
        CalibrationError: if the file, or the picture of the empty tray beside it, cannot be read.
    """
    file = calibration_file(data)
    if not file.exists():
        return StoredCalibration()
    known, empty = load(file), empty_file(file)
    if not belongs(known, camera):
        return StoredCalibration(of_another=known.camera)
    if not empty.exists():
        return StoredCalibration(known)
    try:
        return StoredCalibration(known, read_bytes(empty, MOST_PICTURE_BYTES))
    except OSError as error:
        raise CalibrationError(f"expected a picture in {str(empty)!r}, got: {error.strerror or error}") from error
