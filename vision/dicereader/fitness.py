"""Say whether a picture is good enough to calibrate from and to play with: light, focus, glare, tags."""

from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.frame import Pixels
from dicereader.stages.rectify import BURNT
from dicereader.tray.tags import CORNER_NAMES, Tags, find_tags

TOO_DARK, TOO_BRIGHT = 28.0, 225.0
"""Grey levels of which the picture's brighter tenth must not be below, and its middle not above."""

GLARE_SHARE = 0.02
"""The share of the picture that may be burnt out."""

SOFT_EDGE = 0.16
"""A tag's edge from black to white wider than this share of the tag is out of focus."""


@dataclass(frozen=True)
class Fitness:
    """What a picture is fit for: the numbers of the tags seen, and what is wrong, in words (empty: nothing)."""

    tags: tuple[int, ...]
    problems: tuple[str, ...]

    @property
    def fit(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def fitness(pixels: Pixels, corners_given: bool = False) -> Fitness:
    """Judge a picture of an empty tray; tags are not missed where somebody gives the tray's corners."""
    tags = find_tags(pixels)
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    problems = []
    if float(np.quantile(grey[::4, ::4], 0.9)) < TOO_DARK:
        problems.append("too dark: give the tray more light, or the camera a longer exposure")
    if float(np.median(grey[::4, ::4])) > TOO_BRIGHT:
        problems.append("too bright: give the tray less light, or the camera a shorter exposure")
    if float((grey > BURNT).mean()) > GLARE_SHARE:
        problems.append("glare: a lamp is mirrored; move it to the side or put paper before it")
    if (_edge(grey, tags) if tags else _softness(grey)) > SOFT_EDGE:
        problems.append("out of focus: edges are soft; set the lens to the tray's distance")
    missing = [n for n in range(4) if n not in tags]
    if missing and not corners_given:
        names = ", ".join(f"{n} ({CORNER_NAMES[n]})" for n in missing)
        problems.append(f"tag hidden: {names}; all four must be seen whole, with their white border")
    return Fitness(tuple(sorted(tags)), tuple(problems))


def _softness(grey: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]") -> float:
    """How soft the sharpest edges are, from 0 to 1: the share of their height that a blur of one pixel leaves."""
    fine = np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 0.8), cv2.CV_32F))
    wide = np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 2.5), cv2.CV_32F))
    sharpest, blurred = float(np.quantile(fine, 0.995)), float(np.quantile(wide, 0.995))
    return blurred / max(sharpest, 1e-3)


def _edge(grey: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]", tags: Tags) -> float:
    """How wide the tags' edges are from black to white, as a share of a tag; the median of all."""
    widths = []
    for corners in tags.values():
        side = float(np.mean(np.hypot(*(corners - np.roll(corners, -1, 0)).T)))
        middle = corners.mean(0)
        for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
            out = (a + b) / 2 - middle
            steps = np.linspace(0.8, 1.2, 33)[:, None]
            x, y = (middle + out * steps).T.astype(np.float32)
            seen = cv2.remap(grey, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0].astype(float)
            low, high = float(seen.min()), float(seen.max())
            if high - low > 20:
                between = ((seen > low + 0.2 * (high - low)) & (seen < low + 0.8 * (high - low))).sum()
                widths.append(between * 0.4 / 33 * float(np.hypot(*out)) / side)
    return float(np.median(widths)) if widths else 0.0
