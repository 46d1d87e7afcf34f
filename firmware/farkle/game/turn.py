"""The answers to the commands of a turn: roll, keep, count and bank, the price of a farkle, and the peg that rests."""

from dataclasses import replace

from farkle.errors import IllegalMoveError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.endings import finish_turn, win_at_once
from farkle.game.evolve import Course
from farkle.game.order import is_one_throw, seats_from
from farkle.game.standing import others_in_hole
from farkle.game.state import LARGEST_SCORE, GameState, Hot, Phase
from farkle.rules.dice import Faces, check_faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection, legal_selections

IN_A_ROW = 3
"""The number of farkled turns in a row that cost points or the game, if a switch says so."""


def roll(course: Course, command: do.Roll) -> None:
    """Add a throw, and the end of the turn if it farkles, or of the game if it wins at once.

    Raises:
        IllegalMoveError: if the turn's only throw is done.
    """
    state = course.state
    turn, rules = state.turn, state.rules
    if not may_throw_again(state):
        raise IllegalMoveError("the last turns are one throw each", "one_throw")
    faces = check_faces(command.faces, least=1 if turn.counted else turn.dice_left, most=turn.dice_left)
    course.add(ev.DiceRolled(state.to_move, faces))
    if rules.wins_at_once(faces):
        win_at_once(course)
    elif legal_selections(rules, faces):
        return
    elif _nobody_loses(state, faces):
        course.add(ev.NobodyLost(state.to_move, rules.nobody_loses))
    else:
        _farkle(course)


def _nobody_loses(state: GameState, faces: Faces) -> bool:
    """Return whether Nobody Loses pays for a throw: all dice, in the rule's scope, and no Troublesome Twos."""
    rules = state.rules
    if not rules.nobody_loses or len(faces) < rules.n_dice:
        return False
    if rules.switches.troublesome_twos and faces.count(2) >= 4:
        return False
    return rules.switches.nobody_loses_scope == "any_six" or (state.turn.throws == 0 and state.turn.points == 0)


def may_throw_again(state: GameState) -> bool:
    """Return whether the turn may go on with a throw: not after the only throw of a last turn."""
    return not (state.turn.throws and is_one_throw(state))


def offered(state: GameState) -> tuple[Selection, ...]:
    """Return what may be kept of the last roll now, best first; in a last turn of one throw only its best score."""
    if state.phase is not Phase.CHOOSING:
        return ()
    found = legal_selections(state.rules, state.turn.roll)
    if not is_one_throw(state):
        return found
    return tuple(replace(each, totals=(each.points,)) for each in found if each.points == found[0].points)


def keep(course: Course, command: do.Keep) -> None:
    """Add the kept dice and their points.

    Raises:
        IllegalMoveError: if these dice may not be kept, or not for these points.
    """
    state = course.state
    selection = find_selection(state.rules, state.turn.roll, command.dice)
    points = selection.points if command.points is None else command.points
    if points not in selection.totals:
        possible = " or ".join(map(str, selection.totals))
        text = f"expected {possible} points for these dice, got {points!r}"
        raise IllegalMoveError(text, "these_totals", totals=selection.totals)
    one_throw = is_one_throw(state)
    if one_throw and points != (best := offered(state)[0].points):
        text = f"expected the best selection of the only throw, {best} points, got {points}"
        raise IllegalMoveError(text, "best_counts", best=best)
    course.add(ev.DiceKept(state.to_move, tuple(command.dice), points))
    if len(command.dice) == state.turn.dice_left and not one_throw:
        course.add(ev.HotDiceMade(state.to_move))


def count(course: Course, command: do.Count) -> None:
    """Add the points or the farkle that the players counted themselves, in a turn whose dice cannot be read.

    Raises:
        IllegalMoveError: if the points are out of range, or counted already.
    """
    state = course.state
    if command.points is None:
        course.add(ev.FarkleCounted(state.to_move))
        _farkle(course)
        return
    if not 0 <= command.points <= LARGEST_SCORE:
        text = f"expected 0 to {LARGEST_SCORE} points, got {command.points!r}"
        raise IllegalMoveError(text, "points_range", most=LARGEST_SCORE)
    if state.turn.counted and state.turn.points == command.points:
        raise IllegalMoveError(f"{command.points} are counted already", "counted_already", points=command.points)
    course.add(ev.PointsCounted(state.to_move, command.points))


