"""Detect faults of a live camera in its frames: black, white, frozen, blurred, covered, torn, exposure, flicker.

Pure: all times are the frames' own. Photographs are never looked at: no frame follows one.
"""

import itertools
import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.data.arrays import Values
from dicereader.data.frame import Frame, Pixels
from dicereader.reading import Box, CameraFault
from dicereader.tray.fitness import SHARP, sharpness

SMALL_PX = 160  # width of the grey copies in which most faults are detected
WINDOW_S = 2.0  # earlier frames do not count
CLEAR_S = 1.0  # a fault is over when it has not shown for this long
IGNORED_S = 30.0  # an ignored fault that has not shown for this long is reported when it comes again

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
"""Seconds that a fault must show before it is reported; frames that show one are not trusted from the first on."""

BLACK_LEVEL = 40.0  # grey level of the brightest hundredth below which a picture has no light
WHITE_LEVEL, WHITE_SHARE = 240, 0.7  # grey level, and fraction of the picture at or above it
SHARP_EVERY = 10  # frames from one measurement of the sharpness to the next: it takes as long as they do
EDGE = 0.25  # relative difference from the surroundings from which a pixel belongs to an edge
EDGES_A_BLOCK = 4  # edge pixels from which a block of the picture shows something
GONE = 0.2  # fraction of a block's edge pixels that is left when it is covered
COVERED_SHARE = 0.25, 0.85  # fraction of those blocks that is covered; more is blur, or another tray
LEAST_BLOCKS = 6  # blocks that must show something
KEPT, KEPT_BLOCKS = 0.6, 0.35  # fraction of a block's edges that are where they were; least such blocks of one scene
NEW_S = 10.0  # how long a wholly other picture must stand still to be the scene from now on
STIRRED, STIRRED_SHARE = 0.15, 0.002  # change of the logarithm of a pixel's light, and share of pixels: no longer still
BLOCKS = 8, 6  # blocks across and down
JUMP = 0.1  # change of the logarithm of the light within one frame
REVERSALS = 2  # jumps back of an unstable exposure; a lamp brightens or darkens once
BANDED = 0.025  # standard deviation of the rows' change of light, as a logarithm: a lamp driven in pulses
BANDED_LEAST, BANDED_FRAMES = 3, 0.6  # banded frames, and their fraction of the newest second's
BANDS = 24  # strips in which a picture is compared with the reference
TORN_PX, TORN_MATCH = 5, 0.75  # shift of a strip in pixels of the copy, and its correlation with the reference there
TORN_BANDS = 5  # neighbouring strips with the same shift: more than a die, or the shelf's row of dice, takes


@dataclass(frozen=True)
class _Change:
    """The change of light from one frame to the next."""

    at_s: float
    jump: int  # 1 if everything has brightened at once, -1 if darkened
    banded: bool


