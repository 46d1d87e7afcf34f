"""Choose which faces are there: poses of the common size that do not overlap and explain the pips best."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.pips import Pips
from dicereader.stages.poses import PITCH, Poses, evidence, joined, others
from dicereader.stages.rectify import View
from dicereader.stages.segment import HALF, HALVES, TURNS, Edges, find_edges, find_squares

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Size:
    """The size that the dice of a picture have in common: half a die's edge and the pitch of its pips, in pixels."""

    half: float
    pitch: float


@dataclass(frozen=True, eq=False)
class Chosen:
    """The dice found: poses that do not overlap, and what speaks for each, as arrays of length n.

    `support` is the share of the face's edges that are seen, `right_size` (0 to 1) how well its size goes with the
    others', `rival` the best score of another face at the same place as a share of its own.
    `size` is None where there are no dice; `stray` counts good pips that lie on no die and beside none.
    """

    poses: Poses
    score: Floats
    support: Floats
    right_size: Floats
    rival: Floats
    size: Size | None
    stray: int


def distinct(poses: Poses, limit: int = 160) -> Poses:
    """The best of those that lie on each other with much the same size."""
    worth = poses.fit * (0.2 + poses.quality) * (poses.face + 1.0)
    poses = poses.take(np.argsort(-worth, kind="stable"))
    pitch = poses.pitch
    gap = np.hypot(*(poses.centre[:, None] - poses.centre).transpose(2, 0, 1))
    same = (gap < 0.5 * pitch) & (np.abs(np.log(pitch[:, None] / pitch)) < 0.2)
    gone = np.zeros(len(poses), bool)
    keep = []
    for n in range(len(poses)):
        if not gone[n]:
            keep.append(n)
            gone |= same[n]
        if len(keep) == limit:
            break
    return poses.take(np.array(keep, np.intp))


def common_size(view: View, poses: Poses, edges: Edges, singles: tuple[Floats, Floats]) -> Size | None:
    """The size most faces agree on; `singles` are half edges and weights of what may be ones. None: no dice."""
    support = edges.rise.mean(1).max(1)
    weight = (poses.fit * poses.quality) ** 4 * (poses.face - 1.0) * np.clip(support - 0.2, 0.05, 1.0)
    weight[(poses.face == 2) & (support < 0.7)] = 0
    weight[_parts(poses)] = 0
    pitch = np.concatenate([poses.pitch, singles[0] / HALF])
    weight = np.concatenate([weight, singles[1]])
    if view.die_px is not None:
        known = view.die_px * PITCH
        weight = np.where(np.abs(np.log(pitch / known)) < 0.25, weight, 0.0)
        if len(weight) == 0 or weight.max() <= 0:
            return Size(view.die_px / 2, known)
    if len(weight) == 0 or weight.max() <= 0:
        return None
    # Squares, so that a few good faces outweigh a carpet of poor ones.
    votes = (np.abs(np.log(pitch[:, None] / pitch)) < 0.12) @ weight**2
    best = float(pitch[votes.argmax()])
    near = np.abs(np.log(pitch / best)) < 0.12
    best = float(np.exp(np.average(np.log(pitch[near]), weights=weight[near])))
    if view.die_px is not None:
        return Size(view.die_px / 2, best)
    # Where the edge is, all faces of that size tell together; what dice usually have breaks a tie.
    those = np.flatnonzero(near[: len(poses)])
    seen = np.tensordot(weight[those], edges.rise[those].mean(1), 1) if len(those) else np.zeros(len(HALVES))
    ratio = HALVES[(seen * np.exp(-0.5 * (np.log(HALVES / HALF) / 0.3) ** 2)).argmax()] if seen.any() else HALF
    return Size(best * float(ratio), best)


def _parts(poses: Poses) -> NDArray[np.bool_]:
    """Those that are a part of a face with more pips: a column of a six is no three."""
    away = np.hypot(*(poses.centre[:, None] - poses.centre).transpose(2, 0, 1))
    clear = (poses.fit * poses.quality > 0.5) & (poses.face >= 4)
    within = (
        (away < 1.2 * poses.pitch) & clear & (poses.face[:, None] < poses.face) & (poses.pitch[:, None] < poses.pitch)
    )
    return np.asarray(within.any(1), np.bool_)


def choose(view: View, pips: Pips, poses: Poses) -> Chosen:
    """The set of faces that do not overlap and explain the picture best."""
    poses = distinct(poses)
    edges = find_edges(view, poses)
    solid = pips.take((pips.quality > 0.45) & (pips.spread < 0.4))
    free = find_squares(view, solid)
    lone = np.where(free.support > 0.7, 0.7 * free.support**4 * solid.quality, 0.0)
    size = common_size(view, poses, edges, (free.half, lone))
    if size is None:
        none = np.zeros(0)
        return Chosen(poses.take(np.zeros(0, np.intp)), none, none, none, none, None, 0)
    half = size.half
    support = edges.support(half / poses.pitch)
    right_size = _right_size(poses, size)
    needed = np.where(poses.face <= 2, 0.5, np.where(poses.face == 3, 0.25, 0.0))
    worth = (poses.fit * poses.quality) ** 2
    score = (poses.face * right_size + 1.2 * support) * worth
    score[(support < needed) | (poses.fit < 0.25) | (right_size < 0.15)] = 0
    score *= _alike(poses, score)
    taken = _apart(poses, score, half)
    ones, ones_support = _singles(view, _away(solid, poses.centre[taken], half), pips, size)
    ones_score = (1.2 + 1.2 * ones_support) * (ones.quality * ones.fit) ** 2
    found = len(poses)
    poses = joined(poses, ones)
    support = np.concatenate([support, ones_support])
    right_size = np.concatenate([right_size, np.ones(len(ones))])
    score = np.concatenate([score, ones_score])
    score[found:] *= _alike(poses, np.where(poses.face == 1, 0.5, 1.0) * score)[found:]
    taken = _apart(poses, score, half)
    rival = _rivals(poses, score, taken, half)
    chosen = poses.take(taken)
    stray = _strays(pips, chosen, half)
    return Chosen(chosen, score[taken], support[taken], right_size[taken], rival, size, stray)


