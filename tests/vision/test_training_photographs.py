"""The labels of photographs for training: the reader finds the places, and the labels give faces and boxes."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "training"))

from photographs import ENOUGH_DICE, truth_of
from picture_sets import OURS, read_set


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
