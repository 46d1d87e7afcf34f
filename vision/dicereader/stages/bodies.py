"""Tell dice from the tray: what looks otherwise than the empty tray and is no shadow."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.tray.dice_set import DiceSet

Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
Window = tuple[int, int, int, int]
"""Left, top, width, height."""

LEAST_CHANGE = 9.0
"""Grey levels by which a colour channel must differ from the empty tray to be more than noise."""

SHARE_OF_LIGHT = 0.05
"""The same as a share of the empty tray's brightness: where it is bright a small change of light is many levels."""

DEEPEST_SHADOW = 0.3
"""A shadow leaves at least this share of the light."""

DARKEST_SIDE = 0.18
"""A die much lighter than the tray has this share of its own colour at least, also on its darkest side."""

ON_WALLS = 0.5
"""The same before walls, which dice near by light up."""

UNLIKE_SHADOW = 0.1
"""How far from the tray's own hue, as a share of its brightness, a darker place may be and still be a shadow."""

_PIP = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))

SATURATED = 250
SPARSE = 6
"""Light is judged from every so many-th pixel in both directions."""


def light(now: Pixels, empty: Pixels) -> NDArray[np.float32]:
    """How much brighter each channel is now than in the empty tray's picture, from places that look much the same."""
    a, b = (picture[::SPARSE, ::SPARSE].reshape(-1, 3).astype(np.float32).T.copy() for picture in (now, empty))
    most = np.maximum(np.maximum(b[0], b[1]), b[2])
    told = (most < SATURATED) & (most > 6)
    if told.sum() < 30:
        return np.ones(3, np.float32)
    a, b = a[:, told], b[:, told]
    now_sum, then_sum = a[0] + a[1] + a[2], b[0] + b[1] + b[2]
    usual = np.median(now_sum / then_sum)
    alike = np.abs(now_sum - usual * then_sum) < 12.0 + 0.1 * then_sum
    return np.asarray(np.clip(a[:, alike].sum(1) / np.maximum(b[:, alike].sum(1), 1.0), 0.5, 2.0), np.float32)


@dataclass(frozen=True, eq=False)
class Bodies:
    """What lies on the tray: `mask` (height, width) is 255 there, at the scale of the picture it was made from.

    `light` is how much brighter each colour channel is than when the empty tray was taken.
    """

    mask: Mask
    light: NDArray[np.float32]


def find_bodies(now: Pixels, empty: Pixels, dice: DiceSet, floor: Window | None = None) -> Bodies:
    """What is new on the tray, from two pictures of one size, holes filled, shadows left out.

    `floor` is the window (x, y, width, height) of the pictures beyond which walls are seen.
    """
    gain = light(now, empty)
    mask = np.zeros(now.shape[:2], np.uint8)
    table = (np.arange(256)[:, None] * gain).clip(0, 255).astype(np.uint8)[None]
    then = np.asarray(cv2.LUT(cv2.blur(empty, (3, 3)), table), np.uint8)
    soft = np.asarray(cv2.blur(now, (3, 3)), np.uint8)
    most = _largest(np.asarray(cv2.absdiff(soft, then), np.uint8))
    changed = cv2.threshold(most, LEAST_CHANGE, 255, cv2.THRESH_BINARY)[1]
    left, top, width, height = cv2.boundingRect(changed)
    if width == 0:
        return Bodies(mask, gain)
    part = np.s_[top : top + height, left : left + width]
    # Channel by channel: numpy is slow along an axis of three.
    a, b = cv2.split(soft[part].astype(np.float32)), cv2.split(then[part].astype(np.float32))
    norm = np.maximum(b[0] * b[0] + b[1] * b[1] + b[2] * b[2], 30.0)
    shade = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / norm
    bright = _largest(then[part]).astype(np.float32)
    hue = np.maximum(np.maximum(np.abs(a[0] - shade * b[0]), np.abs(a[1] - shade * b[1])), np.abs(a[2] - shade * b[2]))
    lighter = _lighter(dice, then, gain)
    deepest = 0.0 if lighter else DEEPEST_SHADOW
    shadow = (shade < 1.03) & (shade > deepest) & (hue < 3.0 + UNLIKE_SHADOW * bright)
    body = (most[part] > LEAST_CHANGE + SHARE_OF_LIGHT * bright) & ~shadow
    own = np.array(dice.body, np.float32) * gain
    own /= float(own @ own)
    alike = a[0] * own[0] + a[1] * own[1] + a[2] * own[2]
    least = np.full(mask.shape, DARKEST_SIDE if lighter else -np.inf, np.float32)
    if floor is not None:
        x, y, wide, high = floor
        walls = np.ones(mask.shape, bool)
        walls[y : y + high, x : x + wide] = False
        least[walls] = ON_WALLS
    body &= alike > least[part]
    mask[part] = body * np.uint8(255)
    return Bodies(_whole(mask, floor), gain)


def _largest(picture: Pixels) -> Mask:
    """The largest of each pixel's channels."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _lighter(dice: DiceSet, then: Pixels, gain: NDArray[np.float32]) -> bool:
    """Whether the dice are so much lighter than the tray that what is darker than the tray is never a die."""
    tray = np.median(then[::SPARSE, ::SPARSE].reshape(-1, 3), 0)
    return bool((np.array(dice.body) * gain).max() > 2.0 * tray.max())


def _whole(mask: Mask, floor: Window | None) -> Mask:
    """Without specks and without holes; before walls pips at the outline, which look like them, are closed."""
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if floor is not None:
        x, y, wide, high = floor
        inner = mask[y : y + high, x : x + wide].copy()
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _PIP), np.uint8)
        mask[y : y + high, x : x + wide] = inner
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    return np.asarray(cv2.drawContours(mask, outlines, -1, 255, cv2.FILLED), np.uint8)
