"""The calibration of a table: the camera's pose over the tray and the table's dice, kept as a TOML file."""

import json
import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import cast

import numpy as np

from dicereader.data.arrays import Bools, Floats
from dicereader.data.dataclass_json import from_plain
from dicereader.data.files import read_text
from dicereader.data.frame import Pixels
from dicereader.data.pictures import load as load_picture
from dicereader.errors import CalibrationError, FormatError, PictureError, check_number, quoted
from dicereader.reading import DiceReading, ReadDie, Zone
from dicereader.tray.geometry import Tray

Vector = tuple[float, float, float]
MeanBGR = tuple[float, float, float]
"""Blue, green, red, each from 0 to 255."""

OF_FORMER_NETWORKS = "slant", "off_slant", "slant_scale", "slant_errors", "slant_ratio", "slant_spread"
"""Keys of the dice that only older files have. They describe slants that former networks measured, and are ignored."""

LONGEST_CAMERA = 5000
"""The most characters of a camera's name and argument: a path may have 4,096."""

DEFAULT_FOV_DEG = 66.0
"""Field of view in degrees across the picture of a camera that is in no list: a webcam, or that of a plain picture.

One plane seen from above cannot tell the field; `learn` measures it against the dice, and this is where it starts.
Webcams in 4:3 have 50 to 70 degrees. The measurement ends a little narrow: from 66 the heights of the two rendered rigs
are 7 and 10 mm short, from 62.2 (Camera Module 2) 14 and 18 mm too large.
"""


@dataclass(frozen=True)
class DiceSet:
    """The colours and pips of one table's dice, learnt from a few throws in one light. Lengths in millimetres.

    `body` and `pip` are colours of a level top face; `pip_mm` is the pips' radius and `one_mm` that of the single pip
    of a one. A corner pip is `corner_mm` from the face's middle along each edge; the columns of a six are `six_mm`
    from it, their ends `corner_mm`. `slant_factor` is the measured slant of these dice as a fraction of the true one.
    For nine level dice in ten the error of the slant is less than `slant_deviation` times the one that is expected, and
    less than the fraction `off_body` of their sides looks like the ground; both depend on the light. Edges and corners
    are rounded with the radius `round_mm`. Another network of whole dice needs new names for `slant_factor` and
    `slant_deviation`, so that values which the former network measured are ignored (`OF_FORMER_NETWORKS`).
    """

    body: MeanBGR
    pip: MeanBGR
    pip_mm: float
    one_mm: float
    corner_mm: float
    six_mm: float
    slant_factor: float = 0.8
    slant_deviation: float = 2.0
    off_body: float = 0.08
    round_mm: float = 0.0

    def __post_init__(self) -> None:
        limits: dict[str, tuple[float, float]] = dict.fromkeys(("pip_mm", "one_mm", "corner_mm", "six_mm"), (0.2, 15))
        limits |= {"slant_factor": (0.1, 3), "slant_deviation": (0, 100), "off_body": (0, 1), "round_mm": (0, 10)}
        for name, (least, most) in limits.items():
            wanted = f"dice with {name} from {least} to {most}"
            check_number(getattr(self, name), least, most, wanted, CalibrationError)
        for name in ("body", "pip"):
            colour = getattr(self, name)
            if not (_are_numbers(colour, (3,)) and all(0 <= value <= 255 for value in colour)):
                raise CalibrationError(
                    f"expected the dice's {name} as three numbers from 0 to 255, got {quoted(colour)}"
                )
        if math.dist(self.body, self.pip) < 10:
            raise CalibrationError(f"expected pips of another colour than the dice, got {self.body!r} and {self.pip!r}")


