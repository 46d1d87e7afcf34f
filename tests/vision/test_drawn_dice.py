"""What the networks learn from: the labels of drawn scenes and of photographs agree with the pictures."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "training"))

from photographs import ENOUGH_DICE, truth_of
from picture_sets import OURS, read_set
from scenes import scene

from dicereader.stages.shared.classify import classify
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import rectify


def face_at(pixels: np.ndarray, centre: np.ndarray, u: np.ndarray, v: np.ndarray) -> int:
    """Return the face that the classifier sees at a place."""
    view = rectify(pixels)
    scale = float(view.to_picture[0, 0])
    places = Candidates(np.atleast_2d(centre) / scale, np.atleast_2d(u) / scale, np.atleast_2d(v) / scale, np.ones(1))
    return int(classify(view, places).face[0])


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
