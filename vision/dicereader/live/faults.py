"""Faults of a live camera, found in its frames: black, white, frozen, blurred, covered, torn, restless, flickering.

Pure over frames: all times are the frames' own. Photographs are exempt: nothing follows one.
"""

import itertools
import math
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Frame, Pixels
from dicereader.reading import CameraFault

Floats = NDArray[np.float32]


SMALL_PX = 160  # the width of the copies that most is found in
WINDOW_S = 2.0  # what happened longer ago does not count
CLEAR_S = 1.0  # a fault that has not shown for so long is over
ANEW_S = 30.0  # an alarm that was waved away and has not shown for so long is told when it comes anew

LASTS_S = {
    CameraFault.BLACK: 0.6,
    CameraFault.WHITE: 0.6,
    CameraFault.FROZEN: 1.0,
    CameraFault.BLURRED: 1.2,
    CameraFault.COVERED: 1.5,
    CameraFault.TORN: 0.3,
    CameraFault.EXPOSURE: 0.0,
    CameraFault.FLICKER: 0.3,
}
"""A fault is told when it has shown for so long; a picture that shows one is not trusted from its first frame."""

BLACK_LEVEL = 40.0  # the brightest hundredth of a picture without light is darker
WHITE_LEVEL, WHITE_SHARE = 240, 0.7
SHARP = 1.35  # the steepest edges of a focused picture lose more when it is blurred (by 3 of 960 pixels)
FLAT = 2.0  # grey levels: a picture without edges can be neither sharp nor blurred
SHARP_EVERY_S = 0.3
SHARP_PX = 960
EDGE = 0.25  # of the light around: a pixel that differs more is part of an edge
EDGES_A_BLOCK = 4  # so many make a block of the picture one that shows something
GONE = 0.2  # of a block's edges are left where it is covered
COVERED_SHARE = 0.25, 0.85  # of the blocks that showed something are covered; more is blurred, or another tray
BLOCKS = 8, 6
JUMP = 0.1  # a change of light within one frame, as a logarithm
REVERSALS = 2  # a lamp brightens or darkens once; a restless exposure goes up and down
BANDED = 0.025  # rows that brighten and darken from frame to frame, as a logarithm: a lamp in pulses
BANDED_LEAST, BANDED_FRAMES = 3, 0.6
BANDS = 24  # a picture is compared with the one that was well in so many strips
TORN_PX, TORN_ALIKE = 5, 0.75  # so far, in pixels of the small copy, and so much like the strip that was well
TORN_BANDS = 5  # so many strips in a row lie off by the same: more than a die, or the shelf's row, takes


@dataclass(frozen=True)
class _Look:
    """What one frame showed beside the one before."""

    at_s: float
    jump: int  # 1 where all has brightened at once, -1 where it has darkened
    banded: bool


