"""The odds of a game under way: the question that its state asks, and the answer for the side to move."""

from dataclasses import replace
from itertools import combinations

from farkle.game.choices import open_choice
from farkle.game.commands import Bank
from farkle.game.machine import can
from farkle.game.order import coming, is_last_round, is_one_throw, new_round, next_round, seats_from
from farkle.game.state import GameState, Phase
from farkle.odds.duel import STREAK, Duel, OddsError
from farkle.odds.questions import OddsQuestion
from farkle.odds.several import MOST_SIDES, SeveralOdds, together
from farkle.odds.standings import Table
from farkle.odds.win_odds import ChoiceOdds, WinOdds


def partners_of(state: GameState) -> int:
    """Return the players of a side where all have as many, else 1."""
    sizes = {len(side.players) for side in state.sides}
    return sizes.pop() if len(sizes) == 1 else 1


def question_of(state: GameState, other: int, partners: int = 1) -> OddsQuestion:
    """Return what a state asks about the side to move and one other side.

    Args:
        state: a game that is not over, and in which it is known who begins.
        other: the index of the other side.
        partners: the players of a side that the answer counts with.
    """
    own, turn = state.side_to_move, state.turn
    several = partners > 1 and _takes_turns(state)
    question = OddsQuestion(
        state.sides[own].score,
        state.sides[other].score,
        second=_is_second(state, other),
        my_farkles=_farkles(state, own),
        their_farkles=_farkles(state, other),
        swapped=bool(turn.swaps),
        off_board=(_off_board(state, own), _off_board(state, other)) if state.rules.switches.opening_min else None,
        to_end=_to_end(state, other, several=several),
    )
    if several:
        set_off = state.closer is not None and state.side_of(state.closer) == own
        question = replace(question, to_come=min(len(coming(state)), 2 * partners - 1), set_off=set_off)
    if state.phase is Phase.CHOOSING:
        first = turn.throws == 1 and not turn.points and not turn.swaps
        return replace(question, points=None if first else turn.points, roll=turn.roll)
    if state.phase is Phase.KEPT or turn.points:
        hot = state.phase is Phase.TO_THROW or not can(state, Bank())
        return replace(question, points=turn.points, dice=turn.dice_left, must_throw=hot)
    if state.left_over is not None:
        return replace(question, offer=(state.left_over.points, state.left_over.dice))
    return question


def odds_of(table: Table, state: GameState) -> WinOdds:
    """Return the chance to win of the side to move, and the worth of its choices.

    In a game of two sides it is exact where the table is, unless turns are out of order, a player has left a team, or
    the players counted the points. In a game of more it is an estimate.
    """
    questions = [question_of(state, other, table.duel.several) for other in _others(state)]
    found = SeveralOdds(table, questions).answer()
    turn = state.turn
    if turn.counted and found.bank is not None:  # nobody knows the dice
        found = WinOdds(found.bank, exact=False, bank=found.bank)
    choice = open_choice(state)
    if choice is not None and choice.kind == "bomb" and not turn.counted:
        found = _with_swap(found, _swap(table, state, questions))
    return replace(found, exact=found.exact and _is_plain(state, table.duel))


def chances_of(table: Table, state: GameState) -> dict[int, float]:
    """Return the chance to win of each side that still plays, by its index; they make one in sum."""
    own, others = state.side_to_move, _others(state)
    win = odds_of(table, state).win
    if len(others) == 1:
        return {own: win, others[0]: 1.0 - win}
    against = {(own, other): SeveralOdds(table, [question_of(state, other)]).answer().win for other in others}
    against |= {pair: _pair(table, state, *pair) for pair in combinations(others, 2)}
    against |= {(other, one): 1.0 - chance for (one, other), chance in list(against.items())}
    shares = {side: float(together([against[side, o] for o in (own, *others) if o != side])) for side in others}
    total = sum(shares.values())
    return {own: win, **{side: (1.0 - win) * share / total for side, share in shares.items()}}


