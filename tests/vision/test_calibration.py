"""Where the camera is, from four tags."""

import errno
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from dicereader.errors import CalibrationError
from dicereader.reading import Zone
from dicereader.sources.synthetic.camera import camera_for
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.calibration import (
    Calibration,
    DiceSet,
    as_text,
    load,
    load_calibration,
    save_with_empty,
)
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import from_tags
from dicereader.tray.tags import outside_tags, with_hidden

DICE = DiceSet((200.0, 210.5, 220.0), (20.0, 30.0, 40.0), 1.5, 1.9, 4.1, 3.9)


def straight_down(height_mm: float = 400.0) -> Calibration:
    rows = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    return Calibration(961, 721, 800.0, rows, (0.0, 0.0, height_mm))


def empty_tray(seed: int) -> tuple[np.ndarray, Calibration]:
    source = SyntheticSource(lambda: 0.0, seed=seed)
    return source.empty_picture(), source.camera


def test_a_camera_straight_above_sees_the_middle_the_far_side_up_and_the_zones_of_its_tray():
    camera = straight_down()
    assert camera.project(0, 0, 0) == pytest.approx((480, 360))
    assert camera.project(50, 0, 30)[0] == pytest.approx(480 + 50 * 800 / 370)  # higher objects look larger
    assert camera.project(0, 50, 0)[1] < 360 < camera.project(0, -50, 0)[1]
    assert [camera.zone(0, y) for y in (0, -100, -130)] == [Zone.THROW, Zone.SHELF, None]


def test_projection_its_inverse_its_homography_and_the_length_of_a_die_agree():
    camera = camera_for(3, Tray())
    for x, y, z in ((-80.0, 90.0, 0.0), (12.5, -100.0, 16.0), (100.0, 20.0, 33.0)):
        assert camera.place(*camera.project(x, y, z), z) == pytest.approx((x, y))
        u, v, w = camera.at_height(z) @ np.array([x, y, 1.0])
        assert (u / w, v / w) == pytest.approx(camera.project(x, y, z))
    left, right = camera.project(32.0, 30.0, 16.0), camera.project(48.0, 30.0, 16.0)
    assert camera.die_px(*camera.project(40.0, 30.0, 16.0)) == pytest.approx(math.dist(left, right), rel=0.03)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (0, 2, 3))])
def test_the_tags_of_a_drawn_tray_give_the_camera_that_drew_it(seed):
    picture, truth = empty_tray(seed)
    found = from_tags(picture)
    for x in (-100.0, 0.0, 100.0):
        for y in (-100.0, 0.0, 100.0):
            for z in (0.0, 16.0, 30.0):
                assert math.dist(found.project(x, y, z), truth.project(x, y, z)) < 1.0
    assert found.position_mm[2] == pytest.approx(truth.position_mm[2], rel=0.01)


def test_the_error_of_a_picture_names_hidden_tags_or_another_tray():
    picture, truth = empty_tray(1)
    with pytest.raises(CalibrationError, match="expected the tags where the tray has them"):
        from_tags(picture, Tray(inner_mm=180.0))
    u, v = truth.project(*Tray().tag_centre_mm(2), 33.0)
    picture[int(v) - 40 : int(v) + 40, int(u) - 40 : int(u) + 40] = 90
    with pytest.raises(CalibrationError, match=r"missing: 2 \(bottom right\)"):
        from_tags(picture)
    with pytest.raises(CalibrationError, match=r"0 \(top left\), 1 .*, 2 .*, 3 "):
        from_tags(np.zeros((480, 640, 3), np.uint8))


def test_a_saved_calibration_is_loaded_unchanged(tmp_path: Path):
    found = camera_for(2, Tray())
    (tmp_path / "tray.toml").write_text(as_text(found))
    again, empty = load_calibration(tmp_path / "tray.toml")
    assert (again.tray, again.dice, empty) == (found.tray, None, None)
    assert math.dist(again.project(90, 90, 16), found.project(90, 90, 16)) < 0.01


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("width_px = 961", "", "expected Calibration with width_px"),
        ("[tray]", "[table]", "expected Calibration with"),
        ("width_px = 961", 'width_px = "wide"', "width_px: expected int, got 'wide'"),
        ("inner_mm = 230.0", 'inner_mm = "much"', "tray: inner_mm: expected float, got 'much'"),
        ("focal_px = 800.0", "focal_px = -1", "focal length above 0"),
        ("[[1.0,", "[[7.0,", "rows of a rotation"),
        ("inner_mm", "outer_mm", "expected Tray with inner_mm"),
        ("width_px", "= =", "expected a calibration"),
        *(("pip_mm = 1.5", line, "expected") for line in ("pip_mm = -1.0", "pip_mm = 'large'", "colour = 3")),
    ],
)
def test_a_broken_file_is_refused_and_named(tmp_path: Path, old, new, what):
    path = tmp_path / "tray.toml"
    text = as_text(replace(straight_down(), dice=DICE))
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(CalibrationError, match=what) as caught:
        load(path)
    assert "tray.toml" in str(caught.value)
    with pytest.raises(CalibrationError, match=r"nowhere\.toml"):
        load(tmp_path / "nowhere.toml")


