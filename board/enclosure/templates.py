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
from paper import PAPERS  # noqa: E402
from sheets import Sheets  # noqa: E402

from dicereader.tray.geometry import Tray  # noqa: E402
from pegboard.errors import LayoutError  # noqa: E402
from pegboard.layouts import Layout, load_layout  # noqa: E402

OUT = HERE.parent.parent / "out" / "templates"


def write(out: Path, layout: Layout, tray: Tray, kerf_mm: float, button_mm: float) -> list[str]:
    """Write all files and return a line for each PDF and for each flat part."""
    groups = {
        ("board", f"board {layout.name}"): flats.board(layout),
        ("tray", "tray"): flats.tray(tray),
        ("boxes", "button box, camera post, base for the Pi"): flat_boxes.boxes(button_mm),
    }
    parts = [part for group in groups.values() for part in group]
    out.mkdir(parents=True, exist_ok=True)
    lines = []

    def save(name: str, sheets: Sheets) -> None:
        file = out / f"{name}-{sheets.paper.name.lower()}.pdf"
        lines.append(f"{file.name}: {sheets.save(file)} pages")

    for paper in PAPERS:
        for (name, title), group in groups.items():
            sheets = Sheets(paper, title)
            sheets.parts([part for part in group if part.on_paper])
            save(name, sheets)
        tags, drill = Sheets(paper, "tags"), Sheets(paper, "table of holes")
        tags.tags()
        save("tags", tags)
        drill.tables([part for part in parts if part.circles])
        save("drill", drill)
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
