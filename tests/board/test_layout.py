"""Layouts: the hole of each LED."""

import hashlib
import itertools
import json
import math
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.drawing import plan_json, svg
from pegboard.errors import LayoutError
from pegboard.layouts.document import ArcTable, Document, LaneTable, LedTable, RunTable, layout_from
from pegboard.layouts.layout import Lamp
from pegboard.layouts.load import MOST_BYTES, layout_names, layout_text, load_layout, parse_layout, read_layout
from pegboard.layouts.long_board import long_board
from pegboard.layouts.strips import crowded, pieces
from pegboard.track import walks

NAMES = layout_names()
LONG = layout_text("long-board-1")
RING = str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "ring.toml")
RING_TEXT = Path(RING).read_text(encoding="utf-8")
ARC = "arc = { middle_mm = [95.0, 95.0], radius_mm = 75.5, first_deg = 3.0, step_deg = 6.0 }"


@pytest.mark.parametrize("lanes", [1, 2, 3, 4])
def test_a_long_board_has_its_lanes(lanes):
    layout = load_layout(f"long-board-{lanes}")
    assert len(layout.lanes) == lanes
    assert len(list(layout.lamps())) == lanes * 123 + 1 + 6 + 1
    assert long_board(lanes, 121) == layout


def test_the_short_board_is_half_a_long_one():
    assert replace(long_board(2, 61), name="short-board-2") == load_layout("short-board-2")


