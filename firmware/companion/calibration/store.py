"""Where a table's calibration is kept, and for which camera it counts."""

from dataclasses import dataclass
from pathlib import Path

from dicereader.tray.calibration import Calibration, empty_file, load

FILE = "calibration.toml"


@dataclass(frozen=True)
class Calibrated:
    """What is known of a table: its calibration, and its empty tray's picture as a PNG file's bytes; or nothing."""

    calibration: Calibration | None = None
    empty: bytes = b""


def place(data: Path) -> Path:
    """The file in a table's data folder."""
    return data / FILE


def calibration_of(data: Path, camera: str) -> Calibrated:
    """What the data folder knows of the table that this camera sees; `camera` as after `--camera`.

    A calibration from one camera is none for another; one from pictures counts for any but a simulated tray. Raises
    CalibrationError where the file is damaged.
    """
    file = place(data)
    if not file.exists():
        return Calibrated()
    known = load(file)
    if known.camera != camera and (known.camera or camera.partition(":")[0] == "simulated"):
        return Calibrated()
    beside = empty_file(file)
    return Calibrated(known, beside.read_bytes() if beside.exists() else b"")
