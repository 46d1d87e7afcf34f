"""The choice of the sensor's mode, and the field of view of its picture."""

import itertools
import math
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from published_modes import ARRAYS, FULL_FIELD, MODES, NEWER_IMX477, WITHOUT_CROP, listed

from dicereader.data.camera_modules import CameraView, module_named, modules
from dicereader.sources.sensor_modes import SensorMode, chosen_mode, full_field_mode, view_of

PICTURE = 1280, 960


def camera(rows: list[dict[str, Any]], array: tuple[int, int] | None) -> Any:
    """Return an open camera with picamera2's attributes."""
    return SimpleNamespace(sensor_modes=rows, camera_properties={"PixelArraySize": array} if array else {})


@pytest.mark.parametrize("sensor", MODES)
def test_each_modules_mode_is_the_smallest_that_sees_the_whole_sensor_in_any_order(sensor: str) -> None:
    for rows, array in itertools.product((MODES[sensor], MODES[sensor][::-1]), (ARRAYS[sensor], None)):
        mode = chosen_mode(camera(listed(rows), array), PICTURE)
        assert (mode.size, mode.crop) == (FULL_FIELD[sensor], (0, 0, *ARRAYS[sensor]))


def test_the_mode_with_more_bits_is_chosen_and_the_small_crop_of_newer_kernels_is_not_taken_for_the_whole() -> None:
    mode = chosen_mode(camera(listed(MODES["imx219"]), ARRAYS["imx219"]), PICTURE)
    assert mode.request == {"output_size": (1640, 1232), "bit_depth": 10}
    mode = chosen_mode(camera(listed(NEWER_IMX477), ARRAYS["imx477"]), PICTURE)
    assert (mode.size, mode.bit_depth) == ((2028, 1520), 12)


def test_a_mode_that_leaves_out_a_few_columns_is_full_field() -> None:
    assert SensorMode((640, 480), 10, (16, 0, 2560, 1920)).sees_all((2592, 1944))
    assert not SensorMode((1920, 1080), 12, (0, 440, 4056, 2160)).sees_all((4056, 3040))
    assert not SensorMode((4056, 2160), 12, (0, 440, 4056, 3040)).sees_all((4056, 3040))  # as kernel 6.12 lists it


def test_if_every_full_field_mode_is_smaller_than_the_picture_the_largest_is_chosen() -> None:
    modes = [SensorMode(size, 10, (0, 0, 1280, 800)) for size in ((640, 400), (1280, 800))]
    chosen = full_field_mode([*modes, SensorMode((1280, 960), 10, (200, 200, 700, 500))], (1280, 800), PICTURE)
    assert chosen == modes[1]


@pytest.mark.parametrize(
    ("rows", "array"),
    [
        (listed(WITHOUT_CROP), (4608, 2592)),
        ([{"format": "MJPEG"}, {"format": "YUYV"}], None),  # picamera2's list for a USB camera
        ([], None),
        (listed(MODES["imx708"][:1]), (4608, 2592)),
    ],
    ids=["the driver names no crop", "a USB camera", "no modes", "a crop alone"],
)
def test_a_camera_without_a_full_field_mode_is_left_to_libcamera(rows: Any, array: Any) -> None:
    assert chosen_mode(camera(rows, array), PICTURE) is None


@pytest.mark.parametrize(
    ("error", "kept", "size"),
    [
        (OSError(12, "Cannot allocate memory"), listed(MODES["imx708"][:2]), (2304, 1296)),
        (AttributeError("'NoneType' object has no attribute 'at'"), [], None),
    ],
)
def test_modes_that_were_read_before_an_error_are_used(error: Exception, kept: list[dict[str, Any]], size: Any) -> None:
    class Poor:
        """A camera whose largest mode needs too much memory. picamera2 keeps the modes that it read before."""

        camera_properties: ClassVar = {"PixelArraySize": (4608, 2592)}
        asked = 0

        @property
        def sensor_modes(self) -> list[dict[str, Any]]:
            self.asked += 1
            if self.asked == 1 or not kept:
                raise error
            return kept

    mode = chosen_mode(Poor(), PICTURE)
    assert (mode and mode.size) == size


@pytest.mark.parametrize(
    ("sensor", "across", "upright"),
    [
        ("ov5647", 53.5, 41.4),
        ("imx219", 62.2, 48.7),
        ("imx477", 55.3, 42.9),
        ("imx708", 52.0, 41.0),
        ("imx708_wide", 85.6, 67.0),
        ("imx708_wide_noir", 85.6, 67.0),
    ],
)
def test_the_field_of_the_picture_is_that_of_four_to_three_of_the_sensor(sensor: str, across: float, upright: float):
    rows = MODES[sensor.removesuffix("_noir")]
    view = view_of(sensor, chosen_mode(camera(listed(rows), None), PICTURE), None, PICTURE)
    assert (view.across_deg, view.upright_deg) == pytest.approx((across, upright), abs=0.15)


def test_the_crop_of_a_frames_metadata_decides_the_field() -> None:
    cropped = view_of("imx708", None, (1152, 432, 2304, 1728), PICTURE)  # libcamera's choice for 1536 x 864
    assert (cropped.across_deg, cropped.upright_deg) == pytest.approx((36.0, 28.0), abs=0.1)


@pytest.mark.parametrize(
    ("view", "cropped"),
    [
        (CameraView("imx708", "2304 x 1296", 51.9, 41.0), False),
        (CameraView("imx708", "2304 x 1296", 36.0, 28.0), True),  # libcamera took another mode than requested
        (CameraView("imx708", "", 51.9, 41.0), False),  # libcamera's own choice shows the whole field
        (CameraView("imx519", "2328 x 1748"), False),
        (CameraView("imx519"), True),
    ],
)
def test_a_view_knows_whether_its_picture_may_be_cropped(view: CameraView, cropped: bool) -> None:
    assert view.cropped is cropped


def test_a_view_is_one_line_for_the_log() -> None:
    mode = chosen_mode(camera(listed(MODES["imx477"]), None), PICTURE)
    line = str(view_of("imx477", mode, None, PICTURE))
    for part in (str(module_named("imx477").title), str(mode), "55.3° across and 42.9° upright with a 6 mm lens"):
        assert part in line
    assert str(CameraView("Virtual0")) == "Virtual0, the sensor mode is libcamera's choice, field of view unknown"


@pytest.mark.parametrize("name", list(modules()))
def test_published_fields_agree_with_pitch_and_focal_length(name: str) -> None:
    module = module_named(name)
    for pixels, degrees in zip(module.array_px, (module.across_deg, module.upright_deg), strict=True):
        focal_mm = pixels * module.pixel_um / 1000 / 2 / math.tan(math.radians(degrees) / 2)
        assert focal_mm == pytest.approx(module.focal_mm, rel=0.06)
