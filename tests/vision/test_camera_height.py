"""The least height of the camera, and the message about a camera that hangs too low."""

import math

import cv2
import numpy as np
import pytest
from drawn_table import drawn_table

from dicereader.data.camera_modules import CameraView, module_named
from dicereader.tray.calibration import Calibration, focal_px, tag_corners_mm
from dicereader.tray.camera_place import TrayProblem, framing_problem, needed_height_mm
from dicereader.tray.fitness import problems_of
from dicereader.tray.geometry import Tray

SIZE = 1280, 960
TAGS_MM = Tray().tags_z_mm
DOWN = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))


def hung(height_mm: float, across_deg: float, x_mm: float = 0.0, y_mm: float = 0.0, tray: Tray | None = None):
    """Return a camera that looks straight down."""
    place = (x_mm, y_mm, height_mm)
    return Calibration(*SIZE, focal_px(SIZE[0], across_deg), DOWN, place, tray or Tray())


def seen_tags(camera: Calibration) -> dict[int, np.ndarray]:
    """Return the tags whose black squares are whole in the picture."""
    corners = {n: np.array([camera.project(*p) for p in tag_corners_mm(camera.tray, n)]) for n in range(4)}
    return {n: c for n, c in corners.items() if (c >= 0).all() and (c <= (SIZE[0] - 1, SIZE[1] - 1)).all()}


@pytest.mark.parametrize(
    ("sensor", "cm"), [("ov5647", 42), ("imx219", 35), ("imx477", 40), ("imx708", 42), ("imx708_wide", 25)]
)
def test_at_a_modules_least_height_the_whole_tray_is_in_the_picture_and_a_bit_lower_it_is_not(
    sensor: str, cm: int
) -> None:
    module = module_named(sensor)
    _, upright = module.picture_field_deg()
    across = math.degrees(2 * math.atan(math.tan(math.radians(upright) / 2) * 4 / 3))  # one focal length in both
    least = needed_height_mm(upright)
    assert round(least / 10) == cm
    assert least == pytest.approx(needed_height_mm(upright, Tray(wall_height_mm=0.0)) + 30.0)  # the tags' height
    assert framing_problem(seen_tags(hung(least + 1, across)), SIZE) is None
    lower_mm = 0.045 * (least - TAGS_MM)  # the picture cuts the plates, but not the black squares
    low = framing_problem(seen_tags(hung(least - lower_mm, across)), SIZE)
    assert low is not None
    assert low.kind == "camera too low"
    assert 100 * (1 / 0.955 - 1) <= low.raise_percent < 100 * (1 / 0.955 - 1) + 1.5


@pytest.mark.parametrize(
    ("across", "percent", "place_mm", "tray", "seen"),
    [
        *((across, 12, (0.0, -60.0), Tray(), [2, 3]) for across in (52.0, 62.2, 85.6)),
        *((52.0, percent, (0.0, 60.0), Tray(), [0, 1]) for percent in (8, 18)),
        (53.0, 16, (120.0, 80.0), Tray(), [1]),
        (53.0, 11, (0.0, 50.0), Tray(inner_mm=150.0), [0, 1]),
    ],
)
def test_the_missing_height_is_found_from_one_or_two_tags_of_any_tray(
    across: float, percent: int, place_mm: tuple[float, float], tray: Tray, seen: list[int]
) -> None:
    upright = math.degrees(2 * math.atan(math.tan(math.radians(across) / 2) * 3 / 4))
    height = TAGS_MM + (needed_height_mm(upright, tray) - TAGS_MM) / (1 + (percent - 0.5) / 100)
    tags = seen_tags(hung(height, across, *place_mm, tray=tray))
    assert list(tags) == seen
    assert framing_problem(tags, SIZE) == TrayProblem("camera too low", raise_percent=percent)


def test_a_camera_that_is_high_enough_and_off_centre_is_moved_sideways() -> None:
    places = {"left": (120.0, 0.0), "right": (-120.0, 0.0), "down": (0.0, 60.0), "up": (0.0, -60.0)}  # of the camera
    for way, (x, y) in places.items():
        problem = framing_problem(seen_tags(hung(420.0, 62.2, x, y)), SIZE)
        assert problem is not None
        assert (problem.kind, problem.move_cm[-1][0]) == ("camera off centre", way)


def test_a_tag_hidden_in_the_middle_of_the_picture_does_not_mean_too_low() -> None:
    tags = seen_tags(hung(450.0, 62.2))
    del tags[2]
    assert framing_problem(tags, SIZE) is None
    assert framing_problem({}, SIZE) is None


def test_a_drawn_tray_that_the_picture_cuts_is_reported_as_too_low() -> None:
    picture = drawn_table(7).empty
    height, width = picture.shape[:2]
    part = picture[: int(height * 0.75), : int(width * 0.75)]  # a lens with a smaller field of view, off the middle
    cut = cv2.resize(part, (width, height), interpolation=cv2.INTER_CUBIC)
    problems = problems_of(cut, view=CameraView("imx708", "", 52.0, 41.0))
    (place,) = (each for each in problems if each.kind.startswith("camera"))
    assert (place.kind, place.raise_percent > 0) == ("camera too low", True)
    assert not any(each.kind.startswith("camera") for each in problems_of(cut, corners_given=True))


def test_without_a_tag_the_least_height_of_a_known_lens_is_told() -> None:
    bare = np.full((960, 1280, 3), 90, np.uint8)
    least = [
        problem.least_cm
        for view in (CameraView("imx708_wide", "", 85.6, 67.0), None)
        for problem in problems_of(bare, view=view)
        if problem.kind == "tag hidden"
    ]
    assert least == [25, 0]