@given(st.integers(1, 12), st.integers(11, 1001))
def test_a_long_board_has_a_place_for_each_hole_of_any_track(lanes, track):
    layout = long_board(lanes, track)
    assert walks(track, layout.lap) == max(1, -(-(track - 1) // 120))
    assert (walks(track, layout.lap) - 1) * layout.lap < track - 1 <= walks(track, layout.lap) * layout.lap
    lamps = layout.lamps()
    assert sorted({lamp.led for lamp in lamps}) == sorted(lamp.led for lamp in lamps)
    wide, high = layout.size_mm
    assert all(0 < lamp.x < wide and 0 < lamp.y < high for lamp in lamps)
    assert (layout.unused()[0], max(lamp.led for lamp in lamps)) == (0, layout.leds - 1)
    assert crowded(layout) == ()
    assert set(re.findall(r"\d+ \d+", svg(layout))), "it can be drawn"


UNCHANGED = {
    "classic-3": ("2ac19529adea22fa", "8c5a2ced0f1c1e9f", "97fe19e4919c1968"),
    "long-board-1": ("819ba04f11c21661", "98649c094c764e61", "6cde9c5d61ef258a"),
    "long-board-2": ("ae4b42b5f034da77", "fe0789352b392484", "c4f11d224bbbcdcb"),
    "long-board-3": ("7deb1586527eb6c9", "366ccd3c430f4cbb", "127403675a3a8c6d"),
    "long-board-4": ("6a30bf75819be439", "c1479ffde593e5f6", "6e3fa689ce8294c7"),
    "serpentine-2": ("3cc6a4b0e2d05849", "275bdd2755b15634", "04237bebe85c831f"),
}
"""The SHA-256 of the chain, the plan and the page's drawing of boards that people may have built."""


@pytest.mark.parametrize("name", UNCHANGED)
def test_a_board_that_may_be_built_keeps_its_chain_and_its_drawings(name):
    layout = load_layout(name)
    chain = "\n".join(f"{lamp.led} {lamp.x} {lamp.y}" for lamp in layout.lamps())
    texts = (chain, svg(layout), plan_json(layout))
    assert tuple(hashlib.sha256(text.encode()).hexdigest()[:16] for text in texts) == UNCHANGED[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_places_of_a_layout_are_on_the_wood_apart_and_in_the_chain_without_its_first_led(name):
    layout = load_layout(name)
    width, height = layout.size_mm
    assert all(0 < lamp.x < width and 0 < lamp.y < height for lamp in layout.lamps())
    for one, other in itertools.combinations(layout.lamps(), 2):
        assert math.dist((one.x, one.y), (other.x, other.y)) > layout.pitch_mm * 0.99, (one, other)
    assert max(lamp.led for lamp in layout.lamps()) == layout.leds - 1
    assert crowded(layout) == (), "it can be built"
    dark = [led for led in layout.unused() if led < layout.status.led]
    assert dark[0] == 0
    assert all(later - earlier > 1 for earlier, later in itertools.pairwise(dark))


@pytest.mark.parametrize("name", NAMES)
def test_page_and_picture_show_the_same_drawing_with_every_led_at_its_place(name):
    layout = load_layout(name)
    texts = ET.fromstring(svg(layout)).iter("{http://www.w3.org/2000/svg}text")
    places = {int(each.text): float(each.get("x")) for each in texts if each.get("class") == "led"}
    assert places == {lamp.led: pytest.approx(lamp.x, abs=0.01) for lamp in layout.lamps()}
    wood = json.loads(plan_json(layout))["wood"]
    assert wood in svg(layout)
    assert wood.count('class="groove"') == len(layout.lanes)


def test_the_bends_of_rows_are_on_their_outer_side_and_on_upright_rows_too():
    def clockwise(layout):
        return [each == "1" for each in re.findall(r"A[\d.]+ [\d.]+ 0 0 ([01])", json.loads(plan_json(layout))["wood"])]

    layout = load_layout("serpentine-2")
    lanes = (replace(lane, spots=tuple(replace(at, x=at.y, y=at.x) for at in lane.spots)) for lane in layout.lanes)
    mirrored = replace(layout, lanes=tuple(lanes), size_mm=layout.size_mm[::-1])
    assert clockwise(layout)[:3] == [True, False, True]
    assert clockwise(mirrored) == [not each for each in clockwise(layout)]


def test_a_run_of_holes_may_go_in_any_direction():
    run = RunTable(holes=[1, 7], led=5, at_mm=[10.0, 20.0], step_mm=[1.0, 7.0], gap_leds=1)
    assert dict(run.lamps())[7] == Lamp(12, 17.0, 69.0)


def test_more_sides_than_lanes_share_them():
    layout = load_layout("long-board-2")
    assert layout.lane_of(2) is layout.lanes[0]


def test_the_classic_boards_holes_are_walked_twice():
    lane = load_layout("classic-3").lanes[1]
    assert [lane.spots[hole] for hole in range(1, 61)] == [lane.spots[hole] for hole in range(61, 121)]
    assert lane.spots[30].y != lane.spots[31].y
    assert lane.spots[60].x == lane.spots[1].x


def test_a_layout_is_read_by_its_name_or_from_a_file_of_ones_own(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(LONG.replace('name = "long-board-1"', 'name = "mine"'), encoding="utf-8")
    assert load_layout(str(file)).name == "mine"
    with pytest.raises(LayoutError, match="long-board-1, long-board-2"):
        load_layout("moebius")
    with pytest.raises(LayoutError, match="No such file"):
        load_layout(str(tmp_path / "none.toml"))
    for content, says in (
        (b"#" * (MOST_BYTES + 1), "more than 1,048,576 bytes"),
        (b"a." * 33 + b"b = 1", "a key of more than 32 parts"),
        (b"\xff", "expected TOML in layout"),
    ):
        file.write_bytes(content)
        with pytest.raises(LayoutError, match=says):
            load_layout(str(file))
    file.unlink()
    file.mkdir()
    with pytest.raises(LayoutError, match="it is not a file"):
        load_layout(str(file))


@pytest.mark.parametrize(
    ("text", "old", "new", "says"),
    [
        (LONG, "leds = 166", "leds = 100", "expected LEDs from 0 to 99"),
        (LONG, "holes = [1, 60]", "holes = [1, 59]", "got none for 60"),
        (LONG, "holes = [61, 120]", "holes = [60, 119]", "each hole once in lane 1, got twice: 60"),
        (LONG, "holes = [61, 120]", "holes = [61, 122]", "expected the holes 1 to 120 in lane 1, got 121 to 122"),
        (LONG, "holes = [61, 120]", "holes = [61, 1001]", "expected at most 1000 in lane 1 run 2 holes 2, got 1001"),
        (LONG, "led = 77", "led = 76", "each LED once, got twice: 76"),
        (LONG, "size_mm", "size_cm", "expected the key 'size_mm'"),
        (LONG, "gap_leds = 1", "gap_led = 1", "expected the keys .*, got 'gap_led'"),
        (LONG, 'name = "', 'lanes = 3\nname = "', "expected the keys .*, got 'lanes'"),
        (LONG, "pitch_mm = 6.944", "pitch_mm = [1]", "expected a number in pitch_mm"),
        (LONG, "pitch_mm = 6.944", "pitch_mm = 1e-300", "expected at least 1 in pitch_mm"),
        (LONG, "size_mm = [", "size_mm = [1e308, 1e308]\n# [", "expected at most 10000 in size_mm 1"),
        (LONG, "size_mm = [559.8,", "size_mm = [300.0,", "wood of 300 x 58 mm, got outside it: 43 to 46, 48 to 52"),
        (LONG, 'name = "', 'name = "\\u001b[2J', "expected a text without control characters in name"),
        (LONG, "[[lane]]", "[[lane", "expected TOML"),
        (LONG, "leds = 166", f"leds = {'9' * 5000}", "expected TOML, got: "),
        (layout_text("classic-3"), "holes = [31, 60]", "holes = [31, 61]", "holes 1 to 60 in lane 1, got 61"),
        (RING_TEXT, ARC, "", "expected at_mm and step_mm, or arc in lane 1 run 1, got none of them"),
        (RING_TEXT, ARC, "at_mm = [1.0, 2.0]", "expected at_mm and step_mm, or arc in lane 1 run 1, got at_mm"),
        (RING_TEXT, ARC, f"{ARC}\nat_mm = [1.0, 2.0]", "or arc in lane 1 run 1, got at_mm and arc"),
        (RING_TEXT, "radius_mm = 75.5", "radius_mm = 0", "a number above 0 in lane 1 run 1 arc radius_mm, got 0"),
        (RING_TEXT, "step_deg = 6.0", "step_deg = inf", "expected a number in lane 1 run 1 arc step_deg, got inf"),
        (RING_TEXT, "step_deg = 6.0", "step_deg = 600", "at most 360 in lane 1 run 1 arc step_deg, got 600"),
        (RING_TEXT, "radius_mm", "radius", "keys middle_mm, radius_mm, step_deg, first_deg in lane 1 run 1 arc"),
        (RING_TEXT, "radius_mm = 75.5", "radius_mm = 175.5", "on the wood of 190 x 190 mm, got outside it"),
        (RING_TEXT, "track = 61", "track = 63", "holes 1 to 62 in lane 1, got none for 61 to 62"),
        (RING_TEXT, "track = 61", "track = 51", "got 51 to 60"),
        (
            RING_TEXT.replace("track = 61", "track = 62"),
            *("[[lane]]", "[[lane]]\nwalked = 2"),
            "an even number of holes before the game hole in lane 1, which is walked twice, got 61",
        ),
    ],
)
def test_the_error_of_a_broken_layout_names_its_cause(text, old, new, says):
    assert old in text
    with pytest.raises(LayoutError, match=says):
        parse_layout(text.replace(old, new), "broken")


def test_all_errors_of_a_layout_are_reported_at_once():
    text = LONG.replace("led = 77", "led = 70").replace("leds = 166", "leds = 150")
    layout, wrong = read_layout(text.replace("holes = [61, 120]", "holes = [61, 118]"), "broken")
    assert layout is None
    assert wrong == (
        "expected an LED for each of the holes 1 to 120 in lane 1, got none for 119 to 120",
        "expected LEDs from 0 to 149, got 155, 157, 159, 161, 163, 165",
        "expected each LED once, got twice: 70, 72 to 74, 76",
    )


def test_all_values_of_a_wrong_type_are_reported_at_once():
    text = layout_text("classic-3").replace("leds = 244", "ledd = 244")
    text = text.replace("holes = [1, 30]", "holes = [0, 40.0]", 1).replace("walked = 2", "walked = 3", 1)
    text = text.replace("  { led = 233, at_mm = [125.104, 98.0] },\n", "")
    _, wrong = read_layout(text.replace("at_mm = [83.440, 98.0]", "at_mm = [83.440]"), "broken")
    assert wrong == (
        "expected the key 'leds' in the layout, got none",
        "expected 2 or more values in status at_mm, got 1",
        "expected 6 or more values in shelf, got 5",
        "expected at least 1 in lane 1 run 1 holes 1, got 0",
        "expected a whole number in lane 1 run 1 holes 2, got 40.0",
        "expected 1 or 2 in lane 1 walked, got 3",
        f"expected the keys {', '.join(Document.model_fields)} in the layout, got 'ledd'",
    )


keys = st.sampled_from([key for table in (LedTable, LaneTable, RunTable, ArcTable) for key in table.model_fields])
json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 700) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*Document.model_fields]), json_like, max_size=3))
def test_any_file_is_a_layout_or_gives_a_list_of_errors(table):
    layout, wrong = layout_from({**tomllib.loads(LONG), **table}, "any")
    assert (layout is None) == bool(wrong)


