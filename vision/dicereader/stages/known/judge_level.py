"""Judge the level dice of a calibrated tray: confidences, dice that are not level, and objects left unread."""

import numpy as np

from dicereader.data.arrays import Floats
from dicereader.reading import SURE, DiceReading, Doubt, Zone, outlined_die, reading_of
from dicereader.stages.known.level_dice import LevelDice, expected_slants
from dicereader.stages.known.plane import TopPlane, at_base, square_corners
from dicereader.stages.shared.sampling import CIRCLE, sample
from dicereader.tray.calibration import Calibration, DiceSet

OFF_SCALE, OFF_SITES = 0.025, 0.045
"""Deviations that each alone show a die that is not level, seen from above: of the pattern's size (as a fraction), and
of the pips from their sites (in corner offsets). Where the camera looks aslant, its pixels are farther apart."""

SLANT, UNCOVERED, GROWTH = 0.07, 0.05, 0.6
"""The same for slant (a sine) and hull without body (in tops), beyond what is usual at this table: this much, and as
much as is usual, or a fraction of it for the body."""

LEAST_UNSEEN = 0.25
"""Fraction of a die's sides that may be invisible at any table."""

BESIDE, BESIDE_ALONE = 0.15, 0.6
"""Areas of body beside a die's hull (in tops) that show a die that is not level: if another sign agrees, and if none
does. Walls mirror dice; on a sheet no sign needs to agree."""

AGREES = 0.2
"""Oddness from which another sign agrees."""

GOOD_FIT, POOR_FIT, UNCLEAR_FIT = 0.8, 0.65, 0.55
"""Fit of pips that is as good as usual. From there down to the second one the pattern tells less and less of a die's
lean, as in poor light; down to the third one bad pips are more and more a sign of a leaning face or glare."""

WHITENED = 25.0
"""Grey levels by which a face in glare differs from the dice's hue at least."""

BRIGHTER = 1.15
"""Brightness relative to the dice's own colour from which a face is in glare."""

LARGER = 0.028
"""Fraction by which the pattern of a die on another is larger: it is nearer to the camera."""

ON_SHEET = 0.5
"""Oddness from which a die on a sheet is not level: no walls disturb it."""

ON_SHELF = 4.0
"""Oddness from which a die on the shelf is not level: the view is oblique and dim there, and hands lay dice flat."""

UNREAD = 0.15
"""Area (in tops) from which a body without a die is an object that was not read."""

ON_RAIL_MM = 4.0
"""Millimetres by which a level die can overlap the rail at most, because of the calibration's error."""

ON_LINE_MM, EDGE_OFF = 0.6, 0.04
"""Error of a die's place in millimetres, seen from above, and of the calibration's edge of dice as a fraction, which
displaces a die that is seen aslant: so near to the line of a sheet it is not sure on which side of it the die is."""

DARK = 0.55
"""Fraction of the calibration's light below which the picture is dark."""

STACKED_LEVEL = 0.96
"""Distance of two faces' middles, in edges of a die, below which one die is on another."""


def judge_level(
    plane: TopPlane, level: LevelDice, calibration: Calibration, dice: DiceSet, expect: int | None
) -> DiceReading:
    """Return the reading of the level dice; `expect` is the expected number of dice."""
    faces = level.faces
    whole = []
    if (expect is not None and expect != len(faces)) or any(area > UNREAD for _, _, area in level.coverage.rest):
        whole.append(Doubt.COUNT)
    if float(level.bodies.light.mean()) < DARK:
        whole.append(Doubt.DARK)
    top = square_corners(faces.centre, faces.turn, plane.edge)
    corners, base = plane.in_picture(top), plane.in_picture(at_base(plane, top)).tolist()
    cut = (corners.min((1, 2)) < 0) | (corners.max(1) > (calibration.width_px - 1, calibration.height_px - 1)).any(1)
    gap = np.hypot(*(faces.centre[:, None] - faces.centre).transpose(2, 0, 1))
    np.fill_diagonal(gap, np.inf)
    stacked = (gap < STACKED_LEVEL * plane.edge).any(1)
    odd = oddness(plane, level, dice)
    confidence = _confidences(level, odd)
    tray = calibration.tray
    read = []
    for n, face in enumerate(faces.face.tolist()):
        place = plane.place(float(faces.centre[n, 0]), float(faces.centre[n, 1]))
        zone = calibration.zone(*place)
        on_rail = abs(place[1] - tray.rail_y_mm) < _undecided_mm(calibration, place[1])
        doubts = []
        limit = ON_SHELF if zone is Zone.SHELF else 1.0 if plane.walled else ON_SHEET
        if on_rail or odd[n] >= limit:
            doubts.append(Doubt.STACKED if stacked[n] or faces.scale[n] > 1 + LARGER else Doubt.COCKED)
        elif stacked[n]:
            doubts.append(Doubt.STACKED)
        if level.glaring[n]:
            dim = Doubt.DARK if zone is Zone.SHELF else Doubt.COCKED
            doubts.append(Doubt.GLARE if _whitened(plane, level, n, dice) else dim)
        if cut[n]:
            doubts.append(Doubt.CUT)
        if confidence[n] < SURE and not doubts:
            doubts.append(Doubt.FACE)
        outline, different = corners[n].tolist(), tuple(dict.fromkeys(doubts))
        read.append(outlined_die(face, outline, base[n], float(confidence[n]), different, place, zone))
    return reading_of(read, whole)


