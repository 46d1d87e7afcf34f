"""Find the pips of known dice with a matched filter: round spots of their colour and size on a body."""

from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Values
from dicereader.data.frame import Pixels
from dicereader.stages.known.bodies import Mask
from dicereader.stages.shared.sampling import sample
from dicereader.tray.calibration import DiceSet

BODY_TONE, PIP_TONE = 190.0, 60.0
"""Grey levels of the dice's own colour and of their pips' in a tone picture."""

DISC, OUTER_BLUR = 0.5, 1.5
"""Widths of the two blurs of the filter (difference of Gaussians), in units of a pip's radius."""

FAINTEST = 0.3
"""Response below which a spot is no pip."""


@dataclass(frozen=True, eq=False)
class PipResponse:
    """The response of a window to the filter: about 1 at a pip's middle.

    `values` float32 (height, width) begins at pixel `corner` (x, y) of the view.
    """

    values: Values
    corner: tuple[int, int]

    def at(self, points: Floats) -> Floats:
        """Return the response at points (..., 2) of the view; outside the window as at its edge."""
        x, y = points[..., 0] - self.corner[0], points[..., 1] - self.corner[1]
        return np.asarray(sample(self.values, x, y), np.float64)

    def peaks(self, radius: float) -> tuple[Floats, Floats]:
        """Return the maxima within a pip's radius: points (n, 2) of the view between pixels, and responses (n,)."""
        values = self.values
        size = 2 * max(1, round(0.7 * radius)) + 1
        peak = cv2.compare(values, cv2.dilate(values, np.ones((size, size), np.uint8)), cv2.CMP_GE)
        strong = cv2.threshold(values, FAINTEST, 255, cv2.THRESH_BINARY)[1]
        y, x = np.nonzero(np.asarray(peak, bool) & (np.asarray(strong) > 0))
        inner = (x > 0) & (y > 0) & (x < values.shape[1] - 1) & (y < values.shape[0] - 1)
        x, y = x[inner], y[inner]
        here = values[y, x]
        # The vertex of the parabola through three neighbours, in each direction.
        sides = [(values[y, x - 1], values[y, x + 1]), (values[y - 1, x], values[y + 1, x])]
        off = [(after - before) / np.maximum(2 * (2 * here - before - after), 1e-6) for before, after in sides]
        points = np.stack([x, y], 1) + np.array(self.corner) + np.clip(np.stack(off, 1), -0.5, 0.5)
        return np.asarray(points, np.float64), here.astype(np.float64)


def tone(picture: Pixels, dice: DiceSet, light: Values) -> Mask:
    """Return each pixel's place between the colours of the pips (`PIP_TONE`) and the dice (`BODY_TONE`)."""
    body, pip = np.array(dice.body) * light, np.array(dice.pip) * light
    axis = (body - pip) * (BODY_TONE - PIP_TONE) / ((body - pip) ** 2).sum()
    weights = np.append(axis, PIP_TONE - float(axis @ pip))[None]
    return np.asarray(cv2.transform(picture, weights), np.uint8)


def respond(tones: Mask, body: Mask, radius: float, corner: tuple[int, int]) -> PipResponse:
    """Return the response of a window's tones to pips of a radius in pixels, from pixels inside the mask `body`."""
    # The outermost pixels are half tray.
    within = np.asarray(cv2.erode(body, np.ones((3, 3), np.uint8)), np.float32) * np.float32(1 / 255)
    dark = np.asarray(cv2.multiply(within, tones.astype(np.float32)), np.float32)
    fine, wide = (_mean(dark, within, width * radius) for width in (DISC, OUTER_BLUR))
    # What each blur leaves of a perfect pip of unit contrast at its middle.
    ideal = float(np.exp(-0.5 / OUTER_BLUR**2) - np.exp(-0.5 / DISC**2))
    values = cv2.multiply(cv2.subtract(wide, fine), within, scale=1.0 / (ideal * (BODY_TONE - PIP_TONE)))
    return PipResponse(np.asarray(values, np.float32), corner)


def _mean(values: Values, mask: Values, width: float) -> Values:
    """Return the Gaussian mean of values within a mask, which is 0 or 1; `values` is 0 outside it."""
    size = 2 * round(2.2 * width) + 1
    some = cv2.GaussianBlur(mask, (size, size), width)
    whole = cv2.GaussianBlur(values, (size, size), width)
    return np.asarray(cv2.divide(whole, cv2.max(some, np.full_like(some, 1e-3))), np.float32)
