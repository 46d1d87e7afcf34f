"""Where a table's calibration is stored, and which camera it belongs to."""

from dataclasses import dataclass
from pathlib import Path

from companion.cameras import camera_shown
from dicereader.data.files import MOST_PICTURE_BYTES, read_bytes
from dicereader.errors import CalibrationError
from dicereader.tray.calibration import Calibration, empty_file, load

FILE = "calibration.toml"


@dataclass(frozen=True)
class StoredCalibration:
    """A table's calibration, and a picture of its empty tray as PNG; both may be missing."""

    calibration: Calibration | None = None
    empty: bytes = b""


def calibration_file(data: Path) -> Path:
    """Return the calibration's file in a data folder."""
    return data / FILE


def known_tray(data: Path, camera: str) -> Calibration | None:
    """Return the calibration of a camera, or None; see `load_calibration`, which also reads the empty tray's picture.

    `CalibrationError` reaches the caller if the file cannot be read.
    """
    file = calibration_file(data)
    if not file.exists():
        return None
    known = load(file)
    if known.camera != camera_shown(camera) and (known.camera or camera.partition(":")[0] == "simulated"):
        return None
    return known


def load_calibration(data: Path, camera: str) -> StoredCalibration:
    """Return the calibration of a camera, or an empty one.

    A calibration belongs to the camera that it was learnt from; one that was learnt from picture files belongs to every
    camera except a simulated one.

    Args:
        data: the data folder.
        camera: the camera, as written after `--camera`.

    Raises:
        CalibrationError: if the file, or the picture of the empty tray beside it, cannot be read.
    """
    known, empty = known_tray(data, camera), empty_file(calibration_file(data))
    if known is None:
        return StoredCalibration()
    if not empty.exists():
        return StoredCalibration(known)
    try:
        return StoredCalibration(known, read_bytes(empty, MOST_PICTURE_BYTES))
    except OSError as error:
        raise CalibrationError(f"expected a picture in {str(empty)!r}, got: {error.strerror or error}") from error
