"""What the solver reads of a rule set. This file alone reads its switches."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import SWITCHES

VERSION = 1
"""The version of the solver, and of its tables as files."""

STREAK = 3
"""The farkles in a row that cost."""

LOWEST = -2500
"""The lowest score in points of a rule set that counts in points; a lower one is treated as this one."""

_LEFT_ASIDE = ("charity", "find_loser", "vant_hof_6")
"""Switches that the solver leaves aside."""

_ELSEWHERE = ("start_roll_dice", "streaks_per", "points_a_hole")
"""Switches that change nothing between two sides; the points of a hole count by themselves."""


@dataclass(frozen=True)
class Terms:
    """The terms of a rule set's games; scores and points are counted in steps, unless it says otherwise.

    Attributes:
        rules: the rule set.
        step: the points of a step.
    """

    rules: RuleSet
    step: int

    def steps(self, points: int) -> int:
        """Return the least number of steps that is worth at least these points."""
        return -(-points // self.step)

    @property
    def dice(self) -> int:
        """The number of dice in the game."""
        return self.rules.n_dice

    @property
    def last_die(self) -> int | None:
        """The points, not steps, of the last of six dice where five dice roll over; None where they do not."""
        switches = self.rules.switches
        return switches.five_dice_rollover_points if switches.five_dice_rollover and self.dice == 6 else None

    @property
    def losing_twos(self) -> int:
        """The least number of 2s with which a throw scores nothing; more than all dice where there is none."""
        return 4 if self.rules.switches.troublesome_twos else 7

    @property
    def pays_each(self) -> bool:
        """Whether Nobody Loses pays for each throw of all dice, not only for a turn's first one."""
        return bool(self.rules.nobody_loses) and self.rules.switches.nobody_loses_scope == "any_six"

    @property
    def must_single(self) -> bool:
        """Whether all dice must be thrown again after they have scored in a single throw."""
        return self.must_several or self.rules.switches.forced_hot == "single_throw"

    @property
    def must_several(self) -> bool:
        """Whether all dice must be thrown again after they have scored in several throws."""
        return self.rules.switches.too_hot or self.rules.switches.forced_hot == "any"

    @cached_property
    def target(self) -> int:
        """The steps that end the game."""
        return self.steps(self.rules.switches.target)

    @cached_property
    def lowest(self) -> int:
        """The lowest score that is kept apart, 0 or less."""
        return -self.steps(self.rules.chart.convert_points(-LOWEST)) if self.rules.may_go_below_zero else 0

    @cached_property
    def minimum(self) -> int:
        """The least steps that may be banked by a side on the board."""
        return max(1, self.steps(self.rules.switches.min_bank))

    @cached_property
    def opening(self) -> int:
        """The least steps that may be banked by a side off the board; 0 where there is no opening."""
        opening = self.steps(self.rules.switches.opening_min)
        return max(self.minimum, opening) if opening else 0

    @cached_property
    def costs(self) -> tuple[int, int]:
        """The steps that each farkle costs, and those that the third in a row costs."""
        return self.steps(self.rules.switches.farkle_penalty), self.steps(self.rules.farkles_cost)

    @property
    def penalty_floor(self) -> int:
        """The lowest score that a penalty leaves."""
        return 0 if self.rules.switches.penalty_floor == "start" else self.lowest

    @property
    def strikes_out(self) -> bool:
        """Whether the third farkle in a row loses the game."""
        return self.rules.switches.three_strikes_out

    @cached_property
    def streaks(self) -> int:
        """The number of counts of farkles in a row that are kept apart."""
        return STREAK if self.rules.farkles_cost or self.strikes_out else 1

    @property
    def after_streak(self) -> int:
        """The farkles in a row that are counted after the third."""
        return 0 if self.rules.switches.farkle_streak_reset == "after_penalty" else STREAK - 1

    @cached_property
    def back(self) -> int:
        """The steps that a peg goes back when another lands in its hole; 0 where pegs share holes."""
        holes = self.rules.switches.one_peg_per_hole
        return 0 if holes == "off" else int(holes) * self.rules.hole_points // self.step

    @property
    def hole(self) -> int:
        """The steps of a hole."""
        return max(1, self.rules.hole_points // self.step)

    @property
    def may_swap(self) -> bool:
        """Whether a Bomb may swap pegs."""
        return self.dice == 6 and self.rules.is_bomb((1,) * 6)

    @property
    def swap_undone(self) -> bool:
        """Whether a farkle undoes a swap."""
        return self.rules.switches.bomb_swap == "undone_on_farkle"

    @cached_property
    def offered(self) -> int:
        """The most dice that a bank leaves over for the other side; 0 where no offer counts."""
        switches = self.rules.switches
        return self.dice - (not switches.piggyback_hot) if switches.piggyback and not self.rounds else 0

    @property
    def rounds(self) -> int:
        """The rounds of a game that ends after a number of them, else 0."""
        return self.rules.switches.rounds if self.rules.ending == "rounds" else 0

    @property
    def tie(self) -> float | None:
        """What a level score is worth to the side that has the last turn; None where another round is played."""
        return {"extra_round": None, "trigger": 0.0}.get(self.rules.switches.tie, 0.5)

    @property
    def scores_fall(self) -> bool:
        """Whether a score can become smaller, except by a swap."""
        return bool(self.costs[0] or self.costs[1] or self.back)

    @cached_property
    def left_aside(self) -> tuple[str, ...]:
        """The switches that the solver leaves aside; the values are exact where there are none."""
        switches, rounds, forced = self.rules.switches, bool(self.rounds), self.must_single
        falls, another = self.scores_fall, self.tie is None
        undone = self.streaks > 1 or switches.bomb_swap != "permanent"
        aside = {
            **{name: bool(getattr(switches, name)) for name in _LEFT_ASIDE},
            "piggyback": switches.piggyback and rounds,
            "rounds": rounds and bool(falls or self.opening or self.may_swap or self.strikes_out or forced),
            "endgame": self.rules.ending == "defend",
            "last_turns": self.rules.ends_with_one_throw,
            "tie": another and bool(falls or self.strikes_out or self.offered),
            "opening_min": bool(self.opening) and (falls or self.may_swap),
            "penalty_floor": bool(self.lowest) and not rounds,
            "forced_hot": self.may_swap and forced and undone,
            "one_peg_per_hole": bool(self.back) and self.rules.hole_points % self.step > 0,
        }
        return tuple(name for name, is_aside in aside.items() if is_aside)


def settings_hash(rules: RuleSet) -> str:
    """Return a hash of everything that changes the odds between two sides: scores and switches."""
    switches = {name: getattr(rules.switches, name) for name in SWITCHES if name not in _ELSEWHERE}
    rows = {str(size): sorted(row.items()) for size, row in rules.chart.rows.items()}
    hole = rules.hole_points if rules.switches.one_peg_per_hole != "off" else 0
    document = [VERSION, rules.chart.pegs, rows, switches, hole]
    document += ["lower totals"] * (rules.lower_total_can_win and not rules.switches.piggyback)  # once left aside
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:32]
