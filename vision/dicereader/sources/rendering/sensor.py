"""What a camera's sensor adds to a picture: noise."""

import cv2
import numpy as np

from dicereader.frame import Pixels

_SPARE = 64  # the stored noise is this much larger than a picture: each frame takes another part of it


class Sensor:
    """Noise from a store: fresh for each frame, brighter pixels noisier, as shot noise is."""

    def __init__(self, size: tuple[int, int], seed: int, read_noise: float = 1.3, shot_noise: float = 2.6) -> None:
        self._size = size
        self._rng = np.random.default_rng([seed, 3])
        shape = (size[1] + _SPARE, size[0] + _SPARE, 3)
        grain = np.random.default_rng([seed, 4]).normal(size=shape).astype(np.float32) * 40
        self._above = np.clip(grain, 0, 255).astype(np.uint8)
        self._below = np.clip(-grain, 0, 255).astype(np.uint8)
        level = np.arange(256)
        strength = np.sqrt(read_noise**2 + shot_noise**2 * level / 255)
        self._strength = np.round(strength * 40).astype(np.uint8)

    def expose(self, picture: Pixels) -> Pixels:
        """The picture with this frame's noise."""
        width, height = self._size
        x, y = (int(v) for v in self._rng.integers(0, _SPARE, 2))
        strength = cv2.LUT(picture, self._strength)
        above = cv2.multiply(self._above[y : y + height, x : x + width], strength, scale=1 / 1600)
        below = cv2.multiply(self._below[y : y + height, x : x + width], strength, scale=1 / 1600)
        return np.asarray(cv2.subtract(cv2.add(picture, above), below), np.uint8)
