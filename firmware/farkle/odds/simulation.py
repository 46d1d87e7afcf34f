"""Simulated games of several strategies, many at once: every game of a batch is at the same seat's turn.

Nothing here knows a chance beforehand but those of the dice: the games are thrown, and counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from math import sqrt

import numpy as np

from farkle.odds.duel import STREAK, Duel, OddsError
from farkle.odds.listing import Floats, Numbers, list_rolls
from farkle.odds.players import Flags, SeatTurns, SimulatedPlayer
from farkle.odds.throws import Throws
from farkle.rules.ruleset import RuleSet

BATCH = 50_000
"""The games that are played at once."""

NOT_PLAYED = ("charity", "piggyback", "vant_hof_6", "find_loser")
"""Switches that simulated games do not play."""

_NOBODY = np.iinfo(np.int64).min

Progress = Callable[[float], None]


@dataclass
class SeatTally:
    """What a strategy has done: wins, where a shared one counts in parts, turns, and points banked."""

    games: int = 0
    wins: float = 0.0
    turns: int = 0
    points: float = 0.0

    def interval(self, z: float = 1.96) -> tuple[float, float]:
        """Return the bounds of the share of wins, by Wilson; `z` standard errors wide on each side."""
        count, share = self.games, self.wins / self.games
        middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
        return max(0.0, middle - half), min(1.0, middle + half)


def play_games(
    table: "GameTable", players: Sequence[SimulatedPlayer], games: int, seed: int, progress: Progress | None = None
) -> list[SeatTally]:
    """Return what each player has done in this number of games; each begins as many of them.

    Args:
        table: the rules.
        players: one for each side.
        games: the number of games.
        seed: the same seed gives the same games.
        progress: is told the share that is done.
    """
    chance = np.random.default_rng(seed)
    count = len(players)
    tallies = [SeatTally() for _ in players]
    done = 0
    for first in range(count):
        left = games // count + (first < games % count)
        order = [(first + seat) % count for seat in range(count)]
        while left:
            some = min(left, BATCH)
            batch = table.play([players[each] for each in order], some, chance)
            for seat, each in enumerate(order):
                tally = tallies[each]
                tally.games += some
                tally.wins += float(batch.shares[seat].sum())
                tally.turns += int(batch.turns[seat])
                tally.points += float(batch.points[seat])
            left -= some
            done += some
            if progress is not None:
                progress(done / games)
    return tallies


@dataclass
class Batch:
    """Played games: the shares of the wins by seat and game, and each seat's turns and points banked in all games."""

    shares: Floats
    turns: Numbers
    points: Floats


