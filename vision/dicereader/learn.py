"""Learn a table's calibration from pictures: the camera's pose and lens, walls, and the size and looks of the dice."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Floats, Values
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.stages.known.bodies import find_bodies, ground_colour
from dicereader.stages.known.calibrated import find_known_dice
from dicereader.stages.known.level_dice import expected_slants
from dicereader.stages.shared.poses import BETWEEN
from dicereader.stages.shared.sampling import sample
from dicereader.stages.unknown.uncalibrated import ReadingPass, first_pass
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration, DiceSet, MeanBGR
from dicereader.tray.die_shape import rounded_cube
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import PoseSolver

USUAL_DIE_MM, USUAL_WALL_MM = Tray().die_mm, Tray().wall_height_mm

LEAST_DICE = 6
"""Dice that must be seen in the throws."""

STEEPEST_DEG, HIDDEN = 50.0, 0.25
"""Angle in degrees from above the tray's middle, and the part of a top on the shelf that a wall hides, up to which dice
are read."""

WELL_SEEN = 0.9
"""The classifier's probability from which a face is used."""

FOVS = tuple(range(38, 95, 4))
FIRST_WALLS = (18.0, 24.0, 30.0, 36.0)
FIRST_LOOKS = (1.0, 0.88, 1.13)
NEAR_SIZES = (0.94, 1.0, 1.06)
"""Fields of view (degrees) and wall heights (mm) that are tried first, and sizes of the dice: relative to the expected
one in a first look, for a sheet may be printed smaller or larger, and then to the best of these."""

FOVS_APART = 4.0
UNLIKELY = 16.0
"""Distance of the fields of view, and the odds (twice a logarithm) from which a field is not tried at first."""

FIRST_STEPS, FINEST_STEPS = (2.0, 3.0, 0.03, 0.04), (0.3, 0.4, 0.004, 0.012)
"""Steps of the search in field of view, wall height, size and roundness at its begin and at its end."""

USUAL_ROUND, ROUND_SPREAD, ROUNDEST = 0.09, 0.03, 0.18
"""Usual radius of the dice's edges, as a fraction of an edge, its standard deviation, and the largest one."""

USUAL_SPREAD = 0.15, 8.0, 0.25
"""Standard deviations of lens (as a fraction), walls (mm) and size of the dice (as a fraction) from the usual ones,
which decide where neither tags nor dice do."""

KNOWN_SPREAD = 0.12, 8.0, 0.25
"""The same for a lens whose field is published.

It is the narrowest of five values that place dice no worse. On 24 drawn tables the camera's height is then 46 mm too
large instead of 61, and dice are off by 0.65 pixels instead of 0.72; with 0.05 the height is 13 mm too large, and dice
are off by more."""

USUAL_WEIGHT = 0.006
"""Weight of the usual lens and walls in the misfit."""

WORST_MISFIT = 0.3
"""Misfit above which an assumption is wrong: the dice are not level, or not of this size."""

MARGIN_PX = 6

LEAST_SIDES = 0.05
"""Area of a die's visible sides, as a fraction of its top, below which hull without body is noise."""

USUAL = 0.9
"""Fraction of level dice that are within the deviation called usual."""

ReadThrow = tuple[Pixels, ReadingPass]
"""A picture of a throw, and the reading pass over it."""


@dataclass(frozen=True, eq=False)
class _Face:
    """A face on a body: two points of it in pixels, and at a corner of the picture where the body is and may be."""

    middle: Floats
    end: Floats
    body: Bools
    possible: Bools
    corner: tuple[int, int]


_Body = tuple[_Face, ...]


@dataclass(frozen=True, eq=False)
class _Look:
    """Throws as a rough calibration reads them: the number of clear faces, and the bodies with the faces on each."""

    rough: Calibration
    found: list[ReadThrow]
    clear: int
    bodies: list[_Body]


