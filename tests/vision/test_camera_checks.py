"""The measures of camera and light: a good drawn table is within every limit, and each fault exceeds its own limit."""

import cv2
import numpy as np
import pytest
from drawn_table import THROWS, Table

from dicereader import read
from dicereader.data.frame import Pixels
from dicereader.sources.synthetic.world import World
from dicereader.tray.calibration import Calibration
from dicereader.tray.camera_checks import (
    dice_left,
    evenness,
    flicker,
    frame_rate,
    reading_time,
    reflections,
    saturated_dice,
    sharpness,
)
from dicereader.tray.tags import find_tags


@pytest.fixture
def camera(table: Table) -> Calibration:
    return table.source.camera


def frames(table: Table) -> list[Pixels]:
    table.source.set_world(World(table.seed, ()))
    taken = [table.source.next(1.0) for _ in range(8)]
    return [np.array(frame.pixels) for frame in taken if frame is not None]


def lit(pixels: Pixels, factor: np.ndarray | float) -> Pixels:
    """Return the picture with its light multiplied."""
    return np.clip(pixels * np.asarray(factor), 0, 255).astype(np.uint8)


def boxed(table: Table, camera: Calibration, factor: float):
    """Return throws in this light, each with the boxes of its dice."""
    throws = [table.throw(dice) for dice in THROWS[:2]]
    return [(lit(each, factor), [die.box for die in read(each, calibration=camera).dice]) for each in throws]


def bands(taken: list[Pixels], strength: float, wander: float) -> list[Pixels]:
    """Return frames in the light of a mains lamp: 2.4 bands in a picture, which move by a part of a band each frame."""
    rows = np.arange(taken[0].shape[0]) / taken[0].shape[0]
    phases = [2 * np.pi * (2.4 * rows + wander * n) for n in range(len(taken))]
    return [lit(frame, 1 + strength * np.sin(phase)[:, None, None]) for frame, phase in zip(taken, phases, strict=True)]


def test_a_good_table_is_within_every_limit(table: Table, camera: Calibration) -> None:
    still = frames(table)
    measures = [
        sharpness(still[0], find_tags(still[0])),
        evenness(still[0], camera),
        flicker(still, camera),
        reflections(still[0], camera),
        saturated_dice(boxed(table, camera, 1.0)),
    ]
    assert [(each.name, each.value) for each in measures if not each.good] == []


def test_a_lens_out_of_focus_softens_the_tags_and_one_soft_corner_is_enough(table: Table) -> None:
    tags, part = find_tags(table.empty), table.empty.copy()
    x, y = tags[2].mean(0).astype(int)
    around = np.s_[y - 60 : y + 60, x - 60 : x + 60]
    part[around] = cv2.GaussianBlur(part, (0, 0), 2.0)[around]
    for soft in (part, *(cv2.GaussianBlur(table.empty, (0, 0), blur_px) for blur_px in (1.6, 6.0))):
        assert sharpness(soft, tags).good is False
    assert "set the lens" in sharpness(part, tags).cure


def test_a_lamp_at_one_side_is_uneven(table: Table, camera: Calibration) -> None:
    falling = np.linspace(1.0, 0.1, table.empty.shape[1])[None, :, None]
    measure = evenness(lit(table.empty, falling), camera)
    assert measure.good is False
    assert evenness(lit(table.empty, 0.7), camera).good  # less light everywhere is still even light


@pytest.mark.parametrize("wander", [1 / 3, 0.07])
def test_moving_bands_are_flicker(table: Table, camera: Calibration, wander: float) -> None:
    still = frames(table)
    measure = flicker(bands(still, 0.06, wander), camera)
    assert measure.good is False
    assert "picamera2:0,60" in measure.cure
    assert flicker(bands(still, 0.01, wander), camera).good
    pulsing = [lit(frame, 0.93 if n % 2 else 1.0) for n, frame in enumerate(still)]
    assert flicker(pulsing, camera).good is False  # a lamp that changes as a whole


@pytest.mark.parametrize(("radius_mm", "good"), [(1.0, True), (4.0, False)])
def test_a_mirrored_lamp_on_the_floor_is_a_reflection(
    table: Table, camera: Calibration, radius_mm: float, good: bool
) -> None:
    shiny = table.empty.copy()
    x, y = camera.project(30.0, 20.0, 0.0)
    radius = camera.die_px(x, y) / camera.tray.die_mm * radius_mm
    cv2.circle(shiny, (round(x), round(y)), round(radius), (255, 255, 255), -1)
    measure = reflections(shiny, camera)
    assert measure.good is good
    assert measure.value == pytest.approx(np.pi * radius_mm**2, rel=0.35)


def test_a_white_wall_is_no_reflection_on_the_floor(table: Table, camera: Calibration) -> None:
    white = table.empty.copy()
    x, y = camera.project(-camera.tray.half_mm - 5.0, 0.0, 30.0)
    cv2.circle(white, (round(x), round(y)), 9, (255, 255, 255), -1)
    assert reflections(white, camera).value == 0.0


def test_dice_that_lie_in_an_empty_tray_are_counted(table: Table) -> None:
    assert dice_left(read(table.empty)).good
    measure = dice_left(read(table.throw(THROWS[0])))
    assert (measure.good, measure.value) == (False, len(THROWS[0]))
    assert {"x", "y", "w", "h"} == measure.record()["place"].keys()


def test_dice_in_too_much_light_are_saturated(table: Table, camera: Calibration) -> None:
    measure = saturated_dice(boxed(table, camera, 1.6))
    assert measure.good is False
    assert "less light" in measure.cure


def test_frames_are_counted_over_their_time_and_a_slow_reading_is_reported() -> None:
    assert reading_time([40.0, 45.0, 900.0]).good
    assert reading_time([600.0, 700.0]).good is False
    assert reading_time([]).value is None
    good, bad = (frame_rate([n / rate for n in range(16)]) for rate in (30, 5))
    assert (good.value, bad.good) == (pytest.approx(30.0), False)
    assert list(good.lines()) == ["frames a second:           30.0, at least 15: good"]
    assert list(bad.lines()) == ["frames a second:           5.0, at least 15: WRONG", f"  cure: {bad.cure}"]
    assert bad.record() | {"value": 5.0, "good": False} == bad.record()
    assert "place" not in bad.record()
    assert frame_rate([2.0] * 9).value is None
    assert frame_rate([]).value is None


def test_without_a_tray_its_measures_are_left_out(table: Table) -> None:
    still = frames(table)
    for measure in (
        evenness(still[0], None),
        flicker(still, None),
        reflections(still[0], None),
        sharpness(still[0], {}),
    ):
        assert (measure.value, measure.good) == (None, None)
        assert "not measured" in "".join(measure.lines())
    assert saturated_dice([]).good is None
