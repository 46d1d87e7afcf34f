"""The causes of doubt: leaning, stacked, cut, unread and blurred dice, and dice that the search missed."""

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_table import USUAL, level, shown, world_of
from samples import sampled

from dicereader import read
from dicereader.data.pictures import load
from dicereader.reading import Doubt, ReadDie
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import Pose, TableColours, multiply, turn, upright
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.unknown.choose import ChosenDice
from dicereader.stages.unknown.judge import judge, pose_doubts
from dicereader.stages.unknown.uncalibrated import first_pass
from dicereader.stages.unknown.unread import find_unread

ONE_LAMP = Path(__file__).parent.parent / "pictures" / "one-lamp"
PLACES = [(-70.0, 60.0), (60.0, 50.0), (0.0, 0.0), (-60.0, -40.0), (50.0, -50.0)]
FACES = (2, 3, 5, 6, 4)
RED = TableColours(die=(190, 30, 34), pip=(240, 240, 236))


def drawn(*poses: Pose, colours: TableColours = USUAL) -> np.ndarray:
    """Draw a tray with dice in the given poses."""
    return shown(SyntheticSource(lambda: 100.0, seed=3), world_of(poses, colours=colours))


def look(pixels: np.ndarray) -> tuple[PictureView, ChosenDice]:
    """Return the view of a picture and the dice chosen in it."""
    found = first_pass(pixels)
    return found.view, found.chosen


def without(chosen: ChosenDice, n: int) -> ChosenDice:
    """Return the same with one die missed."""
    return replace(chosen, dice=chosen.dice.take(np.arange(len(chosen.dice)) != n))


def lying(face: int, x: float, y: float, yaw: float = 0.4) -> Pose:
    return Pose(x, y, 8.0, upright(face, yaw))


@cache
def drawn_once(colours: TableColours) -> np.ndarray:
    return drawn(*level((face, x, y) for face, (x, y) in zip(FACES, PLACES, strict=True)), colours=colours)


def tray(colours: TableColours = USUAL) -> np.ndarray:
    """Return a picture of five level dice. A test may change it."""
    return drawn_once(colours).copy()


@cache
def die_of(face: int, colours: TableColours = USUAL) -> ReadDie:
    """Return the die with this face as read on that tray."""
    (die,) = (die for die in read(drawn_once(colours)).dice if die.face == face)
    return die


def doubts(pixels: np.ndarray) -> set[Doubt]:
    reading = read(pixels)
    return {*reading.doubts, *(doubt for die in reading.dice for doubt in die.doubts)}


def test_level_dice_apart_raise_no_doubt_but_another_number_than_expected_does() -> None:
    assert doubts(tray()) == set()
    assert [read(tray(), expect=count).sure for count in (5, 6)] == [True, False]


@pytest.mark.parametrize("leaning", sampled(itertools.product([2, 4, 5], [30, 35, 45]), (2, 30), (4, 45)))
def test_a_leaning_die_is_never_sure(leaning: tuple[int, int]) -> None:
    face, degrees = leaning
    angle = np.radians(degrees)
    height = 8 * (np.cos(angle) + np.sin(angle))
    tilted = Pose(20.0, 20.0, height, multiply(turn((1.0, 0.0, 0.0), angle), upright(face, 0.0)))
    assert not read(drawn(tilted, *(lying(6, x, y) for x, y in PLACES[:2]))).sure


@pytest.mark.parametrize("face", sampled([1, 2, 3, 6], 1))
def test_a_die_on_another_is_never_sure_while_pips_of_the_lower_one_show(face: int) -> None:
    below, above = lying(face, 0.0, 0.0, 0.0), Pose(12.0, 0.0, 24.0, upright(5, 0.6))
    assert not read(drawn(below, above, lying(6, -60.0, 50.0), lying(4, 60.0, 50.0))).sure


def test_a_die_at_the_pictures_edge_is_cut() -> None:
    pixels, die = tray(), die_of(5)
    cut = pixels[:, die.box.x + die.box.w // 4 :].copy()
    assert not read(cut).sure


def test_a_die_is_cut_if_only_a_corner_of_its_face_is_outside() -> None:
    pixels = drawn(lying(5, 0.0, 0.0, math.pi / 4), lying(4, 60.0, 50.0), lying(6, 60.0, -50.0))
    _, chosen = look(pixels)
    (index,) = np.flatnonzero(chosen.dice.face == 5)
    x, half = float(chosen.dice.places.centre[index, 0]), float(chosen.dice.places.half[index])
    whole, cut = (read(pixels[:, round(x - away * half) :].copy()) for away in (1.5, 1.1))
    assert [(sorted(each.faces), each.sure) for each in (whole, cut)] == [([4, 5, 6], True), ([4, 5, 6], False)]


def test_a_die_without_visible_pips_counts_as_missed() -> None:
    pixels, die = tray(), die_of(5)
    x, y = (round(v) for v in die.box.centre)
    colour = np.median(pixels[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3), 0)
    cv2.fillConvexPoly(pixels, np.array(die.outline).astype(np.int32), colour.tolist())
    view, chosen = look(pixels)
    assert chosen.hints + len(find_unread(view, chosen)) >= 1
    reading = read(pixels)
    assert (reading.sure, Doubt.COUNT in reading.doubts) == (False, True)


@pytest.mark.parametrize("face", sampled([1, 2, 3], 1))
def test_an_unread_die_that_touches_another_of_its_colour_counts_as_missed(face: int) -> None:
    pixels = drawn(lying(5, -8.0, 0.0, 0.0), lying(face, 8.0, 0.0, 0.0), lying(4, -60.0, 50.0), colours=RED)
    view, chosen = look(pixels)
    (index,) = np.flatnonzero(chosen.dice.face == face)
    assert len(find_unread(view, chosen)) == 0
    assert len(find_unread(view, without(chosen, int(index)))) == 1


def test_an_unread_die_of_the_grounds_colour_counts_as_missed() -> None:
    view, chosen = look(load(ONE_LAMP / "61013.jpg"))
    assert find_unread(view, chosen) == []
    for n, middle in enumerate(chosen.dice.places.centre):
        (missed,) = find_unread(view, without(chosen, n))
        assert missed.mean(0) == pytest.approx(middle, abs=0.4 * chosen.dice.places.half[n])


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 16), marks=pytest.mark.exhaustive)])
def test_no_die_in_a_row_is_taken_for_a_side_of_its_neighbour(seeds: range) -> None:
    """From above no side is visible, and a die's direction is measured poorly."""
    for seed in seeds:
        chance = np.random.default_rng(seed)
        along, x, y = chance.uniform(0, 6.3), *chance.uniform(-70, 70, 2)
        row = [
            lying(int(chance.integers(1, 7)), x + 16.2 * n * np.cos(along), y + 16.2 * n * np.sin(along), along)
            for n in range(2 + seed % 3)
        ]
        assert len(look(drawn(*row, colours=RED))[1].dice) == len(row), seed


