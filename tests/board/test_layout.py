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
from pegboard.layouts.load import layout_names, load_layout, parse_layout, read_layout
from pegboard.layouts.long_board import long_board
from pegboard.layouts.strips import crowded, pieces
from pegboard.track import walks

NAMES = layout_names()


def text_of(name):
    from importlib.resources import files

    return files("pegboard").joinpath("layouts", f"{name}.toml").read_text(encoding="utf-8")


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
def test_the_first_pixel_stays_dark(name):
    assert 0 not in {lamp.led for lamp in load_layout(name).lamps()}


@pytest.mark.parametrize("name", NAMES)
def test_every_place_is_on_the_wood(name):
    layout = load_layout(name)
    width, height = layout.size_mm
    assert all(0 < lamp.x < width and 0 < lamp.y < height for lamp in layout.lamps())


@pytest.mark.parametrize("name", NAMES)
def test_no_two_places_are_nearer_than_the_strips_pitch(name):
    layout = load_layout(name)
    lamps = list(layout.lamps())
    for number, one in enumerate(lamps):
        for other in lamps[:number]:
            assert (one.x - other.x) ** 2 + (one.y - other.y) ** 2 > (layout.pitch_mm * 0.99) ** 2, (one, other)


@pytest.mark.parametrize("name", NAMES)
def test_the_chain_is_no_longer_than_its_last_led(name):
    layout = load_layout(name)
    assert max(lamp.led for lamp in layout.lamps()) == layout.leds - 1


def test_holes_of_a_lane_follow_each_other_with_a_gap_after_five():
    spots = load_layout("long-board-2").lanes[0].spots
    assert [spots[hole].led for hole in (1, 5, 6, 60)] == [6, 10, 12, 76]
    assert spots[6].x - spots[5].x == pytest.approx(2 * 6.944)


def test_lanes_share_the_game_hole():
    layout = load_layout("long-board-4")
    assert len({lane.spots[-1].led for lane in layout.lanes}) == 1


def test_more_sides_than_lanes_share_them():
    layout = load_layout("long-board-2")
    assert layout.lane_of(2) is layout.lanes[0]


def test_an_unknown_layout_names_the_known_ones():
    with pytest.raises(LayoutError, match="long-board-1, long-board-2"):
        load_layout("moebius")


def test_a_layout_file_of_ones_own_is_read(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(text_of("long-board-1").replace('name = "long-board-1"', 'name = "mine"'), encoding="utf-8")
    assert load_layout(str(file)).name == "mine"


def test_a_missing_layout_file_says_so(tmp_path):
    with pytest.raises(LayoutError, match="No such file"):
        load_layout(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("leds = 166", "leds = 100", "expected LEDs from 0 to 99"),
        ("holes = [1, 60]", "holes = [1, 59]", "got none for 60"),
        ("holes = [61, 120]", "holes = [60, 119]", "each hole once in lane 1, got twice: 60"),
        ("holes = [61, 120]", "holes = [61, 122]", "expected the holes 1 to 120 in lane 1, got 121 to 122"),
        ("holes = [61, 120]", "holes = [61, 1001]", "expected at most 1000 in lane 1 run 2 holes 2, got 1001"),
        ("led = 77", "led = 76", "each LED once, got twice: 76"),
        ("size_mm", "size_cm", "expected the key 'size_mm'"),
        ("pitch_mm = 6.944", "pitch_mm = [1]", "expected a number in pitch_mm"),
        ("pitch_mm = 6.944", "pitch_mm = 1e-300", "expected at least 1 in pitch_mm"),
        ("size_mm = [", "size_mm = [1e308, 1e308]\n# [", "expected at most 10000 in size_mm 1"),
        ('name = "', 'name = "\\u001b[2J', "expected a text without control characters in name"),
        ("[[lane]]", "[[lane", "expected TOML"),
    ],
)
def test_the_error_of_a_broken_layout_names_its_cause(old, new, says):
    text = text_of("long-board-1")
    assert old in text
    with pytest.raises(LayoutError, match=says):
        parse_layout(text.replace(old, new), "broken")


