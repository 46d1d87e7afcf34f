"""Layouts: the hole of each LED."""

import itertools
import json
import tomllib
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.drawing import plan_json, svg
from pegboard.errors import LayoutError
from pegboard.layouts.document import Document, LaneTable, LedTable, layout_from
from pegboard.layouts.load import layout_names, load_layout, parse_layout, read_layout
from pegboard.track import GAME_SPOT

NAMES = layout_names()


def text_of(name):
    from importlib.resources import files

    return files("pegboard").joinpath("layouts", f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("lanes", [1, 2, 3, 4])
def test_a_long_board_has_its_lanes(lanes):
    layout = load_layout(f"long-board-{lanes}")
    assert len(layout.lanes) == lanes
    assert len(list(layout.lamps())) == lanes * 123 + 1 + 6 + 1


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
    assert len({lane.spots[GAME_SPOT].led for lane in layout.lanes}) == 1


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
        ("holes = [61, 120]", "holes = [61, 122]", "expected at most 120 in lane 1 run 2 holes 2, got 122"),
        ("led = 77", "led = 76", "each LED once, got twice: 76"),
        ("size_mm", "size_cm", "expected the key 'size_mm'"),
        ("pitch_mm = 6.944", "pitch_mm = [1]", "expected a number in pitch_mm"),
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


keys = st.sampled_from([*LedTable.model_fields, *LaneTable.model_fields])
json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 700) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*Document.model_fields]), json_like, max_size=6))
def test_any_file_is_a_layout_or_gives_a_list_of_errors(table):
    layout, wrong = layout_from({**tomllib.loads(text_of("long-board-1")), **table}, "any")
    assert (layout is None) == bool(wrong)


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
