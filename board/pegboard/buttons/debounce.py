"""From a contact that chatters to clean presses: a level counts once it was the same for a while.

Source of the method: a change is believed after `settle_s` without another change (an integrating debouncer with the
levels' own times, so that it needs no regular sampling).
"""

from pegboard.errors import ViewError

SETTLE_S = 0.012


class Debouncer:
    """One contact. Give it each level that was seen with its time; it answers with an edge when one is certain."""

    def __init__(self, settle_s: float = SETTLE_S, down: bool = False) -> None:
        if settle_s <= 0:
            raise ViewError(f"expected a settling time above 0 s, got {settle_s!r}")
        self._settle_s = settle_s
        self._down = down
        self._level = down
        self._since_s: float | None = None

    @property
    def down(self) -> bool:
        """The level that is believed."""
        return self._down

    def sample(self, now_s: float, down: bool) -> bool | None:
        """True for a press, False for a release, None for nothing new.

        Times must not go back. The level before this one is judged first: it lasted until `now_s`.
        """
        edge: bool | None = None
        if self._since_s is not None and self._level != self._down and now_s - self._since_s >= self._settle_s:
            self._down = self._level
            edge = self._down
        if down != self._level:
            self._level = down
            self._since_s = now_s
        return edge
