"""Cut candidates out of a picture as small crops, stretched and turned so that a top face is a square in the middle."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Values
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.sampling import GREY, to_level


@dataclass(frozen=True)
class CropShape:
    """What a crop shows: `reach` half edges of a face in each direction, `side` pixels across."""

    side: int
    reach: float

    @cached_property
    def across(self) -> Floats:
        """The positions of a crop's pixels (side,), across and along, in half edges."""
        return np.asarray((np.arange(self.side) + 0.5) / self.side * 2 * self.reach - self.reach, np.float64)

    @cached_property
    def on_face(self) -> slice:
        """The rows, or columns, on the face and not on its rim."""
        return slice(*np.searchsorted(self.across, (-ON_FACE, ON_FACE)).tolist())


ON_FACE = 0.8
"""Half edges from a face's middle within which a crop surely shows the face."""

FACE = CropShape(32, 1.45)
"""Crops that show a face and its surroundings."""

WHOLE_DIE = CropShape(56, 2.0)
"""Crops that show a die with its sides, seen at up to 45 degrees."""


def find_crops(view: PictureView, candidates: Candidates, shape: CropShape = FACE) -> Values:
    """Return a crop of each candidate, (n, 3, side, side), its u to the right and its v down; see `crops_of`."""
    return crops_of(colours_at(view, candidates, shape), shape)


def crops_of(colours: Values, shape: CropShape = FACE) -> Values:
    """Return a network's crops: colours minus the face's median, in units of the face's range, clipped at 3."""
    crops = np.ascontiguousarray(colours.transpose(0, 2, 1)).reshape(-1, 3, shape.side, shape.side)
    part = crops[:, :, shape.on_face, shape.on_face]
    face = part.reshape(len(crops), 3, part.shape[2] ** 2)
    (median,) = _quantiles(face, 0.5)
    (varies,) = _quantiles(np.abs(face - median[..., None]).max(1), 0.95)
    crops -= median[..., None, None]
    crops /= np.maximum(varies, 10.0)[:, None, None, None]
    return np.clip(crops, -3, 3, out=crops)


def tones_of(colours: Values) -> tuple[Floats, Floats, Floats]:
    """Return each face's grey level, its pips' contrast, and their polarity: darker (1) or lighter (-1).

    `colours` are those of crops with the shape `FACE`.
    """
    face = colours.reshape(-1, FACE.side, FACE.side, 3)[:, FACE.on_face, FACE.on_face]
    grey = (face @ GREY).reshape(len(face), face.shape[1] ** 2)
    low, base, high = (each.astype(np.float64) for each in _quantiles(grey, 0.04, 0.5, 0.96))
    return base, np.maximum(base - low, high - base), np.where(base - low >= high - base, 1.0, -1.0)


def colours_at(view: PictureView, candidates: Candidates, shape: CropShape = FACE) -> Values:
    """Return the colours (blue, green, red) of each candidate's crop, row by row: (n, side * side, 3)."""
    step = 2 * shape.reach / shape.side
    # Pixels of level 0 per pixel of the crop: the coarsest level that loses nothing is sampled.
    scale = np.maximum(candidates.half * step, 1e-3)
    levels = np.clip(np.floor(np.log2(scale) + 0.5), 0, len(view.levels) - 1).astype(int)
    first = to_level(candidates.centre + shape.across[0] * (candidates.u + candidates.v), levels[:, None])
    sides = (side * step / 2.0 ** levels[:, None] for side in (candidates.u, candidates.v))
    to_picture = np.stack([*sides, first], 2)
    colours = np.empty((len(candidates), shape.side, shape.side, 3), np.uint8)
    for n, level in enumerate(levels.tolist()):
        # Warping each crop by itself is faster than sampling all of them in one call.
        cv2.warpAffine(
            view.levels[level],
            to_picture[n],
            (shape.side, shape.side),
            colours[n],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return colours.reshape(len(candidates), shape.side**2, 3).astype(np.float32)


def in_picture(vectors: Floats, u: Floats, v: Floats) -> Floats:
    """Return vectors (n, 2) of crops in the picture's axes, from the side vectors (n, 2) of the crops."""
    axes = np.stack([u, v], 1)
    axes = axes / np.maximum(np.linalg.norm(axes, axis=2, keepdims=True), 1e-9)
    return np.asarray(np.einsum("nij,ni->nj", axes, vectors), np.float64)


def _quantiles(values: Values, *shares: float) -> list[Values]:
    """Return quantiles of the last axis of values, interpolated linearly. For rows so short numpy's own are slower."""
    ordered = np.sort(values)
    last = values.shape[-1] - 1
    found = []
    for share in shares:
        below = int(share * last)
        low, high = ordered[..., below], ordered[..., min(below + 1, last)]
        found.append(low + (high - low) * np.float32(share * last - below))
    return found