def _undecided_mm(calibration: Calibration, y_mm: float) -> float:
    """Return how near to the shelf's border the middle of a level die at y is on it, or on either side of it.

    A rail is the border of a tray, so that a die on it leans. On a sheet it is a line, on which dice lie level.
    """
    tray = calibration.tray
    if tray.rail_height_mm > 0:
        return (tray.rail_mm + tray.die_mm) / 2 - ON_RAIL_MM
    _, y, z = calibration.position_mm
    return ON_LINE_MM + EDGE_OFF * tray.die_mm * abs(y_mm - y) / (z - tray.die_mm)


def oddness(plane: TopPlane, level: LevelDice, dice: DiceSet) -> Floats:
    """Return how strongly each die appears not to be level on the floor (n,); from 1 on it leans or is on another.

    It is the sum of the squared deviations of pattern, slant and bodies, each in units of what is enough alone.
    """
    faces, coverage = level.faces, level.coverage
    reliable = np.clip((faces.fit - POOR_FIT) / (GOOD_FIT - POOR_FIT), 0, 1)
    stretch = plane.stretch(faces.centre)
    pattern = ((faces.scale - 1) / OFF_SCALE / stretch) ** 2 + (faces.residual / OFF_SITES / stretch) ** 2
    usual_off = dice.slant_errors * level.slants.error
    off = np.hypot(*(level.slants.slant - dice.slant_scale * expected_slants(plane, faces.centre)).T)
    slanted = np.maximum(off - usual_off, 0) / (SLANT + usual_off)
    usual = max(dice.off_body, LEAST_UNSEEN) * coverage.sides
    missing = np.maximum(coverage.missing - usual, 0) / (UNCOVERED + GROWTH * usual)
    unclear = np.clip((GOOD_FIT - faces.fit) / (GOOD_FIT - UNCLEAR_FIT), 0, 1)
    others = reliable * pattern + unclear**2 + slanted**2 + missing**2
    beside = coverage.beside / np.where((others > AGREES) | (not plane.walled), BESIDE, BESIDE_ALONE)
    return np.asarray(others + beside**2, np.float64)


def _confidences(level: LevelDice, odd: Floats) -> Floats:
    """Return the probability (n,) that each die's face is right, from classifier and pattern; a guess is never sure."""
    some = np.clip(level.probability, 0.001, 0.999)
    odds = 1.2 * np.log(some / (1 - some)) + 8 * (level.faces.fit - 0.6) - 3 * level.rival - np.minimum(odd, 4.0) / 2
    return np.where(level.glaring, 0.2 + 0.6 * some, 1 / (1 + np.exp(-odds)))


def _whitened(plane: TopPlane, level: LevelDice, n: int, dice: DiceSet) -> bool:
    """Return whether a face differs from the dice's hue, as in a lamp's reflection; in shade it keeps it."""
    x, y = (level.faces.centre[n] + CIRCLE * plane.edge * 0.3).T
    seen = np.median(sample(plane.levels[0], x, y), 0)
    own = np.array(dice.body) * level.bodies.light
    brightness = float(seen @ own) / float(own @ own)
    return bool(np.abs(seen - brightness * own).max() > WHITENED or brightness > BRIGHTER)
