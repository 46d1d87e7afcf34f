"""The last turns of a game of two sides: the chance to pass the other side's score, and the turn before that."""

from dataclasses import dataclass

import numpy as np

from farkle.odds.duel import Duel
from farkle.odds.listing import Floats, Numbers
from farkle.odds.turns import FORBIDDEN, TurnValues

SMALLEST = 1e-13
"""A chance that is as good as none."""

_AT_ONCE = 64
_HARDLY = 3e-6
"""A chance so small that its square is below the accuracy of the solution."""


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


def answer_turn(
    duel: Duel,
    gaps: Floats,
    least: int,
    tie: float,
    longest: int = 0,
    farkled: Floats | None = None,
    *,
    left_over: bool = False,
) -> TurnValues:
    """Return the values of a last turn.

    Args:
        duel: the game.
        gaps: the steps that are missing to a level score, (standings,); negative for a side that leads.
        least: the least steps that may be banked.
        tie: what a level score is worth.
        longest: the least number of points to examine.
        farkled: the steps that are missing after a farkle; None: as many as before.
        left_over: whether `gaps` count points left over: the side is behind, and a farkle loses.
    """
    solver = duel.turns
    limit = max(int(gaps.max()) + 1, least, longest, 1)
    points = np.arange(limit + solver.most)[:, None]
    bank = (points > gaps) + tie * (points == gaps)
    bank[:least] = FORBIDDEN
    after = gaps if farkled is None else farkled
    farkle = np.zeros(len(gaps)) if left_over else (after < 0) + tie * (after == 0)
    swap = np.where((gaps > 0) | left_over, 1.0, FORBIDDEN)[None] + np.zeros_like(bank)
    hot = None
    if solver.forced:
        must = np.broadcast_to(solver.must_throw(farkle, 1.0), (solver.most, len(gaps)))
        hot = np.ones((solver.most, len(gaps))), must
    return solver.solve(bank, farkle, limit, swap if duel.may_swap else None, hot)


@dataclass(frozen=True)
class TurnOdds:
    """The values of a turn, what banking is worth by points, and what a farkle is worth.

    Where dice left over are offered to the other side, `bank` is by dice left and points.
    """

    values: TurnValues
    bank: Floats
    farkle: float

    def banking(self, dice: int, steps: int) -> float:
        """Return what banking these steps is worth with these dice left, or `FORBIDDEN`."""
        return float(self.bank[steps] if self.bank.ndim == 1 else self.bank[dice, steps])


def last_turn(duel: Duel, gap: int, least: int, tie: float, longest: int, farkled: int) -> TurnOdds:
    """Return the last turn of a side that misses `gap` steps to a level score, and `farkled` after a farkle."""
    values = answer_turn(duel, np.array([float(gap)]), least, tie, longest, np.array([float(farkled)]))
    points = np.arange(values.go_on.shape[1])
    bank = (points > gap) + tie * (points == gap)
    bank[:least] = FORBIDDEN
    return TurnOdds(values, bank, float(farkled < 0) + tie * (farkled == 0))


def turn_before_last(
    duel: Duel, answer: Floats, gap: int, least: int, longest: int = 0, farkled: int | None = None, level: int = 0
) -> TurnOdds:
    """Return the last turn but one, or an earlier one of a game of which the number of turns is known.

    Args:
        duel: the game.
        answer: the other side's chance in the turn after it, by the steps that it misses.
        gap: the steps that the side to move misses to a level score now.
        least: the least steps that may be banked.
        longest: the least number of points to examine.
        farkled: the steps that are missing after a farkle; None: as many as before.
        level: where a level score stands in `answer`.
    """
    limit = max(len(answer) - level + gap, least, longest, 1)
    after = np.array([gap if farkled is None else farkled])
    values, bank, farkle = closing_turn(duel, answer, level, np.array([gap]), least, limit, after)
    return TurnOdds(values, bank[:, 0], float(farkle[0]))