def on_the_ring(lamp):
    """Return the degrees of a lamp on the ring, clockwise from its top."""
    assert math.dist((lamp.x, lamp.y), (95, 95)) == pytest.approx(75.5, abs=0.01)
    return math.degrees(math.atan2(lamp.x - 95, 95 - lamp.y)) % 360


def test_a_ring_has_its_holes_on_an_arc():
    layout = load_layout(RING)
    assert layout.tracks == (61, 121)
    holes = layout.lanes[0].spots[1:-1]
    assert [lamp.led for lamp in holes] == list(range(5, 65))
    assert [on_the_ring(lamp) for lamp in holes] == pytest.approx([3 + 6 * hole for hole in range(60)], abs=0.01)


def test_an_arc_turns_the_other_way_and_leaves_leds_dark_after_each_five():
    text = RING_TEXT.replace("step_deg = 6.0 }", "step_deg = -5.0 }\ngap_leds = 1").replace("leds = 83", "leds = 99")
    for old in range(82, 64, -1):
        text = text.replace(f"led = {old},", f"led = {old + 16},")
    spots = parse_layout(text, "gaps").lanes[0].spots
    assert [spots[hole].led for hole in (1, 5, 6)] == [5, 9, 11]
    assert [on_the_ring(spots[hole]) for hole in (1, 5, 6)] == pytest.approx([3, 343, 333], abs=0.01)


