"""What follows from the kept games: who has won how many in one evening, and what a new game can take from them.

An evening is a row of games, in the order of the journal, without a pause of six hours. A clock that went back or was
set between two games tells nothing, so the journal's order counts. Players can also close an evening by hand.
"""

import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from itertools import combinations, groupby, islice, permutations, tee

from companion.errors import NoGameError
from companion.games.statistics import GameStatistics, GameSummary, PlayerStatistics
from companion.games.story import EARLIEST, is_pause
from companion.table.state.bots import BotKind, asks_for_bot, bot_named
from companion.table.state.text import standing_of
from companion.words import NOTHING, Text, message
from farkle.game.names import name_key


@dataclass(frozen=True)
class PlayerStanding:
    """One player's evening.

    `won` are the games that the player's side won, `finished` all that the player finished. `skunks` are the sides that
    the player skunked; the player was skunked in `skunked` games, `double_skunked` of them double, and came last in
    `last` games. `streak` is how many of the newest games in a row were won, `best_streak` the most in a row.
    """

    player: str
    won: int
    finished: int
    skunks: int
    skunked: int
    double_skunked: int
    last: int
    streak: int
    best_streak: int


@dataclass(frozen=True)
class HeadToHead:
    """Two players who played on different sides: `one` beat `other` in `won` games, and lost in `lost` games.

    A game that finds a loser is won by all others against that loser.
    """

    one: str
    other: str
    won: int
    lost: int


@dataclass(frozen=True)
class EveningStanding:
    """The standing of one evening.

    `begun_at` and `last_at` are wall-clock seconds since 1970, 0 if the clock was not set. `games` are the numbers of
    its games that have a winner, the oldest first, and `unfinished` counts its other games. `players` are in the order
    of their wins, and `pairs` in the order of `players`. `losers` came last most often; nobody if all did so equally
    often. `closed` tells that the next game begins another evening for sure. `newest` is the number of its newest game,
    0 without any; `earlier` and `later` are numbers of games of the evenings before and after, if there are any.
    """

    text: Text = NOTHING
    begun_at: float = 0.0
    last_at: float = 0.0
    games: tuple[int, ...] = ()
    unfinished: int = 0
    players: tuple[PlayerStanding, ...] = ()
    pairs: tuple[HeadToHead, ...] = ()
    losers: tuple[str, ...] = ()
    closed: bool = False
    newest: int = 0
    earlier: int | None = None
    later: int | None = None


@dataclass(frozen=True)
class Evening:
    """The games of one evening, the oldest first; `earlier` is the newest game of the evening before."""

    games: tuple[GameStatistics, ...]
    closed: bool
    earlier: int | None


def standing_at(summaries: Iterable[GameStatistics], game: int | None = None) -> EveningStanding:
    """Return the standing of the newest evening, or of the evening in which a game ended.

    Args:
        summaries: the games in the order of their newest acts, the newest first; only as many as needed are taken.
        game: the number of a game.

    Raises:
        NoGameError: if there is no such game.
    """
    later: int | None = None
    for evening in evenings(summaries):
        if game is None or any(each.number == game for each in evening.games):
            return _standing(evening, later)
        later = evening.games[-1].number
    if game is not None:
        raise NoGameError(f"expected the number of a game that is kept, got {game}")
    return EveningStanding()


def evenings(summaries: Iterable[GameStatistics]) -> Iterator[Evening]:
    """Yield the evenings, the newest first, from the games in the order of their newest acts, the newest first."""
    evening: list[GameStatistics] = []  # the newest first
    closings: set[int] = set()
    begins: dict[bool, float] = {}  # when the evening began, by the clock once it was set, and before
    closed = False
    ahead = tee(summaries, 1)[0]
    for game in ahead:
        closings.update(game.closings)
        was_set, counts = game.last_at >= EARLIEST, True
        if not evening:
            closed = any(after >= game.last_act for after in closings)
        else:
            by_hand = any(game.last_act <= after < evening[-1].last_act for after in closings)
            begun = begins.get(was_set)
            pause = begun is not None and is_pause(game.last_at, begun)
            counts = by_hand or not (pause and _clock_went_back(game, copy(ahead)))
            if by_hand or (pause and counts):
                yield Evening(tuple(reversed(evening)), closed, game.number)
                evening, begins, closed = [], {}, True
        evening.append(game)
        if counts:
            begins[was_set] = min(game.sat_at, begins.get(was_set, game.sat_at))
    if evening:
        yield Evening(tuple(reversed(evening)), closed, None)


def _clock_went_back(game: GameStatistics, older: Iterable[GameStatistics]) -> bool:
    """Return whether the clock went back before this game, so that its time tells nothing.

    A machine without a clock of its own starts at the time of its last shutdown, until a network sets it.
    """
    for each in older:
        if each.last_at > game.last_at:
            return True
        if is_pause(each.last_at, game.sat_at):
            return False
        game = each
    return False


