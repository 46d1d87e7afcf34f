"""The enclosure has the program's measures, and the parts that OpenSCAD makes have their holes in place."""

import csv
import itertools
import math
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from enclosure_scripts import FOLDER, needs_openscad, script
from samples import sampled

from dicereader.tray.geometry import TAG_PLATE_MM, Tray
from pegboard.errors import LayoutError
from pegboard.layouts import layout_names, load_layout, seams

measures, parts, slicing = script("measures"), script("parts"), script("slicing")


def test_the_measures_file_is_up_to_date() -> None:
    written = (FOLDER / "measures.scad").read_text(encoding="utf-8")
    assert written == measures.measures(Tray(), load_layout(measures.LAYOUT)), "run make enclosure"


@pytest.mark.parametrize("name", layout_names())
def test_every_part_fits_on_a_bed_and_seams_go_beside_holes_and_are_bridged_and_screwed(name: str) -> None:
    layout = load_layout(name)
    front, back, screws = seams.front_cuts(layout), seams.back_cuts(layout), seams.screws(layout)
    assert len(front) > 2
    for cuts, other in ((front, back), (back, front)):
        assert (cuts[0], cuts[-1]) == (-seams.EDGE_MM, layout.size_mm[0] + seams.EDGE_MM)
        assert all(0 < right - left <= seams.BED_MM for left, right in itertools.pairwise(cuts))
        for seam in cuts[1:-1]:
            assert min(abs(seam - cut) for cut in other) > 3 * seams.SCREW_FROM_SEAM_MM
            assert any(left < seam < right for left, right in itertools.pairwise(other))
            beside = [x > seam for x, _ in screws if abs(x - seam) <= seams.SCREW_FROM_SEAM_MM + 0.001]
            assert (len(beside), set(beside)) == (4, {False, True})
    for cut in front[1:-1]:
        assert min(abs(lamp.x - cut) for lamp in layout.lamps()) > seams.CLEAR_MM
    assert len(set(screws)) == len(screws)
    assert not any(0 < y < layout.size_mm[1] for _, y in screws), "beside all lights"


def test_a_board_that_fits_on_the_bed_is_one_part() -> None:
    layout = load_layout("serpentine-2")
    assert seams.front_cuts(layout, 400) == seams.back_cuts(layout, 400) == (-8.0, layout.size_mm[0] + 8.0)
    assert len(seams.screws(layout, 400)) == 4


def test_a_bed_that_is_too_small_is_an_error() -> None:
    with pytest.raises(LayoutError, match="expected gaps between LEDs for parts of 20 mm, got none"):
        seams.front_cuts(replace(load_layout("classic-3"), size_mm=(329.8, 4.0)), 20)
    with pytest.raises(LayoutError, match="expected a board of at most 104 mm from front to back, got 106 mm"):
        seams.front_cuts(load_layout("classic-3"), 120)


def test_front_and_back_of_the_board_have_inserts_and_screws_for_every_hole() -> None:
    holes = len(seams.screws(load_layout(measures.LAYOUT)))
    board = [part.hardware for part in parts.parts() if part.file == "board"]
    assert sum(each.get(parts.INSERT, 0) for each in board) == holes
    assert sum(each.get(parts.M3X6, 0) for each in board) == holes
    total = parts.hardware()
    assert total[parts.INSERT] == total[parts.M3X6] + total["screw M3 x 8, countersunk"]


def test_the_print_times_are_those_of_the_parts() -> None:
    lines = (FOLDER / "print_times.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# Written by make enclosure ARGS=--slice with PrusaSlicer")
    for setting in ("layer-height 0.2", "perimeters 3", "fill-density 15%", "filament-type PLA", "nozzle-diameter 0.4"):
        assert setting in lines[0]
    rows = list(csv.DictReader(lines[1:]))
    assert [row["part"] for row in rows] == [part.name for part in parts.parts()]
    assert all(float(row["minutes"]) > 0 and float(row["grams"]) > 0 for row in rows)


def test_time_and_weight_are_read_from_the_slicers_comments() -> None:
    code = "G1 X1\n; filament used [g] = 12.50\n; estimated printing time (normal mode) = 1d 2h 3m 30s\n"
    assert slicing.estimate(code) == (1440 + 120 + 3.5, 12.5)
    with pytest.raises(ValueError, match="expected PrusaSlicer's comments on time and weight, got G-code of 5"):
        slicing.estimate("G1 X1")


