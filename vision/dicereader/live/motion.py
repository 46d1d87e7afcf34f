"""What stirs in a picture of the tray: motion from frame to frame, and a hand that reaches over the border."""

from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.errors import PictureError
from dicereader.frame import Pixels
from dicereader.live.trace import Trace
from dicereader.reading import Box
from dicereader.tray.calibration import Calibration, tag_corners_mm

SMALL_PX = 320  # the width of the copies that are compared
LEAST_CHANGE = 6.0  # grey levels
NOISE_TIMES = 9.0  # a change this many times the mean difference of two frames is more than noise
LEAST_PIXELS = 4  # of the small copy; fewer that change are a spark of noise
FOREGROUND = 20.0  # grey levels that a hand differs from the tray it hides
HAND_DICE = 3.0  # a hand is larger than this many dice
GONE_DICE = 0.5  # and gone when less than this is left over the border
SLIM_DICE = 0.4  # what is slimmer than this is no hand: the edge of a tray that was pushed a little
TAG_AROUND = 1.5  # of a printed tag so much, with its border, is not looked at for hands
DIE_SHARE = 1 / 26  # a die's edge by the picture's width, where no calibration knows


@dataclass(frozen=True)
class Stirring:
    """What one frame shows beside the one before: motion in the tray, a hand over its border.

    `over` says that something lies over the border, be it a hand or as little as a finger.
    """

    moved: bool
    hand: bool
    over: bool = False


