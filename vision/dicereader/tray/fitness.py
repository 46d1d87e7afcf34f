"""Check whether a picture is good enough to calibrate from and to play with: light, focus, glare, tags, and height."""

import math

import cv2
import numpy as np

from dicereader.data.camera_modules import CameraView
from dicereader.data.frame import SATURATED, Pixels
from dicereader.tray.calibration import DEFAULT_FOV_DEG
from dicereader.tray.camera_place import (
    Kind,
    TrayProblem,
    framing_problem,
    needed_height_mm,
    place_problem,
    seen_by_tags,
)
from dicereader.tray.tags import Tags, find_tags

TOO_DARK, TOO_BRIGHT = 28.0, 225.0
"""Grey levels: the least of the picture's brighter tenth, and the most of its median."""

GLARE_SHARE = 0.02
"""Fraction of the picture that may be saturated."""

SOFT_EDGE = 0.07
"""Width of a tag's edge from black to white, as a fraction of the tag, above which it is out of focus.

Of 24 throws on drawn tables 24 are read surely at 0.058, 3 at 0.079 and 1 at 0.09.
"""

SHARP = 1.35
"""Factor that the steepest edges of a focused picture lose to a blur of 3 of 960 pixels: the same without tags."""

STEEP_SHARE = 0.997
"""Fraction of a picture's slopes that are no steeper than its steepest edges."""

FLAT = 2.0
"""Grey levels a pixel: a picture without steeper edges is neither sharp nor blurred."""

SHARP_PX = 960
"""Width in pixels at which the sharpness is measured."""

WITHIN, BEYOND, EDGE_SAMPLES = 0.14, 0.11, 101
"""How far an edge is followed into a tag's black frame and into its white border, in sides of a tag, and the steps."""

ALONG = np.linspace(-0.3, 0.3, 9)
"""Where along a tag's edge it is followed, in sides from its middle."""

LEAST_CONTRAST = 20.0
"""Grey levels between black and white below which an edge is not measured."""


def problems_of(
    pixels: Pixels,
    corners_given: bool = False,
    view: CameraView | None = None,
    check_line_mm: float | None = None,
) -> tuple[TrayProblem, ...]:
    """Return what makes a picture of an empty tray unfit.

    Args:
        pixels: the picture.
        corners_given: whether the tray's corners are given; then tags may be missing.
        view: what the camera shows, None if it is unknown.
        check_line_mm: the measured length of the printed line of 100 mm; with it a camera that is too low is raised by
            centimetres. None if it was not measured.
    """
    tags = find_tags(pixels)
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    signs: dict[Kind, bool] = {
        "too dark": float(np.quantile(grey[::4, ::4], 0.9)) < TOO_DARK,
        "too bright": float(np.median(grey[::4, ::4])) > TOO_BRIGHT,
        "glare": float((grey > SATURATED).mean()) > GLARE_SHARE,
        "out of focus": edge_width(grey, tags) > SOFT_EDGE if tags else sharpness(pixels) < SHARP,
    }
    problems = [TrayProblem(kind) for kind, seen in signs.items() if seen]
    if corners_given:
        return tuple(problems)
    fov_deg = view.known_across_deg if view is not None else None
    size = grey.shape[1], grey.shape[0]
    place = framing_problem(tags, size, check_line_mm, fov_deg or DEFAULT_FOV_DEG)
    if place is None and (seen := seen_by_tags(grey.shape, tags, fov_deg)) is not None:
        place = place_problem(seen, check_line_mm)
    problems += [place] if place else []
    hidden = tuple(number for number in range(4) if number not in tags)
    if hidden:
        upright_deg = view.upright_deg if view is not None and not tags else None  # tags tell more of the height
        least_cm = 0 if upright_deg is None else round(needed_height_mm(upright_deg) / 10)
        problems.append(TrayProblem("tag hidden", hidden=hidden, least_cm=least_cm))
    return tuple(problems)


def sharpness(pixels: Pixels) -> float:
    """Return the factor that the steepest edges of a picture lose to a blur: 1 without edges, 2 and more when sharp.

    After F. Crete and others, "The blur effect" (2007): a blurred picture loses little.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    width = grey.shape[1]
    if width > 1.2 * SHARP_PX:
        size = SHARP_PX, max(1, round(grey.shape[0] * SHARP_PX / width))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.uint8)
    steepest = _steepest(soft)
    if steepest < FLAT:
        return math.inf  # nothing that could be sharp
    return steepest / max(0.1, _steepest(np.asarray(cv2.GaussianBlur(soft, (0, 0), 3.0), np.uint8)))


def _steepest(grey: Pixels) -> float:
    """Return the slope of a picture's steepest edges, in grey levels a pixel."""
    x, y = (cv2.Sobel(grey, cv2.CV_16S, *way)[::2, ::2].astype(np.float32) for way in ((1, 0), (0, 1)))
    slopes = cv2.magnitude(x, y).astype(np.intp).ravel()
    return int(np.searchsorted(np.bincount(slopes).cumsum(), STEEP_SHARE * slopes.size)) / 8


def edge_width(grey: Pixels, tags: Tags) -> float:
    """Return the median width of the tags' edges from black to white, as a fraction of a tag.

    An edge's width is its contrast divided by its steepest slope: 2.5 standard deviations of a Gaussian blur.
    """
    widths = []
    across = np.linspace(-WITHIN, BEYOND, EDGE_SAMPLES)[:, None]
    for corners in tags.values():
        middle = corners.mean(0)
        for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
            out = (a + b) / 2 - middle
            lines = [(a + b) / 2 + 2 * out * across + (b - a) * part for part in ALONG]
            x, y = np.array(lines, np.float32).transpose(2, 0, 1)
            seen = np.median(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), 0)
            contrast = float(seen.max()) - float(seen.min())
            if contrast > LEAST_CONTRAST:
                slope = float(np.abs(np.gradient(seen.astype(float))).max()) * (EDGE_SAMPLES - 1)
                widths.append(contrast / slope * (WITHIN + BEYOND))
    return float(np.median(widths)) if widths else 0.0
