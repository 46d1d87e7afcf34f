"""The table of combinations: every group of dice that scores together, built from a sheet's chart and its switches.

Scoring switches change this table and nothing else. An amount that a sheet gives in points is converted for a rule set
that counts in pegs, and the other way round, at 50 points a peg: the ratio of the Farkle Cribbage sheet.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations as choices
from itertools import permutations

from farkle.errors import RuleSetError
from farkle.rules.dice import Faces
from farkle.rules.switches import Switches

POINTS_A_PEG = 50
"""The conversion ratio of the Farkle Cribbage sheet."""


@dataclass(frozen=True)
class Combination:
    """Dice of one throw that score together, all or nothing. `dice` are in ascending order."""

    name: str
    dice: Faces
    points: int

    def __post_init__(self) -> None:
        if not self.dice or self.dice != tuple(sorted(self.dice)):
            raise RuleSetError(f"expected dice in ascending order in {self.name!r}, got {self.dice!r}")
        if self.points < 0:
            raise RuleSetError(f"expected points of 0 or more for {self.name!r}, got {self.points!r}")


KINDS: Mapping[str, int] = {
    "single": 1,
    "three_of_a_kind": 3,
    "four_of_a_kind": 4,
    "five_of_a_kind": 5,
    "six_of_a_kind": 6,
}
"""The keys of equal dice in a rule set's file, with their numbers of dice."""

KIND_NAMES: Mapping[int, str] = {size: kind.replace("_", " ") for kind, size in KINDS.items()}
"""The players' names of equal dice, by their number."""

LAST_DIE = "five dice roll over"
"""The name of a 3 that scores only as the last of six dice."""


@dataclass(frozen=True)
class Chart:
    """A sheet's chart of equal dice: the points of each face by number of dice, counted in points or in `pegs`."""

    rows: Mapping[int, Mapping[int, int]] = field(hash=False)
    pegs: bool = False

    def convert_points(self, points: int) -> int:
        """Return an amount that a sheet gives in points in this chart's unit."""
        return points // POINTS_A_PEG if self.pegs else points

    def convert_pegs(self, pegs: int) -> int:
        """Return an amount that a sheet gives in pegs in this chart's unit."""
        return pegs if self.pegs else pegs * POINTS_A_PEG


_FACES = range(1, 7)
_FOUR_AND_TWO = tuple(tuple(sorted((four,) * 4 + (two,) * 2)) for four, two in permutations(_FACES, 2))
_PATTERNS: Mapping[str, tuple[Faces, ...]] = {
    "straight": ((1, 2, 3, 4, 5, 6),),
    "low straight": ((1, 2, 3, 4, 5),),
    "high straight": ((2, 3, 4, 5, 6),),
    "three pairs": tuple(tuple(sorted(three * 2)) for three in choices(_FACES, 3)),
    "two triplets": tuple(tuple(sorted(two * 3)) for two in choices(_FACES, 2)),
    "four of a kind and a pair": _FOUR_AND_TWO,
    "full house": tuple(tuple(sorted((three,) * 3 + (two,) * 2)) for three, two in permutations(_FACES, 2)),
}
"""The dice of every pattern that is not simply equal dice."""


def list_combinations(chart: Chart, switches: Switches) -> tuple[Combination, ...]:
    """Return every combination that scores: first the equal dice, then the patterns."""
    equal = tuple(_equal_dice(chart, switches))
    found = (*equal, *_patterns(chart, switches), *_full_houses_with_bonus(equal, switches))
    return tuple(each for each in found if len(each.dice) <= switches.n_dice)


def _equal_dice(chart: Chart, switches: Switches) -> Iterator[Combination]:
    rows: dict[int, dict[int, int]] = {size: dict(chart.rows.get(size, {})) for size in KIND_NAMES}
    if switches.pocket_farkle:
        rows[3][1] = chart.convert_points(300)
    threes = dict(rows[3])
    if 2 in rows[1] and isinstance(switches.twos_kind_value, int):
        threes.setdefault(2, switches.twos_kind_value)
    for face in _FACES:
        for size, points in _of_a_kind(chart, switches, threes.get(face)).items():
            rows[size][face] = points
    if switches.overpowered_ones:
        rows[6][1] = chart.convert_points(5000)
    for size, row in rows.items():
        for face in sorted(row):
            yield Combination(KIND_NAMES[size], (face,) * size, row[face])