@dataclass
class _Games:
    """Games under way; those that have ended are taken out. What each seat has is by seat and game.

    Attributes:
        number: which game each is.
        score: in steps.
        farkles: farkles in a row.
        on_board: whether a seat has entered.
        plays: whether a seat has turns.
        out: whether a seat is out of the game.
        closer: the seat that began the last turns, or -1.
        left: the turns until the end, those of seats without turns too; -1 where nobody knows, -2 after the end.
        idle: the turns to leave out until an extra round begins.
    """

    number: Numbers
    score: Numbers
    farkles: Numbers
    on_board: Flags
    plays: Flags
    out: Flags
    closer: Numbers
    left: Numbers
    idle: Numbers

    def keep(self, some: Numbers) -> None:
        """Keep some of the games."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name).take(some, axis=-1))


class GameTable:
    """Plays games of one rule set.

    Args:
        rules: the rule set.
        sides: the number of sides.
    """

    def __init__(self, rules: RuleSet, sides: int) -> None:
        switches = rules.switches
        for name in NOT_PLAYED:
            if getattr(switches, name):
                raise OddsError(f"expected rules that strategies can play, got {name}={getattr(switches, name)}")
        if rules.ending == "defend" or rules.ends_with_one_throw:
            name = "endgame=defend" if rules.ending == "defend" else "last_turns=one_throw"
            raise OddsError(f"expected rules that strategies can play, got {name}")
        self.rules, self.sides, self.duel = rules, sides, Duel(list_rolls(rules))
        self.throws = Throws(self.duel.listing)
        self._any_six = switches.nobody_loses_scope == "any_six"
        self._ones = bool(self.throws.ones.any())
        self._seats_go = bool(switches.three_strikes_out)
        self._extra = switches.tie == "extra_round"

    def play(
        self, players: Sequence[SimulatedPlayer], count: int, chance: np.random.Generator, scores: Sequence[int] = ()
    ) -> Batch:
        """Play games in which the first of the players begins.

        Args:
            players: one for each side, in the order of their turns.
            count: the number of games.
            chance: the generator.
            scores: the scores at the beginning, in steps; empty for none.
        """
        sides, rules = self.sides, self.rules
        shape = sides, count
        rounds = rules.switches.rounds if rules.ending == "rounds" else 0
        games = _Games(
            np.arange(count),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int64),
            np.zeros(shape, bool),
            np.ones(shape, bool),
            np.zeros(shape, bool),
            np.full(count, -1),
            np.full(count, rounds * sides if rounds else -1),
            np.zeros(count, np.int64),
        )
        if scores:
            games.score[:] = np.array(scores)[:, None]
            games.on_board[:] = games.score > 0
        batch = Batch(np.zeros(shape), np.zeros(sides, np.int64), np.zeros(sides))
        seat = 0
        while len(games.number):
            some: Numbers | slice = slice(None)
            if self._seats_go or self._extra:
                some = np.flatnonzero(games.plays[seat] & (games.idle == 0))
                games.idle = np.maximum(games.idle - 1, 0)
            games.left -= games.left > 0
            if isinstance(some, slice) or len(some):
                won = self._turn(games, seat, players[seat], some, chance, batch)
                self._end(games, seat, some, won, batch)
            self._finish(games, seat, batch)
            seat = (seat + 1) % sides
        return batch

    def _rivals(self, games: _Games, seat: int, some: "Numbers | slice") -> tuple[Numbers, Numbers]:
        """Return the seats of the best others, and their scores."""
        if self.sides == 2:
            scores = games.score[1 - seat, some]
            return np.broadcast_to(np.int64(1 - seat), scores.shape), scores
        scores = np.where(games.out[:, some], _NOBODY, games.score[:, some])
        scores[seat] = _NOBODY
        rivals = scores.argmax(axis=0)
        return rivals, np.take_along_axis(scores, rivals[None], axis=0)[0]

    def _to_end(self, games: _Games, seat: int, rivals: Numbers, some: "Numbers | slice") -> Numbers:
        """Return the turns left with this one of the seat and its rival, as far as is known."""
        left = games.left[some]
        between = (rivals - seat) % self.sides
        return np.where((left < 0) | (left > 2 * self.sides), 0, np.where(between <= left, 2, 1))

    def _turn(
        self,
        games: _Games,
        seat: int,
        player: SimulatedPlayer,
        some: "Numbers | slice",
        chance: np.random.Generator,
        batch: Batch,
    ) -> Numbers:
        """Play one turn of a seat in some games, and return the games that six 1s have won."""
        duel, switches = self.duel, self.rules.switches
        rivals, theirs = self._rivals(games, seat, some)
        mine = games.score[seat, some]
        everything = np.arange(len(mine)) if isinstance(some, slice) else some
        streaks = duel.streaks > 1
        least: Numbers = np.broadcast_to(np.int64(duel.minimum), mine.shape)
        if duel.opening:
            least = np.where(games.on_board[seat, some], least, duel.opening)
        turns = SeatTurns(
            mine.copy(),
            theirs.copy(),
            games.farkles[seat, some] if streaks else _none_of(mine),
            games.farkles[rivals, everything] if streaks else _none_of(mine),
            rivals < seat,
            self._to_end(games, seat, rivals, some),
            least,
            (mine < theirs) if duel.may_swap else _none_of(mine) > 0,
            np.zeros(len(mine), bool),
        )
        ended = self._throws(turns, player, chance)
        batch.turns[seat] += len(mine)
        batch.points[seat] += float(ended.points.sum()) * duel.listing.step
        before = mine
        if turns.swapped.any():
            stays = turns.swapped & ~(ended.farkled & (switches.bomb_swap == "undone_on_farkle"))
            games.score[rivals[stays], everything[stays]] = mine[stays]
            before = np.where(stays, theirs, mine)
        after = before + ended.points
        if duel.costs[0]:
            after = np.where(ended.farkled, self._less(before, duel.costs[0]), after)
        if streaks:
            farkles = np.where(ended.farkled, games.farkles[seat, some] + 1, 0)
            third = farkles >= STREAK
            after = np.where(third, self._less(after, duel.costs[1]), after)
            if duel.costs[1] and switches.farkle_streak_reset == "after_penalty":
                farkles[third] = 0
            games.farkles[seat, some] = farkles
            if switches.three_strikes_out:
                games.plays[seat, everything[third]] = False
                games.out[seat, everything[third]] = True
        games.score[seat, some] = after
        if duel.opening:
            games.on_board[seat, some] |= ~ended.farkled
        if duel.back:
            rests = (after != before) | turns.swapped & ~ended.farkled
            self._bump(games, seat, everything[rests])
        return everything[ended.won] if self._ones else everything[:0]

    def _less(self, scores: Numbers, cost: int) -> Numbers:
        if self.rules.switches.penalty_floor == "start":
            return np.minimum(scores, np.maximum(0, scores - cost))
        return scores - cost

    def _throws(self, turns: SeatTurns, player: SimulatedPlayer, chance: np.random.Generator) -> "_Ended":
        """Throw until every turn has ended."""
        duel, throws = self.duel, self.throws
        dice, solver, paid_points = duel.listing.dice, duel.turns, duel.listing.paid_points
        count = len(turns.mine)
        ended = _Ended(np.zeros(count, np.int64), np.zeros(count, bool), np.zeros(count, bool))
        player.begin(turns)
        rows, places, points = np.arange(count), np.full(count, dice + 1), np.zeros(count, np.int64)
        first = True
        while len(rows):
            classes = throws.throw(chance, places)
            scored = classes < throws.farkle
            if duel.listing.paid and (first or self._any_six):
                pays = classes == throws.paid
                bankable = self._paid(turns, player, ended, rows[pays], points[pays] + paid_points)
                again, more = rows[pays][~bankable], (points[pays] + paid_points)[~bankable]
            else:
                pays, again = None, None
            missed = ~scored if pays is None else ~scored & ~pays
            ended.farkled[rows[missed]] = True
            hits = np.flatnonzero(scored)
            rows, points, classes = rows.take(hits), points.take(hits), classes.take(hits)
            if self._ones and (ones := throws.ones.take(classes)).any():
                ended.won[rows[ones]] = True
                rows, points, classes = rows[~ones], points[~ones], classes[~ones]
            places, gains = player.keep(rows, classes, points)
            points = points + gains
            if duel.may_swap and (swaps := places == solver.swap_place).any():
                which = rows[swaps]
                turns.mine[which], turns.theirs[which] = turns.theirs[which], turns.mine[which]
                turns.swapped[which], turns.may_swap[which] = True, False
                player.swap(which)
                places[swaps] = solver.swapped_place
            stop = player.bank(rows, places, points)
            if solver.forced:
                stop &= places <= dice
            if duel.opening or duel.minimum > 1 or duel.may_swap:
                stop &= (points >= turns.least.take(rows)) | turns.swapped.take(rows)
            done, go = np.flatnonzero(stop), np.flatnonzero(~stop)
            ended.points[rows.take(done)] = points.take(done)
            rows, places, points = rows.take(go), places.take(go), points.take(go)
            if again is not None and len(again):
                rows, points = np.concatenate([rows, again]), np.concatenate([points, more])
                places = np.concatenate([places, np.full(len(again), dice)])
            first = False
        return ended

    def _paid(
        self, turns: SeatTurns, player: SimulatedPlayer, ended: "_Ended", rows: Numbers, points: Numbers
    ) -> Flags:
        """Bank some of the turns for which Nobody Loses has paid, and return which."""
        places = np.full(len(rows), self.duel.listing.dice)
        stop = player.bank(rows, places, points) & ((points >= turns.least[rows]) | turns.swapped[rows])
        ended.points[rows[stop]] = points[stop]
        return stop

    def _bump(self, games: _Games, seat: int, some: Numbers) -> None:
        """Let pegs that rest in one hole with another send it back, and so on."""
        hole = self.rules.hole_points
        step, end = self.duel.listing.step, self.rules.off_board
        for game in some:
            waiting = [seat]
            while waiting:
                own = waiting.pop()
                place = games.score[own, game] * step // hole
                if place <= 0 or games.score[own, game] * step >= end or games.out[own, game]:
                    continue
                for other in range(self.sides):
                    score = games.score[other, game]
                    same = other != own and score * step // hole == place and score * step < end
                    if same and not games.out[other, game]:
                        games.score[other, game] = max(0, score - self.duel.back)
                        waiting.append(other)

    def _end(self, games: _Games, seat: int, some: "Numbers | slice", won: Numbers, batch: Batch) -> None:
        """Record wins at once, and begin the last turns where the seat has reached the target."""
        ending, sides = self.rules.ending, self.sides
        if ending != "rounds":
            last = {"finish_round": sides - 1 - seat, "one_more_turn": sides - 1, "immediate": 0}[ending]
            reached = (games.score[seat, some] >= self.duel.target) & (games.left[some] < 0)
            which = np.flatnonzero(reached) if isinstance(some, slice) else some[reached]
            games.left[which] = last
            games.closer[which] = seat
        if len(won):
            batch.shares[seat, games.number[won]] = 1.0
            games.left[won] = -2

    def _finish(self, games: _Games, seat: int, batch: Batch) -> None:
        """Take out the games that have ended; in some a tie begins an extra round."""
        over = games.left == 0
        if self._seats_go:
            over |= ((~games.out).sum(axis=0) == 1) & (games.left != -2)
        if over.any():
            which = np.flatnonzero(over)
            scores = np.where(games.out[:, which], _NOBODY, games.score[:, which])
            best = scores == scores.max(axis=0)
            tie = self.rules.switches.tie
            tied = best.sum(axis=0) > 1
            if tie == "trigger" and tied.any():
                closer = games.closer[which]
                decides = tied & (closer >= 0) & best[closer, np.arange(len(which))]
                best[:, decides] = np.arange(self.sides)[:, None] == closer[decides]
            if self._extra and tied.any():
                more = which[tied]
                games.plays[:, more] = best[:, tied]
                games.idle[more] = self.sides - 1 - seat
                games.left[more] = 2 * self.sides - 1 - seat
                over[more] = False
                which, best = which[~tied], best[:, ~tied]
            batch.shares[:, games.number[which]] = best / best.sum(axis=0)
        gone = over | (games.left == -2)
        if gone.any():
            games.keep(np.flatnonzero(~gone))


@dataclass
class _Ended:
    """How turns ended: points banked in steps, whether they farkled, and whether six 1s won."""

    points: Numbers
    farkled: Flags
    won: Flags


def _none_of(numbers: Numbers) -> Numbers:
    return np.broadcast_to(np.int64(0), numbers.shape)
