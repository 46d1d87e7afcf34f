"""The simulated World, the places of its dice between two keyframes, and the camera's view of it."""

import math

import cv2
import numpy as np
import pytest
from samples import sampled

from dicereader.errors import WorldError
from dicereader.sources.synthetic.background import _planks
from dicereader.sources.synthetic.camera import corners, matrix
from dicereader.sources.synthetic.dice import PIP_REACH
from dicereader.sources.synthetic.source import SyntheticSource, hand_at, pose_at, same
from dicereader.sources.synthetic.world import (
    NORMALS,
    DieKey,
    DiePath,
    HandKey,
    HandPath,
    Lighting,
    Pose,
    World,
    upright,
)
from dicereader.stages.shared.layouts import LAYOUTS, SITES


class BoardWidths:
    """Chance with these widths of boards in millimetres."""

    def __init__(self, *widths: float) -> None:
        self._rng, self._widths = np.random.default_rng(1), iter(widths)

    def uniform(self, low: float, high: float) -> float:
        return next(self._widths) if (low, high) == (85, 120) else self._rng.uniform(low, high)

    def __getattr__(self, name: str) -> object:
        return getattr(self._rng, name)


def test_boards_whose_pixels_are_rounded_down_cover_the_table() -> None:
    ground = _planks(BoardWidths(96.24, 96.24, 96.24, 96.24, 95.05, 90.0), 480.0, np.full(3, 60.0, np.float32))
    assert ground.shape == (960, 960, 3)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_an_upright_die_shows_its_face(face, yaw):
    up = matrix(upright(face, yaw)) @ np.array(NORMALS[face])
    assert up == pytest.approx([0, 0, 1], abs=1e-9)


def test_a_world_lasts_until_the_last_keyframe_of_dice_and_hand():
    die, hand = DiePath((DieKey(1.5, Pose(0, 0, 8)),)), HandPath((HandKey(0.2, 0, 0), HandKey(1.8, 0, 0)))
    assert World(0, (die,), hand=hand).length_s == 1.8
    assert World(0, ()).length_s == 0.0


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
    hand = HandPath((HandKey(0.0, 0, 0),))
    world = World(4, (path,), 7.0, hand)
    still = world.at_rest()
    assert still.dice == (DiePath((DieKey(0.0, Pose(10, 20, 8)),)),)
    assert (still.hand, still.started_s, still.seed) == (None, 0.0, 4)


PLACES = [(-80.0, 80.0), (70.0, 75.0), (0.0, 20.0), (-60.0, -30.0), (80.0, -40.0), (15.0, -100.0)]


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def lying(seed: int = 1, yaw: float = 0.4, **kind: object) -> World:
    paths = [DiePath((DieKey(0.0, Pose(x, y, 8.0, upright(f, yaw + f))),)) for f, (x, y) in enumerate(PLACES, 1)]
    return World(seed, tuple(paths), **kind)  # type: ignore[arg-type]


def opened(world: World | None = None, seed: int = 1) -> tuple[SyntheticSource, Clock]:
    clock = Clock()
    source = SyntheticSource(clock, seed=seed)
    if world is not None:
        source.set_world(world)
    return source, clock


def shown(source: SyntheticSource) -> np.ndarray:
    frame = source.next(1.0)
    return frame.pixels


def grey_at(picture: np.ndarray, point: tuple[float, float]) -> float:
    u, v = point
    return float(picture[round(v) - 1 : round(v) + 2, round(u) - 1 : round(u) + 2].mean())


def pip_places(face: int, edge_mm: float) -> list[tuple[float, ...]]:
    """Return the middles of a face's pips on the die's surface, in millimetres in the die's axes."""
    normal = np.array(NORMALS[face], float)
    u = np.roll(normal, -1)
    v = np.cross(normal, u)
    sites = SITES[list(LAYOUTS[face - 1][1])] * PIP_REACH * edge_mm
    return [tuple(normal * edge_mm / 2 + a * u + b * v) for a, b in sites]


@pytest.mark.parametrize("yaw", sampled([0.0, 0.9, 2.2], 0.9))
def test_pips_are_dark_where_the_die_has_them_and_the_rest_of_its_face_is_light(yaw):
    source, _ = opened(lying(yaw=yaw))
    picture = shown(source)
    for face, (x, y) in enumerate(PLACES, 1):
        turned = matrix(upright(face, yaw + face))

        def seen(p, x=x, y=y, turned=turned):
            at = turned @ np.array(p) + [x, y, 8.0]
            return source.camera.project(*at)

        pips = pip_places(face, 16.0)
        assert len(pips) == face
        normal = np.array(pips).mean(0) / 8.0
        u = np.array([normal[1], normal[2], normal[0]])
        # No face has a pip between the edge and the pips.
        bare = [tuple(8.0 * normal + side * 6.6 * u) for side in (-1, 1)]
        assert max(grey_at(picture, seen(p)) for p in pips) < 80 < 150 < min(grey_at(picture, seen(p)) for p in bare)


