"""Measure how well leaning dice are found in single drawn pictures: `python bench/lean_bench.py [--pictures N]`.

Three to five dice of one colour lie on the simulated tray. All are level at first, then one of them leans to a random
side, and the tray is read again, without a calibration. A leaning die must not be sure.
"""

import argparse
import math
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from figures import share
from picture_sets import TrueDie, reading_pool

from dicereader import read
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.learn import learn
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import DieKey, DiePath, Pose, TableColours, World, multiply, turn, upright
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import posed_by_tags
from dicereader.tray.tags import common_tags

DEGREES = (12, 20, 30, 45)
"""Bounds of the groups of leans, in degrees. From the first one on a die counts as leaning."""

PLACES = ((-70, 60), (60, 50), (0, 0), (-60, -40), (50, -50))
"""The places of dice in millimetres. Each die is off by up to `OUT_OF_PLACE`, and one on another by `OFF_UNDER`."""

OUT_OF_PLACE, OFF_UNDER = 15.0, 5.0
LEVEL_MM = Tray().die_mm / 2
"""The height of a level die's middle."""

LEARNT_FROM = 6
"""The throws from which a table is learnt."""

COLOURED = 0.4
"""The share of the pictures with coloured dice with light pips. In the others the dice are white."""


def leant(pose: Pose, degrees: float, around: float) -> Pose:
    """Return a level die tilted around a horizontal axis, on its lowest edge or corner."""
    angle = math.radians(degrees)
    rotation = multiply(turn((math.cos(around), math.sin(around), 0.0), angle), pose.q)
    return Pose(pose.x_mm, pose.y_mm, LEVEL_MM * (math.cos(angle) + math.sin(angle)), rotation)


def photograph(source: SyntheticSource, seed: int, poses: list[Pose], colours: TableColours) -> Pixels:
    """Return a picture of dice in these poses on the table with this number."""
    source.set_world(World(seed, tuple(DiePath((DieKey(0.0, pose),)) for pose in poses), colours=colours))
    frame = source.next(1.0)
    assert frame is not None
    return frame.pixels


def look(chance: random.Random) -> TableColours:
    """Return the colours of a table's dice."""
    colour = chance.randrange(20, 240), chance.randrange(20, 240), chance.randrange(20, 240)
    return TableColours(die=colour, pip=(240, 240, 236)) if chance.random() < COLOURED else TableColours()


def throw(chance: random.Random) -> tuple[list[Pose], list[int], float, list[Pose]]:
    """Return level dice, their faces, the lean of the first die in degrees, and the poses with that lean."""

    def near(at: float) -> float:
        return at + chance.uniform(-OUT_OF_PLACE, OUT_OF_PLACE)

    places = chance.sample(PLACES, chance.randint(3, len(PLACES)))
    faces = [chance.randint(1, 6) for _ in places]
    level = [
        Pose(near(x), near(y), LEVEL_MM, upright(face, chance.uniform(0, math.tau)))
        for face, (x, y) in zip(faces, places, strict=True)
    ]
    degrees = chance.uniform(DEGREES[0], DEGREES[-1])
    return level, faces, degrees, [leant(level[0], degrees, chance.uniform(0, math.tau)), *level[1:]]


def on_another(chance: random.Random, level: list[Pose]) -> list[Pose]:
    """Return the level dice with the first one on the second."""
    first, second, *others = level
    x, y = (at + chance.uniform(-OFF_UNDER, OFF_UNDER) for at in (second.x_mm, second.y_mm))
    return [Pose(x, y, 3 * LEVEL_MM, first.q), second, *others]


def true_dice(source: SyntheticSource, poses: Sequence[Pose], faces: list[int], *, odd: int) -> tuple[TrueDie, ...]:
    """Return the truth of dice in these poses, of which the first `odd` lean, or are on or below another.

    The box is that in which the middle of a read face must lie.
    """
    dice = []
    for n, (pose, face) in enumerate(zip(poses, faces, strict=False)):
        x, y = source.camera.project(pose.x_mm, pose.y_mm, pose.z_mm + LEVEL_MM)
        half = source.camera.die_px(x, y) / 2
        dice.append(TrueDie(face, (x - half / 2, y - half / 2, half, half), n < odd, stacked=False, cut=False))
    return tuple(dice)


@dataclass(frozen=True, eq=False)
class LearntTable:
    """A drawn table with its dice: `known` is its calibration, or None if the reader cannot learn it."""

    seed: int
    chance: random.Random
    source: SyntheticSource
    colours: TableColours
    empty: Pixels
    known: Calibration | None

    def photograph(self, poses: list[Pose]) -> Pixels:
        """Return a picture of dice in these poses."""
        return photograph(self.source, self.seed, poses, self.colours)


def learnt_table(seed: int) -> LearntTable:
    """Return the drawn table with this number, learnt from level throws."""
    chance = random.Random(seed)
    source, colours = SyntheticSource(lambda: 1.0, seed=seed), look(chance)
    first = [photograph(source, seed, throw(chance)[0], colours) for _ in range(LEARNT_FROM)]
    empty = source.empty_picture()
    known = None
    with suppress(CalibrationError):
        known = learn(empty, first, posed_by_tags(empty.shape, common_tags([empty, *first])))
    return LearntTable(seed, chance, source, colours, empty, known)


def measured(seed: int) -> tuple[float, bool, bool]:
    """Return a die's lean in degrees, and whether its picture is sure without and with it."""
    chance = random.Random(seed)
    source, colours = SyntheticSource(lambda: 1.0, seed=seed), look(chance)
    level, _, degrees, leaning = throw(chance)
    without, with_it = (read(photograph(source, seed, poses, colours)).sure for poses in (level, leaning))
    return degrees, without, with_it


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How well dice that lean are told in single drawn pictures.")
    parser.add_argument("--pictures", type=int, default=180)
    parser.add_argument("--seed", type=int, default=9000)
    arguments = parser.parse_args()
    with reading_pool() as pool:
        told = pool.map(measured, range(arguments.seed, arguments.seed + arguments.pictures), 4)
    sys.stdout.write("drawn pictures, no calibration\n")
    sys.stdout.write(f"  all level, sure         {share(sum(level for _, level, _ in told), len(told))}\n")
    for low, high in pairwise(DEGREES):
        some = [yet_sure for degrees, _, yet_sure in told if low <= degrees < high]
        sys.stdout.write(f"  {low} to {high} degrees, sure  {share(sum(some), len(some))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
