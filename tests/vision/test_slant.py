"""Sides of dice at a slant: a face's place and slant give the places and directions of its die's sides."""

import numpy as np
import pytest

from dicereader.stages.shared.classify import CLASSES, Classified
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.unknown.slant import are_sides

TILT = np.radians(30.0)
SAID = 0.6
"""The fraction of a true slant that the classifier gives."""

SLANT = np.array([0.0, -np.sin(TILT)])  # the camera looks from below: up is up in the picture
HALF = 20.0

Face = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""A face's middle, side vectors and slant in the picture."""


def image(x: float, y: float, z: float) -> tuple[float, float]:
    """Return the place in the picture of a point of the world, seen from far away: y away from the camera, z up."""
    return x, -y * np.cos(TILT) - z * np.sin(TILT)


def die(turn: float, at: tuple[float, float] = (0.0, 0.0)) -> list[Face]:
    """Return the top face of a die on the floor, and the two sides that the camera sees."""
    cos, sin = HALF * np.cos(turn), HALF * np.sin(turn)
    out = [(cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)]
    top = (*image(*at, 2 * HALF),), image(*out[0], 0), image(*out[1], 0), tuple(SLANT)
    towards = sorted(range(4), key=lambda n: out[n][1])[:2]
    found = [top]
    for n in towards:
        x, y = out[n]
        across = out[(n + 1) % 4]
        slant = x / HALF, -y / HALF * np.cos(TILT)
        found.append((image(at[0] + x, at[1] + y, HALF), image(*across, 0), image(0, 0, HALF), slant))
    return found  # type: ignore[return-value]


def seen(*faces: Face) -> Classified:
    """Return faces as the classifier gives them: with slants that are too small."""
    centre, u, v, slant = (np.array(part, float).reshape(-1, 2) for part in zip(*faces, strict=True))
    n = len(faces)
    places = Candidates(centre, u, v, np.ones(n))
    return Classified(places, np.full((n, CLASSES), 1 / CLASSES), SAID * slant, np.full(n, 100.0))


def told(*faces: Face, slant: np.ndarray = SLANT, dice: tuple[int, ...] = (0,)) -> list[bool]:
    return are_sides(seen(*faces), np.array(dice, np.intp), np.tile(SAID * slant, (len(dice), 1))).tolist()


@pytest.mark.parametrize("said", [0.4, 0.6, 0.9])
@pytest.mark.parametrize("turn", np.radians([10, 30, 45, 70, 130, 200]))
def test_the_sides_of_a_die_are_no_dice_wherever_it_points(turn: float, said: float) -> None:
    """This holds however much too small the classifier's slants are."""
    assert told(*die(turn), slant=said / SAID * SLANT) == [False, True, True]


@pytest.mark.parametrize("turn", [0.0, 0.4])
@pytest.mark.parametrize("upwards", [1.0, -0.5])
def test_a_die_before_another_that_it_touches_is_no_side(turn: float, upwards: float) -> None:
    """This holds even if the classifier is wrong about its slant and its size."""
    middle, u, v, slant = die(turn, (2 * HALF * np.sin(turn), -2 * HALF * np.cos(turn)))[0]
    smaller = middle, tuple(0.97 * n for n in u), tuple(0.97 * n for n in v), slant
    assert told(*die(turn), (*smaller[:3], tuple(upwards * SLANT)))[3] is False


def test_an_object_too_far_up_or_down_or_behind_its_die_is_no_side() -> None:
    top, _, side = die(0.3)
    (x, y), (across, down) = top[0], np.subtract(side[0], top[0])
    back = (x - across, y - down + 2 * HALF * np.sin(TILT)), *side[1:]
    x, y = side[0]
    places = [((x, y + down * HALF), *side[1:]) for down in (-0.55, -0.4, 0.55, 0.7)]
    assert told(top, *places, back) == [False, False, True, True, False, False]


def test_an_object_that_is_larger_than_the_face_or_points_up_is_no_side() -> None:
    top, side, _ = die(0.0)
    larger = side[0], tuple(1.02 * n for n in top[1]), tuple(1.02 * n for n in top[2]), side[3]
    half_up, level = ((*side[:3], tuple(upwards * SLANT)) for upwards in (0.5, 0.0))
    assert told(top, larger, half_up, level) == [False, False, False, True]


def test_seen_from_above_a_die_has_no_sides_nor_has_one_that_points_down_or_no_die() -> None:
    assert told(*die(0.6), slant=0.1 * SLANT) == [False] * 3
    assert told(*die(0.6), dice=()) == [False] * 3
    top, side, _ = die(0.6)
    assert told((*top[:3], tuple(-SLANT)), side) == [False, False]
    assert told(top, (*side[:3], top[3])) == [False, False], "an object at the place of a side that points up is a die"
    assert told(*die(0.6), dice=(0, 1)) == [False, True, True], "a side that was taken for a die is none"
