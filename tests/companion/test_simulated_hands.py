"""The simulated hands, and the Worlds that they make."""

import itertools
import math

import numpy as np
import pytest
from clumsy_hands import ClumsyHands
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import sampled

from companion.simulation.hands import AWAY_MM
from dicereader.errors import WorldError
from dicereader.sources.synthetic.camera import corners, matrix
from dicereader.sources.synthetic.source import hand_at, pose_at
from dicereader.sources.synthetic.world import NORMALS, Pose, World
from dicereader.tray.geometry import Tray

TRAY = Tray()
FACES = st.lists(st.integers(1, 6), min_size=6, max_size=6)


def rest(world: World) -> list[Pose]:
    return [path.keys[-1].pose for path in world.dice]


def face_up(pose: Pose) -> int:
    turned = matrix(pose.q)
    return max(NORMALS, key=lambda face: (turned @ np.array(NORMALS[face]))[2])


def lean_deg(pose: Pose) -> float:
    turned = matrix(pose.q)
    return math.degrees(math.acos(min(1.0, max((turned @ np.array(n))[2] for n in NORMALS.values()))))


def overlap(a: Pose, b: Pose) -> bool:
    """Return whether two level dice share a point of the floor. Samples points of the one's square in the other's."""
    grid = np.linspace(-8, 8, 17)
    points = np.array([[x, y, 0.0] for x in grid for y in grid])
    turned = [matrix(pose.q) for pose in (a, b)]
    level = [t[:, [i for i in range(3) if abs(t[2, i]) < 0.5]] for t in turned]
    there = points[:, :2] @ level[0][:2].T + [a.x_mm - b.x_mm, a.y_mm - b.y_mm]
    inside = np.abs(there @ level[1][:2]) <= 8
    return bool(inside.all(axis=1).any())


def is_under(world: World, die: int) -> bool:
    """Return whether a die is under the palm when it leaves its place."""
    lifted_s = next(key.t_s for key in world.dice[die].keys if key.pose.z_mm > 9)
    palm, pose = hand_at(world.hand, lifted_s), pose_at(world.dice[die], lifted_s)
    return palm is not None and math.dist(palm[:2], (pose.x_mm, pose.y_mm)) < 45


@given(st.integers(0, 10_000), FACES)
def test_thrown_dice_rest_with_the_faces_asked_for_level_in_the_throw_area_and_clear_of_each_other(seed, faces):
    poses = rest(ClumsyHands(seed).throw(faces))
    assert [face_up(pose) for pose in poses] == faces
    for pose in poses:
        points = corners(pose, TRAY.die_mm)
        assert lean_deg(pose) < 0.1
        assert np.abs(points[:, :2]).max() < TRAY.half_mm
        assert points[:, 1].min() > TRAY.rail_y_mm + TRAY.rail_mm / 2
        assert points[:, 2].min() == pytest.approx(0, abs=0.01)
    assert not any(overlap(a, b) for a, b in itertools.combinations(poses, 2))


@settings(max_examples=8)
@given(st.integers(0, 10_000), FACES)
def test_a_throw_of_a_second_goes_from_under_the_hand_over_the_rail_and_never_through_the_floor(seed, faces):
    hands = ClumsyHands(seed)
    hands.throw([1, 2, 3, 4, 5, 6])
    world = hands.throw(faces)
    assert 0.9 < world.length_s < 1.6
    assert world.hand.keys[0].y_mm <= -250  # out of the picture
    assert world.hand.keys[-1].y_mm == AWAY_MM
    assert world.hand.keys[-1].t_s < world.length_s - 0.25  # gone before the dice rest
    for i, path in enumerate(world.dice):
        assert is_under(world, i)
        assert all(corners(key.pose, TRAY.die_mm)[:, 2].min() > -0.05 for key in path.keys)
        for t in np.linspace(world.length_s - 0.7, world.length_s, 60):
            pose = pose_at(path, float(t))
            if abs(pose.y_mm - TRAY.rail_y_mm) < 3 and pose.y_mm > -TRAY.half_mm:
                assert corners(pose, TRAY.die_mm)[:, 2].min() > TRAY.rail_height_mm - 1


class Quick:
    """A quick throw after another: some dice are put aside, the others thrown."""

    def __init__(self, seed: int, aside: int) -> None:
        self.hands = ClumsyHands(seed)
        self.hands.throw([1, 2, 3, 4, 5, 6])
        self.before = rest(self.hands.still())
        self.aside, self.thrown = range(aside), range(aside, 6)
        self.world = self.hands.quick_throw([6] * (6 - aside), self.thrown, self.aside)
        self.hand = self.world.hand
        self.release_s = self.hand.keys[-3].t_s


@pytest.mark.parametrize("aside", sampled((0, 1, 3, 5), 0, 3))
def test_a_quick_throw_is_seen_in_the_picture_and_flies_for_half_a_second_over_no_die_put_aside(aside):
    for seed in range(5):
        quick = Quick(seed, aside)
        poses = rest(quick.world)
        assert quick.hands.shelved == tuple(quick.aside)
        assert [face_up(pose) for pose in poses] == [*range(1, aside + 1), *[6] * (6 - aside)] == [*quick.hands.faces]
        assert not any(overlap(a, b) for a, b in itertools.combinations(poses, 2))
        assert all(is_under(quick.world, i) and poses[i] != quick.before[i] for i in range(6))
        palms = [hand_at(quick.hand, t) for t in np.arange(0, quick.release_s, 1 / 30)]
        assert sum(palm is not None and palm[1] > -TRAY.half_mm - TRAY.wall_mm for palm in palms) >= 4
        assert quick.world.length_s < 1.0
        for keys in (quick.world.dice[i].keys for i in quick.thrown):
            leaves_s = next(key.t_s for key in keys if key.pose.z_mm > 40)  # higher than it was carried
            assert leaves_s >= quick.release_s
            assert keys[-1].t_s - leaves_s >= 0.4999
            assert quick.hand.keys[-1].t_s < keys[-1].t_s - 0.25
            if aside:
                assert min(key.pose.y_mm for key in keys if key.t_s > quick.release_s) > TRAY.rail_y_mm


