"""Classify candidates by their faces with a second small network, and correct where exactly the faces are.

Each candidate is cut out as a small crop, stretched and turned so that a top face is a square in its middle. The
network gives the face and the crop's error; a corrected second crop is classified again. `bench/training` makes the
network; docs/vision.md says what it was trained on.
"""

from dataclasses import dataclass, replace

import numpy as np

from dicereader.data.arrays import FaceNumbers, Floats, Records, Values
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.network import MODELS, run
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.sampling import GREY, sample, to_level

WEIGHTS_FILE = MODELS / "closeup.onnx"

SIDE = 32
"""Pixels of a crop's side."""

CROP_REACH = 1.45
"""Half edges that a crop shows in each direction: a face and its surroundings."""

ACROSS = (np.arange(SIDE) + 0.5) / SIDE * 2 * CROP_REACH - CROP_REACH
"""Positions of a crop's pixels, across and along, in half edges."""

CLASSES = 7
"""Classes of the network; 0: no top face here; 1 to 6: that face."""

OUTPUTS = CLASSES + 2 + 6
"""The classes' odds, the slant (2), and the correction: of the middle (2), then of the two side vectors (4)."""

MOST_STEP = 0.4
"""Half edges by which a correction moves or stretches a face at most."""

PASSES = 2
"""Crops of a candidate that are classified, each corrected by the one before."""

BATCH = 16
"""Crops that the network is given at a time: more take more memory, and more time each."""

_LEAST_PROBABILITY = 1e-9
_CROP_GRID = np.stack(np.meshgrid(ACROSS, ACROSS), -1).reshape(-1, 2)
_ON_FACE = slice(*np.searchsorted(ACROSS, (-0.8, 0.8)).tolist())
_FACE_PX = len(ACROSS[_ON_FACE]) ** 2


@dataclass(frozen=True, eq=False)
class Classified(Records):
    """Classified candidates, each an array of length n.

    `candidates` are corrected. `classes` (n, 7) holds the probability of each class; every row adds up to 1. `slant`
    (n, 2) is the direction in the picture of the face's normal, as long as the sine of its angle to the line of
    sight; it means nothing if there is no face. `contrast` (n,) is the grey levels between pips and face.
    """

    candidates: Candidates
    classes: Floats
    slant: Floats
    contrast: Floats

    @property
    def probability(self) -> Floats:
        """The probability of each candidate to be a top face of any value."""
        return np.asarray(1.0 - self.classes[:, 0], np.float64)

    @property
    def face(self) -> FaceNumbers:
        """The likeliest face of each candidate, 1 to 6."""
        return np.asarray(self.classes[:, 1:].argmax(1) + 1, np.int64)


def classify(view: PictureView, candidates: Candidates) -> Classified:
    """Return the candidates classified and corrected."""
    for _ in range(PASSES - 1):
        candidates = _corrected(candidates, _outputs(find_crops(view, candidates))[:, CLASSES + 2 :])
    classified, correction = _classified(view, candidates)
    return replace(classified, candidates=_corrected(candidates, 0.5 * correction))


def classify_in_place(view: PictureView, candidates: Candidates) -> Classified:
    """Return the candidates classified without correcting their places."""
    return _classified(view, candidates)[0]


def classify_all_round(classified: Classified, crops: Values) -> Classified:
    """Return the candidates with classes and slants averaged over the eight ways to turn and mirror their crops.

    The network's errors differ between the ways, so their mean is more accurate. `crops` are those of the candidates,
    see `find_crops`; the other seven ways are turned from them, not sampled.
    """
    n = len(classified)
    if not n:
        return classified
    u, v = classified.candidates.u, classified.candidates.v
    sides = [(u, v), (v, -u), (-u, -v), (-v, u)]
    turned = [np.rot90(crops, quarters, (2, 3)) for quarters in range(4)]
    ways = [*sides[1:], *((-a, b) for a, b in sides)]
    outputs = _outputs(np.concatenate([*turned[1:], *(each[..., ::-1] for each in turned)]))
    classes = np.concatenate([classified.classes, _softmax(outputs[:, :CLASSES])]).reshape(-1, n, CLASSES)
    odds = np.log(np.maximum(classes, _LEAST_PROBABILITY)).mean(0)
    across, along = (np.concatenate(side) for side in zip(*ways, strict=True))
    slants = _slants(across, along, outputs)
    slant = np.concatenate([classified.slant, slants]).reshape(-1, n, 2).mean(0)
    return replace(classified, classes=_softmax(odds), slant=np.asarray(slant, np.float64))


