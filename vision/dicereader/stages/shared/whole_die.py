"""See whole dice with a third small network: which face is up, if any, and how it is slanted.

Its crops reach farther than those of `stages.shared.classify`, show the dice's sides, and are finer. `bench/training`
makes the network; docs/vision.md says what it was trained on.
"""

from dataclasses import dataclass, replace

import numpy as np

from dicereader.data.arrays import Bools, Floats, Records
from dicereader.stages.shared.classify import CLASSES, Classified, mean_classes, softmax
from dicereader.stages.shared.crops import WHOLE_DIE, find_crops, in_picture
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.network import MODELS, run_on_crops
from dicereader.stages.shared.rectify import PictureView

WEIGHTS_FILE = MODELS / "whole_die.onnx"

SLANT = 3
"""Outputs that tell the slant: its direction (2) in the crop's axes, and the logarithm of its expected error."""

OUTPUTS = SLANT + CLASSES
"""The slant, and the odds of the classes, which are those of `stages.shared.classify`."""

SHARE = 0.75
"""Weight of this network in the mean of both: its faces are wrong about half as often as the classifier's."""

SHOWN = 0.85
"""The picture must show this part of a candidate's crop. The network does not recognise dice that fill a picture."""


@dataclass(frozen=True, eq=False)
class WholeDice(Records):
    """Candidates seen as whole dice, each an array of length n.

    `slant` (n, 2) is the direction in the picture of the face's normal, as long as the sine of its angle to the line of
    sight; it means nothing if there is no face. `error` (n,) is the length of the error that the network expects of it.
    `classes` (n, 7) holds the probability of each class; every row adds up to 1.
    """

    slant: Floats
    error: Floats
    classes: Floats

    @property
    def probability(self) -> Floats:
        """The probability of each candidate to be a top face of any value."""
        return np.asarray(1.0 - self.classes[:, 0], np.float64)


def see_whole(view: PictureView, candidates: Candidates) -> WholeDice:
    """Return how the candidates look as whole dice: the mean of each crop and its half turn."""
    crops = find_crops(view, candidates, WHOLE_DIE)
    outputs = run_on_crops(WEIGHTS_FILE, np.concatenate([crops, crops[..., ::-1, ::-1]]), OUTPUTS)
    as_seen, turned = outputs.reshape(2, -1, OUTPUTS)
    slant = in_picture((as_seen[:, :2] - turned[:, :2]) / 2, candidates.u, candidates.v)
    mean = (as_seen + turned) / 2
    return WholeDice(slant, np.exp(mean[:, 2]), softmax(mean[:, SLANT:]))


def told_by_both(view: PictureView, classified: Classified, whole: WholeDice) -> Classified:
    """Return the candidates with the mean log odds of both networks' classes.

    Candidates of whose crop the picture shows less than `SHOWN` keep the classifier's classes.
    """
    both = mean_classes(np.stack([classified.classes, whole.classes]), (1 - SHARE, SHARE))
    return replace(
        classified, classes=np.where(_is_shown(view, classified.candidates)[:, None], both, classified.classes)
    )


def _is_shown(view: PictureView, candidates: Candidates) -> Bools:
    """Return whether the picture shows at least the part `SHOWN` of each candidate's crop, (n,)."""
    reach = WHOLE_DIE.reach * candidates.half[:, None]
    low, high = (np.clip(candidates.centre + side * reach, 0, view.size) for side in (-1, 1))
    return np.asarray(((high - low) / (2 * reach)).prod(1) >= SHOWN, np.bool_)


def no_whole_dice() -> WholeDice:
    """Return an empty list of dice."""
    return WholeDice(np.zeros((0, 2)), np.zeros(0), np.zeros((0, CLASSES)))
