"""The odds of a game under way: the question that its state asks, and the answer for the side to move."""

from dataclasses import replace

from farkle.game.choices import open_choice
from farkle.game.commands import Bank
from farkle.game.machine import can
from farkle.game.order import coming, is_last_round, is_one_throw
from farkle.game.state import GameState, Phase
from farkle.odds.answers import ChoiceOdds, OddsQuestion, WinOdds, answer
from farkle.odds.duel import OddsError
from farkle.odds.standings import STREAK, Table


def question_of(state: GameState, other: int) -> OddsQuestion:
    """Return what a state asks about the side to move and one other side.

    Args:
        state: a game that is not over, and in which it is known who begins.
        other: the index of the other side.
    """
    own, turn = state.side_to_move, state.turn
    question = OddsQuestion(
        state.sides[own].score,
        state.sides[other].score,
        second=_is_second(state, other),
        my_farkles=_farkles(state, own),
        their_farkles=_farkles(state, other),
        swapped=bool(turn.swaps),
        off_board=(_off_board(state, own), _off_board(state, other)) if state.rules.switches.opening_min else None,
        to_end=_to_end(state, other),
    )
    if state.phase is Phase.CHOOSING:
        first = turn.throws == 1 and not turn.points and not turn.swaps
        return replace(question, points=None if first else turn.points, roll=turn.roll)
    if state.phase is Phase.KEPT or turn.points:
        hot = state.phase is Phase.TO_THROW or not can(state, Bank())
        return replace(question, points=turn.points, dice=turn.dice_left, must_throw=hot)
    return question


def odds_of(table: Table, state: GameState, other: int) -> WinOdds:
    """Return the chance to win of the side to move against one other side, and the worth of its choices.

    In a game of two sides it is exact where the table is, unless turns are out of order, a side has several players, or
    the players counted the points.
    """
    question = question_of(state, other)
    found = answer(table, question)
    turn = state.turn
    if turn.counted and found.bank is not None:  # nobody knows the dice
        found = WinOdds(found.bank, exact=False, bank=found.bank)
    choice = open_choice(state)
    if choice is not None and choice.kind == "bomb" and not turn.counted:
        found = _with_swap(found, _swap(table, state, question))
    return replace(found, exact=found.exact and _is_plain(state))


def _swap(table: Table, state: GameState, question: OddsQuestion) -> ChoiceOdds:
    """Return what the swap of the Bomb that was just kept is worth."""
    turn = state.turn
    before = turn.points - (turn.bomb or 0)
    first = turn.throws == 1 and not before
    thrown = replace(question, points=None if first else before, dice=None, roll=turn.roll, must_throw=False)
    return next(each for each in answer(table, thrown).choices or () if each.choice == "swap")


def _with_swap(found: WinOdds, swap: ChoiceOdds) -> WinOdds:
    return replace(found, win=max(found.win, swap.worth), choices=(swap,))


def _is_second(state: GameState, other: int) -> bool:
    """Return whether the other side has no turn to come in this round, or begins the rounds where these end."""
    if not is_last_round(state):
        return not any(state.side_of(player) == other for player in coming(state))
    order = [player for player in range(len(state.players)) if state.plays(player)]
    first = min(order, key=lambda player: (player - state.first) % len(state.players))
    return state.side_of(first) != state.side_to_move


def _to_end(state: GameState, other: int) -> int | None:
    """Return the turns left of both sides with this one, at most two; None if the end is open."""
    if not is_last_round(state):
        return None
    return 2 if any(state.side_of(player) == other for player in coming(state)) else 1


def _farkles(state: GameState, side: int) -> int:
    """Return the farkles in a row of a side, as many as matter."""
    players = state.sides[side].players
    return min(STREAK - 1, state.seats[state.to_move if state.to_move in players else players[0]].farkles)


def _off_board(state: GameState, side: int) -> bool:
    return not any(state.seats[player].on_board for player in state.sides[side].players)


def _is_plain(state: GameState) -> bool:
    """Return whether both sides have one player each, who take turns."""
    players = state.playing()
    if len(players) != 2 or state.early or is_one_throw(state):
        return False
    if is_last_round(state):
        return True
    first = min(players, key=lambda player: (player - state.first) % len(state.players))
    return (first == state.to_move) == bool(coming(state))


def check_two(state: GameState) -> None:
    """Check that two sides can win.

    Raises:
        OddsError: if there are more or fewer.
    """
    if (count := len(state.in_play())) != 2:
        raise OddsError(f"expected a game of two sides, got {count}")
