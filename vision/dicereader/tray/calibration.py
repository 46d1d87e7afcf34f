"""Where the camera is and how the tray lies in its picture: a pinhole pose, readable as a file."""

import json
import math
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dicereader.errors import CalibrationError, PictureError
from dicereader.frame import Pixels
from dicereader.pictures import load as load_picture
from dicereader.reading import Zone
from dicereader.tray.dice_set import DiceSet
from dicereader.tray.geometry import Tray

Matrix = NDArray[np.float64]
Row = tuple[float, float, float]

TAG_PLATE_MM = 3.0
"""Thickness of the plates on the walls' corners that carry the tags."""

LATER = {"dice", "camera"}
"""Keys that files of older versions do not have."""

DEFAULT_FOV_DEG = 66.0
"""Horizontal field of view of the Pi's camera modules 2 and 3; one plane seen from above cannot tell it."""


@dataclass(frozen=True)
class Calibration:
    """A pinhole camera over a tray. Millimetres as in `dicereader.tray.geometry`; pixel (0, 0) is a pixel's middle.

    `width_px` and `height_px` are the picture's size; `focal_px` is the focal length (square pixels, the optical axis
    through the picture's middle); `rotation` holds the rows of the matrix that turns tray axes into the camera's
    (x right, y down, z into the scene); `position_mm` is the camera's place. `dice` is this table's set of dice, None
    where it was not learnt, `camera` the camera's name and argument (`usb:0`), empty where pictures were given.
    """

    width_px: int
    height_px: int
    focal_px: float
    rotation: tuple[Row, Row, Row]
    position_mm: Row
    tray: Tray = field(default_factory=Tray)
    dice: DiceSet | None = None
    camera: str = ""

    def __post_init__(self) -> None:
        if self.width_px < 1 or self.height_px < 1 or not self.focal_px > 0:
            got = (self.width_px, self.height_px, self.focal_px)
            raise CalibrationError(f"expected a picture's size and a focal length above 0, got {got!r}")
        turned = np.array(self.rotation) if np.shape(self.rotation) == (3, 3) else np.zeros((3, 3))
        if not np.allclose(turned @ turned.T, np.eye(3), atol=1e-3) or np.linalg.det(turned) < 0:
            raise CalibrationError(f"expected the three rows of a rotation, got {self.rotation!r}")
        if len(self.position_mm) != 3 or not self.position_mm[2] > self.tray.wall_height_mm:
            raise CalibrationError(f"expected a camera above the walls, got position {self.position_mm!r}")

    def at_height(self, z_mm: float) -> Matrix:
        """The 3x3 homography from tray (x, y, 1) in millimetres at height `z_mm` to pixels."""
        turned = np.array(self.rotation)
        shift = turned @ (np.array([0.0, 0.0, z_mm]) - np.array(self.position_mm))
        return cast(Matrix, self._lens() @ np.column_stack((turned[:, 0], turned[:, 1], shift)))

    def project(self, x_mm: float, y_mm: float, z_mm: float) -> tuple[float, float]:
        """The pixel where a point of the tray is seen."""
        x, y, w = self.at_height(z_mm) @ np.array([x_mm, y_mm, 1.0])
        return float(x / w), float(y / w)

    def place(self, x_px: float, y_px: float, z_mm: float) -> tuple[float, float]:
        """The point of the tray at height `z_mm` that is seen at a pixel."""
        x, y, w = np.linalg.solve(self.at_height(z_mm), np.array([x_px, y_px, 1.0]))
        return float(x / w), float(y / w)

    def die_px(self, x_px: float, y_px: float) -> float:
        """The edge length in pixels of a level die's top face whose middle is seen at a pixel."""
        x_mm, y_mm = self.place(x_px, y_px, self.tray.die_mm)
        away = np.array([x_mm, y_mm, self.tray.die_mm]) - np.array(self.position_mm)
        depth = float(np.array(self.rotation[2]) @ away)
        return self.focal_px * self.tray.die_mm / depth

    def zone(self, x_mm: float, y_mm: float) -> Zone | None:
        """Where a die whose middle is at a point of the tray lies; None when that is outside the walls."""
        half = self.tray.half_mm
        if max(abs(x_mm), abs(y_mm)) > half:
            return None
        return Zone.SHELF if self.tray.on_shelf(y_mm) else Zone.THROW

    def fits(self, pixels: Pixels) -> bool:
        """Whether a picture has the size this calibration is for."""
        return pixels.shape[:2] == (self.height_px, self.width_px)

    def _lens(self) -> Matrix:
        cx, cy = (self.width_px - 1) / 2, (self.height_px - 1) / 2
        return np.array([[self.focal_px, 0.0, cx], [0.0, self.focal_px, cy], [0.0, 0.0, 1.0]])


def focal_px(width_px: int, horizontal_fov_deg: float = DEFAULT_FOV_DEG) -> float:
    """The focal length in pixels of a lens that sees `horizontal_fov_deg` across `width_px`."""
    return width_px / 2 / math.tan(math.radians(horizontal_fov_deg) / 2)


def rim_corners_mm(tray: Tray) -> Matrix:
    """The inner corners of the walls' upper edge, shape (4, 3), clockwise from the top left."""
    h, z = tray.half_mm, tray.wall_height_mm
    return np.array([[-h, h, z], [h, h, z], [h, -h, z], [-h, -h, z]])


def tag_corners_mm(tray: Tray, tag: int) -> Matrix:
    """The black square's corners of tag 0 to 3, shape (4, 3), clockwise from the top left as printed."""
    x, y = tray.tag_centre_mm(tag)
    h, z = tray.tag_mm / 2, tray.wall_height_mm + TAG_PLATE_MM
    return np.array([[x - h, y + h, z], [x + h, y + h, z], [x + h, y - h, z], [x - h, y - h, z]])


