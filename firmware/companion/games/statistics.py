"""Tallies: what players want to know over many games, and how often each face of the dice came up."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.games.report import Record, Throw

FACES = range(1, 7)
SIMULATED = "synthetic"
RECORDED = "recorded"


@dataclass(frozen=True)
class PlayerTally:
    """One player by one rule set. Points are those of the rule set; `best_turn` is 0 where nothing was banked."""

    player: str
    games: int = 0
    finished: int = 0
    won: int = 0
    turns: int = 0
    banked: int = 0
    farkles: int = 0
    lost: int = 0
    best_turn: int = 0
    hot_dice: int = 0
    throws: int = 0

    def __add__(self, other: "PlayerTally") -> "PlayerTally":
        """Both together; the player is the same."""
        return PlayerTally(
            self.player,
            self.games + other.games,
            self.finished + other.finished,
            self.won + other.won,
            self.turns + other.turns,
            self.banked + other.banked,
            self.farkles + other.farkles,
            self.lost + other.lost,
            max(self.best_turn, other.best_turn),
            self.hot_dice + other.hot_dice,
            self.throws + other.throws,
        )

    @property
    def mean_turn(self) -> float:
        """Points banked a turn, farkles counted as 0."""
        return self.banked / self.turns if self.turns else 0.0

    @property
    def farkle_share(self) -> float:
        """The share of turns that farkled, 0 to 1."""
        return self.farkles / self.turns if self.turns else 0.0


@dataclass(frozen=True)
class DiceTally:
    """How often each face came up in throws that the eye read; corrected faces count as corrected.

    `counts` are those of the faces 1 to 6. `corrected` counts dice whose face a player put right, `unsure` throws that
    the eye asked about.
    """

    counts: tuple[int, ...] = (0,) * 6
    throws: int = 0
    corrected: int = 0
    unsure: int = 0

    def __add__(self, other: "DiceTally") -> "DiceTally":
        """Both together."""
        counts = tuple(a + b for a, b in zip(self.counts, other.counts, strict=True))
        return DiceTally(
            counts, self.throws + other.throws, self.corrected + other.corrected, self.unsure + other.unsure
        )

    @property
    def dice(self) -> int:
        """How many dice were read."""
        return sum(self.counts)


@dataclass(frozen=True)
class Summary:
    """One game in short. `dice` is by where its throws came from: real, recorded or simulated."""

    number: int
    begun_at: float
    last_at: float
    rules: str
    title: str
    players: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    over: bool
    winners: tuple[str, ...]
    turns: int
    throws: int
    tallies: tuple[PlayerTally, ...]
    dice: Mapping[str, DiceTally] = field(default_factory=dict)


def summary_of(record: Record) -> Summary:
    """The game in short."""
    return Summary(
        number=record.number,
        begun_at=record.begun_at,
        last_at=record.last_at,
        rules=record.rules,
        title=record.title,
        players=record.players,
        scores=tuple((place.name, place.score) for place in record.places),
        over=record.over,
        winners=record.winners,
        turns=len(record.turns),
        throws=len(record.throws),
        tallies=tuple(_tally(record, player) for player in record.players),
        dice=_dice(record.throws),
    )


def _tally(record: Record, player: str) -> PlayerTally:
    turns = [turn for turn in record.turns if turn.player == player and turn.ended is not None]
    return PlayerTally(
        player=player,
        games=1,
        finished=int(record.over),
        won=int(player in record.won_by),
        turns=len(turns),
        banked=sum(turn.points for turn in turns),
        farkles=sum(turn.ended == "farkle" for turn in turns),
        lost=sum(turn.lost for turn in turns),
        best_turn=max((turn.points for turn in turns), default=0),
        hot_dice=sum(turn.hot_dice for turn in turns),
        throws=sum(not throw.undone for turn in turns for throw in turn.throws),
    )


def _dice(throws: Iterable[Throw]) -> dict[str, DiceTally]:
    found: dict[str, DiceTally] = {}
    for throw in throws:
        if throw.source:
            kind = origin(throw.source)
            found[kind] = found.get(kind, DiceTally()) + _read(throw)
    return found


def origin(source: str) -> str:
    """Where a frame source's throws come from: `simulated`, `recorded`, or `real` for any camera."""
    return {SIMULATED: "simulated", RECORDED: "recorded"}.get(source, "real")


def _read(throw: Throw) -> DiceTally:
    counts = Counter(throw.roll)
    corrected = (Counter(throw.read) - counts).total() if throw.read is not None else 0
    return DiceTally(tuple(counts[face] for face in FACES), 1, corrected, int(not throw.sure))


def players_of(summaries: Iterable[Summary], rules: str) -> tuple[PlayerTally, ...]:
    """Every player's tally by one rule set; who won most of the games that were finished stands first.

    Names that differ in upper and lower case only are one player, called as in the newest game.
    """
    found: dict[str, PlayerTally] = {}
    for summary in sorted(summaries, key=lambda each: -each.number):
        if summary.rules == rules:
            for tally in summary.tallies:
                name = tally.player.casefold()
                found[name] = found[name] + tally if name in found else tally
    return tuple(sorted(found.values(), key=lambda each: (-each.won, each.player.casefold())))


def dice_of(summaries: Iterable[Summary], kind: str) -> DiceTally:
    """All dice of one origin (`real`, `recorded`, `simulated`)."""
    return sum((each.dice[kind] for each in summaries if kind in each.dice), DiceTally())


Z = 1.96
"""Standard deviations of a 95 % interval."""


def interval(k: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson interval (Wilson 1927) of k of n, from 0 to 1; all of it where n is 0."""
    if n == 0:
        return 0.0, 1.0
    p = k / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def share(k: int, n: int) -> str:
    """k of n in words, with its 95 % interval."""
    if n == 0:
        return "0 of 0"
    low, high = interval(k, n)
    return f"{k} of {n} = {100 * k / n:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
