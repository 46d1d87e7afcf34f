"""The causes of doubt: leaning, stacked, cut, unread and blurred dice, and dice that the search missed."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from dicereader import read
from dicereader.data.pictures import load
from dicereader.reader import read_pixels
from dicereader.reading import Doubt, ReadDie
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import DieKey, DiePath, Pose, TableColours, World, multiply, turn, upright
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.unknown.choose import ChosenDice
from dicereader.stages.unknown.judge import judge, pose_doubts
from dicereader.stages.unknown.uncalibrated import first_pass
from dicereader.stages.unknown.unread import find_unread

ONE_LAMP = Path(__file__).parent.parent / "pictures" / "one-lamp"
PLACES = [(-70.0, 60.0), (60.0, 50.0), (0.0, 0.0), (-60.0, -40.0), (50.0, -50.0)]
FACES = (2, 3, 5, 6, 4)
RED = TableColours(die=(190, 30, 34), pip=(240, 240, 236))


def drawn(*poses: Pose, colours: TableColours | None = None) -> np.ndarray:
    """Draw a tray with dice in the given poses."""
    source = SyntheticSource(lambda: 100.0, seed=3)
    source.set_world(
        World(3, tuple(DiePath((DieKey(0.0, pose),)) for pose in poses), colours=colours or TableColours())
    )
    frame = source.next(1.0)
    assert frame is not None
    return frame.pixels


def look(pixels: np.ndarray) -> tuple[PictureView, ChosenDice]:
    """Return the view of a picture and the dice chosen in it."""
    found = first_pass(pixels)
    return found.view, found.chosen


def without(chosen: ChosenDice, n: int) -> ChosenDice:
    """Return the same with one die missed."""
    return replace(chosen, dice=chosen.dice.take(np.arange(len(chosen.dice)) != n))


def level(face: int, x: float, y: float, yaw: float = 0.4) -> Pose:
    return Pose(x, y, 8.0, upright(face, yaw))


@cache
def drawn_once(colours: TableColours | None) -> np.ndarray:
    poses = (level(face, x, y, 0.4 + n) for n, (face, (x, y)) in enumerate(zip(FACES, PLACES, strict=True)))
    return drawn(*poses, colours=colours)


def tray(colours: TableColours | None = None) -> np.ndarray:
    """Return a picture of five level dice. A test may change it."""
    return drawn_once(colours).copy()


@cache
def die_of(face: int, colours: TableColours | None = None) -> ReadDie:
    """Return the die with this face as read on that tray."""
    (die,) = (die for die in read(drawn_once(colours)).dice if die.face == face)
    return die


def doubts(pixels: np.ndarray) -> set[Doubt]:
    reading = read(pixels)
    return {*reading.doubts, *(doubt for die in reading.dice for doubt in die.doubts)}


def test_level_dice_apart_raise_no_doubt() -> None:
    assert doubts(tray()) == set()


@pytest.mark.parametrize("degrees", [30, 35, 45])
@pytest.mark.parametrize("face", [2, 4, 5])
def test_a_leaning_die_is_never_sure(face: int, degrees: int) -> None:
    angle = np.radians(degrees)
    height = 8 * (np.cos(angle) + np.sin(angle))
    leaning = Pose(20.0, 20.0, height, multiply(turn((1.0, 0.0, 0.0), angle), upright(face, 0.0)))
    assert not read(drawn(leaning, *(level(6, x, y) for x, y in PLACES[:2]))).sure


@pytest.mark.parametrize("face", [1, 2, 3, 6])
def test_a_die_on_another_is_never_sure_while_pips_of_the_lower_one_show(face: int) -> None:
    below, above = level(face, 0.0, 0.0, 0.0), Pose(12.0, 0.0, 24.0, upright(5, 0.6))
    assert not read(drawn(below, above, level(6, -60.0, 50.0), level(4, 60.0, 50.0))).sure


def test_a_die_at_the_pictures_edge_is_cut() -> None:
    pixels, die = tray(), die_of(5)
    cut = pixels[:, die.box.x + die.box.w // 4 :].copy()
    assert not read(cut).sure


def test_a_die_without_visible_pips_counts_as_missed() -> None:
    pixels, die = tray(), die_of(5)
    x, y = (round(v) for v in die.box.centre)
    colour = np.median(pixels[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3), 0)
    cv2.fillConvexPoly(pixels, np.array(die.outline).astype(np.int32), colour.tolist())
    view, chosen = look(pixels)
    assert len(chosen.hints) + len(find_unread(view, chosen)) >= 1
    reading = read(pixels)
    assert (reading.sure, Doubt.COUNT in reading.doubts) == (False, True)


def test_a_die_that_a_lamp_made_white_all_over_counts_as_missed() -> None:
    pixels, die = tray(RED), die_of(5, RED)
    cv2.fillConvexPoly(pixels, np.array(die.outline).astype(np.int32), (232, 250, 252))
    assert len(find_unread(*look(pixels))) == 1
    reading = read(pixels)
    assert (len(reading.dice), reading.sure, Doubt.COUNT in reading.doubts) == (4, False, True)


def test_an_all_white_die_that_touches_another_counts_as_missed() -> None:
    pixels = drawn(level(5, -9.0, 0.0, 0.0), level(2, 8.0, 0.0, 0.0), level(6, -60.0, 50.0), colours=RED)
    (die,) = (die for die in read(pixels).dice if die.face == 2)
    cv2.fillConvexPoly(pixels, np.array(die.outline).astype(np.int32), (232, 250, 252))
    reading = read(pixels)
    assert (len(reading.dice), reading.sure, Doubt.COUNT in reading.doubts) == (2, False, True)


@pytest.mark.parametrize("face", [1, 2, 3])
def test_an_unread_die_that_touches_another_of_its_colour_counts_as_missed(face: int) -> None:
    pixels = drawn(level(5, -8.0, 0.0, 0.0), level(face, 8.0, 0.0, 0.0), level(4, -60.0, 50.0), colours=RED)
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


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 16), marks=pytest.mark.exhaustive)])
def test_no_die_in_a_row_is_taken_for_a_side_of_its_neighbour(seeds: range) -> None:
    """From above no side is visible, and a die's direction is measured poorly."""
    for seed in seeds:
        chance = np.random.default_rng(seed)
        along, x, y = chance.uniform(0, 6.3), *chance.uniform(-70, 70, 2)
        row = [
            level(int(chance.integers(1, 7)), x + 16.2 * n * np.cos(along), y + 16.2 * n * np.sin(along), along)
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


def beside_the_dice(draw: Callable[[np.ndarray, tuple[int, int], int, list[float]], object]) -> int:
    """Count the unread objects in a tray where `draw` added one. It gets the dice's colour and half their edge."""
    pixels, die = tray(RED), die_of(5, RED)
    x, y = (round(v) for v in die.box.centre)
    colour = np.median(pixels[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3), 0).tolist()
    (ax, ay), (bx, by) = die.outline[:2]
    draw(pixels, (x - 110, y), round(math.hypot(bx - ax, by - ay) / 2), colour)
    return len(find_unread(*look(pixels)))


def square(pixels: np.ndarray, place: tuple[int, int], half: int, colour: list[float]) -> None:
    """Draw a square that looks like a die without pips."""
    x, y = place
    cv2.rectangle(pixels, (x - half, y - half), (x + half, y + half), colour, cv2.FILLED)


def bright(*colour: float) -> Callable[[np.ndarray, tuple[int, int], int, list[float]], None]:
    """Draw the same in its own colour."""
    return lambda pixels, place, half, _: square(pixels, place, half, list(colour))


def test_a_square_of_the_dices_colour_is_an_unread_die_and_a_coin_is_not() -> None:
    def coin(pixels, place, half, colour):
        cv2.circle(pixels, place, round(1.2 * half), colour, cv2.FILLED, cv2.LINE_AA)

    def coin_aslant(pixels, place, half, colour):
        cv2.ellipse(pixels, place, (round(1.2 * half), round(0.8 * half)), 30, 0, 360, colour, cv2.FILLED, cv2.LINE_AA)

    def square_aslant(pixels, place, half, colour):
        corners = cv2.boxPoints((place, (2 * half, 1.4 * half), 30)).astype(np.int32)
        cv2.fillConvexPoly(pixels, corners, colour, cv2.LINE_AA)

    assert (beside_the_dice(square), beside_the_dice(coin)) == (1, 0)
    assert (beside_the_dice(square_aslant), beside_the_dice(coin_aslant)) == (1, 0)


def test_a_bright_object_darker_than_the_dice_in_one_colour_is_no_die_in_glare() -> None:
    assert beside_the_dice(bright(250, 250, 60)) == 0
    assert beside_the_dice(bright(60, 250, 250)) == 1


def test_a_face_that_a_lamp_bleaches_just_below_white_is_an_unread_die() -> None:
    assert beside_the_dice(bright(226, 234, 235)) == 1


def test_a_bright_counter_is_no_die_in_glare() -> None:
    def counter(pixels, place, half, _):
        cv2.circle(pixels, place, round(1.1 * half), (200, 250, 252), cv2.FILLED, cv2.LINE_AA)

    assert (beside_the_dice(counter), beside_the_dice(bright(200, 250, 252))) == (0, 1)


def test_the_printed_tags_are_no_unread_black_dice() -> None:
    pixels = tray(TableColours(die=(26, 26, 26), pip=(240, 240, 236)))
    assert find_unread(*look(pixels)) == []
    assert read(pixels).sure


def faded(pixels: np.ndarray, place: tuple[int, int], reach: int, light: float, colour: list[float]) -> None:
    """Add light to the ground, brightest in the middle of a square."""
    x, y = place
    share = np.clip(1.3 - 1.3 * np.abs(np.arange(-reach, reach) / reach), 0, 1)
    share = np.minimum(np.minimum(share[:, None], share)[..., None] * light, 1)
    part = pixels[y - reach : y + reach, x - reach : x + reach]
    part[:] = part + share * (np.array(colour) - part)


def test_a_soft_spot_of_light_on_the_ground_is_no_die() -> None:
    def fading(pixels, place, half, colour):
        faded(pixels, place, 3 * half, 0.85, colour)

    assert beside_the_dice(fading) == 0


def test_a_lamp_mirrored_in_the_ground_is_no_die() -> None:
    def mirrored(pixels, place, half, colour):
        faded(pixels, place, 3 * half, 1.3, [255.0, 255.0, 255.0])

    assert (beside_the_dice(mirrored), beside_the_dice(bright(255, 255, 255))) == (0, 1)


def test_a_die_with_different_faces_in_two_looks_is_not_sure() -> None:
    view, chosen = look(tray())
    assert not chosen.dice.contested.any()
    contested = np.arange(len(chosen.dice)) == 1
    chosen = replace(chosen, dice=replace(chosen.dice, contested=contested))
    assert pose_doubts(view, chosen) == [[Doubt.FACE] if n else [] for n in contested]


def test_a_picture_out_of_focus_is_not_sure_of_any_dice() -> None:
    blurred = cv2.GaussianBlur(tray(), (0, 0), 4.5)
    reading = read(blurred)
    assert not reading.sure or not reading.dice


def test_dice_out_of_focus_are_called_blurred_and_others_are_not() -> None:
    for pixels, blurred in ((tray(), False), (cv2.GaussianBlur(tray(), (0, 0), 2.5), True)):
        view, chosen = look(pixels)
        poor = replace(chosen.dice, probability=np.full(len(chosen.dice), 0.5))
        reading = judge(view, replace(chosen, dice=poor), None, None, 0)
        assert [Doubt.BLURRED in die.doubts for die in reading.dice] == [blurred] * len(poor)


def test_an_expected_count_that_is_found_is_no_doubt() -> None:
    assert read_pixels(tray(), expect=5).sure
