"""A moved tray is noticed, by its tags or by its picture, and calibrated anew; one that moved by a hair is not told."""

import cv2
import numpy as np
import pytest
from drawn_table import THROWS, Table, drawn_table, push, pushed
from samples import sampled

from dicereader import read
from dicereader.live.tray_reader import FAR_DICE, TrayReader
from dicereader.stages.known.judge_level import judge_level
from dicereader.stages.known.level_dice import find_known_dice
from dicereader.tray.calibration import Calibration
from dicereader.tray.fitness import problems_of
from dicereader.tray.registration import register, transformed
from dicereader.tray.tags import DICTIONARY, find_tags

HAIR = 0.0, -1.9, -0.25
"""Pixels to the right and down, and degrees: enough that the rail looks like a thing that lies there."""


@pytest.fixture(scope="module")
def table() -> Table:
    return drawn_table(5)


def test_a_tray_at_its_old_place_has_not_moved(table: Table, known) -> None:
    assert register(known, table.empty, table.throw(THROWS[0])) is None
    assert register(known, untagged(table.empty), untagged(table.throw(THROWS[1]))) is None


@pytest.mark.parametrize("push", sampled([(6.0, 0.0, 0.0), (-4.0, 8.0, 1.5), (0.0, 0.0, 2.0)], (-4.0, 8.0, 1.5)))
def test_a_moved_tray_is_read_again_once_it_is_registered(table: Table, known, push) -> None:
    pixels = pushed(table.throw(THROWS[1]), *push)
    again = register(known, table.empty, pixels)
    reading = read(pixels, calibration=again.calibration, empty=again.empty)
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)


def untagged(pixels: np.ndarray) -> np.ndarray:
    """Return the same tray without print."""
    plain = pixels.copy()
    for corners in find_tags(pixels).values():
        middle = corners.mean(0)
        cv2.fillConvexPoly(plain, np.rint(middle + 1.5 * (corners - middle)).astype(np.int32), (90, 90, 90))
    return plain


@pytest.mark.parametrize("push", sampled([(6.0, 0.0, 0.0), (-24.0, 38.0, 2.5), (0.0, 0.0, -4.0)], (-24.0, 38.0, 2.5)))
@pytest.mark.parametrize("light", sampled([1.0, 0.6], 0.6))
def test_a_moved_tray_without_tags_is_found_by_its_picture(table: Table, known, push, light) -> None:
    pixels = pushed(untagged(table.throw(THROWS[1])), *push)
    again = register(known, untagged(table.empty), np.asarray(pixels * light, np.uint8))
    reading = read(pixels, calibration=again.calibration, empty=again.empty)
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)


def test_a_tray_without_tags_is_found_under_a_hand(table: Table, known) -> None:
    pixels = pushed(untagged(table.empty), 20.0, -9.0, 1.0)
    cv2.rectangle(pixels, (400, 300), (560, 719), (120, 150, 200), -1)
    again = register(known, untagged(table.empty), pixels)
    there = transformed(push(pixels, 20.0, -9.0, 1.0), np.array([known.project(60.0, 60.0, 0.0)]))[0]
    assert again.calibration.project(60.0, 60.0, 0.0) == pytest.approx(tuple(there), abs=2.0)


@pytest.mark.parametrize("hidden", [np.s_[:, :700], np.s_[:, :]], ids=["most of it", "all of it"])
def test_a_move_of_a_hidden_tray_is_not_noticed(table: Table, known, hidden) -> None:
    pixels = pushed(table.empty, 20.0, 0.0, 0.0)
    pixels[hidden] = 80
    assert register(known, table.empty, pixels) is None
    assert register(known, None, pushed(untagged(table.empty), 20.0, 0.0, 0.0)) is None  # nothing to compare with