def learn(
    empty: Pixels,
    throws: Sequence[Pixels],
    posed: PoseSolver,
    die_mm: float = USUAL_DIE_MM,
    known_fov_deg: float | None = None,
) -> Calibration:
    """Return the calibration of a table. The lens and the walls' height are measured against the dice.

    Args:
        empty: the picture of the empty tray.
        throws: pictures of throws, of the same size.
        posed: the camera's pose from tags or corners.
        die_mm: the edge of the dice in millimetres.
        known_fov_deg: the published field of view of the camera in degrees across the picture, None if unknown.

    Raises:
        CalibrationError: if fewer than six dice are clearly seen, or they cannot be level dice of that size.
    """
    shape = empty.shape[:2]
    if any(throw.shape != empty.shape for throw in throws):
        wanted = f"{shape[1]} x {shape[0]}"
        raise CalibrationError(f"expected all pictures to have the size of the empty tray's, {wanted} pixels")
    lens = _LensPrior(posed, known_fov_deg)
    looks = [_first_look(posed(lens.likeliest, USUAL_WALL_MM, die_mm * size), throws, empty) for size in FIRST_LOOKS]
    clear = [look for look in looks if look.clear >= LEAST_DICE]
    if not clear:
        n = max(sum(len(each.chosen.dice) for _, each in look.found) for look in looks)
        raise CalibrationError(
            f"expected throws that show at least {LEAST_DICE} dice clearly, got {n} in {len(throws)}"
        )
    look = min(clear, key=lambda look: _unexplained(look.rough, look.bodies, USUAL_ROUND))
    rough, found, single = look.rough, look.found, look.bodies
    if len(single) < LEAST_DICE:
        raise CalibrationError(f"expected at least {LEAST_DICE} dice that touch no other, got {len(single)}")
    known, round_mm = _fitted(posed, lens, rough.tray.die_mm, die_mm, single)
    check_slant(known)
    dice = replace(_dice(found, known), round_mm=round_mm)
    return replace(known, dice=_refined(throws, empty, known, dice))


def _refined(throws: Sequence[Pixels], empty: Pixels, known: Calibration, dice: DiceSet) -> DiceSet:
    """Return the dice as the stages for known dice measure them: the size of their pattern, and their slants."""
    scales: list[float] = []
    slants: list[Floats] = []
    expected: list[Floats] = []
    unseen: list[float] = []
    for throw in throws:
        plane, level = find_known_dice(throw, known, dice, empty)
        good = (level.probability > WELL_SEEN) & (level.faces.fit > WELL_SEEN) & ~level.glaring
        scales += level.faces.scale[good & (level.faces.face > 1)].tolist()
        slants.append(level.slant[good])
        expected.append(expected_slants(plane, level.faces.centre)[good])
        unseen += (level.coverage.missing / np.maximum(level.coverage.sides, LEAST_SIDES))[good].tolist()
    if len(scales) < LEAST_DICE // 2:
        return dice
    scale = float(np.median(scales))
    seen, wanted = np.concatenate(slants), np.concatenate(expected)
    slant = min(max(float((seen * wanted).sum() / max(float((wanted * wanted).sum()), 1e-6)), 0.3), 1.5)
    return replace(
        dice,
        corner_mm=round(dice.corner_mm * scale, 3),
        six_mm=round(dice.six_mm * scale, 3),
        slant=round(slant, 3),
        off_slant=round(float(np.quantile(np.hypot(*(seen - slant * wanted).T), USUAL)), 3),
        off_body=round(min(float(np.quantile(unseen, USUAL)), 1.0), 3),
    )


def check_slant(known: Calibration) -> None:
    """Check that the camera looks down so steeply that it sees the tops of all dice.

    Raises:
        CalibrationError: if it looks too flat, or a wall hides the shelf.
    """
    x, y, z = known.position_mm
    aslant = math.degrees(math.atan2(math.hypot(x, y), z))
    if aslant > STEEPEST_DEG:
        raise CalibrationError(
            f"expected a camera at most {STEEPEST_DEG:g} degrees from above the tray, got {aslant:.0f}: hang it higher"
        )
    tray = known.tray
    _, pocket = tray.pocket_centre_mm(0)
    above = tray.wall_height_mm - tray.die_mm
    near = pocket - tray.die_mm / 2 + (y - pocket) * above / max(z - tray.die_mm, 1.0)
    if above > 0 and near < -tray.half_depth_mm - HIDDEN * tray.die_mm:
        raise CalibrationError(
            "expected a camera that sees the shelf, got one before which a wall hides it: hang it higher"
        )


class _LensPrior:
    """What the tags and the usual lenses say about the field of view, before any die is seen."""

    def __init__(self, posed: PoseSolver, known_fov_deg: float | None) -> None:
        self._posed, self._off = posed, lru_cache(posed.off)
        self._usual = known_fov_deg or DEFAULT_FOV_DEG
        self.spread = USUAL_SPREAD if known_fov_deg is None else KNOWN_SPREAD
        self._least = 0.0
        first = min(FOVS, key=self.odds_against)
        fine = [first + FOVS_APART * step for step in np.linspace(-1, 1, 17).tolist()]
        self.likeliest = float(min(fine, key=self.odds_against))
        self._least = self._off(self.likeliest)  # tags that are bent or blurred fit no field of view well

    def odds_against(self, fov_deg: float) -> float:
        """Return twice the negative logarithm of a field's likelihood, up to a constant."""
        wide = math.log(math.tan(math.radians(fov_deg) / 2) / math.tan(math.radians(self._usual) / 2))
        return (wide / self.spread[0]) ** 2 + self._off(fov_deg) - self._least


