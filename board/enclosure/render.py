"""Render all printed parts with OpenSCAD: STL and PNG of each, DXF and SVG of the flat ones. `make enclosure`.

`make enclosure ARGS=--slice` also slices the STL files with PrusaSlicer and writes print_times.csv. With `--layout` it
renders another board, and writes that board's print times beside its parts.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))
import measures  # noqa: E402 - scripts beside this one
import slicing  # noqa: E402
from parts import WHOLES, PrintedPart, parts  # noqa: E402

from dicereader.tray.geometry import Tray  # noqa: E402
from pegboard.errors import LayoutError  # noqa: E402
from pegboard.layouts import Layout, load_layout  # noqa: E402

OUT = HERE.parent.parent / "out" / "enclosure"
LOOK = ("--imgsize=1280,800", "--colorscheme=Tomorrow")


def sources(layout: Layout, folder: Path) -> Path:
    """Copy all OpenSCAD files into a folder, with the measures of a board of this layout, and return the folder."""
    for file in HERE.glob("*.scad"):
        shutil.copy(file, folder)
    (folder / measures.FILE.name).write_text(measures.measures(Tray(), layout), encoding="utf-8")
    return folder


def openscad(
    file: str,
    out: Path,
    values: Mapping[str, str | int | float],
    options: Sequence[str] = (),
    folder: Path = HERE,
) -> None:
    """Run OpenSCAD on a file of a folder.

    Raises:
        CalledProcessError: if OpenSCAD fails or warns, with its output.
    """
    given = [f'-D{key}="{value}"' if isinstance(value, str) else f"-D{key}={value}" for key, value in values.items()]
    command = ["openscad", "--quiet", "-o", str(out), *options, *given, str(folder / f"{file}.scad")]
    if out.suffix == ".png" and not os.environ.get("DISPLAY"):
        command = ["xvfb-run", "--auto-servernum", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or "WARNING" in done.stderr or "ERROR" in done.stderr:
        raise subprocess.CalledProcessError(done.returncode or 1, command, done.stdout, done.stderr)


def flat(part: PrintedPart, out: Path, kerf_mm: float = 0.0, folder: Path = HERE) -> None:
    """Write the section of a flat part as DXF or SVG, by the suffix of `out`; holes shrink by the width of the cut."""
    openscad(part.file, out, {**part.values, "flat": 1, "flat_z": part.flat or 0.0, "kerf": kerf_mm}, folder=folder)


def render(part: PrintedPart, out: Path, kerf_mm: float, folder: Path) -> None:
    """Write all files of a part, whose OpenSCAD file is in `folder`, into the folder `out`."""
    stl = (out / f"{part.name}.stl").resolve()
    openscad(part.file, stl, part.values, folder=folder)
    around = "--camera=0,0,0,125,0,205,500" if part.low else "--camera=0,0,0,50,0,25,500"
    look = ["--autocenter", "--viewall", around, *LOOK]
    openscad("view", out / f"{part.name}.png", {"stl": str(stl)}, look)
    if part.flat is not None:
        for suffix in ("dxf", "svg"):
            flat(part, out / f"{part.name}.{suffix}", kerf_mm, folder)


def missing_tool(slice_too: bool) -> str | None:
    """Return a line that names a missing tool and its Debian package, or None."""
    tools = [("openscad", "openscad"), *([] if os.environ.get("DISPLAY") else [("xvfb-run", "xvfb xauth")])]
    tools += [(slicing.TOOL, slicing.TOOL)] if slice_too else []
    for tool, package in tools:
        if shutil.which(tool) is None:
            return f"expected {tool}; sudo apt install --no-install-recommends {package}"
    return None


def render_all(layout: Layout, out: Path, kerf_mm: float, folder: Path, *, wholes_alone: bool) -> None:
    """Write the pictures of the assemblies, and all files of all parts, for a board of this layout."""
    for name, (file, part, camera) in WHOLES.items():
        look = [f"--camera={camera}", *LOOK, *([] if file == "board" else ["--render"])]
        openscad(file, out / f"{name}.png", {"part": part}, look, folder)
        sys.stdout.write(f"{out / name}.png\n")
    if wholes_alone:
        return
    for each in parts(layout):
        render(each, out, kerf_mm, folder)
        sys.stdout.write(f"{out / each.name}\n")


def main(arguments: list[str] | None = None) -> int:
    """Render all parts; return 1 if OpenSCAD or the slicer fails, 2 if one is missing."""
    parser = argparse.ArgumentParser(description="Render the printed parts.")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--layout", default=measures.LAYOUT, help="the board's layout, a name or a file")
    parser.add_argument("--pictures", action="store_true", help="write only the pictures of the assemblies")
    parser.add_argument("--kerf", type=float, default=0.0, help="width of the cut in mm, for DXF and SVG")
    parser.add_argument("--slice", action="store_true", help="write print_times.csv with PrusaSlicer")
    given = parser.parse_args(arguments)
    missing = missing_tool(given.slice)
    if missing is not None:
        sys.stderr.write(f"farklecrib: {missing}\n")
        return 2
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        layout = load_layout(given.layout)
        with tempfile.TemporaryDirectory() as folder:
            source = sources(layout, Path(folder))
            render_all(layout, given.out, given.kerf, source, wholes_alone=given.pictures)
        if given.slice:
            times = slicing.FILE if layout.name == measures.LAYOUT else given.out / slicing.FILE.name
            slicing.write(parts(layout), given.out, times)
    except subprocess.CalledProcessError as error:
        command = " ".join(error.cmd)
        sys.stderr.write(f"farklecrib: error: expected parts from {command}, got: {error.stderr}\n")
        return 1
    except (LayoutError, ValueError) as error:
        sys.stderr.write(f"farklecrib: error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