def test_an_arc_may_go_round_twice():
    assert read_layout(RING_TEXT.replace("step_deg = 6.0", "step_deg = 12.0"), "ring")[0] is not None


def test_a_ring_is_drawn_round():
    drawn = svg(load_layout(RING))
    (groove,) = re.findall(r'class="groove" d="([^"]+)"', drawn)
    places = [tuple(map(float, place)) for place in re.findall(r"A75.5 75.5 0 0 1 ([\d.]+) ([\d.]+)", groove)]
    assert (len(places), groove.count("L"), groove.count("A")) == (59, 1, 59), "to the first hole, round to the last"
    assert all(math.dist(place, (95, 95)) == pytest.approx(75.5, abs=0.1) for place in places)
    ticks = " ".join(re.findall(r'class="(?:fives|street)" d="([^"]+)"', drawn))
    assert ticks.count("M") == 11
    for tick in re.findall(r"M([\d.]+) ([\d.]+)l(-?[\d.]+) (-?[\d.]+)", ticks):
        x, y, along_x, along_y = map(float, tick)
        across = along_x * (y + along_y / 2 - 95) - along_y * (x + along_x / 2 - 95)
        assert abs(across) < 30, "a mark of fives points to the middle"


def test_the_arc_of_a_ring_is_one_piece_and_needs_a_wall_to_strips_and_rings_beside_it():
    found = pieces(load_layout(RING))
    assert [(piece.leds, piece.arc is not None) for piece in found] == [(4, False), (60, True), (1, False), (17, False)]
    assert crowded(load_layout(RING)) == ()
    near = RING_TEXT.replace("at_mm = [39.448, 120.0]", "at_mm = [29.448, 120.0]")
    assert any("between LEDs 5 to 64 and" in line for line in crowded(parse_layout(near, "near")))
    half = ARC.replace("first_deg = 3.0", "first_deg = 183.0")
    first = RING_TEXT.replace("holes = [1, 60]", "holes = [1, 30]")
    halves = f"{first}\n[[lane.run]]\nholes = [31, 60]\nled = 35\n{half}\n"
    assert crowded(parse_layout(halves, "halves")) == ()
    apart = halves.replace("75.5, first_deg = 183", "70.5, first_deg = 183")
    assert any("expected a wall" in line for line in crowded(parse_layout(apart, "rings")))
