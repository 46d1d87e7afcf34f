"""Walking pegs and lights over time."""

import itertools
from dataclasses import replace

import pytest
from boards import board
from hypothesis import given
from hypothesis import strategies as st

from pegboard.animation import levels as levels_of
from pegboard.animation.animator import Animator, LightSettings
from pegboard.animation.effects import SPARKLE_S, board_lights
from pegboard.animation.moves import between, moves, moves_duration_s
from pegboard.errors import FrameError, ViewError
from pegboard.layouts import load_layout
from pegboard.palette import AMBER, Shape
from pegboard.pegs import BoardView, Effect, IdleStage, MoveKind, Peg, Prompt, ShelfLight, Status
from pegboard.track import Hole

LAYOUT = load_layout("long-board-2")
HOLES = st.integers(0, 121)


@pytest.mark.parametrize(
    ("after", "peg", "kind"),
    [((7, 20), Peg.FRONT, MoveKind.WALK), ((13, 13), Peg.BACK, MoveKind.WALK), ((7, 7), Peg.FRONT, MoveKind.RUN_HOME)],
    ids=["dice are kept", "a bank", "a farkle"],
)
def test_pegs_walk_when_points_are_kept_or_banked_and_run_home_at_a_farkle(after, peg, kind):
    assert [(move.lane, move.peg, move.kind) for move in moves(board((7, 13)), board(after))] == [(0, peg, kind)]


def test_sides_that_change_places_swap():
    found = moves(board((10, 10), (80, 80)), board((80, 80), (10, 10)))
    assert {move.kind for move in found} == {MoveKind.SWAP}


def test_another_game_walks_nothing():
    assert moves(board((7, 7)), board((0, 0), (0, 0))) == ()
    assert moves(board((7, 7)), board((9, 9), track=241)) == ()


def test_a_bumped_peg_hops_once_the_other_has_arrived_and_the_peg_that_it_bumps_hops_after_it():
    before, after = board((17, 25), (25, 25), (20, 20)), board((25, 25), (20, 20), (15, 15), turn=1)
    walk, *hops = moves(before, after)
    assert (walk.kind, walk.duration_s) == (MoveKind.WALK, pytest.approx(0.48))
    assert [(hop.lane, hop.peg, hop.kind) for hop in hops] == [
        (lane, peg, MoveKind.HOP) for lane in (1, 2) for peg in (Peg.BACK, Peg.FRONT)
    ]
    assert [hop.delay_s for hop in hops] == pytest.approx([0.48, 0.48, 1.08, 1.08])
    assert moves_duration_s(before, after) == pytest.approx(1.68)


def test_a_walk_takes_60_ms_a_hole_and_at_most_a_second_and_a_half():
    before, after = board((0, 0)), board((0, 6))
    on_the_way = [between(before, after, ms / 1000).lanes[0].front for ms in (0, 59, 61, 121, 359, 361)]
    assert on_the_way == [0, 0, 1, 2, 5, 6]
    assert moves_duration_s(board((0, 0)), board((0, 121))) == pytest.approx(1.5)


@given(HOLES, HOLES, st.floats(0, 4))
def test_a_peg_on_its_way_is_between_its_holes_and_arrives(start, end, elapsed_s):
    before, after = board((start, start)), board((end, end))
    assert min(start, end) <= between(before, after, elapsed_s).lanes[0].back <= max(start, end)
    assert between(before, after, moves_duration_s(before, after)) == after


def levels(view, hole, lane=0):
    """Return the level of a hole's uppermost light in each tenth of 2.4 seconds."""
    lit_holes = [board_lights(view, tenth / 10).lights for tenth in range(24)]
    return [
        next((round(light.level, 3) for light in reversed(lights) if (light.hole, light.lane) == (hole, lane)), 0.0)
        for lights in lit_holes
    ]


def test_only_the_front_peg_of_the_turn_breathes_and_a_preview_pulses_below_it():
    view = board((7, 13), (9, 9))
    view = replace(view, lanes=(replace(view.lanes[0], preview=Hole(20)), view.lanes[1]))
    fronts, previews = levels(view, 13), levels(view, 20)
    assert (len(set(levels(view, 7))), len(set(levels(view, 9, lane=1)))) == (1, 1)
    assert min(len(set(fronts)), len(set(previews))) > 5
    assert all(0 < preview < front for preview, front in zip(previews, fronts, strict=True))


def test_hot_dice_sparkle_once():
    view = board((0, 26))
    during = [len(board_lights(view, tenth / 10, Effect.SPARKLE).lights) for tenth in range(1, 11)]
    assert max(during) > 6
    assert len(board_lights(view, SPARKLE_S, Effect.SPARKLE).lights) == 2


def test_shelf_lights_show_which_dice_count():
    view = board((0, 0), shelf=(ShelfLight.COUNTS, ShelfLight.REFUSED, *[ShelfLight.OFF] * 4))
    lights = list(zip(*(board_lights(view, t / 10).shelf for t in range(16)), strict=True))
    assert [set(each) for each in lights[:3]] == [{0.7}, {0.0, 1.0}, {0.0}]