def closing_turn(
    duel: Duel, answer: Floats, level: int, gaps: Numbers, least: int, limit: int, farkled: Numbers | None = None
) -> tuple[TurnValues, Floats, Floats]:
    """Return the values of a turn with others to come, what banking is worth, (points, standings), and a farkle.

    Args:
        duel: the game.
        answer: the other side's chance in the turn after it, by the steps that it misses.
        level: where a level score stands in `answer`.
        gaps: the steps that the side to move misses to a level score now, (standings,).
        least: the least steps that may be banked.
        limit: the points from which banking is best.
        farkled: the steps that are missing after a farkle, (standings,); None: as many as before.
    """
    solver = duel.turns
    leads = np.arange(limit + solver.most)[:, None] - gaps
    bank = 1.0 - _reply(answer, level, leads)
    bank[:least] = FORBIDDEN
    farkle = 1.0 - _reply(answer, level, -(gaps if farkled is None else farkled))
    hot = None
    if solver.forced:
        must = np.broadcast_to(solver.must_throw(farkle, bank[-1]), (solver.most, len(gaps)))
        hot = bank[limit:], must
    return solver.solve(bank, farkle, limit, None, hot), bank, farkle


def _reply(answer: Floats, level: int, leads: Numbers) -> Floats:
    """Return the other side's chance if the side to move leads by these steps."""
    places = leads + level
    found: Floats = np.where(places < 0, 1.0, answer[np.clip(places, 0, len(answer) - 1)])
    return found


def final_turns(duel: Duel) -> tuple[FinalTurn, ...]:
    """Return the last turn of each role that may answer a win."""
    switches = duel.rules.switches
    if switches.tie != "extra_round":
        value = 0.0 if switches.tie == "trigger" else 0.5
        found = _final_turn(duel, value)
        return tuple(found for _ in duel.all_roles)
    begins = _extra_round(duel)
    return tuple(_final_turn(duel, begins if role.begins else 1.0 - begins) for role in duel.all_roles)


def _final_turn(duel: Duel, tie: float) -> FinalTurn:
    on_board = _chances(duel, duel.minimum, tie)
    off_board = _chances(duel, duel.opening, tie) if duel.opening else on_board
    return FinalTurn(on_board, off_board, tie, _left_over(duel, tie, len(on_board)) if duel.offered else None)


def _left_over(duel: Duel, tie: float, count: int) -> Floats:
    """Return `FinalTurn.left_over` for -1 to `count` missing steps."""
    shorts = max(duel.opening, duel.minimum) - (1 if duel.may_swap else duel.minimum) + 1
    found = np.empty((shorts, duel.offered, count + 1))
    for short in range(shorts):
        for first in range(0, count + 1, _AT_ONCE):
            gaps = np.arange(first, min(first + _AT_ONCE, count + 1), dtype=float) - 1.0
            throw = answer_turn(duel, gaps, short, tie, left_over=True).throw
            found[short, :, first : first + _AT_ONCE] = throw[1 : duel.offered + 1, 0]
    return found


def _chances(duel: Duel, least: int, tie: float) -> Floats:
    """Return the chance to win by the steps that are missing, until it does not change any more.

    The last chance is that of a Bomb where it swaps pegs, else none.
    """
    parts: list[Floats] = []
    while not parts or parts[-1][0] - parts[-1][-1] > SMALLEST:
        gaps = np.arange(len(parts) * _AT_ONCE, (len(parts) + 1) * _AT_ONCE, dtype=float)
        parts.append(answer_turn(duel, gaps, least, tie).start)
    return np.concatenate(parts)


def _extra_round(duel: Duel) -> float:
    """Return the chance to win for the side that begins an extra round, in which equal scores play another one."""
    value, before = 0.5, 2.0
    while abs(value - before) > SMALLEST:
        before = value
        answer = _chances(duel, duel.minimum, 1.0 - value)
        value = float(turn_before_last(duel, answer, 0, duel.minimum).values.start[0])
    return value
