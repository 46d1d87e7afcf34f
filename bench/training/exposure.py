"""Make a drawn picture look like a photograph, with the light of a room."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

SHADED = 0.45
"""The share of the pictures with the shadow of an object outside: a hand, a lamp's arm, a window's bars."""


def photographed(
    rng: np.random.Generator, canvas: NDArray[np.uint8], edge: float, dice: Sequence[tuple[float, float]]
) -> NDArray[np.uint8]:
    """Return the picture with uneven light, exposure, blur, noise and JPEG. Most shadows end on one of the dice."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    across, down = (np.float32(n) for n in rng.normal(0, 0.25, 2))
    light = (1 + across * (x / width - 0.5) + down * (y / height - 0.5))[..., None]
    if rng.random() < SHADED:
        near = dice[int(rng.integers(len(dice)))] if dice else rng.uniform((0, 0), (width, height))
        light = light * _shadow(rng, width, height, edge, near)
        light /= light.mean() ** rng.uniform(0, 1)  # cameras compensate for it
    gain = np.exp(rng.normal(-0.15, 0.35)) * np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    kind = rng.random()
    if kind < 0.1:  # little light
        gain *= rng.uniform(0.3, 1.0)
    elif kind < 0.2:  # too much light
        gain *= rng.uniform(1.2, 2.2)
    elif kind < 0.3:  # a coloured lamp
        gain *= rng.uniform(0.2, 1.0, 3)
    if rng.random() < 0.06:  # a mains lamp, and a camera that reads row by row
        period = np.exp(rng.uniform(np.log(1.5), np.log(20))) * edge
        light = light * (1 + rng.uniform(0.05, 0.4) * np.sin(2 * np.pi * y / period))[..., None]
    seen = canvas * (light * gain).astype(np.float32)
    blur = abs(rng.normal(0, 0.012)) * edge + rng.uniform(0.3, 0.9)
    seen = cv2.GaussianBlur(np.minimum(seen, 255), (0, 0), blur)
    seen = seen + rng.standard_normal(seen.shape, np.float32) * np.float32(rng.uniform(0.5, 6))
    if rng.random() < 0.3:  # reduced and enlarged again
        fewer = 1 / rng.uniform(1.1, max(1.2, min(2.5, edge / 11)))
        small = cv2.resize(seen, None, fx=fewer, fy=fewer, interpolation=cv2.INTER_AREA)
        seen = cv2.resize(small, (width, height), interpolation=int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC])))
    if rng.random() < 0.3:  # sharpened, as by phones
        soft = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.8, 2.0))
        seen = seen + rng.uniform(0.3, 1.5) * (seen - soft)
    _, data = cv2.imencode(
        ".jpg", seen.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 97))]
    )
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _shadow(rng: np.random.Generator, width: int, height: int, edge: float, near: ArrayLike) -> NDArray[np.float32]:
    """Return the share of light left by a shadow, (height, width, 3): bars or a round shape, or everything else.

    Its edges are sharp or soft, and its rim passes `near` a point.
    """
    mask = np.zeros((height, width), np.float32)
    turn = rng.uniform(0, 180)
    size = edge * np.exp(rng.uniform(np.log(0.3), np.log(12)))
    beside = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    at = np.asarray(near) + rng.normal(0, 0.3 * edge, 2) + beside * size / 2 * rng.choice([-1, 1])
    if rng.random() < 0.6:
        gap = size * rng.uniform(1.3, 3)
        long = edge * np.exp(rng.uniform(np.log(3), np.log(60)))
        for n in range(1 if rng.random() < 0.5 else int(rng.integers(2, 6))):
            corners = cv2.boxPoints((tuple((at + n * gap * beside).tolist()), (float(size), float(long)), turn))
            cv2.fillPoly(mask, [np.rint(corners * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
    else:
        for _ in range(int(rng.integers(1, 6))):
            middle = at + rng.normal(0, 0.3 * size, 2)
            axes = size * np.exp(rng.normal(0, 0.4, 2))
            cv2.ellipse(
                mask, (tuple(middle.tolist()), tuple(axes.tolist()), float(rng.uniform(0, 180))), 1.0, cv2.FILLED
            )
    if rng.random() < 0.3:
        mask = 1 - mask
    soft = edge * np.exp(rng.uniform(np.log(0.005), np.log(0.5)))
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, float(soft)))
    left = rng.uniform(0.2, 0.85) * np.exp(rng.normal(0, 0.05, 3))
    return np.asarray(1 - mask[..., None] * (1 - np.minimum(left, 1)), np.float32)
