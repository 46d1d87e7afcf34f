"""The eye's times: a clock that may be hurried, and when a camera that gives no frames is opened again. Pure."""

from collections.abc import Callable

MOST_STEP_S = 0.07
"""A hurried clock goes no further than this from frame to frame: a throw must be seen to be one."""

SILENT_S = 2.0
"""A camera that gives no frame for so long is opened again."""

REOPENINGS = 3
"""So often; then the process ends, and the game starts another."""


class HurriedClock:
    """Time that runs `speed` times as fast as the real clock, but never leaps between two frames."""

    def __init__(self, clock: Callable[[], float], speed: float) -> None:
        self._clock = clock
        self._speed = speed
        self._real = self._now = clock()

    def __call__(self) -> float:
        """The time of the present frame."""
        return self._now

    def tick(self) -> None:
        """Go on to the next frame."""
        real = self._clock()
        passed = (real - self._real) * self._speed
        self._real = real
        self._now += passed if self._speed == 1.0 else min(passed, MOST_STEP_S)


class Reopening:
    """The first steps of the ladder for a camera without frames: times in, what is to be done out."""

    def __init__(self, now_s: float) -> None:
        self._since_s = now_s
        self.tries = 0

    def came(self, now_s: float) -> None:
        """A frame came: all is forgiven."""
        self._since_s, self.tries = now_s, 0

    def due(self, now_s: float) -> bool:
        """Whether the camera is to be opened again now; `tries` counts it."""
        if now_s - self._since_s < SILENT_S:
            return False
        self._since_s = now_s
        self.tries += 1
        return True

    @property
    def in_vain(self) -> bool:
        """Whether it has been opened again often enough."""
        return self.tries > REOPENINGS
