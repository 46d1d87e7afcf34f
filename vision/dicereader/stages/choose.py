"""Choose which faces are there: places of the common size that do not overlap and that most speaks for."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dicereader.stages import network
from dicereader.stages.candidates import find_candidates, sized_ones
from dicereader.stages.crops import find_crops
from dicereader.stages.network import Opinions, opinions
from dicereader.stages.pips import Pips
from dicereader.stages.poses import LAYOUTS, PITCH, SITES, Poses, evidence, joined, others
from dicereader.stages.rectify import View
from dicereader.stages.segment import HALF, HALVES, find_edges

Floats = NDArray[np.float64]

LEAST = 0.3
"""What must speak for a place at least, from 0 to 1, to be read as a die."""

HINT = 0.06
"""From here on a place that was not read as a die is one that may have been: the reading is in doubt."""

FAINT_HINT = 0.02
"""The same where nothing was read at all: then one place is all that there may be."""

OVER = 0.5
"""From here on a place is so clearly a face that no other may lie over it."""


MUCH_SMALLER = 0.35
"""A face this much smaller than another that it lies on is no mark on it: the larger one is not a die's."""


@dataclass(frozen=True)
class Size:
    """The size that the dice of a picture have in common: half a die's edge and the pitch of its pips, in pixels."""

    half: float
    pitch: float


@dataclass(frozen=True, eq=False)
class Chosen:
    """The dice found: poses that do not overlap, and what speaks for each, as arrays of length n.

    `likely` is the network's opinion of the face, `slant` (n, 2) where in the picture it says that the face's normal
    points (`network.Opinions`), `agrees` whether the pips' pattern shows the same face. `support` is the
    share of the face's edges that are seen, `right_size` (0 to 1) how well its size goes with the others', `rival` how
    much speaks for another face at the same place. `half` is half of each die's edge in pixels, `nearest` how far in
    pixels the next place is that is clearly a face too, read or not.
    `size` is None where there are no dice; `stray` counts good pips that lie on no die and beside none, `hints` places
    that were not read and may be dice.
    """

    poses: Poses
    likely: Floats
    slant: Floats
    agrees: NDArray[np.bool_]
    support: Floats
    right_size: Floats
    rival: Floats
    half: Floats
    nearest: Floats
    size: Size | None
    stray: int
    hints: int


def choose(view: View, pips: Pips, poses: Poses) -> Chosen:
    """The set of faces that do not overlap and that most speaks for."""
    found = find_candidates(view, pips, poses)
    told = opinions(find_crops(view, found))
    size = common_size(view, found, _faces_only(found, told.likely))
    if size is None:
        none = np.zeros(0)
        hints = int((told.likely > FAINT_HINT).any())
        nobody = found.take(np.zeros(0, np.intp))
        return Chosen(nobody, none, np.zeros((0, 2)), none.astype(bool), none, none, none, none, none, None, 0, hints)
    ones = sized_ones(view, pips, size.half)
    found, told = joined(found, ones), network.joined(told, opinions(find_crops(view, ones)))
    right_size = _right_size(found, size)
    agrees = found.face == told.face
    worth = np.where(found.face == 1, 1.0, found.fit * found.quality)
    likely = _faces_only(found, told.likely)
    score = likely * _clear(found, likely) * right_size * np.where(agrees, 0.8 + 0.2 * worth, 0.5)
    half = found.pitch * size.half / size.pitch
    taken = _apart(found, score, half)
    rival = _rivals(found, told, taken, half)
    hints = _hints(found, score, taken, half)
    nearest = _nearest(found, score, taken, half)
    chosen = _shown(found.take(taken), told.face[taken])
    singles = evidence(view, chosen)
    measured = np.where(chosen.face == 1, singles.fit * (singles.face == 1), chosen.fit)
    lone = chosen.quality * 0.6 ** others(chosen, pips, 1)
    chosen = replace(chosen, fit=measured, quality=np.where(chosen.face == 1, lone, chosen.quality))
    support = find_edges(view, chosen).support(half[taken] / chosen.pitch)
    stray = _strays(pips, chosen, size.half)
    return Chosen(
        poses=chosen,
        likely=likely[taken],
        slant=_in_picture(chosen, told.slant[taken]),
        agrees=agrees[taken],
        support=support,
        right_size=right_size[taken],
        rival=rival,
        half=half[taken],
        nearest=nearest,
        size=size,
        stray=stray,
        hints=hints,
    )


def _shown(poses: Poses, face: NDArray[np.int64]) -> Poses:
    """The poses with the layout of the face that is read."""
    layout = np.array([poses.layout[n] if poses.face[n] == face[n] else face[n] - 1 for n in range(len(poses))])
    return replace(poses, layout=layout.astype(np.intp).reshape(-1))


def _in_picture(poses: Poses, slant: Floats) -> Floats:
    """Slants given in the poses' axes, in the picture's."""
    axes = np.stack([poses.u, poses.v], 1)
    axes = axes / np.maximum(np.linalg.norm(axes, axis=2, keepdims=True), 1e-9)
    return np.asarray(np.einsum("nij,ni->nj", axes, slant), np.float64)


