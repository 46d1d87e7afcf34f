"""Read pictures of a tray that is known, or is found by its tags, and is found again when it has moved."""

import math

from dicereader.errors import CalibrationError
from dicereader.frame import Pixels
from dicereader.reader import read_pixels
from dicereader.reading import DiceReading
from dicereader.tray.calibration import Calibration
from dicereader.tray.moved import MOVED_PX, moved
from dicereader.tray.tags import from_tags

MOVED_AFTER_S = 5.0
"""Whether a settled tray has moved is looked at again when that has passed since it was last read."""

NUDGED_PX = 0.7
"""A tray that stands this far elsewhere is found again where a reading is not sure: its rail may look like a thing that
lies there. Less is noise."""

FAR_DICE = 0.2
"""One that stands so many dice elsewhere is said to have moved; by less a hand that throws may push it."""

TAG_FRAMES = 30
"""So many first frames are searched for tags."""


class RegisteredTray:
    """What is known of the tray under one camera: `calibration` and a picture of it without dice, each or None."""

    def __init__(self, calibration: Calibration | None, empty: Pixels | None, *, live: bool) -> None:
        self.calibration = calibration
        self._empty = empty
        self._live = live
        self._frames_left = TAG_FRAMES if calibration is None and live else 0
        self._asked_s = -math.inf
        self._moved = False

    def search(self, pixels: Pixels) -> bool:
        """Look for the tags of a tray that is not known; whether it is known now."""
        if not self._frames_left:
            return False
        self._frames_left -= 1
        try:
            self.calibration = from_tags(pixels)
        except CalibrationError:
            return False
        self._frames_left = 0
        return True

    def read(self, pixels: Pixels, expect: int | None, now_s: float) -> DiceReading:
        """The dice of a picture. Where it may be that the tray has moved, that is looked at first."""
        known = self.calibration
        fitting = known if known is not None and known.fits(pixels) else None
        empty = self._empty if self._empty is not None and self._empty.shape == pixels.shape else None
        alone = not self._live  # of a live camera more frames are read
        reading = read_pixels(pixels, calibration=fitting, empty=empty, expect=expect, second_look=alone)
        asked_s, self._asked_s = self._asked_s, now_s
        # A small shift may leave readings sure, with all places a little wrong.
        due = not reading.sure or now_s - asked_s > MOVED_AFTER_S
        if due and self._registers_again(pixels, MOVED_PX if reading.sure else NUDGED_PX):
            reading = read_pixels(pixels, calibration=self.calibration, empty=self._empty, expect=expect)
        return reading

    def has_moved(self) -> bool:
        """Whether the tray, or the camera, was found far from where it stood since this was last asked."""
        found, self._moved = self._moved, False
        return found

    def _registers_again(self, pixels: Pixels, least_px: float) -> bool:
        if self.calibration is None or not self._live:
            return False
        try:
            again = moved(self.calibration, self._empty, pixels, least_px)
        except CalibrationError:
            return False
        if again is None:
            return False
        self.calibration, self._empty = again.calibration, again.empty
        height, width = pixels.shape[:2]
        self._moved |= again.by_px >= FAR_DICE * self.calibration.die_px(width / 2, height / 2)
        return True
