"""Pages in true size: parts as tiles with overlap marks, and a line of 100 mm on every page."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from flat import Circle, DrillRow, Flat, Line, Rect, Shape, bit_mm, box_of, rows_of
from fpdf import FPDF
from fpdf.svg import SVGObject
from paper import HEAD_MM, MARGIN_MM, OVERLAP_MM, Paper, Tile, best_turn, packed, tiles

from dicereader.tray.printed_sheets import PAGE_MM, tag_sheet

CHECK_MM = 100.0
THIN, BOLD = 0.15, 0.35
CHECK_WIDE = 0.4
"""The width of the check line's stroke; no other line is as wide."""

LINE_MM, COLUMNS = 4.0, 13
"""The distance between the lines of the table of holes, and how many numbers a line holds."""

HOLES_NOTE = "d: hole by a laser; bit: drill; x and y in mm from each part's upper left corner."

BLACK, DARK, GREY, BLUE = 0, 60, 120, (0, 70, 170)
CROSSES = 0.08, 0.92
"""The places of the two crosses of an overlap, as shares of its length."""

LABEL_MM, CAPTION_MM = 3.0, 3.2
"""The size of the words within a part, and of those below it."""

UNDER_MM, APART_MM = 9.5, 4.0
"""The space for the two lines below a small part, and between small parts."""

PAGES = "{nb}"
"""The placeholder that the library replaces with the number of pages."""

POINTS = 2.835
"""Points in a millimetre, for the size of letters."""


