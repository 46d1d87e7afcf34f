"""Sample pictures to calibrate and test with, of a camera or the simulated tray, and measures of the empty tray."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.errors import CompanionError
from dicereader import read as read_pixels
from dicereader.data.camera_modules import CameraView
from dicereader.data.frame import Frame, Pixels
from dicereader.errors import CalibrationError
from dicereader.sources import FrameSource
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import DieKey, DiePath, Pose, World, upright
from dicereader.tray import camera_checks
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration
from dicereader.tray.camera_checks import Measure
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import from_tags
from dicereader.tray.tags import find_tags

FRAMES = 5
"""Number of frames whose median is one picture; the median removes noise and a passing hand."""

WAIT_S = 2.0
DICE = 6
APART = 1.6
"""The least distance between the centres of simulated dice, in die edges."""


def take_frames(source: FrameSource, count: int) -> Iterator[Frame]:
    """Yield frames of a live camera.

    Raises:
        CompanionError: if no frames come.
    """
    for _ in range(count):
        frame = source.next(WAIT_S)
        if frame is None:
            raise CompanionError(f"expected frames from the camera, got none for {WAIT_S:g} s")
        yield frame


def take_picture(source: FrameSource) -> Pixels:
    """Return one picture from a live camera, the median of several frames."""
    return median_of([frame.pixels for frame in take_frames(source, FRAMES)])


def median_of(frames: Sequence[Pixels]) -> Pixels:
    """Return one picture of the first frames, without their noise."""
    return np.asarray(np.median(np.stack(frames[:FRAMES]), 0), np.uint8)


def draw_samples(seed: int, throws: int, chance: random.Random) -> tuple[Pixels, list[Pixels]]:
    """Return pictures of the empty simulated tray, and of throws on it.

    Args:
        seed: the number of the simulated table.
        throws: how many throws to draw.
        chance: the random source of faces and places.
    """
    source = SyntheticSource(lambda: 100.0, seed=seed)
    source.set_world(World(seed, ()))
    empty = source.empty_picture()
    return empty, [draw_throw(source, seed, [chance.randint(1, 6) for _ in range(DICE)], chance) for _ in range(throws)]


def draw_throw(source: SyntheticSource, seed: int, faces: Sequence[int], chance: random.Random) -> Pixels:
    """Return a picture of the simulated tray with dice of these faces at random places in the throw area."""
    tray = Tray()
    reach = tray.half_mm - tray.die_mm
    low = tray.rail_y_mm + tray.die_mm
    places: list[tuple[float, float]] = []
    while len(places) < len(faces):
        x, y = chance.uniform(-reach, reach), chance.uniform(low, reach)
        if all(max(abs(x - u), abs(y - v)) > APART * tray.die_mm for u, v in places):
            places.append((x, y))
    poses = [
        Pose(x, y, tray.die_mm / 2, upright(face, chance.uniform(0, 6.3)))
        for face, (x, y) in zip(faces, places, strict=True)
    ]
    source.set_world(World(seed, tuple(DiePath((DieKey(0.0, pose),)) for pose in poses)))
    frame = source.next(WAIT_S)
    assert frame is not None  # a simulated tray always has one
    return frame.pixels


@dataclass(frozen=True)
class ShownTray:
    """Frames of the empty tray, their times in seconds, and the camera's view, None if that is unknown."""

    frames: tuple[Pixels, ...]
    times_s: tuple[float, ...]
    view: CameraView | None = None


def tray_of(shown: ShownTray, calibration: Calibration | None) -> Calibration | None:
    """Locate the tray by the table's calibration, else by the tags; return None if neither locates it."""
    empty = shown.frames[0]
    if calibration is not None and calibration.fits(empty):
        return calibration
    known_deg = shown.view.known_across_deg if shown.view is not None else None
    try:
        return from_tags(empty, fov_deg=known_deg or DEFAULT_FOV_DEG)
    except CalibrationError:
        return None


def check_empty(shown: ShownTray, tray: Calibration | None) -> list[Measure]:
    """Return the measures of the empty tray: dice left in it, sharpness, light, flicker, reflections, frame rate."""
    empty = shown.frames[0]
    return [
        camera_checks.dice_left(read_pixels(empty)),
        camera_checks.sharpness(empty, find_tags(empty)),
        camera_checks.evenness(empty, tray),
        camera_checks.flicker(shown.frames, tray),
        camera_checks.reflections(empty, tray),
        camera_checks.frame_rate(shown.times_s),
    ]
