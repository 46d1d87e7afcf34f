"""The sources of frames: one driver a file, opened by name from one table."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from dicereader.data.camera_modules import CameraView
from dicereader.errors import SourceError

if TYPE_CHECKING:  # so that a World can be imported without numpy
    from dicereader.data.frame import Frame
    from dicereader.sources.synthetic.world import World

Clock = Callable[[], float]
"""Seconds on the source's own monotonic clock."""


class FrameSource(Protocol):
    """A source of frames: `live` cameras and clips, or photographs."""

    @property
    def live(self) -> bool:
        """Whether frames follow each other in time, so that settling and frozen pictures can be detected."""

    def next(self, timeout_s: float) -> "Frame | None":
        """Return the newest frame, None if there is none within `timeout_s` seconds.

        Times never go back.

        Raises:
            SourceError: if no more frames will come.
            PictureError: if one frame could not be read; the next call may give another.
        """

    def close(self) -> None:
        """Release the device; may be called more than once."""


@runtime_checkable
class StillSource(Protocol):
    """A source of photographs: each is given once, on request."""

    def advance(self) -> None:
        """Request the next photograph."""


@runtime_checkable
class ViewedSource(Protocol):
    """A source that knows the sensor's mode and the field of view of its pictures."""

    view: CameraView


@runtime_checkable
class RemoteSource(Protocol):
    """A source on another machine, which may be slow to give its first frame."""

    silent_s: float
    """Seconds without a frame after which opening it again helps."""

    waiting: str
    """What the table says until then, in words."""


@runtime_checkable
class GivenSource(Protocol):
    """A source that gets its pictures from outside."""

    def give(self, picture: bytes) -> None:
        """Take a picture as JPEG."""


@runtime_checkable
class WorldSource(Protocol):
    """A source that draws Worlds."""

    def set_world(self, world: "World") -> None:
        """Draw this World from now on."""


SOURCES = {
    "phone": ("phone", "open_phone"),
    "picamera2": ("pi_camera", "open_pi"),
    "recorded": ("recorded", "open_recorded"),
    "synthetic": ("synthetic.source", "open_synthetic"),
    "url": ("url_camera", "open_url"),
    "usb": ("usb_camera", "open_usb"),
}
"""The drivers by name: the module, imported only when it is used, and its function.

The function takes the text after the colon and the clock.
"""


def open_source(name: str, arg: str, clock: Clock) -> FrameSource:
    """Return the source of frames with this name.

    Raises:
        SourceError: if there is no such source, with the known names, or it cannot be opened.
    """
    driver = SOURCES.get(name)
    if driver is None:
        raise SourceError(f"expected a source of {', '.join(sorted(SOURCES))}, got {name!r}")
    module, function = driver
    source: FrameSource = getattr(import_module(f"dicereader.sources.{module}"), function)(arg, clock)
    return source
