"""Render the tray and the board with OpenSCAD: an STL of each part to print, and a PNG. `make enclosure`."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pegboard.layouts import load_layout

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))
import measures  # noqa: E402 - a script beside this one

OUT = HERE.parent.parent / "out" / "enclosure"
CAMERAS = {
    "camera": "0,20,0,40,0,20,260",
    "tray": "0,-12,0,36,0,16,860",
    "board": "292,49,0,34,0,8,980",
}
"""OpenSCAD's cameras: a point, three angles, a distance."""


def parts() -> Iterator[tuple[str, str, dict[str, str | int]]]:
    """Yield the file, the name and the variables of every part."""
    yield "tray", "tray", {"part": "whole"}
    for corner in ("left_front", "right_front", "left_back", "right_back"):
        yield "tray", f"tray-{corner.replace('_', '-')}", {"part": corner}
    yield "camera", "camera", {"part": "whole"}
    yield "board", "board", {"part": "whole"}
    for side in ("front", "back"):
        for segment in range(len(measures.cuts(load_layout(measures.LAYOUT))) - 1):
            yield "board", f"board-{side}-{segment + 1}", {"part": side, "segment": segment}


def openscad(file: str, out: Path, values: dict[str, str | int], options: Sequence[str] = ()) -> None:
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


def main(arguments: list[str] | None = None) -> int:
    """Render all parts; return 1 if OpenSCAD fails, 2 if it is missing."""
    parser = argparse.ArgumentParser(description="Render tray and board.")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--pictures", action="store_true", help="the pictures of the whole alone")
    given = parser.parse_args(arguments)
    for tool, package in (("openscad", "openscad"), ("xvfb-run", "xvfb xauth")):
        if shutil.which(tool) is None and not (tool == "xvfb-run" and os.environ.get("DISPLAY")):
            sys.stderr.write(f"farklecrib: expected {tool}; sudo apt install --no-install-recommends {package}\n")
            return 2
    given.out.mkdir(parents=True, exist_ok=True)
    for file, name, values in parts():
        whole = values["part"] == "whole"
        try:
            if not given.pictures and name != "board":  # the board is printed in parts, and slow as a whole
                openscad(file, given.out / f"{name}.stl", values)
            if whole or not given.pictures:
                look = [f"--camera={CAMERAS[file]}"] if whole else ["--autocenter", "--viewall"]
                look += ["--imgsize=1280,800", "--colorscheme=Tomorrow", *(["--render"] if file == "tray" else [])]
                openscad(file, given.out / f"{name}.png", values, look)
        except subprocess.CalledProcessError as error:
            sys.stderr.write(f"farklecrib: error: OpenSCAD on {name}: {error.stderr}\n")
            return 1
        sys.stdout.write(f"{given.out / name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
