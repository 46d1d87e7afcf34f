"""LED frames made from moments, and their current."""

from dataclasses import replace

import pytest

from pegboard.animation import moment
from pegboard.errors import FrameError, TrackError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark, duty
from pegboard.palette import mark
from pegboard.pegs import BoardView, LaneView
from pegboard.power import current_ma, within_budget
from pegboard.render import render
from pegboard.track import Hole, Track

LAYOUT = load_layout("long-board-4")


def view(back, front, track=121):
    return BoardView((LaneView(mark(0), Hole(back), Hole(front), farkles=2),), turn=0, track=Track(track))


def test_pegs_light_their_own_holes_in_their_own_colour():
    frame = render(moment(view(7, 13), 0.0), LAYOUT)
    lane = LAYOUT.lanes[0]
    assert frame[lane.spots[13].led] == duty(mark(0).colour.rgb, 1.0)
    farkles = {lamp.led for lamp in lane.farkles}
    assert set(frame.lit()) == {lane.spots[7].led, lane.spots[13].led} | farkles


def test_the_game_hole_lights_for_a_side_of_any_lane():
    lanes = tuple(LaneView(mark(side), Hole(121), Hole(121)) for side in range(4))
    frame = render(moment(BoardView(lanes), 0.0), LAYOUT)
    assert frame.lit() == (LAYOUT.lanes[0].spots[121].led,)


def test_the_first_lap_of_a_long_game_is_dimmer_than_the_second():
    led = LAYOUT.lanes[0].spots[30].led
    first = render(moment(view(30, 30, 241), 0.0), LAYOUT)[led]
    second = render(moment(view(150, 150, 241), 0.0), LAYOUT)[led]
    assert 0 < sum(first) < sum(second)


def test_brightness_scales_the_whole_board():
    found = moment(view(7, 13), 0.0)
    full, half = render(found, LAYOUT), render(found, LAYOUT, 0.5)
    assert half.lit() == full.lit()
    assert sum(half.data) < sum(full.data) / 2
    with pytest.raises(FrameError, match="brightness"):
        render(found, LAYOUT, 1.5)


def test_a_dark_chain_draws_one_milliampere_an_led_and_white_sixty_more():
    assert current_ma(dark(363)) == pytest.approx(363)
    assert current_ma(LedFrame(b"\xff" * 3)) == pytest.approx(61)


def test_a_frame_over_budget_is_scaled_until_it_fits():
    white = LedFrame(b"\xff\xff\xff" * 363)
    kept = within_budget(white, 2500)
    assert 2300 < current_ma(kept) <= 2500
    assert len(set(kept.data)) == 1


def test_a_frame_within_budget_is_not_changed():
    frame = render(moment(view(7, 13), 0.0), LAYOUT)
    assert within_budget(frame) is frame


@pytest.mark.parametrize("budget", [100, 4001])
def test_an_impossible_budget_is_refused(budget):
    with pytest.raises(FrameError, match="budget"):
        within_budget(dark(363), budget)


def test_one_scripted_game_looks_the_same_for_one_lane_more():
    small, large = load_layout("long-board-1"), LAYOUT
    for hole in range(122):
        found = moment(replace(view(0, 0), lanes=(LaneView(mark(0), Hole(hole), Hole(hole)),)), 0.0)
        lit = [render(found, layout)[layout.lanes[0].spots[hole].led] for layout in (small, large)]
        assert lit[0] == lit[1] != (0, 0, 0)


def test_pegs_of_several_sides_in_one_led_take_turns():
    layout = load_layout("long-board-1")
    lanes = tuple(LaneView(mark(side), Hole(30), Hole(30)) for side in range(3))
    led = layout.lanes[0].spots[30].led
    colours = [render(moment(BoardView(lanes), 0.9 * turn), layout)[led] for turn in range(6)]
    expected = [duty(each.mark.colour.rgb, 0.55) for each in lanes]
    assert colours == [pytest.approx(rgb, abs=1) for rgb in expected * 2]


def test_a_shared_lane_shows_the_farkles_of_the_side_to_move():
    layout = load_layout("long-board-1")
    lanes = tuple(LaneView(mark(side), Hole(30 + side), Hole(30 + side), farkles=side) for side in range(3))
    lit = []
    for turn in range(3):
        frame = render(moment(BoardView(lanes, turn=turn), 0.0), layout)
        lit.append(sum(any(frame[lamp.led]) for lamp in layout.lanes[0].farkles))
    assert lit == [0, 1, 2]


def test_on_the_classic_board_a_later_walk_is_brighter():
    layout = load_layout("classic-3")
    led = layout.lanes[0].spots[7].led
    light = [
        sum(render(moment(view(hole, hole, track), 0.0), layout)[led])
        for track, holes in ((121, (7, 67)), (241, (7, 67, 127, 187)))
        for hole in holes
    ]
    assert light[:2] == sorted(light[:2])
    assert light[2:] == sorted(light[2:])
    assert len(set(light[2:])) == 4


@pytest.mark.parametrize("holes", [0, 10, 1002, -1, 121.0, True])
def test_a_track_is_neither_too_short_nor_too_long(holes):
    with pytest.raises(TrackError, match="expected a track of 11 to 1001 holes, got"):
        Track(holes)


@pytest.mark.parametrize(("holes", "walks"), [(61, 1), (121, 2), (181, 3), (241, 4), (131, 3)])
def test_a_peg_walks_round_a_board_as_often_as_the_track_is_longer(holes, walks):
    layout = load_layout("classic-3")
    assert {lane.walk for lane in layout.lanes} == {60}
    lit = [render(moment(view(hole, hole, holes), 0.0), layout) for hole in range(7, holes, 60)]
    led = layout.lanes[0].spots[7].led
    levels = [sum(frame[led]) for frame in lit]
    assert len(levels) == walks
    assert levels == sorted(set(levels)), "each walk is brighter than the one before"
    end = render(moment(view(holes, holes, holes), 0.0), layout)
    assert sum(end[layout.lanes[0].spots[-1].led]) > 0
