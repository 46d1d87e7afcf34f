"""Say of the dice of a known tray how sure each is, which lie otherwise than level, and what was left unread."""

import numpy as np
from numpy.typing import NDArray

from dicereader.reading import SURE, Box, Doubt, ReadDie, Told, Zone, is_sure
from dicereader.stages import cubes
from dicereader.stages.level import Level, slants
from dicereader.stages.plane import Plane
from dicereader.stages.sampling import sample
from dicereader.tray.calibration import Calibration
from dicereader.tray.dice_set import DiceSet

Floats = NDArray[np.float64]

OFF_SCALE, OFF_SITES = 0.025, 0.045
"""What of each sign alone shows that a die does not lie level: how much larger or smaller its pattern is, and how far
its pips are from their sites (in corner offsets)."""

SLANT, BODY, GROWTH = 0.045, 0.05, 0.6
"""The same of slant (a sine) and of hull without body (in tops), beyond what is usual at this table: so much, and a
share of the usual."""

ONES_OFF = 1.2
"""A one's slant is told by a single pip: so many times as far off is usual."""

LEAST_UNSEEN = 0.25
"""So much of a die's sides may be unseen at any table."""

BESIDE, BESIDE_ALONE = 0.15, 0.6
"""The same of body beside its hull, where another sign agrees, and where none does: walls mirror dice."""

AGREES = 0.2

POOR_FIT, GOOD_FIT = 0.65, 0.95
"""Pips that fit their sites poorly tell less of a die's lean: light takes them away."""

CLEAR_FIT, UNCLEAR_FIT = 0.8, 0.55
"""Pips that fit so poorly are on a leaning face, or in a glare: from nothing that speaks against the die to all that it
takes."""

WHITENED = 25.0
"""Grey levels by which a face in glare is off its own hue at least."""

LARGER = 0.028
"""A pattern this much larger than on the floor, and not slanted, is nearer to the camera: its die lies on another."""

ON_SHELF = 4.0
"""What must speak against a die's lying level on the shelf: it is seen from the side there and has little light, and
hands lay dice flat."""

UNREAD = 0.15
"""A body this large (in tops) that belongs to no die is one that was not read."""

ON_RAIL_MM = 4.0
"""A level die overlaps the rail by less than this, whatever the calibration's error."""

DARK = 0.55
"""Light that is less than this share of the calibration's."""


_PHI = np.arange(12) * (np.pi / 6)


