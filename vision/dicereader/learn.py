"""Learn a table's calibration from pictures: the camera's pose and lens, walls, and the size and looks of the dice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Values
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.stages.known.bodies import find_bodies, ground_colour
from dicereader.stages.known.level_dice import expected_slants, find_known_dice
from dicereader.stages.known.plane import TopPlane, find_plane, sharpened
from dicereader.stages.known.top_faces import has_square_six
from dicereader.stages.pips import Poses, find_poses
from dicereader.stages.shared.layouts import BETWEEN
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.sampling import sample
from dicereader.stages.shared.whole_die import WholeDice
from dicereader.stages.unknown.uncalibrated import ReadingPass, first_pass
from dicereader.tray.body_fit import Body, Face, fitted
from dicereader.tray.calibration import Calibration, DiceSet, MeanBGR
from dicereader.tray.camera_place import check_place
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import LensPrior, PoseSolver

USUAL_DIE_MM, USUAL_WALL_MM = Tray().die_mm, Tray().wall_height_mm

PRIOR_DICE = 6
"""The usual error of slants counts as that of this many dice: a few dice alone tell little about large errors."""

LEAST_DICE = 6
"""Dice that must be seen in the throws."""

WELL_SEEN = 0.9
"""The classifier's probability from which a face is used."""

MARGIN_PX = 6
"""Pixels around a body that are looked at."""

LEAST_SIDES = 0.05
"""Area of a die's visible sides, as a fraction of its top, below which hull without body is noise."""

RESIDUAL = 10.0
"""By how much the deviation of a six's pips from their sites makes a fit worse, in corner offsets."""

USUAL = 0.9
"""Fraction of level dice that are within the deviation called usual."""


@dataclass(frozen=True, eq=False)
class ReadThrow:
    """A picture of a throw, its view, and its clear faces with their pips."""

    pixels: Pixels
    view: PictureView
    poses: Poses


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
    for height, width, *_ in (throw.shape for throw in throws):
        if (height, width) != shape:
            wanted = f"all pictures to have the size of the empty tray's, {shape[1]} x {shape[0]} pixels"
            raise CalibrationError(f"expected {wanted}, got one of {width} x {height}")
    lens = LensPrior(posed, known_fov_deg)
    rough = camera_over(posed, lens, die_mm)
    for read in (first_pass, partial(_seen_from_above, rough)):
        found = [_read(throw, read(throw, empty)) for throw in throws]
        clear = sum(len(throw.poses) for throw in found)
        if clear >= LEAST_DICE:
            break
    else:
        raise CalibrationError(
            f"expected throws that show at least {LEAST_DICE} dice clearly, got {clear} in {len(throws)}"
        )
    rough_dice, ground = _dice(found, rough), ground_colour(empty, rough)
    single = [body for throw in found for body in _bodies(throw, empty, rough, rough_dice, ground)]
    if len(single) < LEAST_DICE:
        raise CalibrationError(f"expected at least {LEAST_DICE} dice that touch no other, got {len(single)}")
    known, round_mm = fitted(posed, lens, die_mm, single)
    check_place(known)
    dice = replace(_dice(found, known), round_mm=round_mm)
    return replace(known, dice=_refined(throws, empty, known, dice))


def camera_over(posed: PoseSolver, lens: LensPrior, die_mm: float = USUAL_DIE_MM) -> Calibration:
    """Return what is certain before any die is seen: camera, tray and zones. The dice are known by their edge alone.

    `CalibrationError` reaches the caller if no such camera sees the tags so, or sees all dice.
    """
    known = posed(lens.likeliest, USUAL_WALL_MM, die_mm)
    check_place(known)
    return known


@dataclass(frozen=True, eq=False)
class _Seen:
    """Clear faces as the stages for known dice see them, each (n,) or (n, 2): and how well the sixes fit together."""

    scale: Floats
    whole: WholeDice
    expected: Floats
    unseen: Floats
    sixes: float


