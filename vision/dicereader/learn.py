"""Learn a table's calibration from pictures: where the camera is, how high the walls are, how the dice look."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.errors import CalibrationError
from dicereader.frame import Pixels
from dicereader.reader import look
from dicereader.stages.bodies import find_bodies
from dicereader.stages.choose import Chosen
from dicereader.stages.known_tray import look_known
from dicereader.stages.level import slants
from dicereader.stages.poses import BETWEEN, LAYOUTS, SITES
from dicereader.stages.rectify import View
from dicereader.stages.sampling import sample
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration
from dicereader.tray.dice_set import Colour, DiceSet
from dicereader.tray.geometry import Tray
from dicereader.tray.tags import Posed

Floats = NDArray[np.float64]

USUAL_DIE_MM, USUAL_WALL_MM = Tray().die_mm, Tray().wall_height_mm

LEAST_DICE = 6
"""So many dice must be seen in the throws to learn from them."""

CLEAR = 0.9
"""How likely the network must find a face for its die to be learnt from."""

FIRST_FOVS = tuple(range(46, 87, 5))
FIRST_WALLS = (18.0, 24.0, 30.0, 36.0)
FINEST_FOV, FINEST_WALL = 0.5, 0.5
"""Fields of view (degrees) and wall heights (mm) tried first, and the steps at which the search ends."""

USUAL_SPREAD = 0.15, 8.0
"""How far the lens (as a share) and the walls (mm) usually are from the usual: it decides where the dice do not."""

USUAL_WEIGHT = 0.004

WORST_MISFIT = 0.3
"""Of dice that lie level at least this much of body and drawn hull agrees, else nothing here is as it is believed."""

MARGIN_PX = 6

LEAST_SIDES = 0.05
"""Below the camera a die shows no sides: what is unseen there is the outline's noise."""

USUAL = 0.9
"""The share of level dice that are no further off than what is called usual."""


@dataclass(frozen=True, eq=False)
class _Seen:
    """One die that touches no other: points of its face in pixels, and its body as a mask at a place of the picture."""

    face: int
    middle: Floats
    u: Floats
    v: Floats
    body: NDArray[np.bool_]
    corner: tuple[int, int]


def learn(empty: Pixels, throws: Sequence[Pixels], posed: Posed, die_mm: float = USUAL_DIE_MM) -> Calibration:
    """The calibration of a table from its empty tray, throws on it, and where its tags or corners are seen.

    The lens and the walls' height are measured against the dice, whose edge is `die_mm`. Raises CalibrationError where
    fewer than six dice are clearly seen, or such dice cannot lie level there.
    """
    shape = empty.shape[:2]
    if any(throw.shape != empty.shape for throw in throws):
        wanted = f"{shape[1]} x {shape[0]}"
        raise CalibrationError(f"expected all pictures to have the size of the empty tray's, {wanted} pixels")
    rough = posed(DEFAULT_FOV_DEG, USUAL_WALL_MM, die_mm)
    looks = [(throw, *look(throw, rough, empty)) for throw in throws]
    found = [(throw, view, chosen) for throw, view, chosen in looks if len(chosen.poses)]
    if sum(int((chosen.likely > CLEAR).sum()) for _, _, chosen in found) < LEAST_DICE:
        n = sum(len(chosen.poses) for _, _, chosen in found)
        raise CalibrationError(
            f"expected throws that show at least {LEAST_DICE} dice clearly, got {n} in {len(throws)}"
        )
    dice = _dice(found, rough)
    alone = [seen for throw, view, chosen in found for seen in _alone(throw, view, chosen, empty, dice)]
    if len(alone) < LEAST_DICE:
        raise CalibrationError(f"expected at least {LEAST_DICE} dice that touch no other, got {len(alone)}")
    known = _fitted(posed, die_mm, alone)
    return replace(known, dice=_refined(throws, empty, known, _dice(found, known)))


def _refined(throws: Sequence[Pixels], empty: Pixels, known: Calibration, dice: DiceSet) -> DiceSet:
    """The dice as the reading of known dice itself sees them: how large their pattern is, how much slant is told."""
    scale: list[float] = []
    told: list[Floats] = []
    there: list[Floats] = []
    lacking: list[float] = []
    for throw in throws:
        plane, level = look_known(throw, known, dice, empty, lambda _: None)
        good = (level.likely > CLEAR) & (level.tops.fit > CLEAR) & ~level.glaring
        scale += level.tops.scale[good & (level.tops.face > 1)].tolist()
        told.append(level.slant[good])
        there.append(slants(plane, level.tops.centre)[good])
        lacking += (level.cover.missing / np.maximum(level.cover.sides, LEAST_SIDES))[good].tolist()
    if len(scale) < LEAST_DICE // 2:
        return dice
    size = float(np.median(scale))
    seen, wanted = np.concatenate(told), np.concatenate(there)
    share = min(max(float((seen * wanted).sum() / max(float((wanted * wanted).sum()), 1e-6)), 0.3), 1.5)
    return replace(
        dice,
        corner_mm=round(dice.corner_mm * size, 3),
        six_mm=round(dice.six_mm * size, 3),
        slant=round(share, 3),
        off_slant=round(float(np.quantile(np.hypot(*(seen - share * wanted).T), USUAL)), 3),
        off_body=round(min(float(np.quantile(lacking, USUAL)), 1.0), 3),
    )


