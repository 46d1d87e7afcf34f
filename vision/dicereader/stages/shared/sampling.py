"""Sample a picture at many points between its pixels, in any level of a pyramid."""

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Floats, Ints, Values

GREY = np.array([0.114, 0.587, 0.299], np.float32)
"""Weights of blue, green and red in a grey level (ITU-R BT.601)."""

CIRCLE = np.stack([np.cos(np.arange(12) * (np.pi / 6)), np.sin(np.arange(12) * (np.pi / 6))], 1)
"""Twelve points of the unit circle, (12, 2)."""

_MAP_WIDTH = 4096  # columns of the map that OpenCV is given


def sample(picture: NDArray[np.uint8] | Values, x: Floats, y: Floats) -> Values:
    """Return the picture's values at (x, y), of any shape, by bilinear interpolation; outside, the nearest pixel's.

    A grey picture gives the shape of `x`, a coloured one that shape with 3 more at the end.
    """
    shape = np.broadcast_shapes(x.shape, y.shape)
    n = int(np.prod(shape))
    if n == 0:
        return np.zeros(shape + picture.shape[2:], np.float32)
    rows = -(-n // _MAP_WIDTH)
    mx, my = np.zeros(rows * _MAP_WIDTH, np.float32), np.zeros(rows * _MAP_WIDTH, np.float32)
    mx[:n] = np.broadcast_to(x, shape).ravel()
    my[:n] = np.broadcast_to(y, shape).ravel()
    maps = mx.reshape(rows, _MAP_WIDTH), my.reshape(rows, _MAP_WIDTH)
    out = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shape += picture.shape[2:]
    return out.reshape(rows * _MAP_WIDTH, *picture.shape[2:])[:n].reshape(shape).astype(np.float32)


def sample_level(picture: NDArray[np.uint8], points: Floats, level: int) -> Values:
    """Return the values at points (..., 2) of level 0 in the picture of this pyramid level."""
    return sample(picture, to_level(points[..., 0], level), to_level(points[..., 1], level))


def pip_brightness(colours: Values, sign: Floats | float) -> Values:
    """Return colours (..., 3) as the grey, shape (...), in which pips of a polarity have the most contrast.

    For dark pips (1) that is plain grey, for light ones (-1) the mean of grey and the darkest channel, which tells
    white from any colour. `sign` is one polarity, or one for each grey level.
    """
    grey = np.asarray(colours @ GREY, np.float32)
    light = np.asarray(sign) < 0
    if not light.any():
        return grey
    darkest = np.minimum(np.minimum(colours[..., 0], colours[..., 1]), colours[..., 2])
    return np.where(light, (grey + darkest) / 2, grey)


def largest_channel(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the largest channel of each pixel (height, width): numpy is slow along an axis of three."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def to_level(value: Floats, levels: Ints | int) -> Floats:
    """Return a coordinate `levels` levels further down the pyramid (up if below 0); pixel 0 has its middle at 0."""
    return np.asarray((value + 0.5) / 2.0**levels - 0.5, np.float64)