@dataclass(frozen=True)
class Calibration:
    """A pinhole camera over a tray. Millimetres as in `dicereader.tray.geometry`; pixel (0, 0) is a pixel's middle.

    `width_px` and `height_px` are the picture's size; `focal_px` is the focal length (square pixels, the optical axis
    through the picture's middle); `rotation` holds the rows of the matrix from tray axes to the camera's (x right,
    y down, z into the scene); `position_mm` is the camera's place. `dice` are this table's dice, None if they were not
    learnt; `camera` is the camera's name and argument (`usb:0`), empty if pictures were given.
    """

    width_px: int
    height_px: int
    focal_px: float
    rotation: tuple[Vector, Vector, Vector]
    position_mm: Vector
    tray: Tray = field(default_factory=Tray)
    dice: DiceSet | None = None
    camera: str = ""

    def __post_init__(self) -> None:
        kinds = (("tray", Tray, "a Tray"), ("dice", DiceSet | None, "a DiceSet or None"), ("camera", str, "text"))
        for name, kind, wanted in kinds:
            if not isinstance(getattr(self, name), kind):
                raise CalibrationError(f"expected {name} as {wanted}, got {quoted(getattr(self, name))}")
        if len(self.camera) > LONGEST_CAMERA:
            raise CalibrationError(f"expected camera of {LONGEST_CAMERA} characters at most, got {len(self.camera)}")
        lens = (self.width_px, self.height_px, self.focal_px)
        if not (_are_numbers(lens, (3,)) and self.width_px >= 1 and self.height_px >= 1 and self.focal_px > 0):
            raise CalibrationError(f"expected a picture's size and a focal length above 0, got {quoted(lens)}")
        turned = np.array(self.rotation) if _are_numbers(self.rotation, (3, 3)) else np.zeros((3, 3))
        if not np.allclose(turned @ turned.T, np.eye(3), atol=1e-3) or np.linalg.det(turned) < 0:
            raise CalibrationError(f"expected the three rows of a rotation, got {quoted(self.rotation)}")
        if not (_are_numbers(self.position_mm, (3,)) and self.position_mm[2] > self.tray.wall_height_mm):
            raise CalibrationError(f"expected a camera above the walls, got position {quoted(self.position_mm)}")

    def at_height(self, z_mm: float) -> Floats:
        """Return the 3x3 homography from tray (x, y, 1) in millimetres at height `z_mm` to pixels."""
        turned = np.array(self.rotation)
        shift = turned @ (np.array([0.0, 0.0, z_mm]) - np.array(self.position_mm))
        lens = camera_matrix(self.width_px, self.height_px, self.focal_px)
        return cast(Floats, lens @ np.column_stack((turned[:, 0], turned[:, 1], shift)))

    def project(self, x_mm: float, y_mm: float, z_mm: float) -> tuple[float, float]:
        """Return the pixel at which a point of the tray is seen."""
        x, y, w = self.at_height(z_mm) @ np.array([x_mm, y_mm, 1.0])
        return float(x / w), float(y / w)

    def pixels_of(self, points_mm: Floats) -> Floats:
        """Return the pixels (n, 2) at which points (n, 3) of the tray are seen."""
        seen = (points_mm - np.array(self.position_mm)) @ np.array(self.rotation).T
        middle = np.array([self.width_px - 1, self.height_px - 1]) / 2
        return cast(Floats, seen[:, :2] / seen[:, 2:] * self.focal_px + middle)

    def place(self, x_px: float, y_px: float, z_mm: float) -> tuple[float, float]:
        """Return the point of the tray at height `z_mm` that is seen at a pixel."""
        x, y, w = np.linalg.solve(self.at_height(z_mm), np.array([x_px, y_px, 1.0]))
        return float(x / w), float(y / w)

    def die_px(self, x_px: float, y_px: float) -> float:
        """Return the edge length in pixels of a level die's top face whose middle is seen at a pixel."""
        x_mm, y_mm = self.place(x_px, y_px, self.tray.die_mm)
        away = np.array([x_mm, y_mm, self.tray.die_mm]) - np.array(self.position_mm)
        depth = float(np.array(self.rotation[2]) @ away)
        return self.focal_px * self.tray.die_mm / depth

    def outside(self, points_px: Floats) -> Bools:
        """Return which points of the picture (n, 2), at the height of the dice's tops, are outside the walls."""
        seen = np.column_stack([points_px, np.ones(len(points_px))])
        x, y, w = np.linalg.solve(self.at_height(self.tray.die_mm), seen.T)
        return np.asarray((np.abs(x / w) > self.tray.half_mm) | (np.abs(y / w) > self.tray.half_depth_mm), np.bool_)

    def zone(self, x_mm: float, y_mm: float) -> Zone | None:
        """Return the zone of a die whose middle is at a point of the tray; None outside the walls."""
        if abs(x_mm) > self.tray.half_mm or abs(y_mm) > self.tray.half_depth_mm:
            return None
        return Zone.SHELF if self.tray.on_shelf(y_mm) else Zone.THROW

    def shelf_px(self) -> tuple[tuple[int, int], ...]:
        """Return the four corners of the shelf's floor in pixels: outer left, outer right, inner right, inner left."""
        half, outer = self.tray.half_mm, -self.tray.half_depth_mm
        inner = self.tray.rail_y_mm - self.tray.rail_mm / 2
        corners = ((-half, outer), (half, outer), (half, inner), (-half, inner))
        return tuple((round(x), round(y)) for x, y in (self.project(*corner, 0.0) for corner in corners))

    def fits(self, pixels: Pixels) -> bool:
        """Return whether a picture has the size this calibration is for."""
        return pixels.shape[:2] == (self.height_px, self.width_px)


def placed(reading: DiceReading, known: Calibration) -> DiceReading:
    """Return a reading with the place and zone of each die, from the middle of its top face."""

    def at(die: ReadDie) -> ReadDie:
        place = known.place(*die.top.centre, known.tray.die_mm)
        return replace(die, place=place, zone=known.zone(*place))

    return replace(reading, dice=tuple(map(at, reading.dice)))


