"""The throttle: how fast one address may read and write. It slows down and refuses for a moment; it never bans."""

from collections import OrderedDict
from dataclasses import dataclass, field

MOST_ADDRESSES = 256
"""So many addresses are remembered, the latest; one that is forgotten starts afresh."""


@dataclass(frozen=True)
class Rate:
    """So many a second, and so many at once after a pause; one more waits up to `patience_s` or is refused."""

    a_second: float
    burst: int
    patience_s: float = 1.0


READS = Rate(20, 80)
"""A page with all that it fetches is some thirty reads."""

WRITES = Rate(5, 20)


@dataclass
class Throttle:
    """One rate for each address. The times come in, in seconds on any clock that never goes back."""

    rate: Rate
    _spent: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def wait_s(self, address: str, now_s: float) -> float | None:
        """How long this request must wait, 0 for most; None where it is refused, and then it counts for nothing."""
        spent, since_s = self._spent.pop(address, (0.0, now_s))
        spent = max(0.0, spent - (now_s - since_s) * self.rate.a_second)
        wait_s = max(0.0, (spent + 1 - self.rate.burst) / self.rate.a_second)
        refused = wait_s > self.rate.patience_s
        self._spent[address] = (spent if refused else spent + 1, now_s)
        while len(self._spent) > MOST_ADDRESSES:
            self._spent.popitem(last=False)
        return None if refused else wait_s
