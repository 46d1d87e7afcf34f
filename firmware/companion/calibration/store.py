"""Where a table's calibration is stored, and which camera it belongs to."""

from dataclasses import dataclass
from pathlib import Path

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


def load_calibration(data: Path, camera: str) -> StoredCalibration:
    """Return the calibration of a camera, or an empty one. `CalibrationError` reaches the caller for a damaged file.

    A calibration belongs to the camera that it was learnt from; one that was learnt from picture files belongs to every
    camera except a simulated one.

    Args:
        data: the data folder.
        camera: the camera, as written after `--camera`.
    """
    file = calibration_file(data)
    if not file.exists():
        return StoredCalibration()
    known = load(file)
    if known.camera != camera and (known.camera or camera.partition(":")[0] == "simulated"):
        return StoredCalibration()
    empty = empty_file(file)
    return StoredCalibration(known, empty.read_bytes() if empty.exists() else b"")
