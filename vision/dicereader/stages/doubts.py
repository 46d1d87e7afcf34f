"""Name what speaks against a die: leaning, lying on another, cut, blurred, dark, glaring."""

import numpy as np
from numpy.typing import NDArray

from dicereader.reading import Doubt
from dicereader.stages.choose import Chosen
from dicereader.stages.lean import flatness, leaning
from dicereader.stages.poses import LAYOUTS, SITES
from dicereader.stages.rectify import View
from dicereader.stages.sampling import at_level, brightness, sample

Floats = NDArray[np.float64]

OVERLAP = 0.8
"""Two level dice on one floor are at least an edge apart; places nearer than this share of it lie over each other."""

BLURRED = 1.1
"""A pip's rim this wide, in units of its radius, is out of focus or moving."""

_PHI = np.arange(12) * (np.pi / 6)
_FROM_MIDDLE = np.linspace(0.4, 1.7, 14)


def certain(view: View, chosen: Chosen) -> list[tuple[Doubt, ...]]:
    """For each die the doubts that hold however sure its face is: it leans, lies on another, is cut, or seems two."""
    width, height = view.size
    found: list[tuple[Doubt, ...]] = []
    poses = chosen.poses
    leans = leaning(view, poses.centre, chosen.slant, chosen.half, flatness(poses.u, poses.v))
    for n, (x, y) in enumerate(poses.centre):
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
    if poses.base[n] < 60 * view.gain and poses.contrast[n] < 30 * view.gain:
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


__all__ = ["certain", "reasons"]
