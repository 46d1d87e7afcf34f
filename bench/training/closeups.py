"""Make examples for the closer look and for the network of whole dice: crops at places of true and supposed faces.

The class of a crop is the face at its place, or 0 if no top face is there. Unclear crops are left out. A face whose
place is known also has its slant, and the correction of the crop.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from windows import Truth

from dicereader.data.frame import Pixels
from dicereader.stages.shared.classify import classify
from dicereader.stages.shared.crops import FACE, WHOLE_DIE, CropShape, find_crops
from dicereader.stages.shared.detector import Candidates, find_candidates
from dicereader.stages.shared.rectify import PictureView, rectify

Floats = NDArray[np.float64]
Examples = tuple[NDArray[np.float16], NDArray[np.int8], NDArray[np.float32]]
"""Crops (n, 3, side, side), their classes (n,), and slant and correction (n, 8), NaN if unknown."""

Cut = Callable[[Pixels, Truth, Floats, np.random.Generator], Examples]
"""Returns the examples of a picture: `examples_of` or `whole_examples_of`."""

UNCLEAR = -1
MOST_NOTHINGS = 24
"""The most crops without a face from one picture."""

OUT_OF_PLACE = (0.08, 0.18)
"""Each drawn face also gives crops with errors of place, size, turn and shape, in shares of half an edge: small errors,
and errors as large as the detector's largest."""

WHOLE_OUT_OF_PLACE = (0.03, 0.06, 0.1)
"""The same for the network of whole dice, which is given corrected candidates only."""

MOST_LIKE_DICE, OTHER_PLACES = 12, 5
"""The most crops without a face from one picture for the network of whole dice: of the places that the classifier finds
likeliest, and of any others."""

NEAR, FAR = 0.5, 0.75
"""Up to the first distance a place belongs to a face, and from the second one on it does not, in half edges."""

LIKE, UNLIKE = 0.35, 0.5
"""The same for the size, as logarithms."""


def examples_of(pixels: Pixels, truth: Truth, slant: Floats, rng: np.random.Generator) -> Examples:
    """Return the closer look's examples of a picture. `slant` (n, 2) is that of each true face, in its axes."""
    view, truth, true = _seen(pixels, truth)
    parts = [_varied(find_candidates(view), rng, 0.04)]
    if len(true):
        parts += [_varied(true, rng, by) for by in OUT_OF_PLACE]
        parts.append(_beside(true, rng))
    parts.append(_anywhere(view, truth, rng, 6))
    places = parts[0].join(*parts[1:])
    kinds, known = _kinds(places, truth, slant)
    nothing = rng.permutation(np.flatnonzero(kinds == 0))[:MOST_NOTHINGS]
    return _cut(view, places, kinds, known, np.concatenate([np.flatnonzero(kinds > 0), nothing]), FACE)


def whole_examples_of(pixels: Pixels, truth: Truth, slant: Floats, rng: np.random.Generator) -> Examples:
    """Return the examples of a picture for the network of whole dice, see `examples_of`.

    It must tell dice from what the classifier takes for dice, so the shipped classifier chooses what is no face.
    """
    view, truth, true = _seen(pixels, truth)
    seen = classify(view, find_candidates(view))
    parts = [_varied(seen.candidates, rng, 0.02)]
    if len(true):
        parts += [_varied(true, rng, by) for by in WHOLE_OUT_OF_PLACE]
        parts.append(_beside(true, rng))
    parts.append(_anywhere(view, truth, rng, 4))
    places = parts[0].join(*parts[1:])
    kinds, known = _kinds(places, truth, slant)
    nothing, others = (np.flatnonzero(part) for part in (kinds[: len(seen)] == 0, kinds == 0))
    like = nothing[np.argsort(-seen.probability[nothing], kind="stable")][:MOST_LIKE_DICE]
    others = rng.permutation(np.setdiff1d(others, like))[:OTHER_PLACES]
    return _cut(view, places, kinds, known, np.concatenate([np.flatnonzero(kinds > 0), like, others]), WHOLE_DIE)


def _seen(pixels: Pixels, truth: Truth) -> tuple[PictureView, Truth, Candidates]:
    """Return the reader's view of a picture, the truth in its pixels, and the faces whose place is known."""
    view = rectify(pixels)
    scale = float(view.to_picture[0, 0])
    truth = replace(truth, centre=(truth.centre + 0.5) / scale - 0.5, u=truth.u / scale, v=truth.v / scale)
    asked = np.flatnonzero(truth.asked & truth.posed)
    return view, truth, Candidates(truth.centre[asked], truth.u[asked], truth.v[asked], np.ones(len(asked)))


