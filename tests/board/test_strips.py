"""Boards that can be built: pieces of strip and the walls between their grooves."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from pegboard.layouts import Layout, load_layout
from pegboard.layouts.layout import Lamp
from pegboard.layouts.load import layout_text, parse_layout
from pegboard.layouts.seams import unprintable
from pegboard.layouts.strips import crowded, pieces, to_segment


def changed(name: str, *changes: tuple[str, str]) -> Layout:
    text = layout_text(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_layout(text, name)


@pytest.mark.parametrize("lanes", [1, 2, 3, 4])
def test_a_long_board_is_two_strips_a_lane_the_game_hole_and_one_strip_of_17(lanes: int) -> None:
    assert [piece.leds for piece in pieces(load_layout(f"long-board-{lanes}"))] == [76, 71] * lanes + [1, 17]


def test_a_piece_ends_where_the_chain_leaves_its_line_or_its_pitch() -> None:
    layout = load_layout("serpentine-2")
    assert [piece.leds for piece in pieces(layout)] == [40, 35, 35, 35] * 2 + [1, 17]
    moved = changed("serpentine-2", ("at_mm = [125.104, 122.0]", "at_mm = [126.104, 122.0]"))
    assert [piece.leds for piece in pieces(moved)][-4:] == [1, 1, 1, 9]


def test_rows_nearer_than_a_strip_and_its_wall_are_named() -> None:
    layout = changed("long-board-3", ("98.0]", "95.0]"))
    assert crowded(layout) == (
        "expected a wall of 1.2 mm or more between grooves of 10.6 mm, got -1.6 mm between LEDs 1 to 76 and "
        "LEDs 443 to 459",
    )


def test_a_single_led_needs_its_wall_too() -> None:
    (line,) = crowded(changed("long-board-3", ("at_mm = [34.832, 50.0]", "at_mm = [48.720, 49.0]")))
    assert line.endswith("got 0.4 mm between LEDs 371 to 441 and LED 442")


@pytest.mark.parametrize(("strip_mm", "fits"), [(5.0, True), (10.2, True), (10.4, False)])
def test_a_wider_strip_needs_rows_further_apart(strip_mm: float, fits: bool) -> None:
    layout = replace(load_layout("long-board-3"), strip_mm=strip_mm)
    assert (crowded(layout) == ()) is fits


def test_pieces_in_one_groove_may_touch_and_not_overlap() -> None:
    def with_game_at(x: str) -> Layout:
        return changed("long-board-1", ("at_mm = [34.832, 26.0]", f"at_mm = [{x}, 50.0]"))

    assert crowded(with_game_at("196.572")) == ()
    assert "do not overlap, got LED 148 on LEDs 149 to 165" in crowded(with_game_at("200.0"))[0]


@pytest.mark.parametrize("turn", [1j, 0.6 + 0.8j])
def test_the_walls_of_a_turned_board_are_checked_too(turn: complex) -> None:
    def turned(lamps: Sequence[Lamp]) -> tuple[Lamp, ...]:
        places = [turn * complex(lamp.x, lamp.y) for lamp in lamps]
        return tuple(replace(lamp, x=at.real, y=at.imag) for lamp, at in zip(lamps, places, strict=True))

    layout = changed("long-board-1", ("50.0]", "47.0]"))
    lanes = (replace(lane, spots=turned(lane.spots), farkles=turned(lane.farkles)) for lane in layout.lanes)
    there = replace(layout, lanes=tuple(lanes), shelf=turned(layout.shelf), status=turned([layout.status])[0])
    assert len(crowded(layout)) == len(crowded(there)) == 1


@pytest.mark.parametrize(
    ("point", "far"),
    [((7.0, 5.0), 0.2), ((0.0, 1.0), 2.0), ((10.0, 9.0), 2.0)],
    ids=["beside it", "before it", "after"],
)
def test_a_place_is_as_far_from_a_line_as_from_its_nearest_point(point: tuple[float, float], far: float) -> None:
    assert to_segment(point, (2.0, 1.0), (10.0, 7.0)) == pytest.approx(far)
    assert to_segment(point, (2.0, 1.0), (2.0, 1.0)) == pytest.approx(math.dist(point, (2.0, 1.0)))


def test_strips_that_cross_leave_no_wall() -> None:
    layout = changed("long-board-1", ("at_mm = [203.516, 50.0]", "at_mm = [203.516, 20.0]"))
    upright = replace(
        layout, shelf=tuple(replace(one, x=203.516, y=20.0 + 6.944 * (one.led - 149)) for one in layout.shelf)
    )
    assert "got -10.6 mm" in crowded(upright)[0]


def test_a_board_without_gaps_for_its_seams_cannot_be_printed_in_parts() -> None:
    layout = load_layout("long-board-3")
    assert unprintable(layout) == ()
    dense = replace(layout, shelf=tuple(replace(one, x=5.0 * n) for n, one in enumerate(layout.shelf * 20)))
    assert unprintable(dense) == ("expected gaps between LEDs for parts of 220 mm, got none",)
