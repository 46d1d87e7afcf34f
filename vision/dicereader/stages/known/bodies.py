"""Separate dice from the tray: a mask of what differs from the empty tray and is no shadow."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Values
from dicereader.data.frame import Pixels
from dicereader.stages.shared.sampling import largest_channel, sample
from dicereader.tray.calibration import Calibration, DiceSet

Mask = NDArray[np.uint8]
Window = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""

LEAST_CHANGE = 9.0
"""Grey levels by which a colour channel must differ from the empty tray to be more than noise."""

RELATIVE_CHANGE = 0.05
"""The same as a fraction of the empty tray's brightness: on a bright tray a small change of light is many levels."""

DEEPEST_SHADOW, USUAL_SHADOW = 0.3, 0.45
"""Fractions of the light that a shadow leaves at least, and often."""

DARKEST_SIDE = 0.18
"""Fraction of its own colour that a die on felt has on its darkest side at least: a hard shadow may be darker."""

ON_WALLS = 0.5
"""The same in front of walls, which nearby dice light up."""

SHADOW_HUE = 0.1
"""Distance from the tray's own hue, as a fraction of its brightness, up to which a darker place may be a shadow."""

_PIP = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))

DISTINCT_HUE, NEARER_HUE = 0.1, 0.5
"""The sine of the angle between the colours of a tinted sheet and dice from which their hues can be told apart, and by
how much nearer to the sheet's hue a shadow is (ratio of squares): the sheet tints the sides of dice a little."""

SATURATED_TRAY = 250
"""Grey level of the empty tray from which a place says nothing about the light."""

GROUND_SAMPLES = 12
"""Places in each direction at which the colour of a sheet is measured."""

LIKE_A_DIE = 12.0, 0.2
"""Grey levels, and fraction of a die's brightness, by which each channel may differ from the die's colour where white
paper or a tag may hide that it is one."""

SIDE_PIPS = 2.5
"""Half the width of a gap in what may be a body that is closed, in radii of a pip."""

SPARSE = 6
"""Step in pixels, in both directions, of the grid on which light is measured."""


