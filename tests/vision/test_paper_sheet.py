"""The paper tray: what is printed is where the reader believes it to be, on A4 and on Letter."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_table import DICE, USUAL, Dice, level, shown, world_of

from dicereader import read
from dicereader.errors import CalibrationError
from dicereader.learn import learn
from dicereader.reading import Zone
from dicereader.sources.synthetic.camera import camera_aslant, camera_for
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import TableColours, World
from dicereader.tray.calibration import Calibration, as_text, load, tag_corners_mm
from dicereader.tray.camera_place import check_place, place_problem, seen_by_tags
from dicereader.tray.fitness import problems_of
from dicereader.tray.geometry import PAPER, Tray
from dicereader.tray.pose import posed_by_tags
from dicereader.tray.printed_sheets import PAGES_MM, RULER_MM, SheetWords, paper_sheet, tag_sheet
from dicereader.tray.tags import find_tags, outside_tags, tray_of

SAID = SheetWords(("one & two", "three"), "shelf", "check")
PX_PER_MM = 4
SVG = "{http://www.w3.org/2000/svg}"


def sheet(paper: str) -> ET.Element:
    return ET.fromstring(paper_sheet(paper, SAID))


def drawn(page: ET.Element) -> np.ndarray:
    """Return a sheet's rectangles as a picture of `PX_PER_MM`."""
    wide, high = (float(page.attrib[name].removesuffix("mm")) for name in ("width", "height"))
    picture = np.full((round(high * PX_PER_MM), round(wide * PX_PER_MM), 3), 255, np.uint8)
    colours = {"white": (255, 255, 255), "black": (0, 0, 0)}
    for each in page.iter(f"{SVG}rect"):
        if "x" in each.attrib and (fill := each.attrib["fill"]) != "none":
            x, y, w, h = (float(each.attrib[name]) * PX_PER_MM for name in ("x", "y", "width", "height"))
            colour = colours.get(fill, (230, 179, 217))
            cv2.rectangle(picture, (round(x), round(y)), (round(x + w) - 1, round(y + h) - 1), colour, cv2.FILLED)
    return picture


def tags_in(camera: Calibration, off_px: float = 0.0) -> dict[int, np.ndarray]:
    """Return the corners of a tray's tags as a camera sees them, with a random error."""
    chance = np.random.default_rng(1)
    corners = {tag: camera.pixels_of(tag_corners_mm(camera.tray, tag)) for tag in range(4)}
    return {tag: seen + chance.normal(0, off_px, (4, 2)) for tag, seen in corners.items()}


@pytest.mark.parametrize("paper", PAGES_MM)
def test_the_printed_tags_are_where_the_tray_has_them(paper: str) -> None:
    tags = find_tags(drawn(sheet(paper)))
    assert sorted(tags) == [0, 1, 2, 3]
    wide, high = PAGES_MM[paper]
    for number, corners in tags.items():
        x, y, _ = tag_corners_mm(PAPER, number).T
        expected = np.stack([wide / 2 + x, high / 2 - y], 1) * PX_PER_MM
        assert np.abs(corners + 0.5 - expected).max() < 1.0, number
    assert tray_of(tags) == PAPER


def test_the_tags_to_cut_out_have_their_size_and_a_check_line() -> None:
    page = ET.fromstring(tag_sheet())
    tags = find_tags(drawn(page))
    assert sorted(tags) == [0, 1, 2, 3]
    for corners in tags.values():
        assert np.hypot(*(corners[0] - corners[1])) == pytest.approx(Tray().tag_mm * PX_PER_MM, abs=1.0)
    assert any(f"h{RULER_MM:g} " in each.attrib["d"] for each in page.iter(f"{SVG}path"))


@pytest.mark.parametrize("paper", PAGES_MM)
def test_everything_is_on_the_page_with_a_white_margin_and_a_check_line(paper: str) -> None:
    wide, high = PAGES_MM[paper]
    assert min(wide / 2 - PAPER.half_mm, high / 2 - PAPER.half_depth_mm) > 6.4
    for each in sheet(paper).iter(f"{SVG}text"):
        assert 6.4 + float(each.attrib["font-size"]) * 0.7 < float(each.attrib["y"]) < high - 4.2
    assert any(re.search(rf"h{RULER_MM:g} ", each.attrib["d"]) for each in sheet(paper).iter(f"{SVG}path"))
    assert "one &amp; two" in paper_sheet(paper, SAID)


