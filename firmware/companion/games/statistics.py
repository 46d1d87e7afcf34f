"""Statistics over many games: of each player, and of the faces of the dice."""

import math
import operator
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from companion.games.story import GameHeader, Story, Throw
from farkle.game.names import name_key

FACES = range(1, 7)
ORIGINS = ("real", "recorded", "simulated")
"""The origins of throws."""

SIMULATED = "synthetic"
RECORDED = "recorded"


@dataclass(frozen=True)
class PlayerStatistics:
    """One player's games by one rule set; `best_turn` is 0 if nothing was banked.

    `skunks` counts the sides that lost to this player by a skunk, `skunked` the games in which this player was skunked,
    and `double_skunked` those of them with a double skunk. `loser` counts the games that this player lost as the one
    loser, and `last` those in which the player's side came last. Who left has not `finished` a game. `bot` is the kind
    of a player that the board plays, else empty.
    """

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
    skunks: int = 0
    skunked: int = 0
    double_skunked: int = 0
    loser: int = 0
    last: int = 0
    bot: str = ""

    def __add__(self, other: "PlayerStatistics") -> "PlayerStatistics":
        """Return the statistics of both together, for the same player."""
        sums = {name: value + getattr(other, name) for name, value in vars(self).items() if isinstance(value, int)}
        return replace(self, **{**sums, "best_turn": max(self.best_turn, other.best_turn)})

    @property
    def mean_turn(self) -> float:
        """Mean points of a turn; a farkle counts as 0."""
        return self.banked / self.turns if self.turns else 0.0

    @property
    def farkle_share(self) -> float:
        """Fraction of the turns that farkled, 0 to 1."""
        return self.farkles / self.turns if self.turns else 0.0


@dataclass(frozen=True)
class DiceStatistics:
    """How often each face came up in throws that the eye read; a corrected face counts as corrected.

    `counts` belong to the faces 1 to 6. `corrected` counts dice whose face a player corrected, `unsure` counts throws
    that the table asked about.
    """

    counts: tuple[int, ...] = (0,) * 6
    throws: int = 0
    corrected: int = 0
    unsure: int = 0

    def __add__(self, other: "DiceStatistics") -> "DiceStatistics":
        """Return the statistics of both together."""
        counts = tuple(map(operator.add, self.counts, other.counts))
        return DiceStatistics(
            counts, self.throws + other.throws, self.corrected + other.corrected, self.unsure + other.unsure
        )

    @property
    def dice(self) -> int:
        """Number of dice that were read."""
        return sum(self.counts)


@dataclass(frozen=True, kw_only=True)
class GameSummary(GameHeader):
    """One game in short."""

    scores: Mapping[str, int]
    turns: int
    throws: int


@dataclass(frozen=True, kw_only=True)
class GameStatistics(GameSummary):
    """One game with its players' and its dice's statistics.

    `dice` is keyed by the origin of the throws. `ranks` holds the place of each side, 1 for the first; sides that are
    equal share a place.
    """

    by_player: tuple[PlayerStatistics, ...]
    ranks: Mapping[str, int] = field(default_factory=dict)
    dice: Mapping[str, DiceStatistics] = field(default_factory=dict)


def summarize(story: Story) -> GameStatistics:
    """Return a game in short, with its statistics."""
    return GameStatistics(
        **{each.name: getattr(story, each.name) for each in fields(GameHeader)},
        scores={place.name: place.score for place in story.places},
        turns=len(story.turns),
        throws=len(story.throws),
        by_player=tuple(_of_player(story, player) for player in story.players),
        ranks={place.name: place.place for place in story.places},
        dice=_dice(story.throws),
    )


def _of_player(story: Story, player: str) -> PlayerStatistics:
    turns = [turn for turn in story.turns if turn.player == player and turn.ended is not None]
    side = next(place for place in story.places if player in place.players)
    return PlayerStatistics(
        player=player,
        games=1,
        finished=int(story.over and player not in story.left),
        won=int(player in story.won_by),
        turns=len(turns),
        banked=sum(turn.points for turn in turns),
        farkles=sum(turn.ended == "farkle" for turn in turns),
        lost=sum(turn.lost for turn in turns),
        best_turn=max((turn.points for turn in turns), default=0),
        hot_dice=sum(turn.hot_dice for turn in turns),
        throws=sum(not throw.undone for turn in turns for throw in turn.throws),
        skunks=len(story.skunks) if player in story.won_by else 0,
        skunked=int(side.skunk > 0),
        double_skunked=int(side.skunk > 1),
        loser=int(side.lost),
        last=int(player not in story.left and side.name in _came_last(story)),
        bot=story.bots.get(player, ""),
    )


def _came_last(story: Story) -> tuple[str, ...]:
    """Return the sides that came last in a game with a winner, without sides that have left."""
    stayed = [place for place in story.places if not set(place.players) <= set(story.left)]
    last = max((place.place for place in stayed), default=0)
    names = tuple(place.name for place in stayed if place.place == last and place.name not in story.winners)
    return names if story.winners else ()


def _dice(throws: Iterable[Throw]) -> dict[str, DiceStatistics]:
    found: dict[str, DiceStatistics] = {}
    for throw in throws:
        if throw.source:
            kind = origin(throw.source)
            found[kind] = found.get(kind, DiceStatistics()) + _read(throw)
    return found


def origin(source: str) -> str:
    """Return the origin of a frame source's throws: `simulated`, `recorded`, or `real` for any camera."""
    return {SIMULATED: "simulated", RECORDED: "recorded"}.get(source, "real")


def _read(throw: Throw) -> DiceStatistics:
    counts = Counter(throw.roll)
    corrected = (Counter(throw.read) - counts).total() if throw.read is not None else 0
    return DiceStatistics(tuple(counts[face] for face in FACES), 1, corrected, int(not throw.sure))


def players_of(summaries: Iterable[GameStatistics], rules: str) -> tuple[PlayerStatistics, ...]:
    """Return the statistics of every player by one rule set, the one with the most wins first.

    Names that are one (`name_key`) belong to one player, who is called as in the newest game. A bot is another
    player than a person of its name, and so is a bot of another kind.
    """
    found: dict[tuple[str, str], PlayerStatistics] = {}
    for summary in sorted(summaries, key=lambda each: -each.number):
        if summary.rules == rules:
            for each in summary.by_player:
                who = name_key(each.player), each.bot
                found[who] = found[who] + each if who in found else each
    return tuple(sorted(found.values(), key=lambda each: (-each.won, name_key(each.player))))


def dice_of(summaries: Iterable[GameStatistics], kind: str) -> DiceStatistics:
    """Return the statistics of all dice of one origin: `real`, `recorded` or `simulated`."""
    return sum((each.dice[kind] for each in summaries if kind in each.dice), DiceStatistics())


Z = 1.96
"""Standard deviations of a 95 % interval."""


def interval(k: int, n: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval (Wilson 1927) of `k` of `n`, within 0 to 1; 0 to 1 if `n` is 0."""
    if n == 0:
        return 0.0, 1.0
    p = k / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def share(k: int, n: int) -> str:
    """Return `k` of `n` in words, with the 95 % interval in per cent."""
    if n == 0:
        return "0 of 0"
    low, high = interval(k, n)
    return f"{k} of {n} = {100 * k / n:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
