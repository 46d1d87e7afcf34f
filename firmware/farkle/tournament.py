"""Tournaments: which matches there are, which can be played now, and the standing.

All of this is worked out from a `Tournament`. Players are indices of its `players`, two of whom play a match.

- `round_robin`: each player meets each other one. A win brings 2 points, a shared win 1. The matches among players of
  equal points decide their order, and who is still equal shares the place.
- `knock_out`: who loses is out. If the players are no power of two, some go through the first round without a match.
- A knock-out's match with a shared win is played again.
- Who leaves the tournament loses each match that has not been finished.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Literal, TypeVar

WIN, SHARED = 2, 1
"""The points of a round robin."""


class Form(StrEnum):
    """How a tournament is played."""

    ROUND_ROBIN = "round_robin"
    KNOCK_OUT = "knock_out"


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A tournament: its form and players, and what has happened so far.

    `players` are in the order as named, and `kinds` the kinds of those that a program plays, empty for people; without
    `kinds` all are people. `results` holds for each finished match the indices of its players, the one who began first,
    and their places. `left` holds who left the tournament, each with the number of matches that were finished by then.
    `ended`: the players ended it early.
    """

    form: str
    players: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    results: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    left: tuple[tuple[int, int], ...] = ()
    ended: bool = False


Stands = TypeVar("Stands", bound=Tournament)

MatchState = Literal["open", "waits", "played", "bye", "left"]


@dataclass(frozen=True)
class Match:
    """One match; of `players` who begins comes first.

    It is `open` if it can be played now, and `waits` while a player is not known. It was `played`, or decided since a
    player has `left`. In a `bye` its one player plays nobody. `winners` are several after a shared win, and nobody if
    both players have left.
    """

    players: tuple[int, ...]
    state: MatchState
    winners: tuple[int, ...] = ()


@dataclass(frozen=True)
class PlayerStanding:
    """One player's standing in a tournament."""

    name: str
    """The name."""
    place: int
    """1 for the first."""
    played: int
    """The matches played."""
    won: int
    """The matches won."""
    points: int
    """The points of a round robin."""
    out: bool
    """Whether the player cannot win any more."""
    bot: str = ""
    """The kind of a bot; empty for a person."""


@lru_cache(64)
def rounds(tournament: Tournament) -> tuple[tuple[Match, ...], ...]:
    """Return all matches by rounds."""
    made = _round_robin if tournament.form == Form.ROUND_ROBIN else _knock_out
    return tuple(map(tuple, made(tournament)))


def open_matches(tournament: Tournament) -> tuple[tuple[int, ...], ...]:
    """Return the players of each match that can be played now, in the order in which they are proposed."""
    if tournament.ended:
        return ()
    return tuple(match.players for each in rounds(tournament) for match in each if match.state == "open")


def is_over(tournament: Tournament) -> bool:
    """Return whether no match is left, or the players ended the tournament."""
    return not open_matches(tournament)


def winners(tournament: Tournament) -> tuple[str, ...]:
    """Return who has won; several who share the first place, and nobody if that is not decided.

    Ended early, a round robin in which a match was played is won by its leaders, and any other has no winner.
    """
    decided = not open_matches(replace(tournament, ended=False))
    if not decided and not (tournament.ended and tournament.results and tournament.form == Form.ROUND_ROBIN):
        return ()
    return tuple(each.name for each in standing(tournament) if each.place == 1 and not each.out)


def with_result(tournament: Stands, players: Sequence[int], places: Sequence[int]) -> Stands:
    """Return the tournament after an open match; one that is to be played again changes nothing.

    Args:
        tournament: the tournament before it.
        players: who played, the one who began first.
        places: their places, 1 for the first; equal players share a place.
    """
    if len(set(places)) == 1 and tournament.form != Form.ROUND_ROBIN:
        return tournament
    return replace(tournament, results=(*tournament.results, (tuple(players), tuple(places))))


@lru_cache(64)
def standing(tournament: Tournament) -> tuple[PlayerStanding, ...]:
    """Return the players' standing, the first place first."""
    robin = tournament.form == Form.ROUND_ROBIN
    gone = {player for player, _ in tournament.left}
    ranks, out = (_rank_by_points if robin else _rank_by_rounds)(tournament, gone)
    matches = [match for each in rounds(tournament) for match in each]
    points = _points(matches) if robin else {}
    played = Counter(player for match in matches if match.state == "played" for player in match.players)
    won = Counter(match.winners for match in matches if match.state != "bye")
    return tuple(
        PlayerStanding(
            name=tournament.players[player],
            place=1 + sum(rank < ranks[player] for rank in ranks.values()),
            played=played[player],
            won=won[player,],
            points=points.get(player, 0),
            out=player in out | gone,
            bot=tournament.kinds[player] if tournament.kinds else "",
        )
        for player in sorted(ranks, key=lambda player: (ranks[player], player))
    )


