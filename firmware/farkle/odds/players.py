"""Players of simulated games: what a strategy does in many turns at once."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from farkle.odds.listing import Numbers
from farkle.odds.policy import TurnPolicy

Flags = NDArray[np.bool_]

GAIN = 16
"""What a gain is multiplied by where it is packed with a place."""


@dataclass
class SeatTurns:
    """Turns of one seat in many games, all about to begin; scores are in steps.

    Attributes:
        mine: the scores of the side to move.
        theirs: the scores of the best other side.
        my_farkles: the farkles in a row of the side to move.
        their_farkles: those of the best other side.
        second: whether the best other side has no turn to come in this round.
        to_end: the turns left of both sides with this one, 1 or 2; 0 where nobody knows.
        least: the least steps that may be banked.
        may_swap: whether a Bomb may swap the pegs.
        swapped: whether it has.
    """

    mine: Numbers
    theirs: Numbers
    my_farkles: Numbers
    their_farkles: Numbers
    second: Flags
    to_end: Numbers
    least: Numbers
    may_swap: Flags
    swapped: Flags


class SimulatedPlayer(Protocol):
    """What a simulated game asks a player."""

    def begin(self, turns: SeatTurns) -> None:
        """Prepare for these turns."""

    def keep(self, rows: Numbers, classes: Numbers, points: Numbers) -> tuple[Numbers, Numbers]:
        """Return where the chosen option of each roll leads (`TurnSolver.place`), and the steps that it brings.

        Args:
            rows: the turns.
            classes: the classes of their rolls.
            points: their points before the roll.
        """

    def swap(self, rows: Numbers) -> None:
        """Take note that the pegs were swapped in these turns."""

    def bank(self, rows: Numbers, places: Numbers, points: Numbers) -> Flags:
        """Return whether these turns are banked, if they may be."""


class PolicyPlayer:
    """A player whose turns depend on no score.

    It swaps pegs for a Bomb where that gains more than the Bomb's points. After a swap that a farkle would undo it
    banks as soon as it may.
    """

    def __init__(self, policy: TurnPolicy) -> None:
        solver = policy.best.solver
        self._rows = policy.rows
        packed = [gain * GAIN + place for place, gain in zip(policy.place, policy.gained, strict=True)]
        self._chosen = np.concatenate([each.reshape(-1, self._rows) for each in packed[1:]]).reshape(-1)
        self._bank = policy.bank.reshape(-1)
        listing = policy.best.listing
        self._bombs = np.array([any(o.bomb for o in each.options) for row in listing.classes for each in row])
        self._any_bomb = bool(self._bombs.any())
        self._swap_place = solver.swap_place
        self._undone = listing.rules.switches.bomb_swap == "undone_on_farkle"
        self._turns: SeatTurns | None = None

    def begin(self, turns: SeatTurns) -> None:
        """Prepare for these turns."""
        self._turns = turns

    def keep(self, rows: Numbers, classes: Numbers, points: Numbers) -> tuple[Numbers, Numbers]:
        """Return where the chosen options lead, and what they bring."""
        chosen = self._chosen.take(classes * self._rows + np.minimum(points, self._rows - 1))
        places, gains = chosen % GAIN, chosen // GAIN
        if self._any_bomb and (bombs := self._bombs.take(classes)).any():
            assert self._turns is not None
            some = np.flatnonzero(bombs)
            which = rows[some]
            ahead = self._turns.theirs[which] - self._turns.mine[which]
            some = some[self._turns.may_swap[which] & (ahead > gains[some])]
            places[some], gains[some] = self._swap_place, 0
        return places, gains

    def swap(self, rows: Numbers) -> None:
        """Take note that the pegs were swapped in these turns."""

    def bank(self, rows: Numbers, places: Numbers, points: Numbers) -> Flags:
        """Return whether these turns are banked, if they may be."""
        found: Flags = self._bank.take(places * self._rows + np.minimum(points, self._rows - 1))
        if self._undone:
            assert self._turns is not None
            found = found | self._turns.swapped[rows]
        return found
