"""Print time and weight of each part, as PrusaSlicer computes them, in print_times.csv."""

import csv
import re
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

from parts import PrintedPart

TOOL = "prusa-slicer"
FILE = Path(__file__).resolve().parent / "print_times.csv"
SETTINGS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

UNITS = {"d": 1440.0, "h": 60.0, "m": 1.0, "s": 1 / 60}


def write(parts: Iterable[PrintedPart], folder: Path, file: Path = FILE) -> None:
    """Slice the STL files of a folder and write a line for each part: its minutes and grams."""
    rows = [(part.name, *sliced(folder / f"{part.name}.stl")) for part in parts]
    stated = ", ".join(f"{name} {value}" for name, value in SETTINGS.items())
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(
            f"# Written by make enclosure ARGS=--slice with {version()}; {stated}; no supports; one part a print.\n"
        )
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("part", "minutes", "grams"))
        writer.writerows((name, f"{minutes:.0f}", f"{grams:.1f}") for name, minutes, grams in rows)


def sliced(stl: Path) -> tuple[float, float]:
    """Return the minutes and grams of one part. Raises `CalledProcessError` if the slicer refuses it."""
    code = stl.with_suffix(".gcode")
    options = [f"--{name}={value}" for name, value in SETTINGS.items()]
    command = [TOOL, "--export-gcode", *options, "--center=110,110", f"--output={code}", str(stl)]
    subprocess.run(command, capture_output=True, text=True, check=True)
    return estimate(code.read_text(encoding="utf-8"))


def estimate(gcode: str) -> tuple[float, float]:
    """Return the minutes and grams that PrusaSlicer writes into the comments of G-code.

    Raises:
        ValueError: if the comments are missing.
    """
    time = re.search(r"^; estimated printing time \(normal mode\) = (.+)$", gcode, re.MULTILINE)
    grams = re.search(r"^; (?:total )?filament used \[g\] = ([\d.]+)", gcode, re.MULTILINE)
    if time is None or grams is None:
        raise ValueError(f"expected PrusaSlicer's comments on time and weight, got G-code of {len(gcode)} characters")
    minutes = sum(float(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([dhms])", time[1]))
    return minutes, float(grams[1])


def version() -> str:
    """Return the slicer's name and version."""
    done = subprocess.run([TOOL, "--help"], capture_output=True, text=True, check=True)
    found = re.search(r"PrusaSlicer-([\d.]+)", done.stdout + done.stderr)
    return f"PrusaSlicer {found[1]}" if found else TOOL
