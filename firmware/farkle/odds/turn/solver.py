"""The value of a turn: from every number of points at risk and of dice left, for many standings at once.

A turn's value is what its player wants most, such as the chance to win. The caller says what banking each number of
points is worth and what a farkle is worth; the solver finds what each throw is worth when the player makes the best
choice after it. Points only grow during a turn, so the values are found from the most points down to none, without
iteration.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from farkle.odds.turn.listing import Floats, Listing, Numbers, RollClass, RollOption

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

    chances: Floats
    levels: tuple[Numbers, ...]
    even: Numbers


@dataclass(frozen=True)
class _Throw:
    """The classes of one number of dice: chances, and for each rank of choice the places and the steps of a class.

    Classes with more options come first, so each level covers the first classes only.
    """

    chances: Floats
    levels: tuple[tuple[Numbers, Numbers], ...]

    def rows(self, total: int, block: int) -> _Rows:
        """Return the rows of values with `total` rows a place that the options read, for `block` points together."""
        along = np.arange(block)
        levels = tuple((place * total + points)[:, None] + along for place, points in self.levels)
        return _Rows(
            self.chances, levels, np.array([np.concatenate([level, levels[0][len(level) :]]) for level in levels])
        )


class TurnSolver:
    """Finds the values of turns for one listing.

    Args:
        listing: what the throws lead to.
        long_run: whether the most points are wanted in place of a win: six 1s count their points as usual, and of
            equally many dice kept only the ones with the most points are looked at.
    """

    def __init__(self, listing: Listing, *, long_run: bool = False) -> None:
        self.listing = listing
        self._must_single, self._must_several = listing.terms.must_single, listing.terms.must_several
        self._long_run = long_run
        self._win = 0.0 if long_run else listing.six_ones
        dice = self._dice = listing.dice
        self._paid = listing.paid_each
        self.swap_place = dice + 2
        self.places = dice + 3
        self.most = listing.most_points
        self._throws = [self._throw(row) for row in listing.classes]
        self.missed = (*listing.farkle[:-1], listing.farkle[-1] - self._paid)
        self.least, self.block = self._schedule()
        self._rows: tuple[int, list[_Rows]] = 0, []

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
    def _endless(self) -> list[_Rows]:
        """The rows of the throws where the points no longer matter."""
        return [self._throw(row, points=False).rows(1, 1) for row in self.listing.classes]

    def _throw(self, classes: tuple[RollClass, ...], *, points: bool = True) -> _Throw:
        merged: dict[tuple[tuple[int, int], ...], float] = {}
        for each in classes:
            if each.six_ones and not self._long_run:
                continue
            pairs = {(self.place(option), option.points * points) for option in each.options}
            if self._long_run:
                pairs = set(dict(sorted(pairs)).items())  # the most points of each place
            if any(option.bomb for option in each.options):
                pairs.add((self.swap_place, 0))
            options = tuple(sorted(pairs))
            merged[options] = merged.get(options, 0.0) + each.chance
        ordered = sorted(merged.items(), key=lambda item: -len(item[0]))
        levels = []
        for rank in range(len(ordered[0][0]) if ordered else 0):
            chosen = [options[rank] for options, _ in ordered if len(options) > rank]
            levels.append((np.array([p for p, _ in chosen]), np.array([q for _, q in chosen])))
        return _Throw(np.array([chance for _, chance in ordered]), tuple(levels))

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
        if self._rows[0] != total:
            self._rows = total, [kind.rows(total, self.block) for kind in self._throws]
        rows = self._rows[1]
        for high in range(limit + self.least[dice], 0, -self.block):
            low = high - self.block
            for size in range(1, dice + 1):
                first, end = max(0, low - self.least[size]), min(limit, high - self.least[size])
                if first >= end:
                    continue
                found = throw[size, first:end]
                paid = None
                if size == dice and self._paid:
                    paid = go_on[dice, first + listing.paid_points : end + listing.paid_points]
                self._evaluate(size, flat[first:], rows[size], farkle, paid, found)
                if size == dice:
                    go_on[dice + 1, first:end] = found
                np.maximum(banked[size, first:end], found, out=go_on[size, first:end])
        start = throw[dice, 0].copy()
        if listing.paid and not listing.paid_each:
            start += listing.paid * (go_on[dice, listing.paid_points] - farkle)
        return TurnValues(ends, throw, go_on, start)

    @cached_property
    def _only_hot(self) -> float:
        """The chance that a throw of all dice leaves nothing but all dice that must be thrown."""
        rows = self._endless[-1]
        return float(rows.chances @ (rows.even == self.listing.dice + 1).all(axis=0)[:, 0]) if rows.levels else 0.0

    def _must_throw(self, farkle: Floats, bank: Floats) -> Floats:
        """Return what all dice that must be thrown are worth where all points are worth `bank`, (standings,)."""
        missed, again = self.missed[-1], self._only_hot
        found: Floats = ((1.0 - missed - again) * bank + missed * farkle) / (1.0 - again)
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
        worth = np.empty((1, len(farkle)))
        while np.abs(found - before).max() > _SETTLED:
            before = found.copy()
            for size in range(1, dice + 1):
                paid = found[dice] if size == dice and self._paid else None
                self._evaluate(size, found, self._endless[size], farkle, paid, worth)
                if size == dice:
                    found[dice + 1] = worth[0]
                found[size] = np.maximum(bank[size], worth[0])
        return found

    def _evaluate(
        self, size: int, source: Floats, rows: _Rows, farkle: Floats, paid: Floats | None, out: Floats
    ) -> None:
        """Write what throwing this number of dice is worth into `out`, (points, standings).

        Args:
            size: the number of dice.
            source: what follows each option, by row and standing.
            rows: the rows that the options read.
            farkle: what a farkle is worth, (standings,).
            paid: what all dice with the points that Nobody Loses pays are worth; None where it does not pay.
            out: the array to write into.
        """
        count, standings = out.shape
        if not rows.levels:
            out[:] = 0.0
        else:
            if standings == 1 or rows.even.size < _SMALL:  # few numbers: fewer calls are faster
                best = source.take(rows.even[:, :, :count], axis=0).max(axis=0)
            else:
                best = source.take(rows.levels[0][:, :count], axis=0)  # (classes, points, standings)
                for level in rows.levels[1:]:
                    part = best[: len(level)]
                    np.maximum(part, source.take(level[:, :count], axis=0), out=part)
            np.matmul(rows.chances, best.reshape(len(rows.chances), -1), out=out.reshape(-1))
        if size == self._dice:
            out += self._win
        if paid is not None:
            out += self._paid * paid
        out += self.missed[size] * farkle
