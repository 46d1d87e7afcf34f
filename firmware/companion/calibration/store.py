"""Where a table's calibration is stored, and which camera it belongs to."""

from dataclasses import dataclass
from pathlib import Path

from companion.calibration.camera_identity import is_same_camera
from dicereader.data.files import MOST_PICTURE_BYTES, read_bytes
from dicereader.errors import CalibrationError
from dicereader.tray.calibration import Calibration, empty_file, load

FILE = "calibration.toml"


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
