"""Clumsy hands: throws that go wrong, and all other acts of hands."""

import math

import numpy as np
import pytest
from clumsy_hands import ClumsyHands, ErringHands, Manner
from hypothesis import given
from hypothesis import strategies as st
from lying_dice import face_up, lean_deg, rest

from companion.simulation.hands import AWAY_MM
from dicereader.errors import WorldError
from dicereader.sources.synthetic.camera import corners
from dicereader.sources.synthetic.source import hand_at, pose_at
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


@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_a_die_that_spins_turns_on_its_place_and_then_falls_flat(seconds):
    _, world = thrown(5, Manner(spin_s=seconds))
    path = world.dice[0]
    assert path.keys[-1].t_s > max(other.keys[-1].t_s for other in world.dice[1:]) + seconds / 2
    poses = [pose_at(path, path.keys[-1].t_s - 0.2 - seconds * share) for share in (0.1, 0.12)]
    assert math.dist((poses[0].x_mm, poses[0].y_mm), (poses[1].x_mm, poses[1].y_mm)) < 0.01
    assert abs(np.dot(poses[0].q, poses[1].q)) < 0.9999
    assert face_up(rest(world)[0]) == 1


def test_a_die_that_is_struck_keeps_its_face_and_moves_a_little():
    hands = ClumsyHands(6)
    hands.throw([1, 2, 3, 4, 5, 6])
    before = rest(hands.still())[0]
    after = rest(hands.throw([1, 1, 1], [3, 4, 5], Manner(strikes=0)))[0]
    assert 5 < math.dist((before.x_mm, before.y_mm), (after.x_mm, after.y_mm)) < 40
    assert face_up(after) == 1


def test_a_hand_that_lingers_is_there_when_the_dice_have_come_to_rest():
    _, world = thrown(7, Manner(lingers_s=1.0))
    assert world.hand is not None
    assert hand_at(world.hand, max(path.keys[-1].t_s for path in world.dice) + 0.1) is not None


def test_some_dice_may_leave_the_hand_later():
    _, world = thrown(8, Manner(later_s=0.9))
    ends = [path.keys[-1].t_s for path in world.dice]
    assert min(ends[3:]) > max(ends[:3]) + 0.5


@given(SEEDS)
def test_a_nudged_die_keeps_its_face_and_stays_clear_of_the_others(seed):
    hands, _ = thrown(seed, Manner())
    before, world = rest(hands.still()), hands.nudge(2)
    after = rest(world)
    assert [pose for i, pose in enumerate(after) if i != 2] == [pose for i, pose in enumerate(before) if i != 2]
    assert face_up(after[2]) == 3
    assert 3 < math.dist((after[2].x_mm, after[2].y_mm), (before[2].x_mm, before[2].y_mm)) < 31
    assert hands.rolled == (0, 1, 2, 3, 4, 5)


def test_a_hand_that_hovers_leaves_all_dice_alone():
    hands, _ = thrown(9, Manner())
    before = rest(hands.still())
    world = hands.hover(from_deg=90.0)
    assert rest(world) == before
    assert world.hand is not None
    assert world.hand.keys[0].x_mm == pytest.approx(-AWAY_MM)


def test_dice_beside_the_tray_are_neither_on_the_shelf_nor_in_the_throw_area():
    hands, _ = thrown(10, Manner())
    world = hands.take_away([1, 4])
    assert (hands.beside, hands.shelved, hands.rolled) == ((1, 4), (), (0, 2, 3, 5))
    assert min(rest(world)[i].x_mm for i in (1, 4)) > TRAY.half_mm + TRAY.wall_mm
    hands.throw([6] * 6)
    assert hands.beside == ()


def test_a_bump_and_a_change_of_light_last():
    hands, _ = thrown(11, Manner())
    world = hands.bump(2.0, -1.0, 0.5)
    assert (world.jolts[0].x_mm, world.jolts[-1].x_mm, hands.still().jolts) == (0.0, 2.0, (hands.still().jolts[0],))
    assert hands.still().jolts[0].y_mm == -1.0
    hands.relight(0.5, shade=0.2)
    lit = hands.throw([1] * 6).light_keys
    assert [(key.level, key.shade) for key in lit] == [(0.5, 0.2)]


@pytest.mark.parametrize(
    ("act", "what"),
    [
        (lambda h: h.throw([1, 2], [0, 1], Manner(strikes=1)), "a die that is not thrown to be struck, got 1"),
        (lambda h: h.nudge(6), "different dice of 0 to 5"),
        (lambda h: (h.take_away([0]), h.take_away([0])), r"dice that lie in the tray, got \[0\]"),
    ],
)
def test_an_impossible_act_of_clumsy_hands_is_refused(act, what):
    hands, _ = thrown(12, Manner())
    with pytest.raises(WorldError, match=what):
        act(hands)


def test_erring_hands_throw_the_given_faces_and_often_with_a_mishap():
    hands, worlds = ErringHands(5), []
    for _ in range(40):
        worlds.append(hands.throw([1, 2, 3, 4, 5, 6]))
        assert [face_up(pose) for pose in rest(worlds[-1])] == [1, 2, 3, 4, 5, 6]
    assert len({round(world.length_s, 1) for world in worlds}) > 5
    pushes = [world.jolts for world in worlds if len(world.jolts) == 2]
    lights = [world.light_keys for world in worlds if len(world.light_keys) == 2]
    assert pushes
    assert lights
    for _, pushed in pushes:
        assert math.hypot(pushed.x_mm, pushed.y_mm) < 1.5  # no more than a calibrated tray tolerates
