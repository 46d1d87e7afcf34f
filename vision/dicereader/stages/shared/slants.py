"""Measure how the top faces of dice are slanted, with a third small network that sees each die with its sides.

`bench/training` makes the network; docs/vision.md says what it was trained on.
"""

from dataclasses import dataclass

import numpy as np

from dicereader.data.arrays import Floats, Records
from dicereader.stages.shared.crops import WHOLE_DIE, find_crops, in_picture
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.network import MODELS, run_on_crops
from dicereader.stages.shared.rectify import PictureView

WEIGHTS_FILE = MODELS / "slant.onnx"

OUTPUTS = 3
"""The slant (2) in the crop's axes, and the logarithm of its expected error."""


@dataclass(frozen=True, eq=False)
class Slants(Records):
    """The slants of faces, each an array of length n.

    `slant` (n, 2) is the direction in the picture of the face's normal, as long as the sine of its angle to the line of
    sight. `error` (n,) is the length of the error that the network expects of it.
    """

    slant: Floats
    error: Floats


def measure_slants(view: PictureView, candidates: Candidates) -> Slants:
    """Return the slants of the candidates, which must be faces. They are the mean of each crop and its half turn."""
    crops = find_crops(view, candidates, WHOLE_DIE)
    outputs = run_on_crops(WEIGHTS_FILE, np.concatenate([crops, crops[..., ::-1, ::-1]]), OUTPUTS)
    as_seen, turned = outputs.reshape(2, -1, OUTPUTS)
    slant = in_picture((as_seen[:, :2] - turned[:, :2]) / 2, candidates.u, candidates.v)
    return Slants(slant, np.exp((as_seen[:, 2] + turned[:, 2]) / 2))