def _apart(poses: Poses, score: Floats, half: float) -> NDArray[np.intp]:
    """The best poses whose centres are at least most of a die apart."""
    taken: list[int] = []
    for n in np.argsort(-score, kind="stable"):
        gap = np.hypot(*(poses.centre[taken] - poses.centre[n]).T) if taken else np.zeros(0)
        if score[n] > 0.9 and np.all(gap > 1.7 * half):
            taken.append(int(n))
    return np.array(taken, np.intp)


def _right_size(poses: Poses, size: Size) -> Floats:
    """How well each pose's pitch goes with the common one; sixes differ more from set to set."""
    off = np.log(poses.pitch / size.pitch)
    off = np.where(poses.face == 6, np.maximum(np.abs(off) - 0.05, 0.0), off)
    return np.asarray(np.exp(-0.5 * (off / 0.1) ** 2), np.float64)


def _rivals(poses: Poses, score: Floats, taken: NDArray[np.intp], half: float) -> Floats:
    """For each chosen pose the best score of another face around the same place, as a share of its own."""
    near = np.hypot(*(poses.centre[taken][:, None] - poses.centre).transpose(2, 0, 1)) < 1.2 * half
    other = near & (poses.face[taken][:, None] != poses.face)
    best: Floats = np.where(other, score, 0.0).max(1, initial=0.0)
    return best / score[taken]


def _away(pips: Pips, centres: Floats, half: float) -> Pips:
    """The pips that do not lie on or beside one of the faces."""
    there = np.stack([pips.x, pips.y], 1)
    gap = np.hypot(*(there[:, None] - centres).transpose(2, 0, 1))
    return pips.take(np.all(gap > 1.7 * half, 1))


def _alike(poses: Poses, score: Floats) -> Floats:
    """How much each pose's pips are like those of the best poses: in size and in contrast."""
    if len(poses) == 0:
        return np.ones(0)
    weight = score**4
    worth = poses.fit * poses.quality
    # A single pip is larger on some dice.
    larger = np.where(poses.face == 1, np.log(1.5), 0.0)
    off = np.log(poses.r / _middle(poses.r, weight))
    off = np.where(off > 0, np.maximum(off - larger, 0.0), off)
    same_size = np.exp(-0.5 * (off / 0.22) ** 2)
    same_contrast = np.clip(2.2 * poses.contrast / _middle(poses.contrast, weight), 0.2, 1.0)
    as_good = np.clip(2 * worth / _middle(worth, weight) - 0.4, 0.0, 1.0)
    return np.asarray(same_size * same_contrast * as_good, np.float64)


def _middle(values: Floats, weight: Floats) -> float:
    """The weighted median."""
    order = np.argsort(values)
    heap = np.cumsum(weight[order])
    return float(values[order][min(np.searchsorted(heap, heap[-1] / 2), len(values) - 1)])


def _singles(view: View, lone: Pips, pips: Pips, size: Size) -> tuple[Poses, Floats]:
    """Pips that are the middle of a square of the right size, as poses of a one, with the square's support."""
    half, pitch = size.half, size.pitch
    ratio = lone.r / half
    some = lone.take((ratio > 0.1) & (ratio < 0.42))
    n, turns = len(some), len(TURNS)
    u = pitch * np.stack([np.cos(TURNS), np.sin(TURNS)], 1)
    v = u[:, ::-1] * np.array([-1.0, 1.0])
    each = np.repeat(np.arange(n), turns)
    centre = np.stack([some.x, some.y], 1)[each]
    grey = some.ring @ np.array([0.114, 0.587, 0.299])
    poses = Poses(
        centre,
        np.tile(u, (n, 1)),
        np.tile(v, (n, 1)),
        np.zeros(n * turns, np.intp),
        np.ones(n * turns),
        *(a[each] for a in (some.r, some.sign, grey, some.contrast, some.quality)),
    )
    supports = find_edges(view, poses).support(np.full(len(poses), half / pitch)).reshape(n, turns)
    best = supports.argmax(1)
    support = supports[np.arange(n), best]
    poses = evidence(view, poses.take(np.arange(n) * turns + best))
    poses = replace(poses, quality=poses.quality * 0.6 ** others(poses, pips, 1))
    good = (support > 0.6) & (poses.face == 1) & (poses.fit > 0.5)
    return poses.take(good), support[good]


def _strays(pips: Pips, chosen: Poses, half: float) -> int:
    """How many good pips of the dice's size, or round faces without any, lie on none of the dice."""
    if len(chosen) == 0:
        return 0
    off = np.abs(np.log(pips.r / np.median(chosen.r)))
    pip = (pips.quality > 0.75) & (off < 0.25) & (pips.spread < 0.35)
    pip &= pips.contrast > 0.4 * np.median(chosen.contrast)
    blank = (pips.quality > 0.5) & (pips.r > 0.65 * half) & (pips.r < 1.2 * half) & (pips.sign < 0)
    there = np.stack([pips.x, pips.y], 1)
    gap = np.hypot(*(there[:, None] - chosen.centre).transpose(2, 0, 1)).min(1, initial=np.inf)
    # The pips of side faces are beside a die, and flattened.
    beside = np.where(pip & (pips.roundness > 0.95) & (off < 0.15), 1.4, 2.3)
    return int(((pip | blank) & (gap > beside * half)).sum())
