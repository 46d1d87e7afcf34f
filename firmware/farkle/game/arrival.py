"""Arrival: what happens when a peg comes to rest: where one peg a hole is the rule, another there goes back."""

from farkle.game.course import Course
from farkle.game.events import PegBumped
from farkle.game.standing import position
from farkle.game.state import GameState


def arrive(course: Course, side: int) -> None:
    """A side's peg comes to rest; those it bumps go back and may bump in turn. Start and end are no holes."""
    rules = course.state.rules
    for other in others_in_hole(course.state, side):
        back = int(rules.switches.one_peg_per_hole) * rules.hole_points
        course.happens(PegBumped(other, max(0, course.state.sides[other].score - back)))
        arrive(course, other)


def others_in_hole(state: GameState, side: int) -> tuple[int, ...]:
    """The other sides whose pegs stand in this side's hole, where that is against the rules."""
    hole = _hole(state, side)
    if state.rules.switches.one_peg_per_hole == "off" or hole is None:
        return ()
    return tuple(other for other in range(len(state.sides)) if other != side and _hole(state, other) == hole)


def _hole(state: GameState, side: int) -> int | None:
    """The hole that a side's peg stands in; None at the start, off the board, or out of the game."""
    peg = state.sides[side]
    if peg.out or not state.competes(side) or peg.score >= state.rules.switches.target:
        return None
    hole = position(peg.score, state.rules.hole_points)
    return hole if hole > 0 else None
