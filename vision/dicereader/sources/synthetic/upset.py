"""What upsets a whole picture at once: light that changes, and a tray that is pushed under its camera."""

from collections.abc import Sequence

import cv2
import numpy as np

from dicereader.frame import Pixels
from dicereader.tray.calibration import Calibration
from dicereader.world import JoltKey, LightKey

_SHADED = 0.7  # of the picture's height, from the players' side, lies in the shade of one who leans over


def relit(picture: Pixels, keys: Sequence[LightKey], t_s: float) -> Pixels:
    """The picture in the light of `t_s` seconds after the World's start; not a copy where the light is the World's."""
    level, shade = _between(keys, t_s, "level"), _between(keys, t_s, "shade")
    if shade <= 0.0:
        return picture if level == 1.0 else np.asarray(cv2.convertScaleAbs(picture, alpha=level), np.uint8)
    height = picture.shape[0]
    down = np.clip((np.arange(height, dtype=np.float32) / height - (1 - _SHADED)) / _SHADED, 0, 1)
    left = np.float32(level) * (1 - np.float32(min(1.0, shade)) * down * down * (3 - 2 * down))
    return np.asarray(np.clip(picture * left[:, None, None] + np.float32(0.5), 0, 255), np.uint8)


def pushed(picture: Pixels, keys: Sequence[JoltKey], t_s: float, camera: Calibration) -> Pixels:
    """The picture of a tray that lies elsewhere under its camera; not a copy where it lies as it did."""
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
    """One part of the keys at a time; before the first it is as the first says, after the last as the last says."""
    if not keys:
        return 1.0 if name == "level" else 0.0
    times = [key.t_s for key in keys]
    return float(np.interp(t_s, times, [getattr(key, name) for key in keys]))
