"""The steps of the reader one by one: candidates, crops, the network's opinion, confidence."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dicereader.pictures import load
from dicereader.stages.candidates import find_candidates, ones
from dicereader.stages.confidence import FEATURES, weights
from dicereader.stages.crops import SIDE, find_crops
from dicereader.stages.network import CLASSES, opinions
from dicereader.stages.pips import Pips, find_pips
from dicereader.stages.poses import Poses, find_poses
from dicereader.stages.rectify import View, rectify
from dicereader.stages.segment import HALF

TRAY = Path(__file__).parent.parent / "pictures" / "trays" / "00104.jpg"


@pytest.fixture(scope="module")
def seen() -> tuple[View, Pips, Poses]:
    view = rectify(load(TRAY))
    pips = find_pips(view)
    return view, pips, find_candidates(view, pips, find_poses(view, pips))


def test_every_face_of_a_tray_is_among_the_candidates(seen) -> None:
    view, _, candidates = seen
    said = opinions(find_crops(view, candidates))
    assert (said.likely > 0.5).sum() >= 6


def test_an_opinion_is_a_share_of_each_class(seen) -> None:
    view, _, candidates = seen
    said = opinions(find_crops(view, candidates)).said
    assert said.shape == (len(candidates), CLASSES)
    assert np.allclose(said.sum(1), 1)


def test_no_crops_have_no_opinions() -> None:
    assert opinions(np.zeros((0, 2, SIDE, SIDE), np.float32)).said.shape == (0, CLASSES)


def test_crops_asked_about_together_are_told_as_alone(seen) -> None:
    view, _, candidates = seen
    crops = find_crops(view, candidates)[:7]
    together = opinions(crops).said
    alone = np.concatenate([opinions(crop[None]).said for crop in crops])
    assert np.allclose(together, alone, atol=1e-5)


def test_pips_are_dark_in_a_crop_of_either_polarity(seen) -> None:
    view, _, candidates = seen
    said = opinions(find_crops(view, candidates)).said
    best = candidates.take(said[:, 5:6].argmax(0))
    middle = find_crops(view, best)[0, 0, SIDE // 2 - 1 : SIDE // 2 + 1, SIDE // 2 - 1 : SIDE // 2 + 1]
    assert middle.mean() < -0.5


def test_a_single_pip_gets_a_face_of_the_size_asked_for(seen) -> None:
    _, pips, _ = seen
    some = pips.take(np.array([0, 1]))
    poses = ones(some, np.array([20.0, 30.0]), np.array([0.0, 0.5]))
    assert poses.face.tolist() == [1, 1]
    assert np.allclose(poses.pitch * HALF, [20, 30])


def test_every_feature_has_a_weight() -> None:
    assert weights().shape == (len(FEATURES),)
    assert np.isfinite(weights()).all()


def test_what_speaks_for_a_face_raises_its_confidence() -> None:
    by_name = dict(zip(FEATURES, weights(), strict=True))
    assert by_name["said"] > 0
    assert by_name["rival"] <= 0


def test_reading_needs_no_training_library() -> None:
    code = "import sys, dicereader.reader; sys.exit(any(name in sys.modules for name in ('torch', 'onnx')))"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
