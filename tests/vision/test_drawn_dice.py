"""What the networks learn from: the labels of drawn scenes and of photographs agree with the pictures."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "training"))

from looks import Look
from photographs import ENOUGH_DICE, truth_of
from picture_sets import OURS, read_set
from scenes import Lens, scene
from solids import NORMALS, SceneLights, draw

from dicereader.stages.pips import LAYOUTS_TRIED, fit_patterns
from dicereader.stages.shared.crops import find_crops
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import rectify

PLAIN = Look(
    body=(200.0, 230.0, 240.0), pip=(20.0, 20.0, 20.0), one=(20.0, 20.0, 20.0), pip_r=0.09, one_r=0.09, two_r=0.09,
    pitch=0.25, two_pitch=0.25, six_narrow=1.0, along_a_side=False, rounding=0.1, ball_r=0.87,
    one_points=0, worn=np.zeros((6, 6), np.float32), swirl=(0.0, 0.0, 200.0), vein=0.0,
    grain=np.zeros((6, 3), np.float32), flecks=None, hollow=0.5, polish=0.0, rough=0.2, clear=0.0,
)  # fmt: skip
OVERHEAD = Lens(np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 20.0]), 60 * 20.0, (100.0, 100.0), 1.0)
DAYLIGHT = SceneLights(
    0.6,
    np.array([0.0, 0.0, 1.0], np.float32),
    np.array([[0.0, 0.0, 1.0]], np.float32),
    np.ones(1, np.float32),
    np.ones(1, np.float32),
)
FELT = (60, 90, 40)


def turned_up(face: int) -> np.ndarray:
    """Return the axes of a die that lies with this face up."""
    normal = np.array(NORMALS[face], float)
    side = np.roll(normal, 1)
    return np.stack([side, np.cross(normal, side), normal])


def picture(face: int, look: Look = PLAIN) -> np.ndarray:
    canvas = np.full((200, 200, 3), FELT, np.uint8)
    rays = OVERHEAD.rays(200, 200, 2)
    draw(canvas, look, OVERHEAD.at, rays, np.array([0.0, 0.0, 0.5]), turned_up(face), DAYLIGHT)
    return canvas


def face_at(pixels: np.ndarray, centre: np.ndarray, u: np.ndarray, v: np.ndarray) -> int:
    """Return the face whose layout fits best at a place."""
    view = rectify(pixels)
    scale = float(view.to_picture[0, 0])
    places = Candidates(np.atleast_2d(centre) / scale, np.atleast_2d(u) / scale, np.atleast_2d(v) / scale, np.ones(1))
    return LAYOUTS_TRIED[fit_patterns(find_crops(view, places))[0].argmax()].face


@pytest.mark.parametrize("face", range(1, 7))
def test_the_face_that_is_up_is_seen_from_above(face: int) -> None:
    pixels = picture(face)
    half = 30 * 20 / 19  # the top is an edge nearer to the camera than the table
    assert face_at(pixels, np.array([100.0, 100.0]), np.array([half, 0.0]), np.array([0.0, half])) == face


def test_a_pip_may_have_lost_its_paint() -> None:
    worn = np.zeros((6, 6), np.float32)
    worn[4, 2] = 1.0
    changed = (picture(5) != picture(5, replace(PLAIN, worn=worn))).any(2)
    rows, columns = np.nonzero(changed)
    assert 0 < changed.sum() < 200, "one pip alone"
    assert np.ptp(rows) < 20
    assert np.ptp(columns) < 20


def test_a_clear_die_shows_its_far_side() -> None:
    opaque, clear = picture(6).astype(int), picture(6, replace(PLAIN, clear=0.8)).astype(int)
    middle = np.s_[96:104, 96:104]  # the pip of the one is below it
    assert opaque[middle].mean() - clear[middle].mean() > 25


@pytest.mark.parametrize("seeds", [range(31, 34), pytest.param(range(40), marks=pytest.mark.exhaustive)])
def test_most_faces_in_scenes_agree_with_their_labels(seeds: range) -> None:
    right, asked = 0, 0
    assert np.array_equal(scene(seeds[0])[0], scene(seeds[0])[0]), "the same seed gives the same scene"
    for seed in seeds:
        pixels, dice = scene(seed)
        for die in dice:
            if die.aslant_deg < 25 and die.half_px > 12:
                found = face_at(pixels, np.array(die.centre), np.array(die.along), np.array(die.across))
                right, asked = right + (found == die.face), asked + 1
    assert asked > len(seeds)
    assert right > 0.7 * asked, f"{right} of {asked}"


def test_faces_that_the_reader_sees_in_their_boxes_have_a_place_and_a_shape() -> None:
    for picture in read_set(OURS / "one-lamp").pictures[:3]:
        _, truth, slant = truth_of(picture)
        assert slant.shape == (len(truth.face), 2)
        assert truth.posed.sum() >= ENOUGH_DICE
        assert np.isfinite(slant[:, 0]).tolist() == truth.posed.tolist()
        assert truth.face.tolist() == [die.face for die in picture.dice]
        assert truth.posed.any()
        for die, centre, half in zip(picture.dice, truth.centre, truth.half, strict=True):
            assert die.holds(*centre)
            assert 0.5 < 4 * half / sum(die.box[2:]) < 1.3