class Sheets:
    """A PDF that grows page by page."""

    def __init__(self, paper: Paper, title: str) -> None:
        self.paper, self.title = paper, title
        self.pdf = FPDF(unit="mm", format=(paper.wide, paper.high))
        self.pdf.set_title(f"Farkle Crib: {title} ({paper.name})")
        self.pdf.set_creator("Farkle Crib, make templates")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.set_compression(True)

    def parts(self, flats: Sequence[Flat]) -> None:
        """Add parts: a large one as tiles on pages of its own, all small ones together on as few pages as possible."""
        large = [each for each in flats if not any(_fits(each.size, way) for way in (self.paper, self.paper.turned()))]
        for flat in large:
            self._large(flat)
        small = [each for each in flats if each not in large]
        if small:
            self._small(small)

    def _large(self, flat: Flat) -> None:
        paper = best_turn(flat.size, self.paper)
        for tile in tiles(flat.size, paper.window):
            where = f" - {tile.place} of {tile.rows} x {tile.columns}"
            self._page(paper, f"{flat.title}{where}", f"{_about(flat)}. Print at 100 %, no fitting to the page.")
            self._tile(flat, tile, MARGIN_MM - tile.left, MARGIN_MM + HEAD_MM - tile.top)

    def _small(self, flats: Sequence[Flat]) -> None:
        """Add small parts, each with its title, size and material below it."""
        self.pdf.set_font("Helvetica", size=CAPTION_MM * POINTS)
        sizes = [
            (max(flat.size[0], *map(self.pdf.get_string_width, (flat.title, _about(flat)))), flat.size[1] + UNDER_MM)
            for flat in flats
        ]
        ways = [way for way in (self.paper, self.paper.turned()) if all(_fits(size, way) for size in sizes)]
        paper, places = min(
            ((way, packed(sizes, _inside(way), APART_MM)) for way in ways),
            key=lambda found: max(place.page for place in found[1]),
        )
        for page in range(1 + max(place.page for place in places)):
            here = [(flat, place) for flat, place in zip(flats, places, strict=True) if place.page == page]
            self._page(paper, f"Small parts: {self.title}", "Print at 100 %, no fitting to the page.")
            for flat, place in here:
                x, y = MARGIN_MM + 1 + place.x, MARGIN_MM + HEAD_MM + 1 + place.y
                whole = Tile(0, 0, 1, 1, -1, -1, flat.size[0] + 2, flat.size[1] + 2)
                self._tile(flat, whole, x, y)
                self._words(x, y + flat.size[1] + 4, flat.title, CAPTION_MM)
                self._words(x, y + flat.size[1] + 8, _about(flat), CAPTION_MM)

    def tags(self) -> None:
        """Add the sheet of printed tags, in the middle of the page's width."""
        paper = self.paper
        self._page(paper, "Tags: the sheet of farklecrib calibrate --sheet")
        with self.pdf.local_context():
            SVGObject(_without_ground(tag_sheet())).draw_to_page(self.pdf, x=(paper.wide - PAGE_MM[0]) / 2, y=0)

    def tables(self, parts: Sequence[Flat]) -> None:
        """Add the tables of holes: for each row of a part its letter, diameter, bit, y and every x."""
        most = int(self.paper.window[1] / LINE_MM) - 1
        left = 0
        for block in (list(_table_lines(part)) for part in parts):
            for number, line in enumerate(block):
                if left == 0 or (number == 0 and len(block) > left):
                    self._page(self.paper, "Table of holes", HOLES_NOTE)
                    self.pdf.set_font("Courier", size=8)
                    left = most
                self.pdf.text(MARGIN_MM, MARGIN_MM + HEAD_MM + 5 + (most - left) * LINE_MM, line)
                left -= 1

    def save(self, file: Path) -> int:
        """Write the file and return its number of pages."""
        self.pdf.output(str(file))
        return int(self.pdf.page)

    def _page(self, paper: Paper, title: str, note: str = "") -> None:
        self.pdf.add_page(format=(paper.wide, paper.high))
        self._words(MARGIN_MM, MARGIN_MM + 4, title, 4)
        self._words(MARGIN_MM, MARGIN_MM + 9, note, 3)
        number = f"{paper.name}, page {self.pdf.page} of {PAGES}"
        self.pdf.set_font("Helvetica", size=3 * POINTS)
        self.pdf.set_xy(paper.wide - MARGIN_MM - 40, MARGIN_MM + 1)
        self.pdf.cell(40, 4, number, align="R")
        x, y = MARGIN_MM + 1, paper.high - MARGIN_MM - 5
        self.pdf.set_draw_color(BLACK)
        self.pdf.set_line_width(CHECK_WIDE)
        self.pdf.line(x, y, x + CHECK_MM, y)
        self.pdf.set_line_width(THIN)
        for at in range(0, int(CHECK_MM) + 1, 10):
            self.pdf.line(x + at, y, x + at, y - (3 if at % 50 == 0 else 1.5))
        self._words(x, y + 4, f"Check: this line is {CHECK_MM:g} mm long. If not, print again at 100 %.", 3)

    def _tile(self, flat: Flat, tile: Tile, at_x: float, at_y: float) -> None:
        """Draw what a tile shows of a part whose upper left corner is at this place of the page."""
        left, top = tile.left + at_x, tile.top + at_y
        with self.pdf.rect_clip(left, top, tile.wide, tile.high):
            self.pdf.set_draw_color(GREY)
            self.pdf.set_line_width(THIN)
            for mark in (*flat.marks, *flat.engraved):
                if tile.shows(box_of(mark)):
                    self._shape(mark, at_x, at_y)
            self.pdf.set_draw_color(BLACK)
            for opening in flat.openings:
                if tile.shows(box_of(opening)):
                    self._shape(opening, at_x, at_y)
                    if isinstance(opening, Circle):
                        self._cross(opening.x + at_x, opening.y + at_y, 1.2)
            self.pdf.set_line_width(BOLD)
            self._shape(flat.outline, at_x, at_y)
            self.pdf.set_font("Helvetica", size=LABEL_MM * POINTS)
            for label in flat.labels:
                long = self.pdf.get_string_width(label.text)
                if tile.holds((label.x, label.y - LABEL_MM, label.x + long, label.y + 1)):
                    self._words(label.x + at_x, label.y + at_y, label.text, LABEL_MM, DARK)
            self._letters(rows_of(flat), tile, at_x, at_y)
        self._overlaps(tile)

    def _letters(self, rows: Sequence[DrillRow], tile: Tile, at_x: float, at_y: float) -> None:
        """Write each row's letter right of its first hole on the tile."""
        for row in rows:
            first = next(
                (x for x in row.xs if tile.left < x - row.d / 2 and x + row.d / 2 < tile.left + tile.wide), None
            )
            if first is not None and tile.top < row.y < tile.top + tile.high:
                self._words(first + row.d / 2 + 0.6 + at_x, row.y + 1 + at_y, row.letter, LABEL_MM, BLUE)

    def _overlaps(self, tile: Tile) -> None:
        """Mark the edges of the neighbouring tiles: a dashed line, and crosses that both pages show."""
        left, top = MARGIN_MM, MARGIN_MM + HEAD_MM
        right, bottom = left + tile.wide, top + tile.high
        self.pdf.set_draw_color(*BLUE)
        self.pdf.set_line_width(THIN)
        for side, place in tile.neighbours().items():
            words = f"{side} edge meets {place}"
            self.pdf.set_font("Helvetica", size=LABEL_MM * POINTS)
            long = self.pdf.get_string_width(words)
            edge = {"left": left, "right": right, "top": top, "bottom": bottom}[side]
            inwards = OVERLAP_MM if side in ("left", "top") else -OVERLAP_MM
            line, between = edge + inwards, edge + inwards / 2
            if side in ("left", "right"):
                ends = (line, top, line, bottom)
                crosses = [(between, top + tile.high * share) for share in CROSSES]
                at = (left if side == "left" else right - long, bottom + 3)
            else:
                ends = (left, line, right, line)
                crosses = [(left + tile.wide * share, between) for share in CROSSES]
                at = ((left + right - long) / 2, between + 1)
            self.pdf.set_dash_pattern(dash=3, gap=2)
            self.pdf.line(*ends)
            self.pdf.set_dash_pattern()
            self._words(*at, words, LABEL_MM, BLUE)
            for x, y in crosses:
                self._cross(x, y, 2.5)
        self.pdf.set_draw_color(BLACK)

    def _cross(self, x: float, y: float, reach: float) -> None:
        self.pdf.line(x - reach, y, x + reach, y)
        self.pdf.line(x, y - reach, x, y + reach)

    def _shape(self, shape: Shape | Line, x: float, y: float) -> None:
        if isinstance(shape, Circle):
            self.pdf.circle(shape.x + x, shape.y + y, shape.d / 2)
        elif isinstance(shape, Rect):
            corners = {"round_corners": True, "corner_radius": shape.r} if shape.r else {}
            self.pdf.rect(shape.x + x, shape.y + y, shape.wide, shape.high, **corners)
        else:
            self.pdf.polyline([(px + x, py + y) for px, py in shape])

    def _words(self, x: float, y: float, text: str, high: float, colour: int | tuple[int, int, int] = BLACK) -> None:
        """Write a line of text with its base at y; `high` is the letters' size in millimetres."""
        self.pdf.set_font("Helvetica", size=high * POINTS)
        self.pdf.set_text_color(*(colour if isinstance(colour, tuple) else (colour,)))
        self.pdf.text(x, y, text)
        self.pdf.set_text_color(BLACK)


