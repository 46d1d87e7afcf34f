"""Classify candidates by their faces with a second small network, and correct where exactly the faces are.

Each candidate is cut out as a small crop, stretched and turned so that a top face is a square in its middle. The
network gives the face and the crop's error; a corrected second crop is classified again. `bench/training` makes the
network; docs/vision.md says what it was trained on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dicereader.data.arrays import FaceNumbers, Floats, Records, Values
from dicereader.stages.shared.crops import colours_at, crops_of, in_picture, tones_of
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.network import MODELS, run_on_crops
from dicereader.stages.shared.rectify import PictureView

WEIGHTS_FILE = MODELS / "closeup.onnx"

CLASSES = 7
"""Classes of the network; 0: no top face here; 1 to 6: that face."""

OUTPUTS = CLASSES + 2 + 6
"""The classes' odds, the slant (2), and the correction: of the middle (2), then of the two side vectors (4)."""

FIRST_CROP, SECOND_CROP, IN_PLACE = 1.0, 0.5, 0.0
"""Shares of the network's correction: of a first crop, so that a second one shows the face better; of the second; and
for a face whose place is known."""

MOST_STEP = 0.4
"""Half edges by which a correction moves or stretches a face at most."""

_LEAST_PROBABILITY = 1e-9


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
    """Return the candidates classified and corrected, by two crops of each."""
    return classify_once(view, classify_once(view, candidates, FIRST_CROP).candidates, SECOND_CROP)


def classify_once(view: PictureView, candidates: Candidates, share: float) -> Classified:
    """Return the candidates as their crops show them, corrected by a share of what the network says."""
    colours = colours_at(view, candidates)
    outputs = _outputs(crops_of(colours))
    slant = in_picture(outputs[:, CLASSES : CLASSES + 2], candidates.u, candidates.v)
    corrected = _corrected(candidates, share * outputs[:, CLASSES + 2 :])
    return Classified(corrected, softmax(outputs[:, :CLASSES]), slant, tones_of(colours)[1])


def classify_all_round(classified: Classified, crops: Values) -> Classified:
    """Return the candidates with classes averaged over the four ways to turn their crops.

    The network's errors differ between the ways, so their mean is more accurate. `crops` are those of the candidates,
    see `find_crops`; the other three ways are turned from them, not sampled.
    """
    if not len(classified):
        return classified
    outputs = _outputs(np.concatenate([np.rot90(crops, quarters, (2, 3)) for quarters in (1, 2, 3)]))
    classes = np.concatenate([classified.classes, softmax(outputs[:, :CLASSES])]).reshape(4, -1, CLASSES)
    return replace(classified, classes=mean_classes(classes))


def mean_classes(classes: Floats, shares: Sequence[float] | None = None) -> Floats:
    """Return classes (n, 7) whose log odds are the mean of several (m, n, 7), weighted by m shares if given."""
    return softmax(np.average(np.log(np.maximum(classes, _LEAST_PROBABILITY)), 0, shares))


def softmax(odds: Floats) -> Floats:
    """Return the probabilities of classes, each row of which adds up to 1, for their odds (n, 7)."""
    grown = np.exp(odds - odds.max(1, keepdims=True))
    return np.asarray(grown / grown.sum(1, keepdims=True), np.float64)


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
    return run_on_crops(WEIGHTS_FILE, crops, OUTPUTS)
