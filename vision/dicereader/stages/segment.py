"""Find where a face ends: the edges around a pose, and the square around a single pip."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.pips import Pips
from dicereader.stages.poses import BETWEEN, PITCH, Poses, squared
from dicereader.stages.rectify import View
from dicereader.stages.sampling import at_level, sample, sample_spots

Floats = NDArray[np.float64]

HALF = 0.5 / PITCH
"""Half a die's edge in units of the pitch."""

OUTWARD = np.arange(1.1, 3.21, 0.1)
ALONG = np.array([-0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6])
"""Where across and along each side the edge is looked for, in units of the pitch; between the pips."""

HALVES = np.arange(1.5, 2.71, 0.1)
"""Half a die's edge in units of the pitch, as dice have it."""

STEP = 14.0
"""The least difference in any colour channel, of 255, that counts as an edge."""

_RAYS = 40
_PHI = np.arange(_RAYS) * (2 * np.pi / _RAYS)
_REACH = np.geomspace(2.0, 12.0, 36)
"""Places along a ray from a single pip, in units of its radius."""

TURNS = np.arange(0.0, np.pi / 2, np.pi / 24)
_SQUARE = np.maximum(np.abs(np.cos(_PHI - TURNS[:, None])), np.abs(np.sin(_PHI - TURNS[:, None])))


@dataclass(frozen=True, eq=False)
class Edges:
    """How the colour changes outwards from each pose's face.

    `rise` has shape (n, 4, len(HALVES)): how much further from the face's colour, in units of what counts as an edge,
    the picture is beyond than before an edge at that half (`HALVES` times the pitch), for the sides +u, -u, +v, -v.
    """

    rise: Floats

    def at(self, half: Floats) -> Floats:
        """The rise of each side (n, 4) at a half edge given in units of the pitch (n,)."""
        index = np.abs(HALVES - np.asarray(half)[:, None]).argmin(1)
        return self.rise[np.arange(len(self.rise)), :, index]

    def support(self, half: Floats, slack: float = 0.1) -> Floats:
        """The share of sides with an edge there or, by a share of `slack`, nearer or farther; from 0 to 1."""
        shares = [np.clip(self.at(half * by) * 1.25 - 0.25, 0, 1).mean(1) for by in (1.0, 1 - slack, 1 + slack)]
        best: Floats = np.maximum(shares[0], 0.95 * np.maximum(shares[1], shares[2]))
        return best


def find_edges(view: View, poses: Poses) -> Edges:
    """The four edges of each pose's face, by the first lasting change of colour outwards."""
    rise = np.zeros((len(poses), 4, len(HALVES)))
    levels = np.clip(np.floor(np.log2(np.maximum(poses.pitch, 1) / 7)), 0, len(view.levels) - 1).astype(int)
    outward, along = np.meshgrid(OUTWARD, ALONG, indexing="ij")
    o, a = outward.ravel(), along.ravel()
    grid = np.concatenate([np.stack(p, 1) for p in ((o, a), (-o, a), (a, o), (a, -o))])
    for level in np.unique(levels):
        which = np.flatnonzero(levels == level)
        some = squared(poses.take(which))
        own = np.median(sample_spots(view.levels[level], some.points(BETWEEN), level), 1)
        spots = some.points(grid)
        seen = sample_spots(view.levels[level], spots, level)
        change = np.abs(seen - own[:, None]).max(2).reshape(len(which), 4, len(OUTWARD), len(ALONG))
        change = np.median(change, 3)
        limit = np.maximum(STEP, 0.2 * some.contrast)
        rise[which] = _rises(change / limit[:, None, None])
    return Edges(rise)


def _rises(change: Floats) -> Floats:
    """The step at each of `HALVES`: the most within a little beyond less the mean of what is before, at most 1."""
    steps = np.rint((HALVES - OUTWARD[0]) / 0.1).astype(int)
    before = np.stack([change[..., n - 3 : n].mean(-1) for n in steps], -1)
    after = np.stack([change[..., n : n + 3].max(-1) for n in steps], -1)
    rise: Floats = np.clip(after - before, 0.0, 1.0)
    return rise


@dataclass(frozen=True, eq=False)
class Squares:
    """The square around each pip: half its edge, its turn in radians, and the share of its outline that is there."""

    half: Floats
    turn: Floats
    support: Floats


def find_squares(view: View, pips: Pips, half: float | None = None) -> Squares:
    """The square that each pip is the middle of, with half an edge of `half` pixels where that is known."""
    n = len(pips)
    ends = np.full((n, _RAYS), np.inf)
    levels = np.clip(np.floor(np.log2(np.maximum(pips.r, 1) / 2.2)), 0, len(view.levels) - 1).astype(int)
    for level in np.unique(levels):
        which = np.flatnonzero(levels == level)
        reach = pips.r[which, None] * _REACH
        x = pips.x[which, None, None] + reach[:, None] * np.cos(_PHI)[:, None]
        y = pips.y[which, None, None] + reach[:, None] * np.sin(_PHI)[:, None]
        seen = sample(view.levels[level], at_level(x, level), at_level(y, level))
        own = np.median(seen[:, :, 1:4], (1, 2))
        change = np.abs(seen - own[:, None, None]).max(3)
        beyond = change > np.maximum(STEP, 0.2 * pips.contrast[which])[:, None, None]
        lasting = beyond.copy()
        lasting[..., :-1] &= beyond[..., 1:]
        first = lasting.argmax(2)
        there = np.take_along_axis(np.broadcast_to(reach[:, None], lasting.shape), first[..., None], 2)[..., 0]
        ends[which] = np.where(lasting.any(2), there * 0.975, np.inf)
    sides = ends[:, None] * _SQUARE
    guess = np.full((n, len(TURNS)), half) if half is not None else np.median(sides, 2)
    guess = np.where(np.isfinite(guess), guess, 1e9)
    agree = (np.abs(sides / guess[..., None] - 1) < 0.1).mean(2)
    best = agree.argmax(1)
    each = np.arange(n)
    return Squares(guess[each, best], TURNS[best], agree[each, best])
