"""What a new game can take from earlier ones: names, who played together, and the games that are not finished.

Everything comes from the kept games, so a deleted game is forgotten here, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from companion.games.statistics import GameSummary
from companion.games.story import EARLIEST
from companion.table.state.bots import BotKind, asks_for_bot, bot_named
from companion.table.state.text import standing_of
from companion.words import NOTHING, Text, message
from farkle.game.names import name_key

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
        UnfinishedGame(each.number, each.title, standing(each), day_of(each.last_at, newest, now))
        for each in summaries
        if not each.over and each.number != at_table and (each.throws or any(each.scores.values()))
    )
    first = tuple(islice(unfinished, MOST_UNFINISHED))
    return Earlier(tuple(names.values())[:MOST_NAMES], tuple(groups)[:MOST_GROUPS], first)


def standing(game: GameSummary) -> Text:
    """Return the scores of all sides: `Ann 40, Ben 38`."""
    return standing_of(game.scores.items())


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