def test_small_far_tags_are_found_where_the_near_ones_say_they_are() -> None:
    flat = np.full((1400, 1400), 90, np.uint8)
    for number, (x, y) in enumerate([(100, 100), (1176, 100), (1176, 1176), (100, 1176)]):
        flat[y : y + 124, x : x + 124] = 255
        flat[y + 12 : y + 112, x + 12 : x + 112] = cv2.aruco.generateImageMarker(DICTIONARY, number, 100)
    ends = np.array([(330, 244), (627, 238), (746, 588), (228, 609)], np.float32)
    way = cv2.getPerspectiveTransform(np.array([(100, 100), (1300, 100), (1300, 1300), (100, 1300)], np.float32), ends)
    seen = cv2.GaussianBlur(cv2.warpPerspective(flat, way, (960, 720), borderValue=90), (0, 0), 1.1)
    tags = find_tags(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR))
    assert sorted(tags) == [0, 1, 2, 3]
    for number, (x, y) in enumerate([(112, 112), (1188, 112), (1188, 1188), (112, 1188)]):
        first = cv2.perspectiveTransform(np.array([[[x - 0.5, y - 0.5]]]), way)[0, 0]
        assert np.hypot(*(tags[number][0] - first)) < 2.0


def test_a_tray_pushed_by_a_hair_is_read_surely_without_a_report(table: Table, known: Calibration) -> None:
    pixels = pushed(table.throw(THROWS[0]), *HAIR)
    plane, level = find_known_dice(pixels, known, known.dice, table.empty)
    assert not judge_level(plane, level, known, known.dice, None).sure
    tray = TrayReader(known, table.empty, live=True)
    reading = tray.read(pixels, 0.0)
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)
    assert not tray.has_moved()


def test_a_tray_that_has_not_moved_is_not_searched_again(table: Table, known: Calibration) -> None:
    tray = TrayReader(known, table.empty, live=True)
    for n, dice in enumerate(THROWS[:2]):
        tray.read(table.throw(dice), 10.0 * n)  # the check for a moved tray is this rare
    assert tray.calibration is known
    assert not tray.has_moved()


def test_a_tray_pushed_far_is_reported_as_moved(table: Table, known: Calibration) -> None:
    tray = TrayReader(known, table.empty, live=True)
    pixels = pushed(table.throw(THROWS[0]), 0.0, 2 * FAR_DICE * known.die_px(480, 360), 0.0)
    assert tray.read(pixels, 0.0).sure
    assert tray.has_moved()


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (lambda p: p, None),
        (lambda p: (p * 0.08).astype(np.uint8), "too dark"),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 6.0), "out of focus"),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 2.0), "out of focus"),  # the tags are found, the dice are not sure
        (lambda p: cv2.circle(p.copy(), (480, 360), 120, (255, 255, 255), -1), "glare"),
        (lambda p: cv2.rectangle(p.copy(), (0, 0), (250, 200), (60, 60, 60), -1), "tag hidden"),
    ],
)
def test_the_problems_of_a_picture_are_named(table: Table, spoil, kind: str | None) -> None:
    problems = {problem.kind: problem for problem in problems_of(spoil(table.empty))}
    assert (kind in problems, not problems) == (kind is not None, kind is None)
    assert kind is None or problems[kind].hidden == ((0,) if kind == "tag hidden" else ())


def test_a_focused_picture_without_tags_is_not_out_of_focus(table: Table) -> None:
    assert [problem.kind for problem in problems_of(untagged(table.empty))] == ["tag hidden"]


def drawn_tags(side: int) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return a picture of 1280 x 960 pixels with the four tags, and their corners."""
    picture, corners = np.full((960, 1280), 200, np.uint8), {}
    for number, (x, y) in enumerate([(121, 81), (1101, 81), (1101, 801), (121, 801)]):
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        picture[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, number, side)
        corners[number] = np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)]) - 0.5
    return cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 0.8), cv2.COLOR_GRAY2BGR), corners


def test_tags_have_exact_corners_also_in_a_quick_search_which_finds_small_ones_beside_larger_ones() -> None:
    picture, corners = drawn_tags(48)
    for quick in (False, True):
        tags = find_tags(picture, quick=quick)
        assert sorted(tags) == [0, 1, 2, 3]
        assert all(np.abs(found - corners[number]).max() < 0.3 for number, found in tags.items())
    small, _ = drawn_tags(18)
    assert not find_tags(small, quick=True)
    large, _ = drawn_tags(48)
    large[480:] = small[480:]
    assert sorted(find_tags(large, quick=True)) == [0, 1, 2, 3]
