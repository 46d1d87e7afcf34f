"""A USB camera through V4L2: a thread takes its frames and locks its exposure, so that a hang is noticed.

A camera that sends JPEGs (MJPEG) is decoded here and not in OpenCV, which would not say that a picture is damaged.
"""

import itertools
import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from dicereader.data.frame import Frame, Pixels
from dicereader.data.pictures import DamagedPictureError, decode
from dicereader.errors import PictureError, SourceError

WIDTH_PX, HEIGHT_PX, RATE = 1280, 960, 30
MJPEG = cv2.VideoWriter.fourcc(*"MJPG")
OPEN_S = 2.0
"""Seconds that a camera may take to open and to give its first frame."""

LOCK_AFTER = 30
"""Frames that settle exposure and white balance; then they are locked, if the camera can."""

FAILS = 30
"""Frames in a row that cannot be taken before the camera counts as gone."""

DAMAGED = 30
"""Damaged frames in a row that are a fault of the camera. Frames with only bytes too many then count as whole:
some cameras always send such frames."""

_MANUAL = 1.0  # V4L2's auto_exposure: 1 is manual, 3 leaves the shutter to the camera


def open_usb(arg: str, clock: Callable[[], float], devices: Path = Path("/dev")) -> "UsbCamera":
    """Return the camera /dev/videoN.

    Raises:
        SourceError: if there is no such camera, it may not be opened, or it is in use.
    """
    if arg and not arg.isdecimal():
        raise SourceError(f"expected a camera's number after usb:, such as usb:0, got {arg!r}")
    number = int(arg or 0)
    device = devices / f"video{number}"
    if not device.exists():
        there = ", ".join(sorted(path.name for path in devices.glob("video*"))) or "none"
        raise SourceError(f"expected a camera at {str(device)!r}, got no such device; cameras here: {there}")
    try:
        device.open("rb").close()
    except PermissionError as error:
        hint = "sudo usermod -aG video $USER, then log in anew"
        raise SourceError(f"expected permission to open {str(device)!r}, got none: {hint}") from error
    except OSError as error:
        reason = error.strerror or error
        raise SourceError(f"expected a camera at {str(device)!r}, and it cannot be opened: {reason}") from error
    return UsbCamera(lambda: cv2.VideoCapture(number, cv2.CAP_V4L2), clock, str(device))


class UsbCamera:
    """Frames of a camera; `next` gives the newest one that was taken after its call.

    Every frame is taken off the camera's queue, but only requested ones are decoded: an idle table costs little.
    """

    live = True

    def __init__(
        self, opened: Callable[[], cv2.VideoCapture], clock: Callable[[], float], name: str, open_s: float = OPEN_S
    ) -> None:
        self._open = opened
        self._clock = clock
        self._name = name
        self._changed = threading.Condition()
        self._wanted = False
        self._newest: tuple[Pixels | PictureError, float] | None = None
        self._damaged = self._padded = 0  # in a row: frames that are damaged, and those with only bytes too many
        self._why: str | None = None  # why the camera is gone
        self._ready = self._ending = False
        self._numbers = itertools.count()
        threading.Thread(target=self._take, name=name, daemon=True).start()
        with self._changed:
            if not self._changed.wait_for(lambda: self._ready or self._why, open_s):
                self._ending = True
                raise SourceError(f"expected {name!r} to open within {open_s:g} s, and it does not answer")
            if self._why is not None:
                raise SourceError(self._why)

    def next(self, timeout_s: float) -> Frame | None:
        """Return the newest frame, None if none came in time.

        Raises:
            SourceError: if the camera is gone.
            PictureError: if the picture has no colour, or too many in a row were damaged.
        """
        with self._changed:
            self._wanted = True
            self._changed.wait_for(lambda: self._newest or self._why, timeout_s)
            if self._newest is None:
                if self._why is not None:
                    raise SourceError(self._why)
                return None
            (pixels, at_s), self._newest = self._newest, None
        if isinstance(pixels, PictureError):
            raise pixels
        if pixels.ndim != 3 or pixels.shape[2] != 3:
            raise PictureError(f"expected a picture in colour from {self._name!r}, got shape {pixels.shape}")
        return Frame(pixels, at_s=at_s, number=next(self._numbers))

    def close(self) -> None:
        """Let the thread close the camera; a thread that hangs in it is left behind."""
        with self._changed:
            self._ending = True

    def _take(self) -> None:
        capture = self._open()
        try:
            if not capture.isOpened():
                self._end(
                    f"expected a free camera at {self._name!r}, and it cannot be opened: does another program use it?"
                )
                return
            _set_up(capture)
            with self._changed:
                self._ready = True
                self._changed.notify_all()
            self._loop(capture)
        finally:
            capture.release()

    def _loop(self, capture: cv2.VideoCapture) -> None:
        taken = failed = 0
        while not self._ending:
            if not capture.grab():
                failed += 1
                if failed >= FAILS:
                    self._end(f"expected frames from {self._name!r}, and they have stopped: was it unplugged?")
                    return
                continue
            at_s = self._clock()
            taken, failed = taken + 1, 0
            if taken == LOCK_AFTER:
                _lock(capture)
            if not self._wanted:
                continue
            given, data = capture.retrieve()
            if given and (picture := self._decoded(np.asarray(data, np.uint8))) is not None:
                with self._changed:
                    self._newest, self._wanted = (picture, at_s), False
                    self._changed.notify_all()

    def _decoded(self, data: Pixels) -> Pixels | PictureError | None:
        """Return the picture of what the camera gave: pixels, or a JPEG in one line; None if it is damaged."""
        if data.ndim == 3 or min(data.shape, default=0) != 1:
            return data
        try:
            picture = decode(data.tobytes(), self._name)
        except PictureError as error:
            self._damaged += 1
            if not (isinstance(error, DamagedPictureError) and error.padded):
                self._padded = 0
                return None if self._damaged < DAMAGED else error
            self._padded += 1
            return None if self._padded < DAMAGED else error.pixels
        self._damaged = self._padded = 0
        return picture

    def _end(self, why: str) -> None:
        with self._changed:
            self._why = why
            self._changed.notify_all()


def _set_up(capture: cv2.VideoCapture) -> None:
    """Request the format, size and rate for dice; a camera gives what it can."""
    for prop, value in (
        (cv2.CAP_PROP_FOURCC, MJPEG),
        (cv2.CAP_PROP_FRAME_WIDTH, WIDTH_PX),
        (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT_PX),
        (cv2.CAP_PROP_FPS, RATE),
        (cv2.CAP_PROP_BUFFERSIZE, 2),
    ):
        capture.set(prop, float(value))
    if int(capture.get(cv2.CAP_PROP_FOURCC)) == MJPEG:
        capture.set(cv2.CAP_PROP_CONVERT_RGB, 0.0)


def _lock(capture: cv2.VideoCapture) -> None:
    """Lock exposure, white balance and focus at their present values, if the camera has them."""
    for prop, automatic, manual in (
        (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL),
        (cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB, 0.0),
        (cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS, 0.0),
    ):
        value = capture.get(prop)
        if capture.set(automatic, manual) and value > 0:
            capture.set(prop, value)
