"""Tournaments at one table: which matches there are, which can be played now, and the standing.

A tournament is its event `TournamentStands`, and all of this is worked out from it. Players are indices of its
`players`, two of whom play a match.

- `round_robin`: each player meets each other one. A win brings 2 points, a shared win 1. The matches among players of
  equal points decide their order, and who is still equal shares the place.
- `knock_out`: who loses is out. If the players are no power of two, some go through the first round without a match.
- A knock-out's match with a shared win is played again.
- Who leaves the tournament loses each match that has not been finished.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from companion.table.state.events import Aside
from farkle.rules.switches import Value


@dataclass(frozen=True)
class TournamentStands(Aside):
    """A tournament goes on: its form and players, its rules, and the matches that were finished before this game.

    `players` are in the order as named, and `kinds` the kinds of those that the board plays, empty for people. `rules`,
    `settings`, `definition` and `track` are those of each match, as in `GameStarted` and `TrackLaid`. `lanes` is not
    used any more. `results` holds for each finished match the indices of its players, the one who began first, and
    their places. `left` holds who left the tournament, each with the number of matches that were finished by then.
    `ended`: the players ended it early. `last_game` is the number of the game that the last result is of, 0 where there
    is no result.
    """

    form: str
    players: tuple[str, ...]
    kinds: tuple[str, ...]
    rules: str
    settings: tuple[tuple[str, Value], ...]
    definition: str
    track: int
    lanes: int = 4
    results: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    left: tuple[tuple[int, int], ...] = ()
    ended: bool = False
    last_game: int = 0


FEWEST, MOST = 3, 12
"""How many players a tournament has."""

WIN, SHARED = 2, 1
"""The points of a round robin."""


class Form(StrEnum):
    """How a tournament is played."""

    ROUND_ROBIN = "round_robin"
    KNOCK_OUT = "knock_out"


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
class TournamentPlayerView:
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
def rounds(tournament: TournamentStands) -> tuple[tuple[Match, ...], ...]:
    """Return all matches by rounds."""
    made = _round_robin if tournament.form == Form.ROUND_ROBIN else _knock_out
    return tuple(map(tuple, made(tournament)))


def open_matches(tournament: TournamentStands) -> tuple[tuple[int, ...], ...]:
    """Return the players of each match that can be played now, in the order in which they are proposed."""
    if tournament.ended:
        return ()
    return tuple(match.players for each in rounds(tournament) for match in each if match.state == "open")


def is_over(tournament: TournamentStands) -> bool:
    """Return whether no match is left, or the players ended the tournament."""
    return not open_matches(tournament)


def winners(tournament: TournamentStands) -> tuple[str, ...]:
    """Return who has won; several who share the first place, and nobody if that is not decided.

    Ended early, a round robin in which a match was played is won by its leaders, and any other has no winner.
    """
    decided = not open_matches(replace(tournament, ended=False))
    if not decided and not (tournament.ended and tournament.results and tournament.form == Form.ROUND_ROBIN):
        return ()
    return tuple(each.name for each in standing(tournament) if each.place == 1 and not each.out)


def with_result(
    tournament: TournamentStands, players: Sequence[int], places: Sequence[int], game: int = 0
) -> TournamentStands:
    """Return the tournament after an open match; one that is to be played again changes nothing.

    Args:
        tournament: the tournament before it.
        players: who played, the one who began first.
        places: their places, 1 for the first; equal players share a place.
        game: the number of the game that the match was.
    """
    if len(set(places)) == 1 and tournament.form != Form.ROUND_ROBIN:
        return tournament
    return replace(tournament, results=(*tournament.results, (tuple(players), tuple(places))), last_game=game)


@lru_cache(64)
def standing(tournament: TournamentStands) -> tuple[TournamentPlayerView, ...]:
    """Return the players' standing, the first place first."""
    robin = tournament.form == Form.ROUND_ROBIN
    gone = {player for player, _ in tournament.left}
    ranks, out = (_rank_by_points if robin else _rank_by_rounds)(tournament, gone)
    matches = [match for each in rounds(tournament) for match in each]
    points = _points(matches) if robin else {}
    return tuple(
        TournamentPlayerView(
            name=tournament.players[player],
            place=1 + sum(rank < ranks[player] for rank in ranks.values()),
            played=sum(player in match.players for match in matches if match.state == "played"),
            won=sum(match.winners == (player,) for match in matches if match.state != "bye"),
            points=points.get(player, 0),
            out=player in out | gone,
            bot=tournament.kinds[player],
        )
        for player in sorted(ranks, key=lambda player: (ranks[player], player))
    )


