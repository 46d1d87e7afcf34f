"""Banking: whether a turn may be banked, its points, and the peg that comes to rest."""

from farkle.errors import IllegalMoveError
from farkle.game.commands import Bank
from farkle.game.endings import finish_turn
from farkle.game.events import PegBumped, PointsGiven, TurnBanked
from farkle.game.evolve import Course
from farkle.game.order import is_one_throw, seats_from
from farkle.game.standing import others_in_hole
from farkle.game.state import GameState, Hot


def bank(course: Course, _: Bank) -> None:
    """End the turn with its points; an `IllegalMoveError` says why the rules do not allow it yet."""
    state = course.state
    if not is_one_throw(state):  # its only throw counts, whatever it brings
        _check_hot_dice(state)
        _check_points(state)
    player, side, points = state.to_move, state.side_to_move, state.turn.points
    score = state.sides[side].score + points
    if state.rules.switches.charity and score > state.rules.switches.target:
        course.add(TurnBanked(player, 0, state.sides[side].score))
        _give(course, points)
    else:
        course.add(TurnBanked(player, points, score))
        arrive(course, side)
    finish_turn(course)


def _check_hot_dice(state: GameState) -> None:
    """Check that no hot dice have to be thrown again first.

    Raises:
        IllegalMoveError: if they have to.
    """
    switches, hot = state.rules.switches, state.turn.hot
    forced = {"none": (), "single_throw": (Hot.SINGLE_THROW,), "any": (Hot.SINGLE_THROW, Hot.SEVERAL_THROWS)}
    if hot in forced[switches.forced_hot] or (switches.too_hot and hot is not Hot.NO):
        raise IllegalMoveError("all dice scored: they must be thrown again before banking", "hot_dice")


def _check_points(state: GameState) -> None:
    """Check that the turn's points reach each minimum.

    Raises:
        IllegalMoveError: if they are below one.
    """
    switches, points = state.rules.switches, state.turn.points
    if state.turn.swaps:
        return
    on_board = any(state.seats[player].on_board for player in state.counted_with(state.to_move))
    if not on_board and points < switches.opening_min:
        least = switches.opening_min
        raise IllegalMoveError(f"{least} to open, you have {points}", "opening", least=least, points=points)
    if points < switches.min_bank:
        least = switches.min_bank
        raise IllegalMoveError(f"{least} at least in a turn, you have {points}", "too_few", least=least, points=points)


def _give(course: Course, points: int) -> None:
    """Give the points of a turn that overshot to the other side with the lowest score.

    If several sides tie, the next in turn gets the points. The points are void if that side would overshoot too.
    """
    state = course.state
    own = state.side_to_move
    order = [state.side_of(player) for player in seats_from(state, state.to_move)]
    others = [side for side in order if side != own and state.competes(side)]
    lowest = min(others, key=lambda side: state.sides[side].score, default=None)
    score = 0 if lowest is None else state.sides[lowest].score + points
    if lowest is None or score > state.rules.switches.target:
        course.add(PointsGiven(state.to_move, points, None, 0))
        return
    course.add(PointsGiven(state.to_move, points, lowest, score))
    arrive(course, lowest)


def arrive(course: Course, side: int) -> None:
    """Let a side's peg come to rest: pegs in its hole go back, and may bump others in turn."""
    rules = course.state.rules
    for other in others_in_hole(course.state, side):
        back = int(rules.switches.one_peg_per_hole) * rules.hole_points
        course.add(PegBumped(other, max(0, course.state.sides[other].score - back)))
        arrive(course, other)