class FaultWatch:
    """Frames in; which faults a camera has now.

    `suspect` says that the newest frame is not to be trusted, `told` are the faults that have lasted. What a well
    picture of this tray looks like is learnt from frames that `trust` marks.
    """

    def __init__(self) -> None:
        self.suspect = False
        self.told: tuple[CameraFault, ...] = ()
        self._before: Frame | None = None
        self._small: Floats | None = None  # logarithm of a small grey copy of the frame before
        self._looks: deque[_Look] = deque()
        self._since: dict[CameraFault, float] = {}
        self._seen: dict[CameraFault, float] = {}
        self._sharp_s: float | None = None
        self._blurred = False
        self._overlooked: dict[CameraFault, float] = {}  # alarms waved away, and when each last showed
        self._edges: Floats | None = None  # of each block, in the trusted picture
        self._strips: Floats | None = None

    def look(self, frame: Frame) -> None:
        """One more frame. All must have one size."""
        if frame.still:
            return
        small = _small(frame.pixels)
        log = np.log(small.astype(np.float32) + np.float32(8.0))
        before, self._before = self._before, frame
        earlier, self._small = self._small, log
        if earlier is None or before is None or earlier.shape != log.shape:
            self._looks.clear()
            return
        shown = self._still_faults(frame, small)
        # A recording may hold the same picture twice; a camera's noise never does.
        if not frame.name and np.array_equal(frame.pixels, before.pixels):
            shown.add(CameraFault.FROZEN)
        change = log - earlier
        light = float(np.median(change))
        jump = int(np.sign(light)) if abs(light) > JUMP else 0
        self._looks.append(_Look(frame.at_s, jump, not jump and _banded(change)))
        while frame.at_s - self._looks[0].at_s > WINDOW_S:
            self._looks.popleft()
        shown |= self._restless()
        self._judge(frame.at_s, shown)

    def trust(self) -> None:
        """The newest frame is that of a well camera: what covers or tears later ones is seen by comparing."""
        if self._before is None or self.suspect:
            return
        small = _small(self._before.pixels)
        self._edges, self._strips = _edges(small), _strips(small)

    def overlook(self) -> None:
        """The faults that show now are false alarms: no frame is doubted for them, and they are told no more.

        One that has not shown for a while and comes anew has another cause, and is told.
        """
        self._overlooked |= {fault: self._seen[fault] for fault in self.told}
        self.forget()

    def forget(self) -> None:
        """The tray or the camera has been moved: nothing is known of how its picture looks."""
        self._edges = self._strips = None

    def _still_faults(self, frame: Frame, small: Pixels) -> set[CameraFault]:
        """What this frame shows by itself, and beside the trusted one."""
        if float(np.percentile(small, 99)) < BLACK_LEVEL:
            return {CameraFault.BLACK}
        if np.count_nonzero(small >= WHITE_LEVEL) > WHITE_SHARE * small.size:
            return {CameraFault.WHITE}
        if self._sharp_s is None or frame.at_s - self._sharp_s >= SHARP_EVERY_S:
            self._sharp_s, self._blurred = frame.at_s, sharpness(frame.pixels) < SHARP
        if self._blurred:
            return {CameraFault.BLURRED}
        found = set()
        if self._strips is not None and _torn(_strips(small), self._strips):
            found.add(CameraFault.TORN)
        elif self._edges is not None and _covered(_edges(small), self._edges):
            found.add(CameraFault.COVERED)
        return found

    def _restless(self) -> set[CameraFault]:
        """What only several frames show."""
        found = set()
        jumps = [look.jump for look in self._looks if look.jump]
        if sum(a != b for a, b in itertools.pairwise(jumps)) >= REVERSALS:
            found.add(CameraFault.EXPOSURE)
        newest = self._looks[-1].at_s
        recent = [look for look in self._looks if newest - look.at_s <= WINDOW_S / 2]
        banded = sum(look.banded for look in recent)
        if banded >= BANDED_LEAST and banded >= BANDED_FRAMES * len(recent):
            found.add(CameraFault.FLICKER)
        return found

    def _judge(self, now_s: float, shown: set[CameraFault]) -> None:
        seen = {fault: now_s if fault in shown else last_s for fault, last_s in self._overlooked.items()}
        self._overlooked = {fault: last_s for fault, last_s in seen.items() if now_s - last_s <= ANEW_S}
        shown = shown - self._overlooked.keys()
        for fault in shown:
            if now_s - self._seen.get(fault, -math.inf) > CLEAR_S:
                self._since[fault] = now_s
            self._seen[fault] = now_s
        lasting = {fault for fault in shown if now_s - self._since[fault] >= LASTS_S[fault]}
        kept = {fault for fault in self.told if now_s - self._seen[fault] <= CLEAR_S and fault not in self._overlooked}
        self.told = tuple(fault for fault in CameraFault if fault in lasting | kept)
        jumps = self._looks[-1].jump and CameraFault.EXPOSURE not in self._overlooked
        banded = self._looks[-1].banded and CameraFault.FLICKER not in self._overlooked
        self.suspect = bool(shown or self.told or jumps or banded)


