"""Faults of a camera: each one is found in the frames of a simulated camera, and none in those of a sound camera."""

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from clumsy_hands import ClumsyHands, Manner
from samples import sampled
from spoiled_camera import SpoiledCamera

from dicereader import read
from dicereader.data.frame import Frame, Pixels
from dicereader.live import faults
from dicereader.live.faults import FaultDetector
from dicereader.reading import CameraFault
from dicereader.sources.pi_camera import LORES_PX
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World
from dicereader.tray.fitness import SHARP, sharpness


@pytest.fixture(autouse=True)
def size(request: pytest.FixtureRequest) -> None:
    """Draw pictures of full size only in the exhaustive tests."""
    if not request.node.get_closest_marker("exhaustive"):
        request.getfixturevalue("fewer_pixels")


class Camera:
    """A simulated camera and the watcher of its frames, on a clock that the test moves."""

    def __init__(self, seed: int, rate: float = 10.0, small_px: tuple[int, int] | None = None) -> None:
        self.now, self.rate, self.small_px = 0.0, rate, small_px
        self.hands = ClumsyHands(seed)
        self.source = SpoiledCamera(lambda: self.now, seed)
        self.watch = FaultDetector()
        self.told: list[tuple[float, tuple[CameraFault, ...]]] = []
        self.suspect = self.frames = 0
        self.still = self.hands.throw([1, 2, 3, 4, 5, 6]).at_rest()
        self.show(self.still, 1.0)
        self.watch.set_reference()

    def show(self, world: World, seconds: float, *faults: str) -> float:
        """Watch a World for some seconds with these faults. Return the time at which that began."""
        self.source.faults = faults
        self.source.set_world(world)
        began = self.now
        while self.now < began + seconds:
            self.now += 1 / self.rate
            frame = self.source.next(1.0)
            if self.small_px:
                small = cv2.resize(frame.pixels, self.small_px, interpolation=cv2.INTER_AREA)
                frame = replace(frame, small=cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
            self.watch.look(frame)
            self.suspect += self.watch.suspect
            self.frames += 1
            if not self.told or self.told[-1][1] != self.watch.faults:
                self.told.append((self.now, self.watch.faults))
        return began

    def change(self, seconds: float = 0.4, **to: float) -> World:
        """Change the light or push the tray; return the tray at rest."""
        self.source.source.change(seconds, **to)
        return self.hands.still()


WAYS = list(itertools.product(CameraFault, ((10.0, None), (30.0, None), (10.0, LORES_PX))))


@pytest.mark.parametrize("way", sampled(WAYS, *WAYS[::3], (CameraFault.COVERED, (10.0, LORES_PX))))
def test_a_fault_is_not_trusted_is_reported_within_two_seconds_and_ends_after_three_of_good_frames(way):
    fault, (rate, small_px) = way
    camera = Camera(400, rate, small_px)
    began = camera.show(camera.still, 1.0, fault)
    before = camera.suspect
    camera.show(camera.still, 1.0, fault)
    assert camera.suspect - before >= 0.9 * rate, "no settled picture with a fault is trusted"
    first = next(at for at, told in camera.told if fault in told)
    assert first - began < 2.0
    ended = camera.show(camera.still, 3.4)
    assert camera.told[-1][1] == ()
    assert camera.told[-1][0] - ended < 3.2


@pytest.mark.parametrize("size", sampled(["small", "full"], "small"), indirect=True)
def test_hands_throws_shade_lamps_and_a_bump_are_no_faults():
    camera = Camera(402)
    hands = camera.hands
    acts = [
        lambda: hands.throw([1, 2, 3, 4, 5, 6]),
        lambda: hands.nudge(2),
        lambda: hands.hover(2.5, from_deg=90.0),
        lambda: camera.change(level=0.55),
        lambda: camera.change(level=1.0, shade=0.5),
        lambda: hands.throw([1] * 6, manner=Manner(lingers_s=1.0)),
        lambda: camera.change(shade=0.0),
        lambda: camera.change(x_mm=4.0, y_mm=3.0, turn_deg=1.0),
        lambda: hands.shelve([0, 1]),
    ]
    for act in acts:
        world = act()
        camera.show(world, world.length_s + 0.6)
    assert camera.told == [(pytest.approx(0.1), ())]
    assert camera.suspect < 0.12 * camera.frames  # while a lamp changes


@pytest.mark.parametrize("seed", sampled([7, *range(404, 416)], 7))
def test_dice_that_were_taken_away_uncover_the_tray(seed):
    camera = Camera(seed)
    frame = camera.source.next(1.0)
    dice = read(frame.pixels, calibration=camera.source.source.camera).dice
    camera.watch.set_reference(die.box for die in dice)
    camera.show(World(seed, ()), 3.0)
    assert camera.watch.faults == ()
    camera.show(World(seed, ()), 3.0, "covered")
    assert camera.watch.faults == (CameraFault.COVERED,)


def test_a_live_camera_without_any_noise_is_frozen_and_a_clip_may_repeat_a_picture():
    picture = np.random.default_rng(1).integers(60, 200, (240, 320, 3), dtype=np.uint8)
    frozen, live, recorded = FaultDetector(), FaultDetector(), FaultDetector()
    for n in range(20):
        noisy = picture.copy()
        noisy[2 * n + 1, 0, 0] += 1
        frozen.look(Frame(picture, n / 10))
        live.look(Frame(noisy, n / 10))
        recorded.look(Frame(picture, n / 10, name="clip.mp4"))
    assert (frozen.faults, live.faults, recorded.faults) == ((CameraFault.FROZEN,), (), ())


def test_several_faults_are_reported_worst_first_and_one_lamp_that_is_switched_is_none():
    camera = Camera(404)
    for level in (0.5, 1.0):
        camera.show(camera.change(0.01, level=level), 1.5)
        assert camera.watch.faults == ()
    camera.show(camera.still, 1.0, "flicker", "frozen")
    camera.show(camera.still, 3.0, "covered", "flicker")
    assert camera.watch.faults == (CameraFault.COVERED, CameraFault.FLICKER)


@pytest.mark.parametrize("sigma", [5.0, 9.0])
def test_a_picture_out_of_focus_is_not_sharp_and_one_without_edges_not_blurred(sigma):
    assert sharpness(np.full((240, 320, 3), 90, np.uint8)) > 2.0
    picture = SyntheticSource(lambda: 0.0, seed=5).empty_picture()
    assert sharpness(picture) > 2.0
    assert sharpness(cv2.GaussianBlur(picture, (0, 0), sigma)) < SHARP


@pytest.mark.parametrize("seed", sampled([500, 504], 500))
@pytest.mark.parametrize("dice", sampled([1, 3], 1))
def test_dice_that_slide_along_the_shelf_are_no_torn_picture(seed, dice):
    """A die moved sideways fills one or two strips of the picture, at another place in each frame."""
    camera = Camera(seed)
    for aside in range(dice):
        for world in (camera.hands.shelve([aside]), camera.hands.throw([1, 2, 3, 4, 5, 6]), camera.hands.shelve([5])):
            camera.show(world, world.length_s + 1.0)
            camera.watch.set_reference()
            assert camera.watch.faults == ()


@pytest.mark.parametrize("fault", sampled(["covered", "torn", "blurred"], "covered"))
def test_a_dismissed_fault_is_read_and_not_reported_until_it_returns_but_others_are(fault, monkeypatch):
    monkeypatch.setattr(faults, "IGNORED_S", 2.0)
    camera = Camera(403)
    camera.show(camera.still, 2.5, fault)
    assert fault in camera.watch.faults
    camera.watch.ignore()
    camera.watch.set_reference()
    camera.show(camera.still, 3.0, fault)
    assert (camera.watch.faults, camera.watch.suspect) == ((), False)  # the cause is still there
    camera.show(camera.still, 2.0, "black")
    assert camera.watch.faults == (CameraFault.BLACK,)
    camera.show(camera.still, 2.5)
    camera.watch.set_reference()
    camera.show(camera.still, 2.0)
    camera.show(camera.still, 2.5, fault)
    assert fault in camera.watch.faults


class Scenes:
    """A watch on clutter that the test changes, seen ten times a second with a sensor's noise."""

    def __init__(self) -> None:
        self.watch, self.now, self.noise = FaultDetector(), 0.0, np.random.default_rng(5)
        self.show(clutter(1), 1.0)
        self.watch.set_reference()

    def show(self, picture: Pixels, seconds: float) -> bool:
        """Show a picture for some seconds; return whether it has become the scene."""
        end = self.now + seconds
        while self.now < end and not self.watch.other_scene:
            self.now += 0.1
            noisy = np.clip(picture + self.noise.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
            self.watch.look(Frame(noisy, self.now))
        return self.watch.other_scene


def clutter(seed: int) -> Pixels:
    """Return a picture full of edges: squares of many greys."""
    greys = np.random.default_rng(seed).choice((60, 120, 200), (12, 16)).astype(np.uint8)
    return cv2.cvtColor(cv2.resize(greys, (160, 120), interpolation=cv2.INTER_NEAREST), cv2.COLOR_GRAY2BGR)


CLOTH = cv2.GaussianBlur(clutter(2), (0, 0), 1.0)
CLOTH[60:] = 90


def test_a_wholly_other_picture_that_stands_still_for_ten_seconds_is_the_scene():
    scenes = Scenes()
    assert not scenes.show(CLOTH, 9.5)
    assert scenes.watch.faults == (CameraFault.COVERED,)
    assert scenes.show(CLOTH, 1.5)


def test_a_picture_in_which_somebody_still_arranges_things_is_not_the_scene_yet():
    scenes = Scenes()
    for step in range(4):
        stirred = CLOTH.copy()
        cv2.circle(stirred, (20 + 20 * step, 80), 6, (250, 250, 250), -1)
        assert not scenes.show(stirred, 4.0)


def test_a_part_that_stays_covered_is_never_the_scene():
    scenes = Scenes()
    half = clutter(1)
    half[:, :80] = 50
    assert not scenes.show(half, 12.0)
    assert scenes.watch.faults == (CameraFault.COVERED,)
