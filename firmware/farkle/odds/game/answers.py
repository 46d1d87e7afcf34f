"""The odds of a game under way: each side's chance to win, and what the choices of the side to move are worth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from farkle.game.choices import open_choice
from farkle.game.commands import Bank
from farkle.game.machine import can
from farkle.game.order import coming, is_last_round, is_one_throw, new_round, seats_from
from farkle.game.state import GameState, Phase
from farkle.odds.game.duel import Duel, OddsError
from farkle.odds.game.ending import turns_left
from farkle.odds.game.table import Standings, Table
from farkle.odds.game.turn_odds import ChoiceOdds, TurnOdds, together

MOST_SIDES = 12
"""The most sides of a game."""


@dataclass(frozen=True)
class WinOdds:
    """The chance that the side to move wins, and the worth of its choices.

    Attributes:
        win: the chance.
        exact: whether it is that of the game itself.
        bank: what banking is worth; None where that cannot be done.
        throw: the same of throwing on.
        choices: the selections of a roll; None where no roll lies.
        fresh: what a fresh turn is worth where dice left over may be thrown instead; else None.
        piggyback: the same of the dice left over.
    """

    win: float
    exact: bool = True
    bank: float | None = None
    throw: float | None = None
    choices: tuple[ChoiceOdds, ...] | None = None
    fresh: float | None = None
    piggyback: float | None = None

    @property
    def best(self) -> str | None:
        """The better of banking and throwing, or of a fresh turn and the dice left over; None without a choice.

        Equal chances are banked, or begun afresh.
        """
        if self.fresh is not None:
            return "piggyback" if (self.piggyback or 0.0) > self.fresh else "fresh"
        if self.bank is None and self.throw is None:
            return None
        return "throw" if self.bank is None or (self.throw or 0.0) > self.bank else "bank"


@dataclass(frozen=True)
class GameOdds:
    """The odds of the games of one rule set.

    In a game of two sides they are exact where the table is, unless turns are out of order, a side has several players,
    or the players counted the points. In a game of more they are an estimate.

    Attributes:
        table: the table of the game of two sides.
    """

    table: Table

    def exact(self, state: GameState) -> bool:
        """Return whether the chances are those of the game itself; `choices` says it for one moment."""
        return len(state.in_play()) == 2 and self.table.duel.exact

    def error(self, state: GameState) -> float:
        """Return about how far off the chance before a turn may be.

        With three sides it is the greatest error in any state of the basic game to 31 holes (`bench/reply_bench.py`);
        with more it is a guess.
        """
        return {2: 0.0, 3: 0.06}.get(len(state.in_play()), 0.1) + self.table.duel.offers_error

    def chances(self, state: GameState) -> tuple[float, ...]:
        """Return the chance to win of each side at this moment, in the order of the game's sides.

        They make one in sum; sides that share a win have equal parts, and so have all while they throw for the first
        turn.

        Raises:
            OddsError: if there are none: nobody wins a game that was called off.
        """
        if state.over and not state.winners:
            raise OddsError("expected a game with a winner, got one that was called off")
        if state.over or state.phase is Phase.STARTING:
            equal = state.winners or state.in_play()
            return tuple(float(side in equal) / len(equal) for side in range(len(state.sides)))
        chances = self._chances(state)
        return tuple(chances.get(side, 0.0) for side in range(len(state.sides)))

    def choices(self, state: GameState) -> WinOdds:
        """Return what the choices of the player to move are worth.

        Raises:
            OddsError: if no turn is under way or to begin.
        """
        if state.phase in (Phase.OVER, Phase.STARTING):
            raise OddsError(f"expected a turn, got a game that is {state.phase}")
        own, others = state.side_to_move, _others(state)
        found = _answer(self.table, state, [_pair(self.table.duel, state, own, other) for other in others])
        exact = self.table.duel.exact and _is_plain(state) and not state.turn.counted
        return replace(found, exact=exact and all(_is_even(self.table.duel, state, side) for side in (own, *others)))

    def _chances(self, state: GameState) -> dict[int, float]:
        """Return the chance to win of each side that still plays, by its index."""
        own, others = state.side_to_move, _others(state)
        win = self.choices(state).win
        if len(others) == 1:
            return {own: win, others[0]: 1.0 - win}
        against: dict[tuple[int, int], float] = {}
        for one, other in combinations((own, *others), 2):
            against[one, other] = self._against(state, one, other)
            against[other, one] = 1.0 - against[one, other]
        shares = {side: float(together([against[side, o] for o in (own, *others) if o != side])) for side in others}
        total = sum(shares.values())
        return {own: win, **{side: (1.0 - win) * share / total for side, share in shares.items()}}

    def _against(self, state: GameState, one: int, other: int) -> float:
        """Return the chance of one side against another, as if the rest were not there."""
        if one == state.side_to_move:
            return _answer(self.table, state, [_pair(self.table.duel, state, one, other)]).win
        left = turns_left(state)
        order = left or [state.side_of(player) for player in (*coming(state), *new_round(state))]
        if one not in order and other not in order:
            gap = state.sides[one].score - state.sides[other].score
            return 0.5 if gap == 0 else float(gap > 0)
        if one not in order or (other in order and order.index(other) < order.index(one)):
            return 1.0 - self._against(state, other, one)
        return TurnOdds(self.table, [_pair(self.table.duel, state, one, other)]).begin()


def _answer(table: Table, state: GameState, pairs: Sequence[Standings]) -> WinOdds:
    """Return what the choices of the side to move are worth, from its standing against each other side."""
    odds, turn = TurnOdds(table, pairs), state.turn
    if state.phase is Phase.CHOOSING:
        choices = tuple(odds.selections(turn.points, turn.roll))
        bank = max((each.bank for each in choices if each.bank is not None), default=None)
        throw = max(each.throw for each in choices if each.throw is not None)
        return WinOdds(max(throw, bank or 0.0), bank=bank, throw=throw, choices=choices)
    if state.phase is Phase.KEPT or turn.points:
        bank = odds.bank(turn.points, turn.dice_left) if can(state, Bank()) else None
        if turn.counted and bank is not None:  # nobody knows the dice
            return WinOdds(bank, bank=bank)
        throw = odds.throw(turn.points, turn.dice_left)
        found = WinOdds(max(throw, bank or 0.0), bank=bank, throw=throw)
        choice = open_choice(state)
        if choice is not None and choice.kind == "bomb":
            swap = odds.swap(turn.roll, turn.points - (turn.bomb or 0))
            found = replace(found, win=max(found.win, swap.worth), choices=(swap,))
        return found
    fresh = odds.begin()
    if state.left_over is None:
        return WinOdds(fresh)
    piggyback = odds.throw(state.left_over.points, state.left_over.dice)
    return WinOdds(max(fresh, piggyback), fresh=fresh, piggyback=piggyback)


def _others(state: GameState) -> list[int]:
    """Return the sides that play against the side to move.

    Raises:
        OddsError: if there are none, or too many.
    """
    others = [side for side in state.in_play() if side != state.side_to_move]
    if not 1 <= len(others) < MOST_SIDES:
        raise OddsError(f"expected a game of 2 to {MOST_SIDES} sides, got {len(others) + 1}")
    return others


def _pair(duel: Duel, state: GameState, one: int, other: int) -> Standings:
    """Return the standing of two sides at the next turn of the first one, or in it. The other's is later."""
    rest = [state.side_of(player) for player in (state.to_move, *coming(state))]
    left = turns_left(state)
    if is_last_round(state):  # the side that begins it may have had its turn
        second = state.side_of(next(filter(state.plays, seats_from(state, state.first)))) != one
    else:
        second = one in rest and other not in rest
    count = None
    if left is not None:
        count = sum(side in (one, other) for side in left) if duel.terms.rounds else 1 + (other in left)
    return Standings(
        role=int(second and len(duel.all_roles) == 2),
        mine=np.array([_place(duel, state, one)]),
        theirs=np.array([_place(duel, state, other)]),
        my_farkles=np.array([_farkles(duel, state, one)]),
        their_farkles=np.array([_farkles(duel, state, other)]),
        left=count,
        swapped=bool(state.turn.swaps) and one == state.side_to_move,
    )


