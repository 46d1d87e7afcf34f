"""What stirs in a picture of the tray: motion from frame to frame, and a hand that reaches over the border."""

from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.calibration import Calibration
from dicereader.errors import PictureError
from dicereader.frame import Pixels
from dicereader.reading import Box

SMALL_PX = 320  # the width of the copies that are compared
LEAST_CHANGE = 6.0  # grey levels
NOISE_TIMES = 9.0  # a change this many times the mean difference of two frames is more than noise
LEAST_PIXELS = 4  # of the small copy; fewer that change are a spark of noise
FOREGROUND = 20.0  # grey levels that a hand differs from the tray it hides
HAND_DICE = 3.0  # a hand is larger than this many dice
GONE_DICE = 0.5  # and gone when less than this is left over the border
DIE_SHARE = 1 / 26  # a die's edge by the picture's width, where no calibration knows


@dataclass(frozen=True)
class Stirring:
    """What one frame shows beside the one before: motion in the tray, a hand over its border."""

    moved: bool
    hand: bool


class TrayWatch:
    """Compares small grey copies of frames; remembers where motion was, and the tray as it lay at rest."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        self._calibration = calibration
        self._shrink = 1
        self._before: Pixels | None = None
        self._changed: Pixels | None = None
        self._trace: Pixels | None = None
        self._rest: Pixels | None = None
        self._inside: Pixels | None = None
        self._outside: Pixels | None = None
        self._hand = False
        self._die_px2 = 0.0

    def look(self, pixels: Pixels) -> Stirring:
        """Compare a frame with the one before it. All frames must have one size."""
        small = self._small(pixels)
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
        self._hand = self._sees_hand(small)
        return Stirring(moved=cv2.countNonZero(changed) >= LEAST_PIXELS, hand=self._hand)

    def remember_motion(self) -> None:
        """Add what moved in the newest frame to the trace."""
        if self._changed is not None:
            self._trace = self._changed if self._trace is None else np.asarray(self._changed | self._trace, np.uint8)

    def forget_motion(self) -> None:
        """Begin a new trace."""
        self._trace = None

    def traced(self, box: Box) -> float:
        """The share of a box, in pixels of the picture, that lies on the trace: 0 where nothing moved."""
        if self._trace is None:
            return 0.0
        k = self._shrink
        part = self._trace[box.y // k : -(-(box.y + box.h) // k), box.x // k : -(-(box.x + box.w) // k)]
        return float(np.count_nonzero(part)) / part.size if part.size else 0.0

    def rest(self) -> None:
        """Take the newest frame as the tray at rest: a hand is what hides it from now on."""
        self._rest = self._before
        self._hand = False

    def _small(self, pixels: Pixels) -> Pixels:
        height, width = pixels.shape[:2]
        if self._before is None:
            self._shrink = max(1, round(width / SMALL_PX))
        k = self._shrink
        size = max(1, width // k), max(1, height // k)
        small = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        if self._outside is None:
            self._map_border(size, (width, height))
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
            self._die_px2 = (size[0] * DIE_SHARE) ** 2
            return
        half, high = known.tray.half_mm, known.tray.wall_height_mm
        corners = [(-half, half), (half, half), (half, -half), (-half, -half)]
        points = np.array([known.project(x, y, high) for x, y in corners]) / self._shrink
        cv2.fillConvexPoly(outside, np.round(points).astype(np.int32), 255.0)
        self._inside = outside
        self._outside = np.asarray(cv2.bitwise_not(outside), np.uint8)
        self._die_px2 = (known.die_px(picture[0] / 2, picture[1] / 2) / self._shrink) ** 2

    def _sees_hand(self, small: Pixels) -> bool:
        if self._rest is None or self._outside is None:
            return False
        # A lamp that changes, or a camera that follows it, is no hand: compare at the same brightness.
        gain = float(np.median(self._rest) + 1) / float(np.median(small) + 1)
        level = cv2.convertScaleAbs(small, alpha=min(3.0, max(0.33, gain)))
        difference = cv2.blur(cv2.absdiff(level, self._rest), (3, 3))
        _, mask = cv2.threshold(difference, FOREGROUND, 255, cv2.THRESH_BINARY)
        over = cv2.bitwise_and(mask, self._outside)
        size = cv2.countNonZero(over)
        if size < GONE_DICE * self._die_px2:
            return False
        if self._hand:
            return True
        _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
        crossing = np.unique(labels[over > 0])
        return any(stats[label, cv2.CC_STAT_AREA] > HAND_DICE * self._die_px2 for label in crossing)
