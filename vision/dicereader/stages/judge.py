"""Say how sure each die is, name the doubts, and turn the choice into a reading."""

import numpy as np
from numpy.typing import NDArray

from dicereader.calibration import Calibration
from dicereader.reading import Box, Doubt, ReadDie, Zone
from dicereader.stages.choose import Chosen
from dicereader.stages.poses import Poses
from dicereader.stages.rectify import View

Floats = NDArray[np.float64]

SURE = 0.95
"""A die is acted on from this confidence. Chosen on the same pictures as `WEIGHTS`."""

WEIGHTS = np.array([-3.0, 1.92, 2.31, 4.21, 0.17, -3.13, -2.47, -1.07, -2.25, -1.48, -1.53, -2.59, -1.74, 0.89])
"""Logistic weights of `features`, fitted once on the shared development pictures, no set left out; no command here
makes them again. Figures on those pictures therefore flatter, and a confidence is an order more than a probability."""


def features(view: View, chosen: Chosen) -> Floats:
    """What the confidence of each die is reckoned from, shape (n, 14), in the order of `WEIGHTS`.

    A constant, fit, quality, edge support, right size, the best rival's share; whether it is a one of a size nobody
    knows, or a two; how small and how faint its pips are; whether anything else was left unread; for a one again its
    edges and its pip, which are all it has; whether the dice's size was known.
    """
    poses = chosen.poses
    known = view.die_px is not None
    one = poses.face == 1
    columns = [
        np.ones(len(poses)),
        poses.fit,
        poses.quality,
        chosen.support,
        chosen.right_size,
        np.minimum(chosen.rival, 1.0),
        one & (not known),
        poses.face == 2,
        np.maximum(np.log(4.0 / poses.r), 0.0),
        np.maximum(np.log(60.0 / poses.contrast), 0.0),
        np.full(len(poses), min(chosen.stray, 4) / 4),
        one * (1 - chosen.support),
        one * (1 - poses.fit * poses.quality),
        np.full(len(poses), float(known)),
    ]
    return np.stack(columns, 1).astype(np.float64)


def readings(
    view: View, chosen: Chosen, calibration: Calibration | None, expect: int | None
) -> tuple[tuple[ReadDie, ...], bool, tuple[Doubt, ...]]:
    """The dice from the top left to the bottom right, whether all is sure, and the doubts of the whole picture."""
    whole: list[Doubt] = []
    if expect is not None and expect != len(chosen.poses):
        whole.append(Doubt.COUNT)
    if chosen.size is None:
        return (), not whole, tuple(whole)
    if chosen.stray:
        whole.append(Doubt.COUNT)
    corners = view.in_picture(outline(chosen.poses, chosen.size.half))
    confidence = 1 / (1 + np.exp(-features(view, chosen) @ WEIGHTS))
    dice = [_die(view, chosen, n, corners[n], float(confidence[n]), calibration) for n in range(len(chosen.poses))]
    dice.sort(key=lambda die: (die.box.y + die.box.h // 2, die.box.x))
    sure = not whole and all(die.confidence >= SURE and not die.doubts for die in dice)
    return tuple(dice), sure, tuple(dict.fromkeys(whole))


def outline(poses: Poses, half: float) -> Floats:
    """The corners of each face in pixels of level 0, shape (n, 4, 2)."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * half
    along = poses.u / np.maximum(np.hypot(*poses.u.T), 1e-9)[:, None]
    across = poses.v / np.maximum(np.hypot(*poses.v.T), 1e-9)[:, None]
    found: Floats = poses.centre[:, None] + corners[:, :1] * along[:, None] + corners[:, 1:] * across[:, None]
    return found


def _die(
    view: View, chosen: Chosen, n: int, corners: Floats, confidence: float, calibration: Calibration | None
) -> ReadDie:
    x0, y0 = np.floor(corners.min(0)).astype(int)
    x1, y1 = np.ceil(corners.max(0)).astype(int)
    place: tuple[float, float] | None = None
    zone: Zone | None = None
    if calibration is not None:
        seen = view.in_picture(chosen.poses.centre[n])
        place = calibration.place(float(seen[0]), float(seen[1]), calibration.tray.die_mm)
        zone = calibration.zone(*place)
    return ReadDie(
        face=int(chosen.poses.face[n]),
        box=Box(int(x0), int(y0), int(x1 - x0), int(y1 - y0)),
        confidence=min(max(confidence, 0.0), 1.0),
        zone=zone,
        doubts=_doubts(view, chosen, n, confidence),
        outline=tuple((float(x), float(y)) for x, y in corners),
        place=place,
    )


def _doubts(view: View, chosen: Chosen, n: int, confidence: float) -> tuple[Doubt, ...]:
    """Why a die is not sure; nothing where it is."""
    found: list[Doubt] = []
    poses, size = chosen.poses, chosen.size
    half = 0.0 if size is None else size.half
    width, height = view.size
    x, y = poses.centre[n]
    if view.die_px is None and min(x, y, width - 1 - x, height - 1 - y) < 0.75 * half:
        found.append(Doubt.CUT)
    if confidence >= SURE:
        return tuple(found)
    away = np.hypot(*(poses.centre - poses.centre[n]).T)
    if ((away > 0) & (away < 2.4 * half)).any():
        found.append(Doubt.TOUCHING)
    if poses.base[n] < 60 and poses.contrast[n] < 30:
        found.append(Doubt.DARK)
    if poses.base[n] > 245 or (poses.sign[n] < 0 and poses.contrast[n] < 40 < 140 < poses.base[n]):
        found.append(Doubt.GLARE)
    return tuple(found) or (Doubt.FACE,)


__all__ = ["SURE", "WEIGHTS", "features", "outline", "readings"]
