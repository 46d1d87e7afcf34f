"""Sample pictures for a calibration or a test: from a camera, or of dice on a simulated tray."""

import random
from collections.abc import Sequence

import numpy as np

from companion.errors import CompanionError
from dicereader.frame import Pixels
from dicereader.sources import FrameSource
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.geometry import Tray
from dicereader.world import DieKey, DiePath, Pose, World, upright

FRAMES = 5
"""Frames whose median is a picture: it removes noise, and a hand that passes."""

WAIT_S = 2.0
DICE = 6
LEAST_DISTANCE = 1.6
"""Least distance of the dice on the simulated tray along x or y, as a multiple of their edge."""


def camera_picture(source: FrameSource) -> Pixels:
    """Return one picture of a live camera.

    Raises:
        CompanionError: if no frames come.
    """
    frames: list[Pixels] = []
    while len(frames) < FRAMES:
        frame = source.next(WAIT_S)
        if frame is None:
            raise CompanionError(f"expected frames from the camera, got none for {WAIT_S:g} s")
        frames.append(frame.pixels)
    return np.asarray(np.median(np.stack(frames), 0), np.uint8)


def simulated_pictures(seed: int, throws: int, chance: random.Random) -> tuple[Pixels, list[Pixels]]:
    """Return pictures of a simulated table: its empty tray, and throws.

    Args:
        seed: The number of the simulated table.
        throws: The number of throws.
        chance: Chooses faces and places of the dice.
    """
    source = SyntheticSource(lambda: 100.0, seed=seed)
    source.set_world(World(seed, ()))
    empty = source.empty_picture()
    rolls = ([chance.randint(1, 6) for _ in range(DICE)] for _ in range(throws))
    return empty, [simulated_throw(source, seed, faces, chance) for faces in rolls]


def simulated_throw(source: SyntheticSource, seed: int, faces: Sequence[int], chance: random.Random) -> Pixels:
    """Return a picture of the simulated tray with dice of these faces at random places of the throw area."""
    tray = Tray()
    reach = tray.half_mm - tray.die_mm
    low = tray.rail_y_mm + tray.die_mm
    places: list[tuple[float, float]] = []
    while len(places) < len(faces):
        x, y = chance.uniform(-reach, reach), chance.uniform(low, reach)
        if all(max(abs(x - u), abs(y - v)) > LEAST_DISTANCE * tray.die_mm for u, v in places):
            places.append((x, y))
    poses = [
        Pose(x, y, tray.die_mm / 2, upright(face, chance.uniform(0, 6.3)))
        for face, (x, y) in zip(faces, places, strict=True)
    ]
    source.set_world(World(seed, tuple(DiePath((DieKey(0.0, pose),)) for pose in poses)))
    frame = source.next(WAIT_S)
    assert frame is not None  # a simulated tray always has a frame
    return frame.pixels
