"""Find pips: small round spots, darker or lighter than what surrounds them, with their place to a part of a pixel."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages.rectify import View
from dicereader.stages.sampling import Values, at_level, sample

Floats = NDArray[np.float64]

RADII_PX = (2.4, 3.4)
"""The radii searched at each level of the pyramid; half size and so on give the radii between and beyond."""

WEAKEST = 5
"""Grey levels by which a spot must differ from its surroundings to be looked at."""

MOST_SPOTS = 500
"""Spots looked at on each level and for each polarity, strongest first: rough carpets have more."""

MOST_PIPS = 450

NEW = 14.0
"""How much in any colour channel a place must have changed to be more than noise or another light."""

ANGLES = 16
STEPS = np.arange(0.15, 2.5, 0.15).astype(np.float32)
_PHI = np.arange(ANGLES) * (2 * np.pi / ANGLES)
_COS, _SIN = np.cos(_PHI, dtype=np.float32), np.sin(_PHI, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Pips:
    """Pips found, as arrays of length n in pixels of level 0.

    `sign` is 1 for dark pips on a light face and -1 for light ones on dark; `contrast` is in grey levels; `roundness`
    is 1 for a circle and falls with flattening and a ragged outline; `spread` is how uneven the surroundings are,
    as a share of the contrast; `ring` is the colour around, shape (n, 3).
    """

    x: Floats
    y: Floats
    r: Floats
    sign: Floats
    contrast: Floats
    roundness: Floats
    spread: Floats
    ring: Floats

    def __len__(self) -> int:
        return len(self.x)

    @property
    def quality(self) -> Floats:
        """From 0 to 1: how much each spot looks like a pip."""
        return self.roundness * np.clip(1.2 - self.spread, 0.0, 1.0) * np.clip(self.contrast / 40, 0.2, 1.0)

    def take(self, index: NDArray[np.intp] | NDArray[np.bool_]) -> "Pips":
        """Those of an index or mask, in its order."""
        return Pips(
            self.x[index],
            self.y[index],
            self.r[index],
            self.sign[index],
            self.contrast[index],
            self.roundness[index],
            self.spread[index],
            self.ring[index],
        )


def find_pips(view: View, bare: View | None = None) -> Pips:
    """All spots of the view that look like pips, best first, at most `MOST_PIPS`.

    `bare` is the view of the same place without dice: spots that are there too are no pips.
    """
    found: list[Pips] = []
    for level in range(len(view.levels)):
        for radius in RADII_PX:
            if not _wanted(view, radius * 2**level):
                continue
            for sign in (1.0, -1.0):
                x, y = _spots(view.brightness(level, sign), radius, sign)
                found.append(_measure(view, level, x, y, radius, sign))
    pips = _joined(found)
    return _distinct(pips if bare is None else _new(view, bare, pips))


def _new(view: View, bare: View, pips: Pips) -> Pips:
    """The pips whose surroundings look otherwise than in the picture without dice."""
    x = pips.x[:, None] + 1.5 * pips.r[:, None] * _COS
    y = pips.y[:, None] + 1.5 * pips.r[:, None] * _SIN
    change = np.abs(sample(view.levels[0], x, y) - sample(bare.levels[0], x, y)).max(2)
    return pips.take(np.median(change, 1) > NEW)


def _wanted(view: View, radius: float) -> bool:
    if view.die_px is None:
        return True
    return 0.055 < radius / view.die_px < 0.16


def _spots(grey: NDArray[np.uint8], radius: float, sign: float) -> tuple[Floats, Floats]:
    """Places where a disc of this radius differs most from the ring around it: x, y in pixels of the level."""
    inner = cv2.GaussianBlur(grey, (0, 0), radius * 0.55)
    outer = cv2.boxFilter(grey, -1, (2 * round(radius * 2) + 1,) * 2)
    # Saturated: where the difference has the other sign it is 0.
    answer = cv2.subtract(outer, inner) if sign > 0 else cv2.subtract(inner, outer)
    reach = cv2.getStructuringElement(cv2.MORPH_RECT, (2 * round(radius * 0.8) + 1,) * 2)
    peak = cv2.compare(answer, cv2.dilate(answer, reach), cv2.CMP_GE)
    strong = cv2.threshold(answer, WEAKEST - 1, 255, cv2.THRESH_BINARY)[1]
    places = np.asarray(cv2.findNonZero(cv2.bitwise_and(peak, strong)))
    if places.dtype == object:  # OpenCV's None: there is not one
        return np.zeros(0), np.zeros(0)
    x, y = places.astype(np.intp).reshape(-1, 2).T
    # All around it must differ, save where a neighbouring pip or an edge is near.
    edge = round(radius * 1.7) + 1
    framed = cv2.copyMakeBorder(inner, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    dx, dy = np.rint(radius * 1.7 * _COS[::2]).astype(int), np.rint(radius * 1.7 * _SIN[::2]).astype(int)
    around = framed[y[:, None] + edge + dy, x[:, None] + edge + dx].astype(np.float32)
    differs = np.sort((around - inner[y, x, None]) * sign, 1)
    good = (differs[:, 2] > 0.35 * differs[:, 4]) & (differs[:, 2] > WEAKEST)
    x, y, strength = x[good], y[good], differs[good, 3]
    if len(x) > MOST_SPOTS:
        best = np.argpartition(-strength, MOST_SPOTS)[:MOST_SPOTS]
        x, y = x[best], y[best]
    return x.astype(float), y.astype(float)


def _measure(view: View, level: int, x: Floats, y: Floats, radius: float, sign: float) -> Pips:
    """Measure spots given in pixels of a level; those that are no pips fall away."""
    grey = view.brightness(level, sign)
    r = np.full(len(x), radius)
    for _ in range(2):
        profile = sample(
            grey,
            x[:, None, None] + r[:, None, None] * STEPS[:, None] * _COS,
            y[:, None, None] + r[:, None, None] * STEPS[:, None] * _SIN,
        )
        signed = profile if sign > 0 else -profile
        inside = signed[:, :4].mean((1, 2))
        rings = signed[:, 9:11].mean(1)
        contrast = np.median(rings, 1) - inside
        reach = _reach(signed, inside + contrast / 2) * r[:, None]
        radii = np.median(reach, 1)
        reach = np.minimum(reach, 1.6 * radii[:, None])
        dx, dy = 2 * (reach * _COS).mean(1), 2 * (reach * _SIN).mean(1)
        keep = (contrast > WEAKEST) & (np.hypot(dx, dy) < 0.9 * r) & (radii > 0.45 * r) & (radii < 2.0 * r)
        x, y, r, reach, contrast, rings = (a[keep] for a in (x + dx, y + dy, radii, reach, contrast, rings))
    flat = np.hypot(2 * (reach * np.cos(2 * _PHI)).mean(1), 2 * (reach * np.sin(2 * _PHI)).mean(1)) / r
    ragged = np.abs(reach - np.median(reach, 1)[:, None]).mean(1) / r
    roundness = np.clip(1.25 - 1.2 * flat - 1.0 * ragged, 0.0, 1.0)
    # Of the ring, the quarter that looks most like a pip may be a neighbouring pip or a shadow.
    ordered = np.sort(rings, 1)
    spread = (ordered[:, -2] - ordered[:, ANGLES // 4]) / np.maximum(contrast, 1)
    good = (roundness > 0.3) & (spread < 0.9)
    x, y, r, contrast, roundness, spread = (a[good] for a in (x, y, r, contrast, roundness, spread))
    xs, ys = x[:, None] + 1.55 * r[:, None] * _COS, y[:, None] + 1.55 * r[:, None] * _SIN
    ring = np.median(sample(view.levels[level], xs, ys), 1).astype(np.float64)
    signs = np.full(len(x), sign)
    return Pips(at_level(x, -level), at_level(y, -level), r * 2.0**level, signs, contrast, roundness, spread, ring)


def _reach(signed: Values, half: Values) -> Floats:
    """Where the profile (n, steps, angles) first rises beyond half, between the steps, in units of the radius."""
    beyond = signed > half[:, None, None]
    first = np.where(beyond.any(1), beyond.argmax(1), len(STEPS) - 1)
    before = np.maximum(first - 1, 0)
    each, angle = np.arange(len(signed))[:, None], np.arange(ANGLES)
    low = signed[each, before, angle]
    rise = np.maximum(signed[each, first, angle] - low, 1e-6)
    part = np.clip((half[:, None] - low) / rise, 0, 1)
    return np.asarray(STEPS[before] + part * (STEPS[first] - STEPS[before]), np.float64)


def _joined(parts: list[Pips]) -> Pips:
    def all_of(name: str) -> Floats:
        return np.concatenate([np.asarray(getattr(part, name), np.float64) for part in parts])

    return Pips(
        all_of("x"),
        all_of("y"),
        all_of("r"),
        all_of("sign"),
        all_of("contrast"),
        all_of("roundness"),
        all_of("spread"),
        all_of("ring"),
    )


def _distinct(pips: Pips) -> Pips:
    """Each pip once: the same spot is found on several levels and by several radii."""
    pips = pips.take(np.argsort(-pips.quality, kind="stable")[: 2 * MOST_PIPS])
    x, y, r = pips.x, pips.y, pips.r
    near = np.hypot(x[:, None] - x, y[:, None] - y) < 0.8 * np.minimum(r[:, None], r) + 0.4 * np.maximum(r[:, None], r)
    # A glint inside a pip must not take the pip's place, nor a pip that of the die around it.
    near &= np.maximum(r[:, None], r) < 1.7 * np.minimum(r[:, None], r)
    taken = np.zeros(len(pips), bool)
    keep = []
    for i in range(len(pips)):
        if not taken[i]:
            keep.append(i)
            taken |= near[i]
        if len(keep) == MOST_PIPS:
            break
    return _no_bodies(pips.take(np.array(keep, np.intp)))


def _no_bodies(pips: Pips) -> Pips:
    """Those that are no whole die: a round spot with two good pips well apart on it is a die's face."""
    gap = np.hypot(pips.x[:, None] - pips.x, pips.y[:, None] - pips.y)
    on = (gap < 1.2 * pips.r[:, None]) & (pips.r < 0.5 * pips.r[:, None]) & (pips.r > 0.1 * pips.r[:, None])
    on &= pips.quality > 0.6
    body = np.zeros(len(pips), bool)
    for n in np.flatnonzero(on.sum(1) >= 2):
        # Glints of two lamps lie close together in the middle of one pip.
        body[n] = gap[np.ix_(on[n], on[n])].max() > 0.7 * pips.r[n]
    return pips.take(~body)
