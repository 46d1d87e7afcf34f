"""Digits shown on the board as a number of lit holes, read back from the frames for the LEDs."""

import pytest
from boards import board

from pegboard.animation.animator import Animator
from pegboard.animation.effects import BETWEEN_S, DIGIT_S, PAUSE_S, digits_duration_s
from pegboard.layouts import Layout, load_layout
from pegboard.pegs import BoardView, Effect

LAYOUTS = [load_layout(name) for name in ("long-board-2", "long-board-1", "classic-3")]


def counted(*digits: int, turn: int = 0) -> BoardView:
    return board((30, 40), (30, 40), turn=turn, digits=digits)


def lit(layout: Layout, animator: Animator, now_s: float, lane: int = 0) -> list[int]:
    """Return the lit holes of a lane."""
    data = animator.frame(now_s).data
    spots = layout.lane_of(lane).spots
    return [hole for hole in range(1, 61) if any(data[3 * spots[hole].led : 3 * spots[hole].led + 3])]


def read(layout: Layout, view: BoardView, count: int) -> list[list[int]]:
    """Return the lit holes in the middle of each of `count` digits, which are shown twice."""
    animator = Animator(layout)
    animator.show(view, 100.0, Effect.DIGITS)
    times = []
    for round_ in range(2):
        begins = 100.0 + PAUSE_S + round_ * (PAUSE_S + count * (DIGIT_S + BETWEEN_S))
        times += [begins + number * (DIGIT_S + BETWEEN_S) + DIGIT_S / 2 for number in range(count)]
    return [lit(layout, animator, now_s, view.turn or 0) for now_s in times]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_each_digit_lights_as_many_holes_and_all_are_shown_twice(layout: Layout) -> None:
    one, zero, five = list(range(1, 2)), list(range(1, 11)), list(range(1, 6))
    assert read(layout, counted(1, 0, 5), 3) == [one, zero, five] * 2


def test_between_the_digits_the_lane_is_dark_and_afterwards_the_pegs_are_back() -> None:
    view = counted(2, 3)
    animator = Animator(LAYOUTS[0])
    animator.show(view, 0.0, Effect.DIGITS)
    assert lit(LAYOUTS[0], animator, PAUSE_S / 2) == []
    assert lit(LAYOUTS[0], animator, PAUSE_S + DIGIT_S + BETWEEN_S / 2) == []
    ends_s = digits_duration_s(view.digits)
    assert animator.busy(ends_s - 0.1)
    assert not animator.busy(ends_s + 0.1)
    assert lit(LAYOUTS[0], animator, ends_s + 0.1) == [30, 40]


def test_the_next_view_ends_the_digits() -> None:
    animator = Animator(LAYOUTS[0])
    animator.show(counted(2), 0.0, Effect.DIGITS)
    animator.show(counted(2, turn=1), PAUSE_S + 0.5)
    assert 30 in lit(LAYOUTS[0], animator, PAUSE_S + 1.0)
