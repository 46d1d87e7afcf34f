"""Faults of a camera: each found in the frames of a simulated one, none found in those of a well one."""

import dataclasses

import cv2
import numpy as np
import pytest
from clumsy_hands import ClumsyHands, Manner

from dicereader.frame import Frame
from dicereader.live import faults
from dicereader.live.faults import SHARP, FaultWatch, sharpness
from dicereader.reading import CameraFault
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.world import World

FAULTS = {
    "black": CameraFault.BLACK,
    "white": CameraFault.WHITE,
    "frozen": CameraFault.FROZEN,
    "blurred": CameraFault.BLURRED,
    "half": CameraFault.COVERED,
    "torn": CameraFault.TORN,
    "exposure": CameraFault.EXPOSURE,
    "flicker": CameraFault.FLICKER,
}
"""What a simulated camera can have, and what it is found to be."""


class Camera:
    """A simulated camera whose frames are watched, on a clock moved by hand."""

    def __init__(self, seed: int, rate: float = 10.0) -> None:
        self.now, self.rate = 0.0, rate
        self.hands = ClumsyHands(seed)
        self.source = SyntheticSource(lambda: self.now, seed=seed)
        self.watch = FaultWatch()
        self.told: list[tuple[float, tuple[CameraFault, ...]]] = []
        self.suspect = self.frames = 0
        self.still = self.hands.throw([1, 2, 3, 4, 5, 6]).at_rest()
        self.show(self.still, 1.0)
        self.watch.trust()

    def show(self, world: World, seconds: float) -> float:
        """Watch a World for so long; when it began."""
        self.source.lay(world)
        began = self.now
        while self.now < began + seconds:
            self.now += 1 / self.rate
            frame = self.source.next(1.0)
            assert frame is not None
            self.watch.look(frame)
            self.suspect += self.watch.suspect
            self.frames += 1
            if not self.told or self.told[-1][1] != self.watch.told:
                self.told.append((self.now, self.watch.told))
        return began


@pytest.mark.parametrize("rate", [10.0, 30.0])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_within_three_seconds_and_is_over_within_five_of_well_frames(fault, rate):
    camera = Camera(400, rate)
    began = camera.show(dataclasses.replace(camera.still, faults=(fault,)), 3.0)
    first = next(at for at, told in camera.told if FAULTS[fault] in told)
    assert first - began < 2.0
    ended = camera.show(camera.still, 4.0)
    assert camera.told[-1][1] == ()
    assert camera.told[-1][0] - ended < 3.2


@pytest.mark.parametrize("fault", FAULTS)
def test_no_settled_picture_with_a_fault_is_trusted(fault):
    """Five frames in 350 ms are read: from the first on that could be among them the camera is suspect."""
    camera = Camera(401)
    faulty = dataclasses.replace(camera.still, faults=(fault,))
    camera.show(faulty, 1.0)
    before = camera.suspect
    camera.show(faulty, 2.0)
    assert camera.suspect - before >= 19


def test_hands_throws_shade_lamps_and_a_bump_are_no_faults():
    camera = Camera(402)
    hands = camera.hands
    acts = [
        lambda: hands.throw([1, 2, 3, 4, 5, 6]),
        lambda: hands.nudge(2),
        lambda: hands.hover(2.5, from_deg=90.0),
        lambda: hands.relight(0.55),
        lambda: hands.relight(1.0, shade=0.5),
        lambda: hands.throw([1] * 6, manner=Manner(lingers_s=1.0)),
        lambda: hands.relight(1.0),
        lambda: hands.bump(4.0, 3.0, 1.0),
        lambda: hands.shelve([0, 1]),
    ]
    for act in acts:
        world = act()
        camera.show(world, world.length_s + 0.6)
    assert camera.told == [(pytest.approx(0.1), ())]
    assert camera.suspect < 0.12 * camera.frames  # while a lamp changes


