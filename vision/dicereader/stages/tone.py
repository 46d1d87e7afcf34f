"""Find the pips of known dice: round spots of their colour and size on a body, from the dice's two colours alone."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.stages.sampling import sample
from dicereader.tray.dice_set import DiceSet

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]

BODY_TONE, PIP_TONE = 190.0, 60.0
"""Where the dice's own colour and their pips' lie in a tone picture."""

DISC, RING = 0.5, 1.5
"""Widths of the two blurs whose difference answers to a pip, in units of its radius."""

FAINTEST = 0.3
"""A spot with less than this share of a pip's answer is none."""


def tone(picture: Pixels, dice: DiceSet, light: NDArray[np.float32]) -> Grey:
    """How far each place is from the pips' colour to the dice's: `PIP_TONE` to `BODY_TONE`, whatever the polarity."""
    body, pip = np.array(dice.body) * light, np.array(dice.pip) * light
    axis = (body - pip) * (BODY_TONE - PIP_TONE) / ((body - pip) ** 2).sum()
    weights = np.append(axis, PIP_TONE - float(axis @ pip))[None]
    return np.asarray(cv2.transform(picture, weights), np.uint8)


@dataclass(frozen=True, eq=False)
class Answer:
    """How much each place of a window looks like a pip's middle: about 1 at a pip.

    `values` float32 (height, width) begins at pixel `corner` (x, y) of the view.
    """

    values: NDArray[np.float32]
    corner: tuple[int, int]

    def at(self, points: Floats) -> Floats:
        """The answer at points (..., 2) of the view; beyond the window as at its edge."""
        x, y = points[..., 0] - self.corner[0], points[..., 1] - self.corner[1]
        return np.asarray(sample(self.values, x, y), np.float64)


def answers(toned: Grey, body: Grey, radius: float, corner: tuple[int, int]) -> Answer:
    """The answer of a window's tones to pips of that radius in pixels; only what the mask `body` holds has a say."""
    # The outermost pixels are half tray.
    within = np.asarray(cv2.erode(body, np.ones((3, 3), np.uint8)), np.float32) * np.float32(1 / 255)
    dark = np.asarray(cv2.multiply(within, toned.astype(np.float32)), np.float32)
    fine, wide = (_mean(dark, within, width * radius) for width in (DISC, RING))
    values = cv2.multiply(cv2.subtract(wide, fine), within, scale=1.0 / (_ideal() * (BODY_TONE - PIP_TONE)))
    return Answer(np.asarray(values, np.float32), corner)


def _mean(values: NDArray[np.float32], there: NDArray[np.float32], width: float) -> NDArray[np.float32]:
    """The mean of values around each place, of those that are there alone; `values` is 0 where nothing is."""
    size = 2 * round(2.2 * width) + 1
    some = cv2.GaussianBlur(there, (size, size), width)
    whole = cv2.GaussianBlur(values, (size, size), width)
    return np.asarray(cv2.divide(whole, cv2.max(some, np.full_like(some, 1e-3))), np.float32)


def _ideal() -> float:
    """The answer at the middle of a perfect pip of unit contrast: what each blur leaves of a disc there."""
    return float(np.exp(-0.5 / RING**2) - np.exp(-0.5 / DISC**2))


def spots(answer: Answer, radius: float) -> tuple[Floats, Floats]:
    """Places that answer most within a pip's radius: points (n, 2) of the view between pixels, and answers (n,)."""
    values = answer.values
    size = 2 * max(1, round(0.7 * radius)) + 1
    peak = cv2.compare(values, cv2.dilate(values, np.ones((size, size), np.uint8)), cv2.CMP_GE)
    strong = cv2.threshold(values, FAINTEST, 255, cv2.THRESH_BINARY)[1]
    y, x = np.nonzero(np.asarray(peak, bool) & (np.asarray(strong) > 0))
    inner = (x > 0) & (y > 0) & (x < values.shape[1] - 1) & (y < values.shape[0] - 1)
    x, y = x[inner], y[inner]
    left, right, up, down = values[y, x - 1], values[y, x + 1], values[y - 1, x], values[y + 1, x]
    here = values[y, x]
    dx = (right - left) / np.maximum(2 * (2 * here - left - right), 1e-6)
    dy = (down - up) / np.maximum(2 * (2 * here - up - down), 1e-6)
    shift = np.clip(np.stack([dx, dy], 1), -0.5, 0.5)
    points = np.stack([x, y], 1) + np.array(answer.corner) + shift
    return np.asarray(points, np.float64), here.astype(np.float64)
