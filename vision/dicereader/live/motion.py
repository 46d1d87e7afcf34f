"""Detect motion in the tray from frame to frame, and a hand that reaches over its border."""

from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.data.frame import Frame, Pixels
from dicereader.live.trace import Trace
from dicereader.reading import Box
from dicereader.tray.calibration import Calibration, rim_corners_mm, tag_corners_mm

SMALL_PX = 320
"""Width in pixels of the grey copies that are compared."""

LEAST_CHANGE, NOISE_TIMES = 6.0, 9.0
"""Grey levels, and multiple of the mean difference of two frames, above which a change is more than noise."""

LEAST_PIXELS = 4
"""Pixels of the copy that must change: fewer are noise."""

FOREGROUND = 20.0
"""Grey levels by which a hand differs from the tray that it hides."""

HAND_DICE, GONE_DICE = 3.0, 0.5
"""Areas in tops of a die: a hand is larger than the first, and gone when less than the second is over the border."""

SLIM_DICE = 0.4
"""Width in edges of a die below which an object is no hand: the edge of a tray that was pushed a little."""

TAG_AROUND = 1.5
"""Multiple of a printed tag, with its border, that is not searched for hands."""

DIE_SHARE = 1 / 26
"""A die's edge as a fraction of the picture's width, without a calibration."""


@dataclass(frozen=True)
class FrameChange:
    """What a frame shows compared with the one before: motion in the tray, a hand, and any object `over` the border."""

    moved: bool
    hand: bool
    over: bool = False