def _fitted(posed: Posed, die_mm: float, alone: Sequence[_Seen]) -> Calibration:
    """The pose whose level dice cover the bodies best: two unknowns that one plane of tags cannot tell."""

    def tried(fov: float, wall: float) -> tuple[float, float, float]:
        try:
            known = posed(fov, wall, die_mm)
        except CalibrationError:
            return 9.0, fov, wall
        misfits = np.sort([_misfit(known, seen) for seen in alone])
        # Some dice lean, some bodies hold a shadow: the worse quarter has no say.
        lens = math.log(math.tan(math.radians(fov) / 2) / math.tan(math.radians(DEFAULT_FOV_DEG) / 2))
        usual = (lens / USUAL_SPREAD[0]) ** 2 + ((wall - USUAL_WALL_MM) / USUAL_SPREAD[1]) ** 2
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
        share = round(100 * (1 - best[0]))
        raise CalibrationError(
            f"expected dice of {die_mm:g} mm that lie level, got bodies that such dice cover to {share} % only"
        )
    return posed(best[1], best[2], die_mm)


def _misfit(known: Calibration, seen: _Seen) -> float:
    """The share of a body and a level die's hull at its place that only one of them covers."""
    die = known.tray.die_mm
    x, y = known.place(float(seen.middle[0]), float(seen.middle[1]), die)
    end = seen.middle + seen.u
    xu, yu = known.place(float(end[0]), float(end[1]), die)
    turn = math.atan2(yu - y, xu - x)
    cos, sin = math.cos(turn) * die / 2, math.sin(turn) * die / 2
    around = [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = np.array([known.project(*place, z) for place in around for z in (0.0, die)]) - np.array(seen.corner)
    drawn = np.zeros(seen.body.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.rint(cv2.convexHull(points.astype(np.float32)) * 16).astype(np.int32), 1, shift=4)
    both = seen.body & (drawn > 0)
    either = seen.body | (drawn > 0)
    return 1.0 - float(both.sum()) / max(float(either.sum()), 1.0)


def _alone(throw: Pixels, view: View, chosen: Chosen, empty: Pixels, dice: DiceSet) -> list[_Seen]:
    mask = find_bodies(throw, empty, dice).mask
    _, marks, boxes, _ = cv2.connectedComponentsWithStats(mask)
    height, width = mask.shape
    spots = view.in_picture(chosen.poses.centre)
    at = [int(marks[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)]) for x, y in spots.tolist()]
    found = []
    for n, mark in enumerate(at):
        if mark == 0 or at.count(mark) > 1 or chosen.likely[n] < CLEAR:
            continue
        left, top, wide, high = (int(v) for v in boxes[mark][:4])
        x0, y0 = max(left - MARGIN_PX, 0), max(top - MARGIN_PX, 0)
        body = marks[y0 : top + high + MARGIN_PX, x0 : left + wide + MARGIN_PX] == mark
        pose_n = chosen.poses
        points = view.in_picture(
            np.stack([pose_n.centre[n], pose_n.centre[n] + pose_n.u[n], pose_n.centre[n] + pose_n.v[n]])
        )
        found.append(
            _Seen(int(pose_n.face[n]), points[0], points[1] - points[0], points[2] - points[0], body, (x0, y0))
        )
    return found


def _dice(found: Sequence[tuple[Pixels, View, Chosen]], known: Calibration) -> DiceSet:
    """The dice's measures and colours: medians over all faces that are clearly seen."""
    die = known.tray.die_mm
    corner: list[float] = []
    six: list[float] = []
    pips: list[float] = []
    ones: list[float] = []
    body: list[Floats] = []
    pip: list[Floats] = []
    for throw, view, chosen in found:
        some = chosen.poses.take(chosen.likely > CLEAR)
        between = view.in_picture(some.points(BETWEEN))
        for n, face in enumerate(some.face):
            ends = view.in_picture(np.stack([some.centre[n], some.centre[n] + some.u[n], some.centre[n] + some.v[n]]))
            middle, u, v = (np.array(known.place(float(x), float(y), die)) for x, y in ends)
            along = sorted((float(np.hypot(*(u - middle))), float(np.hypot(*(v - middle)))))
            scale = sum(along) / max(float(np.hypot(*some.u[n]) + np.hypot(*some.v[n])), 1e-6)
            if face == 6:
                six.append(along[0])
                corner.append(along[1])
            elif face > 1:
                corner.append(sum(along) / 2)
            (ones if face == 1 else pips).append(float(some.r[n]) * scale)
            spots = view.in_picture(some.take(np.array([n])).points(SITES[list(LAYOUTS[int(some.layout[n])][1])])[0])
            pip.append(np.median(sample(throw, spots[:, 0], spots[:, 1]), 0))
            body.append(np.median(sample(throw, between[n, :, 0], between[n, :, 1]), 0))
    radius = float(np.median(pips or ones))
    offset = float(np.median(corner)) if corner else 0.26 * die
    return DiceSet(
        _colour(body),
        _colour(pip),
        pip_mm=round(radius, 3),
        one_mm=round(float(np.median(ones)) if ones else radius, 3),
        corner_mm=round(offset, 3),
        six_mm=round(float(np.median(six)) if six else offset, 3),
    )


def _colour(values: list[Floats]) -> Colour:
    blue, green, red = (round(float(v), 1) for v in np.median(values, 0))
    return blue, green, red
