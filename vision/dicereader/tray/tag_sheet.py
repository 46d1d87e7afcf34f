"""Draw the sheet of printed tags as SVG in millimetres: four tags to cut out, and a line to check the scale."""

from xml.sax.saxutils import escape

import cv2

from dicereader.tray.geometry import Tray
from dicereader.tray.tags import CELLS, CORNER_NAMES

PAGE_MM = 210.0, 297.0
"""A4. Other paper shows the middle of the page, where everything is drawn."""

RULER_MM = 100.0
_LEFT_MM, _TOP_MM, _PITCH_MM = 35.0, 60.0, 75.0


def tag_sheet(tray: Tray | None = None) -> str:
    """Return the SVG's text, with tags of the size that `tray` gives, each with its number and corner."""
    tray = tray or Tray()
    width, height = PAGE_MM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="4">',
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
        words(_LEFT_MM, 24, "Farkle Crib: the tray's four tags", 7),
        words(_LEFT_MM, 33, "Print at 100 % (no fitting to the page), on matt paper."),
        words(_LEFT_MM, 39, f"Check: the line below is {RULER_MM:g} mm long. If not, print again."),
        words(_LEFT_MM, 45, "Cut along the grey lines, keep the white border, and glue each tag flat on its corner,"),
        words(_LEFT_MM, 51, "upright as it is printed here, seen from where the players sit."),
    ]
    for tag in range(4):
        column, row = ((0, 0), (1, 0), (1, 1), (0, 1))[tag]
        parts += _tag(tray, tag, _LEFT_MM + column * _PITCH_MM, _TOP_MM + 5 + row * _PITCH_MM)
    parts += ruler(_LEFT_MM, _TOP_MM + 2 * _PITCH_MM + 15)
    return "\n".join([*parts, "</svg>"]) + "\n"


def words(x: float, y: float, text: str, size: float = 4) -> str:
    """Return a line of text that begins at (x, y), in letters of a size in millimetres."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(text)}</text>'


def _tag(tray: Tray, tag: int, x: float, y: float) -> list[str]:
    caption = words(x, y + tray.plate_mm + 6, f"{tag}: {CORNER_NAMES[tag]}")
    return [*printed_tag(tray, tag, x, y, "#999"), caption]


def printed_tag(tray: Tray, tag: int, x: float, y: float, line: str = "none") -> list[str]:
    """Return a tag with its white border and an outline of a colour, whose upper left corner is at (x, y)."""
    border, cell, side = tray.tag_border_mm, tray.tag_mm / CELLS, tray.plate_mm
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), tag, CELLS)
    plate = f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}"'
    parts = [
        f'{plate} fill="white" stroke="{line}" stroke-width="0.1"/>',
        f'<rect x="{x + border:g}" y="{y + border:g}" width="{tray.tag_mm:g}" height="{tray.tag_mm:g}" fill="black"/>',
    ]
    for row, column in zip(*(cells > 0).nonzero(), strict=True):
        left, top = x + border + int(column) * cell, y + border + int(row) * cell
        parts.append(f'<rect x="{left:.4f}" y="{top:.4f}" width="{cell:.4f}" height="{cell:.4f}" fill="white"/>')
    return parts


def ruler(x: float, y: float, size: float = 4) -> list[str]:
    """Return a line of `RULER_MM` that begins at (x, y), with a mark every ten millimetres."""
    marks = [f"M{x + at:g} {y:g}v{-4 if at % 50 == 0 else -2}" for at in range(0, int(RULER_MM) + 1, 10)]
    line = f'<path d="M{x:g} {y:g}h{RULER_MM:g} {" ".join(marks)}" stroke="black" stroke-width="0.25" fill="none"/>'
    return [line, words(x, y + 2 + size, f"0 to {RULER_MM:g} mm", size)]