def test_all_errors_of_a_layout_are_reported_at_once():
    text = text_of("long-board-1").replace("led = 77", "led = 70").replace("leds = 166", "leds = 150")
    layout, wrong = read_layout(text.replace("holes = [61, 120]", "holes = [61, 118]"), "broken")
    assert layout is None
    assert wrong == (
        "expected an LED for each of the holes 1 to 120 in lane 1, got none for 119 to 120",
        "expected LEDs from 0 to 149, got 155, 157, 159, 161, 163, 165",
        "expected each LED once, got twice: 70, 72 to 74, 76",
    )


def test_all_values_of_a_wrong_type_are_reported_at_once():
    text = text_of("classic-3").replace("leds = 244", "ledd = 244").replace("holes = [1, 30]", "holes = [0, 40.0]", 1)
    text = text.replace("walked = 2", "walked = 3", 1).replace("  { led = 233, at_mm = [125.104, 98.0] },\n", "")
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


def test_a_number_with_too_many_digits_is_no_toml():
    assert read_layout(f"leds = {'9' * 5000}", "long")[1][0].startswith("expected TOML, got: ")


def test_a_place_beside_the_wood_is_found():
    text = text_of("long-board-1").replace("size_mm = [559.8, 58.0]", "size_mm = [300.0, 58.0]")
    with pytest.raises(LayoutError, match=r"on the wood of 300 x 58 mm, got outside it: 43 to 46, 48 to 52"):
        parse_layout(text, "small")


@pytest.mark.parametrize("key", ["gap_led = 1", "lanes = 3"])
def test_an_unknown_key_is_an_error(key):
    text = (
        f"{key}\n{text_of('long-board-1')}" if "lanes" in key else text_of("long-board-1").replace("gap_leds = 1", key)
    )
    with pytest.raises(LayoutError, match=f"expected the keys .*, got '{key.split()[0]}'"):
        parse_layout(text, "typo")


keys = st.sampled_from([key for table in (LedTable, LaneTable, RunTable, ArcTable) for key in table.model_fields])
json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 700) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*Document.model_fields]), json_like, max_size=6))
def test_any_file_is_a_layout_or_gives_a_list_of_errors(table):
    layout, wrong = layout_from({**tomllib.loads(text_of("long-board-1")), **table}, "any")
    assert (layout is None) == bool(wrong)


DOCS = Path(__file__).resolve().parents[2] / "docs"
RING = str(DOCS / "examples" / "ring.toml")
ARC = "arc = { middle_mm = [95.0, 95.0], radius_mm = 75.5, first_deg = 3.0, step_deg = 6.0 }"


def ring_text():
    return Path(RING).read_text(encoding="utf-8")


def test_a_ring_is_a_few_lines():
    layout = load_layout(RING)
    assert layout.tracks == (61, 121)
    lane = layout.lanes[0]
    assert [lamp.led for lamp in lane.spots[1:-1]] == list(range(5, 65))
    for hole, lamp in enumerate(lane.spots[1:-1]):
        assert math.dist((lamp.x, lamp.y), (95, 95)) == pytest.approx(75.5, abs=0.01)
        assert math.degrees(math.atan2(lamp.x - 95, 95 - lamp.y)) % 360 == pytest.approx(3 + 6 * hole, abs=0.01)
    assert ARC in ring_text()
    assert len(ring_text().splitlines()) < 30


