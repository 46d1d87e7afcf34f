"""The labels of photographs for training: the reader finds the places, and the labels give faces and boxes."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "training"))

from photographs import ENOUGH_DICE, truth_of
from picture_sets import MISLABELLED, OURS, all_sets, read_set


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


@pytest.mark.shared
def test_each_corrected_label_is_of_one_development_die_and_was_another(shared: Path) -> None:
    found = [
        (picture, die, MISLABELLED[picture.path.name, *die.box[:2]])
        for each in all_sets()
        for picture in each.pictures
        for die in picture.dice
        if die.box and (picture.path.name, *die.box[:2]) in MISLABELLED
    ]
    assert len(found) == len(MISLABELLED)
    for picture, die, face in found:
        assert (picture.held_out, die.face) == (False, face)
        rows = map(json.loads, (picture.path.parent / "truth.jsonl").read_text(encoding="utf-8").splitlines())
        (row,) = (row for row in rows if row["image"] == picture.path.name)
        assert [each["pips"] for each in row["dice"] if tuple(each["box"]) == die.box] != [face]
