"""The board over time: told which view to show, asked at any time for the frame."""

from pegboard.animation.lights import cue_lasts_s, moment
from pegboard.animation.moves import lasts_s, midway
from pegboard.layout import Layout
from pegboard.ledframe import LedFrame
from pegboard.pegs import BoardView, Cue
from pegboard.power import BUDGET_MA, within_budget
from pegboard.render import render


class Animator:
    """Holds the view before, the view now and since when. All times are seconds of one monotonic clock, passed in."""

    def __init__(
        self, layout: Layout, *, calm: bool = False, brightness: float = 1.0, budget_ma: float = BUDGET_MA
    ) -> None:
        self._layout = layout
        self._calm = calm
        self._brightness = brightness
        self._budget_ma = budget_ma
        self._before = BoardView()
        self._view = BoardView()
        self._cue: Cue | None = None
        self._since_s = 0.0

    def show(self, view: BoardView, now_s: float, cue: Cue | None = None) -> None:
        """From `now_s` on the board goes over to `view`; pegs still on their way turn to their new holes.

        The same view again, without a cue, changes nothing: a peg that walks goes on walking.
        """
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
        lights = moment(now, elapsed_s, self._cue, self._calm)
        return within_budget(render(lights, self._layout, self._brightness), self._budget_ma)

    def busy(self, now_s: float) -> bool:
        """Whether pegs still move or a cue still shows (when not, a few frames a second are enough)."""
        return now_s - self._since_s < max(lasts_s(self._before, self._view), cue_lasts_s(self._cue))
