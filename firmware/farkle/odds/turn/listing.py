"""The listing of a rule set: for each number of dice, what a throw may lead to, grouped into classes of equal rolls.

Two rolls of the same number of dice are of one class if they leave the same choices of dice left and points. Points are
counted in steps, the greatest number that divides the points of every selection.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, gcd, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from farkle.odds.switches import Terms
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

LAST_DIE_FACE = 3
"""The highest face that succeeds as the last of six dice where five dice roll over."""

MOST_STEPS = 4000
"""The most steps of points that a turn or a game is computed in; a rule set with more is computed in longer steps."""


class RollOption(NamedTuple):
    """One thing to do with a roll: the dice that are left to throw, and the points gained in steps.

    `single` says that all dice were kept in a single throw, `several` that the last ones were; `bomb` that the dice are
    a Bomb.
    """

    left: int
    points: int
    single: bool = False
    several: bool = False
    bomb: bool = False

    @property
    def hot(self) -> bool:
        """Whether all dice have scored."""
        return self.single or self.several


class RollClass(NamedTuple):
    """Rolls of one number of dice with the same options. `chance` is the chance of one of them.

    `six_ones` marks the six 1s that win the game at once, where a switch says so.
    """

    chance: float
    options: tuple[RollOption, ...]
    six_ones: bool = False


@dataclass(frozen=True)
class Listing:
    """What the throws of a rule set lead to.

    Attributes:
        terms: the terms of the rule set, in the steps in which points are counted.
        classes: the classes of scoring rolls, by number of dice (index 0 is empty).
        farkle: the chance that a throw scores nothing, by number of dice; Nobody Loses is left aside.
        paid: the chance that a throw of all dice scores nothing and Nobody Loses pays for it.
        paid_points: the steps that Nobody Loses pays.
        natural: whether every score is a whole number of steps.
    """

    terms: Terms
    classes: tuple[tuple[RollClass, ...], ...]
    farkle: tuple[float, ...]
    paid: float
    paid_points: int
    natural: bool = True

    @property
    def dice(self) -> int:
        """The number of dice in the game."""
        return self.terms.dice

    @property
    def six_ones(self) -> float:
        """The chance of six 1s where they win the game at once."""
        return sum(each.chance for each in self.classes[self.dice] if each.six_ones)

    @property
    def paid_each(self) -> float:
        """The chance that Nobody Loses pays for any throw of all dice; 0 where it pays for a turn's first one alone."""
        return self.paid if self.terms.pays_each else 0.0

    @property
    def most_points(self) -> int:
        """The most steps that one throw scores."""
        scores = [option.points for row in self.classes for each in row for option in each.options]
        return max([*scores, self.paid_points])


@dataclass(frozen=True)
class _Rolls:
    """Every sorted roll of one to six dice: its dice, a row of counts for each, and its number of orders."""

    dice: tuple[Faces, ...]
    counts: NDArray[np.int8]
    sizes: Numbers
    ways: Numbers


@cache
def _rolls() -> _Rolls:
    dice = tuple(roll for size in range(1, 7) for roll in combinations_with_replacement(range(1, 7), size))
    counts = np.array([[roll.count(face) for face in range(1, 7)] for roll in dice], np.int8)
    sizes = counts.sum(axis=1).astype(np.int64)
    ways = [
        factorial(len(roll)) // prod(factorial(int(n)) for n in row) for roll, row in zip(dice, counts, strict=True)
    ]
    return _Rolls(dice, counts, sizes, np.array(ways))


def list_rolls(rules: RuleSet, step: int = 0, *, lower: bool | None = None) -> Listing:
    """Return the listing of a rule set.

    Args:
        rules: the rule set.
        step: the points of one step, to which scores are rounded; 0 is the greatest that divides every score.
        lower: whether lower totals of the same dice are listed, too; None: where they can be better.
    """
    every, points = _rolls(), Terms(rules, 1)
    scored = [(place, rules.table.score(roll)) for place, roll in enumerate(every.dice) if len(roll) <= points.dice]
    if lower is None:
        lower = rules.lower_total_can_win
    scores = [(at, total) for at, each in scored if each for total in each.totals[: None if lower else 1]]
    natural = gcd(*(total for _, total in scores), points.last_die or 0, rules.nobody_loses) or 1
    terms = Terms(rules, step or natural)
    kept = np.array([(at, round(each / terms.step)) for at, each in scores], np.int64).reshape(-1, 2)
    sizes = [_classes(terms, kept, size) for size in range(1, terms.dice + 1)]
    classes, farkle, unpaid = zip(((), 0.0, 0.0), *sizes, strict=True)
    paid = unpaid[-1] if rules.nobody_loses else 0.0
    return Listing(terms, classes, farkle, paid, round(rules.nobody_loses / terms.step), terms.step == natural)


def _classes(terms: Terms, kept: Numbers, size: int) -> tuple[tuple[RollClass, ...], float, float]:
    """Return the classes of the rolls of one number of dice, the chance of a farkle, and that of one without four 2s.

    Args:
        terms: the terms of the rule set.
        kept: the dice that may be kept, each by its place among all sorted rolls, and by its points in steps.
        size: the number of dice.
    """
    every, rules, dice = _rolls(), terms.rules, terms.dice
    rows = np.flatnonzero(every.sizes == size)
    places, points = kept[every.sizes[kept[:, 0]] <= size].T
    may = np.all(every.counts[places] <= every.counts[rows][:, None], axis=2)  # (rolls, selections)
    twos = every.counts[rows, 1] >= terms.losing_twos
    may &= ~twos[:, None]
    keys = [
        RollOption((size - k) or dice, q, k == size == dice, k == size < dice)
        for k, q in zip(every.sizes[places].tolist(), points.tolist(), strict=True)
    ]
    last_die = terms.last_die if size == 1 else None
    groups: dict[tuple[frozenset[RollOption], bool], int] = {}
    ways = every.ways[rows].tolist()
    nothing = with_twos = 0
    for place, chosen in enumerate(may):
        roll = every.dice[rows[place]]
        options = {keys[each] for each in np.flatnonzero(chosen).tolist()}
        if not options and last_die is not None and roll[0] <= LAST_DIE_FACE:
            options = {RollOption(dice, round(last_die / terms.step), several=True)}
        if options and rules.is_bomb(roll):
            options = {each._replace(bomb=each.hot) for each in options}
        if options:
            group = frozenset(options), rules.wins_at_once(roll)
            groups[group] = groups.get(group, 0) + ways[place]
        else:
            nothing += ways[place]
            with_twos += ways[place] * bool(twos[place])
    total = 6**size
    classes = tuple(RollClass(count / total, tuple(sorted(options)), ones) for (options, ones), count in groups.items())
    return classes, nothing / total, (nothing - with_twos) / total


def fewest_points(rules: RuleSet) -> list[int]:
    """Return the fewest points that the dice kept can have scored, by the dice to throw; index 0 is unused."""
    listing = list_rolls(rules, lower=True)
    every = listing.dice
    fewest = [10**9] * every + [0]
    hot = [listing.paid_points] if listing.paid else []
    for size in range(every, 0, -1):
        for option in (option for each in listing.classes[size] for option in each.options):
            points = fewest[size] + option.points
            if option.hot:
                hot.append(points)
            else:
                fewest[option.left] = min(fewest[option.left], points)
    return [each * listing.terms.step for each in (*fewest[:-1], min(hot))]
