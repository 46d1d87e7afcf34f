"""Trace where something moved by itself, and where a hand has been, since the tray was last at rest.

Pure: works on small grey copies of frames, of shape (height, width).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Values
from dicereader.data.frame import Pixels

OTHER_SHAPE = 0.22
"""Change of a pixel's shape from which it shows another object. Shape is the pixel relative to the mean around it, so
that a soft shadow does not change it."""

NEAR_DICE = 1.5
"""Distance from a hand, in edges of a die, within which motion may be the hand's."""

UNCHANGED = 0.85
"""Fraction of a box whose shape must be as before a hand came for it to count as untouched."""

FLOOR = 12.0
"""Grey levels added to all pixels, so that noise in the dark has no shape."""


@dataclass(eq=False)
class _Touched:
    """What is known of each pixel since a hand first came.

    `moved` is the motion there before the hand came, `shape` the shape at that time; `taken` is 255 where a hand has
    left something other than what was there at rest.
    """

    moved: Pixels
    shape: Values
    taken: Pixels


@dataclass(frozen=True, eq=False)
class _Covered:
    """The newest frame with a hand in it: the shapes before and now, and the pixels that the hand covers or covered."""

    before: Values
    now: Values
    by_hand: Bools


class Trace:
    """The history of each pixel since the tray was at rest as in `rest`, a grey copy.

    A change with no hand near is motion. If a hand comes, the motion before it counts only if the pixel looks the same
    when the hand has gone. While a hand is in, or its shadow may pass, only a change of shape counts.
    """

    def __init__(self, rest: Pixels | None = None) -> None:
        self._rest = rest
        self._moved: Pixels | None = None
        self._near: Pixels | None = None  # the hand of the newest frame and its surroundings
        self._touched: _Touched | None = None
        self._covered: _Covered | None = None
        self._newest: Pixels | None = None
        self._around = 15

    def follow(self, before: Pixels, now: Pixels, hand: Pixels | None, die_px: float) -> None:
        """Add a frame, and the mask of the hand in it; all are grey copies."""
        self._newest = now
        self._around = 2 * round(die_px / 2) + 1
        self._covered = None
        near_before, self._near = self._near, None
        if hand is None and near_before is None:
            if self._touched is not None and self._rest is not None:
                self._release(self._touched, self._shape(now) - self._shape(self._rest), np.zeros(now.shape, bool))
            return
        if hand is not None:
            size = 2 * round(NEAR_DICE * die_px) + 1
            self._near = np.asarray(cv2.dilate(hand, np.ones((size, size), np.uint8)), np.uint8)
        self._cover(self._shape(before), self._shape(now), near_before)

    def _cover(self, before: Values, now: Values, near_before: Pixels | None) -> None:
        """Clear the motion where the hand is or just was, but keep what was there before it came."""
        blank = np.zeros(before.shape, np.uint8)
        touched = self._touched or _Touched(blank, before.copy(), blank)
        moved = blank if self._moved is None else self._moved
        old = (blank if near_before is None else near_before) > 0
        new = (blank if self._near is None else self._near) > 0
        comes, leaves, covered = new & ~old, old & ~new, new | old
        again = np.abs(before - touched.shape) < OTHER_SHAPE
        touched.moved = np.where(comes, moved | np.where(again, touched.moved, np.uint8(0)), touched.moved)
        touched.shape = np.where(comes, before, touched.shape)
        self._moved = np.where(covered, np.uint8(0), moved)
        # Where the hand has just left, the tray behind it appears: that is not motion.
        self._covered = _Covered(before, now, covered)
        self._touched = touched
        if self._rest is not None:
            changed = now - self._shape(self._rest)
            other = np.where(np.abs(changed) > OTHER_SHAPE, np.uint8(255), np.uint8(0))
            touched.taken = np.where(leaves, other, touched.taken)
            self._release(touched, changed, new)

    def _release(self, touched: _Touched, changed: Values, near: Bools) -> None:
        """Clear `taken` where a whole die looks as at rest, now that the hand and its shadow have gone."""
        same = (np.abs(changed) <= OTHER_SHAPE).astype(np.float32)
        whole = cv2.blur(same, (self._around, self._around)) >= UNCHANGED
        touched.taken = np.where(whole & ~near, np.uint8(0), touched.taken)

    def add(self, changed: Pixels | None) -> None:
        """Add the motion in the newest frame.

        Args:
            changed: the mask of motion (0 or 255); None takes the changes of shape, apart from the hand.
        """
        if changed is None:
            if self._covered is None:
                return
            other = cv2.blur(cv2.absdiff(self._covered.before, self._covered.now), (3, 3)) > OTHER_SHAPE
            changed = np.where(other & ~self._covered.by_hand, np.uint8(255), np.uint8(0))
        self._moved = changed if self._moved is None else np.asarray(self._moved | changed, np.uint8)

    def moved(self, part: tuple[slice, slice]) -> float:
        """Return the fraction of a part of the copy where something moved by itself, 0 to 1."""
        if self._moved is None or not self._moved[part].size:
            return 0.0
        moved = self._moved[part]
        fraction = float(np.count_nonzero(moved)) / moved.size
        if self._touched is None or self._newest is None:
            return fraction
        again = np.abs(self._shape(self._newest)[part] - self._touched.shape[part]) < OTHER_SHAPE
        if np.count_nonzero(again) < UNCHANGED * again.size:
            return fraction
        return max(fraction, float(np.count_nonzero(self._touched.moved[part])) / moved.size)

    def taken(self, part: tuple[slice, slice]) -> bool:
        """Return whether a hand that has been at a part of the copy changed it from how it was at rest."""
        if self._touched is None or not self._touched.taken[part].size:
            return False
        taken = self._touched.taken[part]
        return float(np.count_nonzero(taken)) > (1 - UNCHANGED) * taken.size

    def _shape(self, grey: Pixels) -> Values:
        light = grey.astype(np.float32) + np.float32(FLOOR)
        return np.asarray(light / cv2.blur(light, (self._around, self._around)), np.float32)
