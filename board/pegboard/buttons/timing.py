"""The times of the buttons: how long a hold and a chord are, and how long a contact settles."""

from dataclasses import dataclass

from pegboard.errors import DriverError


@dataclass(frozen=True)
class Timing:
    """The times of the buttons, in seconds.

    Attributes:
        hold_s: the least time of a hold; a shorter press is a tap.
        long_hold_s: the least time of a long hold, which follows the hold of the same press.
        chord_within_s: the longest time from the first button of a chord to the second.
        chord_s: the time that a chord must be held.
        dead_s: the time after a gesture in which presses are ignored.
        settle_s: the time that a contact must be at a level before the level counts.
        stuck_s: the time after which a button that is down is stuck.
    """

    hold_s: float = 1.5
    long_hold_s: float = 5.0
    chord_within_s: float = 0.3
    chord_s: float = 3.0
    dead_s: float = 0.4
    settle_s: float = 0.012
    stuck_s: float = 30.0

    def __post_init__(self) -> None:
        longest_s = max(self.hold_s, self.chord_s)
        for name, least, most in (
            ("settle_s", 0.001, 0.1),
            ("dead_s", 0.0, 5.0),
            ("chord_within_s", 0.05, 2.0),
            ("hold_s", max(0.3, self.chord_within_s), 10.0),
            ("long_hold_s", self.hold_s + 0.5, 20.0),
            ("chord_s", 0.5, 30.0),
            ("stuck_s", longest_s + 1.0, 3600.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise DriverError(f"{name}: expected {least} to {most}, got {value!r}")