def _about(flat: Flat) -> str:
    count = f"{flat.count} pieces" if flat.count > 1 else "1 piece"
    return f"{flat.size[0]:.1f} x {flat.size[1]:.1f} mm, {flat.material}, {count}"


def _inside(paper: Paper) -> tuple[float, float]:
    """Return the space for small parts on a page: the window less the thickness of lines at its edges."""
    wide, high = paper.window
    return wide - 2, high - 2


def _fits(size: tuple[float, float], paper: Paper) -> bool:
    wide, high = _inside(paper)
    return size[0] <= wide and size[1] <= high


def _without_ground(svg: str) -> str:
    """Return the tag sheet without its white background, which would hide the page's own head and check line."""
    ground = next(line for line in svg.splitlines() if line.startswith("<rect"))
    return svg.replace(ground, "", 1)


def _table_lines(part: Flat) -> Iterator[str]:
    yield f"{part.title}: {len(part.circles)} holes"
    yield "row      d   bit      y     n   x"
    for row in rows_of(part):
        head = f"{row.letter:<4} {row.d:5.1f} {bit_mm(row.d):5.1f} {row.y:6.1f} {len(row.xs):5d}   "
        for start in range(0, len(row.xs), COLUMNS):
            numbers = " ".join(f"{x:5.1f}" for x in row.xs[start : start + COLUMNS])
            yield f"{head if start == 0 else ' ' * len(head)}{numbers}"
    yield ""
