"""Write the templates into out/templates: tiled PDF in true size, DXF and SVG of every flat part. `make templates`."""

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE))
import cutting  # noqa: E402 - scripts beside this one
import flats  # noqa: E402
import measures  # noqa: E402
from sheets import Sheets  # noqa: E402
from tiles import PAPERS, Paper  # noqa: E402

from dicereader.tray.geometry import Tray  # noqa: E402
from pegboard.errors import LayoutError  # noqa: E402
from pegboard.layouts import Layout, load_layout  # noqa: E402

OUT = HERE.parent.parent / "out" / "templates"


def documents(paper: Paper, layout: Layout, tray: Tray) -> dict[str, Sheets]:
    """Return the documents for a paper, by their file names without suffix."""
    board, tray_parts, boxes = flats.board(layout), flats.tray(tray), flats.boxes()
    found: dict[str, Sheets] = {}
    for name, title, parts in (
        ("board", f"board {layout.name}", board),
        ("tray", "tray", tray_parts),
        ("boxes", "button box, camera plate, base for the Pi", boxes),
    ):
        found[name] = Sheets(paper, title)
        for part in parts:
            found[name].part(part)
    found["tags"] = Sheets(paper, "tags")
    found["tags"].tags()
    found["drill"] = Sheets(paper, "drill plan")
    drilled = [part for part in (*board, *tray_parts, *boxes) if part.circles]
    for part in drilled:
        found["drill"].part(part, drill=True)
    found["drill"].tables(drilled)
    return found


def write(out: Path, layout: Layout, tray: Tray, kerf_mm: float) -> list[str]:
    """Write all files and return a line for each PDF and for each flat part."""
    out.mkdir(parents=True, exist_ok=True)
    lines = []
    for paper in PAPERS:
        for name, sheets in documents(paper, layout, tray).items():
            file = out / f"{name}-{paper.name.lower()}.pdf"
            lines.append(f"{file.name}: {sheets.save(file)} pages")
    for part in (*flats.board(layout), *flats.tray(tray), *flats.boxes()):
        (out / f"{part.name}.svg").write_text(cutting.svg(part, kerf_mm), encoding="utf-8")
        cutting.dxf(part, kerf_mm).saveas(out / f"{part.name}.dxf")
        wide, high = part.size
        lines.append(f"{part.name}.svg, .dxf: {wide:.1f} x {high:.1f} mm, {part.material}, {part.count} x")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Write the templates; return 1 for an invalid layout or a kerf that is too wide."""
    parser = argparse.ArgumentParser(description="Write the templates: PDF, DXF and SVG in true size.")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--layout", default=measures.LAYOUT, help="the board's layout, a name or a file")
    parser.add_argument("--kerf", type=float, default=0.0, help="width of the cut in mm, for DXF and SVG")
    given = parser.parse_args(arguments)
    try:
        lines = write(given.out, load_layout(given.layout), Tray(), given.kerf)
    except (LayoutError, ValueError) as error:
        sys.stderr.write(f"farklecrib: error: {error}\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in (*lines, f"in {given.out}")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
