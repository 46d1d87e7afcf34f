"""Sides of dice at a slant: a face's place and slant give the places and directions of its die's sides."""

import numpy as np
import pytest

from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import view_of
from dicereader.stages.unknown.slant import LOW, find_sides, level_slants

TILT = np.radians(30.0)

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


def told(*faces: Face, said: float = 1.0, level: np.ndarray = SLANT, dice: tuple[int, ...] = (0,)) -> list[list[bool]]:
    """Return which faces are sides, and which are sides of these dice. A network tells the share `said` of a slant."""
    centre, u, v, slant = (np.array(part, float).reshape(-1, 2) for part in zip(*faces, strict=True))
    n = len(faces)
    levels = np.tile(said * level, (n, 1))
    found = find_sides(Candidates(centre, u, v, np.ones(n)), said * slant, levels, np.array(dice, np.intp))
    return [each.tolist() for each in found]


@pytest.mark.parametrize("said", [0.5, 0.75, 1.0])
@pytest.mark.parametrize("turn", np.radians([10, 30, 45, 70, 130, 200]))
def test_the_sides_of_a_die_are_no_dice_wherever_it_points(turn: float, said: float) -> None:
    """This holds if the networks find slants too small."""
    assert told(*die(turn), said=said)[1] == [False, True, True]


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_a_die_before_another_that_it_touches_is_no_side(turn: float) -> None:
    near = die(turn, (2 * HALF * np.sin(turn), -2 * HALF * np.cos(turn)))[0]
    assert told(*die(turn), near)[0] == [False, True, True, False]


def test_a_face_too_far_from_its_die_or_behind_it_is_no_side_of_it() -> None:
    top, _, side = die(0.3)
    (x, y), (across, down) = top[0], np.subtract(side[0], top[0])
    back = (x - across, y - down + 2 * HALF * np.sin(TILT)), *side[1:]
    x, y = side[0]
    places = [((x, y + off * HALF), *side[1:]) for off in (-0.8, -0.3, 0.3, 0.8)]
    assert told(top, *places, back)[1] == [False, False, True, True, False, False]


def test_a_face_that_points_up_as_the_dice_do_is_no_side() -> None:
    top, side, _ = die(0.0)
    assert told(top, (*side[:3], top[3])) == [[False, False], [False, False]]


def test_seen_from_above_a_die_has_no_sides_and_no_face_is_a_side_without_a_die() -> None:
    assert told(*die(0.6), level=np.zeros(2))[0] == [False] * 3
    _, side, _ = die(0.6)
    assert told(side, level=0.9 * LOW / np.hypot(*SLANT) * SLANT, dice=()) == [[False], [False]]


def test_seen_from_low_a_side_is_no_top_even_if_its_die_is_not_found() -> None:
    _, side, _ = die(0.6)
    assert told(side, dice=()) == [[True], [False]]


def test_as_many_sides_as_tops_are_seen_by_a_camera_that_looks_from_low_and_not_from_the_other_side() -> None:
    view = view_of(np.zeros((480, 640, 3), np.uint8), np.eye(3))
    places = np.array([(x, y) for y in (200.0, 230.0) for x in (260.0, 290.0, 320.0, 350.0)])
    up, down = (0.0, -0.6), (0.0, 0.5)
    slants = np.array([up] * 4 + [down] * 4)
    assert level_slants(view, places, slants, places[:4])[:, 1] == pytest.approx([-0.6] * 4, abs=0.15)


def test_dice_seen_from_above_are_level_though_one_leans_as_if_it_were_seen_from_low() -> None:
    view = view_of(np.zeros((480, 640, 3), np.uint8), np.eye(3))
    places = np.array([(x, 240.0) for x in (260.0, 290.0, 320.0, 350.0)])
    slants = np.array([(0.0, 0.0)] * 3 + [(0.0, -0.6)])
    assert np.abs(level_slants(view, places, slants, places)[:, 1]).max() < 0.1