def _farkle(course: Course) -> None:
    """End the turn without its points. Undo a swap, and take what the farkle costs, where the rules say so."""
    state = course.state
    player = state.to_move
    course.add(ev.Farkled(player, state.turn.points, state.seats[player].farkles + 1))
    if state.rules.switches.bomb_swap == "undone_on_farkle":
        course.add(*(ev.SwapUndone(side, other) for side, other in reversed(state.turn.swaps)))
    _pay(course, player)
    finish_turn(course)


def _pay(course: Course, player: int) -> None:
    """Add what a farkle costs: points for each, and points or the game for the third in a row.

    The peg comes to rest once, after both.
    """
    rules, side = course.state.rules, course.state.side_of(player)
    paid = _left_after(course.state, side, rules.switches.farkle_penalty)
    before = course.state.sides[side].score
    if paid != before:
        course.add(ev.FarklePaid(player, before - paid, paid))
    third = course.state.seats[player].farkles >= IN_A_ROW
    if third and rules.switches.three_strikes_out:
        course.add(*map(ev.PlayerDisqualified, course.state.counted_with(player)))
    elif third and rules.farkles_cost:
        after = _left_after(course.state, side, rules.farkles_cost)
        course.add(ev.PenaltyPaid(player, paid - after, after))
    if course.state.sides[side].score != before:
        _arrive(course, side)


def _left_after(state: GameState, side: int, cost: int) -> int:
    """Return a side's score after a penalty; it stops at the start if the rules say so."""
    before = state.sides[side].score
    after = before - cost
    return min(before, max(0, after)) if state.rules.switches.penalty_floor == "start" else after


def bank(course: Course, _: do.Bank) -> None:
    """End the turn with its points; an `IllegalMoveError` says why the rules do not allow it yet."""
    state = course.state
    if not is_one_throw(state):  # its only throw counts, whatever it brings
        _check_bank(state)
    player, side, points = state.to_move, state.side_to_move, state.turn.points
    score = state.sides[side].score + points
    if state.rules.switches.charity and score > state.rules.switches.target:
        course.add(ev.TurnBanked(player, 0, state.sides[side].score))
        _give(course, points)
    else:
        course.add(ev.TurnBanked(player, points, score))
        _arrive(course, side)
    finish_turn(course)


def _check_bank(state: GameState) -> None:
    """Check that no hot dice must be thrown again first, and that the turn's points reach each minimum.

    Raises:
        IllegalMoveError: if not.
    """
    switches, hot, points = state.rules.switches, state.turn.hot, state.turn.points
    forced = {"none": (), "single_throw": (Hot.SINGLE_THROW,), "any": (Hot.SINGLE_THROW, Hot.SEVERAL_THROWS)}
    if hot in forced[switches.forced_hot] or (switches.too_hot and hot is not Hot.NO):
        raise IllegalMoveError("all dice scored: they must be thrown again before banking", "hot_dice")
    if state.turn.swaps:
        return
    on_board = any(state.seats[player].on_board for player in state.counted_with(state.to_move))
    if not on_board and points < (least := switches.opening_min):
        raise IllegalMoveError(f"{least} to open, you have {points}", "opening", least=least, points=points)
    if points < (least := switches.min_bank):
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
    if lowest is None or (score := state.sides[lowest].score + points) > state.rules.switches.target:
        course.add(ev.PointsGiven(state.to_move, points, None, 0))
        return
    course.add(ev.PointsGiven(state.to_move, points, lowest, score))
    _arrive(course, lowest)


def _arrive(course: Course, side: int) -> None:
    """Let a side's peg come to rest: pegs in its hole go back, and may bump others in turn."""
    rules = course.state.rules
    for other in others_in_hole(course.state, side):
        back = int(rules.switches.one_peg_per_hole) * rules.hole_points
        course.add(ev.PegBumped(other, max(0, course.state.sides[other].score - back)))
        _arrive(course, other)
