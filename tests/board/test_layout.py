"""Layouts: which LED is which hole."""

import json

import pytest

from pegboard.drawing import plans_json
from pegboard.errors import LayoutError
from pegboard.layout import layout_names, load_layout, parse_layout
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
def test_every_place_lies_on_the_wood(name):
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
        ("leds = 156", "leds = 100", "expected LEDs from 0 to 99"),
        ("holes = [1, 60]", "holes = [1, 59]", r"got none for \[60\]"),
        ("holes = [61, 120]", "holes = [60, 119]", "got hole 60 twice"),
        ("holes = [61, 120]", "holes = [61, 122]", "got hole"),
        ("led = 77", "led = 76", "got twice"),
        ("size_mm", "size_cm", "expected the key 'size_mm'"),
        ("pitch_mm = 6.944", "pitch_mm = [1]", "expected numbers"),
        ("[[lane]]", "[[lane", "expected TOML"),
    ],
)
def test_a_broken_layout_says_what_is_wrong(old, new, says):
    text = text_of("long-board-1")
    assert old in text
    with pytest.raises(LayoutError, match=says):
        parse_layout(text.replace(old, new), "broken")


def test_the_pages_plan_has_every_place_of_every_lane():
    (plan,) = json.loads(plans_json([load_layout("long-board-3")]))
    assert [len(lane["spots"]) for lane in plan["lanes"]] == [122] * 3
    assert plan["lanes"][0]["spots"][1] == [48.7, 84.0]
