"""Write the templates into out/templates: tiled PDF in true size, DXF and SVG of every flat part. `make templates`."""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))
import cutting  # noqa: E402 - scripts beside this one
import flat_boxes  # noqa: E402
import flats  # noqa: E402
import measures  # noqa: E402
from flat import Flat  # noqa: E402
from sheets import Sheets  # noqa: E402
from tiles import PAPERS, Paper  # noqa: E402

from dicereader.tray.geometry import Tray  # noqa: E402
from pegboard.errors import LayoutError  # noqa: E402
from pegboard.layouts import Layout, load_layout  # noqa: E402

OUT = HERE.parent.parent / "out" / "templates"


def documents(paper: Paper, layout: Layout, tray: Tray, button_mm: float) -> dict[str, Sheets]:
    """Return the documents for a paper, by their file names without suffix."""
    board, tray_parts, boxes = flats.board(layout), flats.tray(tray), flat_boxes.boxes(button_mm)
    found: dict[str, Sheets] = {}
    for name, title, parts in (
        ("board", f"board {layout.name}", board),
        ("tray", "tray", tray_parts),
        ("boxes", "button box, camera post, base for the Pi", boxes),
    ):
        found[name] = Sheets(paper, title)
        found[name].parts([part for part in parts if part.on_paper])
    found["tags"] = Sheets(paper, "tags")
    found["tags"].tags()
    found["drill"] = Sheets(paper, "table of holes")
    found["drill"].tables([part for part in (*board, *tray_parts, *boxes) if part.circles])
    return found


def all_parts(layout: Layout, tray: Tray, button_mm: float) -> tuple[Flat, ...]:
    """Return every flat part."""
    return (*flats.board(layout), *flats.tray(tray), *flat_boxes.boxes(button_mm))


def write(out: Path, layout: Layout, tray: Tray, kerf_mm: float, button_mm: float) -> list[str]:
    """Write all files and return a line for each PDF and for each flat part."""
    parts = all_parts(layout, tray, button_mm)
    out.mkdir(parents=True, exist_ok=True)
    lines = []
    for paper in PAPERS:
        for name, sheets in documents(paper, layout, tray, button_mm).items():
            file = out / f"{name}-{paper.name.lower()}.pdf"
            lines.append(f"{file.name}: {sheets.save(file)} pages")
    for part in parts:
        (out / f"{part.name}.svg").write_text(cutting.svg(part, kerf_mm), encoding="utf-8")
        cutting.dxf(part, kerf_mm).saveas(out / f"{part.name}.dxf")
        wide, high = part.size
        lines.append(f"{part.name}.svg, .dxf: {wide:.1f} x {high:.1f} mm, {part.material}, {part.count} x")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Write the templates; return 1 for an invalid layout, or a kerf or buttons that are too wide."""
    parser = argparse.ArgumentParser(description="Write the templates: PDF, DXF and SVG in true size.")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--layout", default=measures.LAYOUT, help="the board's layout, a name or a file")
    parser.add_argument("--kerf", type=float, default=0.0, help="width of the cut in mm, for DXF and SVG")
    parser.add_argument(
        "--button", type=float, default=30.0, help="diameter of the buttons in mm: 16 or 12 for push buttons"
    )
    given = parser.parse_args(arguments)
    try:
        lines = write(given.out, load_layout(given.layout), Tray(), given.kerf, given.button)
    except (LayoutError, ValueError) as error:
        sys.stderr.write(f"farklecrib: error: {error}\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in (*lines, f"in {given.out}")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
