"""Make examples to learn from: crops of what the reader takes for a face, and what there really is.

The class of a crop is the face that lies there, or `NOTHING` where there is no top face of that place and size. What is
neither clearly a face nor clearly none is left out. A face also has its slant: where its normal points, in the crop's
own axes (`dicereader.stages.network`); a photograph's is not known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scenes import scene

from dicereader.frame import Pixels
from dicereader.pictures import load
from dicereader.stages.candidates import find_candidates, sized_ones
from dicereader.stages.crops import find_crops
from dicereader.stages.pips import find_pips
from dicereader.stages.poses import Poses, find_poses, joined
from dicereader.stages.rectify import rectify
from dicereader.stages.segment import HALF

Floats = NDArray[np.float64]
Examples = tuple[NDArray[np.float16], NDArray[np.int8], NDArray[np.float32]]
"""Crops (n, 2, 32, 32), their classes (n,), and their slants (n, 2), NaN where not known."""

NOTHING, UNCLEAR = 0, -1
MOST_NOTHINGS = 25
"""Crops without a face that are kept of one picture, the most face-like first."""


COPIES = 3
"""How often each face is taken, each time a little out of place."""


@dataclass(frozen=True, eq=False)
class Known:
    """The top faces known in a picture, as arrays of length n: middles (n, 2) and half edges in pixels, what each is,
    its slant (n, 2), and how far off, as a share of the half edge and of its logarithm, a place and a size are still
    right."""

    centre: Floats
    half: Floats
    kind: NDArray[np.int64]
    slant: Floats
    near: float
    like: float


def of_scene(seed: int) -> Examples:
    """Examples of one drawn scene."""
    pixels, dice = scene(seed)
    height, width = pixels.shape[:2]

    def kind(face: int, x: float, y: float, half: float, aslant: float) -> int:
        cut = min(x, y, width - x, height - y) < 1.15 * half
        return face if aslant < 38 and not cut else UNCLEAR

    known = Known(
        np.array([die.centre for die in dice]).reshape(-1, 2),
        np.array([die.half_px for die in dice]),
        np.array([kind(d.face, *d.centre, d.half_px, d.aslant_deg) for d in dice]),
        np.array([die.slant for die in dice]).reshape(-1, 2),
        0.3,
        0.2,
    )
    return _examples(pixels, known, np.random.default_rng(seed))


def of_photograph(path: Path, boxes: Sequence[tuple[float, float, float, float]], faces: Sequence[int]) -> Examples:
    """Examples of a photograph with dice in boxes (left, top, width, height)."""
    box = np.array(boxes, float).reshape(-1, 4)
    middle, half = box[:, :2] + box[:, 2:] / 2, box[:, 2:].mean(1) / 2 * 0.88
    known = Known(middle, half, np.array(faces, int), np.full((len(box), 2), np.nan), 0.4, 0.3)
    return _examples(load(path), known, np.random.default_rng(len(box)), sure_of_face=False)


def _examples(pixels: Pixels, known: Known, rng: np.random.Generator, sure_of_face: bool = True) -> Examples:
    view = rectify(pixels)
    pips = find_pips(view)
    poses = find_candidates(view, pips, find_poses(view, pips))
    if len(known.half):  # and ones as they are looked for when the size is known
        about = float(np.median(known.half)) * np.exp(rng.normal(0, 0.08)) / float(view.to_picture[0, 0])
        poses = joined(poses, sized_ones(view, pips, about))
    kinds, slants = _kinds(poses, view.in_picture(poses.centre), float(view.to_picture[0, 0]), known)
    if not sure_of_face:
        kinds[(kinds > NOTHING) & (kinds != poses.face)] = UNCLEAR
    nothing = np.flatnonzero(kinds == NOTHING)
    nothing = nothing[np.argsort(-(poses.fit * poses.quality)[nothing])]
    hard, easy = nothing[: MOST_NOTHINGS * 2 // 3], nothing[MOST_NOTHINGS * 2 // 3 :]
    some = rng.permutation(easy)[: MOST_NOTHINGS - len(hard)]
    faces = np.repeat(np.flatnonzero(kinds > NOTHING), COPIES)
    taken = np.concatenate([faces, hard, some])
    moved = _moved(poses.take(taken), rng)
    axes = np.stack([moved.u, moved.v], 1)
    axes /= np.linalg.norm(axes, axis=2, keepdims=True)
    own = np.einsum("nij,nj->ni", axes, slants[taken])
    return find_crops(view, moved).astype(np.float16), kinds[taken].astype(np.int8), own.astype(np.float32)


def _moved(poses: Poses, rng: np.random.Generator) -> Poses:
    """The poses a little out of place, size and turn, as the pips' places are."""
    n = len(poses)
    off = rng.normal(0, 0.05, (n, 2)) * poses.pitch[:, None]
    by = np.exp(rng.normal(0, 0.05, (n, 1)))
    turn = rng.normal(0, 0.05, (n, 1))
    return replace(
        poses, centre=poses.centre + off, u=by * (poses.u + turn * poses.v), v=by * (poses.v - turn * poses.u)
    )


def _kinds(poses: Poses, centre: Floats, scale: float, known: Known) -> tuple[NDArray[np.int64], Floats]:
    """What lies at each pose: a face, nothing, or unclear; and its slant in the picture's axes."""
    kinds, slants = np.zeros(len(poses), np.int64), np.full((len(poses), 2), np.nan)
    half = poses.pitch * HALF * scale
    for place, edge, kind, slant in zip(known.centre, known.half, known.kind, known.slant, strict=True):
        away = np.hypot(*(centre - place).T) / edge
        other = np.abs(np.log(half / edge))
        kinds[(away < 2 * known.near) & (other < 2.2 * known.like)] = UNCLEAR
        there = (away < known.near) & (other < known.like)
        kinds[there] = kind
        slants[there] = slant
        if kind == UNCLEAR:
            kinds[away < 1.2] = UNCLEAR
    return kinds, slants
