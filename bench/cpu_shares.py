"""Limit processes to a share of a core, by cgroups of version 1 or 2."""

import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

PERIOD_US = 10_000
"""Microseconds of a quota's period. A short period resembles a slow core."""
LEAST_QUOTA_US = 1_000
"""The kernel takes no smaller quota."""
WORK = "import time\nt = time.monotonic()\nsum(i * i % 7 for i in range(3_000_000))\nw = time.monotonic() - t\n"
WORK += "print(w / time.process_time())"


class CpuGroup:
    """A cgroup of its own with a quota of processor time."""

    def __init__(self, folder: Path, core_share: float, *, v2: bool) -> None:
        self._folder = folder
        period_us = max(PERIOD_US, math.ceil(LEAST_QUOTA_US / core_share))
        quota_us = round(core_share * period_us)
        folder.mkdir()
        try:
            if v2:
                (folder / "cpu.max").write_text(f"{quota_us} {period_us}")
            else:
                (folder / "cpu.cfs_period_us").write_text(str(period_us))
                (folder / "cpu.cfs_quota_us").write_text(str(quota_us))
        except OSError:
            folder.rmdir()
            raise

    def add(self, pid: int) -> None:
        """Limit a process and its children to the quota."""
        (self._folder / "cgroup.procs").write_text(str(pid))

    def close(self) -> None:
        """Remove the group. Its processes must have ended."""
        for _ in range(50):
            try:
                self._folder.rmdir()
            except OSError:
                time.sleep(0.1)
            else:
                return


def groups_root() -> tuple[Path, bool]:
    """Return the folder where groups with a quota can be made, and whether it is of cgroup v2.

    Raises:
        OSError: if there is none, or it may not be written.
    """
    mounts = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    found = [(Path(at), kind == "cgroup2") for _, at, kind, options, *_ in mounts if _is_cpu(kind, options, at)]
    if not found:
        raise OSError("no cgroup with the cpu controller is mounted")
    reasons = []
    for root, v2 in found:
        try:
            if v2:
                (root / "cgroup.subtree_control").write_text("+cpu")
            CpuGroup(root / f"farklecrib-try-{os.getpid()}", 0.5, v2=v2).close()
        except OSError as error:
            reasons.append(f"{root}: {error.strerror}")
        else:
            return root, v2
    raise OSError("; ".join(reasons))


def _is_cpu(kind: str, options: str, at: str) -> bool:
    if kind == "cgroup":
        return "cpu" in options.split(",")
    return kind == "cgroup2" and "cpu" in (Path(at) / "cgroup.controllers").read_text(encoding="ascii").split()


@contextmanager
def held(core_share: float) -> Iterator[tuple[CpuGroup, CpuGroup] | None]:
    """Yield two groups with this share of a core, for the table and its eye, or None for a share of 1."""
    if core_share >= 1:
        yield None
        return
    root, v2 = groups_root()
    with ExitStack() as undo:
        made = []
        for name in ("table", "eye"):
            made.append(CpuGroup(root / f"farklecrib-{name}-{os.getpid()}", core_share, v2=v2))
            undo.callback(made[-1].close)
        yield made[0], made[1]


def slowdown(group: CpuGroup | None) -> float:
    """Return the wall seconds for each second of processor time of a fixed loop in a group."""
    run = subprocess.run(
        [sys.executable, "-c", WORK],
        check=True,
        capture_output=True,
        preexec_fn=(lambda: group.add(os.getpid())) if group else None,
    )
    return float(run.stdout)