def test_a_blind_board_pulses_slowly():
    shown = [board_lights(board((0, 0), status=Status.BLIND), t / 10).status[1] for t in range(80)]
    assert sum(a < 0.25 <= b for a, b in itertools.pairwise(shown)) <= 2
    assert max(shown) > 0.4


def test_attract_runs_a_light_along_every_lane():
    view = board((0, 0), (0, 0), status=Status.ATTRACT)
    for lane in range(2):
        lit = [board_lights(view, float(s)).lights for s in range(5)]
        heads = [max(light.hole for light in lights if light.lane == lane) for lights in lit]
        assert heads == sorted(heads)
        assert heads[-1] > heads[0]


@pytest.mark.parametrize("calm", [False, True])
def test_every_status_and_effect_gives_a_frame_at_any_time(calm):
    for status, effect in itertools.product(Status, [None, *Effect]):
        animator = Animator(LAYOUT, LightSettings(calm=calm))
        animator.show(board((3, 9), (121, 121), status=status, leaders=(1,)), 0.0, effect)
        for second in range(6):
            assert len(animator.frame(0.9 * second)) == LAYOUT.leds, (status, effect)


def test_the_animator_walks_from_where_the_peg_is_when_cut_short():
    animator = Animator(LAYOUT)
    led = [lamp.led for lamp in LAYOUT.lanes[0].spots]
    for at_s, hole in ((0.0, 0), (10.0, 20), (10.5, 0)):  # 8 holes on its way
        animator.show(board((0, hole)), at_s)
    assert animator.frame(10.5).lit() == tuple(sorted((led[0], led[8])))
    assert animator.frame(10.5 + 8 * 0.025 + 0.01).lit() == (led[0],)


def test_an_equal_view_does_not_stop_a_walk():
    animator = Animator(LAYOUT)
    for at_s, hole in ((0.0, 0), (1.0, 20), (1.5, 20)):
        animator.show(board((0, hole)), at_s)
    assert [animator.busy(at_s) for at_s in (1.9, 2.3)] == [True, False]


def test_a_stage_of_idleness_restarts_no_animation():
    animator, other = Animator(LAYOUT), Animator(LAYOUT)
    before, after = board((3, 3), (9, 9)), board((8, 8), (9, 9))
    for each in (animator, other):
        each.show(before, 0.0)
        each.show(after, 10.0)
    animator.show(replace(after, idle=IdleStage.WAITING), 10.1)
    assert animator.busy(10.15)
    assert animator.frame(10.15).lit() == other.frame(10.15).lit()


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: board((0, 122)), "a hole from 0 to 121, got 122"),
        (lambda: board((0, 0), turn=1), "one of 1 lanes, got lane 1"),
        (lambda: board((0, 0), leaders=(-1,)), "one of 1 lanes, got lane -1"),
        (lambda: board(*[(0, 0)] * 12, (0, 0)), "a player from 0 to 11, got 12"),
        (lambda: BoardView((board((0, 0)).lanes[0],) * 13), "at most 12 lanes, got 13"),
        (lambda: board((0, 0), shelf=()), "6 shelf lights, got 0"),
        (lambda: BoardView((replace(board((0, 0)).lanes[0], farkles=-1),)), "0 or more farkles, got -1"),
        (lambda: board((0, 0), prompt=Prompt((Hole(122),))), "a hole from 0 to 121, got 122"),
        (lambda: Prompt(lit=7), "0 to 6 lit shelf lights, got 7"),
        (lambda: Prompt(blinking=-1), "0 or more blinking shelf lights, got -1"),
        (lambda: board((0, 0), digits=(12,)), "digits from 0 to 9, got"),
    ],
)
def test_a_view_that_cannot_be_shown_is_refused(made, says):
    with pytest.raises(ViewError, match=f"expected {says}"):
        made()


def test_outcomes_of_a_question_take_turns_and_are_never_lit_together():
    view = board((7, 13), status=Status.ASK, prompt=Prompt((Hole(13), Hole(19), Hole(30))))
    lit = [{light.hole for light in board_lights(view, t / 20).lights if light.level > 0} - {7} for t in range(1, 180)]
    assert all(len(holes) <= 1 for holes in lit)
    assert set.union(*lit) == {13, 19, 30}


@pytest.mark.parametrize("face", range(1, 7))
def test_an_asked_face_is_that_many_shelf_lights(face):
    view = board((0, 0), status=Status.LOOK, prompt=Prompt(lit=face, blinking=1))
    for tenth in range(16):
        assert [level > 0 for level in board_lights(view, tenth / 10).shelf] == [place < face for place in range(6)]