def _standing(evening: Evening, later: int | None) -> EveningStanding:
    won = [game for game in evening.games if game.winners]
    played: dict[str, list[PlayerStatistics]] = {}
    beaten = Counter[tuple[str, str]]()
    for game in won:
        finished = [each for each in game.by_player if each.finished]
        for each in finished:
            played.setdefault(name_key(each.player), []).append(each)
        beaten.update(_beaten(game, finished))
    players = sorted(map(_player, played.values()), key=lambda each: (-each.won, each.last, name_key(each.player)))
    return EveningStanding(
        text=standing_of((each.player, each.won) for each in players) if players else NOTHING,
        begun_at=min((game.sat_at for game in evening.games if game.sat_at >= EARLIEST), default=0.0),
        last_at=max((game.last_at for game in evening.games if game.last_at >= EARLIEST), default=0.0),
        games=tuple(game.number for game in won),
        unfinished=len(evening.games) - len(won),
        players=tuple(players),
        pairs=tuple(_pairs(players, beaten)),
        losers=_losers(players),
        closed=evening.closed,
        newest=evening.games[-1].number,
        earlier=evening.earlier,
        later=later,
    )


def _player(games: Sequence[PlayerStatistics]) -> PlayerStanding:
    """Return the standing of a player from the games that the player finished, the oldest first."""
    sums = reduce(operator.add, games)
    streaks = [len(tuple(row)) if won else 0 for won, row in groupby(games, lambda each: each.won > 0)]
    return PlayerStanding(
        player=games[-1].player,
        **{each: getattr(sums, each) for each in ("won", "finished", "skunks", "skunked", "double_skunked", "last")},
        streak=streaks[-1],
        best_streak=max(streaks),
    )


def _beaten(game: GameStatistics, finished: Sequence[PlayerStatistics]) -> Iterator[tuple[str, str]]:
    """Yield who beat whom in a game, by the keys of their names."""
    side = {name: team for team, members in game.teams.items() for name in members}
    for one, other in permutations(finished, 2):
        beats = other.loser if game.loser is not None else one.won and not other.won
        if beats and side.get(one.player, one.player) != side.get(other.player, other.player):
            yield name_key(one.player), name_key(other.player)


def _pairs(players: Sequence[PlayerStanding], beaten: Counter[tuple[str, str]]) -> Iterator[HeadToHead]:
    for one, other in combinations((each.player for each in players), 2):
        keys = name_key(one), name_key(other)
        won, lost = beaten[keys], beaten[keys[::-1]]
        if won or lost:
            yield HeadToHead(one, other, won, lost)


def _losers(players: Sequence[PlayerStanding]) -> tuple[str, ...]:
    """Return who came last most often; of these who was skunked most often, and of these who won least."""

    def losses(each: PlayerStanding) -> tuple[int, int, int]:
        return each.last, each.skunked + each.double_skunked, -each.won

    worst = max(map(losses, players), default=(0, 0, 0))
    found = tuple(each.player for each in players if losses(each) == worst)
    return found if worst[0] and len(found) < len(players) else ()


MOST_NAMES = 24
MOST_GROUPS = 3
MOST_UNFINISHED = 6


@dataclass(frozen=True)
class EarlierGroup:
    """The players of an earlier game in the order of their turns, and its teams."""

    players: tuple[str, ...]
    teams: tuple[str, ...]


@dataclass(frozen=True)
class UnfinishedGame:
    """A game that can go on: its standing, such as `Ann 40, Ben 38`, and the day of its last act if it is known."""

    number: int
    title: str
    standing: Text
    day: Text


@dataclass(frozen=True)
class Earlier:
    """What earlier games offer to a new one, the newest first; `names` holds no name twice (`name_key`)."""

    names: tuple[str, ...]
    groups: tuple[EarlierGroup, ...]
    unfinished: tuple[UnfinishedGame, ...]


def earlier_of(summaries: Sequence[GameSummary], at_table: int, now: float, players: Sequence[str] = ()) -> Earlier:
    """Return what these games offer to a new one.

    Args:
        summaries: the games, the newest first.
        at_table: the number of the game at the table; it is not offered, nor is a game in which nothing was thrown.
        now: wall-clock seconds since 1970.
        players: the players that the table's settings name; they come first.
    """
    names = {name_key(name): name for name in players if not asks_for_bot(name)}
    groups: dict[EarlierGroup, None] = {}
    for each in summaries:
        for name in each.players:
            if name not in each.bots:
                names.setdefault(name_key(name), name)
        bots = {name: bot_named(BotKind(kind)) for name, kind in each.bots.items()}
        players = tuple([bots.get(name, name) for name in each.players])
        groups.setdefault(EarlierGroup(players, tuple(each.teams)), None)
    newest = max((each.last_at for each in summaries), default=0.0)
    unfinished = (
        UnfinishedGame(each.number, each.title, standing_of(each.scores.items()), day_of(each.last_at, newest, now))
        for each in summaries
        if not each.over and each.number != at_table and (each.throws or any(each.scores.values()))
    )
    first = tuple(islice(unfinished, MOST_UNFINISHED))
    return Earlier(tuple(names.values())[:MOST_NAMES], tuple(groups)[:MOST_GROUPS], first)


def day_of(at: float, newest: float, now: float) -> Text:
    """Return the day of a time, such as `yesterday`, or nothing if the clock may not be set.

    A Pi without a network has no date. Its clock counts as set if it is not earlier than the program and than the
    newest act of all games.

    Args:
        at: the time, in wall-clock seconds since 1970.
        newest: the time of the newest act of all games.
        now: the time on the clock.
    """
    if not EARLIEST <= at <= newest <= now:
        return NOTHING
    day, today = (datetime.fromtimestamp(each).astimezone().date() for each in (at, now))
    if day == today:
        return message("earlier.today")
    if day == today - timedelta(days=1):
        return message("earlier.yesterday")
    return message("earlier.on" if day.year == today.year else "earlier.on_in_year", day=day)
