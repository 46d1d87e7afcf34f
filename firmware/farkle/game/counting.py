"""Counting: a turn whose dice nobody can read is counted by the players; its points and farkles are the game's."""

from farkle.errors import IllegalMoveError
from farkle.game.changes import FURTHEST
from farkle.game.commands import Count
from farkle.game.course import Course
from farkle.game.endings import finish_turn
from farkle.game.events import FarkleCounted, PointsCounted
from farkle.game.farkles import farkle


def count(course: Course, command: Count) -> None:
    """The turn stands at these points, or has farkled; raises `IllegalMoveError` on points that cannot be."""
    state = course.state
    if command.points is None:
        course.happens(FarkleCounted(state.to_move))
        farkle(course)
        finish_turn(course)
        return
    if isinstance(command.points, bool) or not 0 <= command.points <= FURTHEST:
        raise IllegalMoveError(f"expected 0 to {FURTHEST} points, got {command.points!r}")
    if state.turn.counted and state.turn.points == command.points:
        raise IllegalMoveError(f"{command.points} are counted already")
    course.happens(PointsCounted(state.to_move, command.points))
