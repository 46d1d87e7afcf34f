"""Fit lens, walls and the edge of the dice to the bodies of level dice in pictures of throws."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Floats
from dicereader.errors import CalibrationError
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import FOVS, LensPrior, PoseSolver

_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_OCTANT = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0) if x + y + z > 0])

LEAST_BODIES = 6
"""Bodies of dice that touch no other, at least."""

FIRST_WALLS = (18.0, 24.0, 30.0, 36.0)
FIRST_SIZES = (0.88, 0.94, 1.0, 1.06, 1.13)
"""Heights of walls in mm, and sizes of the dice relative to the given one, that are tried first."""

UNLIKELY = 16.0
"""Odds (twice a logarithm) from which a field of view is not tried at first."""

FIRST_STEPS, FINEST_STEPS = (2.0, 3.0, 0.03, 0.04), (0.3, 0.4, 0.004, 0.012)
"""Steps of the search in field of view, wall height, size and roundness at its begin and at its end."""

USUAL_ROUND, ROUND_SPREAD, ROUNDEST = 0.09, 0.03, 0.18
"""Usual radius of the dice's edges, as a fraction of an edge, its standard deviation, and the largest one."""

WALLS_SPREAD_MM, SIZE_SPREAD = 8.0, 0.04
"""Standard deviations of walls from the usual ones, and of the dice's size, as a fraction, from the given one. The size
is known but for the size of the print that it is measured against: on paper of another format it is 0.94 of its own."""

USUAL_WEIGHT = 0.006
"""Weight of the usual lens and walls in the misfit."""

WORST_MISFIT = 0.3
"""Misfit above which an assumption is wrong: the dice are not level, or not of this size."""


def rounded_cube(edge: float, radius: float) -> Floats:
    """Return points (n, 3) whose convex hull is nearly a cube around 0 with edges and corners of a radius."""
    core = edge / 2 - radius
    ways = _OCTANT / np.sqrt((_OCTANT**2).sum(1))[:, None]
    return np.asarray(((core + radius * ways) * _CORNERS[:, None]).reshape(-1, 3), np.float64)


@dataclass(frozen=True, eq=False)
class Face:
    """A face on a body: two points of it in pixels, and at a corner of the picture where the body is and may be."""

    middle: Floats
    end: Floats
    body: Bools
    possible: Bools
    corner: tuple[int, int]


Body = tuple[Face, ...]


def unexplained(known: Calibration, bodies: Sequence[Body], rounded: float) -> float:
    """Return the mean misfit of bodies, as a fraction, for level dice whose edges have a radius in edges of a die.

    Of several faces on a body, such as a top and a side, the best one counts. The worse quarter of the bodies does not
    count: some dice lean or touch others, some bodies hold a shadow.
    """
    if len(bodies) < LEAST_BODIES:
        return math.inf
    misfits = np.sort([min(_misfit(known, die, rounded * known.tray.die_mm) for die in body) for body in bodies])
    return float(misfits[: max(LEAST_BODIES, len(misfits) * 3 // 4)].mean())


def fitted(posed: PoseSolver, lens: LensPrior, die_mm: float, bodies: Sequence[Body]) -> tuple[Calibration, float]:
    """Return the calibration and the radius of the dice's edges that explain bodies and tags best.

    Lens, walls and the dice's edge are unknown. A plane of tags seen from above tells none of them, one seen aslant
    tells the lens; the sizes of tops and sides of dice tell the others, as far as they matter to the reader.

    Raises:
        CalibrationError: if no pose covers them well.
    """
    walls = (0.0,) if posed.usual.paper else FIRST_WALLS

    def tried(fov: float, wall: float, size: float, rounded: float) -> tuple[float, ...]:
        against = lens.odds_against(fov) + (math.log(size) / SIZE_SPREAD) ** 2
        against += ((rounded - USUAL_ROUND) / ROUND_SPREAD) ** 2
        against += 0.0 if posed.usual.paper else ((wall - Tray().wall_height_mm) / WALLS_SPREAD_MM) ** 2
        possible = 5 <= die_mm * size <= 40 and wall >= 0 and 0 <= rounded <= ROUNDEST
        if not math.isfinite(against) or not possible:
            return math.inf, fov, wall, size, rounded
        known = posed(fov, wall, die_mm * size)
        return unexplained(known, bodies, rounded) + USUAL_WEIGHT * against, fov, wall, size, rounded

    likely = lens.odds_against(lens.likeliest) + UNLIKELY
    fovs = [fov for fov in (*FOVS, lens.likeliest) if lens.odds_against(fov) < likely]
    best = min(tried(fov, wall, size, USUAL_ROUND) for fov in fovs for wall in walls for size in FIRST_SIZES)
    ways = [way for way in product((-1, 0, 1), repeat=4) if 1 <= np.count_nonzero(way) <= 2]
    ways = [way for way in ways if not (posed.usual.paper and way[1])]
    steps = np.array(FIRST_STEPS)
    while (steps > FINEST_STEPS).any():
        better = min(tried(*(np.array(best[1:]) + steps * way).tolist()) for way in ways)
        if better < best:
            best = better
        else:
            steps = steps / 2
    left = unexplained(posed(best[1], best[2], die_mm * best[3]), bodies, best[4])
    if left > WORST_MISFIT:
        covered = round(100 * (1 - left))
        raise CalibrationError(
            f"expected level dice of {die_mm:g} mm that stand out from the tray, got objects of which such dice cover"
            f" only {covered} %; more light or dice of another colour may help"
        )
    known = posed(best[1], best[2], round(die_mm * best[3], 3))
    return known, round(best[4] * known.tray.die_mm, 3)


def _misfit(known: Calibration, die: Face, round_mm: float) -> float:
    """Return the part of a body and a level die's hull at its place that only one of them covers, as a fraction."""
    edge = known.tray.die_mm
    x, y = known.place(float(die.middle[0]), float(die.middle[1]), edge)
    xu, yu = known.place(float(die.end[0]), float(die.end[1]), edge)
    turn = math.atan2(yu - y, xu - x)
    cos, sin = math.cos(turn), math.sin(turn)
    solid = rounded_cube(edge, round_mm) @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    points = known.pixels_of(solid + np.array([x, y, edge / 2])) - np.array(die.corner)
    drawn = np.zeros(die.body.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.rint(cv2.convexHull(points.astype(np.float32)) * 16).astype(np.int32), 1, shift=4)
    both = die.possible & (drawn > 0)
    either = die.body | (drawn > 0)
    return 1.0 - float(both.sum()) / max(float(either.sum()), 1.0)
