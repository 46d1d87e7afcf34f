"""Clumsy hands: throws that go wrong, and all other acts of hands."""

import math

import numpy as np
import pytest
from clumsy_hands import ClumsyHands, Manner
from hypothesis import given
from hypothesis import strategies as st
from lying_dice import face_up, lean_deg, rest

from dicereader.sources.synthetic.camera import corners
from dicereader.sources.synthetic.source import pose_at
from dicereader.sources.synthetic.world import World
from dicereader.tray.geometry import Tray

TRAY = Tray()
SEEDS = st.integers(0, 10_000)


def thrown(seed: int, manner: Manner, faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> tuple[ClumsyHands, World]:
    hands = ClumsyHands(seed)
    return hands, hands.throw(faces, manner=manner)


@given(SEEDS)
def test_a_die_that_hops_comes_over_the_rail_and_rests_on_the_shelf(seed):
    hands, world = thrown(seed, Manner(hops=1))
    assert hands.shelved == (0,)
    assert face_up(rest(world)[0]) == 1
    times = [key.t_s for key in world.dice[0].keys]
    back = [pose_at(world.dice[0], float(t)) for t in np.linspace(times[-1] - 0.26, times[-1], 60)]
    assert back[0].y_mm > TRAY.rail_y_mm > back[-1].y_mm
    over = [corners(pose, 16.0)[:, 2].min() for pose in back if abs(pose.y_mm - TRAY.rail_y_mm) < 2]
    assert min(over) > TRAY.rail_height_mm


@given(SEEDS)
def test_a_die_that_leans_touches_the_far_wall_and_stands_on_the_floor(seed):
    _, world = thrown(seed, Manner(leans=1))
    pose = rest(world)[0]
    points = corners(pose, TRAY.die_mm)
    assert 20 < lean_deg(pose) < 45
    assert TRAY.half_mm - 1 < points[:, 1].max() < TRAY.half_mm
    assert points[:, 2].min() == pytest.approx(0, abs=0.01)


@given(SEEDS)
def test_a_stacked_die_lies_on_another(seed):
    _, world = thrown(seed, Manner(stacks=1))
    *others, top = rest(world)
    assert corners(top, TRAY.die_mm)[:, 2].min() == pytest.approx(TRAY.die_mm, abs=0.01)
    assert min(math.dist((top.x_mm, top.y_mm), (pose.x_mm, pose.y_mm)) for pose in others) < 5


def test_dice_beside_the_tray_are_neither_on_the_shelf_nor_in_the_throw_area():
    hands, _ = thrown(10, Manner())
    world = hands.take_away([1, 4])
    assert (hands.beside, hands.shelved, hands.rolled) == ((1, 4), (), (0, 2, 3, 5))
    assert min(rest(world)[i].x_mm for i in (1, 4)) > TRAY.half_mm + TRAY.wall_mm
    hands.throw([6] * 6)
    assert hands.beside == ()
