"""An independent, simple and complete scorer: it builds every scoring group of dice from charts written here again.

It shares neither code nor charts nor method with `farkle`: the engine takes combinations out of a selection, this
scorer puts them together, so it does not repeat an error of the engine. Dice are multisets: a count for each face.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

Dice = tuple[int, ...]
Row = tuple[Dice, int]

PEGS = {"singles": {1: 1, 2: 2}, "threes": {1: 20, 3: 6, 4: 8, 5: 10, 6: 12}, "points a peg": 50}
"""Sheet 000, in pegs. It has no row for three 2s."""


def hundreds(three_ones: int) -> dict:
    """Return the chart of sheets 001 to 004: three equal dice are a hundred times the face, except the 1s."""
    return {"singles": {1: 100, 5: 50}, "threes": {1: three_ones, **{face: face * 100 for face in range(2, 7)}}}


CHRISTIAN_BROTHERS = {"straight": 1500, "three_pairs": 1500}
SIR_ALBERT = {"of_a_kind": "double", "straight": 1500, "three_pairs": 500}
CLASSIC = {"of_a_kind": "flat", "straight": 1500, "three_pairs": 1500, "two_triplets": 2500, "four_and_pair": 1500}

SHEETS: Mapping[str, tuple[dict, dict]] = {
    "farkle-cribbage": (PEGS, {}),
    "farkle-cribbage-advanced": (PEGS, {"bonus_scores": True, "five_dice_rollover": True}),
    "classic": (hundreds(300), CLASSIC),
    "free-the-dice": (hundreds(1000), {"straight": 3000, "three_pairs": 1500}),
    "sir-albert": (hundreds(1000), SIR_ALBERT),
    "sir-albert-350": (hundreds(1000), SIR_ALBERT),
    "christian-brothers": (hundreds(1000), CHRISTIAN_BROTHERS),
    "packet-farkle": (hundreds(1000), {**CHRISTIAN_BROTHERS, "of_a_kind": "flat", "two_triplets": 2500}),
    "facebook-farkle": (hundreds(1000), {**CHRISTIAN_BROTHERS, "of_a_kind": "double", "three_pairs": 750}),
    "playmonster": (hundreds(300), CLASSIC),
    "super-farkle": (
        hundreds(1000),
        {"four_kind": True, "five_kind": True, "six_kind": True, "straight": 1500, "three_pairs": 750},
    ),
    "zilch-online": (
        hundreds(1000),
        {"of_a_kind": "double", "straight": 1500, "three_pairs": 1500, "pairs_may_repeat": True},
    ),
    "dice-10000": (
        hundreds(1000),
        {"of_a_kind": "double", "straight": 1500, "three_pairs": 1000, "full_house": 1500},
    ),
    "kcd-dice": (
        hundreds(1000),
        {"of_a_kind": "double", "low_straight": 500, "high_straight": 750, "straight": 1500},
    ),
}
"""Every rule set by its key: its chart, and the switches about scoring that it sets."""

SWITCHES: Mapping[str, tuple[object, ...]] = {
    "of_a_kind": ("none", "flat", "double"),
    "four_kind": (False, True),
    "five_kind": (False, True),
    "six_kind": (False, True),
    "bonus_scores": (False, True),
    "twos_kind_value": (6, 4, "none"),
    "straight": (0, 1250),
    "low_straight": (0, 500),
    "high_straight": (0, 750),
    "three_pairs": (0, 600),
    "pairs_may_repeat": (False, True),
    "two_triplets": (0, 2500),
    "four_and_pair": (0, 1400),
    "full_house": (0, 1100),
    "full_house_bonus": (0, 350),
    "lower_values": (False, True),
    "no_straight": (False, True),
    "pocket_farkle": (False, True),
    "overpowered_ones": (False, True),
    "five_dice_rollover": (False, True),
    "five_dice_rollover_points": (0, 5),
    "troublesome_twos": (False, True),
    "n_dice": (6, 5),
}
"""Every switch that changes what may be kept or what it is worth, with values to try, the usual one first."""

SIX_DICE_ONLY = frozenset(
    (
        *("straight", "three_pairs", "two_triplets", "four_and_pair", "six_kind", "overpowered_ones"),
        *("lower_values", "bonus_scores", "five_dice_rollover", "pairs_may_repeat"),
    )
)
"""What cannot be asked for with five dice."""


def chart(key: str, options: Mapping[str, object] | None = None) -> list[Row]:
    """Return every row that scores in a rule set with these switches."""
    sheet, settings = SHEETS[key]
    return list(_rows(sheet, {**{name: values[0] for name, values in SWITCHES.items()}, **settings, **(options or {})}))


def _rows(sheet: dict, on: Mapping[str, object]) -> Iterator[Row]:
    # The one conversion of sheet 000: 50 points a peg.
    in_points = sheet.get("points a peg", 1)
    in_pegs = 1 if in_points > 1 else 50
    for face, points in sheet["singles"].items():
        yield (face,), points
    threes = dict(sheet["threes"])
    if on["pocket_farkle"]:
        threes[1] = 300 // in_points
    for face, points in threes.items():
        yield (face,) * 3, points
    if 2 not in threes and on["twos_kind_value"] != "none":
        threes[2] = on["twos_kind_value"]  # three 2s are worth three single ones
    for face in range(1, 7):
        three = threes.get(face)
        for size in (4, 5, 6):
            points = _equal(size, three, on, in_points, in_pegs)
            if size == 6 and face == 1 and on["overpowered_ones"]:
                points = 5000 // in_points
            if points:
                yield (face,) * size, points
    straight = on["straight"] or (25 * in_pegs if on["bonus_scores"] else 0)
    pairs = on["three_pairs"] or (10 * in_pegs if on["bonus_scores"] else 0)
    if on["lower_values"]:
        straight = 1500 // in_points if straight else 0
        pairs = 750 // in_points if pairs else 0
    if not on["no_straight"]:
        for dice, points in (
            ((1, 2, 3, 4, 5, 6), straight),
            ((1, 2, 3, 4, 5), on["low_straight"]),
            ((2, 3, 4, 5, 6), on["high_straight"]),
        ):
            if points:
                yield dice, points
    for dice in combinations_with_replacement(range(1, 7), 6):
        counts = sorted(dice.count(face) for face in set(dice))
        paired = counts == [2, 2, 2] or (on["pairs_may_repeat"] and counts in ([2, 4], [6]))
        if paired and pairs:
            yield dice, pairs
        if counts == [3, 3] and on["two_triplets"]:
            yield dice, on["two_triplets"]
        if counts == [2, 4] and on["four_and_pair"]:
            yield dice, on["four_and_pair"]
    three_single = {face: 3 * points for face, points in sheet["singles"].items()}
    rows_of_three = {**sheet["threes"], **({1: 300 // in_points} if on["pocket_farkle"] else {})}
    for triple in range(1, 7):
        best = max(three_single.get(triple, 0), rows_of_three.get(triple, 0))
        for pair in {1, 2, 3, 4, 5, 6} - {triple}:
            if best and on["full_house_bonus"]:
                yield tuple(sorted((triple,) * 3 + (pair,) * 2)), best + on["full_house_bonus"]
    for dice in combinations_with_replacement(range(1, 7), 5):
        if sorted(dice.count(face) for face in set(dice)) == [2, 3] and on["full_house"]:
            yield dice, on["full_house"]


def _equal(size: int, three: int | None, on: Mapping[str, object], in_points: int, in_pegs: int) -> int | None:
    """Return the rows of four to six equal dice, by the switch of one size, the bonus, or the switch of all sizes."""
    if on[{4: "four_kind", 5: "five_kind", 6: "six_kind"}[size]] and three is not None:
        return three * (size - 2)
    if on["bonus_scores"] and three is not None:
        return three + {4: 10, 5: 15, 6: 20}[size] * in_pegs
    if on["of_a_kind"] == "flat":
        return (size - 3) * 1000 // in_points
    if on["of_a_kind"] == "double" and three is not None:
        return three * 2 ** (size - 3)
    return None


def code(dice: Dice) -> int:
    """Return a multiset of dice as one number, with a base-7 digit for each face. Adding numbers adds dice."""
    return sum(7**face for face in dice)


@cache
def rolls(most: int = 6) -> tuple[Dice, ...]:
    """Return every sorted roll of one to `most` dice. There are 923 of up to six dice."""
    return tuple(dice for size in range(1, most + 1) for dice in combinations_with_replacement(range(1, 7), size))


@cache
def parts(roll: Dice) -> tuple[tuple[int, Dice], ...]:
    """Return every distinct multiset of dice of a sorted roll with its code."""
    found = {dice for size in range(1, len(roll) + 1) for dice in combinations(roll, size)}
    return tuple((code(dice), dice) for dice in sorted(found))


def ways(roll: Dice) -> int:
    """Return how many of all 6^n rolls are this one in some order."""
    return factorial(len(roll)) // prod(factorial(roll.count(face)) for face in set(roll))


def totals(rows: list[Row]) -> dict[int, set[int]]:
    """Return every total of every multiset of one to six dice that can be built from rows, by its code."""
    coded = [(code(dice), len(dice), points) for dice, points in rows]
    found: dict[int, set[int]] = {0: {0}}
    by_size: list[list[int]] = [[0], [], [], [], [], [], []]
    for size in range(6):
        for base in by_size[size]:
            for added, dice, points in coded:
                if size + dice > 6:
                    continue
                whole = base + added
                if whole not in found:
                    found[whole] = set()
                    by_size[size + dice].append(whole)
                found[whole] |= {total + points for total in found[base]}
    return found


def selections(key: str, options: Mapping[str, object] | None = None) -> dict[Dice, dict[Dice, set[int]]]:
    """Return each multiset that may be kept, with all its totals, for every sorted roll of a rule set's dice.

    A roll of one die is the last of six.
    """
    on = {**SHEETS[key][1], **(options or {})}
    known = totals(chart(key, options))
    found: dict[Dice, dict[Dice, set[int]]] = {}
    for roll in rolls(int(str(on.get("n_dice", 6)))):
        kept = {dice: known[part] for part, dice in parts(roll) if part in known}
        if on.get("troublesome_twos") and roll.count(2) >= 4:
            kept = {}
        elif not kept and on.get("five_dice_rollover") and on.get("n_dice", 6) == 6 and roll in ((1,), (2,), (3,)):
            kept = {roll: {int(str(on.get("five_dice_rollover_points", 0)))}}
        found[roll] = kept
    return found


def counts(key: str) -> dict[str, list[int]]:
    """Return a rule set's table over all 6^n rolls of n = 1 to 6 dice: farkles, selections, sum of the best scores."""
    table = {"farkles": [0] * 6, "selections": [0] * 6, "best_scores": [0] * 6}
    for roll, kept in selections(key).items():
        place, times = len(roll) - 1, ways(roll)
        table["farkles"][place] += times * (not kept)
        table["selections"][place] += times * len(kept)
        table["best_scores"][place] += times * max((max(each) for each in kept.values()), default=0)
    return table
