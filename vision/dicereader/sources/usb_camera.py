"""A USB camera through V4L2: a thread takes its frames and locks its exposure.

JPEGs (MJPEG) are decoded by `CameraThread` and not by OpenCV, which would not say that a picture is damaged.
"""

from collections.abc import Callable
from pathlib import Path

import cv2

from dicereader.errors import SourceError
from dicereader.sources.camera_thread import OPEN_S, CameraThread
from dicereader.sources.found_cameras import cameras, listed, number_of

WIDTH_PX, HEIGHT_PX, RATE = 1280, 960, 30
MJPEG = cv2.VideoWriter.fourcc(*"MJPG")

LOCK_AFTER = 30
"""Frames that settle exposure and white balance; then they are locked, if the camera can."""

FAILS = 30
"""Frames in a row that cannot be taken before the camera counts as gone."""

_MANUAL = 1.0  # V4L2's auto_exposure: 1 is manual, 3 leaves the shutter to the camera


def open_usb(arg: str, clock: Callable[[], float], devices: Path = Path("/dev")) -> "UsbCamera":
    """Return the camera /dev/videoN, the one that udev gives a name, or the only one if `arg` is empty.

    Raises:
        SourceError: if there is no such camera, or more than one without a name; if it may not be opened, or is in use.
    """
    known, number = cameras(devices), number_of(arg, devices)
    if number is None:
        wanted = f"the USB camera {arg!r}" if arg else "usb: and the name of a camera" if known else "a USB camera"
        raise SourceError(f"expected {wanted}, got none; cameras here: {listed(known)}")
    device = devices / f"video{number}"
    try:
        device.open("rb").close()
    except PermissionError as error:
        hint = "sudo usermod -aG video $USER, then log in anew"
        raise SourceError(f"expected permission to open {str(device)!r}, got none: {hint}") from error
    except OSError as error:
        reason = f"{error.strerror or error}; cameras here: {listed(known)}"
        raise SourceError(f"expected a camera at {str(device)!r}, and it cannot be opened: {reason}") from error
    return UsbCamera(lambda: cv2.VideoCapture(number, cv2.CAP_V4L2), clock, str(device))


class UsbCamera(CameraThread):
    """Frames of a V4L2 camera."""

    def __init__(
        self, opened: Callable[[], cv2.VideoCapture], clock: Callable[[], float], name: str, open_s: float = OPEN_S
    ) -> None:
        self._open = opened
        super().__init__(clock, name, open_s)

    def _take(self) -> str:
        capture = self._open()
        try:
            if not capture.isOpened():
                return (
                    f"expected a free camera at {self._name!r}, and it cannot be opened: does another program use it?"
                )
            _set_up(capture)
            self._opened()
            gone = f"expected frames from {self._name!r}, and they have stopped: was it unplugged?"
            return self._take_from(capture, gone, FAILS, lambda taken: _lock(capture) if taken == LOCK_AFTER else None)
        finally:
            capture.release()


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
