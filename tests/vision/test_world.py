"""The World, and the places of its dice between two keyframes."""

import math

import numpy as np
import pytest

from dicereader.errors import WorldError
from dicereader.sources.synthetic.camera import corners, matrix
from dicereader.sources.synthetic.source import hand_at, pose_at, same
from dicereader.sources.synthetic.world import (
    NORMALS,
    DieKey,
    DiePath,
    HandKey,
    HandPath,
    JoltKey,
    LightKey,
    Pose,
    World,
    upright,
)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_an_upright_die_shows_its_face(face, yaw):
    up = matrix(upright(face, yaw)) @ np.array(NORMALS[face])
    assert up == pytest.approx([0, 0, 1], abs=1e-9)


def test_a_world_lasts_until_the_last_keyframe_of_dice_hand_light_and_pushes():
    die, hand = DiePath((DieKey(1.5, Pose(0, 0, 8)),)), HandPath((HandKey(0.2, 0, 0), HandKey(1.8, 0, 0)))
    assert World(0, (die,), hand=hand).length_s == 1.8
    assert World(0, ()).length_s == 0.0
    assert World(0, (), light_keys=(LightKey(0.0), LightKey(2.5))).length_s == 2.5
    assert World(0, (), jolts=(JoltKey(0.5),)).length_s == 0.5


def test_faces_that_no_die_has_and_times_that_go_back_are_refused():
    with pytest.raises(WorldError, match="face from 1 to 6, got 7"):
        upright(7)
    with pytest.raises(WorldError, match="do not go back"):
        DiePath((DieKey(1.0, Pose(0, 0, 8)), DieKey(0.5, Pose(0, 0, 8))))


def test_a_die_is_halfway_at_half_time_and_waits_before_its_first_key_and_after_its_last():
    path = DiePath((DieKey(1.0, Pose(0, 0, 8, upright(1))), DieKey(2.0, Pose(10, 4, 8, upright(1, 1.0)))))
    assert [pose_at(path, t_s).x_mm for t_s in (0.0, 1.5, 9.0)] == [0, 5, 10]
    half = pose_at(path, 1.5)
    assert half.y_mm == 2
    assert half.q == pytest.approx(upright(1, 0.5), abs=1e-6)


def test_a_turn_takes_the_shorter_way():
    a, b = upright(1, 0.0), tuple(-part for part in upright(1, 0.2))
    half = pose_at(DiePath((DieKey(0, Pose(0, 0, 8, a)), DieKey(1, Pose(0, 0, 8, b)))), 0.5)
    assert abs(sum(p * q for p, q in zip(half.q, upright(1, 0.1), strict=True))) == pytest.approx(1, abs=1e-6)


def test_the_hand_is_away_before_and_after_its_keys():
    path = HandPath((HandKey(1.0, 0, -300), HandKey(2.0, 0, 0)))
    assert hand_at(path, 0.9) is None
    assert hand_at(path, 1.5) == (0.0, -150.0, 60.0)
    assert hand_at(path, 2.1) is None


def test_a_level_die_stands_on_the_floor():
    low = corners(Pose(0, 0, 8, upright(4, 0.7)), 16.0)[:, 2]
    assert low.min() == pytest.approx(0, abs=1e-9)
    assert low.max() == pytest.approx(16)


def test_a_die_that_only_turns_is_not_still():
    assert not same(Pose(0, 0, 8, upright(1)), Pose(0, 0, 8, upright(1, math.radians(3))))
    assert same(Pose(0, 0, 8, upright(1)), Pose(0, 0, 8, upright(1)))


def test_a_world_at_rest_shows_how_it_ends():
    path = DiePath((DieKey(0.0, Pose(0, 0, 50)), DieKey(1.0, Pose(10, 20, 8))))
    light, jolts = (LightKey(0.0), LightKey(2.0, 0.5)), (JoltKey(0.0), JoltKey(0.5, 4.0))
    hand = HandPath((HandKey(0.0, 0, 0),))
    world = World(4, (path,), 7.0, hand, light_keys=light, jolts=jolts)
    still = world.at_rest()
    assert still.dice == (DiePath((DieKey(0.0, Pose(10, 20, 8)),)),)
    assert (still.light_keys, still.jolts) == ((LightKey(0.0, 0.5),), (JoltKey(0.0, 4.0),))
    assert (still.hand, still.started_s, still.seed) == (None, 0.0, 4)
