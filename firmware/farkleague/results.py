"""The results of finished games, and the matches of seasons and tournaments that they decide."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from farkle.tournament import Form, PlayerStanding, Tournament, open_matches, standing, with_result
from farkleague.games import GameFold
from farkleague.store import MATCHING, Database, lock, query, the_row


def write_results(database: Database, game: int, fold: GameFold, at: datetime) -> None:
    """Write the results of a game, if they have changed; a game that goes on again has none any more.

    Args:
        database: the database.
        game: the id of the game.
        fold: the game.
        at: the time of its newest act.
    """
    results = fold.results()
    writing = database.cursor()
    if {*results} == {*writing.execute("SELECT player, side, place FROM results WHERE game = %s", [game])}:
        return  # an act after the end leaves the match where it is
    writing.execute("DELETE FROM matches WHERE game = %s", [game])
    writing.execute("DELETE FROM results WHERE game = %s", [game])
    writing.executemany(
        "INSERT INTO results (game, player, side, place) VALUES (%s, %s, %s, %s)",
        [(game, *result) for result in results],
    )
    state = fold.state
    if state is not None and len(state.players) == len(results) == len({side for _, side, _ in results}) == 2:
        _decide_matches(database, game, state.rules.key, at, results)


def _decide_matches(
    database: Database, game: int, rules: str, at: datetime, results: Sequence[tuple[int, int, int]]
) -> None:
    """Count a game of two people in each competition in which they have an open match."""
    lock(database, MATCHING)
    (one, _, *places), (other, _, *other_places) = results
    places += other_places
    found = "SELECT id, person FROM players WHERE id IN (%s, %s) ORDER BY id = %s"
    persons = [row.person for row in database.execute(found, [one, other, other])]
    competitions = database.execute(
        "SELECT id FROM competitions WHERE %s::date BETWEEN begins AND ends AND rules IN ('', %s)"
        " AND 2 = (SELECT count(*) FROM entrants WHERE competition = competitions.id AND person = ANY(%s))",
        [at, rules, persons],
    ).fetchall()
    for (competition,) in competitions:
        tournament = tournament_of(the_row(database, query("season"), {"season": competition}))
        players = [tournament.players.index(str(person)) for person in persons]
        is_open = any({*match} == {*players} for match in open_matches(tournament))
        if is_open and with_result(tournament, players, places) != tournament:  # a knock-out plays a shared win again
            database.execute(
                "INSERT INTO matches (competition, game, first, second, first_place, second_place)"
                " VALUES (%s, %s, %s, %s, %s, %s)",
                [competition, game, *persons, *places],
            )


def tournament_of(row: Any) -> Tournament:
    """Return the tournament of a row of `season.sql`; its players are the numbers of persons as texts."""
    seeds = {person: seed for seed, (person, *_) in enumerate(row.entrants)}
    return Tournament(
        form=Form(row.form),
        players=tuple(map(str, seeds)),
        results=tuple(
            ((seeds[first], seeds[second]), (first_place, second_place))
            for first, second, first_place, second_place, *_ in row.played
        ),
    )


def competitions(database: Database) -> dict[str, int]:
    """Return the ids of all seasons and tournaments by name, the newest first."""
    return {row.name: row.id for row in database.execute(query("seasons"))}


def table_of(database: Database, competition: int) -> tuple[PlayerStanding, ...]:
    """Return the table of a competition, with the names of its persons; a removed name is empty."""
    row = the_row(database, query("season"), {"season": competition})
    names = {str(person): name for person, name, *_ in row.entrants}
    return tuple(replace(each, name=names[each.name]) for each in standing(tournament_of(row)))