def common_size(view: View, poses: Poses, likely: Floats) -> Size | None:
    """The size most faces agree on. None: no dice."""
    worth = np.where(poses.face == 1, 0.7, poses.fit * poses.quality)
    weight = np.where(likely > LEAST, likely * _clear(poses, likely), 0.0) * (0.4 + 0.6 * worth)
    # So that a few good faces outweigh a carpet of poor ones. What is large is seldom like a face by chance.
    weight = weight**4 * poses.pitch
    pitch = poses.pitch
    if view.die_px is not None:
        known = view.die_px * PITCH
        weight = np.where(np.abs(np.log(pitch / known)) < 0.25, weight, 0.0)
        if len(weight) == 0 or weight.max() <= 0:
            return Size(view.die_px / 2, known)
    if len(weight) == 0 or weight.max() <= 0:
        return None
    votes = np.exp(-0.5 * (np.log(pitch[:, None] / pitch) / 0.15) ** 2) @ weight
    best = float(pitch[votes.argmax()])
    near = np.abs(np.log(pitch / best)) < 0.15
    best = float(np.exp(np.average(np.log(pitch[near]), weights=weight[near])))
    if view.die_px is not None:
        return Size(view.die_px / 2, best)
    # Where the edge is, all faces of that size tell together; what dice usually have breaks a tie.
    those = np.flatnonzero(near & (poses.face > 1) & (weight > 0))
    seen = np.zeros(len(HALVES))
    if len(those):
        seen = np.tensordot(weight[those], find_edges(view, poses.take(those)).rise.mean(1), 1)
    ratio = HALVES[(seen * np.exp(-0.5 * (np.log(HALVES / HALF) / 0.3) ** 2)).argmax()] if seen.any() else HALF
    return Size(best * float(ratio), best)


def _faces_only(poses: Poses, likely: Floats) -> Floats:
    """How likely each place is a face; 0 where faces of other dice lie where two of its pips should be."""
    found = likely.copy()
    clear = likely > OVER
    for n in np.flatnonzero(likely > LEAST):
        much_smaller = clear & (poses.pitch < MUCH_SMALLER * poses.pitch[n])
        if not (much_smaller & (poses.face > 1)).any():
            continue  # a glint in a pip looks like a one; where real dice are that small, some show more
        small = poses.centre[much_smaller]
        pose = poses.take(np.array([n]))
        spots = pose.points(SITES[list(LAYOUTS[int(pose.layout[0])][1])])[0]
        gap = np.hypot(*(spots[:, None] - small).transpose(2, 0, 1)).min(1, initial=np.inf)
        if (gap < pose.r[0]).sum() > 1:
            found[n] = 0.0
    return found


def _apart(poses: Poses, score: Floats, half: Floats) -> NDArray[np.intp]:
    """The best poses that lie beside each other."""
    taken: list[int] = []
    for n in np.argsort(-score, kind="stable"):
        if score[n] < LEAST:
            break
        gap = np.hypot(*(poses.centre[taken] - poses.centre[n]).T) if taken else np.zeros(0)
        if np.all(gap > 0.85 * (half[taken] + half[n])):
            taken.append(int(n))
    return np.array(taken, np.intp)


def _right_size(poses: Poses, size: Size) -> Floats:
    """How well each pose's pitch goes with the common one: dice differ somewhat, and near ones look larger."""
    off = np.maximum(np.abs(np.log(poses.pitch / size.pitch)) - 0.1, 0.0)
    return np.asarray(np.exp(-0.5 * (off / 0.25) ** 2), np.float64)


def _clear(poses: Poses, likely: Floats) -> Floats:
    """How strong each place's pips are beside those of the likeliest: a weave's knots are faint."""
    good = likely > 0.9 * likely.max(initial=0.0)
    usual = np.quantile(poses.contrast[good], 0.75) if good.any() else 1.0
    return np.asarray(np.clip(2.0 * poses.contrast / usual, 0.0, 1.0) ** 0.5, np.float64)


def _rivals(poses: Poses, told: Opinions, taken: NDArray[np.intp], half: Floats) -> Floats:
    """For each chosen pose how likely another face is, at the same place or around it."""
    best = np.zeros(len(taken))
    for n, one in enumerate(taken):
        near = np.hypot(*(poses.centre - poses.centre[one]).T) < 0.6 * half[one]
        near &= np.abs(np.log(half / half[one])) < 0.3
        others_said = told.said[near, 1:].copy()
        others_said[:, told.face[one] - 1] = 0
        best[n] = others_said.max(initial=0.0)
    return best


def _nearest(poses: Poses, score: Floats, taken: NDArray[np.intp], half: Floats) -> Floats:
    """How far from each chosen pose the next place is that is clearly a face of another die, in pixels."""
    clear = score > OVER
    gap = np.hypot(*(poses.centre[taken][:, None] - poses.centre).transpose(2, 0, 1))
    other = clear & (gap > 0.7 * half[taken][:, None]) & (np.abs(np.log(half / half[taken][:, None])) < 0.25)
    return np.asarray(np.where(other, gap, np.inf).min(1, initial=np.inf), np.float64)


def _hints(poses: Poses, score: Floats, taken: NDArray[np.intp], half: Floats) -> int:
    """How many places that were not chosen may be dice nevertheless: on no die, yet somewhat like one."""
    left = np.flatnonzero(score > HINT)
    gap = np.hypot(*(poses.centre[left][:, None] - poses.centre[taken]).transpose(2, 0, 1))
    free = left[np.all(gap > 0.75 * (half[left][:, None] + half[taken]), 1)]
    return len(_apart(poses.take(free), np.maximum(score[free], LEAST), half[free]))


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
