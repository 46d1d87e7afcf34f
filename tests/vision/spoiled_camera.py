"""A simulated camera with faults: black, white, frozen, blurred, torn, half covered, unstable exposure, flicker."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from drawn_table import pushed

from dicereader.data.frame import Frame, Pixels
from dicereader.sources.synthetic.camera import Sensor
from dicereader.sources.synthetic.source import SyntheticSource

JUMP_S = 0.3  # seconds for which an unstable exposure keeps a gain
_GAINS = (1.0, 0.55, 1.5, 0.8, 1.75, 0.6)
_CARD = (38, 40, 44)
_BANDS = 3.5  # bands of a pulsed lamp in the picture's height
_BAND_DEPTH = 0.3
_BAND_SPEED = 7.3  # bands that pass in a second


def spoil(picture: Pixels, faults: tuple[str, ...], t_s: float, number: int) -> Pixels:
    """Return the picture as a camera with these faults takes it at this time, as the frame of this number."""
    if "black" in faults:
        return np.full_like(picture, 3)
    if "white" in faults:
        return np.asarray(cv2.convertScaleAbs(picture, alpha=1.2, beta=215.0), np.uint8)
    if "exposure" in faults:
        gain = _GAINS[int(t_s / JUMP_S) % len(_GAINS)]
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)
    if "flicker" in faults:
        picture = _banded(picture, t_s)
    if "covered" in faults:
        picture = picture.copy()
        picture[:, picture.shape[1] // 2 :] = _CARD
    if "torn" in faults:
        picture = _torn(picture, number)
    if "blurred" in faults:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 9.0), np.uint8)
    return picture


def _banded(picture: Pixels, t_s: float) -> Pixels:
    height = picture.shape[0]
    at = np.arange(height, dtype=np.float32) / height * _BANDS + np.float32(t_s * _BAND_SPEED)
    light = 1 - np.float32(_BAND_DEPTH) * (0.5 + 0.5 * np.sin(2 * np.pi * at))
    return np.asarray(picture * light[:, None, None].astype(np.float32), np.uint8)


def _torn(picture: Pixels, number: int) -> Pixels:
    """Return the picture with lost lines: all later lines are shifted, at other places in each frame."""
    chance = np.random.default_rng([number, 17])
    height, width = picture.shape[:2]
    cuts = sorted(int(v) for v in chance.integers(height // 8, 7 * height // 8, 2))
    torn = picture.copy()
    for top, bottom in ((cuts[0], cuts[1]), (cuts[1], height)):
        by = int(chance.integers(width // 12, width // 3)) * (1 if chance.random() < 0.5 else -1)
        torn[top:bottom] = np.roll(picture[top:bottom], by, axis=1)
    return torn


_NAMES = "level", "shade", "x_mm", "y_mm", "turn_deg"


class UnsteadyTray(SyntheticSource):
    """A simulated tray whose light changes, and that is pushed under its camera."""

    _was = _goal = (1.0, 0.0, 0.0, 0.0, 0.0)  # as _NAMES
    _times = 0.0, 1.0

    def change(self, seconds: float = 0.4, **to: float) -> None:
        """Change the light, or push the tray from its first place, over some seconds, and keep it so.

        `level` is a factor of the light, `shade` the part of it that a person takes who leans over the players' side.
        """
        now_s, now = self._clock(), self._now()
        self._was, self._times = now, (now_s, now_s + seconds)
        self._goal = tuple(to.get(name, value) for name, value in zip(_NAMES, now, strict=True))

    def _now(self) -> tuple[float, ...]:
        ends = zip(self._was, self._goal, strict=True)
        return tuple(float(np.interp(self._clock(), self._times, each)) for each in ends)

    def next(self, timeout_s: float) -> Frame | None:
        frame = super().next(timeout_s)
        level, shade, x_mm, y_mm, turn_deg = self._now()
        x, y = np.subtract(self.camera.project(x_mm, y_mm, 0.0), self.camera.project(0.0, 0.0, 0.0))
        down = np.clip(np.linspace(-0.43, 1.0, len(frame.pixels)), 0, 1)
        light = level * (1 - shade * down * down * (3 - 2 * down))
        picture = pushed(frame.pixels, float(x), float(y), turn_deg) * light[:, None, None]
        return replace(frame, pixels=np.clip(picture + 0.5, 0, 255).astype(np.uint8))


class SpoiledCamera:
    """A simulated camera whose `faults` can change at any time. The sensor's noise is added after the faults."""

    live = True

    def __init__(self, clock: Callable[[], float], seed: int) -> None:
        self.source = UnsteadyTray(clock, seed)
        self.faults: tuple[str, ...] = ()
        self.set_world = self.source.set_world
        self.close = self.source.close
        self._sensor = Sensor((self.source.camera.width_px, self.source.camera.height_px), seed)
        self._last: Pixels | None = None
        self._numbers = itertools.count()

    def next(self, timeout_s: float) -> Frame | None:
        frame, number = self.source.next(timeout_s), next(self._numbers)
        if not self.faults:
            self._last = frame.pixels
        elif "frozen" not in self.faults or self._last is None:
            self._last = self._sensor.expose(spoil(frame.pixels, self.faults, frame.at_s, number))
        return replace(frame, pixels=self._last)
