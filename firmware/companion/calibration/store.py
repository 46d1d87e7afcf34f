"""Where a table's calibration is stored, and for which camera it is valid."""

from dataclasses import dataclass
from pathlib import Path

from dicereader.tray.calibration import Calibration, empty_file, load


@dataclass(frozen=True)
class StoredCalibration:
    """A calibration, and its picture of the empty tray as the bytes of a PNG file; or neither."""

    calibration: Calibration | None = None
    empty: bytes = b""


def calibration_file(data: Path) -> Path:
    """Return the file of the calibration in a data folder."""
    return data / "calibration.toml"


def load_calibration(data: Path, camera: str) -> StoredCalibration:
    """Return the stored calibration if it is valid for a camera, else an empty one.

    A calibration of one camera is not valid for another one. A calibration from picture files is valid for any camera
    except a simulated one. A damaged file raises `CalibrationError`.

    Args:
        data: The data folder.
        camera: The camera, as after `--camera`.
    """
    file = calibration_file(data)
    if not file.exists():
        return StoredCalibration()
    calibration = load(file)
    if calibration.camera != camera and (calibration.camera or camera.partition(":")[0] == "simulated"):
        return StoredCalibration()
    picture = empty_file(file)
    return StoredCalibration(calibration, picture.read_bytes() if picture.exists() else b"")