def _softmax(odds: Floats) -> Floats:
    grown = np.exp(odds - odds.max(1, keepdims=True))
    return np.asarray(grown / grown.sum(1, keepdims=True), np.float64)


def _classified(view: PictureView, candidates: Candidates) -> tuple[Classified, Floats]:
    """Return the candidates classified, and the corrections (n, 6) that the network gives."""
    colours = colours_at(view, candidates)
    outputs = _outputs(crops_of(colours))
    slant = _slants(candidates.u, candidates.v, outputs)
    classified = Classified(candidates, _softmax(outputs[:, :CLASSES]), slant, tones_of(colours)[1])
    return classified, outputs[:, CLASSES + 2 :]


def _slants(u: Floats, v: Floats, outputs: Floats) -> Floats:
    """Return the slants (n, 2) in the picture's axes, from outputs for crops with these side vectors (n, 2)."""
    axes = np.stack([u, v], 1)
    axes = axes / np.maximum(np.linalg.norm(axes, axis=2, keepdims=True), 1e-9)
    return np.asarray(np.einsum("nij,ni->nj", axes, outputs[:, CLASSES : CLASSES + 2]), np.float64)


def find_crops(view: PictureView, candidates: Candidates) -> Values:
    """Return a crop of each candidate, (n, 3, SIDE, SIDE), its u to the right and its v down; see `crops_of`."""
    return crops_of(colours_at(view, candidates))


def crops_of(colours: Values) -> Values:
    """Return the network's crops: colours minus the face's median, in units of the face's range, clipped at 3."""
    crops = np.ascontiguousarray(colours.transpose(0, 2, 1)).reshape(-1, 3, SIDE, SIDE)
    face = crops[:, :, _ON_FACE, _ON_FACE].reshape(len(crops), 3, _FACE_PX)
    median = np.median(face, 2, keepdims=True)
    varies = np.quantile(np.abs(face - median).max(1), 0.95, axis=1)
    crops -= median[..., None]
    crops /= np.maximum(varies, 10.0)[:, None, None, None].astype(np.float32)
    return np.clip(crops, -3, 3, out=crops)


def tones_of(colours: Values) -> tuple[Floats, Floats, Floats]:
    """Return the grey level of each face, the contrast of its pips, and their polarity: darker (1) or lighter (-1)."""
    face = colours.reshape(-1, SIDE, SIDE, 3)[:, _ON_FACE, _ON_FACE]
    grey = (face @ GREY).reshape(len(face), _FACE_PX)
    low, base, high = np.quantile(grey, (0.04, 0.5, 0.96), axis=1).astype(np.float64)
    return base, np.maximum(base - low, high - base), np.where(base - low >= high - base, 1.0, -1.0)


def colours_at(view: PictureView, candidates: Candidates) -> Values:
    """Return the colours (blue, green, red) of each candidate's crop, row by row: (n, SIDE * SIDE, 3)."""
    colours = np.zeros((len(candidates), SIDE * SIDE, 3), np.float32)
    # Pixels of level 0 per pixel of the crop: the coarsest level that loses nothing is sampled.
    scale = np.maximum(candidates.half * 2 * CROP_REACH / SIDE, 1e-3)
    levels = np.clip(np.floor(np.log2(scale) + 0.5), 0, len(view.levels) - 1).astype(int)
    sides = (side.T[..., None] for side in (candidates.centre, candidates.u, candidates.v))
    x, y = (at + along * _CROP_GRID[:, 0] + down * _CROP_GRID[:, 1] for at, along, down in zip(*sides, strict=True))
    for level in np.unique(levels):
        some = levels == level
        colours[some] = sample(view.levels[level], to_level(x[some], level), to_level(y[some], level))
    return colours


def _corrected(candidates: Candidates, correction: Floats) -> Candidates:
    by = np.clip(correction, -MOST_STEP, MOST_STEP)
    u, v = candidates.u, candidates.v
    return replace(
        candidates,
        centre=candidates.centre + by[:, :1] * u + by[:, 1:2] * v,
        u=u + by[:, 2:3] * u + by[:, 3:4] * v,
        v=v + by[:, 4:5] * u + by[:, 5:6] * v,
    )


def _outputs(crops: Values) -> Floats:
    """Return the network's outputs (n, OUTPUTS)."""
    outputs = np.empty((len(crops), OUTPUTS))
    for first in range(0, len(crops), BATCH):
        part = slice(first, first + BATCH)
        outputs[part] = run(WEIGHTS_FILE, crops[part]).reshape(-1, OUTPUTS)
    return outputs