class FaultDetector:
    """Turns frames into the camera's present faults.

    `faults` are those that have lasted; `suspect` says that the newest frame is not to be trusted. Frames that
    `set_reference` marks show what a good picture of this tray looks like. `other_scene` says that a wholly other
    picture has stood still for `NEW_S`: the camera or the tray was moved, and all begins anew.
    """

    def __init__(self) -> None:
        self.suspect = self.other_scene = False
        self.faults: tuple[CameraFault, ...] = ()
        self._before: Frame | None = None
        self._before_log: Values | None = None  # logarithm of a small grey copy of the frame before
        self._changes: deque[_Change] = deque()
        self._since: dict[CameraFault, float] = {}
        self._last_shown: dict[CameraFault, float] = {}
        self._unmeasured = 0  # frames until the sharpness is measured again
        self._blurred = False
        self._ignored: set[CameraFault] = set()
        self._edges: Values | None = None  # of each block of the reference
        self._places: Pixels | None = None  # of the edges in the reference
        self._stood: tuple[float, Values] | None = None  # since when a wholly other picture stands still, and its log
        self._strips: Values | None = None  # of the reference

    def look(self, frame: Frame) -> None:
        """Add a frame. All must have one size."""
        small = _small(frame)
        log = np.log(small.astype(np.float32) + np.float32(8.0))
        before, self._before = self._before, frame
        before_log, self._before_log = self._before_log, log
        if before_log is None or before is None:
            return
        shown = self._faults_of(frame, small)
        self._watch_scene(frame.at_s, log, other=CameraFault.COVERED in shown and not self._keeps_places(small))
        # A recording may hold the same picture twice; a live camera's noise never repeats.
        if not frame.name and all(
            np.array_equal(frame.pixels[::step], before.pixels[::step])
            for step in (16, 1)  # some rows tell at once that most frames differ
        ):
            shown.add(CameraFault.FROZEN)
        change = log - before_log
        light = float(np.median(change))
        jump = int(np.sign(light)) if abs(light) > JUMP else 0
        self._changes.append(_Change(frame.at_s, jump, not jump and _banded(change)))
        while frame.at_s - self._changes[0].at_s > WINDOW_S:
            self._changes.popleft()
        self._judge(frame.at_s, shown | self._light_faults())

    def set_reference(self, dice: Iterable[Box] = ()) -> None:
        """Take the newest frame, if it is trusted, as the reference for covered and torn pictures.

        Args:
            dice: the boxes of the dice in it, in its pixels; where a die was taken away nothing is covered.
        """
        if self._before is None or self.suspect:
            return
        small = _small(self._before)
        self._places, self._strips = _edge_places(small), _strips(small)
        self._edges = _by_block(self._places)
        (width, height), (columns, rows) = self._before.size, BLOCKS
        for box in dice:
            left, right = (int(x * columns / width) for x in (box.x, box.x + box.w))
            top, bottom = (int(y * rows / height) for y in (box.y, box.y + box.h))
            self._edges[max(0, top) : bottom + 1, max(0, left) : right + 1] = 0

    def ignore(self) -> None:
        """Ignore the present faults as false alarms, until one has not shown for a while and comes again."""
        self._ignored |= set(self.faults)
        self.forget_reference()

    def forget_reference(self) -> None:
        """Forget what the tray looks like: tray or camera has been moved."""
        self._edges = self._strips = None

    def _faults_of(self, frame: Frame, small: Pixels) -> set[CameraFault]:
        """Return the faults that this frame shows by itself, or compared with the reference."""
        if float(np.percentile(small, 99)) < BLACK_LEVEL:
            return {CameraFault.BLACK}
        if np.count_nonzero(small >= WHITE_LEVEL) > WHITE_SHARE * small.size:
            return {CameraFault.WHITE}
        if self._unmeasured == 0:
            self._unmeasured, self._blurred = SHARP_EVERY, sharpness(frame.pixels) < SHARP
        self._unmeasured -= 1
        if self._blurred:
            return {CameraFault.BLURRED}
        if self._strips is not None and _torn(_strips(small), self._strips):
            return {CameraFault.TORN}
        if self._edges is not None and _covered(_by_block(_edge_places(small)), self._edges):
            return {CameraFault.COVERED}
        return set()

    def _keeps_places(self, small: Pixels) -> bool:
        """Return whether enough of the reference's edges are still where they were: what is covered hides a part."""
        assert self._places is not None
        assert self._edges is not None
        near = cv2.dilate(_edge_places(small), np.ones((3, 3)))
        kept, showed = _by_block(np.minimum(near, self._places)), self._edges >= EDGES_A_BLOCK
        return bool((kept > KEPT * self._edges)[showed].mean() > KEPT_BLOCKS)

    def _watch_scene(self, now_s: float, log: Values, *, other: bool) -> None:
        """Find whether a wholly other picture has stood still for `NEW_S`."""
        if not other:
            self._stood = None
        elif self._stood is None or float((np.abs(log - self._stood[1]) > STIRRED).mean()) > STIRRED_SHARE:
            self._stood = now_s, log
        self.other_scene = self._stood is not None and now_s - self._stood[0] >= NEW_S

    def _light_faults(self) -> set[CameraFault]:
        """Return the faults that only several frames show."""
        found = set()
        jumps = [change.jump for change in self._changes if change.jump]
        if sum(a != b for a, b in itertools.pairwise(jumps)) >= REVERSALS:
            found.add(CameraFault.EXPOSURE)
        newest = self._changes[-1].at_s
        recent = [change for change in self._changes if newest - change.at_s <= WINDOW_S / 2]
        banded = sum(change.banded for change in recent)
        if banded >= BANDED_LEAST and banded >= BANDED_FRAMES * len(recent):
            found.add(CameraFault.FLICKER)
        return found

    def _judge(self, now_s: float, shown: set[CameraFault]) -> None:
        self._ignored = {fault for fault in self._ignored if now_s - self._last_shown[fault] <= IGNORED_S}
        for fault in shown:
            if now_s - self._last_shown.get(fault, -math.inf) > CLEAR_S:
                self._since[fault] = now_s
            self._last_shown[fault] = now_s
        shown = shown - self._ignored
        lasting = {fault for fault in shown if now_s - self._since[fault] >= LASTS_S[fault]}
        lasting |= {fault for fault in self.faults if now_s - self._last_shown[fault] <= CLEAR_S} - self._ignored
        self.faults = tuple(fault for fault in CameraFault if fault in lasting)
        jumps = self._changes[-1].jump and CameraFault.EXPOSURE not in self._ignored
        banded = self._changes[-1].banded and CameraFault.FLICKER not in self._ignored
        self.suspect = bool(shown or self.faults or jumps or banded)