class MotionDetector:
    """Compares small grey copies of frames with each other and with the tray as it was at rest.

    The trace keeps where something moved by itself and where a hand has been, since the tray was last at rest.
    """

    def __init__(self, calibration: Calibration | None = None) -> None:
        self._calibration = calibration
        self._shrink = 1
        self._before: Pixels | None = None
        self._changed: Pixels | None = None
        self._rest: Pixels | None = None
        self._inside: Pixels | None = None
        self._outside: Pixels | None = None
        self._hand: Pixels | None = None  # mask of the hand, None without one
        self._over: Pixels | None = None  # mask of what is over the border
        self._die_px = 1.0
        self._trace: Trace  # from the first frame on

    def calibrate(self, calibration: Calibration | None) -> None:
        """Set where the tray is from now on, if it has moved a little."""
        if calibration is not self._calibration:
            self._calibration = calibration
            self._inside = self._outside = None  # mapped again with the next frame

    def look(self, frame: Frame) -> FrameChange:
        """Compare a frame with the one before it. All frames must have one size."""
        small = self._small(frame)
        before, self._before = self._before, small
        if before is None:
            self._trace = Trace(small, self._die_px)
            return FrameChange(moved=False, hand=False)
        # The mean of nine pixels removes a sensor's or a codec's noise, but not an edge that moves.
        difference = cv2.absdiff(cv2.blur(small, (3, 3)), cv2.blur(before, (3, 3)))
        noise = float(np.minimum(difference, 8).mean())
        _, changed = cv2.threshold(difference, max(LEAST_CHANGE, NOISE_TIMES * noise), 255, cv2.THRESH_BINARY)
        if self._inside is not None:
            changed = cv2.bitwise_and(changed, self._inside)
        self._changed = np.asarray(changed, np.uint8)
        self._hand = self._find_hand(small)
        self._trace.follow(before, small, self._hand)
        moved = cv2.countNonZero(changed) >= LEAST_PIXELS
        return FrameChange(moved, hand=self._hand is not None, over=self._over is not None)

    def remember_motion(self, *, in_shade: bool) -> None:
        """Add the motion in the newest frame to the trace.

        Args:
            in_shade: whether a hand or its shadow may be in the frame, so that only changes of shape count.
        """
        self._trace.add(None if in_shade else self._changed)

    def traced(self, box: Box) -> float:
        """Return the fraction of a box, in pixels of the picture, where something moved by itself."""
        return self._trace.moved(self._part(box))

    def taken(self, box: Box) -> bool:
        """Return whether a hand that has been at a box, in pixels of the picture, left it changed."""
        return self._trace.taken(self._part(box))

    def rest(self, *, whole: bool = True) -> None:
        """Take the newest frame as the tray at rest, with which hands are detected, and begin a new trace.

        Args:
            whole: whether what is over the border belongs to the tray. A finger that is about to reach in does not:
                the tray without it would later look like a hand.
        """
        assert self._before is not None
        before, self._rest = self._rest, self._before
        if not whole and self._over is not None and before is not None:
            self._rest = np.where(self._over > 0, before, self._before)
        self._hand = None
        self._trace = Trace(self._before, self._die_px)

    def _part(self, box: Box) -> tuple[slice, slice]:
        k = self._shrink
        return slice(box.y // k, -(-(box.y + box.h) // k)), slice(box.x // k, -(-(box.x + box.w) // k))

    def _small(self, frame: Frame) -> Pixels:
        width, height = frame.size
        if self._before is None:
            self._shrink = max(1, round(width / SMALL_PX))
        k = self._shrink
        size = max(1, width // k), max(1, height // k)
        if self._outside is None:
            self._outside = self._map_border(size, (width, height))
        return frame.grey(size)

    def _map_border(self, size: tuple[int, int], picture: tuple[int, int]) -> Pixels:
        """Set which pixels of the copy are inside the tray; return the mask of those outside its walls."""
        mask = np.zeros((size[1], size[0]), np.uint8)
        known = self._calibration
        if known is None or (known.width_px, known.height_px) != picture:
            rim = max(2, size[0] // 40)
            mask[:] = 255
            mask[rim:-rim, rim:-rim] = 0
            self._die_px = size[0] * DIE_SHARE
            return mask
        points = known.pixels_of(rim_corners_mm(known.tray)) / self._shrink
        cv2.fillConvexPoly(mask, np.round(points).astype(np.int32), 255.0)
        self._inside = mask
        outside = np.asarray(cv2.bitwise_not(mask), np.uint8)
        # A black and white tag that is pushed a little differs as much as if it were hidden.
        for tag in range(4):
            around = tag_corners_mm(known.tray, tag)
            middle = around.mean(0)
            points = known.pixels_of(middle + TAG_AROUND * (around - middle)) / self._shrink
            cv2.fillConvexPoly(outside, np.round(points).astype(np.int32), 0.0)
        self._die_px = known.die_px(picture[0] / 2, picture[1] / 2) / self._shrink
        return outside

    def _find_hand(self, small: Pixels) -> Pixels | None:
        """Return the mask of a hand that reaches over the border, None without one."""
        if self._rest is None or self._outside is None:
            return None
        # Compare at the same brightness: a lamp that changes, or a camera that follows it, is no hand.
        gain = float(np.median(self._rest) + 1) / float(np.median(small) + 1)
        level = cv2.convertScaleAbs(small, alpha=min(3.0, max(0.33, gain)))
        difference = cv2.blur(cv2.absdiff(level, self._rest), (3, 3))
        _, mask = cv2.threshold(difference, FOREGROUND, 255, cv2.THRESH_BINARY)
        slim = max(3, round(SLIM_DICE * self._die_px))
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((slim, slim), np.uint8))
        over = cv2.bitwise_and(mask, self._outside)
        top_px = self._die_px**2
        self._over = None
        if cv2.countNonZero(over) < GONE_DICE * top_px:
            return None
        self._over = np.asarray(cv2.dilate(over, np.ones((slim, slim), np.uint8)), np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
        crossing = np.unique(labels[over > 0])
        if self._hand is None and not any(stats[label, cv2.CC_STAT_AREA] > HAND_DICE * top_px for label in crossing):
            return None
        return np.where(np.isin(labels, crossing), np.uint8(255), np.uint8(0))