def test_the_same_recorded_picture_again_is_no_frozen_camera():
    picture = np.random.default_rng(1).integers(60, 200, (240, 320, 3), dtype=np.uint8)
    live, recorded = FaultWatch(), FaultWatch()
    for n in range(20):
        live.look(Frame(picture, n / 10, n))
        recorded.look(Frame(picture, n / 10, n, name="clip.mp4"))
    assert live.told == (CameraFault.FROZEN,)
    assert recorded.told == ()


def test_photographs_are_exempt():
    watch = FaultWatch()
    for n in range(20):
        watch.look(Frame(np.zeros((240, 320, 3), np.uint8), n / 10, n, still=True))
    assert (watch.told, watch.suspect) == ((), False)


def test_several_faults_are_told_the_worst_first():
    camera = Camera(403)
    camera.show(dataclasses.replace(camera.still, faults=("flicker", "frozen")), 1.0)
    camera.show(dataclasses.replace(camera.still, faults=("half", "flicker")), 3.0)
    assert camera.watch.told == (CameraFault.COVERED, CameraFault.FLICKER)


def test_one_lamp_that_is_switched_on_is_no_restless_exposure():
    camera = Camera(404)
    camera.show(camera.hands.relight(0.5, seconds=0.01), 1.5)
    camera.show(camera.hands.relight(1.0, seconds=0.01), 1.5)
    assert camera.watch.told == ()


def test_frames_of_another_size_begin_anew():
    watch = FaultWatch()
    for n, width in enumerate((320, 320, 640, 640)):
        watch.look(Frame(np.full((240, width, 3), 90, np.uint8), float(n), n))
    assert watch.told in ((), (CameraFault.FROZEN,))


@pytest.mark.parametrize("sigma", [5.0, 9.0])
def test_a_picture_out_of_focus_is_not_sharp(sigma):
    picture = SyntheticSource(lambda: 0.0, seed=5).empty_picture()
    assert sharpness(picture) > 2.0
    assert sharpness(cv2.GaussianBlur(picture, (0, 0), sigma)) < SHARP


def test_a_picture_without_edges_is_not_blurred():
    assert sharpness(np.full((240, 320, 3), 90, np.uint8)) > 2.0


@pytest.mark.parametrize("seed", [500, 504])
def test_dice_slid_along_the_shelf_tear_no_picture(seed):
    """A die that is moved sideways fills a strip or two of the picture, and lies elsewhere in them."""
    camera = Camera(seed)
    for aside in ([0], [1], [2]):
        for world in (camera.hands.shelve(aside), camera.hands.throw([1, 2, 3, 4, 5, 6]), camera.hands.shelve([5])):
            camera.show(world, world.length_s + 1.0)
            camera.watch.trust()
            assert camera.watch.told == ()


@pytest.mark.parametrize("fault", ["half", "torn", "blurred"])
def test_a_fault_that_is_waved_away_is_told_no_more_and_its_frames_are_read(fault):
    camera = Camera(403)
    covered = dataclasses.replace(camera.still, faults=(fault,))
    camera.show(covered, 2.5)
    assert FAULTS[fault] in camera.told[-1][1]
    camera.watch.overlook()
    camera.show(covered, 0.3)
    assert (camera.watch.told, camera.watch.suspect) == ((), False)
    camera.show(dataclasses.replace(camera.still, faults=("black",)), 2.0)
    assert camera.watch.told == (CameraFault.BLACK,)  # the others are still told


@pytest.mark.parametrize("fault", ["half", "blurred", "exposure"])
def test_a_fault_that_was_waved_away_is_told_when_it_comes_anew(fault, monkeypatch):
    monkeypatch.setattr(faults, "ANEW_S", 2.0)
    camera = Camera(403)
    faulty = dataclasses.replace(camera.still, faults=(fault,))
    camera.show(faulty, 2.5)
    camera.watch.overlook()
    camera.watch.trust()
    camera.show(faulty, 3.0)
    assert camera.watch.told == ()  # its cause lasts
    camera.show(camera.still, 2.5)
    camera.watch.trust()
    camera.show(camera.still, 2.0)
    camera.show(faulty, 2.5)
    assert FAULTS[fault] in camera.watch.told
