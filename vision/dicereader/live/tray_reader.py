"""Read pictures of one tray whose calibration is found from its tags, and again when the tray has moved."""

import math

from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.reader import Reader
from dicereader.reading import DiceReading
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration
from dicereader.tray.pose import from_tags
from dicereader.tray.registration import MOVED_PX, register, tags_of

CHECK_AFTER_S = 5.0
"""Seconds since the last reading after which a settled tray is checked for having moved."""

NUDGED_PX = 0.7
"""Mean shift in pixels from which a tray is registered again if a reading is not sure: its rail may look like an
object. Less is noise."""

FAR_DICE = 0.2
"""Mean shift, in edges of a die, from which the tray is reported as moved; a hand that throws may push it by less."""

TAG_FRAMES = 30
"""First frames that are searched for tags."""


class TrayReader:
    """Reads the tray under one camera. `calibration` is the present one, None while it is unknown."""

    def __init__(
        self,
        calibration: Calibration | None,
        empty: Pixels | None,
        *,
        live: bool,
        known_fov_deg: float | None = None,
    ) -> None:
        self.calibration = calibration
        self._empty = empty
        self._tags = tags_of(empty)
        self._live = live
        self._fov_deg = known_fov_deg or DEFAULT_FOV_DEG
        self.search_anew()
        self._read_s = -math.inf
        self._moved = False

    def search_anew(self) -> None:
        """Search the next frames for the tags of a tray that is still unknown."""
        self._frames_left = TAG_FRAMES if self.calibration is None and self._live else 0

    def search_tags(self, pixels: Pixels) -> bool:
        """Search one of the first frames for the tags of an unknown tray; return whether they were found."""
        if not self._frames_left:
            return False
        self._frames_left -= 1
        try:
            self.calibration = from_tags(pixels, fov_deg=self._fov_deg)
        except CalibrationError:
            return False
        self._frames_left = 0
        return True

    def read(self, pixels: Pixels, now_s: float) -> DiceReading:
        """Return the dice of a picture, after registering the tray again if it may have moved."""
        known = self.calibration
        fitting = known if known is not None and known.fits(pixels) else None
        empty = self._empty if self._empty is not None and self._empty.shape == pixels.shape else None
        reading = Reader(fitting, empty).read(pixels)
        read_s, self._read_s = self._read_s, now_s
        # After a small shift readings may be sure, with all places a little wrong.
        due = not reading.sure or now_s - read_s > CHECK_AFTER_S
        if due and self._register(pixels, MOVED_PX if reading.sure else NUDGED_PX):
            reading = Reader(self.calibration, self._empty).read(pixels)
        return reading

    def has_moved(self) -> bool:
        """Return whether the tray, or the camera, has moved far since the last call."""
        moved, self._moved = self._moved, False
        return moved

    def _register(self, pixels: Pixels, least_px: float) -> bool:
        if self.calibration is None or not self._live:
            return False
        try:
            again = register(self.calibration, self._empty, pixels, least_px, self._tags)
        except CalibrationError:
            return False
        if again is None:
            return False
        self.calibration, self._empty, self._tags = again.calibration, again.empty, tags_of(again.empty)
        height, width = pixels.shape[:2]
        self._moved |= again.by_px >= FAR_DICE * self.calibration.die_px(width / 2, height / 2)
        return True
