"""The sources of frames: one driver a file, opened by name from one table."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from dicereader.errors import SourceError
from dicereader.frame import Frame
from dicereader.world import World

Clock = Callable[[], float]
"""Seconds on the source's own monotonic clock."""


class FrameSource(Protocol):
    """A source of frames: `live` cameras and clips, or photographs; `simulated` if the pictures are drawn."""

    @property
    def live(self) -> bool:
        """Whether frames follow each other in time, so that settling and frozen pictures can be detected."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether the pictures are drawn and not taken."""
        ...

    def next(self, timeout_s: float) -> Frame | None:
        """Return the newest frame, None if there is none within `timeout_s` seconds.

        Numbers and times never go back.

        Raises:
            SourceError: if no more frames will come.
            PictureError: if one frame could not be read; the next call may give another.
        """
        ...

    def close(self) -> None:
        """Release the device; may be called more than once."""
        ...


@runtime_checkable
class StillSource(Protocol):
    """A source of photographs: each is given once, on request."""

    def advance(self) -> None:
        """Request the next photograph."""
        ...


@runtime_checkable
class WorldSource(Protocol):
    """A source that draws Worlds."""

    def set_world(self, world: World) -> None:
        """Draw this World from now on."""
        ...


def _picamera2(arg: str, clock: Clock) -> FrameSource:
    from dicereader.sources.pi_camera import open_pi

    return open_pi(arg, clock)


def _recorded(arg: str, clock: Clock) -> FrameSource:
    from dicereader.sources.recorded import open_recorded

    return open_recorded(arg, clock)


def _synthetic(arg: str, clock: Clock) -> FrameSource:
    from dicereader.sources.synthetic.source import SyntheticSource

    if arg and not arg.isdecimal():
        raise SourceError(f"expected the simulated table's number after synthetic:, got {arg!r}")
    return SyntheticSource(clock, seed=int(arg or 0))


def _usb(arg: str, clock: Clock) -> FrameSource:
    from dicereader.sources.usb_camera import open_usb

    return open_usb(arg, clock)


SOURCES: dict[str, Callable[[str, Clock], FrameSource]] = {
    "picamera2": _picamera2,
    "recorded": _recorded,
    "synthetic": _synthetic,
    "usb": _usb,
}
"""The drivers by name. Each takes the text after the colon and the clock, and imports what it needs when called."""


def open_source(name: str, arg: str, clock: Clock) -> FrameSource:
    """Return the source of frames with this name.

    Raises:
        SourceError: if there is no such source, with the known names, or it cannot be opened.
    """
    driver = SOURCES.get(name)
    if driver is None:
        raise SourceError(f"expected a source of {', '.join(sorted(SOURCES))}, got {name!r}")
    return driver(arg, clock)