def _first_look(rough: Calibration, throws: Sequence[Pixels], empty: Pixels) -> _Look:
    """Return the throws as they are read with a rough calibration, and the bodies with the faces on each."""
    found = [(throw, each) for throw in throws if len((each := first_pass(throw, rough, empty)).chosen.dice)]
    clear = sum(int((each.chosen.dice.classifier > WELL_SEEN).sum()) for _, each in found)
    if clear < LEAST_DICE:
        return _Look(rough, found, clear, [])
    dice, ground = _dice(found, rough), ground_colour(empty, rough)
    return _Look(
        rough,
        found,
        clear,
        [body for throw, each in found for body in _bodies(throw, each, empty, rough, dice, ground)],
    )


def _unexplained(known: Calibration, bodies: Sequence[_Body], rounded: float) -> float:
    """Return the mean misfit of bodies, as a fraction, for level dice whose edges have a radius in edges of a die.

    Of several faces on a body, such as a top and a side, the best one counts. The worse quarter of the bodies does not
    count: some dice lean or touch others, some bodies hold a shadow.
    """
    if len(bodies) < LEAST_DICE:
        return math.inf
    misfits = np.sort([min(_misfit(known, die, rounded * known.tray.die_mm) for die in body) for body in bodies])
    return float(misfits[: max(LEAST_DICE, len(misfits) * 3 // 4)].mean())


def _fitted(
    posed: PoseSolver, lens: _LensPrior, rough_mm: float, die_mm: float, bodies: Sequence[_Body]
) -> tuple[Calibration, float]:
    """Return the calibration and the radius of the dice's edges that explain bodies and tags best.

    Lens, walls and the dice's edge are unknown. A plane of tags seen from above tells none of them, one seen aslant
    tells the lens; the sizes of tops and sides of dice tell the others, as far as they matter to the reader.

    Raises:
        CalibrationError: if no pose covers them well.
    """
    walls = (0.0,) if posed.usual.paper else FIRST_WALLS

    def tried(fov: float, wall: float, size: float, rounded: float) -> tuple[float, ...]:
        against = lens.odds_against(fov) + (math.log(size) / lens.spread[2]) ** 2
        against += ((rounded - USUAL_ROUND) / ROUND_SPREAD) ** 2
        against += 0.0 if posed.usual.paper else ((wall - USUAL_WALL_MM) / lens.spread[1]) ** 2
        possible = 5 <= die_mm * size <= 40 and wall >= 0 and 0 <= rounded <= ROUNDEST
        if not math.isfinite(against) or not possible:
            return math.inf, fov, wall, size, rounded
        known = posed(fov, wall, die_mm * size)
        return _unexplained(known, bodies, rounded) + USUAL_WEIGHT * against, fov, wall, size, rounded

    likely = lens.odds_against(lens.likeliest) + UNLIKELY
    fovs = [fov for fov in (*FOVS, lens.likeliest) if lens.odds_against(fov) < likely]
    sizes = [rough_mm / die_mm * size for size in NEAR_SIZES]
    best = min(tried(fov, wall, size, USUAL_ROUND) for fov in fovs for wall in walls for size in sizes)
    ways = [way for way in product((-1, 0, 1), repeat=4) if 1 <= np.count_nonzero(way) <= 2]
    ways = [way for way in ways if not (posed.usual.paper and way[1])]
    steps = np.array(FIRST_STEPS)
    while (steps > FINEST_STEPS).any():
        better = min(tried(*(np.array(best[1:]) + steps * way).tolist()) for way in ways)
        if better < best:
            best = better
        else:
            steps = steps / 2
    unexplained = _unexplained(posed(best[1], best[2], die_mm * best[3]), bodies, best[4])
    if unexplained > WORST_MISFIT:
        covered = round(100 * (1 - unexplained))
        raise CalibrationError(
            f"expected level dice of {die_mm:g} mm, got objects of which such dice cover only {covered} %"
        )
    known = posed(best[1], best[2], round(die_mm * best[3], 3))
    return known, round(best[4] * known.tray.die_mm, 3)


def _misfit(known: Calibration, die: _Face, round_mm: float) -> float:
    """Return the part of a body and a level die's hull at its place that only one of them covers, as a fraction."""
    edge = known.tray.die_mm
    x, y = known.place(float(die.middle[0]), float(die.middle[1]), edge)
    xu, yu = known.place(float(die.end[0]), float(die.end[1]), edge)
    turn = math.atan2(yu - y, xu - x)
    cos, sin = math.cos(turn), math.sin(turn)
    solid = rounded_cube(edge, round_mm) @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    seen = (solid + np.array([x, y, edge / 2]) - np.array(known.position_mm)) @ np.array(known.rotation).T
    middle = np.array([known.width_px - 1, known.height_px - 1]) / 2
    points = seen[:, :2] / seen[:, 2:] * known.focal_px + middle - np.array(die.corner)
    drawn = np.zeros(die.body.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.rint(cv2.convexHull(points.astype(np.float32)) * 16).astype(np.int32), 1, shift=4)
    both = die.possible & (drawn > 0)
    either = die.body | (drawn > 0)
    return 1.0 - float(both.sum()) / max(float(either.sum()), 1.0)


def _bodies(
    throw: Pixels, found: ReadingPass, empty: Pixels, known: Calibration, dice: DiceSet, ground: Values | None
) -> list[_Body]:
    """Return the bodies of a throw with the clear faces on each."""
    chosen, poses = found.chosen, found.chosen.dice.poses
    edge_px = known.die_px(*known.project(0.0, 0.0, 0.0))
    found_bodies = find_bodies(throw, empty, dice, ground=ground, pip_px=dice.pip_mm / known.tray.die_mm * edge_px)
    _, marks, boxes, _ = cv2.connectedComponentsWithStats(found_bodies.mask)
    height, width = marks.shape
    margin = MARGIN_PX if ground is None else round(edge_px)  # beside what is surely a body may be its sides
    points = np.stack([poses.centre, poses.centre + poses.u], 1)
    middles, ends = found.view.in_picture(points).transpose(1, 0, 2)
    on: dict[int, list[_Face]] = {}
    for n, (x, y) in enumerate(middles.tolist()):
        mark = int(marks[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)])
        if mark == 0 or chosen.dice.classifier[n] < WELL_SEEN:
            continue
        left, top, wide, high = (int(v) for v in boxes[mark][:4])
        x0, y0 = max(left - margin, 0), max(top - margin, 0)
        around = np.s_[y0 : top + high + margin, x0 : left + wide + margin]
        body = marks[around] == mark
        possible = body | ((found_bodies.possible[around] > 0) & (marks[around] == 0))
        on.setdefault(mark, []).append(_Face(middles[n], ends[n], body, possible, (x0, y0)))
    return list(map(tuple, on.values()))


def _dice(found: Sequence[ReadThrow], known: Calibration) -> DiceSet:
    """Return the measures and colours of the dice: medians over all clear faces."""
    edge = known.tray.die_mm
    corner: list[float] = []
    six: list[float] = []
    pips: list[float] = []
    ones: list[float] = []
    body: list[Floats] = []
    pip: list[Floats] = []
    for throw, each in found:
        view, poses = each.view, each.chosen.dice.poses.take(each.chosen.dice.classifier > WELL_SEEN)
        between = view.in_picture(poses.points(BETWEEN))
        for n, face in enumerate(poses.face):
            one = poses.take(np.array([n]))
            ends = view.in_picture(one.points(np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))[0])
            middle, u, v = (np.array(known.place(float(x), float(y), edge)) for x, y in ends)
            along = sorted((float(np.hypot(*(u - middle))), float(np.hypot(*(v - middle)))))
            scale = sum(along) / max(float(np.hypot(*poses.u[n]) + np.hypot(*poses.v[n])), 1e-6)
            if face == 6:
                six.append(along[0])
                corner.append(along[1])
            elif face > 1:
                corner.append(sum(along) / 2)
            (ones if face == 1 else pips).append(float(poses.r[n]) * scale)
            places = view.in_picture(one.points(one.sites(0))[0])
            pip.append(np.median(sample(throw, places[:, 0], places[:, 1]), 0))
            body.append(np.median(sample(throw, between[n, :, 0], between[n, :, 1]), 0))
    radius = float(np.median(pips or ones))
    offset = float(np.median(corner)) if corner else 0.26 * edge
    return DiceSet(
        _colour(body),
        _colour(pip),
        pip_mm=round(radius, 3),
        one_mm=round(float(np.median(ones)) if ones else radius, 3),
        corner_mm=round(offset, 3),
        six_mm=round(float(np.median(six)) if six else offset, 3),
    )


def _colour(values: list[Floats]) -> MeanBGR:
    blue, green, red = (round(float(v), 1) for v in np.median(values, 0))
    return blue, green, red
