"""A known tray that is pushed: far, which is said, or by a hair, which is not."""

import cv2
import numpy as np
import pytest
from drawn_table import THROWS, Table

from dicereader.calibration import Calibration
from dicereader.learn import learn
from dicereader.reader import read_pixels
from dicereader.registered import FAR_DICE, RegisteredTray
from dicereader.tags import find_tags, posed_by_tags

HAIR = -1.9, -0.25
"""Pixels down and degrees: enough that the rail looks like a thing that lies there."""


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(5)


@pytest.fixture(scope="module")
def known(table: Table) -> Calibration:
    throws = [table.throw(dice) for dice in THROWS]
    return learn(table.empty, throws, posed_by_tags(table.empty.shape, find_tags(table.empty)))


def pushed(pixels: np.ndarray, down_px: float, degrees: float = 0.0) -> np.ndarray:
    height, width = pixels.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    way[1, 2] += down_px
    return np.asarray(cv2.warpAffine(pixels, way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_a_tray_pushed_by_a_hair_is_read_surely_and_nothing_is_said(table: Table, known: Calibration) -> None:
    pixels = pushed(table.throw(THROWS[0]), *HAIR)
    assert not read_pixels(pixels, calibration=known, empty=table.empty).sure
    tray = RegisteredTray(known, table.empty, live=True)
    reading = tray.read(pixels, None, 0.0)
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)
    assert not tray.has_moved()


def test_a_tray_that_stands_still_is_not_found_again(table: Table, known: Calibration) -> None:
    tray = RegisteredTray(known, table.empty, live=True)
    for n, dice in enumerate(THROWS):
        tray.read(table.throw(dice), 7, 10.0 * n)  # another number than expected: never sure
    assert tray.calibration is known
    assert not tray.has_moved()


def test_a_tray_pushed_far_is_said_to_have_moved(table: Table, known: Calibration) -> None:
    tray = RegisteredTray(known, table.empty, live=True)
    assert tray.read(pushed(table.throw(THROWS[0]), 2 * FAR_DICE * known.die_px(480, 360)), None, 0.0).sure
    assert tray.has_moved()
