"""The enclosure's measures are the program's own, and what OpenSCAD makes of them has its holes in place."""

import importlib
import itertools
import re
import shutil
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

from dicereader.tray.calibration import TAG_PLATE_MM
from dicereader.tray.geometry import Tray
from pegboard.layouts import layout_names, load_layout

FOLDER = Path(__file__).resolve().parents[2] / "board" / "enclosure"


def script(name: str) -> ModuleType:
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return importlib.import_module(name)


measures = script("measures")
needs_openscad = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="needs OpenSCAD: apt install --no-install-recommends openscad"
)


def test_the_measures_file_is_what_the_program_says_now() -> None:
    written = (FOLDER / "measures.scad").read_text(encoding="utf-8")
    assert written == measures.measures(Tray(), load_layout(measures.LAYOUT)), "run make enclosure"


def test_every_measure_of_the_tray_stands_in_the_file() -> None:
    text = measures.measures(Tray(rail_height_mm=14.25), load_layout(measures.LAYOUT))
    assert "tray_rail_height = 14.25;" in text
    for each in fields(Tray):
        assert f"tray_{each.name.removesuffix('_mm')} = " in text


def test_the_tray_uses_no_measure_of_its_own_where_the_program_has_one() -> None:
    text = (FOLDER / "tray.scad").read_text(encoding="utf-8")
    own = dict(re.findall(r"^(\w+) = ([\d.]+);", text, re.MULTILINE))
    assert set(own) == {"floor", "felt", "rim", "bevel", "rib", "rib_height", "pin", "pin_depth"}
    for name in (
        "inner",
        "wall",
        "wall_height",
        "rail",
        "rail_height",
        "rail_y",
        "pocket",
        "pockets_at",
        "tags_at",
        "tag_plate",
    ):
        assert f"tray_{name}" in text


@pytest.mark.parametrize("name", [name for name in layout_names() if name.startswith("long-board")])
def test_no_cut_goes_through_a_hole_and_every_part_fits_on_a_bed(name: str) -> None:
    layout = load_layout(name)
    cuts = measures.cuts(layout)
    assert (cuts[0], cuts[-1]) == (0.0, layout.size_mm[0])
    assert all(0 < right - left <= measures.BED_MM for left, right in itertools.pairwise(cuts))
    for cut in cuts[1:-1]:
        assert min(abs(lamp.x - cut) for lamp in layout.lamps()) > measures.CLEAR_MM


def vertices(stl: Path) -> set[tuple[float, float, float]]:
    rows = re.findall(r"vertex (\S+) (\S+) (\S+)", stl.read_text(encoding="ascii"))
    return {(float(x), float(y), float(z)) for x, y, z in rows}


@needs_openscad
def test_the_printed_front_has_its_holes_where_the_lights_are_as_people_see_them(tmp_path: Path) -> None:
    layout, cuts = load_layout(measures.LAYOUT), measures.cuts(load_layout(measures.LAYOUT))
    stl = tmp_path / "front.stl"
    script("render").openscad("board", stl, {"part": "front", "segment": 0})
    face = {(x, y) for x, y, z in vertices(stl) if z == 0.0}  # it lies on its face: from below it is right
    rim = 1.8
    for lamp in layout.lamps():
        around = [(x, y) for x, y in face if abs((x - lamp.x) ** 2 + (y - lamp.y) ** 2 - rim**2) < 0.02]
        assert (len(around) == 12) is (lamp.x < cuts[1]), lamp


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


@needs_openscad
def test_a_measure_that_is_missing_is_an_error_and_no_empty_part(tmp_path: Path) -> None:
    import subprocess

    with pytest.raises(subprocess.CalledProcessError):
        script("render").openscad("tray", tmp_path / "x.stl", {"part": "none of them"})
