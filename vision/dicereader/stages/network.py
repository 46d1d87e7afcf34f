"""Ask a small network what lies in a crop: a second opinion beside the geometry.

The network has some thirty thousand weights and is run by OpenCV. `bench/training` makes it; docs/vision.md says what
it was trained on and how it does on pictures that it was not.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages.crops import Crops

Floats = NDArray[np.float64]

WEIGHTS_FILE = Path(__file__).with_name("faces.onnx")

CLASSES = 7
"""0: no top face of this place and size; 1 to 6: that face."""


@dataclass(frozen=True, eq=False)
class Opinions:
    """What the network says of n crops.

    `said` (n, 7) is how likely each class is; every row adds up to 1. `slant` (n, 2) is where the face's normal points,
    in the crop's axes (right, down), as long as the sine of the angle to the line of sight; it means nothing where
    there is no face.
    """

    said: Floats
    slant: Floats

    @property
    def likely(self) -> Floats:
        """How likely each crop shows a face of whatever value: the likeliest face's share."""
        best: Floats = self.said[:, 1:].max(1, initial=0.0)
        return best

    @property
    def face(self) -> NDArray[np.int64]:
        """The likeliest face of each crop, 1 to 6."""
        return np.asarray(self.said[:, 1:].argmax(1) + 1, np.int64)

    def take(self, index: NDArray[np.intp]) -> "Opinions":
        """Those of an index, in its order."""
        return Opinions(self.said[index], self.slant[index])


def opinions(crops: Crops) -> Opinions:
    """The network's opinions of crops (n, 2, 32, 32)."""
    if len(crops) == 0:
        return Opinions(np.zeros((0, CLASSES)), np.zeros((0, 2)))
    net = _network()
    net.setInput(crops)
    told = np.asarray(net.forward(), np.float64).reshape(len(crops), CLASSES + 2)
    said = told[:, :CLASSES]
    grown = np.exp(said - said.max(1, keepdims=True))
    return Opinions(grown / grown.sum(1, keepdims=True), told[:, CLASSES:])


def joined(first: Opinions, second: Opinions) -> Opinions:
    """Two sets of opinions as one."""
    return Opinions(np.concatenate([first.said, second.said]), np.concatenate([first.slant, second.slant]))


@lru_cache(maxsize=1)
def _network() -> "cv2.dnn.Net":
    return cv2.dnn.readNetFromONNX(str(WEIGHTS_FILE))
