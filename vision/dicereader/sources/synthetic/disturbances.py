"""Disturb a whole picture: light that changes, a tray that is pushed under its camera, and the sensor's noise."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from dicereader.data.frame import Pixels
from dicereader.sources.synthetic.world import JoltKey, LightKey
from dicereader.tray.calibration import Calibration

_SPARE = 64  # pixels by which the stored noise is larger than a picture: each frame takes another part of it
_SHADED = 0.7  # fraction of the picture's height, from the players' side, in the shade of a person leaning over


def relit(picture: Pixels, keys: Sequence[LightKey], t_s: float) -> Pixels:
    """Return the picture in the light of `t_s` seconds after the World's start; the same picture if it is unchanged."""
    level, shade = _between(keys, t_s, "level"), _between(keys, t_s, "shade")
    if shade <= 0.0:
        return picture if level == 1.0 else np.asarray(cv2.convertScaleAbs(picture, alpha=level), np.uint8)
    height = picture.shape[0]
    down = np.clip((np.arange(height, dtype=np.float32) / height - (1 - _SHADED)) / _SHADED, 0, 1)
    left = np.float32(level) * (1 - np.float32(min(1.0, shade)) * down * down * (3 - 2 * down))
    return np.asarray(np.clip(picture * left[:, None, None] + np.float32(0.5), 0, 255), np.uint8)


def pushed(picture: Pixels, keys: Sequence[JoltKey], t_s: float, camera: Calibration) -> Pixels:
    """Return the picture of a tray that was pushed under its camera; the same picture if it was not."""
    x, y, turn = (_between(keys, t_s, name) for name in ("x_mm", "y_mm", "turn_deg"))
    if x == y == turn == 0.0:
        return picture
    middle = camera.project(0.0, 0.0, 0.0)
    there = camera.project(x, y, 0.0)
    moved = cv2.getRotationMatrix2D(middle, turn, 1.0)
    moved[:, 2] += np.subtract(there, middle)
    size = picture.shape[1], picture.shape[0]
    return np.asarray(cv2.warpAffine(picture, moved, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _between(keys: Sequence[LightKey] | Sequence[JoltKey], t_s: float, name: str) -> float:
    """Return one field of the keys at a time, interpolated; outside their times the nearest key's."""
    if not keys:
        return 1.0 if name == "level" else 0.0
    times = [key.t_s for key in keys]
    return float(np.interp(t_s, times, [getattr(key, name) for key in keys]))


class Sensor:
    """Sensor noise from a store: different for each frame, and stronger in brighter pixels, as shot noise is."""

    def __init__(self, size: tuple[int, int], seed: int, read_noise: float = 1.3, shot_noise: float = 2.6) -> None:
        self._size = size
        self._rng = np.random.default_rng([seed, 3])
        self._above, self._below = _stored_noise(size, seed)
        level = np.arange(256)
        strength = np.sqrt(read_noise**2 + shot_noise**2 * level / 255)
        self._strength = np.round(strength * 40).astype(np.uint8)

    def expose(self, picture: Pixels) -> Pixels:
        """Return the picture with this frame's noise."""
        width, height = self._size
        x, y = (int(v) for v in self._rng.integers(0, _SPARE, 2))
        strength = cv2.LUT(picture, self._strength)
        above = cv2.multiply(self._above[y : y + height, x : x + width], strength, scale=1 / 1600)
        below = cv2.multiply(self._below[y : y + height, x : x + width], strength, scale=1 / 1600)
        return np.asarray(cv2.subtract(cv2.add(picture, above), below), np.uint8)


@lru_cache(maxsize=2)
def _stored_noise(size: tuple[int, int], seed: int) -> tuple[Pixels, Pixels]:
    """Return noise above 0 and below 0, both (height, width, 3), for pictures of a size (width, height)."""
    shape = (size[1] + _SPARE, size[0] + _SPARE, 3)
    grain = np.random.default_rng([seed, 4]).normal(size=shape).astype(np.float32) * 40
    return np.clip(grain, 0, 255).astype(np.uint8), np.clip(-grain, 0, 255).astype(np.uint8)
