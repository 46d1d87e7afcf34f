"""How high the camera must hang so that its picture shows the whole tray with its tags, and whether it does.

A pinhole camera sees a width of 2 h tan(field / 2) at the distance h. All lengths are millimetres.
"""

import math

import numpy as np

from dicereader.data.arrays import Floats
from dicereader.tray.calibration import DEFAULT_FOV_DEG, focal_px
from dicereader.tray.geometry import Tray
from dicereader.tray.problem import TrayProblem, Way, raised
from dicereader.tray.tags import Tags, tray_of, with_hidden

MARGIN_MM = 5.0
"""Least distance between a tag's plate and the picture's edge: a hand-made mount is not exactly in the middle."""

_CORNERS = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
"""The printed corners of a tag, and the corners of the tray by the numbers of their tags: x to the right, y up."""


def seen_half_mm(tray: Tray) -> float:
    """Return half the width that a picture must show at the tags' height: their plates and a margin."""
    return max(tray.tag_centre_mm(1)) + tray.tag_mm / 2 + tray.tag_border_mm + MARGIN_MM


def needed_height_mm(upright_deg: float, tray: Tray | None = None) -> float:
    """Return the least height of the lens over the tray's floor.

    Args:
        upright_deg: the upright field of view of the picture in degrees; pictures are wider than high.
        tray: the tray's measures.
    """
    tray = tray or Tray()
    return seen_half_mm(tray) / math.tan(math.radians(upright_deg) / 2) + tray.tags_z_mm


def framing_problem(
    tags: Tags, size: tuple[int, int], check_line_mm: float | None = None, fov_deg: float = DEFAULT_FOV_DEG
) -> TrayProblem | None:
    """Return what is wrong with the camera's place, None if the tags and their white borders are in the picture.

    Hidden tags are assumed where a square tray has them. Without any tag the result is None.

    Args:
        tags: the tags in the picture.
        size: the picture's width and height in pixels.
        check_line_mm: the measured length of the printed line of 100 mm, None if it was not measured.
        fov_deg: the field of view in degrees across the picture.
    """
    if not tags:
        return None
    outline, side_px, tray = _outline(tags)
    low, high = outline.min(0), outline.max(0)
    ends = np.array(size, np.float64) - 1
    if (low >= 0).all() and (high <= ends).all():
        return None
    mm_px = tray.tag_mm / side_px
    ratio = float(((high - low + 2 * MARGIN_MM / mm_px) / ends).max())
    if ratio > 1:
        more = math.ceil(100 * (ratio - 1))
        rise_mm = focal_px(size[0], fov_deg) * mm_px * more / 100
        return raised("camera too low", more, rise_mm, check_line_mm)
    over = np.where(low < 0, low, np.maximum(high - ends, 0)) * mm_px  # right and down of the picture
    axes: tuple[tuple[Way, Way], ...] = (("left", "right"), ("up", "down"))
    ways = tuple(
        (each[int(over[axis] > 0)], math.ceil((abs(over[axis]) + MARGIN_MM) / 10))
        for axis, each in enumerate(axes)
        if over[axis]
    )
    return TrayProblem("camera off centre", move_cm=ways)


def _outline(tags: Tags) -> tuple[Floats, float, Tray]:
    """Return the corners of all four tags' plates in pixels (n, 2), the side of a tag in pixels, and the tray."""
    usual = Tray()
    sides = [float(np.hypot(*(corners - np.roll(corners, 1, 0)).T).mean()) for corners in tags.values()]
    seen = with_hidden(tags) if len(tags) > 1 else _from_one(tags, usual)
    tray = tray_of(seen) if len(tags) > 1 else usual
    plate = 1 + 2 * usual.tag_border_mm / usual.tag_mm
    plates = [corners.mean(0) + plate * (corners - corners.mean(0)) for corners in seen.values()]
    return np.concatenate(plates), float(np.mean(sides)), tray


def _from_one(tags: Tags, tray: Tray) -> dict[int, Floats]:
    """Return the four tags of a tray of which one is seen, by that tag's place, turn and scale."""
    ((number, corners),) = tags.items()
    middle = corners.mean(0)
    # The affine picture of the tag's plane: pixels of a millimetre to the right and of one up.
    axes = np.linalg.lstsq(_CORNERS * tray.tag_mm / 2, corners - middle, rcond=None)[0]
    here = np.array(tray.tag_centre_mm(number))
    return {n: corners + (np.array(tray.tag_centre_mm(n)) - here) @ axes for n in range(4)}
