"""The templates on paper, measured: every page is in true size, with every hole in its place."""

import itertools
import math
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from enclosure_scripts import all_flats, script
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st
from pdf_paths import POINT_MM, Page
from pypdf import PdfReader
from samples import sampled

from dicereader.tray.geometry import Tray
from pegboard.layouts import load_layout, seams

flats, templates = script("flats"), script("templates")
sheets, tiling, flat_parts = script("sheets"), script("paper"), script("flat")
measures = script("measures")
flat_boxes = script("flat_boxes")

TRUE_MM = 0.1
"""The error that a measure may have."""

KINDS = ("board", "tray", "boxes")
NAMES = (*KINDS, "tags", "drill")
PAPERS = {paper.name.lower(): paper for paper in tiling.PAPERS}
FILES = [f"{name}-{paper}" for paper in PAPERS for name in NAMES]
Place = tuple[float, float]
FLATS = all_flats()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("templates")
    assert templates.main(["--out", str(folder)]) == 0
    return folder


@cache
def pages(folder: Path, name: str) -> list[Page]:
    return [Page(page) for page in PdfReader(folder / f"{name}.pdf").pages]


def same(one: Place, other: Place) -> bool:
    return math.dist(one, other) <= TRUE_MM


def expected_holes() -> list[Place]:
    """Return the LEDs' places from the board's wooden corner."""
    return [(lamp.x + seams.EDGE_MM, lamp.y + seams.EDGE_MM) for lamp in load_layout(measures.LAYOUT).lamps()]


@pytest.mark.parametrize("name", sampled(FILES, "board-a4"))
def test_every_page_is_of_its_paper_with_its_number_a_check_line_and_a_white_border(written: Path, name: str) -> None:
    assert tiling.MARGIN_MM >= 6.4, "laser printers leave a quarter of an inch"
    near = tiling.MARGIN_MM - 0.2  # half a line
    paper, found = PAPERS[name.rpartition("-")[2]], pages(written, name)
    for number, page in enumerate(found, 1):
        wide, high = page.size_mm
        assert sorted((wide, high)) == pytest.approx(sorted((paper.wide, paper.high)), abs=TRUE_MM)
        assert f"page {number} of {len(found)}" in page.text
        lines = page.drawn
        (line,) = (each for each in lines if abs(each.wide - sheets.CHECK_WIDE) < 0.01)
        assert line.size == pytest.approx((100.0, 0.0), abs=0.02)
        for each in lines:
            left, top, right, bottom = each.seen
            if left < right or top < bottom:
                assert near <= left <= right <= wide - near, each
                assert near <= top <= bottom <= high - near, each
        for x, y, length in words(page):
            assert near <= x
            assert x + length <= wide - near
            assert near <= y <= high - near


def words(page: Page) -> list[tuple[float, float, float]]:
    """Return where each text that is not turned begins, and its length, in mm."""
    found, high = [], float(page.pdf.mediabox.height)
    metrics = FPDF(unit="pt")

    def visit(text: str, cm: list[float], tm: list[float], font: dict[str, str], size: float) -> None:
        if text.strip() and not tm[1] and not cm[1]:
            metrics.set_font("Courier" if "Courier" in font["/BaseFont"] else "Helvetica", size=size)
            longest = max(metrics.get_string_width(line) for line in text.split("\n"))
            found.append((tm[4] * POINT_MM, (high - tm[5]) * POINT_MM, longest * POINT_MM))

    page.pdf.extract_text(visitor_text=visit)
    return found


@pytest.mark.parametrize("paper", sampled(PAPERS, "a4"))
def test_every_hole_of_the_board_is_on_its_pages_in_true_size_and_place(written: Path, paper: str) -> None:
    face = FLATS["board-face"]
    places = placed_circles(written, f"board-{paper}", face, flats.HOLE_MM)
    holes_of_the_board = expected_holes()
    for hole in holes_of_the_board:
        assert any(same(hole, place) for place in places), hole
    for place in places:
        assert any(same(hole, place) for hole in holes_of_the_board), place


def placed_circles(folder: Path, name: str, flat: object, d: float) -> list[Place]:
    """Return the places, on the part, of all circles of a diameter on the pages of the first part."""
    paper = tiling.best_turn(flat.size, PAPERS[name.rpartition("-")[2]])
    found = []
    tiles = tiling.tiles(flat.size, paper.window)
    for tile, page in zip(tiles, pages(folder, name), strict=False):
        for each in page.drawn:
            if each.is_circle() and abs(each.size[0] - d) <= TRUE_MM / 2:
                x, y = each.middle
                left, top = tiling.MARGIN_MM, tiling.MARGIN_MM + tiling.HEAD_MM
                found.append((x - left + tile.left, y - top + tile.top))
    return found


def test_the_pages_say_which_edge_meets_which(written: Path) -> None:
    wanted = (
        {"right edge meets row 1, column 2", "bottom edge meets row 2, column 1"},
        {"left edge meets row 1, column 1", "bottom edge meets row 2, column 2"},
        {"right edge meets row 2, column 2", "top edge meets row 1, column 1"},
        {"left edge meets row 2, column 1", "top edge meets row 1, column 2"},
    )
    for page, edges in zip(pages(written, "tray-a4")[:4], wanted, strict=True):
        assert set(re.findall(r"\w+ edge meets row \d, column \d", page.text)) == edges