def sharpness(pixels: Pixels) -> float:
    """How much the steepest edges of a picture lose when it is blurred: 1 for one without edges, 2 and more when sharp.

    After F. Crete and others, "The blur effect" (2007): what is blurred already loses little.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    width = grey.shape[1]
    if width > 1.2 * SHARP_PX:
        size = SHARP_PX, max(1, round(grey.shape[0] * SHARP_PX / width))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.float32)
    steepest = _steepest(soft)
    if steepest < FLAT:
        return math.inf  # nothing that could be sharp
    return steepest / max(0.1, _steepest(np.asarray(cv2.GaussianBlur(soft, (0, 0), 3.0), np.float32)))


def _steepest(grey: Floats) -> float:
    """The slope of a picture's steepest edges, in grey levels a pixel."""
    x, y = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return float(np.percentile(cv2.magnitude(x, y)[::2, ::2], 99.7)) / 8


def _small(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    size = SMALL_PX, max(1, round(height * SMALL_PX / width))
    small = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(small, np.uint8)


def _banded(change: Floats) -> bool:
    """Whether whole rows have brightened and others darkened; `change` is that of the logarithm of the light.

    The middle of a row leaves out a hand or dice that move through it.
    """
    rows = np.median(change, axis=1)
    return float(np.std(rows - np.median(rows))) > BANDED


def _edges(small: Pixels) -> Floats:
    """How many pixels of each block are part of an edge, shape BLOCKS; a soft shadow takes none away."""
    light = small.astype(np.float32) + np.float32(12.0)
    edge = (np.abs(light / cv2.blur(light, (9, 9)) - 1) > EDGE).astype(np.float32)
    return np.asarray(cv2.resize(edge, BLOCKS, interpolation=cv2.INTER_AREA) * (edge.size / (BLOCKS[0] * BLOCKS[1])))


def _covered(now: Floats, well: Floats) -> bool:
    showed = well >= EDGES_A_BLOCK
    if np.count_nonzero(showed) < 6 or now.shape != well.shape:
        return False
    gone = showed & (now < GONE * well)
    share = np.count_nonzero(gone) / np.count_nonzero(showed)
    return bool(COVERED_SHARE[0] <= share <= COVERED_SHARE[1])


def _strips(small: Pixels) -> Floats:
    """The spectrum of each strip's light without its mean, at length 1: shape (BANDS, rows of a strip, frequencies)."""
    rows = small.shape[0] // BANDS
    if rows == 0:
        return np.zeros((0, 0), np.float32)
    light = cv2.blur(small, (3, 1))[: rows * BANDS].astype(np.float32).reshape(BANDS, rows, -1)
    flat = light - light.mean((1, 2), keepdims=True)
    length = np.sqrt((flat**2).sum((1, 2), keepdims=True))
    return np.asarray(flat / np.maximum(length, 30.0 * np.sqrt(rows)), np.float32)


def _torn(now: Floats, well: Floats) -> bool:
    """Whether strips of the picture lie elsewhere than others, though each is as it was."""
    if now.shape != well.shape or not now.size:
        return False
    spectrum = np.fft.rfft(now, axis=2) * np.conj(np.fft.rfft(well, axis=2))
    alike = np.fft.irfft(spectrum.sum(1), n=now.shape[2], axis=1)  # (BANDS, shift)
    best = alike.argmax(1)
    width = now.shape[2]
    shift = np.minimum(best, width - best)
    elsewhere = (shift >= TORN_PX) & (alike.max(1) > TORN_ALIKE) & (alike[:, 0] < TORN_ALIKE / 2)
    steady = (shift < TORN_PX) & (alike.max(1) > TORN_ALIKE)
    together = elsewhere & (np.abs(best - np.roll(best, 1)) <= 1)  # lies as the strip above does
    runs = np.convolve(together.astype(int), np.ones(TORN_BANDS - 1, int), "valid")
    return bool((runs == TORN_BANDS - 1).any() and steady.any())
