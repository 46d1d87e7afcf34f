"""The contrast stretch of pale objects, and dice that glare has nearly bleached."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from dicereader import read
from dicereader.data.pictures import load
from dicereader.reading import DiceReading, Doubt
from dicereader.stages.shared.rectify import rectify
from dicereader.stages.unknown.variants import MIDDLE, MOST_STRETCH, STRETCHED, is_pale, stretched

TRAY = Path(__file__).parent.parent / "pictures" / "trays" / "00107.jpg"
BLEACHED = 240.0

THING = np.array([[20.0, 20.0], [60.0, 20.0], [60.0, 60.0], [20.0, 60.0]])


def patch(step: float, ground: float = 100.0) -> np.ndarray:
    """Return a square brighter than its ground by `step`, with a spot in its middle brighter by another half `step`."""
    pixels = np.full((80, 80, 3), ground)
    pixels[20:61, 20:61] = ground + step
    pixels[36:45, 36:45] += step / 2
    return np.rint(pixels).astype(np.uint8)


def bleached(pixels: np.ndarray, reading: DiceReading, *left: float) -> np.ndarray:
    """Return the picture with the first dice bleached: each keeps the fraction in `left` of its face's contrast."""
    found = pixels.copy()
    for die, share in zip(reading.dice, left, strict=False):
        mask = cv2.fillConvexPoly(np.zeros(pixels.shape[:2], np.uint8), np.rint(die.outline).astype(np.int32), 1) > 0
        grey = pixels[mask].mean(1)
        found[mask] = np.rint(BLEACHED + share * (grey - np.median(grey)))[:, None]
    return found


def test_contrast_is_stretched_on_an_object_and_nowhere_else() -> None:
    view = rectify(patch(20.0))
    seen = stretched(view, [THING]).levels[0]
    assert seen[30, 30].tolist() == [MIDDLE] * 3
    assert seen[40, 40].tolist() == [MIDDLE + 10 * MOST_STRETCH] * 3
    outside = np.ones((80, 80), bool)
    outside[20:61, 20:61] = False
    assert (seen[outside] == view.levels[0][outside]).all()


def test_the_stretched_contrast_has_a_limit_and_enough_contrast_stays_as_it_is() -> None:
    pixels = patch(30.0)
    pixels[44:53, 44:53] -= 15
    seen = stretched(rectify(pixels), [THING]).levels[0]
    assert (seen[40, 40, 0], seen[48, 48, 0]) == (MIDDLE + STRETCHED / 2, MIDDLE - STRETCHED / 2)
    pixels = patch(20.0, 10.0)
    pixels[44:53, 44:53] = 250
    view = rectify(pixels)
    assert (stretched(view, [THING]).levels[0] == view.levels[0]).all()
    for off in ((-45.0, 0.0), (0.0, 45.0), (-300.0, 300.0)):  # partly or wholly outside the picture
        assert stretched(view, [THING + off]).levels[0].shape == view.levels[0].shape


def test_an_object_that_needs_more_than_twice_the_contrast_is_pale() -> None:
    clear = patch(20.0)
    clear[36:45, 36:45] = 250
    assert [is_pale(rectify(pixels), THING) for pixels in (patch(0.0), patch(90.0), clear)] == [True, True, False]
    assert not is_pale(rectify(patch(20.0)), THING + 300)


@pytest.mark.parametrize("share", [0.08, -0.07])
def test_a_die_that_is_nearly_bleached_is_read(share: float) -> None:
    pixels = load(TRAY)
    reading = read(pixels)
    assert read(bleached(pixels, reading, share)).faces == reading.faces


def test_beside_a_bleached_die_that_is_read_one_that_is_not_is_missed() -> None:
    pixels = load(TRAY)
    reading = read(pixels)
    seen = read(bleached(pixels, reading, 0.1, 0.0))
    assert (len(seen.dice), seen.sure, Doubt.COUNT in seen.doubts) == (len(reading.dice) - 1, False, True)