def test_a_die_casts_a_shadow_away_from_the_lamp():
    source, _ = opened()
    bare = source.empty_picture().astype(float)
    source.set_world(World(1, (DiePath((DieKey(0.0, Pose(0.0, 0.0, 8.0, upright(1))),)),)))
    picture = shown(source).astype(float)
    lit, dark = source.camera.project(-13.0, 13.0, 0.0), source.camera.project(11.5, -11.5, 0.0)
    change = [grey_at(picture, at) / grey_at(bare, at) for at in (lit, dark)]
    assert change[1] < 0.75 < 0.85 < change[0]


def test_two_frames_differ_by_noise_alone():
    source, clock = opened(lying())
    one = shown(source).astype(int)
    clock.now += 1 / 30
    other = shown(source).astype(int)
    assert 0.5 < np.abs(one - other).mean() < 4.0
    assert np.abs(cv2.blur((one - other).astype(np.float32), (12, 12))).max() < 3.0


def test_a_world_starts_when_it_is_set_or_at_its_own_time():
    path = DiePath((DieKey(0.0, Pose(-80, 0, 8, upright(1))), DieKey(1.0, Pose(80, 0, 8, upright(1)))))
    source, clock = opened()
    clock.now = 500.0
    source.set_world(World(1, (path,)))
    left, right = source.camera.project(-80, 5, 16), source.camera.project(80, 5, 16)
    before = shown(source)
    clock.now = 501.0
    after = shown(source)
    assert grey_at(before, left) > 150 > grey_at(before, right)
    assert grey_at(after, right) > 150 > grey_at(after, left)
    source.set_world(World(1, (path,), started_s=490.0))
    assert grey_at(shown(source), right) > 150


def test_a_moving_die_is_smeared_along_its_way():
    path = DiePath((DieKey(0.0, Pose(-60, 0, 8, upright(1))), DieKey(0.1, Pose(60, 0, 8, upright(1)))))
    source, clock = opened(World(1, (path,)))
    clock.now += 0.05
    picture = shown(source).astype(float).mean(2)
    u, v = (round(part) for part in source.camera.project(-6.0, 4.0, 16))
    part = picture[v - 8 : v + 8, u - 45 : u + 45]
    across = np.abs(np.diff(part.mean(0))).max()
    source.set_world(World(1, (DiePath((DieKey(0.0, Pose(-6, 0, 8, upright(1))),)),)))
    still = shown(source).astype(float).mean(2)[v - 8 : v + 8, u - 45 : u + 45]
    assert across < 0.5 * np.abs(np.diff(still.mean(0))).max()


def test_a_hand_covers_the_dice_and_reaches_out_of_the_picture():
    source, _ = opened(lying(hand=HandPath((HandKey(0.0, 0.0, 0.0), HandKey(10.0, 0.0, 0.0)))))
    picture = shown(source)
    blue, green, red = picture[round(source.camera.project(0, 0, 60)[1]), round(source.camera.project(0, 0, 60)[0])]
    assert red > green > blue
    assert red > 120
    bare = source.empty_picture().astype(int)
    assert np.abs(picture[-1].astype(int) - bare[-1]).mean(1).max() > 25


def test_a_darker_lamp_gives_a_darker_picture_and_warm_light_is_less_blue(fewer_pixels: None):
    source, _ = opened()
    cold, dark, warm = (Lighting(warmth=0.0), Lighting(level=0.5, warmth=0.0), Lighting(warmth=1.0))
    blue = []
    for light in (cold, dark, warm):
        source.set_world(lying(light=light))
        blue.append(shown(source)[..., 0].mean())
    assert blue[1] == pytest.approx(blue[0] / 2, rel=0.1)
    assert blue[2] < 0.85 * blue[0]


def test_the_same_world_gives_the_same_picture_and_one_of_another_seed_another_camera():
    (one, _), (other, _) = opened(lying()), opened(lying())
    assert np.array_equal(shown(one), shown(other))
    one.set_world(lying(seed=2))
    assert math.dist(one.camera.position_mm, other.camera.position_mm) > 1


def test_a_die_outside_the_picture_causes_no_error():
    for x, y in ((-300.0, 0.0), (300.0, 0.0), (0.0, 300.0), (0.0, -300.0), (-213.0, 150.0)):
        path = DiePath((DieKey(0.0, Pose(x, y, 40, upright(1))), DieKey(1.0, Pose(x + 60, y - 50, 40, upright(2)))))
        source, clock = opened(World(1, (path,)))
        for _ in range(5):
            assert shown(source).shape == (720, 960, 3)
            clock.now += 0.25