def _small(frame: Frame) -> Pixels:
    """Return the grey copy in which most faults are detected."""
    width, height = frame.size
    return frame.grey((SMALL_PX, max(1, round(height * SMALL_PX / width))))


def _banded(change: Values) -> bool:
    """Return whether some rows have brightened and others darkened; `change` is that of the light's logarithm.

    The median of a row ignores a hand or dice that move through it.
    """
    rows = np.median(change, axis=1)
    return float(np.std(rows - np.median(rows))) > BANDED


def _edge_places(small: Pixels) -> Pixels:
    """Return 1 for each edge pixel and 0 for the others; a soft shadow removes none."""
    light = small.astype(np.float32) + np.float32(12.0)
    return np.asarray(np.abs(light / cv2.blur(light, (9, 9)) - 1) > EDGE, np.uint8)


def _by_block(places: Pixels) -> Values:
    """Return the number of edge pixels of each block, shape BLOCKS."""
    share = cv2.resize(places.astype(np.float32), BLOCKS, interpolation=cv2.INTER_AREA)
    return np.asarray(share * (places.size / (BLOCKS[0] * BLOCKS[1])), np.float32)


def _covered(now: Values, reference: Values) -> bool:
    """Return whether a part of the blocks that showed something in the reference has lost its edges."""
    showed = reference >= EDGES_A_BLOCK
    if np.count_nonzero(showed) < LEAST_BLOCKS:
        return False
    gone = showed & (now < GONE * reference)
    share = np.count_nonzero(gone) / np.count_nonzero(showed)
    return bool(COVERED_SHARE[0] <= share <= COVERED_SHARE[1])


def _strips(small: Pixels) -> Values:
    """Return strips of the picture without their means, normalised: shape (BANDS, rows of a strip, columns)."""
    rows = small.shape[0] // BANDS
    if rows == 0:
        return np.zeros((0, 0), np.float32)
    light = cv2.blur(small, (3, 1))[: rows * BANDS].astype(np.float32).reshape(BANDS, rows, -1)
    flat = light - light.mean((1, 2), keepdims=True)
    length = np.sqrt((flat**2).sum((1, 2), keepdims=True))
    return np.asarray(flat / np.maximum(length, 30.0 * np.sqrt(rows)), np.float32)


def _torn(now: Values, reference: Values) -> bool:
    """Return whether some strips of the picture are shifted against others, though each is as in the reference."""
    if not now.size:
        return False
    spectrum = np.fft.rfft(now, axis=2) * np.conj(np.fft.rfft(reference, axis=2))
    correlation = np.fft.irfft(spectrum.sum(1), n=now.shape[2], axis=1)  # (BANDS, shift)
    best, highest = correlation.argmax(1), correlation.max(1)
    width = now.shape[2]
    shift = np.minimum(best, width - best)
    shifted = (shift >= TORN_PX) & (highest > TORN_MATCH) & (correlation[:, 0] < TORN_MATCH / 2)
    steady = (shift < TORN_PX) & (highest > TORN_MATCH)
    together = shifted & (np.abs(best - np.roll(best, 1)) <= 1)  # shifted like the strip above
    runs = np.convolve(together.astype(int), np.ones(TORN_BANDS - 1, int), "valid")
    return bool((runs == TORN_BANDS - 1).any() and steady.any())
