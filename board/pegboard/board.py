"""A board for other programs: opens a strip by name, and moves pegs and shows them."""

import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from pegboard.animation.animator import Animator, LightSettings
from pegboard.errors import UnknownDriverError, ViewError
from pegboard.layouts import DEFAULT, Layout, load_layout
from pegboard.leds.led_drivers import open_leds
from pegboard.palette import MOST_PLAYERS, mark
from pegboard.pegs import BoardView, LaneView
from pegboard.track import HOLES, Hole, Track

FRAMES_A_SECOND = 30


class Board:
    """The pegs of a board, and the strip that shows them. Use it in a `with` statement, or call `close`."""

    def __init__(
        self,
        leds: str = "terminal",
        layout: str | Layout = DEFAULT,
        *,
        track: int = HOLES,
        settings: LightSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Open the strip.

        Raises `LayoutError` for a layout that does not exist, `TrackError` for a track that is too short or too long,
        `FrameError` for settings that the layout cannot have, and `DriverError` for a strip that cannot be opened.

        Args:
            leds: a driver's name, with its argument after a colon: `terminal`, `simulated`, `neopixel`,
                `wled:192.168.1.9`, or your own Python file.
            layout: the name of a packaged layout, a TOML file, or a layout.
            track: the number of holes of the game, from 11 to 1001; on a shorter board pegs walk round again.
            settings: brightness, calm lights, and the most current.
            clock: returns the seconds of a monotonic clock.
            sleep: waits for a number of seconds.

        Raises:
            UnknownDriverError: if there is no such driver.
        """
        if not isinstance(leds, str):
            raise UnknownDriverError(f"expected the name of an LED driver, got {leds!r}")
        self.layout = layout if isinstance(layout, Layout) else load_layout(layout)
        self._settings, self._clock, self._sleep = settings, clock, sleep
        self._animator = Animator(self.layout, settings)
        self._view = BoardView(track=Track(track))
        name, _, arg = leds.partition(":")
        self.strip = open_leds(name, arg, self.layout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def place(self, side: int, back: int, front: int | None = None) -> None:
        """Put the pegs of one side into these holes; `show` makes it visible.

        Args:
            side: the side, from 0; each has a lane, a colour and a shape.
            back: the hole of the back peg, from 0 at the start to the end of the track.
            front: the hole of the front peg; by default that of the back peg.

        Raises:
            ViewError: if there is no such side or hole.
        """
        holes = (back, back if front is None else front)
        for what, number, most in (
            ("a side", side, MOST_PLAYERS - 1),
            *(("a hole", hole, self._view.track.holes) for hole in holes),
        ):
            if type(number) is not int or not 0 <= number <= most:
                raise ViewError(f"expected {what} from 0 to {most}, got {number!r}")
        lanes = list(self._view.lanes)
        lanes += [LaneView(mark(each), Hole(0), Hole(0)) for each in range(len(lanes), side + 1)]
        lanes[side] = LaneView(mark(side), Hole(holes[0]), Hole(holes[1]))
        self._view = replace(self._view, lanes=tuple(lanes))

    def turn(self, side: int | None) -> None:
        """Let the front peg of one side breathe; with None no peg breathes.

        Raises:
            ViewError: if this side has no pegs.
        """
        sides = range(len(self._view.lanes))
        if side is not None and (type(side) is not int or side not in sides):
            raise ViewError(f"expected one of the {len(sides)} sides with pegs, or None, got {side!r}")
        self._view = replace(self._view, turn=side)

    def show(self, *, walk: bool = True) -> None:
        """Show the pegs where they were placed, and return when they have arrived.

        Raises `DriverError` if the strip is lost.

        Args:
            walk: move each peg hole by hole from where it was last shown, instead of showing it there at once.
        """
        if not walk:
            self._animator = Animator(self.layout, self._settings)
        self._animator.show(self._view, self._clock())
        while self._animator.busy(self._clock()):
            self.strip.show(self._animator.frame(self._clock()))
            self._sleep(1 / FRAMES_A_SECOND)
        self.strip.show(self._animator.frame(self._clock()))

    def close(self) -> None:
        """Make the strip dark and release it; a second call does nothing."""
        self.strip.close()
