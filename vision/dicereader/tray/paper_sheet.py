"""Draw the paper tray as SVG in millimetres: four tags, throw area, shelf of six places, and a check line."""

from collections.abc import Mapping
from dataclasses import dataclass

from dicereader.tray.geometry import PAPER, TINT, Tray
from dicereader.tray.tag_sheet import printed_tag, ruler, words

PAGES_MM: Mapping[str, tuple[float, float]] = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of the kinds of paper, laid across."""

LINE = "#5c2a78"

_APART_MM, _INSET_MM = 4.2, 1.0
"""The distance of two lines of text, and of a shelf's place from its neighbours and from the line of the shelf."""


@dataclass(frozen=True)
class SheetWords:
    """What the sheet says: lines above the throw area, the shelf's name, and how to check the line of 100 mm."""

    above: tuple[str, ...]
    shelf: str
    check: str


def paper_sheet(paper: str, said: SheetWords, tray: Tray = PAPER) -> str:
    """Return the SVG's text of a sheet on `a4` or `letter`; the tray is in the middle of the page."""
    width, height = PAGES_MM[paper]
    left, top = width / 2 - tray.half_mm, height / 2 - tray.half_depth_mm

    def at(x_mm: float, y_mm: float) -> tuple[float, float]:
        return width / 2 + x_mm, height / 2 - y_mm

    line_y, tint = at(0, tray.rail_y_mm)[1], f"#{bytes(TINT).hex()}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="4">',
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
        f'<rect x="{left:g}" y="{top:g}" width="{tray.inner_mm:g}" height="{tray.depth_mm:g}" fill="{tint}"/>',
        f'<path d="M{left:g} {line_y:g}h{tray.inner_mm:g}" stroke="{LINE}" stroke-width="0.8" fill="none"/>',
    ]
    wide, deep = tray.pocket_pitch_mm - 2 * _INSET_MM, tray.shelf_mm - 2 * _INSET_MM
    for pocket in range(tray.pockets):
        x, y = at(*tray.pocket_centre_mm(pocket))
        parts.append(
            f'<rect x="{x - wide / 2:g}" y="{y - deep / 2:g}" width="{wide:g}" height="{deep:g}" fill="none" '
            f'stroke="{LINE}" stroke-width="0.3"/>'
        )
    for tag in range(4):
        x, y = at(*tray.tag_centre_mm(tag))
        parts += printed_tag(tray, tag, x - tray.plate_mm / 2, y - tray.plate_mm / 2)
    first = top - 1.6 - _APART_MM * (len(said.above) - 1)
    parts += [words(left, first + _APART_MM * n, line, 3) for n, line in enumerate(said.above)]
    below = top + tray.depth_mm
    parts += ruler(left, below + 5.5, 3)
    parts += [words(left + 108, below + 3.6, said.shelf, 3), words(left + 108, below + 3.6 + _APART_MM, said.check, 3)]
    return "\n".join([*parts, "</svg>"]) + "\n"
