"""The ratings of persons by Glicko-2 over all results; a day is a rating period."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from farkle.glicko2 import RatedResult, Rating, after_period, score_of, together
from farkleague.store import RATING, Database, the_row

RESULTS = """
SELECT last_at::date AS day, game, side, place, person
FROM results JOIN games ON games.id = game JOIN players ON players.id = player
"""


class Result(NamedTuple):
    """A person's place in a game of a day, and the index of the side that the person played on."""

    day: date
    game: int
    side: int
    place: int
    person: int


def rate(database: Database, known: object) -> object:
    """Write the ratings anew if results or persons have changed, unless another program does it now.

    Args:
        database: the database.
        known: what this function returned before; None for the first time.

    Returns:
        What the ratings are made of.
    """
    with database.transaction():
        if not the_row(database, "SELECT pg_try_advisory_xact_lock(%s)", [RATING])[0]:
            return known
        digest = f"SELECT sum(hashtextextended(each::text, 0)::numeric) FROM ({RESULTS}) each"  # noqa: S608 - a constant
        if (found := the_row(database, digest)) == known:
            return known
        ratings, games = rated(map(Result._make, database.execute(f"{RESULTS} ORDER BY day, game")))
        database.execute("DELETE FROM ratings")
        database.cursor().executemany(
            "INSERT INTO ratings (person, value, deviation, games) VALUES (%s, %s, %s, %s)",
            [(person, each.value, each.deviation, games[person]) for person, each in ratings.items()],
        )
    return found


def rated(results: Iterable[Result]) -> tuple[dict[int, Rating], dict[int, int]]:
    """Return each person's rating, and the number of rated games; in a game a side meets every other side.

    Args:
        results: the results in the order of days and games.
    """
    ratings = defaultdict[int, Rating](Rating)
    games = defaultdict[int, int](int)
    for _, of_day in groupby(results, key=attrgetter("day")):
        met = defaultdict[int, list[RatedResult]](list)
        for _, of_game in groupby(of_day, key=attrgetter("game")):
            for person, found in _met(tuple(of_game), ratings):
                met[person] += found
                games[person] += 1
        for person in {*ratings, *met}:
            ratings[person] = after_period(ratings[person], met.get(person, ()))
    return dict(ratings), dict(games)


def _met(game: Sequence[Result], ratings: defaultdict[int, Rating]) -> Iterable[tuple[int, list[RatedResult]]]:
    """Yield each person of a game with the results against the other sides."""
    sides = [[each for each in game if each.side == side] for side in {each.side for each in game}]
    opponents = [(together([ratings[each.person] for each in members]), members) for members in sides]
    for each in game:
        found = [
            RatedResult(opponent, score_of(each.place, members[0].place))
            for opponent, members in opponents
            if members[0].side != each.side and all(member.person != each.person for member in members)
        ]
        if found:
            yield each.person, found
