"""Statistics over many games: of each player, of the faces of the dice, and whether the dice are fair.

The test is Pearson's chi-square with five degrees of freedom, its power from the noncentral chi-square distribution
(Cohen, Statistical Power Analysis, 1988, chapter 7). For an odd number of degrees of freedom the tail is a finite sum
(Abramowitz and Stegun 26.4.4), so the program does not need scipy, which takes 120 MB on a Pi.
"""

import math
import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from companion.games.story import GameHeader, Story, Throw
from companion.words import Message, Text, message
from farkle.game.names import name_key

ORIGINS = ("real", "recorded", "simulated")
"""The origins of throws."""

_ORIGINS = {"synthetic": "simulated", "recorded": "recorded"}
"""The origin of each frame source's throws; those of any camera are real."""


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
            kind, counts = _ORIGINS.get(throw.source, "real"), Counter(throw.roll)
            corrected = (Counter(throw.read) - counts).total() if throw.read is not None else 0
            read = DiceStatistics(tuple(counts[face] for face in range(1, 7)), 1, corrected, int(not throw.sure))
            found[kind] = found.get(kind, DiceStatistics()) + read
    return found


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


LEVEL = 0.05
"""Significance level: the probability that fair dice are called unfair."""

NONCENTRALITY = 12.8276
"""The noncentrality of chi-square at which the test finds a bias with the power 0.8 (Cohen 1988 has 12.83). It was
computed by mixing the tails of 5, 7, 9 and more degrees of freedom with Poisson weights."""

LEAST_EXPECTED = 5
"""With fewer expected dice for each face the test says nothing (Cochran 1954)."""


@dataclass(frozen=True, kw_only=True)
class Fairness(DiceStatistics):
    """The result of the test, with the statistics that it tests. Shares are fractions from 0 to 1.

    `of` is the origin of the throws, `p` the probability that fair dice look at least as uneven, and `findable` the
    smallest share of one favoured face that the test finds with the power 0.8; both are None with too few dice.
    `verdict` is the result in one sentence.
    """

    of: str
    chi_square: float
    p: float | None
    findable: float | None
    verdict: Text

    @property
    def shares(self) -> tuple[tuple[float, float, float], ...]:
        """Each face's share with the limits of its 95 % interval."""
        return tuple(_share(count, self.dice) for count in self.counts)

    @property
    def misread(self) -> tuple[float, float, float]:
        """The share of dice that a player corrected, with its interval; a bias up to this may come from the eye."""
        return _share(self.corrected, self.dice)


def fairness_of(statistics: DiceStatistics, of: str = "real") -> Fairness:
    """Test the dice of one origin, and the eye that read them."""
    dice = statistics.dice
    enough = dice >= 6 * LEAST_EXPECTED
    chi_square = chi_square_of(statistics.counts)
    p = upper_tail(chi_square) if enough else None
    return Fairness(
        **vars(statistics),
        of=of,
        chi_square=chi_square,
        p=p,
        findable=findable_share(dice) if enough else None,
        verdict=_verdict(p, dice),
    )


def chi_square_of(counts: Sequence[int]) -> float:
    """Return Pearson's chi-square of these counts of the six faces; 0 without dice."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts) if expected else 0.0


def _share(count: int, dice: int) -> tuple[float, float, float]:
    low, high = interval(count, dice)
    return (count / dice if dice else 0.0, low, high)


def upper_tail(chi_square: float) -> float:
    """Return the probability that chi-square with five degrees of freedom is at least this."""
    half = chi_square / 2
    tail = math.erfc(math.sqrt(half))
    return min(1.0, tail + 2 * math.sqrt(half / math.pi) * math.exp(-half) * (1 + chi_square / 3))


def findable_share(dice: int) -> float | None:
    """Return the smallest share of one favoured face that this many dice show with the power 0.8, or None beyond 1."""
    # One face at 1/6 + d and five at 1/6 - d/5: the sum over faces of (p - 1/6)^2 / (1/6) is 7.2 d^2.
    share = 1 / 6 + math.sqrt(NONCENTRALITY / (7.2 * dice))
    return share if share <= 1 else None


def _verdict(p: float | None, dice: int) -> Message:
    if p is None:
        return message("fairness.too_few", least=6 * LEAST_EXPECTED, dice=dice)
    often = message("fairness.rarely", times=1, tries=10_000)
    if p >= 0.0001:
        tries = 100 if p >= 0.01 else 10_000
        often = message("fairness.often", times=round(tries * p), tries=tries)
    return message("fairness.uneven" if p < LEVEL else "fairness.fair", often=often)
