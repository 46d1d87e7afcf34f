"""Tell whether a picture that was brought to moderate size must be looked at in more detail: its dice are small."""

import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.stages.choose import Chosen
from dicereader.stages.rectify import View, rectify
from dicereader.stages.search import MUCH_SMALLER, search
from dicereader.stages.worth import OVER

WORTH_IT = 1.25
"""A picture that was reduced by less has little more to show."""

SMALL_PX = 30.0
"""Dice that are narrower than this are read better in more detail."""

MORE = 4
"""More detail is so many times as many pixels."""

AROUND = 1.3
"""How much of the picture around a face is looked at for smaller ones on it, in half edges."""


def too_coarse(pixels: Pixels, view: View, chosen: Chosen) -> bool:
    """Whether the picture has more to show than its view, in which dice are small or none, or have dice for pips."""
    if view.die_px is not None or view.reduced < WORTH_IT:
        return False
    if chosen.usual is None or 2 * chosen.usual < SMALL_PX:
        return True
    return any(_holds_dice(pixels, view, *at) for at in zip(chosen.poses.centre, chosen.half, strict=True))


def _holds_dice(pixels: Pixels, view: View, centre: NDArray[np.float64], half: float) -> bool:
    """Whether smaller faces are seen on a face: a tray from afar is like a die, and what lies in it like pips."""
    low, high = (view.in_picture(centre + side * AROUND * half) for side in (-1, 1))
    (left, top), (right, bottom) = np.maximum(np.rint([low, high]).astype(int), 0)
    face = rectify(pixels[top:bottom, left:right])
    weighed, _ = search(face, lambda places: places, lambda _: None)
    return bool(((weighed.worth > OVER) & (weighed.half < MUCH_SMALLER * half * view.reduced / face.reduced)).any())
