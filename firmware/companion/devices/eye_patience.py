"""Decide when the eye hangs, and when it is started again. Times are arguments."""

from dataclasses import dataclass
from pathlib import Path

WORK_WEIGHT = 0.25
"""How much a second of computing counts against the patience: a slow processor takes longer for the same work."""

RETRY_S = 10.0
"""Seconds between starts after `FAILED_STARTS` failures in a row; an eye that works this long clears them."""

FAILED_STARTS = 2


@dataclass
class RestartSchedule:
    """Decides when the eye is started again, and when its failure is reported. Pure: times are arguments.

    An eye that has worked for `RETRY_S` clears the count of failures.
    """

    failures: int = 0
    started_s: float = 0.0
    next_start_s: float = 0.0
    reported: bool = False
    worked: bool = False

    def start(self, now_s: float) -> None:
        """Note that an eye is started."""
        self.started_s, self.worked = now_s, False

    def succeed(self, now_s: float) -> None:
        """Note that a frame has come, which ends a reported failure."""
        self.reported, self.worked = False, True
        if now_s - self.started_s >= RETRY_S:
            self.failures = 0

    def fail(self, now_s: float) -> bool:
        """Count an end or a hang of the eye; return whether to report it.

        The second failure in a row is reported, and no other one before the next frame.
        """
        self.failures += 1
        self.next_start_s = now_s + (RETRY_S if self.failures >= FAILED_STARTS else 0.0)
        report = self.failures >= FAILED_STARTS and not self.reported
        self.reported = self.reported or report
        return report


def patience_s(now_s: float, ran_s: float = 0.0, queued_s: float = 0.0) -> float:
    """Return the time by which the patience with a process is counted.

    Time in which it waits for the processor does not count, and time in which it computes counts by `WORK_WEIGHT`.

    Args:
        now_s: the time of a monotonic clock.
        ran_s: for how long its main thread has run.
        queued_s: for how long that thread has waited until it could run.
    """
    return now_s - queued_s - (1 - WORK_WEIGHT) * ran_s


def processor_times(pid: int) -> tuple[float, float]:
    """Return for how long the main thread of a process has run and waited, in seconds; zeros if that is unreadable.

    They are from its schedstat file (proc_pid_schedstat(5)).
    """
    try:
        ran_ns, queued_ns, _ = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0.0, 0.0
    return int(ran_ns) / 1e9, int(queued_ns) / 1e9