def _farkles(duel: Duel, state: GameState, side: int) -> int:
    """Return the farkles in a row of a side, as many as matter."""
    players = state.sides[side].players
    return min(duel.terms.streaks - 1, state.seats[state.to_move if state.to_move in players else players[0]].farkles)


def _place(duel: Duel, state: GameState, side: int) -> int:
    """Return a side's score in steps; where there is an opening, 0 for a side off the board and for no other."""
    terms = duel.terms
    place = max(terms.lowest, state.sides[side].score // terms.step)
    off = not any(state.seats[player].on_board for player in state.sides[side].players)
    if not terms.opening or off == (place == 0):
        return place
    return 0 if off else max(terms.lowest, 1)


def _is_even(duel: Duel, state: GameState, side: int) -> bool:
    """Return whether a side's score, with its turn's points, is a whole number of steps and stands for itself."""
    step, points = duel.terms.step, state.turn.points * (side == state.side_to_move)
    return _place(duel, state, side) * step == state.sides[side].score and points % step == 0


def _is_plain(state: GameState) -> bool:
    """Return whether two sides of one player each take turns, and all turns to come are in order."""
    order = list(filter(state.plays, seats_from(state, state.first)))
    if len(state.sides) != len(state.players) or len(order) != 2 or state.early or is_one_throw(state):
        return False
    left = [state.to_move, *coming(state)]
    return is_last_round(state) or left == order[-len(left) :]
