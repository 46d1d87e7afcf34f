"""Banking: when it is allowed (`may_bank`) and what it does, with the gift of a turn that overshoots."""

from collections.abc import Callable

from farkle.errors import IllegalMoveError
from farkle.game.arrival import arrive
from farkle.game.course import Course
from farkle.game.events import PointsGiven, TurnBanked
from farkle.game.order import seats_from
from farkle.game.state import GameState, Hot


def _hot_dice_thrown(state: GameState) -> str | None:
    switches, hot = state.rules.switches, state.turn.hot
    forced = {"none": (), "single_throw": (Hot.SINGLE_THROW,), "any": (Hot.SINGLE_THROW, Hot.SEVERAL_THROWS)}
    if hot in forced[switches.forced_hot] or (switches.too_hot and hot is not Hot.NO):
        return "all dice scored: they must be thrown again before banking"
    return None


def _enough_points(state: GameState) -> str | None:
    switches, points = state.rules.switches, state.turn.points
    if state.turn.swaps:
        return None
    on_board = any(state.seats[player].on_board for player in state.counted_with(state.to_move))
    if not on_board and points < switches.opening_min:
        return f"{switches.opening_min} to open, you have {points}"
    if points < switches.min_bank:
        return f"{switches.min_bank} at least in a turn, you have {points}"
    return None


MAY_BANK: tuple[Callable[[GameState], str | None], ...] = (_hot_dice_thrown, _enough_points)
"""Each says why the turn may not be banked yet, or None."""


def bank(course: Course) -> None:
    """End the turn with its points; raises `IllegalMoveError` with the reason where the rules do not allow it yet."""
    state = course.state
    for check in MAY_BANK:
        reason = check(state)
        if reason is not None:
            raise IllegalMoveError(reason)
    player, side, points = state.to_move, state.side_to_move, state.turn.points
    score = state.sides[side].score + points
    if state.rules.switches.charity and score > state.rules.switches.target:
        course.happens(TurnBanked(player, 0, state.sides[side].score))
        _give(course, points)
        return
    course.happens(TurnBanked(player, points, score))
    arrive(course, side)


def _give(course: Course, points: int) -> None:
    """Give what overshot to the lowest other side, of several the next in turn; void where it would overshoot too."""
    state = course.state
    own = state.side_to_move
    order = [state.side_of(player) for player in seats_from(state, state.to_move)]
    others = [side for side in order if side != own and state.competes(side)]
    lowest = min(others, key=lambda side: state.sides[side].score, default=None)
    score = 0 if lowest is None else state.sides[lowest].score + points
    if lowest is None or score > state.rules.switches.target:
        course.happens(PointsGiven(state.to_move, points, None, 0))
        return
    course.happens(PointsGiven(state.to_move, points, lowest, score))
    arrive(course, lowest)