def test_blinks_dips_and_fades_begin_and_end_at_their_times():
    on_s, dip_s = levels_of.BLINK_ON_S, levels_of.DIP_S
    times = (0, on_s / 2, on_s, 2 * on_s, 3 * on_s, levels_of.BLINK_S)
    assert [levels_of.double_blink(at_s, calm=False) for at_s in times] == [1, 1, 0, 1, 0, 1]
    dipping = [
        [n for n in range(4) if levels_of.shape_rhythm(shape, (n + 0.5) * dip_s) < 0.6] for shape in list(Shape)[:3]
    ]
    assert dipping == [[], [0], [0, 1]]
    fading = [levels_of.idle_level(IdleStage.DIM, levels_of.IDLE_FADE_S * share) for share in (-1, 0, 0.5, 1, 2)]
    assert fading == pytest.approx([1, 1, 0.725, 0.45, 0.45])


def test_dice_in_doubt_blink_as_amber_shelf_lights():
    view = board((0, 0), status=Status.LOOK, prompt=Prompt(blinking=2))
    found = [board_lights(view, tenth / 10) for tenth in range(16)]
    assert {each.shelf_rgb for each in found} == {AMBER.rgb}
    assert {sum(level > 0 for level in each.shelf) for each in found} == {0, 2}


def test_a_winners_lane_fills_from_the_start_to_the_game_hole():
    view = board((121, 121), (60, 60), status=Status.OVER, leaders=(0,), turn=None)
    filled = [[light for light in board_lights(view, t / 4).lights if not light.peg] for t in range(21)]
    reached = [max((light.hole for light in lights), default=0) for lights in filled]
    assert reached == sorted(reached)
    assert (reached[0], reached[-1]) == (0, 121)
    assert {(light.lane, light.hole) for light in filled[-1]} == {(0, hole) for hole in range(1, 122)}


def test_two_sides_of_one_colour_have_different_rhythms():
    view = board(*((hole, hole) for hole in range(8)))
    assert view.lanes[1].mark.colour == view.lanes[7].mark.colour
    assert levels(view, 1, 1) != levels(view, 7, 7)
    assert len(set(levels(view, 3, 3))) == 1  # no other side has its colour


def test_lights_that_reach_the_tray_are_dark_while_dice_move_and_no_others():
    led = LAYOUT.lanes[1].spots[9].led
    for status, lit in ((Status.PLAY, True), (Status.QUIET, False)):
        animator = Animator(LAYOUT, LightSettings(quiet=(led,)))
        animator.show(board((3, 3), (9, 9), status=status), 0.0)
        frame = animator.frame(0.0)
        assert (led in frame.lit(), LAYOUT.lanes[0].spots[3].led in frame.lit()) == (lit, True)


def test_an_unused_board_dims_and_sleeps_and_wakes():
    animator, led = Animator(LAYOUT), LAYOUT.lanes[1].spots[9].led
    light = []
    stages = (0.0, IdleStage.AWAKE), (60.0, IdleStage.CALLED), (300.0, IdleStage.DIM), (1800.0, IdleStage.ASLEEP)
    for at_s, idle in stages:
        animator.show(board((3, 3), (9, 9), idle=idle), at_s)
        light.append(sum(animator.frame(at_s + 10.0)[led]))
    assert light[0] == light[1] > light[2] > light[3] > 0
    animator.show(board((3, 5), (9, 9)), 2100.0)
    assert sum(animator.frame(2100.0)[led]) == light[0]


@pytest.mark.parametrize("wrong", [{"brightness": 1.1}, {"budget_ma": 200}, {"budget_ma": 3151}, {"quiet": (313,)}])
def test_an_impossible_light_is_refused_at_once(wrong):
    with pytest.raises(FrameError, match="expected"):
        Animator(LAYOUT, LightSettings(**wrong))


def test_the_front_peg_stays_until_the_banked_back_peg_has_arrived():
    before, after = board((7, 20), (40, 40)), board((20, 20), (40, 40), turn=1)
    for ms in range(0, 700, 50):
        found = board_lights(between(before, after, ms / 1000), ms / 1000)
        assert any(light.hole == 20 and light.level > 0 for light in found.lights)


def test_a_breath_goes_on_from_view_to_view():
    animator, led = Animator(LAYOUT), LAYOUT.lanes[0].spots[13].led
    light = []
    for frame in range(240):
        status = Status.PLAY if frame % 40 < 20 else Status.QUIET
        animator.show(board((7, 13), (20, 20), status=status), 50 + frame / 60)
        light.append(sum(animator.frame(50 + frame / 60)[led]))
    assert max(abs(a - b) for a, b in itertools.pairwise(light)) < 0.06 * max(light)


def test_a_peg_half_a_hole_further_is_two_neighbours_at_half_brightness_but_not_beyond_the_last_hole():
    def lit(front, **half):
        view = board((10, front))
        view = replace(view, lanes=(replace(view.lanes[0], **half),))
        return {light.hole: light.level for light in board_lights(view, 0.0).lights}

    whole, found = lit(12), lit(12, front_half=True)
    assert found[12] == found[13] == pytest.approx(whole[12] / 2)
    assert found[10] == whole[10]
    assert lit(121, front_half=True).keys() == {10, 121}