@dataclass(frozen=True, eq=False)
class Bodies:
    """The objects on the tray: `mask` (height, width) is 255 there, at the scale of the picture it was made from.

    `light` is the factor by which each colour channel is brighter than in the picture of the empty tray. `possible` is
    255 also where a change may be a die or a shadow: on a sheet without a hue, and before its white margin.
    """

    mask: Mask
    light: Values
    possible: Mask

    def with_print(self, now: Pixels, dice: DiceSet, printed: Mask, reach: int) -> "Bodies":
        """Return the bodies with what is possible before printed things: a die may have the colour of paper or ink.

        Args:
            now: the picture.
            dice: the table's dice.
            printed: where the ground is not the plain sheet, but its margin, a tag or a line.
            reach: the farthest distance from a body in pixels, in both directions.
        """
        own = np.array(dice.body) * self.light
        levels, part = LIKE_A_DIE
        off = levels + part * float(own.max())
        alike = cv2.inRange(now, *(np.clip(own + way * off, 0, 255).astype(np.float64) for way in (-1, 1)))
        near = cv2.dilate(self.mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
        found = cv2.bitwise_and(cv2.bitwise_or(self.possible, cv2.bitwise_and(alike, printed)), near)
        return replace(self, possible=_cleaned(np.asarray(found, np.uint8)))


def find_bodies(
    now: Pixels,
    empty: Pixels,
    dice: DiceSet,
    floor: Window | None = None,
    *,
    ground: Values | None = None,
    pip_px: float = 0.0,
) -> Bodies:
    """Return the objects that are new on the tray, with holes filled and without shadows.

    Args:
        now: the picture.
        empty: the picture of the empty tray, of the same size.
        dice: the table's dice.
        floor: the window of the pictures outside which walls are seen.
        ground: the colour of a bright, tinted tray without walls, (3,) BGR; None for felt. On it dice may be as bright
            as a shadow, and only their hue differs.
        pip_px: the radius of a pip in pixels. On a sheet a pip may look like paper or a shadow, and break an outline.
    """
    light = light_change(now, empty)
    mask = np.zeros(now.shape[:2], np.uint8)
    table = (np.arange(256)[:, None] * light).clip(0, 255).astype(np.uint8)[None]
    then = np.asarray(cv2.LUT(cv2.blur(empty, (3, 3)), table), np.uint8)
    soft = np.asarray(cv2.blur(now, (3, 3)), np.uint8)
    most = largest_channel(np.asarray(cv2.absdiff(soft, then), np.uint8))
    changed = cv2.threshold(most, LEAST_CHANGE, 255, cv2.THRESH_BINARY)[1]
    left, top, width, height = cv2.boundingRect(changed)
    if width == 0:
        return Bodies(mask, light, mask)
    part = np.s_[top : top + height, left : left + width]
    # Channel by channel: numpy is slow along an axis of three.
    a, b = cv2.split(soft[part].astype(np.float32)), cv2.split(then[part].astype(np.float32))
    norm = np.maximum(b[0] * b[0] + b[1] * b[1] + b[2] * b[2], 30.0)
    shade = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / norm
    bright = largest_channel(then[part]).astype(np.float32)
    hue = np.maximum(np.maximum(np.abs(a[0] - shade * b[0]), np.abs(a[1] - shade * b[1])), np.abs(a[2] - shade * b[2]))
    # Whether the dice are so much lighter than the tray that nothing darker than the tray is a die.
    tray = np.median(then[::SPARSE, ::SPARSE].reshape(-1, 3), 0)
    own = np.array(dice.body, np.float32) * light
    lighter = ground is None and bool(own.max() > 2.0 * tray.max())
    deepest = 0.0 if lighter else DEEPEST_SHADOW
    own_hue = hue < 3.0 + SHADOW_HUE * bright
    differs = most[part] > LEAST_CHANGE + RELATIVE_CHANGE * bright
    half = 0.0
    unclear = np.zeros(differs.shape, np.bool_)
    if ground is not None:
        paper, looks = ground * light, [np.array(colour, np.float32) * light for colour in (dice.body, dice.pip)]
        tinted = np.minimum(*(_off_hue(b, look) for look in looks)) > DISTINCT_HUE**2 * norm
        nearer = _off_hue(a, paper) < NEARER_HUE * np.minimum(*(_off_hue(a, look) for look in looks))
        own_shade = float(looks[0] @ paper) / float(paper @ paper)
        grey = float(_off_hue(looks[0], np.ones(3, np.float32))) < DISTINCT_HUE**2 * float(looks[0] @ looks[0])
        dark = grey and own_shade < USUAL_SHADOW
        # Black has hardly a hue, but it is darker than a shadow.
        deepest = (own_shade * USUAL_SHADOW) ** 0.5 if dark else 0.0 if own_shade > 1 else DEEPEST_SHADOW
        own_hue = np.where(tinted, nearer, own_hue)
        if dark:
            half = (own_shade + 1) / 2
        else:
            unclear = differs & ~tinted
    body = differs & ~(own_hue & (shade < 1.03) & (shade > deepest))
    if half:  # a pixel at a dark die's edge looks like a shadow; it is body if more than half of it is
        around = cv2.dilate(body.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        body |= around & (shade < half)
        unclear = body  # with the thin rims beside white pips
    own /= float(own @ own)
    own_share = a[0] * own[0] + a[1] * own[1] + a[2] * own[2]
    x, y, wide, high = floor or (0, 0, *now.shape[1::-1])
    least = np.full(mask.shape, ON_WALLS, np.float32)
    least[y : y + high, x : x + wide] = DARKEST_SIDE
    body &= own_share > least[part]
    mask[part] = body * np.uint8(255)
    if ground is None:
        mask = _cleaned(mask, floor)
        return Bodies(mask, light, mask)
    mask = _cleaned(mask, close_px=pip_px)
    possible = mask.copy()
    possible[part] |= unclear * np.uint8(255)
    # The dark side of a white die may be as grey as the paper, and a pip at the edge of a black one as bright.
    return Bodies(mask, light, _cleaned(possible, close_px=SIDE_PIPS * pip_px))


def _off_hue(channels: Sequence[Any] | Values, colour: Values) -> Values:
    """Return the squared distance of colours, by channel, from those of one hue."""
    way = colour / np.float32(np.sqrt(float(colour @ colour)))
    along = channels[0] * way[0] + channels[1] * way[1] + channels[2] * way[2]
    return np.asarray(channels[0] ** 2 + channels[1] ** 2 + channels[2] ** 2 - along**2, np.float32)


def ground_colour(empty: Pixels, calibration: Calibration) -> Values | None:
    """Return the colour (3,) BGR between the tags of an empty sheet of paper; None for a tray with walls."""
    tray = calibration.tray
    if not tray.paper:
        return None
    across = np.linspace(-0.9, 0.9, GROUND_SAMPLES) * (tray.half_mm - tray.plate_mm)
    upright = np.linspace(-0.9, 0.9, GROUND_SAMPLES) * (tray.half_depth_mm - tray.plate_mm)
    grid = np.stack(np.meshgrid(across, upright), -1).reshape(1, -1, 2)
    places = cv2.perspectiveTransform(grid, calibration.at_height(0.0))[0]
    return np.asarray(np.median(sample(empty, places[:, 0], places[:, 1]), 0), np.float32)


def light_change(now: Pixels, empty: Pixels) -> Values:
    """Return the factor by which each channel is brighter than in the empty tray's picture, from unchanged places."""
    a, b = (picture[::SPARSE, ::SPARSE].reshape(-1, 3).astype(np.float32).T.copy() for picture in (now, empty))
    most = np.maximum(np.maximum(b[0], b[1]), b[2])
    usable = (most < SATURATED_TRAY) & (most > 6)
    if usable.sum() < 30:
        return np.ones(3, np.float32)
    a, b = a[:, usable], b[:, usable]
    now_sum, then_sum = a[0] + a[1] + a[2], b[0] + b[1] + b[2]
    usual = np.median(now_sum / then_sum)
    same = np.abs(now_sum - usual * then_sum) < 12.0 + 0.1 * then_sum
    return np.asarray(np.clip(a[:, same].sum(1) / np.maximum(b[:, same].sum(1), 1.0), 0.5, 2.0), np.float32)


def _cleaned(mask: Mask, floor: Window | None = None, close_px: float = 0.0) -> Mask:
    """Return a mask without specks and holes.

    Gaps narrower than two times `close_px` are closed, and beside the floor, in front of walls, those of pips.
    """
    if close_px:
        around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * math.ceil(close_px) + 1,) * 2)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, around), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if floor is not None:
        x, y, wide, high = floor
        inner = mask[y : y + high, x : x + wide].copy()
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _PIP), np.uint8)
        mask[y : y + high, x : x + wide] = inner
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    return np.asarray(cv2.drawContours(mask, outlines, -1, 255, cv2.FILLED), np.uint8)
