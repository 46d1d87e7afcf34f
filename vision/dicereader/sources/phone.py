"""A phone whose browser takes the pictures: the table's page gets them, and passes them on to the eye."""

import math
from collections.abc import Callable

from dicereader.data.frame import Frame
from dicereader.data.pictures import size
from dicereader.errors import PictureError, SourceError
from dicereader.sources.camera_thread import JpegDecoder

MOST_PX = 4_000_000
"""The most pixels of a picture."""


def open_phone(arg: str, clock: Callable[[], float]) -> "PhoneCamera":
    """Return the source of pictures that `give` gets.

    Raises:
        SourceError: if there is an argument.
    """
    if arg:
        raise SourceError(f"expected phone without a colon, got {'phone:' + arg!r}")
    return PhoneCamera(clock)


class PhoneCamera:
    """The newest picture that a phone has sent. It is never opened again: the phone comes back by itself."""

    live = True
    silent_s = math.inf
    waiting = "no picture comes from the phone: is the page Camera open there, and its screen on?"

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._jpegs = JpegDecoder("phone")
        self._newest: tuple[bytes, float] | None = None
        self._before = b""

    def give(self, picture: bytes) -> None:
        """Take a picture as JPEG; the one before is dropped if `next` has not given it yet."""
        if picture != self._before:  # a browser repeats a picture while its camera gives no new one
            self._newest, self._before = (picture, self._clock()), picture

    def next(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - the port has it
        """Return the newest picture that was not given yet, or None; it does not wait.

        Raises:
            PictureError: if the picture has more than `MOST_PX`, or too many in a row were damaged.
        """
        if self._newest is None:
            return None
        (picture, at_s), self._newest = self._newest, None
        width, height = size(picture, "phone")
        if width * height > MOST_PX:
            raise PictureError(f"expected at most {MOST_PX:,} pixels from the phone, got {width} x {height}")
        pixels = self._jpegs.decoded(picture)
        return None if pixels is None else Frame(pixels, at_s=at_s)

    def close(self) -> None:
        """Forget the newest picture."""
        self._newest = None
