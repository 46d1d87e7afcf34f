"""Judge the level dice of a calibrated tray: confidences, dice that are not level, and objects left unread."""

import numpy as np

from dicereader.data.arrays import Floats
from dicereader.reading import SURE, DiceReading, Doubt, Zone, outlined_die, reading_of
from dicereader.stages.known.level_dice import LevelDice, expected_slants
from dicereader.stages.known.plane import TopPlane, at_base, points_on
from dicereader.stages.shared.detector import CORNERS
from dicereader.stages.shared.sampling import CIRCLE, sample
from dicereader.stages.shared.scoring import LIKELY, logistic, odds
from dicereader.tray.calibration import Calibration, DiceSet

MOST_OFF, MOST_UNFIT = 0.135, 0.45
"""Deviations above which all count the same: of the pattern's size (as a fraction) and of the pips from their sites (in
corner offsets), and of the pattern's fit."""

BRIGHTER = 1.15
"""Brightness relative to the dice's own colour from which a face is in glare."""

UNREAD = 0.15
"""Area, in tops, from which a body without a die is an object that was not read."""

LARGER = 0.028
"""Fraction by which the pattern of a die on another is larger: it is nearer to the camera."""

ON_RAIL_MM = 4.0
"""Millimetres by which a level die can overlap the rail at most, because of the calibration's error."""

ON_LINE_MM, EDGE_OFF = 0.6, 0.04
"""Error of a die's place in millimetres, seen from above, and of the calibration's edge of dice as a fraction, which
displaces a die that is seen aslant: so near to the line of a sheet it is not sure on which side of it the die is."""

DARK = 0.55
"""Fraction of the calibration's light below which the picture is dark."""


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
    top = points_on(faces.centre, faces.turn, CORNERS * plane.edge / 2)
    corners, base = plane.in_picture(top), plane.in_picture(at_base(plane, top)).tolist()
    cut = (corners.min((1, 2)) < 0) | (corners.max(1) > (calibration.width_px - 1, calibration.height_px - 1)).any(1)
    odd = logistic("not_level", features_of_level(plane, level, dice))
    confidence = _confidences(level, odd, dice)
    tray = calibration.tray
    read = []
    for n, face in enumerate(faces.face.tolist()):
        place = plane.place(float(faces.centre[n, 0]), float(faces.centre[n, 1]))
        zone = calibration.zone(*place)
        on_rail = abs(place[1] - tray.rail_y_mm) < _undecided_mm(calibration, place[1])
        doubts = []
        if on_rail or odd[n] >= LIKELY:
            doubts.append(Doubt.STACKED if faces.scale[n] > 1 + LARGER else Doubt.COCKED)
        if level.glaring[n]:
            dim = Doubt.DARK if zone is Zone.SHELF else Doubt.COCKED
            doubts.append(Doubt.GLARE if _brightness(plane, level, n, dice) > BRIGHTER else dim)
        if cut[n]:
            doubts.append(Doubt.CUT)
        if confidence[n] < SURE and not doubts:
            doubts.append(Doubt.FACE)
        read.append(outlined_die(face, corners[n].tolist(), base[n], float(confidence[n]), doubts, place, zone))
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


def features_of_level(plane: TopPlane, level: LevelDice, dice: DiceSet) -> dict[str, Floats]:
    """Return the features of the formula `not_level`, which tells whether a die leans or is on another.

    Each feature is an array (n,) of all dice. The pattern and the slant are compared with those of a level die at the
    same place, and the bodies with its hull. Walls mirror dice, so body beside a hull tells more if the die
    also seems slanted.
    """
    faces, coverage = level.faces, level.coverage
    clear = faces.fit**4  # a poor pattern tells little of size and sites
    off = np.hypot(*(level.whole.slant - dice.slant_factor * expected_slants(plane, faces.centre)).T)
    slant = off / np.maximum(dice.slant_deviation * level.whole.error, 0.01)
    beside = np.minimum(coverage.beside, 1.0)
    return {
        "constant": np.ones(len(faces)),
        "size": clear * _squared(np.abs(faces.scale - 1), MOST_OFF),
        "sites": clear * _squared(faces.residual, MOST_OFF),
        "slant": slant,
        "missing": 5 * coverage.missing,
        "usual_missing": 5 * dice.off_body * coverage.sides,
        "larger": 5 * coverage.larger,
        "slant_and_beside": np.sqrt(np.sqrt(beside) * np.minimum(slant, 2.0)),
        "unclear": _squared(1 - faces.fit, MOST_UNFIT),
        "classifier": odds(level.probability),
    }


def _squared(off: Floats, most: float) -> Floats:
    """Return the squares of deviations, in thirds of the largest that counts."""
    return np.asarray((3 * np.minimum(off / most, 1.0)) ** 2, np.float64)


def _confidences(level: LevelDice, odd: Floats, dice: DiceSet) -> Floats:
    """Return the probability (n,) that each die's face is right, from classifier and pattern.

    The more of the dice looks like the ground, the less a guess tells. Below a half a second reading decides: see
    `dicereader.stages.unknown.second_reading.decided`.
    """
    some = np.clip(level.probability, 0.001, 0.999)
    log_odds = 1.2 * np.log(some / (1 - some)) + 8 * (level.faces.fit - 0.6) - 3 * level.rival - 2 * odd
    return np.where(level.glaring, some * (1 - 0.6 * dice.off_body), 1 / (1 + np.exp(-log_odds)))


def _brightness(plane: TopPlane, level: LevelDice, n: int, dice: DiceSet) -> float:
    """Return the brightness of a face relative to the dice's own colour in this light."""
    x, y = (level.faces.centre[n] + CIRCLE * plane.edge * 0.3).T
    seen = np.median(sample(plane.levels[0], x, y), 0)
    own = np.array(dice.body) * level.bodies.light
    return float(seen @ own) / float(own @ own)
