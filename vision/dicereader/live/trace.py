"""The trace of an episode: where something moved by itself, and where a hand has been. Pure over small grey copies."""

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels

Shape = NDArray[np.float32]
"""A picture without its light: each pixel by the mean around it, so that a soft shadow leaves it as it was."""

OTHER_SHAPE = 0.22  # a pixel whose shape has changed by more shows something else now
NEAR_DICE = 1.5  # what moves within so many dice of a hand may be moved by it
UNCHANGED = 0.85  # of a box whose shape is as it was before a hand came: it has been left alone
_FLOOR = 12.0  # grey levels added, so that noise in the dark has no shape


class Trace:
    """What became of each pixel since the tray lay at rest as in `rest`, a grey copy of shape (height, width).

    A change with no hand near is something that moved by itself; where a hand comes, what was there before counts only
    if it is there again when the hand has gone. While a hand is in, or its shadow may pass, changes of light alone do
    not count: only a pixel that shows another shape.
    """

    def __init__(self, rest: Pixels | None = None) -> None:
        self._rest = rest
        self._by_itself: Pixels | None = None
        self._taken: Pixels | None = None  # a hand has been there, and left something else than lay there at rest
        self._near: Pixels | None = None  # the hand of the frame before and its surroundings
        self._kept: Pixels | None = None  # what had moved by itself when a hand came
        self._kept_shape: Shape | None = None  # and how it looked then
        self._newest: Pixels | None = None
        self._shapes: tuple[Shape, Shape] | None = None  # of the frame before and of the newest, where a hand is near
        self._ignored: NDArray[np.bool_] | None = None
        self._around = 15

    def follow(self, before: Pixels, now: Pixels, hand: Pixels | None, die_px: float) -> None:
        """One more frame, and where the hand is in it; grey copies of shape (height, width)."""
        self._newest = now
        self._around = 2 * round(die_px / 2) + 1
        self._shapes = None
        near_before, self._near = self._near, None
        if hand is None and near_before is None:
            if self._taken is not None and self._rest is not None:
                self._give_back(self._shape(now) - self._shape(self._rest), np.zeros(now.shape, bool))
            return
        self._shapes = self._shape(before), self._shape(now)
        if hand is not None:
            size = 2 * round(NEAR_DICE * die_px) + 1
            self._near = np.asarray(cv2.dilate(hand, np.ones((size, size), np.uint8)), np.uint8)
        self._cover(near_before)

    def _cover(self, near_before: Pixels | None) -> None:
        """Forget the trace where the hand is or just was, but keep what was there before it came."""
        assert self._shapes is not None
        shape = self._shapes[0]
        by_itself = self._map(self._by_itself, shape.shape)
        kept, kept_shape = self._map(self._kept, shape.shape), self._kept_shape
        if kept_shape is None:
            kept_shape = shape.copy()
        old = self._map(near_before, shape.shape)
        new = self._map(self._near, shape.shape)
        comes = (new > 0) & (old == 0)
        again = np.abs(shape - kept_shape) < OTHER_SHAPE
        kept = np.where(comes, by_itself | np.where(again, kept, np.uint8(0)), kept)
        self._kept, self._kept_shape = kept, np.where(comes, shape, kept_shape)
        self._by_itself = np.where((new > 0) | (old > 0), np.uint8(0), by_itself)
        # The pixels that the hand has just left show something else than the hand: no motion.
        self._ignored = (new > 0) | (old > 0)
        if self._rest is not None:
            leaves = (old > 0) & (new == 0)
            changed = self._shapes[1] - self._shape(self._rest)
            taken = self._map(self._taken, shape.shape)
            self._taken = np.where(leaves, np.where(np.abs(changed) > OTHER_SHAPE, np.uint8(255), np.uint8(0)), taken)
            self._give_back(changed, new > 0)

    def _give_back(self, changed: Shape, near: NDArray[np.bool_]) -> None:
        """What looks as at rest over a whole die, once the hand and its shadow have gone, was never taken."""
        assert self._taken is not None
        same = (np.abs(changed) <= OTHER_SHAPE).astype(np.float32)
        whole = cv2.blur(same, (self._around, self._around)) >= UNCHANGED
        self._taken = np.where(whole & ~near, np.uint8(0), self._taken)

    def add(self, changed: Pixels | None) -> None:
        """Remember what changed in the newest frame (0 or 255); None: where it has another shape, a hand apart."""
        if changed is None:
            if self._shapes is None or self._ignored is None:
                return
            before, now = self._shapes
            other = cv2.blur(cv2.absdiff(before, now), (3, 3)) > OTHER_SHAPE
            changed = np.where(other & ~self._ignored, np.uint8(255), np.uint8(0))
        if self._by_itself is None:
            self._by_itself = changed
        else:
            self._by_itself = np.asarray(self._by_itself | changed, np.uint8)

    def moved(self, part: tuple[slice, slice]) -> float:
        """The share of a part of the small copy where something moved by itself, 0 to 1."""
        if self._by_itself is None:
            return 0.0
        moved = self._by_itself[part]
        if not moved.size:
            return 0.0
        share = float(np.count_nonzero(moved)) / moved.size
        if self._kept is None or self._kept_shape is None or self._newest is None:
            return share
        again = np.abs(self._shape(self._newest)[part] - self._kept_shape[part]) < OTHER_SHAPE
        if np.count_nonzero(again) < UNCHANGED * again.size:
            return share
        return max(share, float(np.count_nonzero(self._kept[part])) / moved.size)

    def taken(self, part: tuple[slice, slice]) -> bool:
        """Whether a hand that has been at a part of the small copy left it other than it was at rest."""
        if self._taken is None or not self._taken[part].size:
            return False
        return float(np.count_nonzero(self._taken[part])) > (1 - UNCHANGED) * self._taken[part].size

    def _shape(self, grey: Pixels) -> Shape:
        light = grey.astype(np.float32) + np.float32(_FLOOR)
        return np.asarray(light / cv2.blur(light, (self._around, self._around)), np.float32)

    @staticmethod
    def _map(known: Pixels | None, shape: tuple[int, ...]) -> Pixels:
        return np.zeros(shape, np.uint8) if known is None else known
