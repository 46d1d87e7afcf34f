"""Write measures.scad: the measures of all parts for OpenSCAD, taken from the program.

Run `.venv/bin/python board/enclosure/measures.py`; `make enclosure` does it first. The tray's measures come from
`dicereader.tray.geometry.Tray`, which calibration and the simulated camera use too, the board's from a layout, and all
others from `boxes.py`.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))
from boxes import LABELS, ButtonBox, CameraPlate, Fit, PiBox  # noqa: E402 - scripts beside this one
from engraving import strokes  # noqa: E402

from dicereader.tray.geometry import TAG_PLATE_MM, Tray  # noqa: E402
from pegboard.layouts import Layout, load_layout, seams  # noqa: E402
from pegboard.layouts.strips import GROOVE_PLAY_MM  # noqa: E402

FILE = HERE / "measures.scad"
LAYOUT = "long-board-3"


def measures(tray: Tray, layout: Layout) -> str:
    """Return the text of measures.scad: a name for each measure, in millimetres."""
    lines = [
        "// Written by board/enclosure/measures.py from the measures of tray, board and boxes; do not edit.",
        "// Millimetres. The tray's origin is the middle of its inner floor; y goes away from the players.",
        *(f"tray_{name.removesuffix('_mm')} = {value:g};" for name, value in asdict(tray).items()),
        f"tray_tag_plate = {TAG_PLATE_MM:g};  // the height of the tags above the walls",
        f"tray_rail_y = {tray.rail_y_mm:g};",
        f"tray_pockets_at = {_points(tray.pocket_centre_mm(pocket) for pocket in range(tray.pockets))};",
        f"tray_tags_at = {_points(tray.tag_centre_mm(tag) for tag in range(4))};",
        "",
        *_boxes(),
        "",
        "// The board's origin is its upper left corner, as people see it; y goes towards the players.",
        f'board_name = "{layout.name}";',
        f"board_size = {_numbers(layout.size_mm)};",
        f"board_edge = {seams.EDGE_MM:g};",
        f"board_pitch = {layout.pitch_mm:g};",
        f"board_groove = {layout.strip_mm + GROOVE_PLAY_MM:g};  // the width of a groove for a strip",
        f"board_front_cuts = {_numbers(seams.front_cuts(layout))};",
        f"board_back_cuts = {_numbers(seams.back_cuts(layout))};",
        f"board_screws = {_points(seams.screws(layout))};",
        f"board_leads_out = {_numbers((*seams.leads_out(layout), seams.LEADS_OUT_MM))};  // x, y, diameter",
        f"board_rows = {_numbers(sorted({lamp.y for lamp in layout.lamps()}))};",
        f"board_lamps = {_points((lamp.x, lamp.y) for lamp in sorted(layout.lamps(), key=lambda lamp: lamp.led))};",
    ]
    return "\n".join(lines) + "\n"


def _boxes() -> Iterator[str]:
    """Yield the lines of the parts that the program itself does not use: each field, and each property of places."""
    button = ButtonBox()
    for prefix, part in (("fit", Fit()), ("button", button), ("pibox", PiBox()), ("plate", CameraPlate())):
        yield from (f"{prefix}_{name} = {value:g};" for name, value in asdict(part).items())
        places = (name for name, made in vars(type(part)).items() if isinstance(made, property))
        yield from (f"{prefix}_{name} = {_points(getattr(part, name))};" for name in places)
    words = zip(LABELS, button.holes, strict=True)
    lines = [line for word, (x, _) in words for line in strokes(word, (x, button.label_y), button.label_high)]
    yield f"button_strokes = [{', '.join(_points(line) for line in lines)}];"


def _numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(f'{value:.3f}'.rstrip('0').rstrip('.') for value in values)}]"


def _points(points: Iterable[tuple[float, float]]) -> str:
    rows = [f"[{x:.3f}, {y:.3f}]" for x, y in points]
    broken = [", ".join(rows[start : start + 6]) for start in range(0, len(rows), 6)]
    return "[\n  " + ",\n  ".join(broken) + "\n]"


def main(arguments: list[str] | None = None) -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(description="Write the measures of all parts for OpenSCAD.")
    parser.add_argument("--layout", default=LAYOUT, help="the board's layout, a name or a file")
    layout = load_layout(parser.parse_args(arguments).layout)
    FILE.write_text(measures(Tray(), layout), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
