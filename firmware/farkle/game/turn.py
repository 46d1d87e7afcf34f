"""The answers to the commands of a turn: roll, keep and count, and the price of a farkle."""

from farkle.errors import IllegalMoveError
from farkle.game.banking import arrive
from farkle.game.commands import Count, Keep, Roll
from farkle.game.endings import finish_turn
from farkle.game.events import (
    DiceKept,
    DiceRolled,
    FarkleCounted,
    Farkled,
    HotDiceMade,
    NobodyLost,
    PenaltyPaid,
    PlayerDisqualified,
    PointsCounted,
    SwapUndone,
)
from farkle.game.evolve import Course
from farkle.game.state import LARGEST_SCORE, GameState
from farkle.rules.dice import Faces, check_faces
from farkle.rules.selections import find_selection, legal_selections

IN_A_ROW = 3
"""The number of farkled turns in a row that cost points or the game, if a switch says so."""


def roll(course: Course, command: Roll) -> None:
    """Add a throw, and the end of the turn if it farkles."""
    state = course.state
    turn, rules = state.turn, state.rules
    faces = check_faces(command.faces, least=1 if turn.counted else turn.dice_left, most=turn.dice_left)
    course.add(DiceRolled(state.to_move, faces))
    if legal_selections(rules, faces):
        return
    if _nobody_loses(state, faces):
        course.add(NobodyLost(state.to_move, rules.nobody_loses))
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


def keep(course: Course, command: Keep) -> None:
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
    course.add(DiceKept(state.to_move, tuple(command.dice), points))
    if len(command.dice) == state.turn.dice_left:
        course.add(HotDiceMade(state.to_move))


def count(course: Course, command: Count) -> None:
    """Add the points or the farkle that the players counted themselves, in a turn whose dice cannot be read.

    Raises:
        IllegalMoveError: if the points are out of range, or counted already.
    """
    state = course.state
    if command.points is None:
        course.add(FarkleCounted(state.to_move))
        _farkle(course)
        return
    if not 0 <= command.points <= LARGEST_SCORE:
        text = f"expected 0 to {LARGEST_SCORE} points, got {command.points!r}"
        raise IllegalMoveError(text, "points_range", most=LARGEST_SCORE)
    if state.turn.counted and state.turn.points == command.points:
        raise IllegalMoveError(f"{command.points} are counted already", "counted_already", points=command.points)
    course.add(PointsCounted(state.to_move, command.points))


def _farkle(course: Course) -> None:
    """End the turn without its points. Undo a swap and punish three farkles in a row, where the rules say so."""
    state = course.state
    player = state.to_move
    course.add(Farkled(player, state.turn.points, state.seats[player].farkles + 1))
    if state.rules.switches.bomb_swap == "undone_on_farkle":
        course.add(*(SwapUndone(side, other) for side, other in reversed(state.turn.swaps)))
    if course.state.seats[player].farkles >= IN_A_ROW:
        _punish(course, player)
    finish_turn(course)


def _punish(course: Course, player: int) -> None:
    """Add the penalty for three farkles in a row: the player is out, or the side loses points."""
    state = course.state
    rules, side = state.rules, state.side_of(player)
    if rules.switches.three_strikes_out:
        course.add(*map(PlayerDisqualified, state.counted_with(player)))
    elif rules.farkles_cost:
        before = state.sides[side].score
        after = before - rules.farkles_cost
        if rules.switches.penalty_floor == "start":
            after = min(before, max(0, after))
        course.add(PenaltyPaid(player, before - after, after))
        arrive(course, side)