def test_dice_lie_in_the_pockets_at_first_and_after_a_restart_as_they_lay():
    hands = ClumsyHands(7)
    assert (hands.shelved, hands.rolled, sorted(hands.faces)) == ((0, 1, 2, 3, 4, 5), (), [1, 2, 3, 4, 5, 6])
    world = hands.lay_out([2, 3, 3], shelf=[1, 5, 5])
    assert [face_up(pose) for pose in rest(world)] == [2, 3, 3, 1, 5, 5]
    assert (hands.rolled, hands.shelved, world.hand, world.length_s) == ((0, 1, 2), (3, 4, 5), None, 0.0)


def test_dice_on_the_shelf_or_left_out_stay_when_others_are_thrown():
    hands = ClumsyHands(4)
    hands.throw([1, 5, 2, 2, 3, 4])
    before = rest(hands.shelve(hands.find([1, 5])))
    assert rest(hands.throw([6, 6], dice=[4, 5]))[:4] == before[:4]
    assert rest(hands.throw([6, 6, 6, 6]))[:2] == before[:2]
    assert (hands.faces, hands.shelved) == ((1, 5, 6, 6, 6, 6), (0, 1))
    hands.throw([3, 3, 3, 3, 3, 3])
    assert (hands.faces, hands.shelved) == ((3,) * 6, ())


def test_shelved_dice_go_over_the_rail_below_the_palm_to_a_pocket_each_and_back():
    hands = ClumsyHands(5)
    hands.throw([1, 1, 5, 2, 3, 4])
    world = hands.shelve(hands.find([1, 1, 5]))
    assert (hands.shelved, hands.rolled) == ((0, 1, 2), (3, 4, 5))
    assert [face_up(pose) for pose in rest(world)] == [1, 1, 5, 2, 3, 4] == list(hands.faces)
    assert not any(overlap(a, b) for a, b in itertools.combinations(rest(world), 2))
    assert world.length_s == world.hand.keys[-1].t_s
    for path in world.dice[:3]:
        crossing = [pose_at(path, t) for t in np.linspace(0, world.length_s, 400)]
        low = [corners(pose, 16.0)[:, 2].min() for pose in crossing if abs(pose.y_mm - TRAY.rail_y_mm) < 2]
        assert min(low) > TRAY.rail_height_mm - 1
        for key in (key for key in path.keys if key.pose.z_mm > 9):
            palm = hand_at(world.hand, key.t_s)
            assert math.dist(palm[:2], (key.pose.x_mm, key.pose.y_mm)) < 45
    with pytest.raises(WorldError, match="dice of the throw area"):
        hands.shelve([0])
    poses = rest(hands.unshelve([1]))
    assert (hands.shelved, hands.rolled) == ((0, 2), (1, 3, 4, 5))
    assert not any(overlap(a, b) for a, b in itertools.combinations(poses, 2))


def test_the_same_seed_and_acts_give_the_same_worlds():
    def evening(seed: int) -> list[World]:
        hands = ClumsyHands(seed)
        return [hands.throw([1, 2, 3, 4, 5, 6]), hands.shelve([0]), hands.quick_throw([2, 2, 2, 2], range(2, 6), [1])]

    assert evening(9) == evening(9)
    assert {(world.seed, world.started_s) for world in evening(9)} == {(9, 0.0)}
    assert evening(9) != evening(10)


@pytest.mark.parametrize(
    ("act", "what"),
    [
        (lambda h: h.throw([1, 2, 7, 4, 5, 6]), "face from 1 to 6, got 7"),
        (lambda h: h.throw([1, 2], dice=[0]), r"a face for each of 1 dice, got \[1, 2\]"),
        (lambda h: h.throw([1, 2], dice=[0, 6]), "different dice of 0 to 5"),
        (lambda h: h.throw([1, 2], dice=[0, 0]), "different dice of 0 to 5"),
        (lambda h: h.shelve([]), "different dice"),
        (lambda h: h.quick_throw([6], [0], [1, 2, 3, 4, 5, 5]), "different dice"),
        (lambda h: h.quick_throw([6], [0, 1]), r"a face for each of 2 dice, got \[6\]"),
        (lambda h: h.quick_throw([6, 6], [0, 1], [1]), "different dice of 0 to 5"),
        (lambda h: h.quick_throw([], [], [1]), r"a face for each of 0 dice, got \[\]"),
        (lambda h: h.unshelve([0]), r"dice of the shelf, \[\], got \[0\]"),
        (lambda h: h.find([6, 6, 6]), "in the throw area, got"),
        (lambda h: h.lay_out([1] * 7), "1 to 6 dice"),
        (lambda h: h.lay_out([]), "1 to 6 dice"),
    ],
)
def test_an_impossible_act_is_refused_and_changes_nothing(act, what):
    hands = ClumsyHands(13)
    hands.throw([1, 2, 3, 4, 5, 6])
    before = hands.still()
    with pytest.raises(WorldError, match=what):
        act(hands)
    assert hands.still() == before