def test_the_six_places_are_on_the_shelf_between_the_tags_and_on_the_tray() -> None:
    camera, line = camera_for(3, PAPER), PAPER.rail_y_mm
    for pocket in range(PAPER.pockets):
        x, y = PAPER.pocket_centre_mm(pocket)
        assert abs(x) + PAPER.pocket_mm / 2 < PAPER.half_mm - PAPER.plate_mm
        assert PAPER.on_shelf(y + PAPER.die_mm / 2)
        assert y - PAPER.die_mm / 2 > -PAPER.half_depth_mm
    places = [(0.0, line + 0.1), (0.0, line - 0.1), (PAPER.half_mm - 1, 0.0), (0.0, PAPER.half_depth_mm + 1)]
    assert [camera.zone(x, y) for x, y in places] == [Zone.THROW, Zone.SHELF, Zone.THROW, None]
    shelf = [camera.project(*PAPER.pocket_centre_mm(pocket), 16.0) for pocket in range(6)]
    beyond = camera.project(0.0, PAPER.half_depth_mm + 20, 0.0)
    outside = outside_tags(tags_in(camera), np.array([*shelf, beyond]))
    assert outside.tolist() == [False] * 6 + [True]


def test_a_calibration_on_paper_is_stored_and_a_stored_tray_without_a_depth_is_square(tmp_path) -> None:
    file = tmp_path / "calibration.toml"
    for tray in (PAPER, Tray()):
        lines = as_text(camera_for(1, tray)).splitlines()
        kept = [line for line in lines if tray is PAPER or not line.startswith(("depth_mm", "paper"))]
        file.write_text("\n".join(kept), encoding="utf-8")
        assert load(file).tray == tray


def test_the_tags_tell_paper_from_a_tray_with_walls() -> None:
    paper, walled = (tags_in(camera_for(1, tray), 0.3) for tray in (PAPER, Tray()))
    for hidden in (None, 0, 1, 2, 3):
        assert tray_of({n: tag for n, tag in paper.items() if n != hidden}) == PAPER
        assert tray_of({n: tag for n, tag in walled.items() if n != hidden}).inner_mm == pytest.approx(230, abs=4)


def laid(source: SyntheticSource, dice: Dice, turn: float, colours: TableColours = USUAL) -> np.ndarray:
    """Return a picture of level dice: faces with their places in millimetres."""
    return shown(source, world_of(level(dice, turn, source.camera.tray.die_mm), 4, colours))


PLACES = [(-70.0, 45.0), (5.0, 55.0), (70.0, 30.0), (-45.0, -15.0), (25.0, -10.0), (80.0, -30.0)]


def of_six(first: int) -> Dice:
    return [((first + n) % 6 + 1, x, y) for n, (x, y) in enumerate(PLACES)]


@pytest.mark.parametrize(
    ("aslant", "fov", "printed"), [(30.0, 58.0, 0.88), pytest.param(15.0, 80.0, 1.1, marks=pytest.mark.exhaustive)]
)
def test_lens_and_size_of_the_print_are_learnt_from_tags_and_dice(aslant: float, fov: float, printed: float) -> None:
    tray = replace(PAPER, die_mm=16.0 / printed)
    camera = camera_aslant(np.random.default_rng(5), tray, aslant, fov, (960, 720))
    source = SyntheticSource(lambda: 1.0, 4, camera)
    throws = [laid(source, of_six(n), 0.3 * n) for n in range(2)]
    source.set_world(World(4, ()))
    empty = source.empty_picture()
    known = learn(empty, throws, posed_by_tags(empty.shape, find_tags(empty)))
    assert known.tray.die_mm == pytest.approx(16.0 / printed, rel=0.03)
    assert known.focal_px == pytest.approx(camera.focal_px, rel=0.02)
    kept = [(6, *PAPER.pocket_centre_mm(1)), (2, PAPER.pocket_centre_mm(4)[0] + 6, PAPER.pocket_centre_mm(4)[1] - 3)]
    stray = [(3, 40.0, PAPER.rail_y_mm + 3.0), (1, -80.0, PAPER.rail_y_mm - 3.0), (5, 0.0, 40.0), (4, 60.0, 20.0)]
    reading = read(laid(source, kept + stray, 0.2), calibration=known, empty=empty)
    shelf = sorted(die.face for die in reading.dice if die.zone is Zone.SHELF)
    assert (sorted(reading.faces), shelf) == ([1, 2, 3, 4, 5, 6], [1, 2, 6])


