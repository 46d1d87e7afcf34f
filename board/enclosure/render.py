"""Render all printed parts with OpenSCAD: STL and PNG of each, DXF and SVG of the flat ones. `make enclosure`.

`make enclosure ARGS=--slice` also slices the STL files with PrusaSlicer and writes print_times.csv.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))
import slicing  # noqa: E402 - scripts beside this one
from parts import WHOLES, Part, parts  # noqa: E402

OUT = HERE.parent.parent / "out" / "enclosure"
LOOK = ("--imgsize=1280,800", "--colorscheme=Tomorrow")


def openscad(file: str, out: Path, values: Mapping[str, str | int | float], options: Sequence[str] = ()) -> None:
    """Run OpenSCAD on a file.

    Raises:
        CalledProcessError: if OpenSCAD fails or warns, with its output.
    """
    given = [f'-D{key}="{value}"' if isinstance(value, str) else f"-D{key}={value}" for key, value in values.items()]
    command = ["openscad", "--quiet", "-o", str(out), *options, *given, str(HERE / f"{file}.scad")]
    if out.suffix == ".png" and not os.environ.get("DISPLAY"):
        command = ["xvfb-run", "--auto-servernum", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or "WARNING" in done.stderr or "ERROR" in done.stderr:
        raise subprocess.CalledProcessError(done.returncode or 1, command, done.stdout, done.stderr)


def flat(part: Part, out: Path, kerf_mm: float = 0.0) -> None:
    """Write the section of a flat part as DXF or SVG, by the suffix of `out`; holes shrink by the width of the cut."""
    openscad(part.file, out, {**part.values, "flat": 1, "flat_z": part.flat or 0.0, "kerf": kerf_mm})


def render(part: Part, out: Path, kerf_mm: float) -> None:
    """Write all files of a part into the folder `out`."""
    openscad(part.file, out / f"{part.name}.stl", part.values)
    around = "--camera=0,0,0,125,0,205,500" if part.low else "--camera=0,0,0,50,0,25,500"
    look = ["--autocenter", "--viewall", around, "--render", *LOOK]
    openscad(part.file, out / f"{part.name}.png", part.values, look)
    if part.flat is not None:
        for suffix in ("dxf", "svg"):
            flat(part, out / f"{part.name}.{suffix}", kerf_mm)


def missing_tool(slice_too: bool) -> str | None:
    """Return a line that names a missing tool and its Debian package, or None."""
    tools = [("openscad", "openscad"), *([] if os.environ.get("DISPLAY") else [("xvfb-run", "xvfb xauth")])]
    tools += [(slicing.TOOL, slicing.TOOL)] if slice_too else []
    for tool, package in tools:
        if shutil.which(tool) is None:
            return f"expected {tool}; sudo apt install --no-install-recommends {package}"
    return None


def main(arguments: list[str] | None = None) -> int:
    """Render all parts; return 1 if OpenSCAD or the slicer fails, 2 if one is missing."""
    parser = argparse.ArgumentParser(description="Render the printed parts.")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--pictures", action="store_true", help="the pictures of the wholes alone")
    parser.add_argument("--kerf", type=float, default=0.0, help="width of the cut in mm, for DXF and SVG")
    parser.add_argument("--slice", action="store_true", help="write print_times.csv with PrusaSlicer")
    given = parser.parse_args(arguments)
    missing = missing_tool(given.slice)
    if missing is not None:
        sys.stderr.write(f"farklecrib: {missing}\n")
        return 2
    given.out.mkdir(parents=True, exist_ok=True)
    name = ""
    try:
        for name, camera in WHOLES.items():
            look = [f"--camera={camera}", *LOOK, *([] if name == "board" else ["--render"])]
            openscad(name, given.out / f"{name}.png", {"part": "whole"}, look)
            sys.stdout.write(f"{given.out / name}.png\n")
        if given.pictures:
            return 0
        for part in parts():
            name = part.name
            render(part, given.out, given.kerf)
            sys.stdout.write(f"{given.out / name}\n")
        if given.slice:
            slicing.write(parts(), given.out)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"farklecrib: error: {error.cmd[0]} on {name}: {error.stderr}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
