"""A known tray that is pushed: a large push is reported, a tiny one is not."""

import pytest
from drawn_table import THROWS, Table, drawn_table, learnt, pushed

from dicereader.live import tray_reader
from dicereader.live.tray_reader import FAR_DICE, TrayReader
from dicereader.reader import MOST_PLACES, read_pixels
from dicereader.tray.calibration import Calibration

HAIR = 0.0, -1.9, -0.25
"""Pixels to the right and down, and degrees: enough that the rail looks like a thing that lies there."""


@pytest.fixture(scope="module")
def table() -> Table:
    return drawn_table(5)


@pytest.fixture(scope="module")
def known(table: Table) -> Calibration:
    return learnt(table)


def test_a_tray_pushed_by_a_hair_is_read_surely_without_a_report(table: Table, known: Calibration) -> None:
    pixels = pushed(table.throw(THROWS[0]), *HAIR)
    assert not read_pixels(pixels, calibration=known, empty=table.empty).sure
    tray = TrayReader(known, table.empty, live=True)
    reading = tray.read(pixels, 0.0)
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)
    assert not tray.has_moved()


def test_a_tray_that_has_not_moved_is_not_searched_again(table: Table, known: Calibration) -> None:
    tray = TrayReader(known, table.empty, live=True)
    for n, dice in enumerate(THROWS):
        tray.read(table.throw(dice), 10.0 * n)  # the check for a moved tray is this rare
    assert tray.calibration is known
    assert not tray.has_moved()


def test_a_tray_pushed_far_is_reported_as_moved(table: Table, known: Calibration) -> None:
    tray = TrayReader(known, table.empty, live=True)
    pixels = pushed(table.throw(THROWS[0]), 0.0, 2 * FAR_DICE * known.die_px(480, 360), 0.0)
    assert tray.read(pixels, 0.0).sure
    assert tray.has_moved()


@pytest.mark.parametrize("live", [True, False])
def test_only_pictures_that_are_not_live_get_a_second_look(table: Table, monkeypatch, live: bool) -> None:
    asked = []

    def noted(pixels, *, most_places: int, **known):
        asked.append(most_places)
        return read_pixels(pixels, most_places=most_places, **known)

    monkeypatch.setattr(tray_reader, "read_pixels", noted)
    TrayReader(None, None, live=live).read(table.empty, 0.0)
    assert asked == [0 if live else MOST_PLACES]