def _refined(throws: Sequence[Pixels], empty: Pixels, known: Calibration, dice: DiceSet) -> DiceSet:
    """Return the dice as the stages for known dice measure them: the size of their pattern, and their slants."""
    # Seen aslant, a six whose pips make a square is easily measured oblong.
    shapes = [dice, replace(dice, six_mm=dice.corner_mm)][: 1 if has_square_six(dice) else 2]
    for off_body in (dice.off_body, 1.0):  # 1: as if their sides looked like the ground
        looks = [(_seen(throws, empty, known, replace(each, off_body=off_body)), each) for each in shapes]
        seen, dice = max(looks, key=lambda look: look[0].sixes)
        if len(seen.scale) >= LEAST_DICE // 2:
            break
    else:
        return dice
    scale = float(np.median(seen.scale))
    wanted = seen.expected
    slant = min(max(float((seen.whole.slant * wanted).sum() / max(float((wanted * wanted).sum()), 1e-6)), 0.3), 1.5)
    off = float(np.quantile(np.hypot(*(seen.whole.slant - slant * wanted).T) / seen.whole.error, USUAL))
    n = len(wanted)
    return replace(
        dice,
        corner_mm=round(dice.corner_mm * scale, 3),
        six_mm=round(dice.six_mm * scale, 3),
        slant_factor=round(slant, 3),
        slant_deviation=round((n * off + PRIOR_DICE * DiceSet.slant_deviation) / (n + PRIOR_DICE), 3),
        off_body=round(min(float(np.quantile(seen.unseen, USUAL)), 1.0), 3),
    )


def _seen(throws: Sequence[Pixels], empty: Pixels, known: Calibration, dice: DiceSet) -> _Seen:
    """Return the clear faces of throws, read as these dice."""
    looks, sixes = [], 0.0
    for throw in throws:
        plane, level = find_known_dice(throw, known, dice, empty)
        faces = level.faces
        good = (level.probability > WELL_SEEN) & (faces.fit > WELL_SEEN) & ~level.glaring
        unseen = level.coverage.missing / np.maximum(level.coverage.sides, LEAST_SIDES)
        expected = expected_slants(plane, faces.centre)
        looks.append((faces.scale[good & (faces.face > 1)], level.whole.take(good), expected[good], unseen[good]))
        six = (faces.face == 6) & ~level.glaring
        sixes += float((faces.fit - RESIDUAL * faces.residual)[six].sum())
    scales, whole, wanted, missing = zip(*looks, strict=True)
    together = whole[0].join(*whole[1:])
    return _Seen(np.concatenate(scales), together, np.concatenate(wanted), np.concatenate(missing), sixes)


def _seen_from_above(rough: Calibration, throw: Pixels, empty: Pixels) -> ReadingPass:
    """Return the pass over the plane of the tops, in which faces are square: far aslant few are read in the picture."""

    def plane(pixels: Pixels) -> TopPlane:
        half = find_plane(pixels, rough)
        return sharpened(pixels, half, (0, 0, *half.size))

    return ReadingPass(plane(throw), plane(empty), rough.outside)


def _read(throw: Pixels, first: ReadingPass) -> ReadThrow:
    """Return a throw with the clear faces of a pass over it."""
    dice = first.chosen.dice
    clear = dice.take(dice.probability > WELL_SEEN)
    return ReadThrow(throw, first.view, find_poses(first.view, clear.places, clear.face))


def _bodies(throw: ReadThrow, empty: Pixels, known: Calibration, dice: DiceSet, ground: Values | None) -> list[Body]:
    """Return the bodies of a throw with the clear faces on each."""
    poses = throw.poses
    edge_px = known.die_px(*known.project(0.0, 0.0, 0.0))
    pip_px = dice.pip_mm / known.tray.die_mm * edge_px
    found_bodies = find_bodies(throw.pixels, empty, dice, ground=ground, pip_px=pip_px)
    _, marks, boxes, _ = cv2.connectedComponentsWithStats(found_bodies.mask)
    height, width = marks.shape
    margin = MARGIN_PX if ground is None else round(edge_px)  # beside what is surely a body may be its sides
    points = np.stack([poses.centre, poses.centre + poses.u], 1)
    middles, ends = throw.view.in_picture(points).transpose(1, 0, 2)
    on: dict[int, list[Face]] = {}
    for n, (x, y) in enumerate(middles.tolist()):
        mark = int(marks[min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)])
        if mark == 0:
            continue
        left, top, wide, high = (int(v) for v in boxes[mark][:4])
        x0, y0 = max(left - margin, 0), max(top - margin, 0)
        around = np.s_[y0 : top + high + margin, x0 : left + wide + margin]
        body = marks[around] == mark
        possible = body | ((found_bodies.possible[around] > 0) & (marks[around] == 0))
        on.setdefault(mark, []).append(Face(middles[n], ends[n], body, possible, (x0, y0)))
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
    for throw in found:
        view, poses = throw.view, throw.poses
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
            pip.append(np.median(sample(throw.pixels, places[:, 0], places[:, 1]), 0))
            body.append(np.median(sample(throw.pixels, between[n, :, 0], between[n, :, 1]), 0))
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