def _are_numbers(value: object, shape: tuple[int, ...]) -> bool:
    """Return whether nested sequences have a shape and hold finite numbers alone."""
    try:
        found = np.array(value)
    except ValueError:  # sequences of different lengths
        return False
    return found.shape == shape and found.dtype.kind in "iuf" and bool(np.isfinite(found).all())


def camera_matrix(width_px: int, height_px: int, focal_px: float) -> Floats:
    """Return the 3x3 matrix of a lens whose optical axis is in the picture's middle."""
    return np.array([[focal_px, 0.0, (width_px - 1) / 2], [0.0, focal_px, (height_px - 1) / 2], [0.0, 0.0, 1.0]])


def focal_px(width_px: int, horizontal_fov_deg: float) -> float:
    """Return the focal length in pixels of a lens that sees `horizontal_fov_deg` across `width_px`."""
    return width_px / 2 / math.tan(math.radians(horizontal_fov_deg) / 2)


def rim_corners_mm(tray: Tray) -> Floats:
    """Return the inner corners of the walls' upper edge, shape (4, 3), clockwise from the top left."""
    x, y, z = tray.half_mm, tray.half_depth_mm, tray.wall_height_mm
    return np.array([[-x, y, z], [x, y, z], [x, -y, z], [-x, -y, z]])


def tag_corners_mm(tray: Tray, tag: int) -> Floats:
    """Return the black square's corners of tag 0 to 3, shape (4, 3), clockwise from the printed top left."""
    x, y = tray.tag_centre_mm(tag)
    h, z = tray.tag_mm / 2, tray.tags_z_mm
    return np.array([[x - h, y + h, z], [x + h, y + h, z], [x + h, y - h, z], [x - h, y - h, z]])


def as_text(calibration: Calibration) -> str:
    """Return a calibration as TOML that a person can read."""
    camera = asdict(calibration)
    tray, dice = camera.pop("tray"), camera.pop("dice")
    lines = [
        "# The camera over the tray, as dicereader found it from the printed tags. Millimetres and pixels.",
        "# The rotation goes from the tray's axes (x right, y away from the players, z up) to the camera's.",
        *_keys(camera),
        "",
        "[tray]",
        *_keys(tray),
    ]
    if dice is not None:
        lines += ["", "# Colours as blue, green, red; radius and places of the pips.", "[dice]", *_keys(dice)]
    return "\n".join(lines) + "\n"


def _keys(values: Mapping[str, object]) -> list[str]:
    """Return the lines of a table in TOML, which writes these values as JSON does."""
    return [f"{name} = {json.dumps(value)}" for name, value in values.items()]


def empty_file(path: Path) -> Path:
    """Return the file of the empty tray's picture: beside the calibration's file, with the same name."""
    return path.with_suffix(".png")


def save_with_empty(calibration: Calibration, empty: Pixels, path: Path) -> None:
    """Write a calibration and the picture of its empty tray beside it.

    Raises:
        CalibrationError: if either cannot be written.
    """
    import cv2  # only where a picture is written: the rest of the package is quick to import

    done, data = cv2.imencode(".png", empty)
    if not done:
        raise CalibrationError(f"expected a picture of the empty tray, got one of shape {empty.shape}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_together({empty_file(path): data.tobytes(), path: as_text(calibration).encode()})
    except OSError as error:
        raise CalibrationError(f"expected a place for the calibration, got {str(path)!r}: {error.strerror}") from error


def load_calibration(path: Path | str) -> tuple[Calibration, Pixels | None]:
    """Return the calibration of a file and the picture of its empty tray, None if no picture lies beside the file.

    Raises:
        CalibrationError: if either cannot be used.
    """
    known = load(path)
    beside = empty_file(Path(path))
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


def load(path: Path | str) -> Calibration:
    """Return the calibration of a file. Newer keys may be missing, and keys that are no longer used are ignored.

    Raises:
        CalibrationError: if the file cannot be used; the text names the file and the fault.
    """
    try:
        table = tomllib.loads(read_text(path))
    except OSError as error:
        raise CalibrationError(f"expected a calibration in {str(path)!r}, got: {error.strerror or error}") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise CalibrationError(f"expected a calibration in {str(path)!r}, got: {error}") from error
    if isinstance(dice := table.get("dice"), dict):
        table["dice"] = {name: value for name, value in dice.items() if name not in OF_FORMER_NETWORKS}
    try:
        found: Calibration = from_plain(Calibration, table, defaults=True)
    except (FormatError, ValueError, RecursionError) as error:
        raise CalibrationError(f"{path}: {error}") from error
    if "tray" not in table:
        raise CalibrationError(f"{path}: expected the tray's measures, got {sorted(table)}")
    return found


def _write_together(contents: Mapping[Path, bytes]) -> None:
    """Write some files that belong together: all are on the disk before the first one is replaced."""
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
