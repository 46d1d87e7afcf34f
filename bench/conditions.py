"""Other light, cameras and sizes: changes of a picture, as another lamp or camera would have shown it."""

from collections.abc import Callable

import cv2
import numpy as np

from dicereader.data.frame import Pixels

LARGE_PX = 3024, 4032
"""Height and width of a phone's photograph in landscape format."""

BARS = 2.5
"""The number of bars, of shadow and of light in turn, that fit across a picture's shorter side."""


def lit(pixels: Pixels, by: float, noise: float = 0.0) -> Pixels:
    """Return the picture with more or less light, and noise of `noise` grey levels."""
    grain = np.random.default_rng(1).normal(0, noise, pixels.shape) if noise else 0.0
    return np.asarray(np.clip(pixels * by + grain, 0, 255), np.uint8)


def scaled(pixels: Pixels, by: float) -> Pixels:
    """Return the picture in another resolution."""
    how = cv2.INTER_AREA if by < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, None, fx=by, fy=by, interpolation=how), np.uint8)


def in_bars(pixels: Pixels, turn: float, left: float, soft: float) -> Pixels:
    """Return the picture with bars of shadow, turned by `turn` radians. The share `left` of the light remains in a bar.

    The rims are `soft` thousandths of the picture's longer side wide.
    """
    height, width = pixels.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    wide = min(height, width) / BARS
    across = (x * np.cos(turn) + y * np.sin(turn)) % (2 * wide)
    inside = wide / 2 - np.abs(across - wide)
    shade = 1 / (1 + np.exp(-inside / (soft * max(height, width) / 1000)))
    return np.asarray(pixels * (1 - (1 - left) * shade[..., None]), np.uint8)


def turned(pixels: Pixels, degrees: float) -> Pixels:
    """Return the picture of a camera turned about its axis. New areas get the picture's usual colour."""
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    cos, sin = np.abs(matrix[0, :2])
    size = int(width * cos + height * sin), int(height * cos + width * sin)
    matrix[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    usual = np.median(pixels.reshape(-1, 3), 0).tolist()
    return np.asarray(cv2.warpAffine(pixels, matrix, size, borderValue=usual), np.uint8)


def aslant(pixels: Pixels, inset: float, top: float, border: int) -> Pixels:
    """Return a view from below: the far side is narrower by `inset` of the width at each end, and lower by `top`."""
    height, width = pixels.shape[:2]
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (width, height)
    seen = np.array([[inset, top], [1 - inset, top], [1, 1], [0, 1]]) * (width, height)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    usual = np.median(pixels.reshape(-1, 3), 0).tolist()
    warped = cv2.warpPerspective(pixels, matrix, (width, height), borderMode=border, borderValue=usual)
    return np.asarray(warped, np.uint8)


def banded(pixels: Pixels) -> Pixels:
    """Return the picture with dark bands, as a mains lamp and a camera that reads row by row make them."""
    height = len(pixels)
    light = 1 - 0.25 * (1 + np.sin(np.arange(height) * 2 * np.pi * 7 / height))
    return np.asarray(pixels * light[:, None, None], np.uint8)


def afar(pixels: Pixels) -> Pixels:
    """Return a photograph of twelve million pixels with the picture in the middle. The rest has its usual colour."""
    high, wide = LARGE_PX if pixels.shape[0] < pixels.shape[1] else LARGE_PX[::-1]
    more_rows, more_columns = max(0, high - pixels.shape[0]), max(0, wide - pixels.shape[1])
    top, left = more_rows // 2, more_columns // 2
    usual = np.median(pixels.reshape(-1, 3), 0).tolist()
    border = top, more_rows - top, left, more_columns - left
    return np.asarray(cv2.copyMakeBorder(pixels, *border, cv2.BORDER_CONSTANT, value=usual), np.uint8)


def pressed(pixels: Pixels) -> Pixels:
    """Return the picture after compression to a small JPEG."""
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 25])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


CONDITIONS: dict[str, Callable[[Pixels], Pixels]] = {
    "as taken": lambda pixels: pixels,
    "without colour": lambda p: np.asarray(cv2.cvtColor(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)),
    "a quarter of the light": lambda p: lit(p, 0.25, 2.0),
    "a third more light": lambda p: lit(p, 1.35),
    "over-exposed": lambda p: lit(p, 1.9),
    "bands of a lamp on the mains": banded,
    "deep red light": lambda p: np.asarray(p * (0.12, 0.2, 1.0), np.uint8),
    "a warm lamp": lambda p: np.asarray(p * (0.55, 0.9, 1.0), np.uint8),
    "noise": lambda p: lit(p, 1.0, 12.0),
    "out of focus": lambda p: np.asarray(cv2.GaussianBlur(p, (0, 0), max(0.8, p.shape[1] / 800)), np.uint8),
    "a small JPEG": pressed,
    "twice the pixels": lambda p: scaled(p, 2.0),
    "two thirds the pixels": lambda p: scaled(p, 0.67),
    "600 pixels across": lambda p: scaled(p, 600 / p.shape[1]),
    "1,600 pixels across": lambda p: scaled(p, 1600 / p.shape[1]),
    "3,600 pixels across": lambda p: scaled(p, 3600 / p.shape[1]),
    "far off, of 12 megapixels": afar,
    "turned by 33 degrees": lambda p: turned(p, 33),
    "seen aslant": lambda p: aslant(p, 0.12, 0.05, cv2.BORDER_REPLICATE),
    "seen far aslant, 2 to 1": lambda p: aslant(p, 0.25, 0.2, cv2.BORDER_CONSTANT),
    "light shadows, sharp": lambda p: in_bars(p, 2.7, 0.6, 0.7),
    "shadows": lambda p: in_bars(p, 0.5, 0.45, 1.0),
    "deep shadows, soft": lambda p: in_bars(p, 1.9, 0.3, 3.0),
}