def _cut(
    view: PictureView,
    places: Candidates,
    kinds: NDArray[np.int64],
    known: Floats,
    taken: NDArray[np.intp],
    shape: CropShape,
) -> Examples:
    crops = find_crops(view, places.take(taken), shape).astype(np.float16)
    return crops, kinds[taken].astype(np.int8), known[taken].astype(np.float32)


def _varied(places: Candidates, rng: np.random.Generator, by: float) -> Candidates:
    """Return the places with errors of place, size, turn and shape of about `by` half edges."""
    n = len(places)
    u, v = places.u, places.v
    off = rng.normal(0, by, (n, 2))
    bend = rng.normal(0, 0.6 * by, (n, 4))
    size = np.exp(rng.normal(0, by, (n, 1)))
    turn = rng.normal(0, 1.3 * by, (n, 1))
    return replace(
        places,
        centre=places.centre + off[:, :1] * u + off[:, 1:] * v,
        u=size * (u + turn * v + bend[:, :1] * u + bend[:, 1:2] * v),
        v=size * (v - turn * u + bend[:, 2:3] * v + bend[:, 3:] * u),
    )


def _beside(places: Candidates, rng: np.random.Generator) -> Candidates:
    """Return candidates half on a face, or much too large or small for it."""
    n = len(places)
    angle, away = rng.uniform(0, 6.3, (n, 1)), rng.uniform(0.8, 1.6, (n, 1)) * (rng.random((n, 1)) < 0.6)
    size = np.where(away > 0, np.exp(rng.normal(0, 0.2, (n, 1))), rng.choice([0.4, 0.55, 1.8, 2.4], (n, 1)))
    step = away * (np.cos(angle) * places.u + np.sin(angle) * places.v)
    return replace(places, centre=places.centre + step, u=places.u * size, v=places.v * size)


def _anywhere(view: PictureView, truth: Truth, rng: np.random.Generator, n: int) -> Candidates:
    """Return candidates anywhere, of about the dice's size."""
    width, height = view.size
    half = float(np.median(truth.half)) if len(truth.half) else 0.05 * width
    half = half * np.exp(rng.normal(0, 0.3, (n, 1)))
    angle = rng.uniform(0, 6.3, (n, 1))
    u = half * np.concatenate([np.cos(angle), np.sin(angle)], 1)
    v = half * np.concatenate([-np.sin(angle), np.cos(angle)], 1)
    return Candidates(rng.uniform(0, (width, height), (n, 2)), u, v, np.zeros(n))


def _kinds(places: Candidates, truth: Truth, slant: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return the class of each place (a face, nothing or unclear), and its slant and correction in the place's axes."""
    kinds, known = np.zeros(len(places), np.int64), np.full((len(places), 8), np.nan)
    half = places.half
    axes = np.stack([places.u, places.v], 2)
    back = np.linalg.inv(axes)
    for n, centre in enumerate(truth.centre):
        away = np.hypot(*(places.centre - centre).T) / truth.half[n]
        off = np.abs(np.log(half / truth.half[n]))
        kinds[(away < FAR) & (off < UNLIKE)] = UNCLEAR
        if not truth.asked[n]:
            kinds[away < 1.3] = UNCLEAR
            continue
        there = (away < NEAR) & (off < LIKE)
        kinds[there] = truth.face[n]
        if not truth.posed[n]:
            continue
        middle = np.einsum("nij,nj->ni", back, centre - places.centre)
        best = np.full(len(places), np.inf)
        sides = np.zeros((len(places), 4))
        u, v = truth.u[n], truth.v[n]
        for a, b in ((u, v), (v, -u), (-u, -v), (-v, u), (u, -v), (v, u), (-u, v), (-v, -u)):
            to_u, to_v = back @ a - (1, 0), back @ b - (0, 1)
            cost = (to_u**2).sum(1) + (to_v**2).sum(1)
            better = cost < best
            best = np.where(better, cost, best)
            sides[better] = np.concatenate([to_u, to_v], 1)[better]
        unit = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        own = np.einsum("nji,j->ni", unit, slant[n])
        known[there] = np.concatenate([own, middle, sides], 1)[there]
    return kinds, known
