"""The animator: takes the views to show, and returns the frame for any time."""

from dataclasses import dataclass, replace

from pegboard.animation.effects import board_lights, effect_duration_s
from pegboard.animation.moves import between, moves_duration_s
from pegboard.errors import FrameError
from pegboard.layouts import Layout
from pegboard.ledframe import BUDGET_MA, LedFrame, dark, duty, lit, within_budget
from pegboard.palette import WHITE
from pegboard.pegs import BoardView, Effect, Status
from pegboard.render import render

HOLES_LEVEL = 0.7
"""The level of holes that are lit alone."""


@dataclass(frozen=True)
class LightSettings:
    """The settings of all lights.

    Attributes:
        brightness: the factor of all levels, from 0 to 1 to the eye.
        calm: whether lights fade instead of blinking.
        budget_ma: the most current of all LEDs, in milliamperes.
        quiet: the LEDs that stay dark in the status QUIET, because their light would disturb a camera.
    """

    brightness: float = 1.0
    calm: bool = False
    budget_ma: float = BUDGET_MA
    quiet: tuple[int, ...] = ()


class Animator:
    """The views that a board shows one after the other. All times are seconds of one monotonic clock, passed in.

    The constructor raises `FrameError` for settings that this layout cannot have.
    """

    def __init__(self, layout: Layout, settings: LightSettings | None = None) -> None:
        settings = settings or LightSettings()
        within_budget(dark(layout.leds), settings.budget_ma)
        if not 0 <= settings.brightness <= 1:
            raise FrameError(f"expected a brightness from 0 to 1, got {settings.brightness!r}")
        if not all(0 <= led < layout.leds for led in settings.quiet):
            raise FrameError(f"expected quiet LEDs from 0 to {layout.leds - 1}, got {settings.quiet!r}")
        self._layout = layout
        self.settings = settings
        """How the board is lit; another value counts from the next frame on."""
        self._before = BoardView()
        self._view = BoardView()
        self._effect: Effect | None = None
        self._since_s = 0.0
        self._idle_s = 0.0  # the time at which the idle stage began

    def show(self, view: BoardView, now_s: float, effect: Effect | None = None) -> None:
        """Change to `view` at `now_s`; pegs that are moving continue to their new holes.

        The same view again, without an effect, changes nothing: moving pegs keep moving.
        """
        if view.idle is not self._view.idle:
            self._idle_s = now_s
            self._view = replace(self._view, idle=view.idle)
        if view == self._view and effect is None:
            return
        self._before = between(self._before, self._view, now_s - self._since_s)
        self._view = view
        self._effect = effect
        self._since_s = now_s

    def frame(self, now_s: float) -> LedFrame:
        """Return the frame at `now_s`, within the current budget."""
        elapsed_s = max(now_s - self._since_s, 0.0)
        now = between(self._before, self._view, elapsed_s)
        lights = board_lights(now, elapsed_s, self._effect, self.settings.calm, now_s, now_s - self._idle_s)
        frame = render(lights, self._layout, self.settings.brightness)
        if self._view.status is Status.QUIET and self.settings.quiet:
            frame = frame.without(self.settings.quiet)
        return within_budget(frame, self.settings.budget_ma)

    def holes(self, holes: tuple[int, ...]) -> LedFrame:
        """Return the frame in which these holes alone are lit, white in each lane, within the current budget."""
        leds = (lane.spots[hole].led for lane in self._layout.lanes for hole in holes)
        frame = lit(self._layout.leds, leds, duty(WHITE.rgb, HOLES_LEVEL * self.settings.brightness))
        return within_budget(frame, self.settings.budget_ma)

    def busy(self, now_s: float) -> bool:
        """Return whether pegs move or an effect is shown; if not, a few frames a second are enough."""
        return now_s - self._since_s < max(
            moves_duration_s(self._before, self._view), effect_duration_s(self._effect, self._view)
        )
