"""Draw what is printed, as SVG in millimetres: the sheet of four tags to cut out, and the paper tray."""

from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

import cv2

from dicereader.tray.geometry import PAPER, TINT, Tray
from dicereader.tray.tags import CELLS, CORNER_NAMES, DICTIONARY

PAGE_MM = 210.0, 297.0
"""A4. Other paper shows the middle of the page, where everything is drawn."""

RULER_MM = 100.0
"""Length of the line that shows the size of the print."""

_LEFT_MM, _TOP_MM, _PITCH_MM = 35.0, 60.0, 75.0

PAGES_MM: Mapping[str, tuple[float, float]] = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of the kinds of paper, laid across."""

LINE = "#5c2a78"

_APART_MM, _INSET_MM = 4.2, 1.0
"""The distance of two lines of text, and of a shelf's place from its neighbours and from the line of the shelf."""


def tag_sheet() -> str:
    """Return the SVG's text of the sheet of tags, each with its number and corner."""
    tray, (width, height) = Tray(), PAGE_MM
    parts = [
        *_page(width, height),
        words(_LEFT_MM, 24, "Farkle Crib: the tray's four tags", 7),
        words(_LEFT_MM, 33, "Print at 100 % (no fitting to the page), on matt paper."),
        words(_LEFT_MM, 39, f"Check: the line below is {RULER_MM:g} mm long. If not, print again."),
        words(_LEFT_MM, 45, "Cut along the grey lines, keep the white border, and glue each tag flat on its corner,"),
        words(_LEFT_MM, 51, "upright as it is printed here, seen from where the players sit."),
    ]
    for tag in range(4):
        column, row = ((0, 0), (1, 0), (1, 1), (0, 1))[tag]
        x, y = _LEFT_MM + column * _PITCH_MM, _TOP_MM + 5 + row * _PITCH_MM
        parts += printed_tag(tray, tag, x, y, "#999")
        parts.append(words(x, y + tray.plate_mm + 6, f"{tag}: {CORNER_NAMES[tag]}"))
    parts += ruler(_LEFT_MM, _TOP_MM + 2 * _PITCH_MM + 15)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _page(width: float, height: float) -> list[str]:
    """Return the begin of an SVG of a white page."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="4">',
        rectangle(0, 0, width, height, "white"),
    ]


def rectangle(x: float, y: float, width: float, height: float, fill: str, line: str = "none", thick: float = 0) -> str:
    """Return a rectangle whose upper left corner is at (x, y), with its colour, and the colour of its outline."""
    outline = f' stroke="{line}" stroke-width="{thick:g}"' if thick else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{outline}/>'


def words(x: float, y: float, text: str, size: float = 4) -> str:
    """Return a line of text that begins at (x, y), in letters of a size in millimetres."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(text)}</text>'


def printed_tag(tray: Tray, tag: int, x: float, y: float, line: str = "none") -> list[str]:
    """Return a tag with its white border and an outline of a colour, whose upper left corner is at (x, y)."""
    border, cell, side = tray.tag_border_mm, tray.tag_mm / CELLS, tray.plate_mm
    cells = cv2.aruco.generateImageMarker(DICTIONARY, tag, CELLS)
    parts = [
        rectangle(x, y, side, side, "white", line, 0.1),
        rectangle(x + border, y + border, tray.tag_mm, tray.tag_mm, "black"),
    ]
    for row, column in zip(*(cells > 0).nonzero(), strict=True):
        left, top = x + border + int(column) * cell, y + border + int(row) * cell
        parts.append(rectangle(left, top, cell, cell, "white"))
    return parts


def ruler(x: float, y: float, size: float = 4) -> list[str]:
    """Return a line of `RULER_MM` that begins at (x, y), with a mark every ten millimetres."""
    marks = [f"M{x + at:g} {y:g}v{-4 if at % 50 == 0 else -2}" for at in range(0, int(RULER_MM) + 1, 10)]
    line = f'<path d="M{x:g} {y:g}h{RULER_MM:g} {" ".join(marks)}" stroke="black" stroke-width="0.25" fill="none"/>'
    return [line, words(x, y + 2 + size, f"{RULER_MM:g} mm", size)]


@dataclass(frozen=True)
class SheetWords:
    """What the sheet says: lines above the throw area, the shelf's name, and how to check the line of 100 mm."""

    above: tuple[str, ...]
    shelf: str
    check: str


def paper_sheet(paper: str, said: SheetWords) -> str:
    """Return the SVG's text of a sheet on `a4` or `letter`; the paper tray is in the middle of the page."""
    tray, (width, height) = PAPER, PAGES_MM[paper]
    left, top = width / 2 - tray.half_mm, height / 2 - tray.half_depth_mm

    def at(x_mm: float, y_mm: float) -> tuple[float, float]:
        return width / 2 + x_mm, height / 2 - y_mm

    line_y, tint = at(0, tray.rail_y_mm)[1], f"#{bytes(TINT).hex()}"
    parts = [
        *_page(width, height),
        rectangle(left, top, tray.inner_mm, tray.depth_mm, tint),
        f'<path d="M{left:g} {line_y:g}h{tray.inner_mm:g}" stroke="{LINE}" stroke-width="0.8" fill="none"/>',
    ]
    wide, deep = tray.pocket_pitch_mm - 2 * _INSET_MM, tray.shelf_mm - 2 * _INSET_MM
    for pocket in range(tray.pockets):
        x, y = at(*tray.pocket_centre_mm(pocket))
        parts.append(rectangle(x - wide / 2, y - deep / 2, wide, deep, "none", LINE, 0.3))
    for tag in range(4):
        x, y = at(*tray.tag_centre_mm(tag))
        parts += printed_tag(tray, tag, x - tray.plate_mm / 2, y - tray.plate_mm / 2)
    first = top - 1.6 - _APART_MM * (len(said.above) - 1)
    parts += [words(left, first + _APART_MM * n, line, 3) for n, line in enumerate(said.above)]
    below = top + tray.depth_mm
    parts += ruler(left, below + 5.5, 3)
    parts += [words(left + 108, below + 3.6, said.shelf, 3), words(left + 108, below + 3.6 + _APART_MM, said.check, 3)]
    return "\n".join([*parts, "</svg>"]) + "\n"
