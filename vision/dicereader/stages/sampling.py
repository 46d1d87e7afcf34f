"""Look up many places of a picture at once, between pixels."""

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Values = NDArray[np.float32]

GREY = np.array([0.114, 0.587, 0.299], np.float32)
"""How bright blue, green and red are in grey (ITU-R BT.601)."""

_WIDEST = 4096


def sample(picture: NDArray[np.uint8] | NDArray[np.float32], x: Floats, y: Floats) -> Values:
    """The picture's values at (x, y), any shape, by bilinear interpolation; beyond its edge the nearest pixel's.

    A grey picture gives the shape of `x`, a coloured one that shape with 3 more at the end.
    """
    shape = np.broadcast_shapes(x.shape, y.shape)
    n = int(np.prod(shape))
    if n == 0:
        return np.zeros(shape + picture.shape[2:], np.float32)
    rows = -(-n // _WIDEST)
    mx, my = np.zeros(rows * _WIDEST, np.float32), np.zeros(rows * _WIDEST, np.float32)
    mx[:n] = np.broadcast_to(x, shape).ravel()
    my[:n] = np.broadcast_to(y, shape).ravel()
    maps = mx.reshape(rows, _WIDEST), my.reshape(rows, _WIDEST)
    out = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out.reshape(rows * _WIDEST, *picture.shape[2:])[:n].reshape(shape + picture.shape[2:]).astype(np.float32)


def sample_spots(picture: NDArray[np.uint8], spots: Floats, level: int) -> Values:
    """The values of a pyramid's picture at this level where spots (..., 2), given in level 0, lie."""
    return sample(picture, at_level(spots[..., 0], level), at_level(spots[..., 1], level))


def brightness(colours: Values, sign: float) -> Values:
    """Colours (..., 3) in the grey in which pips of a polarity stand out, shape (...).

    Dark pips (1) do in plain grey, light ones (-1) in a mean of that and the darkest channel, which tells white from
    any colour.
    """
    grey = colours @ GREY
    return grey if sign > 0 else (grey + colours.min(-1)) / 2


def at_level(value: Floats, levels: int) -> Floats:
    """A coordinate that many levels further down the pyramid (up where below 0); pixel 0's middle is 0."""
    return np.asarray((value + 0.5) / 2.0**levels - 0.5, np.float64)