def verdict(plane: Plane, level: Level, calibration: Calibration, dice: DiceSet, expect: int | None) -> Told:
    """The dice from the top left to the bottom right, whether all is sure, and the doubts of the whole picture."""
    whole = []
    if expect is not None and expect != len(level.tops):
        whole.append(Doubt.COUNT)
    if any(share > UNREAD for _, _, share in level.cover.left):
        whole.append(Doubt.COUNT)
    if float(level.bodies.light.mean()) < DARK:
        whole.append(Doubt.DARK)
    corners = plane.in_picture(cubes.tops(level.tops.centre, level.tops.turn, plane.edge))
    odd = oddness(plane, level, dice)
    confidence = confidences(level, odd)
    read = []
    for n in range(len(level.tops)):
        place = plane.place(float(level.tops.centre[n, 0]), float(level.tops.centre[n, 1]))
        doubts = _doubts(plane, level, n, odd[n], corners[n], place, calibration, dice)
        if confidence[n] < SURE and not doubts:
            doubts = (Doubt.FACE,)
        x0, y0 = np.floor(corners[n].min(0)).astype(int)
        x1, y1 = np.ceil(corners[n].max(0)).astype(int)
        read.append(
            ReadDie(
                face=int(level.tops.face[n]),
                box=Box(int(x0), int(y0), int(x1 - x0), int(y1 - y0)),
                confidence=float(confidence[n]),
                zone=calibration.zone(*place),
                doubts=doubts,
                outline=tuple((float(x), float(y)) for x, y in corners[n]),
                place=place,
            )
        )
    read.sort(key=lambda die: (die.box.y + die.box.h // 2, die.box.x))
    return tuple(read), is_sure(read, whole), tuple(dict.fromkeys(whole))


def oddness(plane: Plane, level: Level, dice: DiceSet) -> Floats:
    """How much speaks against each die's lying level on the floor; from 1 on it leans or lies on another."""
    tops = level.tops
    told = np.clip((tops.fit - POOR_FIT) / (GOOD_FIT - POOR_FIT), 0, 1)
    pattern = ((tops.scale - 1) / OFF_SCALE) ** 2 + (tops.stray / OFF_SITES) ** 2
    off_slant = dice.off_slant * np.where(tops.face == 1, ONES_OFF, 1.0)
    slanted = np.maximum(_slanted(plane, level, dice) - off_slant, 0) / (SLANT + GROWTH * off_slant)
    usual = max(dice.off_body, LEAST_UNSEEN) * level.cover.sides
    missing = np.maximum(level.cover.missing - usual, 0) / (BODY + GROWTH * usual)
    unclear = np.clip((CLEAR_FIT - tops.fit) / (CLEAR_FIT - UNCLEAR_FIT), 0, 1)
    others = told * pattern + unclear**2 + slanted**2 + missing**2
    beside = level.cover.beside / np.where(others > AGREES, BESIDE, BESIDE_ALONE)
    return np.asarray(others + beside**2, np.float64)


def _slanted(plane: Plane, level: Level, dice: DiceSet) -> Floats:
    """How far each face points elsewhere than a level one there would, as the network tells of these dice."""
    return np.asarray(np.hypot(*(level.slant - dice.slant * slants(plane, level.tops.centre)).T), np.float64)


def confidences(level: Level, odd: Floats) -> Floats:
    """The probability that each die's face is right: network and pattern together; a guess never nears certainty."""
    said = np.clip(level.likely, 0.001, 0.999)
    odds = 1.2 * np.log(said / (1 - said)) + 8 * (level.tops.fit - 0.6) - 3 * level.rival - np.minimum(odd, 4.0) / 2
    seen = 1 / (1 + np.exp(-odds))
    return np.where(level.glaring, 0.2 + 0.6 * said, seen)


def _doubts(
    plane: Plane,
    level: Level,
    n: int,
    odd: float,
    corners: Floats,
    place: tuple[float, float],
    calibration: Calibration,
    dice: DiceSet,
) -> tuple[Doubt, ...]:
    found = []
    tray = calibration.tray
    gap = np.hypot(*(level.tops.centre - level.tops.centre[n]).T)
    gap[n] = np.inf
    over = bool((gap < 0.96 * plane.edge).any())
    on_shelf = calibration.zone(*place) is Zone.SHELF
    if (
        odd >= (ON_SHELF if on_shelf else 1.0)
        or abs(place[1] - tray.rail_y_mm) < (tray.rail_mm + tray.die_mm) / 2 - ON_RAIL_MM
    ):
        found.append(Doubt.STACKED if over or level.tops.scale[n] > 1 + LARGER else Doubt.COCKED)
    elif over:
        found.append(Doubt.STACKED)
    if level.glaring[n]:
        dim = Doubt.DARK if on_shelf else Doubt.COCKED
        found.append(Doubt.GLARE if whitened(plane, level, n, dice) else dim)
    if corners.min() < 0 or (corners.max(0) > np.array([calibration.width_px, calibration.height_px]) - 1).any():
        found.append(Doubt.CUT)
    return tuple(dict.fromkeys(found))


def whitened(plane: Plane, level: Level, n: int, dice: DiceSet) -> bool:
    """Whether a face is off the dice's own hue, as under a lamp's reflection; in shade it keeps it."""
    around = np.stack([np.cos(_PHI), np.sin(_PHI)], 1) * plane.edge * 0.3
    x, y = (level.tops.centre[n] + around).T
    seen = np.median(sample(plane.levels[0], x, y), 0)
    own = np.array(dice.body) * level.bodies.light
    share = float(seen @ own) / float(own @ own)
    return bool(np.abs(seen - share * own).max() > WHITENED or share > 1.15)
