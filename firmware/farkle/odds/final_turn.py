"""The last turn of a game of two sides: the chance to pass a score that has reached the target."""

from dataclasses import dataclass

import numpy as np

from farkle.odds.duel import Duel
from farkle.odds.listing import Floats
from farkle.odds.turns import FORBIDDEN, TurnValues

SMALLEST = 1e-13
"""A chance that is as good as none."""

_AT_ONCE = 64


@dataclass(frozen=True)
class FinalTurn:
    """The chances of a last turn.

    Attributes:
        on_board: the chance to win by the steps that are missing, (gaps,); index 0 is a level score.
        off_board: the same for a side that has not entered yet.
        tie: what a level score is worth to the side that answers.
    """

    on_board: Floats
    off_board: Floats
    tie: float


def answer_turn(duel: Duel, gaps: Floats, least: int, tie: float, longest: int = 0) -> TurnValues:
    """Return the values of a last turn.

    Args:
        duel: the game.
        gaps: the steps that are missing to a level score, (standings,).
        least: the least steps that may be banked.
        tie: what a level score is worth.
        longest: the least number of points to examine.
    """
    solver = duel.turns
    limit = max(int(gaps.max()) + 1, least, longest)
    points = np.arange(limit + solver.most)[:, None]
    bank = (points > gaps) + tie * (points == gaps)
    bank[:least] = FORBIDDEN
    farkle = tie * (gaps == 0)
    swap = np.where(gaps > 0, 1.0, FORBIDDEN)[None] + np.zeros_like(bank)
    hot = None
    if solver.forced:
        must = np.broadcast_to(solver.must_throw(farkle, 1.0), (solver.most, len(gaps)))
        hot = np.ones((solver.most, len(gaps))), must
    return solver.solve(bank, farkle, limit, swap if duel.may_swap else None, hot)


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
    return FinalTurn(on_board, off_board, tie)


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
    solver, least = duel.turns, duel.minimum
    while abs(value - before) > SMALLEST:
        before = value
        answer = _chances(duel, least, 1.0 - value)
        limit = len(answer)
        reply = np.concatenate([answer, np.full(solver.most, answer[-1])])
        bank = (1.0 - reply)[:, None]
        bank[:least] = FORBIDDEN
        farkle = 1.0 - answer[:1]
        hot = None
        if solver.forced:
            must = np.broadcast_to(solver.must_throw(farkle, bank[-1]), (solver.most, 1))
            hot = bank[limit:], must
        value = float(solver.solve(bank, farkle, limit, None, hot).start[0])
    return value