def row_of(values: Sequence[float] | Matrix) -> Row:
    """Three numbers as plain floats."""
    x, y, z = (float(v) for v in values)
    return x, y, z


def rows_of(matrix: Matrix) -> tuple[Row, Row, Row]:
    """A matrix of shape (3, 3) as plain floats."""
    return row_of(matrix[0]), row_of(matrix[1]), row_of(matrix[2])


def save(calibration: Calibration, path: Path) -> None:
    """Write a calibration as a TOML file that a person can read."""
    write_whole({path: as_text(calibration).encode()})


def as_text(calibration: Calibration) -> str:
    """A calibration as TOML that a person can read."""
    rows = ",\n".join(f"  [{x:.9f}, {y:.9f}, {z:.9f}]" for x, y, z in calibration.rotation)
    position = ", ".join(f"{v:.4f}" for v in calibration.position_mm)
    lines = [
        "# The camera over the tray, as dicereader found it from the printed tags. Millimetres and pixels.",
        f"camera = {json.dumps(calibration.camera)}",
        f"width_px = {calibration.width_px}",
        f"height_px = {calibration.height_px}",
        f"focal_px = {float(calibration.focal_px):.4f}",
        "# From the tray's axes (x right, y away from the players, z up) to the camera's.",
        f"rotation = [\n{rows},\n]",
        f"position_mm = [{position}]",
        "",
        "[tray]",
        *(f"{name} = {value!r}" for name, value in asdict(calibration.tray).items()),
    ]
    if calibration.dice is not None:
        lines += ["", "# The dice: colours as blue, green, red; radius and places of their pips.", "[dice]"]
        for name, value in asdict(calibration.dice).items():
            lines.append(f"{name} = {list(value) if isinstance(value, tuple) else value!r}")
    return "\n".join(lines) + "\n"


def empty_file(path: Path) -> Path:
    """Where the picture of the empty tray is kept: beside the calibration's file, of the same name."""
    return path.with_suffix(".png")


def save_with_empty(calibration: Calibration, empty: Pixels, path: Path) -> None:
    """Write a calibration and the picture of its empty tray beside it. Raises CalibrationError where that fails."""
    import cv2  # only where a picture is written: the rest of the package is quick to import

    done, data = cv2.imencode(".png", empty)
    if not done:
        raise CalibrationError(f"expected a picture of the empty tray, got one of shape {empty.shape}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole({empty_file(path): data.tobytes(), path: as_text(calibration).encode()})
    except OSError as error:
        raise CalibrationError(f"expected a place for the calibration, got {str(path)!r}: {error.strerror}") from error


def load_with_empty(path: Path) -> tuple[Calibration, Pixels | None]:
    """A calibration and the picture of its empty tray, None where there is none beside it.

    Raises CalibrationError where either cannot be used.
    """
    known = load(path)
    beside = empty_file(path)
    if not beside.exists():
        return known, None
    try:
        empty = load_picture(beside)
    except PictureError as error:
        raise CalibrationError(f"{beside}: {error}") from error
    if not known.fits(empty):
        got = f"{empty.shape[1]} x {empty.shape[0]}"
        raise CalibrationError(f"{beside}: expected {known.width_px} x {known.height_px} pixels, got {got}")
    return known, empty


def load(path: Path) -> Calibration:
    """Read a calibration written by `save`; CalibrationError names the file and what is wrong in it."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CalibrationError(f"expected a calibration in {str(path)!r}, got: {error}") from error
    try:
        return _from_table(table)
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error


def _dice_from(table: object) -> DiceSet:
    needed = {f.name for f in fields(DiceSet) if f.default is MISSING}
    known = {f.name for f in fields(DiceSet)}
    if not isinstance(table, dict) or not needed <= set(table) <= known:
        raise CalibrationError(f"expected the dice's keys {sorted(known)}, got {table!r}")
    values: dict[str, Any] = {k: row_of(v) if k in ("body", "pip") else float(v) for k, v in table.items()}
    return DiceSet(**values)


def _from_table(table: dict[str, Any]) -> Calibration:
    wanted = {f.name for f in fields(Calibration)} - LATER  # files of older versions know less
    if set(table) - LATER != wanted:
        raise CalibrationError(f"expected the keys {sorted(wanted)}, got {sorted(table)}")
    known = {f.name for f in fields(Tray)}
    tray = table["tray"]
    if not isinstance(tray, dict) or not set(tray) <= known:
        raise CalibrationError(f"expected the tray's keys to be of {sorted(known)}, got {tray!r}")
    try:
        measures: dict[str, Any] = {k: int(v) if k == "pockets" else float(v) for k, v in tray.items()}
        rows = [row_of(row) for row in table["rotation"]]
        return Calibration(
            width_px=int(table["width_px"]),
            height_px=int(table["height_px"]),
            focal_px=float(table["focal_px"]),
            rotation=(rows[0], rows[1], rows[2]),
            position_mm=row_of(table["position_mm"]),
            tray=Tray(**measures),
            camera=str(table.get("camera", "")),
            dice=None if "dice" not in table else _dice_from(table["dice"]),
        )
    except (TypeError, ValueError, IndexError) as error:
        if isinstance(error, CalibrationError):
            raise
        raise CalibrationError(f"expected numbers in every key, got: {error}") from error


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write some files that belong together: all are on the disk before the first takes its place. Raises OSError."""
    fresh = {path: path.with_name(f"{path.name}.new") for path in contents}
    try:
        for path, content in contents.items():
            with fresh[path].open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for path, new in fresh.items():
            new.replace(path)
    finally:
        for new in fresh.values():
            new.unlink(missing_ok=True)
