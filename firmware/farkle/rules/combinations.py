"""The table of combinations: every group of dice that scores together, made from a sheet's chart and its switches.

The scoring switches change this table and nothing else. Amounts that a sheet gives in points are scaled for a rule set
that counts in pegs, 50 points a peg, and amounts given in pegs the other way: the Farkle Cribbage sheet's own ratio.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations as choices
from itertools import permutations

from farkle.errors import RuleSetError
from farkle.rules.dice import Faces
from farkle.rules.switches import Switches

POINTS_A_PEG = 50
"""The conversion that the Farkle Cribbage sheet gives."""


@dataclass(frozen=True)
class Combination:
    """Dice that score together: all or nothing, and all of the same throw. `dice` are in ascending order."""

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
"""The kinds of equal dice a rule set's file may list faces for, and how many dice each takes."""

NAMES: Mapping[int, str] = {size: kind.replace("_", " ") for kind, size in KINDS.items()}
"""The kinds as players say them, by their number of dice."""

LAST_DIE = "five dice roll over"
"""The name of the 3 that only the last of six dice scores."""


@dataclass(frozen=True)
class Chart:
    """A sheet's chart of equal dice: for each number of dice the points of each face. `pegs` counts in pegs."""

    rows: Mapping[int, Mapping[int, int]] = field(hash=False)
    pegs: bool = False

    def points(self, amount: int) -> int:
        """An amount that a sheet gives in points, as this chart counts."""
        return amount // POINTS_A_PEG if self.pegs else amount

    def of_pegs(self, amount: int) -> int:
        """An amount that a sheet gives in pegs, as this chart counts."""
        return amount if self.pegs else amount * POINTS_A_PEG

    def three(self, face: int, switches: Switches) -> int | None:
        """What three equal dice are worth, as four and more build on it; None where they build on nothing."""
        if switches.pocket_farkle and face == 1:
            return self.points(300)
        if face in self.rows.get(3, {}):
            return self.rows[3][face]
        if face == 2 and face in self.rows.get(1, {}):
            value = switches.twos_kind_value
            return value if isinstance(value, int) else None
        return None


def table_of(chart: Chart, switches: Switches) -> tuple[Combination, ...]:
    """Every combination that scores, those of equal dice first."""
    found = (*_equal_dice(chart, switches), *_patterns(chart, switches))
    return tuple(each for each in found if len(each.dice) <= switches.n_dice)


def _equal_dice(chart: Chart, switches: Switches) -> Iterator[Combination]:
    rows: dict[int, dict[int, int]] = {size: dict(chart.rows.get(size, {})) for size in NAMES}
    if switches.pocket_farkle:
        rows[3][1] = chart.points(300)
    for face in range(1, 7):
        three = chart.three(face, switches)
        for size, worth in _of_a_kind(chart, switches, three).items():
            rows[size][face] = worth
    if switches.overpowered_ones:
        rows[6][1] = chart.points(5000)
    for size, row in rows.items():
        for face in sorted(row):
            yield Combination(NAMES[size], (face,) * size, row[face])


def _of_a_kind(chart: Chart, switches: Switches, three: int | None) -> dict[int, int]:
    """What four, five and six equal dice are worth by the switches; the more particular switch has the last word."""
    found: dict[int, int] = {}
    if switches.of_a_kind == "flat":
        found = {4: chart.points(1000), 5: chart.points(2000), 6: chart.points(3000)}
    if three is None:
        return found
    if switches.of_a_kind == "double":
        found = {4: three * 2, 5: three * 4, 6: three * 8}
    if switches.bonus_scores:
        found = {size: three + chart.of_pegs(more) for size, more in ((4, 10), (5, 15), (6, 20))}
    for size, on, times in ((4, switches.four_kind, 2), (5, switches.five_kind, 3), (6, switches.six_kind, 4)):
        if on:
            found[size] = three * times
    return found


def _patterns(chart: Chart, switches: Switches) -> Iterator[Combination]:
    bonus = switches.bonus_scores
    straight = switches.straight or (chart.of_pegs(25) if bonus else 0)
    pairs = switches.three_pairs or (chart.of_pegs(10) if bonus else 0)
    if switches.lower_values:
        straight, pairs = straight and chart.points(1500), pairs and chart.points(750)
    faces = range(1, 7)
    if straight and not switches.no_straight:
        yield Combination("straight", (1, 2, 3, 4, 5, 6), straight)
    if switches.low_straight and not switches.no_straight:
        yield Combination("low straight", (1, 2, 3, 4, 5), switches.low_straight)
    if switches.high_straight and not switches.no_straight:
        yield Combination("high straight", (2, 3, 4, 5, 6), switches.high_straight)
    if pairs:
        for three in choices(faces, 3):
            yield Combination("three pairs", tuple(sorted(three * 2)), pairs)
        if switches.pairs_may_repeat:
            for face in faces:
                yield Combination("three pairs", (face,) * 6, pairs)
            for four, two in permutations(faces, 2):
                yield Combination("three pairs", tuple(sorted((four,) * 4 + (two,) * 2)), pairs)
    if switches.two_triplets:
        for two_faces in choices(faces, 2):
            yield Combination("two triplets", tuple(sorted(two_faces * 3)), switches.two_triplets)
    if switches.four_and_pair:
        for four, two in permutations(faces, 2):
            dice = tuple(sorted((four,) * 4 + (two,) * 2))
            yield Combination("four of a kind and a pair", dice, switches.four_and_pair)
    if switches.full_house:
        for trio, two in permutations(faces, 2):
            yield Combination("full house", tuple(sorted((trio,) * 3 + (two,) * 2)), switches.full_house)
