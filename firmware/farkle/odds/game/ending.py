"""How a game ends: who may answer a win, how many turns are left, and what the last of them are worth.

Once the number of turns left is known, only the difference of the scores counts. The chance of the side to move follows
from the chances with one turn less, the last turn first.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from farkle.game.order import coming, is_last_round, new_round, next_round, seats_from
from farkle.game.state import GameState
from farkle.odds.switches import Terms
from farkle.odds.turn.listing import Floats, Numbers
from farkle.odds.turn.solver import FORBIDDEN, TurnEnds, TurnSolver, TurnValues

SMALLEST = 1e-13
"""A chance that is as good as none."""

FAR_TURNS = 12
"""The difference of scores that counts as decided in a game of rounds, in throws of the most points."""

_AT_ONCE = 64
_HARDLY = 3e-6
"""A chance so small that its square is below the accuracy of the solution."""


@dataclass(frozen=True)
class Role:
    """A turn's place in the round.

    Attributes:
        follows: the other side's role in the next turn.
        answered: whether the other side has a last turn after a win in this one.
        begins: whether it is the turn of the side that begins the round.
    """

    follows: int
    answered: bool
    begins: bool


def roles_of(terms: Terms) -> tuple[Role, ...]:
    """Return the roles of a round of two sides in the order of their turns; one if both are the same."""
    first, second = {"one_more_turn": (True, True), "immediate": (False, False)}.get(terms.rules.ending, (True, False))
    if first == second and terms.tie is not None:
        return (Role(0, first, begins=True),)
    return Role(1, first, begins=True), Role(0, second, begins=False)


def turns_left(state: GameState) -> list[int] | None:
    """Return the sides of the turns until the end, in order, the one to move first; None if the end is open."""
    rest = [state.to_move, *coming(state)]
    if not is_last_round(state):
        rounds = Terms(state.rules, 1).rounds
        if not rounds:
            return None
        everybody = tuple(filter(state.plays, seats_from(state, state.first)))
        rest += [*new_round(state), *everybody * (rounds - next_round(state))]
    return [state.side_of(player) for player in rest]


def closing_ends(
    turns: TurnSolver, answer: Floats, level: int, gaps: Numbers, least: Numbers | int, limit: int, farkled: Numbers
) -> TurnEnds:
    """Return what the ends of a turn are worth where the number of turns left is known.

    Args:
        turns: the solver of the game's turns.
        answer: the other side's chance in the turn after it, by the steps that it misses; it surely wins with a lead
            beyond these.
        level: where a level score stands in `answer`.
        gaps: the steps that the side to move misses to a level score now, (standings,).
        least: the least steps that may be banked, (standings,) or one number for all.
        limit: the points from which banking is best.
        farkled: the steps that are missing after a farkle, (standings,).
    """

    def worth(leads: Numbers) -> Floats:
        places = leads + level
        found: Floats = np.where(places < 0, 0.0, 1.0 - answer[np.clip(places, 0, len(answer) - 1)])
        return found

    points = np.arange(limit + turns.most)[:, None]
    bank = worth(points - gaps)
    bank[np.broadcast_to(points < least, bank.shape)] = FORBIDDEN
    return TurnEnds(bank, worth(-farkled), limit)


def no_answer(tie: float) -> Floats:
    """Return the other side's chance by the steps that it misses (`closing_ends`) after the last turn of a game."""
    return np.array([1.0 - tie, 0.0])


@dataclass(frozen=True)
class FinalTurn:
    """The chances of a last turn.

    Attributes:
        on_board: the chance to win by the steps that are missing, (gaps,); index 0 is a level score.
        off_board: the same for a side that has not entered yet.
        tie: what a level score is worth to the side that answers.
        left_over: the chance of throwing the dice left over, by the steps that the points left over are short of the
            least that may be banked, by dice less one, and by the steps missing to a level score after these points,
            from -1, which stands for a lead; None where no offer counts.
    """

    on_board: Floats
    off_board: Floats
    tie: float
    left_over: Floats | None = None

    def offers(self, lead: Numbers, short: Numbers) -> Floats:
        """Return the worth of offers, by dice less one and the two shapes broadcast together.

        Args:
            lead: the steps by which the side that banked led before it banked.
            short: the steps that the points left over are short of the least that may be banked.
        """
        assert self.left_over is not None
        shorts, _, gaps = self.left_over.shape
        found: Floats = self.left_over[np.clip(short, 0, shorts - 1), :, np.clip(lead + 1, 0, gaps - 1)]
        return np.moveaxis(found, -1, 0)

    def reach(self) -> int:
        """Return the steps from which on a fresh turn hardly passes them, so that they no longer matter to a bank.

        Hardly anybody scores so many either: the product of both chances is what this leaves aside.
        """
        return int((self.on_board - self.on_board[-1] > _HARDLY).sum())


def final_turns(turns: TurnSolver, roles: tuple[Role, ...]) -> tuple[FinalTurn, ...]:
    """Return the last turn of each role that may answer a win."""
    terms = turns.listing.terms
    if terms.tie is not None:
        return (_final_turn(turns, terms.tie),) * len(roles)
    begins = _extra_round(turns)
    return tuple(_final_turn(turns, begins if role.begins else 1.0 - begins) for role in roles)


