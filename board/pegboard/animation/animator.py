"""The board over time: told which view to show, asked at any time for the frame."""

from dataclasses import dataclass, replace

from pegboard.animation.lights import cue_lasts_s, moment
from pegboard.animation.moves import lasts_s, midway
from pegboard.errors import FrameError
from pegboard.layout import Layout
from pegboard.ledframe import LedFrame, dark
from pegboard.pegs import BoardView, Cue, Status
from pegboard.power import BUDGET_MA, within_budget
from pegboard.render import render


@dataclass(frozen=True)
class Light:
    """How a board may shine. `brightness` (0 to 1) is as the eye sees it, `budget_ma` what all LEDs may draw.

    `calm` fades where lights would blink. `quiet` are the LEDs that reach the tray: they are dark while dice move, so
    that the camera sees the dice in their own light.
    """

    brightness: float = 1.0
    calm: bool = False
    budget_ma: float = BUDGET_MA
    quiet: tuple[int, ...] = ()


class Animator:
    """Holds the view before, the view now and since when. All times are seconds of one monotonic clock, passed in.

    Raises FrameError for a brightness, a budget or quiet LEDs that this layout cannot have.
    """

    def __init__(self, layout: Layout, light: Light | None = None) -> None:
        light = light or Light()
        within_budget(dark(layout.leds), light.budget_ma)
        if not 0 <= light.brightness <= 1:
            raise FrameError(f"expected a brightness from 0 to 1, got {light.brightness!r}")
        if not all(0 <= led < layout.leds for led in light.quiet):
            raise FrameError(f"expected quiet LEDs from 0 to {layout.leds - 1}, got {light.quiet!r}")
        self._layout = layout
        self._light = light
        self._before = BoardView()
        self._view = BoardView()
        self._cue: Cue | None = None
        self._since_s = 0.0
        self._rested_s = 0.0  # when the stage of rest began

    def show(self, view: BoardView, now_s: float, cue: Cue | None = None) -> None:
        """From `now_s` on the board goes over to `view`; pegs still on their way turn to their new holes.

        The same view again, without a cue, changes nothing: a peg that walks goes on walking.
        """
        if view.rest is not self._view.rest:
            self._rested_s = now_s
            self._view = replace(self._view, rest=view.rest)
        if view == self._view and cue is None:
            return
        self._before = midway(self._before, self._view, now_s - self._since_s)
        self._view = view
        self._cue = cue
        self._since_s = now_s

    def frame(self, now_s: float) -> LedFrame:
        """What the LEDs show at `now_s`, within the current budget."""
        elapsed_s = max(now_s - self._since_s, 0.0)
        now = midway(self._before, self._view, elapsed_s)
        lights = moment(now, elapsed_s, self._cue, self._light.calm, now_s, now_s - self._rested_s)
        frame = render(lights, self._layout, self._light.brightness)
        if self._view.status is Status.QUIET and self._light.quiet:
            frame = frame.without(self._light.quiet)
        return within_budget(frame, self._light.budget_ma)

    def busy(self, now_s: float) -> bool:
        """Whether pegs still move or a cue still shows (when not, a few frames a second are enough)."""
        return now_s - self._since_s < max(lasts_s(self._before, self._view), cue_lasts_s(self._cue))
