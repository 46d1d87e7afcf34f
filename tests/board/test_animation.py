"""Walking pegs and lights over time."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.animation import Animator, LightSettings, between, moment, moves
from pegboard.animation.levels import double_blink
from pegboard.animation.lights import SPARKLE_S
from pegboard.animation.moves import moves_duration_s
from pegboard.errors import FrameError, ViewError
from pegboard.layouts import load_layout
from pegboard.palette import AMBER, mark
from pegboard.pegs import BoardView, Effect, IdleStage, LaneView, MoveKind, Peg, Prompt, ShelfLight, Status
from pegboard.track import Hole, Track

LAYOUT = load_layout("long-board-2")


def board(*pegs, turn=0, **more):
    lanes = tuple(LaneView(mark(side), Hole(back), Hole(front)) for side, (back, front) in enumerate(pegs))
    return BoardView(lanes, turn=turn, **more)


def kinds(before, after):
    return [(move.lane, move.peg, move.kind) for move in moves(before, after)]


def test_keeping_dice_walks_the_front_peg():
    assert kinds(board((7, 7)), board((7, 13))) == [(0, Peg.FRONT, MoveKind.WALK)]


def test_a_bank_walks_the_back_peg():
    assert kinds(board((7, 13)), board((13, 13))) == [(0, Peg.BACK, MoveKind.WALK)]


def test_a_farkle_runs_the_front_peg_home():
    assert kinds(board((7, 13)), board((7, 7))) == [(0, Peg.FRONT, MoveKind.RUN_HOME)]


def test_a_bumped_peg_hops_once_the_other_has_arrived():
    walk, *hops = moves(board((20, 25), (25, 25)), board((25, 25), (24, 24)))
    assert [(hop.lane, hop.kind) for hop in hops] == [(1, MoveKind.HOP)] * 2
    assert all(hop.delay_s == walk.duration_s == pytest.approx(0.3) for hop in hops)


def test_sides_that_change_places_swap():
    found = moves(board((10, 10), (80, 80)), board((80, 80), (10, 10)))
    assert {move.kind for move in found} == {MoveKind.SWAP}


def test_another_game_walks_nothing():
    assert moves(board((7, 7)), board((0, 0), (0, 0))) == ()
    assert moves(board((7, 7)), board((9, 9), track=Track(241))) == ()


def test_a_walk_takes_60_ms_a_hole():
    before, after = board((0, 0)), board((0, 6))
    on_the_way = [between(before, after, ms / 1000).lanes[0].front for ms in (0, 59, 61, 121, 359, 361)]
    assert on_the_way == [0, 0, 1, 2, 5, 6]


def test_no_walk_takes_longer_than_a_second_and_a_half():
    assert moves_duration_s(board((0, 0)), board((0, 121))) == pytest.approx(1.5)


holes = st.integers(0, 121)


@given(holes, holes, st.floats(0, 4))
def test_a_peg_on_its_way_is_between_its_holes(start, end, elapsed_s):
    hole = between(board((start, start)), board((end, end)), elapsed_s).lanes[0].back
    assert min(start, end) <= hole <= max(start, end)


@given(holes, holes)
def test_every_walk_arrives(start, end):
    before, after = board((start, start)), board((end, end))
    assert between(before, after, moves_duration_s(before, after)) == after


def level_at(found, hole, lane=0):
    return next((light.level for light in reversed(found.lights) if light.hole == hole and light.lane == lane), 0.0)


def test_the_front_peg_breathes_and_the_back_peg_does_not():
    view = board((7, 13))
    fronts = {round(level_at(moment(view, tenth / 10), 13), 3) for tenth in range(24)}
    backs = {level_at(moment(view, tenth / 10), 7) for tenth in range(24)}
    assert len(fronts) > 6
    assert len(backs) == 1


def test_a_preview_is_never_as_bright_as_a_peg():
    view = board((7, 13))
    guess = replace(view, lanes=(replace(view.lanes[0], preview=Hole(20)),))
    for tenth in range(24):
        found = moment(guess, tenth / 10)
        assert 0 < level_at(found, 20) < level_at(found, 13)


def test_no_other_sides_peg_pulses():
    view = board((7, 7), (9, 9), turn=0)
    assert len({level_at(moment(view, tenth / 10), 9, lane=1) for tenth in range(24)}) == 1


def rises(levels):
    return sum(1 for a, b in itertools.pairwise(levels) if a < 0.5 <= b)


@pytest.mark.parametrize("calm", [False, True])
def test_nothing_blinks_more_than_three_times_a_second(calm):
    levels = [double_blink(ms / 1000, calm) for ms in range(0, 10_000, 5)]
    seconds = [rises(levels[start : start + 200]) for start in range(len(levels) - 200)]
    assert 0 < max(seconds) <= (1 if calm else 3)


def test_hot_dice_sparkle_once():
    view = board((0, 26))
    during = [len(moment(view, tenth / 10, Effect.SPARKLE).lights) for tenth in range(1, 11)]
    assert max(during) > 6
    assert len(moment(view, SPARKLE_S, Effect.SPARKLE).lights) == 2


def test_shelf_lights_show_which_dice_count():
    view = replace(board((0, 0)), shelf=(ShelfLight.COUNTS, ShelfLight.REFUSED, *[ShelfLight.OFF] * 4))
    assert {moment(view, t / 10).shelf[0] for t in range(16)} == {0.7}
    assert {moment(view, t / 10).shelf[1] for t in range(16)} == {0.0, 1.0}
    assert {moment(view, t / 10).shelf[2] for t in range(16)} == {0.0}


def test_a_blind_board_pulses_slowly():
    view = replace(board((0, 0)), status=Status.BLIND)
    levels = [moment(view, t / 10).status[1] for t in range(80)]
    assert rises([level * 2 for level in levels]) <= 2
    assert max(levels) > 0.4


def test_attract_runs_a_light_along_every_lane():
    view = replace(board((0, 0), (0, 0)), status=Status.ATTRACT)
    heads = [max(light.hole for light in moment(view, float(s)).lights if light.lane == 0) for s in range(5)]
    assert heads == sorted(heads)
    assert heads[-1] > heads[0]


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("effect", [None, *Effect])
@pytest.mark.parametrize("calm", [False, True])
def test_every_status_and_effect_gives_a_frame_at_any_time(status, effect, calm):
    animator = Animator(LAYOUT, LightSettings(calm=calm))
    animator.show(replace(board((3, 9), (121, 121)), status=status, leaders=(1,)), 0.0, effect)
    for tenth in range(0, 60, 3):
        assert len(animator.frame(tenth / 10)) == LAYOUT.leds


def test_the_animator_walks_from_where_the_peg_is_when_cut_short():
    animator = Animator(LAYOUT)
    led = [lamp.led for lamp in LAYOUT.lanes[0].spots]
    animator.show(board((0, 0)), 0.0)
    animator.show(board((0, 20)), 10.0)
    animator.show(board((0, 0)), 10.5)  # 8 holes on its way
    assert animator.frame(10.5).lit() == tuple(sorted((led[0], led[8])))
    assert animator.frame(10.5 + 8 * 0.025 + 0.01).lit() == (led[0],)


def test_an_equal_view_does_not_stop_a_walk():
    animator = Animator(LAYOUT)
    animator.show(board((0, 0)), 0.0)
    animator.show(board((0, 20)), 1.0)
    animator.show(board((0, 20)), 1.5)
    assert animator.busy(1.9)
    assert not animator.busy(2.3)


def test_a_view_with_a_peg_off_the_track_is_refused():
    with pytest.raises(ViewError, match="expected a hole from 0 to 121, got 122"):
        board((0, 122))
    with pytest.raises(ViewError, match="expected one of 1 lanes"):
        board((0, 0), turn=1)


def test_a_guess_pulses_where_a_peg_does_not():
    view = replace(board((7, 13), (20, 20)), lanes=(replace(board((7, 13)).lanes[0], preview=Hole(22)),))
    guesses = {round(level_at(moment(view, tenth / 10), 22), 2) for tenth in range(20)}
    assert len(guesses) > 5


def test_outcomes_of_a_question_take_turns_and_are_never_lit_together():
    view = replace(board((7, 13)), status=Status.ASK, prompt=Prompt((Hole(13), Hole(19), Hole(30))))
    lit = [{hole for hole in (13, 19, 30) if level_at(moment(view, t / 100), hole) > 0} for t in range(1, 900)]
    assert all(len(holes) <= 1 for holes in lit)
    assert set.union(*lit) == {13, 19, 30}


@pytest.mark.parametrize("face", range(1, 7))
def test_an_asked_face_is_that_many_shelf_lights(face):
    view = replace(board((0, 0)), status=Status.LOOK, prompt=Prompt(lit=face, blinking=1))
    for tenth in range(16):
        assert [level > 0 for level in moment(view, tenth / 10).shelf] == [place < face for place in range(6)]


def test_dice_in_doubt_blink_as_amber_shelf_lights():
    view = replace(board((0, 0)), status=Status.LOOK, prompt=Prompt(blinking=2))
    found = [moment(view, tenth / 10) for tenth in range(16)]
    assert {each.shelf_rgb for each in found} == {AMBER.rgb}
    assert {sum(level > 0 for level in each.shelf) for each in found} == {0, 2}


def test_a_winners_lane_fills_from_the_start_to_the_game_hole():
    view = replace(board((121, 121), (60, 60)), status=Status.OVER, leaders=(0,), turn=None)
    reached = [max((light.hole for light in moment(view, t / 4).lights if not light.peg), default=0) for t in range(20)]
    assert reached == sorted(reached)
    assert (reached[0], reached[-1]) == (0, 121)
    assert {light.lane for light in moment(view, 5.0).lights if not light.peg} == {0}


def test_two_sides_of_one_colour_have_different_rhythms():
    view = board(*((hole, hole) for hole in range(8)))
    assert view.lanes[1].mark.colour == view.lanes[7].mark.colour
    rhythms = [tuple(round(level_at(moment(view, t / 20), side, side), 2) for t in range(80)) for side in (1, 7)]
    assert rhythms[0] != rhythms[1]
    assert len({round(level_at(moment(view, t / 20), 3, 3), 2) for t in range(80)}) == 1  # no other side has its colour


def test_lights_that_reach_the_tray_are_dark_while_dice_move_and_no_others():
    led = LAYOUT.lanes[1].spots[9].led
    for status, lit in ((Status.PLAY, True), (Status.QUIET, False)):
        animator = Animator(LAYOUT, LightSettings(quiet=(led,)))
        animator.show(replace(board((3, 3), (9, 9)), status=status), 0.0)
        frame = animator.frame(0.0)
        assert (led in frame.lit(), LAYOUT.lanes[0].spots[3].led in frame.lit()) == (lit, True)


def test_an_unused_board_dims_and_sleeps_and_wakes():
    animator = Animator(LAYOUT)
    view = board((3, 3), (9, 9))
    led = LAYOUT.lanes[1].spots[9].led
    light = []
    for at_s, idle in (
        (0.0, IdleStage.AWAKE),
        (60.0, IdleStage.CALLED),
        (300.0, IdleStage.DIM),
        (1800.0, IdleStage.ASLEEP),
    ):
        animator.show(replace(view, idle=idle), at_s)
        light.append(sum(animator.frame(at_s + 10.0)[led]))
    assert light[0] == light[1] > light[2] > light[3] > 0
    animator.show(board((3, 5), (9, 9)), 2100.0)
    assert sum(animator.frame(2100.0)[led]) == light[0]


@pytest.mark.parametrize(
    "light",
    [
        LightSettings(brightness=1.1),
        LightSettings(budget_ma=200),
        LightSettings(budget_ma=3151),
        LightSettings(quiet=(313,)),
    ],
)
def test_an_impossible_light_is_refused_at_once(light):
    with pytest.raises(FrameError, match="expected"):
        Animator(LAYOUT, light)


def test_the_front_peg_stays_until_the_banked_back_peg_has_arrived():
    before, after = board((7, 20), (40, 40)), board((20, 20), (40, 40), turn=1)
    for ms in range(0, 700, 50):
        found = moment(between(before, after, ms / 1000), ms / 1000)
        assert level_at(found, 20) > 0


def test_a_breath_goes_on_from_view_to_view():
    animator = Animator(LAYOUT)
    led = LAYOUT.lanes[0].spots[13].led
    light = []
    for frame in range(240):
        now = 50 + frame / 60
        status = Status.PLAY if frame % 40 < 20 else Status.QUIET
        animator.show(replace(board((7, 13), (20, 20)), status=status), now)
        light.append(sum(animator.frame(now)[led]))
    assert max(abs(a - b) for a, b in itertools.pairwise(light)) < 0.06 * max(light)


def test_a_bumped_peg_that_bumps_the_next_hops_first():
    before, after = board((17, 25), (25, 25), (20, 20)), board((25, 25), (20, 20), (15, 15), turn=1)
    hops = {move.lane: move for move in moves(before, after) if move.kind is MoveKind.HOP and move.peg is Peg.BACK}
    walk = next(move for move in moves(before, after) if move.kind is MoveKind.WALK)
    assert hops[1].delay_s == walk.duration_s
    assert hops[2].delay_s == pytest.approx(hops[1].delay_s + hops[1].duration_s)
    assert moves_duration_s(before, after) == pytest.approx(hops[2].delay_s + hops[2].duration_s)


def test_a_peg_half_a_hole_further_is_two_neighbours_at_half_brightness():
    half = replace(board((10, 12)).lanes[0], front_half=True)
    found = {light.hole: light.level for light in moment(replace(board((10, 12)), lanes=(half,)), 0.0).lights}
    whole = {light.hole: light.level for light in moment(board((10, 12)), 0.0).lights}
    assert found[12] == found[13] == pytest.approx(whole[12] / 2)
    assert found[10] == whole[10]


def test_the_last_hole_has_no_half_beyond_it():
    end = replace(board((10, 121)).lanes[0], front_half=True)
    found = {light.hole for light in moment(replace(board((10, 121)), lanes=(end,)), 0.0).lights}
    assert found == {10, 121}


def test_a_stage_of_idleness_restarts_no_animation():
    animator, other = Animator(LAYOUT), Animator(LAYOUT)
    before, after = board((3, 3), (9, 9)), board((8, 8), (9, 9))
    for each in (animator, other):
        each.show(before, 0.0)
        each.show(after, 10.0)
    animator.show(replace(after, idle=IdleStage.WAITING), 10.1)
    assert animator.busy(10.15)
    lit = [{led for led in range(LAYOUT.leds) if any(each.frame(10.15)[led])} for each in (animator, other)]
    assert lit[0] == lit[1]