def _round_robin(tournament: TournamentStands) -> Iterator[list[Match]]:
    """Yield the rounds by the circle method: one player stays, and the others turn around."""
    count = len(tournament.players)
    seats = count + count % 2  # of an odd number, who meets the seat that is empty has a bye
    for turn in range(seats - 1):
        pairs = [(turn, seats - 1)]
        pairs += [((turn + step) % (seats - 1), (turn - step) % (seats - 1)) for step in range(1, seats // 2)]
        yield [
            _pair(tournament, *_by_turns(count, *pair)) if max(pair) < count else Match((min(pair),), "bye")
            for pair in pairs
        ]


def _by_turns(count: int, one: int, other: int) -> tuple[int, int]:
    """Return a pair with who begins first, so that over all pairs each player begins half the matches."""
    ahead = 2 * ((other - one) % count)
    return (one, other) if ahead < count or (ahead == count and one < other) else (other, one)


def _pair(tournament: TournamentStands, one: int, other: int) -> Match:
    """Return the match of two players: as it was played, lost by who has left, or still to be played."""
    for players, places in tournament.results:
        if {one, other} == set(players):
            first = min(places)
            won = tuple(player for player, place in zip(players, places, strict=True) if place == first)
            return Match(players, "played", won)
    gone = {player for player, _ in tournament.left}
    if {one, other} & gone:
        return Match((one, other), "left", tuple(player for player in (one, other) if player not in gone))
    return Match((one, other), "open")


NOBODY = -1
"""In place of a player: both players of the match before have left."""


def _knock_out(tournament: TournamentStands) -> Iterator[list[Match]]:
    """Yield the rounds; the matches of the first one and its byes are spread over the bracket."""
    count = len(tournament.players)
    pairs = 1 << (count - 1).bit_length() - 1
    full = count - pairs
    names = iter(range(count))
    sides: list[tuple[int | None, int | None]] = []
    for place in range(pairs):
        one = next(names)
        sides.append((one, next(names) if (place + 1) * full // pairs > place * full // pairs else NOBODY))
    while True:
        matches = [_knocked_out(tournament, *each) for each in sides]
        yield [match for match, _ in matches]
        through = [player for _, player in matches]
        if len(through) == 1:
            return
        sides = list(zip(through[::2], through[1::2], strict=True))


def _knocked_out(tournament: TournamentStands, *sides: int | None) -> tuple[Match, int | None]:
    """Return a match of a bracket, and who goes through: None while that is not known."""
    known = [each for each in sides if each not in (None, NOBODY)]
    players = [each for each in known if each is not None]
    if None in sides:
        return Match(tuple(players), "waits"), None
    if len(players) < len(sides):
        return Match(tuple(players), "bye", tuple(players)), players[0] if players else NOBODY
    begun = [each[0] for each, _ in tournament.results]
    match = _pair(tournament, *sorted(players, key=begun.count))  # who has begun fewer matches is first
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


def _rank_by_points(tournament: TournamentStands, gone: set[int]) -> Ranks:
    matches = [match for each in rounds(tournament) for match in each]
    points = _points(matches)
    ranks: dict[int, tuple[int, ...]] = {}
    for player in range(len(tournament.players)):
        scored = points.get(player, 0)
        equal = {each for each in range(len(tournament.players)) if points.get(each, 0) == scored} - gone
        ranks[player] = (player in gone, -scored, -_points(matches, equal).get(player, 0))
    return ranks, set()


def _rank_by_rounds(tournament: TournamentStands, gone: set[int]) -> Ranks:
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