def _final_turn(turns: TurnSolver, tie: float) -> FinalTurn:
    terms = turns.listing.terms
    on_board = _chances(turns, terms.minimum, tie)
    off_board = _chances(turns, terms.opening, tie) if terms.opening else on_board
    return FinalTurn(on_board, off_board, tie, _left_over(turns, tie, len(on_board)) if terms.offered else None)


def _chances(turns: TurnSolver, least: int, tie: float) -> Floats:
    """Return the chance to win by the steps that are missing, until it does not change any more.

    The last chance is that of a Bomb where it swaps pegs, else none.
    """
    parts: list[Floats] = []
    while not parts or parts[-1][0] - parts[-1][-1] > SMALLEST:
        gaps = np.arange(len(parts) * _AT_ONCE, (len(parts) + 1) * _AT_ONCE)
        parts.append(_last_turn(turns, gaps, least, tie).start)
    return np.concatenate(parts)


def _left_over(turns: TurnSolver, tie: float, count: int) -> Floats:
    """Return `FinalTurn.left_over` for -1 to `count` missing steps."""
    terms = turns.listing.terms
    shorts = max(terms.opening, terms.minimum) - (1 if terms.may_swap else terms.minimum) + 1
    found = np.empty((shorts, terms.offered, count + 1))
    for short in range(shorts):
        for first in range(0, count + 1, _AT_ONCE):
            gaps = np.arange(first, min(first + _AT_ONCE, count + 1)) - 1
            throw = _last_turn(turns, gaps, short, tie, left_over=True).throw
            found[short, :, first : first + _AT_ONCE] = throw[1 : terms.offered + 1, 0]
    return found


def _last_turn(turns: TurnSolver, gaps: Numbers, least: int, tie: float, *, left_over: bool = False) -> TurnValues:
    """Return the values of a last turn by the steps that are missing to a level score.

    With `left_over` these are the steps after the points left over: the side is behind, and a farkle loses.
    """
    limit = max(int(gaps.max()) + 1, least, 1)
    ends = closing_ends(turns, no_answer(tie), 0, gaps, least, limit, np.ones_like(gaps) if left_over else gaps)
    if not turns.listing.terms.may_swap:
        return turns.solve(ends)
    return turns.solve(ends, np.where((gaps > 0) | left_over, 1.0, FORBIDDEN) + np.zeros_like(ends.bank))


def _extra_round(turns: TurnSolver) -> float:
    """Return the chance to win for the side that begins an extra round, in which equal scores play another one."""
    minimum, level = turns.listing.terms.minimum, np.zeros(1, np.int64)
    value, before = 0.5, 2.0
    while abs(value - before) > SMALLEST:
        before = value
        answer = _chances(turns, minimum, 1.0 - value)
        ends = closing_ends(turns, answer, 0, level, minimum, max(len(answer), minimum), level)
        value = float(turns.solve(ends).start[0])
    return value


def rounds_shape(turns: TurnSolver) -> tuple[int, int]:
    """Return the shape of the chances of a game of rounds: turns left less one, and steps missing, from most ahead."""
    return 2 * turns.listing.terms.rounds, 2 * FAR_TURNS * turns.most + 1


def solve_rounds(turns: TurnSolver, last: FinalTurn, report: Callable[[float], object]) -> Floats:
    """Return the chances of a game of rounds, of the shape `rounds_shape`.

    Args:
        turns: the solver of the game's turns.
        last: the last turn of the game.
        report: is told the share that is done.
    """
    found = np.empty(rounds_shape(turns))
    far = found.shape[1] // 2
    gaps = np.arange(-far, far + 1)
    found[0] = np.where(gaps < 0, 1.0, last.on_board[np.clip(gaps, 0, len(last.on_board) - 1)])
    for left in range(1, len(found)):
        report(left / len(found))
        found[left] = _turn_before(turns, found[left - 1], gaps)
    report(1.0)
    return found


def _turn_before(turns: TurnSolver, answer: Floats, gaps: Numbers) -> Floats:
    """Return the chance of the side to move by the steps that it misses, from the other side's in the turn after it."""
    far, least = len(gaps) // 2, min(turns.missed[1:])
    farkle = 1.0 - answer[far - gaps]
    enough = np.maximum(SMALLEST, least * (1.0 - farkle))  # a lead is enough if the other side passes it no oftener
    leads = len(answer) - np.searchsorted(answer[::-1], enough, side="right") - far
    limits = np.maximum(gaps + np.clip(leads, 0, far) + 1, 1)
    found = np.empty(len(gaps))
    order = np.argsort(limits, kind="stable")
    for first in range(0, len(order), _AT_ONCE):
        some = order[first : first + _AT_ONCE]
        minimum, limit = turns.listing.terms.minimum, int(limits[some].max())
        found[some] = turns.solve(closing_ends(turns, answer, far, gaps[some], minimum, limit, gaps[some])).start
    return found
