"""A live camera whose frames a thread takes, so that a camera that hangs is noticed and the newest frame is given."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from dicereader.data.frame import Frame, Pixels
from dicereader.data.pictures import DamagedPictureError, decode
from dicereader.errors import PictureError, SourceError

OPEN_S = 2.0
"""Seconds that a camera may take to open and to give its first frame."""

DAMAGED = 30
"""Damaged frames in a row that are a fault of the camera. Frames with only bytes too many then count as whole:
some cameras always send such frames."""

Picture = Pixels | bytes
"""Decoded pixels, or the bytes of a JPEG."""


class JpegDecoder:
    """Decodes a camera's JPEGs. A few damaged ones in a row are left out; more are a fault of the camera."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._damaged = self._padded = 0  # in a row: frames that are damaged, and those with only bytes too many

    def decoded(self, data: bytes) -> Pixels | None:
        """Return the picture in a JPEG, or None if it is damaged.

        Raises:
            PictureError: if `DAMAGED` frames in a row were damaged.
        """
        try:
            picture = decode(data, self._name)
        except PictureError as error:
            self._damaged += 1
            if isinstance(error, DamagedPictureError) and error.padded:
                self._padded += 1
                return None if self._padded < DAMAGED else error.pixels
            self._padded = 0
            if self._damaged < DAMAGED:
                return None
            raise
        self._damaged = self._padded = 0
        return picture


class CameraThread(ABC):
    """Frames of a camera; `next` gives the newest one that was taken after its call."""

    live = True

    def __init__(self, clock: Callable[[], float], name: str, open_s: float | None) -> None:
        """Start to take frames. A subclass calls this last.

        Args:
            clock: seconds on a monotonic clock.
            name: the camera in words, for errors.
            open_s: the seconds that it may take to open; None does not wait.

        Raises:
            SourceError: if it cannot be opened, or not in time.
        """
        self._clock = clock
        self._name = name
        self._changed = threading.Condition()
        self._wanted = False
        self._newest: tuple[Picture, float] | None = None
        self._why: str | None = None  # why the camera is gone
        self._ready = self._ending = False
        self._jpegs = JpegDecoder(name)
        threading.Thread(target=self._run, name=name, daemon=True).start()
        if open_s is None:
            return
        with self._changed:
            if not self._changed.wait_for(lambda: self._ready or self._why is not None, open_s):
                self._ending = True
                raise SourceError(f"expected {name!r} to open within {open_s:g} s, and it does not answer")
            if self._why is not None:
                raise SourceError(self._why)

    @abstractmethod
    def _take(self) -> str:
        """Take frames until `_ending`, and give each to `_offer`; return why the camera is gone."""

    def next(self, timeout_s: float) -> Frame | None:
        """Return the newest frame, None if none came in time. `SourceError` reaches the caller if the camera is gone.

        Raises:
            PictureError: if the picture has no colour, or too many in a row were damaged.
        """
        ends_s = time.monotonic() + timeout_s
        while (newest := self._newest_within(ends_s - time.monotonic())) is not None:
            picture, at_s = newest
            pixels = self._jpegs.decoded(picture) if isinstance(picture, bytes) else picture
            if pixels is None:
                continue
            if pixels.ndim != 3 or pixels.shape[2] != 3:
                raise PictureError(f"expected a picture in colour from {self._name!r}, got shape {pixels.shape}")
            return Frame(pixels, at_s=at_s)
        return None

    def close(self) -> None:
        """Let the thread close the camera; a thread that hangs in it is left behind."""
        with self._changed:
            self._ending = True

    def _newest_within(self, timeout_s: float) -> tuple[Picture, float] | None:
        """Return the newest picture and its time, None if none came in time.

        Raises:
            SourceError: if the camera is gone.
        """
        with self._changed:
            self._wanted = True
            self._changed.wait_for(lambda: self._newest or self._why is not None, timeout_s)
            newest, self._newest = self._newest, None
            if newest is None and self._why is not None:
                raise SourceError(self._why)
            return newest

    def _opened(self) -> None:
        """Note that the camera is open."""
        with self._changed:
            self._ready = True
            self._changed.notify_all()

    def _offer(self, picture: Picture, at_s: float) -> None:
        """Give a picture, taken at `at_s`, if `next` waits for one."""
        with self._changed:
            if self._wanted:
                self._newest, self._wanted = (picture, at_s), False
                self._changed.notify_all()

    def _take_from(
        self, capture: Any, gone: str, fails: int = 1, taken_one: Callable[[int], None] = lambda _: None
    ) -> str:
        """Take frames of OpenCV's open capture until `_ending`; return why the camera is gone.

        Every frame is taken off the camera's queue, but only requested ones are decoded: an idle table costs little.

        Args:
            capture: the capture.
            gone: why the camera is gone if `fails` frames in a row cannot be taken.
            fails: the number of those frames.
            taken_one: is called after each frame with the number of frames taken.
        """
        taken = failed = 0
        while not self._ending:
            if not capture.grab():
                failed += 1
                if failed >= fails:
                    return gone
                continue
            at_s = self._clock()
            taken, failed = taken + 1, 0
            taken_one(taken)
            given, data = capture.retrieve() if self._wanted else (False, None)
            if given:
                picture = np.asarray(data, np.uint8)
                jpeg = picture.ndim != 3 and min(picture.shape, default=0) == 1  # the bytes of one, as a line
                self._offer(picture.tobytes() if jpeg else picture, at_s)
        return ""

    def _run(self) -> None:
        why = self._take()
        with self._changed:
            self._why = why
            self._changed.notify_all()