def test_learnt_dice_and_the_empty_tray_are_kept_beside(tmp_path: Path):
    dice = replace(DICE, slant_factor=0.6)
    known = replace(straight_down(), dice=dice)
    empty = np.random.default_rng(1).integers(0, 255, (721, 961, 3)).astype(np.uint8)
    save_with_empty(known, empty, tmp_path / "tray.toml")
    again, picture = load_calibration(tmp_path / "tray.toml")
    assert again.dice == dice
    assert np.array_equal(picture, empty)


@pytest.mark.parametrize(
    ("factor", "deviation"),
    [
        ("slant = 1.0", "off_slant = 0.05"),
        ("slant_scale = 0.6", "slant_errors = 1.2"),
        ("slant_ratio = 0.7", "slant_spread = 1.4"),
    ],
)
def test_a_calibration_of_a_former_network_of_slants_has_usual_slants(tmp_path: Path, factor, deviation):
    text = as_text(replace(straight_down(), dice=DICE))
    for now, then in (("slant_factor = 0.8", factor), ("slant_deviation = 2.0", deviation)):
        assert now in text
        text = text.replace(now, then)
    (tmp_path / "tray.toml").write_text(text)
    assert load(tmp_path / "tray.toml").dice == DICE


def test_an_empty_tray_of_another_size_is_refused(tmp_path: Path):
    save_with_empty(straight_down(), np.zeros((480, 640, 3), np.uint8), tmp_path / "tray.toml")
    with pytest.raises(CalibrationError, match=r"tray\.png: expected 961 x 721 pixels, got 640 x 480"):
        load_calibration(tmp_path / "tray.toml")


def test_a_calibration_that_cannot_be_written_whole_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tray.toml"
    empty = np.zeros((480, 640, 3), np.uint8)
    save_with_empty(straight_down(), empty, path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CalibrationError, match="No space left"):
        save_with_empty(replace(straight_down(), camera="usb:0"), empty + 9, path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def tags_aslant(apart: float) -> dict[int, np.ndarray]:
    """Return four tags with sides of 20 pixels, this many pixels apart, around (400, 300), at a slight slant."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    aslant = np.array([[0.9, -0.3, 0.0], [0.3, 0.9, 0.0], [1e-4, 5e-5, 1.0]])
    flat = [np.array([apart / 2 * middle + 10.0 * square]) for middle in square]
    return {n: cv2.perspectiveTransform(corners, aslant)[0] + (400, 300) for n, corners in enumerate(flat)}


@pytest.mark.parametrize("hidden", [(1,), (0, 2), (0, 1), (2, 3)])
def test_the_places_of_hidden_tags_follow_from_the_visible_ones(hidden: tuple[int, ...]) -> None:
    tags = tags_aslant(240.0)
    assert (list(with_hidden({2: np.zeros((4, 2))})), with_hidden({})) == ([2], {})
    told = with_hidden({n: corners for n, corners in tags.items() if n not in hidden})
    assert sorted(told) == [0, 1, 2, 3]
    for n, corners in tags.items():
        edge = np.hypot(*(corners[1] - corners[0]))
        assert np.hypot(*(told[n] - corners).T).max() < (0.05 * edge if n in hidden else 1e-9)


def test_places_beside_the_tray_are_known_from_three_or_four_tags() -> None:
    points = np.array([[400.0, 300.0], [400.0, 410.0], [400.0, 450.0], [250.0, 300.0]])
    tags = tags_aslant(240.0)
    assert outside_tags(tags, points).tolist() == [False, False, True, True]
    assert outside_tags({n: tags[n] for n in range(3)}, points).tolist() == [False, False, True, True]
    assert not outside_tags({n: tags[n] for n in range(2)}, points).any()
    assert not outside_tags({0: tags[1], 1: tags[0], 2: tags[2], 3: tags[3]}, points).any()
    assert outside_tags(tags, np.zeros((0, 2))).shape == (0,)
    assert not outside_tags(tags_aslant(75.0), np.array([[0.0, 0.0]])).any()  # on the uncut sheet