@pytest.mark.parametrize("name", sampled([name for name in FILES if name.startswith(KINDS)], "boxes-a4"))
def test_every_label_stands_whole_beside_other_words_and_every_hole_has_its_cross(written: Path, name: str) -> None:
    assert min(sheets.LABEL_MM, sheets.CAPTION_MM) >= 3
    found = pages(written, name)
    text = "".join(page.text for page in found)
    of_kind = {"boxes": ("buttons", "camera", "post", "pi")}.get(name.partition("-")[0], name.partition("-")[0])
    parts = [part for part in FLATS.values() if part.on_paper and part.name.startswith(of_kind)]
    for label, count in Counter(label.text for part in parts for label in part.labels).items():
        assert text.count(label) >= count, label
    for page in found:
        for (x, y, long), (other_x, other_y, other_long) in itertools.combinations(words(page), 2):
            apart = max(other_x - x - long, x - other_x - other_long)
            assert abs(y - other_y) > 1 or apart > -0.1, (x, y, long, other_x, other_y)
        marks = {each.middle for each in page.drawn if each.size == pytest.approx((2.4, 0), abs=0.02)}
        for each in page.drawn:
            assert not each.is_circle() or any(same(each.middle, mark) for mark in marks)


@pytest.mark.parametrize("paper", sampled(PAPERS, "a4"))
def test_the_printed_tags_have_the_size_that_the_eye_expects(written: Path, paper: str) -> None:
    (page,) = pages(written, f"tags-{paper}")
    side = Tray().tag_mm
    squares = [each for each in page.drawn if each.size == pytest.approx((side, side), abs=TRUE_MM / 2)]
    assert len(squares) == 4


@pytest.mark.parametrize("paper", sampled(PAPERS, "a4"))
def test_the_table_of_the_drill_plan_has_every_hole(written: Path, paper: str) -> None:
    text = "\n".join(page.text for page in pages(written, f"drill-{paper}"))
    table = text[text.index("Table of holes") :]
    for flat in FLATS.values():
        if flat.circles:
            assert f"{flat.title}: {len(flat.circles)} holes" in table
    numbers = [float(each) for each in table.split() if each.replace(".", "").isdigit()]
    for x, _ in expected_holes():
        assert round(x, 1) in numbers
    rows = [line.split() for line in table.splitlines() if line[:1].isalpha() and line[1:2] == " "]
    counted = sum(int(row[4]) for row in rows if len(row) > 5 and row[4].isdigit())
    assert counted == sum(len(flat.circles) for flat in FLATS.values())


@given(st.floats(1, 1500), st.floats(1, 400), st.sampled_from(tiling.PAPERS))
def test_tiles_fit_their_page_overlap_by_ten_millimetres_and_cover_the_part(
    wide: float, high: float, paper: object
) -> None:
    tiles = tiling.tiles((wide, high), paper.window)
    assert all(tile.wide <= paper.window[0] + 1e-9 and tile.high <= paper.window[1] + 1e-9 for tile in tiles)
    row = [tile for tile in tiles if tile.row == 0]
    for left, right in itertools.pairwise(row):
        assert left.left + left.wide - right.left == pytest.approx(tiling.OVERLAP_MM)
    assert row[0].left <= 0
    assert row[-1].left + row[-1].wide >= wide
    assert len(tiles) == tiles[0].rows * tiles[0].columns


@pytest.mark.parametrize("paper", sampled(PAPERS, "a4"))
def test_small_parts_share_pages_and_each_is_there_once_in_true_size_with_its_name(written: Path, paper: str) -> None:
    for kind, parts in (("tray", flats.tray(Tray())[1:]), ("boxes", flat_boxes.boxes())):
        found = pages(written, f"{kind}-{paper}")
        small = found[4:] if kind == "tray" else found  # the floor has four pages of its own
        assert len(small) <= 3 < len(parts)
        text = "".join(page.text for page in small)
        bold = [each for page in small for each in page.drawn if abs(each.wide - sheets.BOLD) < 0.01]
        for part in parts:
            assert text.count(part.title) == 1, part.title
            size = pytest.approx(part.size, abs=TRUE_MM)
            assert any(each.size == size for each in bold), part.name


@pytest.mark.exhaustive
def test_a_first_evening_takes_sixteen_pages(tmp_path: Path) -> None:
    assert templates.main(["--out", str(tmp_path), "--layout", "classic-3", "--button", "16"]) == 0
    assert sum(len(pages(tmp_path, f"{name}-a4")) for name in NAMES) <= 16


@given(st.lists(st.tuples(st.floats(1, 100), st.floats(1, 60)), min_size=1, max_size=12))
def test_packed_boxes_lie_within_the_page_and_apart(sizes: list[tuple[float, float]]) -> None:
    places = tiling.packed(sizes, (120, 80), 4)
    boxes = [(at.page, at.x, at.y, at.x + wide, at.y + high) for at, (wide, high) in zip(places, sizes, strict=True)]
    for page, left, top, right, bottom in boxes:
        assert 0 <= page < len(sizes)
        assert left >= 0 <= top
        assert right <= 120
        assert bottom <= 80
    for (page, left, top, right, bottom), (other, left2, top2, right2, bottom2) in itertools.combinations(boxes, 2):
        apart = max(left2 - right, left - right2, top2 - bottom, top - bottom2)
        assert page != other or apart > 3.99


def test_a_box_that_is_larger_than_a_page_is_refused() -> None:
    with pytest.raises(ValueError, match="expected boxes within 10 x 10 mm, got 11 x 1"):
        tiling.packed([(11, 1)], (10, 10), 1)


@pytest.mark.parametrize(
    ("d", "bit"), [(3.6, 4.0), (3.3, 3.5), (2.7, 3.0), (2.3, 2.5), (8.0, 8.0), (16.2, 16.0), (30.2, 30.0)]
)
def test_a_hole_has_a_drill_bit_that_can_be_bought(d: float, bit: float) -> None:
    assert flat_parts.bit_mm(d) == bit