def test_an_arc_turns_the_other_way_and_leaves_leds_dark_after_each_five():
    text = ring_text().replace("step_deg = 6.0 }", "step_deg = -5.0 }\ngap_leds = 1").replace("leds = 83", "leds = 99")
    for old in range(82, 64, -1):
        text = text.replace(f"led = {old},", f"led = {old + 16},")
    spots = parse_layout(text, "gaps").lanes[0].spots
    assert [spots[hole].led for hole in (1, 5, 6)] == [5, 9, 11]
    assert [math.degrees(math.atan2(spots[hole].x - 95, 95 - spots[hole].y)) for hole in (1, 5, 6)] == pytest.approx(
        [3, -17, -27], abs=0.01
    )


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ("", "expected at_mm and step_mm, or arc in lane 1 run 1, got none of them"),
        ("at_mm = [1.0, 2.0]", "expected at_mm and step_mm, or arc in lane 1 run 1, got at_mm"),
        (f"{ARC}\nat_mm = [1.0, 2.0]", "expected at_mm and step_mm, or arc in lane 1 run 1, got at_mm and arc"),
        (
            ARC.replace("radius_mm = 75.5", "radius_mm = 0"),
            "expected a number above 0 in lane 1 run 1 arc radius_mm, got 0",
        ),
        (ARC.replace("6.0", "inf"), "expected a number in lane 1 run 1 arc step_deg, got inf"),
        (ARC.replace("6.0", "600"), "expected at most 360 in lane 1 run 1 arc step_deg, got 600"),
        (
            ARC.replace("radius_mm", "radius"),
            "expected the keys middle_mm, radius_mm, step_deg, first_deg in lane 1 run 1 arc",
        ),
        (ARC.replace("75.5", "175.5"), r"on the wood of 190 x 190 mm, got outside it"),
        (ARC.replace("6.0", "12.0"), ""),
    ],
)
def test_a_mistake_in_an_arc_is_named(new, says):
    layout, wrong = read_layout(ring_text().replace(ARC, new), "ring")
    assert (says in "; ".join(wrong)) if says else layout is not None


@pytest.mark.parametrize(
    ("track", "says"), [(63, "holes 1 to 62 in lane 1, got none for 61 to 62"), (51, "got 51 to 60")]
)
def test_the_holes_of_a_layout_are_those_of_its_track(track, says):
    _, wrong = read_layout(ring_text().replace("track = 61", f"track = {track}"), "ring")
    assert says in "; ".join(wrong)


def test_a_lane_that_is_walked_twice_has_an_even_number_of_holes():
    _, wrong = read_layout(
        ring_text().replace("track = 61", "track = 62").replace("[[lane]]", "[[lane]]\nwalked = 2"), "r"
    )
    assert wrong == ("expected an even number of holes before the game hole in lane 1, which is walked twice, got 61",)


def test_a_ring_is_drawn_round():
    drawn = svg(load_layout(RING))
    assert drawn.count('class="groove"') == 1
    groove = re.search(r'class="groove" d="([^"]+)"', drawn)[1]
    places = [tuple(map(float, place)) for place in re.findall(r"A75.5 75.5 0 0 1 ([\d.]+) ([\d.]+)", groove)]
    assert (len(places), groove.count("L"), groove.count("A")) == (59, 1, 59), (
        "to the first hole, and round to the last"
    )
    assert all(math.dist(place, (95, 95)) == pytest.approx(75.5, abs=0.1) for place in places)
    ticks = re.findall(r'class="(?:fives|street)" d="([^"]+)"', drawn)
    assert sum(tick.count("M") for tick in ticks) == 11
    for x, y, along_x, along_y in re.findall(r"M([\d.]+) ([\d.]+)l(-?[\d.]+) (-?[\d.]+)", " ".join(ticks)):
        middle = float(x) + float(along_x) / 2 - 95, float(y) + float(along_y) / 2 - 95
        across = float(along_x) * middle[1] - float(along_y) * middle[0]
        assert abs(across) < 30, "a mark of fives points to the middle"


def test_the_arc_of_a_ring_is_one_piece_beside_the_straight_strips():
    found = pieces(load_layout(RING))
    assert [(piece.leds, piece.arc is not None) for piece in found] == [(4, False), (60, True), (1, False), (17, False)]
    assert crowded(load_layout(RING)) == ()


