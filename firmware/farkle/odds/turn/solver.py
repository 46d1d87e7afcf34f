"""The value of a turn: from every number of points at risk and of dice left, for many standings at once.

A turn's value is what its player wants most, such as the chance to win. The caller says what banking each number of
points is worth and what a farkle is worth; the solver finds what each throw is worth when the player makes the best
choice after it. Points only grow during a turn, so the values are found from the most points down to none, without
iteration.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from farkle.odds.turn.listing import (
    Floats,
    Listing,
    Numbers,
    Pair,
    RankedThrow,
    RollClass,
    RollOption,
    rank_throw,
)

FORBIDDEN = -1.0
"""The value of banking where the rules refuse it: less than any chance and any number of points."""


_SMALL = 700
_SETTLED = 1e-14


@dataclass(frozen=True)
class TurnEnds:
    """What the ends of a turn are worth, in steps of points, for each of some standings.

    Attributes:
        bank: what banking is worth, (limit + most, standings), by points; `FORBIDDEN` where the rules refuse it. From
            `limit` on, banking must be the best that can be done. Where it depends on the dice left,
            (dice + 2, limit + most, standings), by place and points; from `limit` on it must not depend on points.
        farkle: what a farkle is worth, (standings,).
        limit: the number of points that are examined.
    """

    bank: Floats
    farkle: Floats
    limit: int


@dataclass(frozen=True)
class TurnValues:
    """What the points of a turn are worth, in steps of points, for each of some standings.

    Attributes:
        ends: what the ends of the turn are worth.
        throw: what throwing is worth, by dice to throw (0 is empty), points and standing.
        go_on: what the better of banking and throwing is worth, by place (`TurnSolver.place`), points and standing.
        start: what the turn is worth before its first throw, by standing.
    """

    ends: TurnEnds
    throw: Floats
    go_on: Floats
    start: Floats

    def bank(self, dice: int, steps: int) -> float | None:
        """Return what banking is worth to the first standing with these dice left, or None where it is refused."""
        worth = self.ends.bank[..., steps, 0]
        value = float(worth[dice] if worth.ndim else worth)
        return None if value == FORBIDDEN else value


@dataclass(frozen=True)
class _Rows:
    """The rows that the options of one number of dice read, by level; and `even`, in which all levels are as long."""

    levels: tuple[Numbers, ...]
    even: Numbers


class TurnSolver:
    """Finds the values of turns for one listing.

    Args:
        listing: what the throws lead to.
        win_at: what six 1s are worth where they win at once; None counts their points as usual.
        best_only: whether of equally many dice kept the ones with fewer points are left out. That changes nothing where
            more points are never worth less.
    """

    def __init__(self, listing: Listing, *, win_at: float | None = 1.0, best_only: bool = False) -> None:
        self.listing = listing
        self._must_single, self._must_several = listing.terms.must_single, listing.terms.must_several
        self._win_at = win_at if listing.six_ones else None
        self._win = listing.six_ones * (self._win_at or 0.0)
        dice = listing.dice
        self.swap_place = dice + 2
        self.places = dice + 3
        self.most = listing.most_points
        self._throws = [self._throw(row, best_only) for row in listing.classes]
        self.missed = (*listing.farkle[:-1], listing.farkle[-1] - listing.paid_each)
        self.least, self.block = self._schedule()
        self._rows: tuple[int, tuple[_Rows, ...]] = 0, ()

    def place(self, option: RollOption) -> int:
        """Return the place in `go_on` of what follows an option: the dice left, or all dice that must be thrown."""
        if (option.single and self._must_single) or (option.several and self._must_several):
            return self.listing.dice + 1
        return option.left

    def swap_worth(self, after: TurnValues, total: int) -> Floats:
        """Return what a Bomb's swap is worth by the points before it, (total, standings), from the turns after it."""
        place = self.listing.dice + 1 if self._must_single else self.listing.dice  # all dice, kept in a single throw
        found = after.go_on[place, :total]
        return np.pad(found, ((0, total - len(found)), (0, 0)), mode="edge")

    @cached_property
    def _endless(self) -> list[RankedThrow]:
        """The throws where the points no longer matter."""
        return [self._throw(row, True, points=False) for row in self.listing.classes]

    def _throw(self, classes: tuple[RollClass, ...], best_only: bool, *, points: bool = True) -> RankedThrow:
        found: list[tuple[float, set[Pair]]] = []
        for each in classes:
            if each.six_ones and self._win_at is not None:
                continue
            pairs = {(self.place(option), option.points * points) for option in each.options}
            if best_only:
                best: dict[int, int] = {}
                for place, gained in pairs:
                    best[place] = max(gained, best.get(place, 0))
                pairs = set(best.items())
            if any(option.bomb for option in each.options):
                pairs.add((self.swap_place, 0))
            found.append((each.chance, pairs))
        return rank_throw(found)

    def _schedule(self) -> tuple[list[int], int]:
        """Return the least points that clear each number of dice, and how many rows can be found at once.

        Let `u` be the points and the least points that clear the dice left. Keeping dice never makes `u` smaller, and
        clearing all dice makes it greater by at least the second number. So all rows of a range of `u` of that length
        can be found together, fewer dice first.
        """
        dice = self.listing.dice
        least = [0] * (dice + 1)
        for size in range(1, dice + 1):
            options = [option for each in self.listing.classes[size] for option in each.options]
            least[size] = min((o.points + (0 if o.hot else least[o.left]) for o in options), default=1)
        gains = [
            least[dice] + option.points - least[size]
            for size, classes in enumerate(self.listing.classes)
            for each in classes
            for option in each.options
            if option.hot
        ]
        if self.listing.paid_each:
            gains.append(self.listing.paid_points)
        return least, max(1, min(gains, default=1))

    def _read_rows(self, total: int) -> tuple[_Rows, ...]:
        """Return for each number of dice the rows of `go_on`, with `total` rows a place, that its options read."""
        if self._rows[0] != total:
            along = np.arange(self.block)
            found = []
            for throw in self._throws:
                levels = tuple((place * total + points)[:, None] + along for place, points in throw.levels)
                even = np.array([np.concatenate([level, levels[0][len(level) :]]) for level in levels])
                found.append(_Rows(levels, even))
            self._rows = total, tuple(found)
        return self._rows[1]

    def solve(self, ends: TurnEnds, swap: Floats | None = None, hot: tuple[Floats, Floats] | None = None) -> TurnValues:
        """Return the values of turns.

        Args:
            ends: what their ends are worth.
            swap: what a Bomb's swap is worth by the points before it, (limit + most, standings); None forbids it.
            hot: what all dice are worth from `limit` on, (most, standings), where they may be banked and where they
                must be thrown; None: the points no longer matter there.
        """
        listing, dice = self.listing, self.listing.dice
        bank, farkle, limit = ends.bank, ends.farkle, ends.limit
        total, standings = bank.shape[-2:]
        if hot is None and self._must_single and bank.ndim == 2:
            hot = bank[limit:], self._must_throw(farkle, bank[-1])
        banked = np.broadcast_to(bank, (self.swap_place, total, standings))
        go_on = np.empty((self.places, total, standings))
        go_on[: self.swap_place] = bank
        go_on[self.swap_place] = FORBIDDEN if swap is None else swap
        if bank.ndim > 2:
            settled = self._settled(banked[:, limit], farkle, go_on[self.swap_place, limit])
            go_on[: self.swap_place, limit:] = settled[: self.swap_place, None]
        elif hot is not None:
            go_on[dice, limit:], go_on[dice + 1, limit:] = hot
        throw = np.empty((dice + 1, limit, standings))
        flat = go_on.reshape(self.places * total, standings)
        rows = self._read_rows(total)
        for high in range(limit + self.least[dice], 0, -self.block):
            low = high - self.block
            for size in range(1, dice + 1):
                first, end = max(0, low - self.least[size]), min(limit, high - self.least[size])
                if first >= end:
                    continue
                found = throw[size, first:end]
                self._best(flat[first:], rows[size], self._throws[size].chances, found)
                if size == dice:
                    found += self._win
                    if listing.paid_each:
                        found += listing.paid * go_on[dice, first + listing.paid_points : end + listing.paid_points]
                    found += self.missed[size] * farkle
                    go_on[dice + 1, first:end] = found
                else:
                    found += self.missed[size] * farkle
                np.maximum(banked[size, first:end], found, out=go_on[size, first:end])
        start = throw[dice, 0].copy()
        if listing.paid and not listing.paid_each:
            start += listing.paid * (go_on[dice, listing.paid_points] - farkle)
        return TurnValues(ends, throw, go_on, start)

    def _must_throw(self, farkle: Floats, bank: Floats) -> Floats:
        """Return what all dice that must be thrown are worth where all points are worth `bank`, (standings,)."""
        throw = self._throws[-1]
        only_hot = 0.0
        if throw.levels:
            again = throw.levels[0][0] == self.listing.dice + 1
            for places, _ in throw.levels[1:]:
                again[: len(places)] &= places == self.listing.dice + 1
            only_hot = float(throw.chances[again].sum())
        missed = self.missed[-1]
        found: Floats = ((1.0 - missed - only_hot) * bank + missed * farkle) / (1.0 - only_hot)
        return found

    def _settled(self, bank: Floats, farkle: Floats, swap: Floats) -> Floats:
        """Return what going on is worth where the points no longer matter, by place and standing.

        Args:
            bank: what banking is worth, by place but the last, and standing.
            farkle: what a farkle is worth, (standings,).
            swap: what a Bomb's swap is worth, (standings,).
        """
        dice = self.listing.dice
        found, before = np.concatenate([bank, swap[None]]), np.full(1, 2.0)
        while np.abs(found - before).max() > _SETTLED:
            before = found.copy()
            for size, throw in enumerate(self._endless[1:], 1):
                worth = throw.mean(found) + self.missed[size] * farkle
                if size == dice:
                    worth += self._win + self.listing.paid_each * found[dice]
                    found[dice + 1] = worth
                found[size] = np.maximum(bank[size], worth)
        return found

    @staticmethod
    def _best(source: Floats, rows: _Rows, chances: Floats, out: Floats) -> None:
        """Write the mean over all classes of the best option of each into `out`, (points, standings)."""
        count, standings = out.shape
        if not rows.levels:
            out[:] = 0.0
            return
        if standings == 1 or rows.even.size < _SMALL:  # few numbers: fewer calls are faster
            best = source.take(rows.even[:, :, :count], axis=0).max(axis=0)
        else:
            best = source.take(rows.levels[0][:, :count], axis=0)  # (classes, points, standings)
            for level in rows.levels[1:]:
                part = best[: len(level)]
                np.maximum(part, source.take(level[:, :count], axis=0), out=part)
        np.matmul(chances, best.reshape(len(chances), -1), out=out.reshape(-1))
