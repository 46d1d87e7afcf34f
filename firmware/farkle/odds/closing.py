"""The turns of a game of which the number is known: in a game of rounds, and at the end of any other.

With `k` turns left in all, the sides take turns, and only the difference of their scores counts. The chance of the side
to move follows from the chances with `k - 1` turns left, the last turn first.
"""

import numpy as np

from farkle.odds.duel import Duel
from farkle.odds.final_turn import SMALLEST, FinalTurn, closing_turn
from farkle.odds.listing import Floats

FAR_TURNS = 12
"""The difference of scores that counts as decided, in throws of the most points."""

_AT_ONCE = 64


def closing_shape(duel: Duel) -> tuple[int, int]:
    """Return the shape of the chances of a game of rounds: turns left less one, and steps missing, from most ahead."""
    return 2 * duel.several * duel.rules.switches.rounds, 2 * FAR_TURNS * duel.listing.most_points + 1


def next_closing(duel: Duel, finals: tuple[FinalTurn, ...], answer: Floats | None) -> Floats:
    """Return the chance of the side to move by the steps that it misses to a level score, with one more turn left.

    Args:
        duel: the game.
        finals: its last turns, by role.
        answer: the same chances of the other side with one turn less; None for the last turn of all.
    """
    far = closing_shape(duel)[1] // 2
    gaps = np.arange(-far, far + 1)
    if answer is None:
        final = finals[-1]
        return np.where(gaps < 0, 1.0, final.on_board[np.clip(gaps, 0, len(final.on_board) - 1)])
    least = min(duel.turns.missed[1:])
    farkle = 1.0 - answer[far - gaps]
    enough = np.maximum(SMALLEST, least * (1.0 - farkle))  # a lead is enough if the other side passes it no oftener
    leads = len(answer) - np.searchsorted(answer[::-1], enough, side="right") - far
    limits = np.maximum(gaps + np.clip(leads, 0, far) + 1, 1)
    found = np.empty(len(gaps))
    order = np.argsort(limits, kind="stable")
    for first in range(0, len(order), _AT_ONCE):
        some = order[first : first + _AT_ONCE]
        values, _, _ = closing_turn(duel, answer, far, gaps[some], duel.minimum, int(limits[some].max()))
        found[some] = values.start
    return found
