"""The board view: the table's view as pegs and lights."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import Table

from companion.devices.lights import board_view
from companion.errors import RefusedError
from companion.table.state.inputs import Fault, MotionReported
from dicereader.reading import Motion
from pegboard.animation.moves import moves
from pegboard.pegs import BoardView, LaneView, MoveKind, Peg, ShelfLight, Status
from pegboard.track import Hole, Track


def steps(table: Table, act: Callable[[], object]) -> set[tuple[int, Peg, MoveKind, int, int]]:
    """Return the steps of the pegs that an act moves: lane, peg, kind of move, from, to."""
    before = board_view(table.view)
    act()
    found = moves(before, board_view(table.view))
    return {(move.lane, move.peg, move.kind, move.start, move.end) for move in found}


def lane(table: Table, side: int = 0) -> LaneView:
    return board_view(table.view).lanes[side]


THROWN, CHOSEN = (lambda: Table().start().throws("233346")), (lambda: Table().start().throws("233346").chooses("2333"))


@pytest.mark.parametrize(
    ("table", "act", "step"),
    [
        (THROWN, lambda table: table.chooses("333"), (Peg.FRONT, MoveKind.WALK, 0, 6)),
        (THROWN, lambda table: table.sets_aside("333", "246"), (Peg.FRONT, MoveKind.WALK, 0, 6)),
        (
            lambda: THROWN().chooses("333"),
            lambda table: table.throws("346", shelf="333"),
            (Peg.FRONT, MoveKind.RUN_HOME, 6, 0),
        ),
        (CHOSEN, lambda table: table.taps("bank"), (Peg.BACK, MoveKind.WALK, 0, 8)),
        (lambda: CHOSEN().taps("bank"), lambda table: table.undoes(), (Peg.BACK, MoveKind.HOP, 8, 0)),
    ],
    ids=["a choice", "dice slid onto the shelf", "a farkle", "a bank", "an undone bank"],
)
def test_an_act_moves_one_peg(
    table: Callable[[], Table], act: Callable[[Table], object], step: tuple[Peg, MoveKind, int, int]
) -> None:
    played = table()
    assert steps(played, lambda: act(played)) == {(0, *step)}


def test_the_hole_that_a_bank_would_reach_is_a_preview_of_the_player_to_move_unless_its_front_peg_is_there() -> None:
    table = THROWN()
    shown = lane(table)
    assert (shown.back, shown.front, shown.preview) == (Hole(0), Hole(0), Hole(8))
    assert lane(table, 1).preview is None
    assert lane(CHOSEN()).preview is None


def test_the_turn_is_shown_in_the_lane_of_the_player_to_move() -> None:
    table = Table().start().throws("233346")
    assert board_view(table.view).turn == 0
    assert board_view(table.taps("bank").view).turn == 1


def test_farkles_in_a_row_are_counted_in_the_lane() -> None:
    table = Table().start("Ann").throws("334466").throws("334466")
    assert lane(table).farkles == 2


def test_a_score_off_the_end_stands_in_the_last_hole() -> None:
    table = Table().start("Ann").throws("111111").chooses("111111")
    for _ in range(3):
        table.throws("111111", shelf="111111").chooses("111111")
    table.taps("bank")
    assert (table.score("Ann"), lane(table).back) == (160, Hole(121))


def test_the_long_game_is_shown_on_the_long_track() -> None:
    assert board_view(Table().start(track=241).view).track == Track(241)


def test_steady_lights_count_also_for_dice_kept_earlier_and_blinking_ones_do_not() -> None:
    shelf = board_view(THROWN().sets_aside("3334", "26").view).shelf
    assert shelf == (*(ShelfLight.COUNTS,) * 3, ShelfLight.REFUSED, *(ShelfLight.OFF,) * 2)
    table = THROWN().chooses("333").throws("146", shelf="333")
    assert board_view(table.view).shelf[:3] == (ShelfLight.COUNTS,) * 3


@pytest.mark.parametrize(
    ("table", "status"),
    [
        (Table(), Status.ATTRACT),
        (Table().start(), Status.PLAY),
        (Table().start().throws("233346"), Status.PLAY),
        (Table().start().throws("334466"), Status.PLAY),
        (Table().start().throws("233346", sure=False), Status.LOOK),
        (Table().start(settings={"target": 5}).throws("233346").taps("bank"), Status.FINAL),
        (Table().start("Ann", settings={"target": 5}).throws("233346").taps("bank"), Status.OVER),
    ],
    ids=["lobby", "to throw", "choosing", "farkled", "asking", "final round", "over"],
)
def test_every_phase_has_its_status(table: Table, status: Status) -> None:
    assert board_view(table.view).status is status


@pytest.mark.parametrize("motion", [Motion.MOVING, Motion.HAND])
def test_the_board_is_quiet_while_dice_move_or_a_hand_is_in_the_tray(motion: Motion) -> None:
    table = Table().start()
    table.take(MotionReported(motion))
    assert board_view(table.view).status is Status.QUIET


@pytest.mark.parametrize("motion", list(Motion))
def test_a_table_that_cannot_see_pulses_until_it_sees(motion: Motion) -> None:
    table = Table().start()
    table.take(MotionReported(motion))
    table.take(Fault("eye", "no frames"))
    assert board_view(table.view).status is Status.BLIND
    table.take(Fault("eye", None))  # a blind eye may miss the end of a motion, so it reports motion anew
    assert board_view(table.view).status is Status.PLAY


def test_other_faults_leave_the_board_as_it_is() -> None:
    table = Table().start().throws("233346")
    before = board_view(table.view)
    for part in ("journal", "sound", "leds", "storage"):
        table.take(Fault(part, "degraded"))
    assert board_view(table.view) == before


def test_the_board_shows_the_leader_and_none_while_all_scores_are_zero() -> None:
    table = Table().start("Ann", "Ben", "Cy")
    assert board_view(table.view).leaders == ()
    table.throws("233346").taps("bank").throws("233346").taps("bank")
    assert board_view(table.view).leaders == (0, 1)


@given(st.integers(1, 12), st.sampled_from((11, 61, 91, 121, 241)), st.randoms(use_true_random=False))
def test_any_view_of_any_evening_is_a_board(players: int, track: int, chance) -> None:
    table = Table().start(*[f"P{i}" for i in range(players)], track=track)
    for _ in range(12):
        view = table.view
        act = chance.choice(["throw", "keep", "bank", "undo", "move", "blind"])
        try:
            if act == "throw":
                dice = "".join(str(chance.randint(1, 6)) for _ in range(view.dice_to_throw))
                table.throws(dice, shelf="".join(map(str, view.chosen.dice)) if view.chosen else "")
            elif act == "undo":
                table.undoes()
            elif act in {"keep", "bank"}:
                table.taps(act)
            else:
                table.take(
                    MotionReported(Motion.HAND) if act == "move" else Fault("eye", chance.choice(["dark", None]))
                )
        except RefusedError:
            pass
        board = board_view(table.view)
        assert isinstance(board, BoardView)  # the class checks its lanes, holes and shelf
        assert len(board.lanes) == players
        assert all(each.front >= each.back for each in board.lanes)
