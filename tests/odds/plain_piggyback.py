"""The second solver for piggyback: plain repetition over all states and all offers of a short game.

An offer is a number of dice and points left over. Each is kept apart, in the last turn by the points as well as by the
gap. The scores come from the tests' own scorer.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from plain_solver import Throws, throws_of

REACH = 200
"""The points beyond the target up to which a turn is followed; hardly a turn goes so far with five dice."""

ROUNDS = 100

Banking = Callable[[int, int], np.ndarray]
"""Returns what banking points is worth with dice left."""


@dataclass(frozen=True)
class PlainGame:
    """A game with piggyback: its throws and the switches that this solver knows, in points of the scorer."""

    throws: Throws
    target: int
    hot: bool = False
    opening: int = 0
    least: int = 1
    ending: str = "finish_round"
    tie: float = 0.5
    penalty: int = 0
    cost: int = 0

    @property
    def most(self) -> int:
        """The most points of a turn."""
        return self.target + REACH

    @property
    def dice(self) -> int:
        """The number of dice."""
        return max(self.throws)

    def offers(self, left: int) -> bool:
        """Return whether a bank with these dice left offers them."""
        return left < self.dice or self.hot


def plain_game(key: str, target: int, options: dict[str, object], **switches: object) -> PlainGame:
    """Return a game by the scorer's rule set; five dice are `n_dice` in the options."""
    count = int(str(options.get("n_dice", 6)))
    throws: Throws = {size: Counter() for size in range(1, count + 1)}
    for size, rolls in throws_of(key, options, lower=True).items():
        for (offers, bomb), ways in rolls.items():
            throws[size][frozenset((min(left, count), gained) for left, gained in offers), bomb] += ways
    return PlainGame(throws, target, **switches)


def throwing(game: PlainGame, bank: Banking, farkle: np.ndarray) -> list[dict[int, np.ndarray]]:
    """Return what throwing is worth by points and dice."""
    past = game.most + 60
    best = {size: [bank(points, size) for points in range(past)] for size in game.throws}
    found: list[dict[int, np.ndarray]] = [{} for _ in range(game.most + 1)]
    for points in range(game.most, -1, -1):
        for size in sorted(game.throws, reverse=True):
            total = np.zeros_like(farkle)
            for (offers, _), ways in game.throws[size].items():
                values = [best[left][points + gained] for left, gained in offers]
                total = total + ways / 6**size * (np.max(values, axis=0) if values else farkle)
            found[points][size] = total
            best[size][points] = np.maximum(total, best[size][points])
    return found


def last_turn(game: PlainGame, least: int) -> list[dict[int, np.ndarray]]:
    """Return the chance of throwing in the last turn by points, dice and the gap."""
    gap = np.arange(game.most + 61 + game.target)

    def bank(points: int, _: int) -> np.ndarray:
        won = np.where(points > gap, 1.0, np.where(points == gap, game.tie, 0.0))
        return won if points >= least else np.full(len(gap), -1.0)

    return throwing(game, bank, game.tie * (gap == 0))


def values(game: PlainGame, guess: tuple[np.ndarray, np.ndarray] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the chance to win of a fresh turn, and of each offer.

    Args:
        game: the game.
        guess: both, to begin with: one round leaves them as they are if they are right; None repeats to the end.

    Returns:
        The chances by role, my and their farkles in a row, and both scores; and those of offers by points, dice less
        one, and the same.
    """
    counts = 3 if game.penalty else 1
    shape = 2, counts, counts, game.target, game.target
    last = [last_turn(game, max(game.opening, game.least)), last_turn(game, game.least)]
    fresh, offers = guess or (np.full(shape, 0.5), np.zeros((game.target, game.dice, *shape)))
    for _ in range(ROUNDS):
        after = _round(game, fresh, offers, last)
        change = max(np.abs(after[0] - fresh).max(), np.abs(after[1] - offers).max())
        fresh, offers = after
        if guess is not None or change < 1e-12:
            return fresh, offers
    raise AssertionError("expected the values to settle")


def _round(
    game: PlainGame, fresh: np.ndarray, offers: np.ndarray, last: list[list[dict[int, np.ndarray]]]
) -> tuple[np.ndarray, np.ndarray]:
    role, mine_f, their_f, mine, theirs = np.indices(fresh.shape)
    answered = {"finish_round": role == 0, "one_more_turn": role >= 0, "immediate": role < 0}[game.ending]
    open_yet = (theirs == 0) & (game.opening > 0)

    def bank(points: int, left: int) -> np.ndarray:
        score, lead = np.minimum(mine + points, game.target - 1), np.maximum(mine + points - theirs, 0)
        here = (1 - role, their_f, 0, theirs, score)
        other = fresh[here]
        first, second = (each[0][game.dice][lead] for each in last)
        answer = np.where(open_yet, first, second)
        if game.offers(left) and points:
            if points < game.target:
                other = np.maximum(other, offers[points, left - 1][here])
            held = min(points, game.most)  # with so many points the difference to the gap alone matters
            first, second = (each[held][left][np.maximum(lead - points + held, 0)] for each in last)
            answer = np.maximum(answer, np.where(open_yet, first, second))
        won = np.where(answered, 1 - answer, 1.0)
        least = np.where((mine == 0) & (game.opening > 0), max(game.opening, game.least), game.least)
        return np.where(points < least, -1.0, np.where(mine + points >= game.target, won, 1 - other))

    third = mine_f == 2
    paid = np.where(third, np.maximum(0, mine - game.penalty), mine)
    farkles = np.where(third, 0, mine_f + 1) if game.penalty else 0
    paid = np.maximum(0, paid - game.cost)
    thrown = throwing(game, bank, 1 - fresh[1 - role, their_f, farkles, theirs, paid])
    found = np.zeros_like(offers)
    for points in range(1, game.target):
        for size in game.throws:
            found[points, size - 1] = thrown[points][size] if game.offers(size) else 0.0
    return thrown[0][game.dice], found
