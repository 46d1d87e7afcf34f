"""The eye's timing: settings of the settle detection, the clock of simulated sources, when a camera is reopened."""

from collections.abc import Callable
from dataclasses import dataclass

from dicereader.errors import TimingError

MOST_STEP_S = 0.07
"""Seconds that a scaled clock advances from frame to frame at most: a throw must be seen in motion."""

SILENT_S = 2.0
"""Seconds without a frame after which the camera is reopened."""

REOPENINGS = 3
"""Times the camera is reopened before the process ends and the game starts another."""


REST = 0.25
"""Seconds that the eye rests after each second of work on moving dice: its work takes at most 80 % of the time."""

BEHIND = 0.5
"""Fraction of the wanted frames a second of moving dice below which the eye reports that it looks at fewer."""

LOOKS = 20
"""Frames of motion over which the frames a second are counted."""

REPORT_AGAIN_S = 60.0
"""The least seconds between two reports."""


@dataclass(frozen=True)
class SettleTiming:
    """Timing of the settle detection: how long the tray must be still, and the frame rates. Times are frame times."""

    still_s: float = 0.35  # how long the tray must be still
    still_frames: int = 5  # frames of the still tray that are read and vote
    agreeing: int = 3  # votes that are enough
    hand_gone_s: float = 0.07  # after a hand has gone, its last shadow still passes over the dice
    dead_still_s: float = 5.0  # an object over the border that does not move for this long is no hand
    missing_s: float = 3.0  # how long more dice may still come if too few were thrown
    unsteady: int = 4  # how often the vote is repeated because dice turn in a still picture
    frames_a_second: float = 30.0  # frame rate from the first motion on
    idle_frames_a_second: float = 10.0  # frame rate while nothing moves
    idle_after_s: float = 3.0  # how long nothing has moved before the idle frame rate

    def __post_init__(self) -> None:
        for name, least, most in (
            ("still_s", 0.05, 5.0),
            ("still_frames", 1, 30),
            ("agreeing", 1, self.still_frames),
            ("hand_gone_s", 0.0, 2.0),
            ("missing_s", self.still_s, 60.0),
            ("unsteady", 0, 100),
            ("dead_still_s", 0.5, 60.0),
            ("frames_a_second", 2.0, 120.0),
            ("idle_frames_a_second", 1.0, self.frames_a_second),
            ("idle_after_s", 0.0, 600.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise TimingError(f"{name}: expected {least} to {most}, got {value!r}")


class ScaledClock:
    """A clock that runs `speed` times as fast as the real one.

    Unless it is `real`, it advances by at most `MOST_STEP_S` from frame to frame: simulated dice wait for a busy
    processor, dice before a camera do not.
    """

    def __init__(self, clock: Callable[[], float], speed: float) -> None:
        self._clock = clock
        self._speed = speed
        self._real = self._now = clock()
        self.real = speed == 1.0

    def __call__(self) -> float:
        """Return the time of the present frame."""
        return self._now

    def tick(self) -> None:
        """Advance to the next frame."""
        real = self._clock()
        passed = (real - self._real) * self._speed
        self._real = real
        self._now += passed if self.real else min(passed, MOST_STEP_S)


class LookRate:
    """Counts the frames a second that the eye's work on moving dice, and its rests, leave time for.

    Fewer than the fraction `BEHIND` of the wanted ones, over `LOOKS` frames, are reported. The time in which the eye
    waits for the camera does not count, so a slow camera is never taken for a slow processor.
    """

    def __init__(self, wanted: float) -> None:
        """Start with the wanted frames a second."""
        self._wanted = wanted
        self._looks = 0
        self._taken_s = 0.0
        self._reported_s = float("-inf")

    def look(self, now_s: float, work_s: float) -> float | None:
        """Add the work on a frame of moving dice; return the possible frames a second if they are to be reported."""
        self._looks += 1
        self._taken_s += work_s * (1 + REST)
        if self._looks < LOOKS:
            return None
        looks, taken_s = self._looks, self._taken_s
        self._looks, self._taken_s = 0, 0.0
        if looks >= BEHIND * self._wanted * taken_s or now_s - self._reported_s < REPORT_AGAIN_S:
            return None
        self._reported_s = now_s
        return looks / taken_s


class ReopenTimer:
    """Decides when to reopen a camera that gives no frames, and when to give up."""

    def __init__(self, now_s: float, silent_s: float = SILENT_S) -> None:
        """Begin. A camera that only gives no frame is reopened after `silent_s`, a broken one after `SILENT_S`."""
        self._since_s = now_s
        self._silent_s = silent_s
        self._reopened = 0

    def frame_came(self, now_s: float) -> None:
        """Start again from the frame that came."""
        self._since_s, self._reopened = now_s, 0

    def is_silent(self, now_s: float, for_s: float = SILENT_S) -> bool:
        """Return whether no frame has come for some seconds, by default those after which the table says so."""
        return now_s - self._since_s >= for_s

    def due(self, now_s: float, *, broken: bool) -> bool:
        """Return whether the camera must be reopened now, and count it."""
        if now_s - self._since_s < (SILENT_S if broken else self._silent_s):
            return False
        self._since_s = now_s
        self._reopened += 1
        return True

    @property
    def exhausted(self) -> bool:
        """Whether the camera has been reopened `REOPENINGS` times without a frame."""
        return self._reopened > REOPENINGS
