"""A second solver of Farkle Cribbage for two sides, by plain repetition. It shares no code with `farkle.odds`.

It takes its scores from the brute-force scorer of the rules' tests, goes through the points of a turn one by one, and
repeats all states of the game together until none changes.
"""

from collections import Counter
from collections.abc import Callable

import brute_force
import numpy as np

MOST = 150
"""The most points of a turn. With more, banking is best in a game to a dozen holes: the other side can hardly pass."""

ROUNDS = 60
Throws = dict[int, Counter]


def throws_of(key: str, options: dict[str, object], *, lower: bool = False, unit: int = 1) -> Throws:
    """Return for each number of dice how many rolls offer which dice left and points, and whether they are a Bomb.

    `lower` says whether lower totals of the same dice may be declared; points are counted in steps of `unit`.
    """
    found: Throws = {size: Counter() for size in range(1, 7)}
    for roll, kept in brute_force.selections(key, options).items():
        offers = frozenset(
            (len(roll) - len(dice) or 6, total // unit)
            for dice, totals in kept.items()
            for total in (totals if lower else [max(totals)])
        )
        bomb = len(roll) == 6 and len(set(roll)) == 1
        found[len(roll)][offers, bomb] += brute_force.ways(roll)
    return found


def turn(
    throws: Throws,
    bank: Callable[[int], np.ndarray],
    farkle: np.ndarray,
    swap: list[np.ndarray] | None,
    most: int = MOST,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return what a turn is worth before its first throw, and what six dice are worth by points, banked or thrown."""
    banked = [bank(points) for points in range(most + 61)]
    best = {size: list(banked) for size in range(1, 7)}
    start = farkle
    for points in range(most, -1, -1):
        for size in (6, 5, 4, 3, 2, 1):  # six first: the last die may be set aside for nothing
            total = np.zeros_like(farkle)
            for (offers, bomb), ways in throws[size].items():
                values = [best[left][points + gained] for left, gained in offers]
                if bomb and swap is not None:
                    values.append(swap[points])
                total += ways / 6**size * (np.max(values, axis=0) if values else farkle)
            best[size][points] = np.maximum(total, banked[points])
            if size == 6:
                start = total
    return start, best[6]


def passing(throws: Throws, swap: bool, gaps: int, tie: float) -> np.ndarray:
    """Return the chance to win in the last turn by the points that are missing; a level score is worth `tie`."""
    gap = np.arange(gaps)
    always = [np.where(gap > 0, 1.0, -1.0)] * (gaps + 1) if swap else None

    def bank(points: int) -> np.ndarray:
        return np.where(points > gap, 1.0, np.where(points == gap, tie, 0.0)) if points else np.full(gaps, -1.0)

    return turn(throws, bank, tie * (gap == 0), always, most=gaps)[0]


def values(
    key: str,
    holes: int,
    *,
    penalty: int = 0,
    swap: str = "off",
    in_a_row: bool = False,
    tie: float = 0.5,
    lower: bool = False,
    unit: int = 1,
    guess: np.ndarray | None = None,
    **options: object,
) -> np.ndarray:
    """Return the chance to win by role (0 begins the round), my and their farkles in a row, and my and their hole.

    Args:
        key: the rule set.
        holes: the target, in steps.
        penalty: what three farkles in a row cost.
        swap: what a Bomb does.
        in_a_row: whether either side has a last turn after a win of the other; else the round is finished.
        tie: what a level score is worth to the side with the last turn.
        lower: whether lower totals of the same dice may be declared.
        unit: the points of a step.
        guess: values to begin with, which one round leaves as they are if they are right; None repeats to the end.
        options: other switches.
    """
    throws = throws_of(key, options, lower=lower, unit=unit)
    last = passing(throws, swap != "off", holes + MOST + 62, tie)
    counts = 3 if penalty else 1
    role, mine_f, their_f, mine, theirs = np.indices((2, counts, counts, holes, holes))
    value = np.full(role.shape, 0.5) if guess is None else np.broadcast_to(guess, role.shape)

    def bank(points: int) -> np.ndarray:
        far = mine + points >= holes
        after = 1 - value[1 - role, their_f, 0, theirs, np.minimum(mine + points, holes - 1)]
        won = np.where((role == 0) | in_a_row, 1 - last[np.maximum(mine + points - theirs, 0)], 1.0)
        return np.where(far, won, after)

    def bank_some(points: int) -> np.ndarray:
        return bank(points) if points else np.full(value.shape, -1.0)

    def farkle(ours: np.ndarray, others: np.ndarray) -> np.ndarray:
        third = mine_f == 2
        paid = np.where(third, np.maximum(0, ours - penalty), ours)
        farkles = np.where(third, 0, mine_f + 1) if penalty else 0
        return 1 - value[1 - role, their_f, farkles, others, paid]

    for _ in range(ROUNDS):
        before = value.copy()
        may = None
        if swap != "off":
            lost = farkle(theirs, mine) if swap == "undone_on_farkle" else farkle(mine, theirs)
            _, six = turn(throws, bank, lost, None)  # after a swap, at the scores that it has made
            may = [np.where(mine < theirs, np.swapaxes(each, 3, 4), -1.0) for each in six]
        value, _ = turn(throws, bank_some, farkle(mine, theirs), may)
        if guess is not None or np.abs(value - before).max() < 1e-12:
            return value
    raise AssertionError("expected the values to settle")
