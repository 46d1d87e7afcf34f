"""Name what speaks against a die or a picture: leaning, lying on another, cut, blurred, dark, glaring, unread."""

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.reading import Doubt
from dicereader.stages.choose import Chosen
from dicereader.stages.lean import leaning
from dicereader.stages.poses import BETWEEN, LAYOUTS, SITES
from dicereader.stages.rectify import View
from dicereader.stages.sampling import at_level, brightness, sample, sample_spots

Floats = NDArray[np.float64]

OVERLAP = 0.8
"""Two level dice on one floor are at least an edge apart; places nearer than this share of it lie over each other."""

BLURRED = 1.1
"""A pip's rim this wide, in units of its radius, is out of focus or moving."""

BODY_PX = 9.0
"""Half a die's edge in the picture in which unread dice are looked for."""

LIT = 240
"""What is this bright in one of its colours, or brighter, may be a face from which light takes colour and pips."""

WITH_SIDES, TOP = 2.0, 1.45
"""Around a die's middle, in half edges, belongs to it: what may be a side of it, and its top face alone."""

_PHI = np.arange(12) * (np.pi / 6)
_FROM_MIDDLE = np.linspace(0.4, 1.7, 14)


def certain(view: View, chosen: Chosen) -> list[tuple[Doubt, ...]]:
    """For each die the doubts that hold however sure its face is: it leans, lies on another, is cut, or seems two."""
    width, height = view.size
    found: list[tuple[Doubt, ...]] = []
    leans = leaning(view, chosen.poses.centre, chosen.slant)
    for n, (x, y) in enumerate(chosen.poses.centre):
        doubts: list[Doubt] = []
        if leans[n]:
            doubts.append(Doubt.COCKED)
        if chosen.nearest[n] < OVERLAP * 2 * chosen.half[n]:
            doubts.append(Doubt.STACKED)
        if view.die_px is None and min(x, y, width - 1 - x, height - 1 - y) < 0.95 * chosen.half[n]:
            doubts.append(Doubt.CUT)
        if chosen.contested[n]:
            doubts.append(Doubt.FACE)
        found.append(tuple(doubts))
    return found


def reasons(view: View, chosen: Chosen, n: int) -> tuple[Doubt, ...]:
    """Why die n may be read wrong, where its confidence is low; `FACE` where nothing else is seen."""
    found: list[Doubt] = []
    poses = chosen.poses
    away = np.hypot(*(poses.centre - poses.centre[n]).T)
    if ((away > 0) & (away < 2.4 * chosen.half[n])).any():
        found.append(Doubt.TOUCHING)
    if poses.base[n] < 60 and poses.contrast[n] < 30:
        found.append(Doubt.DARK)
    if poses.base[n] > 245 or (poses.sign[n] < 0 and poses.contrast[n] < 40 < 140 < poses.base[n]):
        found.append(Doubt.GLARE)
    if _rim(view, chosen, n) > BLURRED:
        found.append(Doubt.BLURRED)
    return tuple(found) or (Doubt.FACE,)


def _rim(view: View, chosen: Chosen, n: int) -> float:
    """How wide the pips' rims are, from dark to light, in units of their radius."""
    pose = chosen.poses.take(np.array([n]))
    spots = pose.points(SITES[list(LAYOUTS[int(pose.layout[0])][1])])[0]
    level = int(np.clip(np.floor(np.log2(max(float(pose.r[0]), 1) / 4)), 0, len(view.levels) - 1))
    reach = float(pose.r[0]) * _FROM_MIDDLE[:, None]
    x = spots[:, 0, None, None] + reach * np.cos(_PHI)
    y = spots[:, 1, None, None] + reach * np.sin(_PHI)
    sign = float(pose.sign[0])
    seen = brightness(sample(view.levels[level], at_level(x, level), at_level(y, level)), sign)
    profile = np.median(seen, (0, 2)) * sign
    steepest = float(np.diff(profile).max()) / float(_FROM_MIDDLE[1] - _FROM_MIDDLE[0])
    return float(np.ptp(profile)) / max(steepest, 1e-6)


def unread(view: View, chosen: Chosen) -> int:
    """How many things have about the size of the dice read, and their colour or the light's, and were not read."""
    if not len(chosen.poses):
        return 0
    half = float(np.median(chosen.half))
    level = int(np.clip(np.floor(np.log2(max(half, 1) / BODY_PX) + 0.5), 0, len(view.levels) - 1))
    picture = view.levels[level]
    own = np.median(sample_spots(picture, chosen.poses.points(BETWEEN), level), 1)
    around = 2.6 * chosen.half[:, None]
    x = chosen.poses.centre[:, :1] + around * np.cos(_PHI)
    y = chosen.poses.centre[:, 1:] + around * np.sin(_PHI)
    ground = np.median(sample(picture, at_level(x, level), at_level(y, level)), 1)
    small = half / 2.0**level
    alike = np.zeros(picture.shape[:2], np.uint8)
    for colour, other in zip(own, ground, strict=True):
        slack = 0.35 * float(np.abs(colour - other).max())
        if slack > 10:  # else dice and ground have one colour, and nothing can be told
            low, high = np.clip(colour - slack, 0, 255), np.clip(colour + slack, 0, 255)
            alike |= np.asarray(cv2.inRange(picture, low, high), np.uint8)
    lit = np.asarray(cv2.inRange(picture.max(2), LIT, 255), np.uint8)
    for (px, py), edge in zip(chosen.poses.centre, chosen.half, strict=True):
        spot = round(float(at_level(px, level))), round(float(at_level(py, level)))
        cv2.circle(alike, spot, round(WITH_SIDES * float(edge) / 2.0**level), 0, cv2.FILLED)
        cv2.circle(lit, spot, round(TOP * float(edge) / 2.0**level), 0, cv2.FILLED)
    return max(_dice_like(alike, small), _dice_like(lit, small))  # white dice are in both


def _dice_like(mask: NDArray[np.uint8], half: float) -> int:
    """How many pieces of a mask are like a die of that half edge."""
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    _, marks, boxes, _ = cv2.connectedComponentsWithStats(mask)
    return sum(
        _like_a_die(marks[y : y + h, x : x + w] == n + 1, half) for n, (x, y, w, h, _) in enumerate(boxes[1:].tolist())
    )


def _like_a_die(there: NDArray[np.bool_], half: float) -> bool:
    """Whether what is set in a mask is as large and compact as a die of that half edge, with a side face at most."""
    if not 1.1 * half < max(there.shape) < 5 * half:
        return False
    y, x = np.nonzero(there)
    _, (width, height), _ = cv2.minAreaRect(np.stack([x, y], 1).astype(np.float32))
    short, long = sorted((width + 1, height + 1))
    return bool(1.1 * half < short and long < 3.1 * half and len(x) > 0.7 * short * long)


__all__ = ["certain", "reasons", "unread"]
