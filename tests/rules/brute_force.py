"""A scorer of its own, slow and plain: tries every way to share the dice out, from a chart written down again here.

It shares no code with `farkle`, so that an error there is not repeated here.
"""

from itertools import combinations

CHART_000 = {
    "farkle-cribbage": {
        (1,): 1,
        (2,): 2,
        **{(face,) * 3: points for face, points in {1: 20, 3: 6, 4: 8, 5: 10, 6: 12}.items()},
    }
}


def totals(chart: dict[tuple[int, ...], int], dice: tuple[int, ...]) -> set[int]:
    """Every total of the dice when all of them are used."""
    if not dice:
        return {0}
    found: set[int] = set()
    for size in range(1, len(dice) + 1):
        for places in combinations(range(1, len(dice)), size - 1):
            part = tuple(sorted((dice[0], *(dice[i] for i in places))))
            if part in chart:
                rest = tuple(dice[i] for i in range(1, len(dice)) if i not in places)
                found |= {chart[part] + total for total in totals(chart, rest)}
    return found


def selections(chart: dict[tuple[int, ...], int], roll: tuple[int, ...]) -> dict[tuple[int, ...], set[int]]:
    """Each multiset of dice of the roll that can be kept, with its totals."""
    found: dict[tuple[int, ...], set[int]] = {}
    for size in range(1, len(roll) + 1):
        for places in combinations(range(len(roll)), size):
            dice = tuple(sorted(roll[i] for i in places))
            if dice not in found and (values := totals(chart, dice)):
                found[dice] = values
    return found
