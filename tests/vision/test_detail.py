"""Large photographs with small dice: only these are searched in more detail."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from samples import sampled
from trays import FOLDER

from dicereader import Reader, read
from dicereader.data.pictures import load
from dicereader.reading import Doubt
from dicereader.stages.shared import detector
from dicereader.stages.shared.detector import find_candidates
from dicereader.stages.shared.rectify import MODERATE_PX, rectify
from dicereader.stages.unknown import uncalibrated

GLOSSY = "Gtomika+digitalis-kepfeldolgozas-dobokockak"
"""Photographs of close dice whose pips mirror a lamp, and so look like small dice."""


def amid(pixels: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return the picture as a part of a larger one. The rest is a plain table."""
    large = np.full((height, width, 3), (70, 80, 90), np.uint8)
    large[height // 3 :, width // 3 :][: pixels.shape[0], : pixels.shape[1]] = pixels
    return large


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the number of pixels of each view that was made of a picture."""
    made: list[int] = []

    def noted(*given):
        view = rectify(*given)
        if len(given) > 1:  # only whole pictures, not single faces
            made.append(view.size[0] * view.size[1])
        return view

    monkeypatch.setattr(uncalibrated, "rectify", noted)
    return made


@pytest.mark.parametrize("name", sampled(["00104.jpg", "00107.jpg"], "00104.jpg"))
def test_small_dice_in_a_photograph_of_twelve_megapixels_are_read_in_its_own_pixels(
    name: str, looks: list[int]
) -> None:
    tray = load(FOLDER / name)
    own, far = (Reader().read(each) for each in (tray, amid(tray, 4032, 3024)))
    assert len(looks) > 2
    assert (sorted(far.faces), far.sure) == (sorted(own.faces), True)
    for die in own.dice:
        x, y = die.box.centre
        gaps = [np.hypot(each.box.centre[0] - 1344 - x, each.box.centre[1] - 1008 - y) for each in far.dice]
        assert min(gaps) < 0.1 * die.box.w


def test_a_square_with_a_die_on_it_is_not_taken_for_a_die() -> None:
    tray = load(FOLDER / "00107.jpg")
    box = next(die.box for die in Reader().read(tray).dice if die.face == 6)
    square = tray[box.y - box.w : box.y + 2 * box.w, box.x - box.w : box.x + 2 * box.w]
    assert Reader().read(amid(square, 4032, 3024)).faces == (6,)


@pytest.mark.parametrize("width", [300, 1400, 3000])
def test_a_die_that_fills_the_picture_is_read_at_any_size(width: int) -> None:
    tray = load(FOLDER / "00107.jpg")
    die = next(die for die in Reader().read(tray).dice if die.face == 6)
    x, y, w, h = die.box.x, die.box.y, die.box.w, die.box.h
    close = tray[y - w // 4 : y + h + w // 4, x - w // 4 : x + w + w // 4]
    size = width, round(width * close.shape[0] / close.shape[1])
    reading = read(cv2.resize(close, size, interpolation=cv2.INTER_CUBIC))
    assert (reading.faces, reading.sure) == ((6,), True)


@pytest.mark.shared
@pytest.mark.parametrize("by", [1, 4])
def test_a_die_that_the_picture_shows_closely_cut_is_read_at_any_size(by: int, shared: Path) -> None:
    folder = shared / "data" / "photos" / "chaseelliottpatterson+dice-reader"
    photo = load(folder / "test_6_DJI_20241005233847_0194_D_detection_1.jpg")
    assert read(cv2.resize(photo, None, fx=by, fy=by, interpolation=cv2.INTER_CUBIC)).faces == (6,)


@pytest.mark.shared
def test_what_is_most_likely_no_die_is_a_doubt_and_is_not_read(shared: Path) -> None:
    reading = read(shared / "data" / "photos" / "viljamip+kimble-die-detector" / "1_kimble0.jpg")
    assert (reading.faces, reading.doubts) == ((1,), (Doubt.COUNT,))  # pegs and rings around the die


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    ["DamianTab+DiceDetection/dice74.jpg"]
    + [f"{GLOSSY}/fekete_felul_{each}.jpg" for each in ("_IMG_20211031_164904", "mintas__IMG_20211031_174600")],
)
def test_large_glossy_dice_are_read_alike_at_any_size(name: str, shared: Path) -> None:
    photo = load(shared / "data" / "photos" / name)
    height, width = photo.shape[:2]
    sizes = [(wide, round(height * wide / width)) for wide in (1600, 3600)]
    first, second = (read(cv2.resize(photo, size, interpolation=cv2.INTER_CUBIC)) for size in sizes)
    assert (sorted(first.faces), first.sure) == (sorted(second.faces), second.sure)


def test_a_picture_without_more_detail_or_with_large_dice_is_searched_once(looks: list[int]) -> None:
    empty = np.full((1050, 1400, 3), (70, 80, 90), np.uint8)
    assert read(empty).dice == ()
    assert looks == [pytest.approx(MODERATE_PX, rel=0.01)]
    large = cv2.resize(load(FOLDER / "00104.jpg"), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    assert len(Reader().read(large).dice) == 6
    assert len(looks) == 2


def test_strips_of_a_large_picture_show_the_same_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    large = cv2.resize(load(FOLDER / "00104.jpg"), (2003, 1497), interpolation=cv2.INTER_CUBIC)
    view = rectify(large, most_px=large.size)
    monkeypatch.setattr(detector, "STRIP_PX", large.size)
    whole = find_candidates(view, [0, 1])
    monkeypatch.setattr(detector, "STRIP_PX", 200_000)
    parts = find_candidates(view, [0, 1])
    assert len(whole) > 6
    np.testing.assert_array_equal(parts.centre, whole.centre)
    np.testing.assert_allclose(parts.u, whole.u)
