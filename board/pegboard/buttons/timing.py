"""How long fingers press: the times that make taps, holds and chords of clean and of chattering contacts."""

from dataclasses import dataclass

from pegboard.errors import DriverError


@dataclass(frozen=True)
class Timing:
    """The times of the buttons, in seconds.

    A press of `hold_s` is a hold, a shorter one a tap. A second button within `chord_within_s` of the first makes a
    chord, which counts after `chord_s`. After a gesture presses are ignored for `dead_s`. A contact's level counts once
    it was the same for `settle_s`; one that is down for `stuck_s` is stuck.
    """

    hold_s: float = 1.5
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
            ("chord_s", 0.5, 30.0),
            ("stuck_s", longest_s + 1.0, 3600.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise DriverError(f"{name}: expected {least} to {most}, got {value!r}")
