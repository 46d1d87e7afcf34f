"""Choose the sensor's mode for a camera on the ribbon, so that the picture shows the lens's whole field.

A sensor offers some modes: the size that it sends, and the part of its pixels that this size is taken from. Left to
itself picamera2 takes the mode whose size is nearest to the picture's, even if it sees the middle alone: for the imx708
and 1280 x 960 that is 1536 x 864, a crop of two thirds. picamera2 lists the modes in `sensor_modes`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dicereader.data.camera_modules import CameraView, largest_crop, module_named

Size = tuple[int, int]
Crop = tuple[int, int, int, int]
"""A part of the sensor in its own pixels: x, y, width, height."""

TOLERANCE = 0.02
"""Part of the sensor's width or height that a mode may leave out and still count as full field.

The ov5647's 640 x 480 leaves out 16 of 2592 columns on each side, 0.6 %. The least crop of any module leaves out 13 %.
"""


@dataclass(frozen=True)
class SensorMode:
    """One mode: the size in pixels and bits that the sensor sends, the part that it sees, and its most frames a second.

    `fps` is 0 if it is not known.
    """

    size: Size
    bit_depth: int
    crop: Crop
    fps: float = 0.0

    def __str__(self) -> str:
        """Return the mode in words."""
        rate = f", up to {self.fps:.0f} frames a second" if self.fps else ""
        return f"{self.size[0]} x {self.size[1]} of {self.crop[2]} x {self.crop[3]} pixels, {self.bit_depth} bit{rate}"

    @property
    def request(self) -> dict[str, Any]:
        """The mode as picamera2's configurations name it in `sensor`."""
        return {"output_size": self.size, "bit_depth": self.bit_depth}

    def sees_all(self, array: Size) -> bool:
        """Return whether the mode sees the whole sensor of `array` pixels, within the tolerance on each side."""
        x, y, width, height = self.crop
        spans = ((x, width, array[0]), (y, height, array[1]))
        return all(
            start <= TOLERANCE * most and start + length >= (1 - TOLERANCE) * most for start, length, most in spans
        )


def full_field_mode(modes: Iterable[SensorMode], array: Size, picture: Size) -> SensorMode | None:
    """Return the smallest mode that sees the whole sensor and is at least as large as the picture.

    If all are smaller than the picture, return the largest one that sees the whole sensor. Of two modes with one size
    return the one with more bits. Return None if no mode sees the whole sensor.
    """
    full = [mode for mode in modes if mode.sees_all(array)]
    enough = [mode for mode in full if mode.size[0] >= picture[0] and mode.size[1] >= picture[1]]
    if enough:
        return min(enough, key=lambda mode: (_area(mode.size), -mode.bit_depth))
    return max(full, key=lambda mode: (_area(mode.size), mode.bit_depth), default=None)


def chosen_mode(camera: Any, picture: Size) -> SensorMode | None:
    """Return the full-field mode of picamera2's open camera; None for a camera without modes, such as a USB one.

    Reading the modes configures the camera once for each of them, so this comes before the camera's own configuration.
    """
    modes = _modes_of(camera)
    return full_field_mode(modes, _array_of(camera, modes), picture) if modes else None


def view_of(name: str, mode: SensorMode | None, crop: Crop | None, picture: Size) -> CameraView:
    """Return what the pictures of a camera show.

    Args:
        name: the camera's name at libcamera.
        mode: the mode that was asked for, None if libcamera chose.
        crop: the part of the sensor that a frame's metadata names (`ScalerCrop`), None if they lack it.
        picture: the picture's size; of a sensor with another aspect the ISP leaves out the sides.
    """
    module = module_named(name)
    part = crop or (mode.crop if mode else None)
    if module is None or part is None:
        return CameraView(name, str(mode or ""))
    across, upright = module.field_deg(largest_crop(part[2:], picture[0] / picture[1]))
    return CameraView(name, str(mode or ""), round(across, 1), round(upright, 1))


def _modes_of(camera: Any) -> tuple[SensorMode, ...]:
    """Return the modes that picamera2 lists, without those that have no size or no crop.

    The largest modes need memory that a small Pi may lack. picamera2 keeps the modes that it had read before such a
    failure, and lists them when asked again.
    """
    for _ in range(2):
        try:
            return tuple(mode for each in camera.sensor_modes if (mode := _mode(each)) is not None)
        except (RuntimeError, KeyError, AttributeError, TypeError, OSError):
            continue
    return ()


def _mode(listed: Mapping[str, Any]) -> SensorMode | None:
    if not {"size", "bit_depth", "crop_limits"} <= listed.keys():
        return None
    (width, height), (x, y, wide, high) = listed["size"], listed["crop_limits"]
    if width < 1 or height < 1 or wide < 1 or high < 1:
        return None
    return SensorMode((width, height), listed["bit_depth"], (x, y, wide, high), listed.get("fps", 0.0))


def _array_of(camera: Any, modes: Iterable[SensorMode]) -> Size:
    """Return the sensor's pixels, across and upright: as libcamera says, else those that its modes reach."""
    said = camera.camera_properties.get("PixelArraySize")
    if said:
        return said[0], said[1]
    return max(mode.crop[0] + mode.crop[2] for mode in modes), max(mode.crop[1] + mode.crop[3] for mode in modes)


def _area(size: Size) -> int:
    return size[0] * size[1]
