"""Learn a table's calibration from pictures: the camera's pose, the walls' height, and the dice's looks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Floats
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.stages.known.bodies import find_bodies
from dicereader.stages.known.calibrated import find_known_dice
from dicereader.stages.known.level_dice import expected_slants
from dicereader.stages.shared.poses import BETWEEN
from dicereader.stages.shared.sampling import sample
from dicereader.stages.unknown.uncalibrated import ReadingPass, first_pass
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration, DiceSet, MeanBGR
from dicereader.tray.geometry import Tray
from dicereader.tray.tags import PoseSolver

USUAL_DIE_MM, USUAL_WALL_MM = Tray().die_mm, Tray().wall_height_mm

LEAST_DICE = 6
"""Dice that must be seen in the throws."""

WELL_SEEN = 0.9
"""The classifier's probability from which a face is used."""

FIRST_FOVS = tuple(range(46, 87, 5))
FIRST_WALLS = (18.0, 24.0, 30.0, 36.0)
FINEST_FOV, FINEST_WALL = 0.5, 0.5
"""Fields of view (degrees) and wall heights (mm) that are tried first, and the steps at which the search ends."""

USUAL_SPREAD = 0.15, 8.0
"""Standard deviations of lens (as a fraction) and walls (mm) from the usual ones, which decide where the dice do
not."""

KNOWN_SPREAD = 0.12, 8.0
"""The same for a lens whose field is published.

It is the narrowest of five values that place dice no worse. On 24 drawn tables the camera's height is then 46 mm too
large instead of 61, and dice are off by 0.65 pixels instead of 0.72; with 0.05 the height is 13 mm too large, and dice
are off by more."""

USUAL_WEIGHT = 0.004
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
class _SingleDie:
    """A die that touches no other: two points of its face in pixels, and its body's mask at a corner of the picture."""

    middle: Floats
    end: Floats
    body: Bools
    corner: tuple[int, int]


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
    rough = posed(known_fov_deg or DEFAULT_FOV_DEG, USUAL_WALL_MM, die_mm)
    found = [(throw, each) for throw in throws if len((each := first_pass(throw, rough, empty)).chosen.dice)]
    if sum(int((each.chosen.dice.classifier > WELL_SEEN).sum()) for _, each in found) < LEAST_DICE:
        n = sum(len(each.chosen.dice) for _, each in found)
        raise CalibrationError(
            f"expected throws that show at least {LEAST_DICE} dice clearly, got {n} in {len(throws)}"
        )
    dice = _dice(found, rough)
    single = [die for throw, each in found for die in _single_dice(throw, each, empty, dice)]
    if len(single) < LEAST_DICE:
        raise CalibrationError(f"expected at least {LEAST_DICE} dice that touch no other, got {len(single)}")
    known = _fitted(posed, die_mm, known_fov_deg, single)
    return replace(known, dice=_refined(throws, empty, known, _dice(found, known)))


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


def _fitted(posed: PoseSolver, die_mm: float, known_fov_deg: float | None, dice: Sequence[_SingleDie]) -> Calibration:
    """Return the pose whose level dice cover the bodies best: it has two unknowns that a plane of tags cannot tell.

    Raises:
        CalibrationError: if no pose covers them well.
    """
    usual_fov_deg = known_fov_deg or DEFAULT_FOV_DEG
    spread = USUAL_SPREAD if known_fov_deg is None else KNOWN_SPREAD

    def tried(fov: float, wall: float) -> tuple[float, float, float]:
        try:
            known = posed(fov, wall, die_mm)
        except CalibrationError:
            return 9.0, fov, wall
        misfits = np.sort([_misfit(known, die) for die in dice])
        lens = math.log(math.tan(math.radians(fov) / 2) / math.tan(math.radians(usual_fov_deg) / 2))
        usual = (lens / spread[0]) ** 2 + ((wall - USUAL_WALL_MM) / spread[1]) ** 2
        # The worse quarter does not count: some dice lean, some bodies hold a shadow.
        return float(misfits[: max(LEAST_DICE, len(misfits) * 3 // 4)].mean()) + USUAL_WEIGHT * usual, fov, wall

    best = min(tried(fov, wall) for fov in FIRST_FOVS for wall in FIRST_WALLS)
    fov_step, wall_step = 2.5, 3.0
    while fov_step >= FINEST_FOV or wall_step >= FINEST_WALL:
        _, fov, wall = best
        around = [(fov + i * fov_step, wall + j * wall_step) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        better = min(tried(*each) for each in around)
        if better < best:
            best = better
        else:
            fov_step, wall_step = fov_step / 2, wall_step / 2
    if best[0] > WORST_MISFIT:
        covered = round(100 * (1 - best[0]))
        raise CalibrationError(
            f"expected level dice of {die_mm:g} mm, got objects of which such dice cover only {covered} %"
        )
    return posed(best[1], best[2], die_mm)


def _misfit(known: Calibration, die: _SingleDie) -> float:
    """Return the part of a body and a level die's hull at its place that only one of them covers, as a fraction."""
    edge = known.tray.die_mm
    x, y = known.place(float(die.middle[0]), float(die.middle[1]), edge)
    xu, yu = known.place(float(die.end[0]), float(die.end[1]), edge)
    turn = math.atan2(yu - y, xu - x)
    cos, sin = math.cos(turn) * edge / 2, math.sin(turn) * edge / 2
    around = [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = np.array([known.project(*place, z) for place in around for z in (0.0, edge)]) - np.array(die.corner)
    drawn = np.zeros(die.body.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.rint(cv2.convexHull(points.astype(np.float32)) * 16).astype(np.int32), 1, shift=4)
    both = die.body & (drawn > 0)
    either = die.body | (drawn > 0)
    return 1.0 - float(both.sum()) / max(float(either.sum()), 1.0)


def _single_dice(throw: Pixels, found: ReadingPass, empty: Pixels, dice: DiceSet) -> list[_SingleDie]:
    """Return the clear dice of a throw that have a body of their own."""
    chosen, poses = found.chosen, found.chosen.dice.poses
    mask = find_bodies(throw, empty, dice).mask
    _, marks, boxes, _ = cv2.connectedComponentsWithStats(mask)
    height, width = mask.shape
    points = np.stack([poses.centre, poses.centre + poses.u], 1)
    middles, ends = found.view.in_picture(points).transpose(1, 0, 2)
    at = [int(marks[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)]) for x, y in middles.tolist()]
    single = []
    for n, mark in enumerate(at):
        if mark == 0 or at.count(mark) > 1 or chosen.dice.classifier[n] < WELL_SEEN:
            continue
        left, top, wide, high = (int(v) for v in boxes[mark][:4])
        x0, y0 = max(left - MARGIN_PX, 0), max(top - MARGIN_PX, 0)
        body = marks[y0 : top + high + MARGIN_PX, x0 : left + wide + MARGIN_PX] == mark
        single.append(_SingleDie(middles[n], ends[n], body, (x0, y0)))
    return single


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
