"""The daily challenges among the kept games: today's, those of earlier days, and their best turns.

Everything comes from the journal, so a deleted game is forgotten here, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from companion.errors import RefusedError
from companion.games.report import EARLIEST
from companion.games.repository import GameRepository
from companion.games.statistics import GameStatistics
from companion.table.state.inputs import NewGame, ResumeGame
from companion.table.throws.daily import DailyResult, line_of
from companion.words import NOTHING, Text, message
from farkle.game.names import name_key
from farkle.rules.catalogue import find_rule_set

RULES = "farkle-cribbage"
"""The rule set of the challenge."""

POINTS = find_rule_set(RULES).goal
"""The points that the challenge asks for."""

MOST_BEST, MOST_EARLIER = 5, 60


@dataclass(frozen=True)
class PlayedChallenge:
    """A challenge that was begun. `line` tells the result to friends; it is empty unless the challenge is won."""

    game: int
    player: str
    day: str
    attempt: int
    turns: int
    throws: int
    best_turn: int
    over: bool
    dealt: bool
    line: Text = NOTHING

    @property
    def counts(self) -> bool:
        """Whether it is the player's first attempt, won with the dice of the day."""
        return bool(self.line) and self.attempt == 1


@dataclass(frozen=True)
class Challenges:
    """What the page of the challenge shows: today's games, those of earlier days, and the best turns of all.

    Of a day, first attempts that are won come first, by turns and then by throws.
    """

    day: str
    points: int
    today: tuple[PlayedChallenge, ...]
    earlier: tuple[PlayedChallenge, ...]
    best: tuple[PlayedChallenge, ...]


def today_of(now: float) -> str:
    """Return the day at this table, such as `2026-11-27`.

    Args:
        now: wall-clock seconds since 1970.

    Raises:
        RefusedError: if the clock is not set.
    """
    if now < EARLIEST:
        raise RefusedError(message("refused.daily_clock"))
    return datetime.fromtimestamp(now).astimezone().date().isoformat()


def challenges_of(summaries: Iterable[GameStatistics], day: str) -> Challenges:
    """Return the challenges among these games."""
    found = sorted(filter(None, map(_played, summaries)), key=_rank)
    newest = sorted((each for each in found if each.day != day), key=lambda each: each.day, reverse=True)
    best = sorted(
        (each for each in found if each.best_turn and each.dealt and each.attempt == 1),
        key=lambda each: -each.best_turn,
    )
    today = tuple(each for each in found if each.day == day)
    return Challenges(day, POINTS, today, tuple(newest[:MOST_EARLIER]), tuple(best[:MOST_BEST]))


def _rank(each: PlayedChallenge) -> tuple[bool, bool, int, int, int]:
    return (not each.counts, not each.over, each.turns, each.throws, each.game)


def _played(summary: GameStatistics) -> PlayedChallenge | None:
    daily = summary.daily
    if daily is None:
        return None
    (mine,) = summary.by_player
    won = bool(summary.winners) and daily.dealt
    told = DailyResult(daily.day, daily.attempt, mine.turns, mine.throws, mine.best_turn, daily.dealt)
    return PlayedChallenge(
        game=summary.number,
        player=mine.player,
        day=daily.day,
        attempt=daily.attempt,
        turns=mine.turns,
        throws=mine.throws,
        best_turn=mine.best_turn,
        over=summary.over,
        dealt=daily.dealt,
        line=line_of(told, POINTS) if won else NOTHING,
    )


def usual_player(challenges: Challenges, fallback: str) -> str:
    """Return who has played the newest challenge, or the fallback."""
    played = max((*challenges.today, *challenges.earlier), key=lambda each: each.game, default=None)
    return fallback if played is None else played.player


def played_by(found: Challenges, player: str) -> list[PlayedChallenge]:
    """Return a player's challenges of today, the best first; case does not matter in the name."""
    return [each for each in found.today if name_key(each.player) == name_key(player)]


def begin_challenge(games: GameRepository, now: float, name: str, fallback: str) -> NewGame | ResumeGame | None:
    """Return the input with which somebody plays today's challenge.

    An unfinished attempt goes on; None if it is the game at the table. Otherwise another attempt begins.

    Args:
        games: the kept games.
        now: wall-clock seconds since 1970. A `RefusedError` reaches the caller if the clock is not set.
        name: who plays; empty for the last player.
        fallback: who plays if nobody has played.
    """
    day = today_of(now)
    found = challenges_of(games.summaries(), day)
    player = name or usual_player(found, fallback)
    mine = played_by(found, player)
    unfinished = max((each.game for each in mine if not each.over), default=0)
    if unfinished:
        return None if unfinished == games.at_table() else ResumeGame(unfinished)
    attempt = max((each.attempt for each in mine), default=0) + 1
    return NewGame(RULES, (player,), daily=day, attempt=attempt)