def _pair(table: Table, state: GameState, one: int, other: int) -> float:
    """Return the chance of one side against another, while a third one moves."""
    rest = [state.side_of(player) for player in coming(state)]
    left = _turns_left(state)
    if left is not None:
        if one not in left and other not in left:
            gap = state.sides[one].score - state.sides[other].score
            return 0.5 if gap == 0 else float(gap > 0)
        order = left
    else:
        order = [*rest, *(state.side_of(player) for player in new_round(state))]
    if other in order and (one not in order or order.index(other) < order.index(one)):
        return 1.0 - _pair(table, state, other, one)
    both = other in rest
    to_end = None if left is None else 2 if other in left else 1
    if left is not None and state.rules.ending == "rounds":
        to_end = sum(side in (one, other) for side in left)
    question = OddsQuestion(
        state.sides[one].score,
        state.sides[other].score,
        second=one in rest and not both,
        my_farkles=_farkles(state, one),
        their_farkles=_farkles(state, other),
        off_board=(_off_board(state, one), _off_board(state, other)) if state.rules.switches.opening_min else None,
        to_end=to_end,
    )
    return SeveralOdds(table, [question]).answer().win


def _others(state: GameState) -> list[int]:
    """Return the sides that play against the side to move.

    Raises:
        OddsError: if there are none, or too many.
    """
    others = [side for side in state.in_play() if side != state.side_to_move]
    if not 1 <= len(others) < MOST_SIDES:
        raise OddsError(f"expected a game of 2 to {MOST_SIDES} sides, got {len(others) + 1}")
    return others


def _swap(table: Table, state: GameState, questions: list[OddsQuestion]) -> ChoiceOdds:
    """Return what the swap of the Bomb that was just kept is worth."""
    turn = state.turn
    before = turn.points - (turn.bomb or 0)
    first = turn.throws == 1 and not before
    points = None if first else before
    thrown = [replace(each, points=points, dice=None, roll=turn.roll, must_throw=False) for each in questions]
    return next(each for each in SeveralOdds(table, thrown).answer().choices or () if each.choice == "swap")


def _with_swap(found: WinOdds, swap: ChoiceOdds) -> WinOdds:
    return replace(found, win=max(found.win, swap.worth), choices=(swap,))


def _is_second(state: GameState, other: int) -> bool:
    """Return whether the other side has no turn to come in this round, or begins the rounds where these end."""
    if not is_last_round(state):
        return not any(state.side_of(player) == other for player in coming(state))
    order = [player for player in range(len(state.players)) if state.plays(player)]
    first = min(order, key=lambda player: (player - state.first) % len(state.players))
    return state.side_of(first) != state.side_to_move


def _to_end(state: GameState, other: int, *, several: bool) -> int | None:
    """Return the turns left of both sides with this one; None if the end is open.

    In a last round they are at most two, unless several players of a side count.
    """
    left = _turns_left(state)
    if left is None:
        return None
    count = sum(side in (state.side_to_move, other) for side in left)
    return 1 + (count if several or state.rules.ending == "rounds" else any(side == other for side in left))


def _turns_left(state: GameState) -> list[int] | None:
    """Return the sides of the turns after this one, in order, until the end; None if the end is open."""
    rest = [state.side_of(player) for player in coming(state)]
    if is_last_round(state):
        return rest
    if state.rules.ending != "rounds":
        return None
    following = [state.side_of(player) for player in new_round(state)]
    everybody = [state.side_of(player) for player in seats_from(state, state.first) if state.plays(player)]
    return [*rest, *following, *everybody * (state.rules.switches.rounds - next_round(state))]


def _farkles(state: GameState, side: int) -> int:
    """Return the farkles in a row of a side, as many as matter."""
    players = state.sides[side].players
    return min(STREAK - 1, state.seats[state.to_move if state.to_move in players else players[0]].farkles)


def _off_board(state: GameState, side: int) -> bool:
    return not any(state.seats[player].on_board for player in state.sides[side].players)


def _is_plain(state: GameState, duel: Duel) -> bool:
    """Return whether both sides have as many players as the game that was solved, who take turns."""
    return partners_of(state) == duel.partners and _takes_turns(state) and not is_one_throw(state)


def _takes_turns(state: GameState) -> bool:
    """Return whether all players of two sides of the same size play, and all turns to come are in order."""
    partners = partners_of(state)
    everybody = [state.side_of(player) for player in seats_from(state, state.first) if state.plays(player)]
    if len(everybody) != 2 * partners or len(set(everybody)) != 2 or state.early:
        return False
    if is_last_round(state) and partners == 1:
        return True
    left = [state.side_of(player) for player in (state.to_move, *coming(state))]
    if state.rules.ending == "one_more_turn" and state.closer is not None and not state.extra:
        return state.side_of(state.closer) not in left and len(set(left)) == 1 and len(left) <= partners
    return left == everybody[-len(left) :]
