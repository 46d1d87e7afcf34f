"""Count the instructions of single pieces of work on an emulated Pi's processor: `make test-arm` runs this last.

Three programs run under QEMU's counting plugin: tests/arm/counted_work.py, and two public benchmarks, 7-Zip's and
sysbench's, whose results on Pis are published. bench/pi_estimate.py makes milliseconds of them. The counts go to
bench/pi_counts.json.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parents[2]
COUNTS = REPO / "bench/pi_counts.json"
CPU = "cortex-a53"
EVENTS = (20, 40)

CPUINFO = """\
processor\t: {}
BogoMIPS\t: 38.40
Features\t: fp asimd evtstrm crc32 cpuid
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x0
CPU part\t: 0xd03
CPU revision\t: 4
"""
"""A Cortex-A53 as Linux shows it. onnxruntime reads the file, and QEMU 7.2 would show the host's: it then crashes."""


def emulated(qemu: Path, plugin: str, root: Path, *command: str | Path, **environment: str) -> str:
    """Run a program of a root under the plugin on a terminal of its own, and return all its output."""
    words = " ".join(f"'{word}'" for word in (qemu, "-cpu", CPU, "-L", root, "-plugin", plugin, *command))
    done = subprocess.run(
        ["script", "--quiet", "--return", "--command", words, "/dev/null"],  # a terminal: each line is written at once
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )
    if done.returncode:
        sys.exit(
            f"farklecrib: error: expected {command[0]} to succeed, got status {done.returncode}: {done.stdout[-800:]}"
        )
    return done.stdout


def ours(qemu: Path, plugin: Path, root: Path, venv: Path) -> dict[str, list[int]]:
    """Return the counts of each piece of our own work; each has some thousand instructions of a mark in it."""
    python = next((root / "usr/bin").glob("python3.[0-9]*[0-9]"))
    with tempfile.TemporaryDirectory() as home:
        said = emulated(
            *(qemu, str(plugin), root, "-0", venv / "bin/python", python, "-P", REPO / "tests/arm/counted_work.py"),
            HOME=home,
        )
    found: dict[str, list[int]] = defaultdict(list)
    for before, after, name in re.findall(r"instructions (\d+).*\s+instructions (\d+).*\s+done (.+?)\r?\n", said):
        found[name].append(int(after) - int(before))
    return found


def sysbench(qemu: Path, plugin: Path, root: Path) -> float:
    """Return the instructions of one event of sysbench's processor test with its defaults."""
    totals = []
    for events in EVENTS:
        said = emulated(
            *(qemu, f"{plugin},write=1", root, root / "usr/bin/sysbench", "cpu", "--threads=1", "--time=0"),
            f"--events={events}",
            "run",
        )
        totals.append(int(re.findall(r"instructions (\d+)", said)[-1]))
    return (totals[1] - totals[0]) / (EVENTS[1] - EVENTS[0])


def seven_zip(qemu: Path, plugin: Path, root: Path) -> float:
    """Return the instructions for each unit of 7-Zip's rating: a million in a second are so many MIPS of the rating.

    The rating per share of a processor in use ("R/U") is compared with the instructions in a second of processor time
    while it was measured.
    """
    said = emulated(qemu, f"{plugin},write=1", root, root / "usr/lib/p7zip/7z", "b", "1", "-mmt1", "-md22")
    rows = re.split(r"KiB/s +%", said)[-1]
    marks = [(int(count), int(ms)) for count, ms in re.findall(r"instructions (\d+) ms (\d+)", rows)]
    (first, from_ms), (last, to_ms) = marks[0], marks[-1]
    rating = float(re.findall(r"Tot: +\d+ +(\d+)", rows)[0])
    return (last - first) / ((to_ms - from_ms) * 1000) / rating


def main(qemu: Path, plugin: Path, root: Path, venv: Path, benchmarks: Path) -> int:
    """Count, print and write."""
    (root / "proc").mkdir(exist_ok=True)
    (root / "proc/cpuinfo").write_text("\n".join(CPUINFO.format(core) for core in range(4)), encoding="ascii")
    work: dict[str, Any] = {
        name: {"n": len(counts), "median": int(statistics.median(counts)), "least": min(counts), "most": max(counts)}
        for name, counts in ours(qemu, plugin, root, venv).items()
    }
    counts = {
        "work": work,
        "sysbench": {"instructions an event": round(sysbench(qemu, plugin, benchmarks))},
        "7-zip": {"instructions a unit of rating": round(seven_zip(qemu, plugin, benchmarks), 3)},
    }
    COUNTS.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    for name, each in work.items():
        print(f"{name}: median {each['median'] / 1e6:.2f} million instructions, n {each['n']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