def _round_robin(tournament: Tournament) -> Iterator[list[Match]]:
    """Yield the rounds by the circle method: one player stays, and the others turn around."""
    count = len(tournament.players)
    known = _Known(tournament)
    seats = count + count % 2  # of an odd number, who meets the seat that is empty has a bye
    for turn in range(seats - 1):
        pairs = [(turn, seats - 1)]
        pairs += [((turn + step) % (seats - 1), (turn - step) % (seats - 1)) for step in range(1, seats // 2)]
        yield [
            known.match(*_by_turns(count, *pair)) if max(pair) < count else Match((min(pair),), "bye") for pair in pairs
        ]


def _by_turns(count: int, one: int, other: int) -> tuple[int, int]:
    """Return a pair with who begins first, so that over all pairs each player begins half the matches."""
    ahead = 2 * ((other - one) % count)
    return (one, other) if ahead < count or (ahead == count and one < other) else (other, one)


class _Known:
    """What is known of the matches: their results by players, and who has left."""

    def __init__(self, tournament: Tournament) -> None:
        self._played: dict[frozenset[int], Match] = {}
        for players, places in tournament.results:
            won = tuple(player for player, place in zip(players, places, strict=True) if place == min(places))
            self._played.setdefault(frozenset(players), Match(players, "played", won))
        self._gone = {player for player, _ in tournament.left}
        self.begun = Counter(players[0] for players, _ in tournament.results)

    def match(self, one: int, other: int) -> Match:
        """Return the match of two players: as it was played, lost by who has left, or still to be played."""
        played = self._played.get(frozenset((one, other)))
        if played is not None:
            return played
        stayed = tuple(player for player in (one, other) if player not in self._gone)
        return Match((one, other), "open") if len(stayed) == 2 else Match((one, other), "left", stayed)


NOBODY = -1
"""In place of a player: both players of the match before have left."""


def _knock_out(tournament: Tournament) -> Iterator[list[Match]]:
    """Yield the rounds; the matches of the first one and its byes are spread over the bracket."""
    known, count = _Known(tournament), len(tournament.players)
    pairs = 1 << (count - 1).bit_length() - 1
    full = count - pairs
    names = iter(range(count))
    sides: list[tuple[int | None, int | None]] = []
    for place in range(pairs):
        one = next(names)
        sides.append((one, next(names) if (place + 1) * full // pairs > place * full // pairs else NOBODY))
    while True:
        matches = [_knocked_out(known, *each) for each in sides]
        yield [match for match, _ in matches]
        through = [player for _, player in matches]
        if len(through) == 1:
            return
        sides = list(zip(through[::2], through[1::2], strict=True))


def _knocked_out(known: _Known, *sides: int | None) -> tuple[Match, int | None]:
    """Return a match of a bracket, and who goes through: None while that is not known."""
    players = [each for each in sides if each is not None and each != NOBODY]
    if None in sides:
        return Match(tuple(players), "waits"), None
    if len(players) < len(sides):
        return Match(tuple(players), "bye", tuple(players)), players[0] if players else NOBODY
    match = known.match(*sorted(players, key=known.begun.__getitem__))  # who has begun fewer matches is first
    if match.state == "open":
        return match, None
    return match, match.winners[0] if match.winners else NOBODY


Ranks = tuple[dict[int, tuple[int, ...]], set[int]]
"""What players are ordered by, less for the better, and who is out."""


def _points(matches: Sequence[Match], among: set[int] | None = None) -> dict[int, int]:
    """Return the points of a round robin by player; with `among` only those from the matches of these players."""
    found: dict[int, int] = {}
    for match in matches:
        if match.state == "bye" or (among is not None and not among.issuperset(match.players)):
            continue
        for player in match.winners:
            found[player] = found.get(player, 0) + (WIN if len(match.winners) == 1 else SHARED)
    return found


def _rank_by_points(tournament: Tournament, gone: set[int]) -> Ranks:
    matches = [match for each in rounds(tournament) for match in each]
    points = _points(matches)
    equal: dict[int, set[int]] = {}
    for player in range(len(tournament.players)):
        equal.setdefault(points.get(player, 0), set()).add(player)
    ranks: dict[int, tuple[int, ...]] = {}
    for scored, players in equal.items():
        among = _points(matches, players - gone)
        ranks |= {player: (player in gone, -scored, -among.get(player, 0)) for player in players}
    return ranks, set()


def _rank_by_rounds(tournament: Tournament, gone: set[int]) -> Ranks:
    """Order players by the round that they lost in; those who are still in come first."""
    found = rounds(tournament)
    last: dict[int, int] = {}
    out: set[int] = set()
    for number, each in enumerate(found):
        for match in each:
            last |= dict.fromkeys(match.players, number)
            if match.state in ("played", "left"):
                out |= {*match.players} - {*match.winners}
    return {player: (-number if player in out | gone else -len(found),) for player, number in last.items()}, out