def test_a_die_of_another_size_is_noticed_beside_the_read_dice() -> None:
    pixels, die = tray(), die_of(5)
    box = die.box
    larger = cv2.resize(pixels[box.y - 9 : box.y + box.h + 9, box.x - 9 : box.x + box.w + 9], None, fx=2.4, fy=2.4)
    pixels[-120:, :260] = pixels[-120:, 300:560]  # with two tags covered, the edge of the tray is unknown
    pixels[8 : 8 + larger.shape[0], 8 : 8 + larger.shape[1]] = larger
    reading = read(pixels)
    assert (reading.sure, Doubt.COUNT in reading.doubts) == (False, True)


Draw = Callable[[np.ndarray, tuple[int, int], int, list[float]], object]
"""Draws an object at a place. It gets half a die's edge and the dice's colour."""


def square(*colour: float) -> Draw:
    """Draw a square that looks like a die without pips, in the dice's colour or in its own."""

    def draw(pixels: np.ndarray, place: tuple[int, int], half: int, of_dice: list[float]) -> None:
        x, y = place
        cv2.rectangle(pixels, (x - half, y - half), (x + half, y + half), list(colour) or of_dice, cv2.FILLED)

    return draw


def coin(wide: float, high: float, *colour: float) -> Draw:
    def draw(pixels: np.ndarray, place: tuple[int, int], half: int, of_dice: list[float]) -> None:
        size = round(wide * half), round(high * half)
        cv2.ellipse(pixels, place, size, 30, 0, 360, list(colour) or of_dice, cv2.FILLED, cv2.LINE_AA)

    return draw


def faded(light: float, *colour: float) -> Draw:
    """Add light to the ground, brightest in the middle of a square."""

    def draw(pixels: np.ndarray, place: tuple[int, int], half: int, of_dice: list[float]) -> None:
        (x, y), reach = place, 3 * half
        share = np.clip(1.3 - 1.3 * np.abs(np.arange(-reach, reach) / reach), 0, 1)
        share = np.minimum(np.minimum(share[:, None], share)[..., None] * light, 1)
        part = pixels[y - reach : y + reach, x - reach : x + reach]
        part[:] = part + share * (np.array(colour or of_dice) - part)

    return draw


OBJECTS: dict[str, tuple[Draw, int]] = {
    "a square of the dice's colour": (square(), 1),
    "a coin": (coin(1.2, 1.2), 0),
    "an object darker than the dice in one colour": (square(250, 250, 60), 0),
    "a face that glare has nearly bleached": (square(60, 250, 250), 1),
    "a bright square": (square(200, 250, 252), 1),
    "a white square": (square(255, 255, 255), 1),
    "a soft spot of light on the ground": (faded(0.85), 0),
    "a lamp mirrored in the ground": (faded(1.3, 255.0, 255.0, 255.0), 0),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_only_an_object_that_may_be_a_die_is_an_unread_one(name: str) -> None:
    draw, unread = OBJECTS[name]
    pixels, die = tray(RED), die_of(5, RED)
    x, y = (round(v) for v in die.box.centre)
    colour = np.median(pixels[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3), 0).tolist()
    draw(pixels, (x - 110, y), round(math.dist(*die.outline[:2]) / 2), colour)
    assert len(find_unread(*look(pixels))) == unread


def test_the_printed_tags_are_no_unread_black_dice() -> None:
    pixels = tray(TableColours(die=(26, 26, 26), pip=(240, 240, 236)))
    assert find_unread(*look(pixels)) == []
    assert read(pixels).sure


def test_a_die_with_different_faces_in_two_looks_is_not_sure() -> None:
    view, chosen = look(tray())
    assert not chosen.dice.contested.any()
    contested = np.arange(len(chosen.dice)) == 1
    chosen = replace(chosen, dice=replace(chosen.dice, contested=contested))
    assert pose_doubts(view, chosen) == [[Doubt.FACE] if n else [] for n in contested]


def test_dice_out_of_focus_are_called_blurred_and_others_are_not() -> None:
    reading = read(cv2.GaussianBlur(tray(), (0, 0), 4.5))
    assert not reading.sure or not reading.dice
    for pixels, blurred in ((tray(), False), (cv2.GaussianBlur(tray(), (0, 0), 2.5), True)):
        view, chosen = look(pixels)
        poor = replace(chosen.dice, probability=np.full(len(chosen.dice), 0.5))
        reading = judge(view, replace(chosen, dice=poor), None, unread=False)
        assert [Doubt.BLURRED in die.doubts for die in reading.dice] == [blurred] * len(poor)
