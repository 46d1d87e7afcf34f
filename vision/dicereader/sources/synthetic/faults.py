"""The faults that a simulated camera can have: what they make of a picture before the sensor's noise."""

import cv2
import numpy as np

from dicereader.frame import Pixels

FAULTS = ("black", "white", "frozen", "blurred", "torn", "half", "exposure", "flicker")
"""Nothing but noise; far too bright; the same picture for ever; out of focus; lines that are shifted, another part in
each frame; a card over half of the lens; a gain that jumps; bands of a lamp that is driven in pulses."""

JUMP_S = 0.3  # a restless exposure keeps a gain so long
_GAINS = (1.0, 0.55, 1.5, 0.8, 1.75, 0.6)
_CARD = (38, 40, 44)
_BANDS = 3.5  # of a pulsed lamp, in the picture's height
_BAND_DEPTH = 0.3
_BAND_SPEED = 7.3  # bands that pass in a second


def spoil(picture: Pixels, faults: tuple[str, ...], t_s: float, number: int) -> Pixels:
    """The picture as a camera with these faults takes it at a time, as its frame of this number."""
    if "black" in faults:
        return np.full_like(picture, 3)
    if "white" in faults:
        return np.asarray(cv2.convertScaleAbs(picture, alpha=1.2, beta=215.0), np.uint8)
    if "exposure" in faults:
        gain = _GAINS[int(t_s / JUMP_S) % len(_GAINS)]
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)
    if "flicker" in faults:
        picture = _banded(picture, t_s)
    if "half" in faults:
        picture = picture.copy()
        picture[:, picture.shape[1] // 2 :] = _CARD
    if "torn" in faults:
        picture = _torn(picture, number)
    if "blurred" in faults:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 9.0), np.uint8)
    return picture


def _banded(picture: Pixels, t_s: float) -> Pixels:
    height = picture.shape[0]
    at = np.arange(height, dtype=np.float32) / height * _BANDS + np.float32(t_s * _BAND_SPEED)
    light = 1 - np.float32(_BAND_DEPTH) * (0.5 + 0.5 * np.sin(2 * np.pi * at))
    return np.asarray(picture * light[:, None, None].astype(np.float32), np.uint8)


def _torn(picture: Pixels, number: int) -> Pixels:
    """Lines that were lost: from somewhere on all that follows is shifted, elsewhere in each frame."""
    chance = np.random.default_rng([number, 17])
    height, width = picture.shape[:2]
    cuts = sorted(int(v) for v in chance.integers(height // 8, 7 * height // 8, 2))
    torn = picture.copy()
    for top, bottom in ((cuts[0], cuts[1]), (cuts[1], height)):
        by = int(chance.integers(width // 12, width // 3)) * (1 if chance.random() < 0.5 else -1)
        torn[top:bottom] = np.roll(picture[top:bottom], by, axis=1)
    return torn


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
