"""A simulated table for tests: drawn pictures of its empty tray and of throws."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.frame import Pixels
from dicereader.learn import learn
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import DieKey, DiePath, Pose, TableColours, World, upright
from dicereader.tray.calibration import Calibration, DiceSet
from dicereader.tray.pose import posed_by_tags
from dicereader.tray.tags import find_tags

Dice = list[tuple[int, float, float]]
"""Faces with their places in millimetres."""

THROWS: tuple[Dice, ...] = (
    [(1, -70.0, 70.0), (2, 10.0, 60.0), (3, 75.0, 50.0), (4, -60.0, -10.0), (5, 20.0, 5.0), (6, 70.0, -30.0)],
    [(6, -40.0, 80.0), (5, 50.0, 85.0), (4, 0.0, 20.0), (3, -80.0, 10.0), (2, 85.0, 0.0), (1, -20.0, -50.0)],
    [(2, -85.0, 40.0), (4, -20.0, 40.0), (6, 40.0, 30.0), (1, 80.0, 75.0), (3, 10.0, -55.0), (5, -65.0, -60.0)],
)

USUAL = TableColours()

DICE = DiceSet((208.8, 240.5, 253.2), (24.0, 25.2, 28.0), 1.593, 1.612, 4.015, 4.01, 0.992, 2.649, 0.458, 1.462)
"""What the reader learns about dice of the usual colours from a few throws."""


def level(dice: Iterable[tuple[int, float, float]], turn: float = 0.4, edge_mm: float = 16.0) -> list[Pose]:
    """Return the poses of dice that lie level: faces with their places, each die turned further than the last one."""
    return [Pose(x, y, edge_mm / 2, upright(face, turn + n)) for n, (face, x, y) in enumerate(dice)]


def world_of(poses: Iterable[Pose], seed: int = 3, colours: TableColours = USUAL) -> World:
    """Return a World of dice at rest."""
    return World(seed, tuple(DiePath((DieKey(0.0, pose),)) for pose in poses), colours=colours)


def shown(source: SyntheticSource, world: World) -> Pixels:
    """Return the next picture of a source that shows this World."""
    source.set_world(world)
    return source.next(1.0).pixels


class Table:
    """One simulated tray with its camera, light and dice. A throw is drawn once, with noise of its own."""

    def __init__(self, seed: int, camera: Calibration | None = None, colours: TableColours = USUAL) -> None:
        self.source = SyntheticSource(lambda: 100.0, seed=seed, camera=camera)
        self.seed, self.camera, self.colours = seed, camera, colours
        self.source.set_world(World(seed, (), colours=colours))
        self.empty = self.source.empty_picture()
        self.empty.flags.writeable = False
        self._laid: dict[tuple[Pose, ...], Pixels] = {}

    def throw(self, dice: Dice, turn: float = 0.4) -> Pixels:
        """Return a picture of dice that lie level."""
        return self.laid(level(dice, turn))

    def laid(self, poses: list[Pose]) -> Pixels:
        """Return a picture of dice in any pose. A test may change it."""
        key = tuple(poses)
        if key not in self._laid:
            source = SyntheticSource(lambda: 100.0, seed=self.seed, camera=self.camera)
            world = world_of(poses, self.seed, self.colours)
            for _ in range(2 + crc32(repr(key).encode()) % 6):  # other noise than the empty tray's
                self._laid[key] = shown(source, world)
        return np.array(self._laid[key])


@cache
def drawn_table(seed: int) -> Table:
    """Return the table of this number, the same one for all tests."""
    return Table(seed)


@cache
def learnt(table: Table) -> Calibration:
    """Return what the reader learns from a few throws on a table."""
    throws = [table.throw(dice) for dice in THROWS]
    return learn(table.empty, throws, posed_by_tags(table.empty.shape, find_tags(table.empty)))


def calibrated(table: Table) -> Calibration:
    """Return a perfect calibration of a table with dice of the usual colours."""
    return replace(table.source.camera, dice=DICE)


def push(pixels: Pixels, x: float, y: float, degrees: float) -> NDArray[np.float64]:
    """Return the matrix (2, 3) of a push by pixels and a turn about the picture's middle."""
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    matrix[:, 2] += (x, y)
    return matrix


def pushed(pixels: Pixels, x: float, y: float, degrees: float) -> Pixels:
    """Return the picture after such a push."""
    size = pixels.shape[1::-1]
    return cv2.warpAffine(pixels, push(pixels, x, y, degrees), size, borderMode=cv2.BORDER_REPLICATE)
