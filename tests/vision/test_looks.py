"""Places in doubt are cut out of a picture and read once more."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from dicereader.data.pictures import load
from dicereader.reading import Doubt
from dicereader.stages.shared.rectify import rectify
from dicereader.stages.unknown.looks import PLACE_REACH, cut_out, look_again
from dicereader.stages.unknown.uncalibrated import ReadingPass, first_pass
from dicereader.stages.unknown.variants import VARIANTS

TRAYS = Path(__file__).parent.parent / "pictures" / "trays"


@pytest.fixture(scope="module")
def clear() -> ReadingPass:
    """A tray without a die in doubt."""
    return first_pass(load(TRAYS / "00107.jpg"))


@pytest.mark.parametrize("half", [9.0, 15.0, 25.0, 60.0])
def test_a_cutout_shows_the_same_part_and_its_points_map_back(half: float) -> None:
    rough = np.random.default_rng(1).integers(0, 256, (24, 32, 3)).astype(np.uint8)
    view = rectify(np.asarray(cv2.resize(rough, (1280, 960), interpolation=cv2.INTER_CUBIC)))
    points = np.array([[640.0, 480.0], [3.0, 2.0], [1279.0, 959.0], [200.0, 700.0], [900.0, 100.0]])
    cut = cut_out(view, points, half)
    assert cut.there(cut.middle) == pytest.approx(points)
    around = points[:, None] + 0.9 * PLACE_REACH * half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    assert cut.there(cut.here(around, np.arange(5))) == pytest.approx(around)
    for (x, y), (left, top) in zip(np.rint(cut.middle).astype(int), cut.origin, strict=True):
        assert (left <= x < left + cut.side, top <= y < top + cut.side) == (True, True)
    for at, middle in zip(points[[0, 3, 4]], cut.middle[[0, 3, 4]], strict=True):
        source = view.levels[cut.level]
        x, y = np.rint((at + 0.5) / 2**cut.level - 0.5).astype(int)
        u, v = np.rint(middle).astype(int)
        assert (
            np.abs(cut.view.levels[0][v, u].astype(int) - source[y, x]).max() <= 24
        )  # the rounding may give the neighbouring pixel


def test_a_second_look_reads_the_same_dice_at_the_same_places(clear: ReadingPass) -> None:
    faces, middles = clear.chosen.dice.face, clear.view.in_picture(clear.chosen.dice.places.centre)
    poor = np.full(len(faces), 0.01)
    places = replace(clear.chosen.dice.places, probability=poor)
    doubtful = replace(clear.chosen.dice, places=places, probability=poor, score=poor)
    looks = list(look_again(clear.view, replace(clear.chosen, dice=doubtful), [], None, len(faces)))
    assert len(looks) == len(VARIANTS) + 1
    for reading in looks:
        found = {die.face: die.top.centre for die in reading.dice}
        assert sorted(reading.faces) == sorted(faces.tolist())
        for face, middle in zip(faces.tolist(), middles, strict=True):
            if (faces == face).sum() == 1:
                assert found[face] == pytest.approx(middle, abs=2.5)
    *others, last = looks
    assert any(reading.sure for reading in others)
    assert Doubt.COUNT in last.doubts  # a stretched face proves nothing


def test_places_beyond_the_limit_of_second_looks_stay_in_doubt(clear: ReadingPass) -> None:
    bodies = [corners + 150.0 for corners in clear.chosen.dice.places.corners[:3]]
    assert not list(look_again(clear.view, clear.chosen, bodies, None, 2))
    assert list(look_again(clear.view, clear.chosen, bodies, None, 3))
    assert not list(look_again(clear.view, clear.chosen, [], None, 3))


def test_a_body_is_read_if_it_shows_a_face_and_else_stays_in_doubt(clear: ReadingPass) -> None:
    dice = clear.chosen.dice
    body = dice.places.corners[0]
    rest = replace(clear.chosen, dice=dice.take(np.arange(1, len(dice))))
    faces = sorted(dice.face.tolist())
    read = next(look_again(clear.view, rest, [body], None, 5))
    assert (sorted(read.faces), read.sure) == (faces, True)
    for missed in look_again(clear.view, rest, [body, body + 150.0], None, 5):
        assert (missed.sure, missed.doubts) == (False, (Doubt.COUNT,))