def test_the_box_holds_the_boards_side_by_side() -> None:
    box = script("boxes").PiBox()
    pi = (box.pi_x, box.pi_y, box.pi_x + 85, box.pi_y + 56)
    perf = (box.perf_x, box.perf_y, box.perf_x + 70, box.perf_y + 50)
    for left, front, right, back in (pi, perf, (box.zero_x, box.zero_y, box.zero_x + 65, box.zero_y + 30)):
        assert 0 < left < right < box.wide
        assert 0 < front < back < box.deep
        for x, y in box.screws:
            near = max(left - x, x - right, front - y, y - back)
            assert near > box.boss / 2
    assert pi[3] < perf[1]
    assert sorted({x for x, _ in box.pi_holes})[1] - min(x for x, _ in box.pi_holes) == 58
    assert max(y for _, y in box.pi_holes) - min(y for _, y in box.pi_holes) == 49
    for one, other in itertools.combinations((*box.pi_holes, *box.zero_holes), 2):
        assert math.dist(one, other) > 6, "posts of 6 mm"


def vertices(stl: Path) -> list[tuple[float, float, float]]:
    """Return the corners of all triangles, three for each."""
    rows = re.findall(r"vertex (\S+) (\S+) (\S+)", stl.read_text(encoding="ascii"))
    return [(float(x), float(y), float(z)) for x, y, z in rows]


@pytest.mark.exhaustive
@needs_openscad
def test_the_printed_back_has_its_screws_over_the_fronts_inserts(tmp_path: Path) -> None:
    layout = load_layout(measures.LAYOUT)
    left, right = seams.back_cuts(layout)[1:3]
    stl = tmp_path / "back.stl"
    script("render").openscad("board", stl, {"part": "back", "segment": 1})
    found = vertices(stl)
    assert max(x for x, _, _ in found) - min(x for x, _, _ in found) == pytest.approx(right - left, abs=0.01)
    inner = {(x, y) for x, y, z in found if z == 2.4}  # the part lies on its outer side, so y is reversed
    for x, y in seams.screws(layout):
        turned = layout.size_mm[1] - y
        around = [place for place in inner if abs(math.dist(place, (x, turned)) - 3.3 / 2) < 0.02]
        assert (len(around) >= 12) is (left < x < right), (x, y)


@needs_openscad
@pytest.mark.parametrize(
    "name", sampled(["buttons-bottom", "camera-plate", "camera-foot", "camera-elbow"], "camera-plate")
)
def test_a_part_fits_on_the_bed_and_needs_no_support(tmp_path: Path, name: str) -> None:
    (part,) = (part for part in parts.parts() if part.name == name)
    stl = tmp_path / "part.stl"
    script("render").openscad(part.file, stl, part.values)
    corners = vertices(stl)
    triangles = [tuple(corners[at : at + 3]) for at in range(0, len(corners), 3)]
    low = min(z for _, _, z in corners)
    for axis in (0, 1):
        along = [point[axis] for point in corners]
        assert max(along) - min(along) <= seams.BED_MM
    hanging = [triangle for triangle in triangles if overhangs(triangle) and min(z for *_, z in triangle) > low]
    for triangle in hanging:
        narrow = min(max(point[axis] for point in triangle) - min(point[axis] for point in triangle) for axis in (0, 1))
        assert narrow < 7, "a bridge that a printer spans"


def overhangs(triangle: tuple[tuple[float, float, float], ...]) -> bool:
    """Return whether a triangle looks down, more level than 45 degrees."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    u, v = (bx - ax, by - ay, bz - az), (cx - ax, cy - ay, cz - az)
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return normal[2] < -0.72 * math.hypot(*normal)


@pytest.mark.exhaustive
@needs_openscad
def test_the_printed_tray_is_as_the_eye_knows_it(tmp_path: Path) -> None:
    tray, stl = Tray(), tmp_path / "quarter.stl"
    script("render").openscad("tray", stl, {"part": "left_front"})
    found = vertices(stl)
    assert {-tray.half_mm} <= {x for x, y, z in found}
    assert max(z for _, _, z in found) == tray.wall_height_mm + TAG_PLATE_MM
    assert tray.wall_height_mm in {z for _, _, z in found}
    rail = {(round(y, 3), z) for _, y, z in found if z == tray.rail_height_mm}
    half = tray.rail_mm / 2
    assert {(tray.rail_y_mm - half, tray.rail_height_mm), (tray.rail_y_mm + half, tray.rail_height_mm)} <= rail
    x, y = tray.pocket_centre_mm(0)
    corner = (round(x - tray.pocket_mm / 2, 3), round(y - tray.pocket_mm / 2, 3))
    assert corner in {(round(a, 3), round(b, 3)) for a, b, z in found if z == 3.0}


@pytest.mark.exhaustive
@needs_openscad
def test_a_measure_that_is_missing_is_an_error_and_no_empty_part(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        script("render").openscad("tray", tmp_path / "x.stl", {"part": "none of them"})


def test_the_files_of_another_board_have_its_measures(tmp_path: Path) -> None:
    layout = load_layout("long-board-4")
    folder = script("render").sources(layout, tmp_path)
    text = (folder / "measures.scad").read_text(encoding="utf-8")
    assert 'board_name = "long-board-4";' in text
    assert {file.name for file in folder.glob("*.scad")} == {file.name for file in FOLDER.glob("*.scad")}
