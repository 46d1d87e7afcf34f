"""Trace where something moved by itself, and where a hand has been, since the tray was last at rest.

Pure: works on small grey copies of frames, of shape (height, width).
"""

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


class Trace:
    """The history of each pixel since the tray was at rest.

    A change with no hand near is motion. If a hand comes, the motion before it counts only if the pixel looks the same
    when the hand has gone. While a hand is in, or its shadow may pass, only a change of shape counts.
    """

    def __init__(self, rest: Pixels, die_px: float) -> None:
        """Begin with the tray at rest, a grey copy, in which a die's edge has `die_px` pixels."""
        self._around = 2 * round(die_px / 2) + 1
        near = 2 * round(NEAR_DICE * die_px) + 1
        self._surroundings = np.ones((near, near), np.uint8)
        self._newest = rest
        self._rest = self._shape(rest)
        blank = np.zeros(rest.shape, np.uint8)
        self._moved = blank  # 255 where something moved by itself
        self._reshaped = blank  # 255 where the newest frame shows another object, apart from the hand
        self._near = blank > 0  # the hand of the newest frame and its surroundings
        self._moved_before = blank  # the motion before a hand came, where one has been
        self._shape_before = self._rest  # the shape at that time
        self._taken = blank  # 255 where a hand has left something other than what was there at rest

    def follow(self, before: Pixels, now: Pixels, hand: Pixels | None) -> None:
        """Add a frame, and the mask of the hand in it; all are grey copies."""
        self._newest = now
        old, self._near = self._near, np.zeros(now.shape, np.bool_)
        if hand is not None:
            self._near = np.asarray(cv2.dilate(hand, self._surroundings) > 0, np.bool_)
        self._reshaped = np.zeros(now.shape, np.uint8)
        if hand is not None or old.any():
            self._cover(self._shape(before), self._shape(now), old)
        if self._taken.any():
            self._release(self._shape(now) - self._rest)

    def _cover(self, before: Values, now: Values, old: Bools) -> None:
        """Clear the motion where the hand is or just was, but keep what was there before it came."""
        new = self._near
        comes, leaves, covered = new & ~old, old & ~new, new | old
        again = np.abs(before - self._shape_before) < OTHER_SHAPE
        earlier = self._moved | np.where(again, self._moved_before, np.uint8(0))
        self._moved_before = np.where(comes, earlier, self._moved_before)
        self._shape_before = np.where(comes, before, self._shape_before)
        self._moved = np.where(covered, np.uint8(0), self._moved)
        # Where the hand has just left, the tray behind it appears: that is not motion.
        other = cv2.blur(cv2.absdiff(before, now), (3, 3)) > OTHER_SHAPE
        self._reshaped = np.where(other & ~covered, np.uint8(255), np.uint8(0))
        left = np.where(np.abs(now - self._rest) > OTHER_SHAPE, np.uint8(255), np.uint8(0))
        self._taken = np.where(leaves, left, self._taken)

    def _release(self, changed: Values) -> None:
        """Clear `taken` where a whole die looks as at rest, now that the hand and its shadow have gone."""
        same = (np.abs(changed) <= OTHER_SHAPE).astype(np.float32)
        whole = cv2.blur(same, (self._around, self._around)) >= UNCHANGED
        self._taken = np.where(whole & ~self._near, np.uint8(0), self._taken)

    def add(self, changed: Pixels | None) -> None:
        """Add the motion in the newest frame.

        Args:
            changed: the mask of motion (0 or 255); None takes the changes of shape, apart from the hand.
        """
        self._moved = self._moved | (self._reshaped if changed is None else changed)

    def moved(self, part: tuple[slice, slice]) -> float:
        """Return the fraction of a part of the copy where something moved by itself, 0 to 1."""
        moved = [self._moved[part]]
        again = np.abs(self._shape(self._newest)[part] - self._shape_before[part]) < OTHER_SHAPE
        if np.count_nonzero(again) >= UNCHANGED * again.size:
            moved.append(self._moved_before[part])
        return max(np.count_nonzero(each) / max(each.size, 1) for each in moved)

    def taken(self, part: tuple[slice, slice]) -> bool:
        """Return whether a hand that has been at a part of the copy changed it from how it was at rest."""
        taken = self._taken[part]
        return bool(np.count_nonzero(taken) > (1 - UNCHANGED) * taken.size)

    def _shape(self, grey: Pixels) -> Values:
        light = grey.astype(np.float32) + np.float32(FLOOR)
        return np.asarray(light / cv2.blur(light, (self._around, self._around)), np.float32)
