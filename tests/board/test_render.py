"""LED frames made from lit_holes, and their current."""

from dataclasses import replace

import pytest
from boards import board

from pegboard.animation.effects import board_lights
from pegboard.errors import FrameError, TrackError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, current_ma, dark, duty, within_budget
from pegboard.palette import mark
from pegboard.render import render
from pegboard.track import Track

LAYOUT, SHARED, CLASSIC = (load_layout(name) for name in ("long-board-4", "long-board-1", "classic-3"))


def shown(view, layout=LAYOUT, at_s=0.0):
    return render(board_lights(view, at_s), layout)


def with_farkles(view, *farkles):
    lanes = (replace(lane, farkles=count) for lane, count in zip(view.lanes, farkles, strict=True))
    return replace(view, lanes=tuple(lanes))


def test_pegs_light_their_own_holes_in_their_own_colour():
    lane, frame = LAYOUT.lanes[0], shown(with_farkles(board((7, 13)), 2))
    assert frame[lane.spots[13].led] == duty(mark(0).colour.rgb, 1.0)
    assert set(frame.lit()) == {lane.spots[7].led, lane.spots[13].led, *(lamp.led for lamp in lane.farkles)}


def test_the_game_hole_lights_for_a_side_of_any_lane():
    assert shown(board(*((121, 121),) * 4)).lit() == (LAYOUT.lanes[0].spots[121].led,)


def test_brightness_scales_the_whole_board():
    found = board_lights(board((7, 13)), 0.0)
    full, half = render(found, LAYOUT), render(found, LAYOUT, 0.5)
    assert half.lit() == full.lit()
    assert sum(half.data) < sum(full.data) / 2
    with pytest.raises(FrameError, match="brightness"):
        render(found, LAYOUT, 1.5)


def test_a_dark_chain_draws_one_milliampere_an_led_and_white_sixty_more():
    assert current_ma(dark(363)) == pytest.approx(363)
    assert current_ma(LedFrame(b"\xff" * 3)) == pytest.approx(61)


def test_a_frame_over_budget_is_scaled_until_it_fits_and_another_is_not_changed():
    kept = within_budget(LedFrame(b"\xff\xff\xff" * 363), 2500)
    assert 2300 < current_ma(kept) <= 2500
    assert len(set(kept.data)) == 1
    frame = shown(board((7, 13)))
    assert within_budget(frame) is frame


@pytest.mark.parametrize(("edge", "beyond"), [(363, 362.9), (3150, 3150.1)])
def test_a_budget_is_that_of_the_dark_chain_to_that_of_the_largest_fuse(edge, beyond):
    assert within_budget(dark(363), edge) == dark(363)
    with pytest.raises(FrameError, match=f"expected a budget from 363 to 3150 mA, got {beyond}"):
        within_budget(dark(363), beyond)


def test_one_scripted_game_looks_the_same_for_one_lane_more():
    for hole in range(122):
        lit = [shown(board((hole, hole)), layout)[layout.lanes[0].spots[hole].led] for layout in (SHARED, LAYOUT)]
        assert lit[0] == lit[1] != (0, 0, 0)


def test_pegs_of_several_sides_in_one_led_take_turns():
    view = board(*((30, 30),) * 3, turn=None)
    colours = [shown(view, SHARED, 0.9 * turn)[SHARED.lanes[0].spots[30].led] for turn in range(6)]
    expected = [duty(each.mark.colour.rgb, 0.55) for each in view.lanes]
    assert colours == [pytest.approx(rgb, abs=1) for rgb in expected * 2]


def test_a_shared_lane_shows_the_farkles_of_the_side_to_move():
    lit = []
    for turn in range(3):
        frame = shown(with_farkles(board((30, 30), (31, 31), (32, 32), turn=turn), 0, 1, 2), SHARED)
        lit.append(sum(any(frame[lamp.led]) for lamp in SHARED.lanes[0].farkles))
    assert lit == [0, 1, 2]


@pytest.mark.parametrize("holes", [0, 10, 1002, -1, 121.0, True])
def test_a_track_is_neither_too_short_nor_too_long(holes):
    with pytest.raises(TrackError, match="expected a track of 11 to 1001 holes, got"):
        Track(holes)


@pytest.mark.parametrize(
    ("layout", "holes", "walks"),
    [(LAYOUT, 241, 2), *((CLASSIC, holes, walks) for holes, walks in ((61, 1), (121, 2), (131, 3), (241, 4)))],
)
def test_a_peg_walks_round_a_board_as_often_as_the_track_is_longer_and_brighter_each_time(layout, holes, walks):
    lane = layout.lanes[0]
    levels = [sum(shown(board((at, at), track=holes), layout)[lane.spots[7].led]) for at in range(7, holes, lane.walk)]
    assert len(levels) == walks
    assert levels == sorted(set(levels))
    assert sum(shown(board((holes, holes), track=holes), layout)[lane.spots[-1].led]) > 0