def _of_a_kind(chart: Chart, switches: Switches, three: int | None) -> dict[int, int]:
    """Return the points of four, five and six equal dice; a more specific switch overrides a more general one.

    They follow from the points of `three` equal dice, None if those do not score.
    """
    found: dict[int, int] = {}
    if switches.of_a_kind == "flat":
        found = {size: chart.convert_points(points) for size, points in ((4, 1000), (5, 2000), (6, 3000))}
    if three is None:
        return found
    if switches.of_a_kind == "double":
        found = {4: three * 2, 5: three * 4, 6: three * 8}
    if switches.bonus_scores:
        found = {size: three + chart.convert_pegs(pegs) for size, pegs in ((4, 10), (5, 15), (6, 20))}
    for size, on, times in ((4, switches.four_kind, 2), (5, switches.five_kind, 3), (6, switches.six_kind, 4)):
        if on:
            found[size] = three * times
    return found


def _patterns(chart: Chart, switches: Switches) -> Iterator[Combination]:
    bonus = switches.bonus_scores
    straight = switches.straight or (chart.convert_pegs(25) if bonus else 0)
    pairs = switches.three_pairs or (chart.convert_pegs(10) if bonus else 0)
    if switches.lower_values:
        straight, pairs = straight and chart.convert_points(1500), pairs and chart.convert_points(750)
    points = {
        "straight": straight,
        "low straight": switches.low_straight,
        "high straight": switches.high_straight,
        "three pairs": pairs,
        "two triplets": switches.two_triplets,
        "four of a kind and a pair": switches.four_and_pair,
        "full house": switches.full_house,
    }
    for name, dice in _PATTERNS.items():
        if not points[name] or (switches.no_straight and name.endswith("straight")):
            continue
        if name == "three pairs" and switches.pairs_may_repeat:
            dice = (*dice, *((face,) * 6 for face in _FACES), *_FOUR_AND_TWO)
        yield from (Combination(name, each, points[name]) for each in dice)


def _full_houses_with_bonus(equal: Iterable[Combination], switches: Switches) -> Iterator[Combination]:
    """Yield each full house at the best score of its three equal dice and the bonus, if these three score."""
    if not switches.full_house_bonus:
        return
    worth = {each.dice: each.points for each in equal}
    for dice in _PATTERNS["full house"]:
        face = dice[2]  # of five sorted dice, three of them equal
        three = max(worth.get((face,) * 3, 0), 3 * worth.get((face,), 0))
        if three:
            yield Combination("full house", dice, three + switches.full_house_bonus)


@dataclass(frozen=True)
class CardRow:
    """One line of a rule card. With `any_faces` the example stands for all faces of its kind."""

    name: str
    example: Faces
    points: int
    any_faces: bool


def card_rows(combinations: Iterable[Combination]) -> tuple[CardRow, ...]:
    """Return the rows of a rule card: one for each pattern, and one for each face of equal dice.

    Equal dice that score the same with all six faces share one row. A pattern has a row for each number of points.
    """
    by_name: dict[str, list[Combination]] = {}
    for each in combinations:
        by_name.setdefault(each.name, []).append(each)
    rows: list[CardRow] = []
    for name, kind in by_name.items():
        if name in KIND_NAMES.values() and (len(kind) < 6 or len({each.points for each in kind}) > 1):
            rows.extend(CardRow(name, each.dice, each.points, any_faces=False) for each in kind)
            continue
        for points in dict.fromkeys(each.points for each in kind):
            alike = [each for each in kind if each.points == points]
            rows.append(CardRow(name, alike[0].dice, points, any_faces=len(alike) > 1))
    return tuple(rows)
