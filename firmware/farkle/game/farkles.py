"""Farkles (`on_farkle`): the turn's points are lost, a swap may be undone, and three in a row have their price."""

from farkle.game.arrival import arrive
from farkle.game.course import Course
from farkle.game.events import Farkled, PenaltyPaid, PlayerDisqualified, SwapUndone

IN_A_ROW = 3
"""How many farkled turns in a row cost something, where any rule makes them."""


def farkle(course: Course) -> None:
    """The throw scored nothing and the turn is lost."""
    state = course.state
    player = state.to_move
    course.happens(Farkled(player, state.turn.points, state.seats[player].farkles + 1))
    if state.rules.switches.bomb_swap == "undone_on_farkle":
        for side, other in reversed(state.turn.swaps):
            course.happens(SwapUndone(side, other))
    if course.state.seats[player].farkles >= IN_A_ROW:
        _in_a_row(course, player)


def _in_a_row(course: Course, player: int) -> None:
    rules = course.state.rules
    if rules.switches.three_strikes_out:
        for each in course.state.counted_with(player):
            course.happens(PlayerDisqualified(each))
    elif rules.farkles_cost:
        side = course.state.side_of(player)
        before = course.state.sides[side].score
        after = before - rules.farkles_cost
        if rules.switches.penalty_floor == "start":
            after = min(before, max(0, after))
        course.happens(PenaltyPaid(player, before - after, after))
        arrive(course, side)
