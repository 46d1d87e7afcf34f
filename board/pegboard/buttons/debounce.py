"""From a contact that chatters to clean edges: a level counts once it was the same for a while.

Source of the method: a change is believed after `settle_s` without another change (an integrating debouncer with the
levels' own times, so that it needs no regular sampling).
"""

from dataclasses import dataclass

from pegboard.buttons.timing import Timing
from pegboard.errors import ViewError


@dataclass(frozen=True)
class Edge:
    """The contact closed (`down`) or opened at `at_s`, and has stayed so."""

    down: bool
    at_s: float


class Debouncer:
    """One contact. Give it each level that was seen with its time; it answers with an edge when one is certain."""

    def __init__(self, settle_s: float = Timing.settle_s, down: bool = False) -> None:
        if settle_s <= 0:
            raise ViewError(f"expected a settling time above 0 s, got {settle_s!r}")
        self._settle_s = settle_s
        self._down = down
        self._level = down
        self._since_s = float("-inf")

    @property
    def down(self) -> bool:
        """The level that is believed."""
        return self._down

    def sample(self, now_s: float, down: bool) -> Edge | None:
        """The level is `down` from `now_s` on. Times must not go back.

        The level before this one is judged first: it lasted until `now_s`.
        """
        edge = self.advance(now_s)
        if down != self._level:
            self._level = down
            self._since_s = now_s
        return edge

    def advance(self, now_s: float) -> Edge | None:
        """The level has stayed what it was until `now_s`."""
        if self._level == self._down or now_s - self._since_s < self._settle_s:
            return None
        self._down = self._level
        return Edge(self._down, self._since_s)