def test_a_camera_that_looks_too_flat_must_hang_higher() -> None:
    for aslant, tray in ((60.0, PAPER), (30.0, replace(Tray(), wall_height_mm=90.0))):
        flat = camera_aslant(np.random.default_rng(1), tray, aslant, 70.0)
        with pytest.raises(CalibrationError, match="hang it higher"):
            check_place(flat)
    check_place(camera_aslant(np.random.default_rng(1), PAPER, 45.0, 70.0))
    check_place(camera_for(1, Tray()))


def test_tags_alone_tell_how_much_higher_the_camera_must_be() -> None:
    walled = replace(Tray(), wall_height_mm=90.0)
    cases = (
        (62.0, PAPER, "camera aslant"),
        (28.0, walled, "dice hidden"),
        (44.0, replace(Tray(), wall_height_mm=18.0), "camera aslant"),
    )
    for aslant, tray, kind in cases:
        low = camera_aslant(np.random.default_rng(1), tray, aslant, 60.0)
        problem = place_problem(low)
        assert problem.kind == kind
        assert problem.raise_percent >= 10
        x, y, z = low.position_mm
        assert place_problem(replace(low, position_mm=(x, y, z * (1 + problem.raise_percent / 100)))) is None
        measured = place_problem(low, check_line_mm=90.0)
        assert measured.raise_cm == pytest.approx(0.9 * z * problem.raise_percent / 1000, abs=1)
    assert place_problem(camera_aslant(np.random.default_rng(1), PAPER, 45.0, 60.0)) is None
    assert place_problem(camera_for(1, Tray())) is None


def test_a_picture_of_an_empty_sheet_tells_that_the_camera_looks_too_flat() -> None:
    flat = camera_aslant(np.random.default_rng(2), PAPER, 56.0, 60.0, (800, 600))
    picture = SyntheticSource(lambda: 1.0, 2, flat).empty_picture()
    for line_mm in (None, 100.0):
        (problem,) = (each for each in problems_of(picture, check_line_mm=line_mm) if each.kind.startswith("camera"))
        assert (problem.kind, problem.raise_cm > 0) == ("camera aslant", line_mm is not None)
    assert seen_by_tags(picture.shape, {}) is None


def test_dice_on_the_line_of_a_sheet_are_level_unless_their_side_of_it_is_open() -> None:
    source = SyntheticSource(lambda: 1.0, 4, camera_for(4, PAPER))
    source.set_world(World(4, ()))
    empty, known = source.empty_picture(), replace(source.camera, dice=DICE)
    for off, sure in ((4.0, True), (0.0, False)):
        pixels = laid(source, [(5, 20.0, PAPER.rail_y_mm + off), (3, -40.0, 30.0)], 0.2)
        reading = read(pixels, calibration=known, empty=empty)
        assert (reading.sure, sorted(reading.faces)) == (sure, [3, 5])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("die", "pip", "sheet"),
    [((240, 240, 238), (20, 20, 22), (150, 150, 150)), ((28, 27, 30), (236, 236, 234), (196, 160, 216))],
    ids=["white dice on a grey print", "black dice on a faded print"],
)
def test_dice_are_read_at_45_degrees_on_a_print_without_much_colour(
    die: tuple[int, int, int], pip: tuple[int, int, int], sheet: tuple[int, int, int]
) -> None:
    source = SyntheticSource(lambda: 1.0, 4, camera_aslant(np.random.default_rng(5), PAPER, 45.0, 70.0))
    colours = TableColours(die, pip, sheet=sheet)
    throws = [laid(source, of_six(n), 0.3 * n, colours) for n in range(5)]
    source.set_world(World(4, (), colours=colours))
    empty = source.empty_picture()
    known = learn(empty, throws[:3], posed_by_tags(empty.shape, find_tags(empty)))
    assert known.tray.die_mm == pytest.approx(16.0, rel=0.05)
    readings = [read(throw, calibration=known, empty=empty) for throw in throws[3:]]
    assert [sorted(reading.faces) for reading in readings] == [[1, 2, 3, 4, 5, 6]] * 2


@pytest.mark.parametrize("first", [1, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_the_sides_of_dice_are_not_read_from_low_without_a_calibration(first: int) -> None:
    source = SyntheticSource(lambda: 1.0, 4, camera_aslant(np.random.default_rng(5), PAPER, 44.0, 70.0))
    assert sorted(read(laid(source, of_six(first), 0.4 * first)).faces) == [1, 2, 3, 4, 5, 6]
