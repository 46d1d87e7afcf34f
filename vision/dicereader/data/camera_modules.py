"""Know Raspberry Pi's camera modules: their names, pixels and fields of view. The data is in `camera_modules.toml`.

A field of view is given in degrees across (left to right) and upright (top to bottom) of a picture.
"""

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PICTURE_ASPECT = 4 / 3
"""Width of the pictures that are read, as a multiple of their height."""

LEAST_FIELD = 0.95
"""Fraction of a module's upright field below which a picture counts as cropped. A mode may leave out 2 % on each
side."""

Field = tuple[float, float]
"""A field of view in degrees: across and upright."""


@dataclass(frozen=True)
class CameraModule:
    """One module: its title, sensor and the field of view of the whole sensor in degrees.

    `array_px` is the sensor's size in pixels. `lens` names the lens that the field is of, empty for a built-in one.
    `pixel_um` is the pixels' pitch in micrometres and `focal_mm` the focal length in millimetres.
    """

    name: str
    title: str
    array_px: tuple[int, int]
    pixel_um: float
    focal_mm: float
    across_deg: float
    upright_deg: float
    lens: str = ""

    def field_deg(self, crop_px: tuple[float, float]) -> Field:
        """Return the field of view of the sensor's middle `crop_px` (width, height in pixels of the sensor).

        A pinhole camera sees tan(field / 2) in proportion to the pixels. The published fields of one lens differ by up
        to 5 % between across and upright, so each direction follows from its own figure.
        """
        (width, height), (across, upright) = self.array_px, (self.across_deg, self.upright_deg)
        return _part_deg(across, crop_px[0] / width), _part_deg(upright, crop_px[1] / height)

    def picture_field_deg(self) -> Field:
        """Return the field of view of a 4:3 picture of as much of the sensor as it can hold."""
        return self.field_deg(largest_crop(self.array_px, PICTURE_ASPECT))


@dataclass(frozen=True)
class CameraView:
    """What an open camera delivers: its name at libcamera, the sensor's mode in words, and the picture's field of view.

    `across_deg` and `upright_deg` are degrees, None for a camera that is in no list.
    """

    camera: str
    mode: str = ""
    across_deg: float | None = None
    upright_deg: float | None = None

    @property
    def known_across_deg(self) -> float | None:
        """The field across the picture in degrees; None for an unknown module or one sold without a lens."""
        module = module_named(self.camera)
        return None if module is None or module.lens else self.across_deg

    @property
    def cropped(self) -> bool:
        """Whether the picture may show less than the lens sees.

        A known module's own field is the measure. An unknown module shows its full field for certain only in a chosen
        mode.
        """
        module = module_named(self.camera)
        if module is None or self.upright_deg is None:
            return not self.mode
        return self.upright_deg < LEAST_FIELD * module.picture_field_deg()[1]

    def __str__(self) -> str:
        """Return the view in one line."""
        module = module_named(self.camera)
        known = f"{self.camera} ({module.title})" if module else self.camera
        mode = f"sensor mode {self.mode}" if self.mode else "the sensor mode is libcamera's choice"
        field = "field of view unknown"
        if self.across_deg is not None and self.upright_deg is not None:
            lens = f" with a {module.lens}" if module and module.lens else ""
            field = f"picture of {self.across_deg:.1f}° across and {self.upright_deg:.1f}° upright{lens}"
        return f"{known}, {mode}, {field}"


def largest_crop(size: tuple[float, float], aspect: float) -> tuple[float, float]:
    """Return the largest width and height of an aspect (width / height) that fit into a size."""
    width, height = size
    return min(width, height * aspect), min(height, width / aspect)


def module_named(name: str) -> CameraModule | None:
    """Return the module whose sensor libcamera or the kernel calls `name`, None for an unknown one.

    A NoIR module has the same lens as the one with a filter: `imx708_wide_noir` is `imx708_wide`.
    """
    return modules().get(name.removesuffix("_noir"))


@cache
def modules() -> dict[str, CameraModule]:
    """Return all known modules by the name of their sensor."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {name: _module(name, table) for name, table in tomllib.loads(text).items()}


def _module(name: str, table: dict[str, Any]) -> CameraModule:
    width, height = table["array_px"]
    across, upright = (_lens_deg(pixels * table["pixel_um"] / 1000, table["focal_mm"]) for pixels in (width, height))
    fields = {"across_deg": across, "upright_deg": upright} | table | {"array_px": (width, height)}
    return CameraModule(name, **fields)


def _lens_deg(sensor_mm: float, focal_mm: float) -> float:
    """Return the field of view in degrees of a distortion-free lens focused far away: 2 atan(sensor / 2 focal)."""
    return math.degrees(2 * math.atan(sensor_mm / 2 / focal_mm))


def _part_deg(whole_deg: float, part: float) -> float:
    """Return the field of view of the middle `part` (0 to 1) of a picture that sees `whole_deg`."""
    return math.degrees(2 * math.atan(math.tan(math.radians(whole_deg) / 2) * part))
