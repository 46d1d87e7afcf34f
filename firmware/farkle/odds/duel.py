"""A game of two sides as states: scores in steps of points, roles in the round, and farkles in a row.

The side to move is *mine*, the other *theirs*. A state between turns is a role, both counts of farkles and both scores.
Scores have places: place 0 is the lowest score that is kept apart.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from farkle.errors import FarkleError
from farkle.odds.listing import Listing, Numbers, list_rolls
from farkle.odds.roles import Role, partners_left_aside, partners_that_count, roles_of
from farkle.odds.turns import TurnSolver
from farkle.rules.ruleset import RuleSet

Bools = NDArray[np.bool_]

STREAK = 3
"""The farkles in a row that cost."""

LOWEST = -2500
"""The lowest score in points of a rule set that counts in points; a lower one is treated as this one."""

MOST_PLACES = 300
"""The most scores that are kept apart; a game with more is computed in longer steps, and is an estimate."""

EXACT_OFFERS = 12_000_000
"""The most offers of dice left over that are kept with all their digits; more are kept as 32-bit numbers."""

MOST_OFFERS = 48_000_000
"""The most offers of dice left over that are kept apart; a game with more is computed in longer steps."""

LEFT_ASIDE = ("charity", "find_loser", "vant_hof_6")
"""Switches that the solver leaves aside, so that its answers are estimates where one of them is on."""


class OddsError(FarkleError, ValueError):
    """A question about odds that has no answer."""


@dataclass(frozen=True)
class Duel:
    """A game of two sides.

    Attributes:
        listing: what the throws lead to; its step is the step of the scores.
        partners: the players of each side, who take turns with those of the other one.
    """

    listing: Listing
    partners: int = 1

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.listing.rules

    @cached_property
    def several(self) -> int:
        """The players of a side that change the odds."""
        return partners_that_count(self.rules, self.partners)

    @cached_property
    def turns(self) -> TurnSolver:
        """The solver of this game's turns."""
        return TurnSolver(self.listing)

    @cached_property
    def target(self) -> int:
        """The steps that end the game."""
        return self.listing.steps(self.rules.switches.target)

    @cached_property
    def lowest(self) -> int:
        """The lowest score in steps that is kept apart, 0 or less."""
        if not self.rules.may_go_below_zero:
            return 0
        return -self.listing.steps(self.rules.chart.convert_points(-LOWEST))

    @property
    def places(self) -> int:
        """The number of scores before the target that are kept apart."""
        return self.target - self.lowest

    @cached_property
    def all_roles(self) -> tuple[Role, ...]:
        """The roles of the game; one if all places in the round are the same."""
        roles = roles_of(self.rules.ending, self.several)
        if roles[0].last_turns == roles[1].last_turns and self.rules.switches.tie != "extra_round":
            return (Role(0, roles[0].last_turns, True),)
        return roles

    @cached_property
    def streaks(self) -> int:
        """The number of counts of farkles in a row that are kept apart."""
        return 3 if self.rules.farkles_cost or self.rules.switches.three_strikes_out else 1

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """The shape of the values between turns: role, my farkles, their farkles, my place, their place."""
        return len(self.all_roles), self.streaks, self.streaks, self.places, self.places

    @cached_property
    def costs(self) -> tuple[int, int]:
        """The steps that each farkle costs, and those that the third in a row costs."""
        switches = self.rules.switches
        return self.listing.steps(switches.farkle_penalty), self.listing.steps(self.rules.farkles_cost)

    @cached_property
    def minimum(self) -> int:
        """The least steps that may be banked by a side on the board."""
        return max(1, self.listing.steps(self.rules.switches.min_bank))

    @cached_property
    def opening(self) -> int:
        """The least steps that may be banked by a side off the board; 0 where there is no opening."""
        opening = self.listing.steps(self.rules.switches.opening_min)
        return max(self.minimum, opening) if opening else 0

    @cached_property
    def back(self) -> int:
        """The steps that a peg goes back when another lands in its hole; 0 where pegs share holes."""
        holes = self.rules.switches.one_peg_per_hole
        return 0 if holes == "off" else int(holes) * self.rules.hole_points // self.listing.step

    @cached_property
    def may_swap(self) -> bool:
        """Whether a Bomb may swap pegs."""
        return any(option.bomb for each in self.listing.classes[-1] for option in each.options)

    @cached_property
    def offered(self) -> int:
        """The most dice that a bank leaves over for the other side; 0 where no offer counts."""
        if not self.rules.switches.piggyback or self.has_rounds:
            return 0
        return self.listing.dice - (not self.rules.switches.piggyback_hot)

    @property
    def offers_error(self) -> float:
        """How far off the chances may be because offers are kept as 32-bit numbers; 0 where they are not.

        Each bank rounds one chance by at most half of its last binary digit. A game whose scores do not fall has at
        most as many banks as the least one goes into both targets.
        """
        if self.offer_count <= EXACT_OFFERS:
            return 0.0
        return 2 * self.places / self.minimum * 2**-25

    @property
    def offer_count(self) -> int:
        """The number of offers of dice left over."""
        return len(self.all_roles) * self.streaks * self.places**2 * (self.places - 1) // 2 * self.offered

    @property
    def has_rounds(self) -> bool:
        """Whether the game ends after a number of rounds."""
        return self.rules.ending == "rounds"

    @property
    def scores_fall(self) -> bool:
        """Whether a score can become smaller, except by a swap."""
        return bool(self.costs[0] or self.costs[1] or self.back)

    @cached_property
    def left_aside(self) -> tuple[str, ...]:
        """What the solver leaves aside of the rules; the values are exact where this is empty.

        Each is the name of a switch.
        """
        switches = self.rules.switches
        found = [name for name in LEFT_ASIDE if getattr(switches, name)]
        if switches.piggyback and not self.offered:
            found.append("piggyback")
        if self.has_rounds and (
            self.scores_fall or self.opening or self.may_swap or switches.three_strikes_out or self.turns.forced
        ):
            found.append("rounds")
        if self.rules.ending == "defend":
            found.append("endgame")
        if self.rules.ends_with_one_throw:
            found.append("last_turns")
        if switches.tie == "extra_round" and (self.scores_fall or switches.three_strikes_out or self.offered):
            found.append("tie")
        if self.opening and (self.scores_fall or self.may_swap):
            found.append("opening_min")
        if self.lowest and not self.has_rounds:
            found.append("penalty_floor")
        if self.may_swap and self.turns.forced and (self.streaks > 1 or switches.bomb_swap != "permanent"):
            found.append("forced_hot")
        if self.back and self.rules.hole_points % self.listing.step:
            found.append("one_peg_per_hole")
        if self.partners > 1:
            found += [name for name in partners_left_aside(self.rules) if name not in found]
        return tuple(found)

    def farkled(self, scores: Numbers, farkles: Numbers) -> tuple[Numbers, Numbers, Bools]:
        """Return what a farkle makes of a side's scores and farkles in a row, and where it was the third one."""
        after = self._less(scores, self.costs[0])
        if self.streaks == 1:
            return after, np.zeros_like(farkles), np.zeros(np.shape(farkles), bool)
        third = farkles + 1 >= STREAK
        start = 0 if self.rules.switches.farkle_streak_reset == "after_penalty" else STREAK - 1
        after = np.where(third, self._less(after, self.costs[1]), after)
        return after, np.where(third, start, farkles + 1), third

    def _less(self, scores: Numbers, cost: int) -> Numbers:
        """Return scores after a penalty; one below the lowest that is kept apart counts as that."""
        if not cost:
            return scores
        low = 0 if self.rules.switches.penalty_floor == "start" else self.lowest
        kept = scores - cost
        if self.opening:  # off the board means 0 points
            kept = np.where(scores == 0, 0, kept)
        return np.minimum(scores, np.maximum(low, kept))

    @property
    def exact(self) -> bool:
        """Whether the values are those of the game itself."""
        return self.listing.natural and not self.left_aside and not self.offers_error


def duel_of(rules: RuleSet, step: int = 0, partners: int = 1) -> Duel:
    """Return a rule set's game of two sides, in the shortest steps that keep its scores few.

    Args:
        rules: the rule set.
        step: the points of a step; 0 chooses it.
        partners: the players of each side.
    """
    duel = Duel(list_rolls(rules, step), partners)
    while not step and not duel.has_rounds and (duel.target > MOST_PLACES or duel.offer_count > MOST_OFFERS):
        duel = Duel(list_rolls(rules, duel.listing.step * 2), partners)
    return duel
