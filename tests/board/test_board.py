"""`Board` opens a strip by name, places pegs, and shows them walking."""

from collections.abc import Callable

import pytest
from strips import look

from pegboard import Board, LedFrame, LightSettings, PegboardError, load_layout
from pegboard.animation.effects import board_lights
from pegboard.errors import DriverError, ViewError
from pegboard.ledframe import within_budget
from pegboard.palette import mark
from pegboard.pegs import BoardView, LaneView
from pegboard.render import render
from pegboard.track import Hole


class Times:
    """A clock that only the board's waits move on."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def board():
    times = Times()
    with Board("simulated", "long-board-2", clock=times, sleep=times.sleep) as opened:
        yield opened


def shown(lanes: tuple[LaneView, ...], now_s: float) -> LedFrame:
    layout = load_layout("long-board-2")
    return within_budget(render(board_lights(BoardView(lanes), now_s), layout))


def test_pegs_are_shown_where_they_were_placed(board: Board) -> None:
    board.place(0, 7, 13)
    board.place(1, 31)
    board.show()
    lanes = (LaneView(mark(0), Hole(7), Hole(13)), LaneView(mark(1), Hole(31), Hole(31)))
    assert look(board.strip.last) == look(shown(lanes, 0.0))


def test_a_peg_walks_to_its_new_hole_or_is_placed_there(board: Board) -> None:
    board.place(0, 7)
    board.show()
    frames = len(board.strip.frames)
    board.place(0, 12)
    board.show()
    walked = list(board.strip.frames)[frames:]
    assert len(walked) >= 5  # one hole after the other
    assert look(walked[-1]) == look(shown((LaneView(mark(0), Hole(12), Hole(12)),), 0.0))
    frames = len(board.strip.frames)
    board.place(0, 60)
    board.show(walk=False)
    assert len(board.strip.frames) == frames + 1


def test_the_front_peg_of_the_turn_breathes(board: Board) -> None:
    board.place(0, 7)
    board.show()
    steady = board.strip.last
    board.turn(0)
    board.show()
    assert board.strip.last != steady
    board.turn(None)
    board.show()
    assert board.strip.last == steady


def test_the_end_is_dark(board: Board) -> None:
    board.place(0, 7)
    board.show()
    board.close()
    board.close()
    assert board.strip.last.lit() == ()
    with pytest.raises(DriverError, match="already closed"):
        board.show()


BAD: tuple[object, ...] = (None, -1, 122, 1.5, True, "x", b"x", [], {}, object(), 10**30)
ASKED: dict[str, Callable[[Board, object], object]] = {
    "side": lambda board, bad: board.place(bad, 3),
    "hole": lambda board, bad: board.place(0, bad),
    "front hole": lambda board, bad: board.place(0, 3, bad if bad is not None else -1),
    "turn": lambda board, bad: board.turn(bad if bad is not None else -1),
    "leds": lambda _, bad: Board(bad),
    "layout": lambda _, bad: Board("simulated", bad),
    "track": lambda _, bad: Board("simulated", track=bad if bad != 122 else 10),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_wrong_value_of_any_type_is_an_error_of_the_board(board: Board, name: str) -> None:
    for bad in BAD:
        with pytest.raises(PegboardError):
            ASKED[name](board, bad)


def test_a_side_without_pegs_has_no_turn(board: Board) -> None:
    with pytest.raises(ViewError, match="expected one of the 0 sides with pegs, or None, got 0"):
        board.turn(0)


def test_settings_that_the_layout_cannot_have_are_refused() -> None:
    with pytest.raises(PegboardError, match="expected a budget"):
        Board("simulated", settings=LightSettings(budget_ma=1))