def test_a_ring_without_a_wall_to_the_strip_beside_it_is_crowded():
    near = ring_text().replace("at_mm = [39.448, 120.0]", "at_mm = [29.448, 120.0]")
    assert any("between LEDs 5 to 64 and" in line for line in crowded(parse_layout(near, "near")))


def test_two_halves_of_one_ring_touch_and_two_rings_do_not():
    halves = ring_text().replace("holes = [1, 60]", "holes = [1, 30]") + (
        "\n[[lane.run]]\nholes = [31, 60]\nled = 35\n" + ARC.replace("first_deg = 3.0", "first_deg = 183.0") + "\n"
    )
    assert crowded(parse_layout(halves, "halves")) == ()
    apart = halves.replace("first_deg = 183.0", "first_deg = 183.0").replace(
        "75.5, first_deg = 183", "70.5, first_deg = 183"
    )
    assert any("expected a wall" in line for line in crowded(parse_layout(apart, "rings")))


def test_every_key_of_a_layout_is_in_the_reference():
    table = (DOCS / "extending.md").read_text(encoding="utf-8").partition("<!-- generated: layout-keys -->")[2]
    rows = table.partition("<!-- end -->")[0]
    for model in (Document, LaneTable, RunTable, ArcTable, LedTable):
        for key, field in model.model_fields.items():
            assert field.description, key
            assert f"| `{key}` |" in rows
            assert field.description in rows


def test_the_classic_boards_holes_are_walked_twice():
    lane = load_layout("classic-3").lanes[1]
    assert [lane.spots[hole] for hole in range(1, 61)] == [lane.spots[hole] for hole in range(61, 121)]
    assert lane.spots[30].y != lane.spots[31].y
    assert lane.spots[60].x == lane.spots[1].x


def test_a_lane_walked_twice_has_no_hole_beyond_its_wood():
    text = text_of("classic-3").replace("holes = [31, 60]", "holes = [31, 61]", 1)
    with pytest.raises(LayoutError, match="expected the holes 1 to 60 in lane 1, got 61"):
        parse_layout(text, "long")


def test_a_street_of_the_serpentine_board_is_a_row():
    for lane in load_layout("serpentine-2").lanes:
        rows = [{lane.spots[hole].y for hole in range(first, first + 30)} for first in (1, 31, 61, 91)]
        assert [len(row) for row in rows] == [1] * 4
        assert len(set.union(*rows)) == 4


@pytest.mark.parametrize("name", NAMES)
def test_the_leds_that_stay_dark_are_the_first_and_those_in_gaps(name):
    dark = load_layout(name).unused()
    lights = load_layout(name).status.led
    assert dark[0] == 0
    assert all(later - earlier > 1 for earlier, later in itertools.pairwise(led for led in dark if led < lights))


@pytest.mark.parametrize("name", NAMES)
def test_the_drawing_has_every_led_at_its_place(name):
    layout = load_layout(name)
    root = ET.fromstring(svg(layout))
    numbers = {
        int(text.text): text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("class") == "led"
    }
    assert set(numbers) == {lamp.led for lamp in layout.lamps()}
    for lamp in layout.lamps():
        assert float(numbers[lamp.led].get("x")) == pytest.approx(lamp.x, abs=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_and_the_picture_show_the_same_drawing(name):
    layout = load_layout(name)
    plan = json.loads(plan_json(layout))
    assert plan["wood"] in svg(layout)
    assert plan["wood"].count('class="groove"') == len(layout.lanes)


def test_the_pages_plan_has_every_place_of_every_lane():
    plan = json.loads(plan_json(load_layout("long-board-3")))
    assert [len(lane["spots"]) for lane in plan["lanes"]] == [122] * 3
    assert plan["lanes"][0]["spots"][1] == [48.7, 86.0]