class TrayWatch:
    """Compares small grey copies of frames with each other and with the tray as it lay at rest.

    `trace` keeps where something moved by itself and where a hand has been, since the tray last lay at rest.
    """

    def __init__(self, calibration: Calibration | None = None) -> None:
        self._calibration = calibration
        self._shrink = 1
        self._before: Pixels | None = None
        self._changed: Pixels | None = None
        self._rest: Pixels | None = None
        self._inside: Pixels | None = None
        self._outside: Pixels | None = None
        self._hand: Pixels | None = None  # where the hand is, None while none is in
        self._over: Pixels | None = None  # where something lies over the border, None while nothing does
        self._die_px = 1.0
        self.trace = Trace()

    def stands(self, calibration: Calibration | None) -> None:
        """Where the tray stands from now on: a little elsewhere, if at all."""
        if calibration is not self._calibration:
            self._calibration = calibration
            self._inside = self._outside = None  # mapped anew with the next frame

    def look(self, pixels: Pixels, given: Pixels | None = None) -> Stirring:
        """Compare a frame with the one before it. All frames must have one size.

        `given` is the camera's own small grey copy; it is used where it has the size of ours.
        """
        small = self._small(pixels, given)
        before, self._before = self._before, small
        if before is None:
            return Stirring(moved=False, hand=False)
        if before.shape != small.shape:
            raise PictureError(f"expected frames of one size, got {before.shape} and then {small.shape}")
        # A sensor's or a codec's noise is gone in the mean of nine pixels; an edge that moves is not.
        difference = cv2.absdiff(cv2.blur(small, (3, 3)), cv2.blur(before, (3, 3)))
        noise = float(np.minimum(difference, 8).mean())
        _, changed = cv2.threshold(difference, max(LEAST_CHANGE, NOISE_TIMES * noise), 255, cv2.THRESH_BINARY)
        if self._inside is not None:
            changed = cv2.bitwise_and(changed, self._inside)
        self._changed = np.asarray(changed, np.uint8)
        self._hand = self._find_hand(small)
        self.trace.follow(before, small, self._hand, self._die_px)
        moved = cv2.countNonZero(changed) >= LEAST_PIXELS
        return Stirring(moved, hand=self._hand is not None, over=self._over is not None)

    def remember_motion(self, *, in_shade: bool) -> None:
        """Add what moved in the newest frame to the trace; `in_shade`: a hand's shadow may pass, and does not count."""
        if self._changed is not None:
            self.trace.add(None if in_shade else self._changed)

    def traced(self, box: Box) -> float:
        """The share of a box, in pixels of the picture, where something moved by itself."""
        return self.trace.moved(self._part(box))

    def taken(self, box: Box) -> bool:
        """Whether a hand that has been at a box, in pixels of the picture, left it other than it was at rest."""
        return self.trace.taken(self._part(box))

    def rest(self, *, whole: bool = True) -> None:
        """Take the newest frame as the tray at rest: a hand is what hides it from now on. The trace begins anew.

        Not `whole`: what lies over the border is left out. A finger that is about to reach in is no part of the tray,
        or the tray without it would be taken for a hand that stays.
        """
        before, self._rest = self._rest, self._before
        if not whole and self._over is not None and before is not None and self._before is not None:
            self._rest = np.where(self._over > 0, before, self._before)
        self._hand = None
        self.trace = Trace(self._before)

    def _part(self, box: Box) -> tuple[slice, slice]:
        k = self._shrink
        return slice(box.y // k, -(-(box.y + box.h) // k)), slice(box.x // k, -(-(box.x + box.w) // k))

    def _small(self, pixels: Pixels, given: Pixels | None) -> Pixels:
        height, width = pixels.shape[:2]
        if self._before is None:
            self._shrink = max(1, round(width / SMALL_PX))
        k = self._shrink
        size = max(1, width // k), max(1, height // k)
        if self._outside is None:
            self._map_border(size, (width, height))
        if given is not None and given.shape == (size[1], size[0]):
            return given
        small = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        return np.asarray(small, np.uint8)

    def _map_border(self, size: tuple[int, int], picture: tuple[int, int]) -> None:
        """Which pixels of the small copy are the tray's inside, and which are outside its walls."""
        outside = np.zeros((size[1], size[0]), np.uint8)
        known = self._calibration
        if known is None or (known.width_px, known.height_px) != picture:
            rim = max(2, size[0] // 40)
            outside[:] = 255
            outside[rim:-rim, rim:-rim] = 0
            self._outside = outside
            self._die_px = size[0] * DIE_SHARE
            return
        half, high = known.tray.half_mm, known.tray.wall_height_mm
        corners = [(-half, half), (half, half), (half, -half), (-half, -half)]
        points = np.array([known.project(x, y, high) for x, y in corners]) / self._shrink
        cv2.fillConvexPoly(outside, np.round(points).astype(np.int32), 255.0)
        self._inside = outside
        self._outside = np.asarray(cv2.bitwise_not(outside), np.uint8)
        # Black on white, a tag that is pushed a little is as other as if it were hidden.
        for tag in range(4):
            around = tag_corners_mm(known.tray, tag)
            middle = around.mean(0)
            points = np.array([known.project(*(middle + TAG_AROUND * (corner - middle))) for corner in around])
            cv2.fillConvexPoly(self._outside, np.round(points / self._shrink).astype(np.int32), 0.0)
        self._die_px = known.die_px(picture[0] / 2, picture[1] / 2) / self._shrink

    def _find_hand(self, small: Pixels) -> Pixels | None:
        """The part of the small copy that a hand hides, None where none reaches over the border."""
        if self._rest is None or self._outside is None:
            return None
        # A lamp that changes, or a camera that follows it, is no hand: compare at the same brightness.
        gain = float(np.median(self._rest) + 1) / float(np.median(small) + 1)
        level = cv2.convertScaleAbs(small, alpha=min(3.0, max(0.33, gain)))
        difference = cv2.blur(cv2.absdiff(level, self._rest), (3, 3))
        _, mask = cv2.threshold(difference, FOREGROUND, 255, cv2.THRESH_BINARY)
        slim = max(3, round(SLIM_DICE * self._die_px))
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((slim, slim), np.uint8))
        over = cv2.bitwise_and(mask, self._outside)
        die_px2 = self._die_px**2
        self._over = None
        if cv2.countNonZero(over) < GONE_DICE * die_px2:
            return None
        self._over = np.asarray(cv2.dilate(over, np.ones((slim, slim), np.uint8)), np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
        crossing = np.unique(labels[over > 0])
        if self._hand is None and not any(stats[label, cv2.CC_STAT_AREA] > HAND_DICE * die_px2 for label in crossing):
            return None
        return np.where(np.isin(labels, crossing), np.uint8(255), np.uint8(0))
