"""Write measures.scad: the measures of the tray and the board for OpenSCAD, taken from the program.

Run `.venv/bin/python board/enclosure/measures.py`; `make enclosure` does it first. The tray's measures are those of
`dicereader.tray.geometry.Tray`, which calibration and the simulated camera use too, the board's those of a layout.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from dicereader.tray.calibration import TAG_PLATE_MM
from dicereader.tray.geometry import Tray
from pegboard.layouts import Layout, load_layout
from pegboard.layouts.strips import GROOVE_PLAY_MM

FILE = Path(__file__).resolve().parent / "measures.scad"
LAYOUT = "long-board-3"
BED_MM = 180.0
CLEAR_MM = 3.0
"""The least distance of a cut from the middle of an LED."""


def measures(tray: Tray, layout: Layout) -> str:
    """Return the text of measures.scad: a name for each measure, in millimetres."""
    lines = [
        "// Written by board/enclosure/measures.py from the measures of tray and board; do not edit.",
        "// Millimetres. The tray's origin is the middle of its inner floor; y goes away from the players.",
        *(f"tray_{name.removesuffix('_mm')} = {value:g};" for name, value in asdict(tray).items()),
        f"tray_tag_plate = {TAG_PLATE_MM:g};  // the height of the tags above the walls",
        f"tray_rail_y = {tray.rail_y_mm:g};",
        f"tray_pockets_at = {_points(tray.pocket_centre_mm(pocket) for pocket in range(tray.pockets))};",
        f"tray_tags_at = {_points(tray.tag_centre_mm(tag) for tag in range(4))};",
        "",
        "// The board's origin is its upper left corner, as people see it; y goes towards the players.",
        f'board_name = "{layout.name}";',
        f"board_size = [{', '.join(f'{each:g}' for each in layout.size_mm)}];",
        f"board_pitch = {layout.pitch_mm:g};",
        f"board_groove = {layout.strip_mm + GROOVE_PLAY_MM:g};  // the width of a groove for a strip",
        f"board_lamps = {_points((lamp.x, lamp.y) for lamp in sorted(layout.lamps(), key=lambda lamp: lamp.led))};",
        f"board_cuts = [{', '.join(f'{x:.3f}' for x in cuts(layout))}];",
        f"board_rows = [{', '.join(f'{y:g}' for y in sorted({lamp.y for lamp in layout.lamps()}))}];",
    ]
    return "\n".join(lines) + "\n"


def cuts(layout: Layout, bed_mm: float = BED_MM) -> tuple[float, ...]:
    """Return the x coordinates in millimetres of the cuts that make parts for a printer's bed, from 0 to the width.

    Each cut is as far from any LED as possible.

    Raises:
        ValueError: if the LEDs leave no space for a cut.
    """
    wide = layout.size_mm[0]
    lamps = sorted({lamp.x for lamp in layout.lamps()})
    found = [0.0]
    while wide - found[-1] > bed_mm:
        gaps = [(right - left, (left + right) / 2) for left, right in pairwise(lamps)]
        room = [gap for gap in gaps if gap[0] > 2 * CLEAR_MM and found[-1] + bed_mm / 2 < gap[1] <= found[-1] + bed_mm]
        if not room:
            raise ValueError(f"expected a gap between lamps within {bed_mm:g} mm right of {found[-1]:g}, got none")
        widest = max(gap for gap, _ in room)
        found.append(max(x for gap, x in room if gap > widest - 0.1))
    return (*found, wide)


def _points(points: Iterable[tuple[float, float]]) -> str:
    rows = [f"[{x:.3f}, {y:.3f}]" for x, y in points]
    broken = [", ".join(rows[start : start + 6]) for start in range(0, len(rows), 6)]
    return "[\n  " + ",\n  ".join(broken) + "\n]"


def main(arguments: list[str] | None = None) -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(description="Write the measures of tray and board for OpenSCAD.")
    parser.add_argument("--layout", default=LAYOUT, help="the board's layout, a name or a file")
    layout = load_layout(parser.parse_args(arguments).layout)
    FILE.write_text(measures(Tray(), layout), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
