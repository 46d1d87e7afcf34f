"""The results of finished games, and the matches of seasons and tournaments that they decide."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from farkle.tournament import Form, PlayerStanding, Tournament, open_matches, standing, with_result
from farkleague.games import GameFold
from farkleague.store import Database, the_row


def write_results(database: Database, game: int, fold: GameFold, at: datetime) -> None:
    """Write the results of a game anew; a game that goes on again has none any more.

    Args:
        database: the database.
        game: the id of the game.
        fold: the game.
        at: the time of its newest act.
    """
    results = fold.results()
    writing = database.cursor()
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
    persons = dict(
        database.execute("SELECT id, person FROM players WHERE id = ANY(%s)", [[each[0] for each in results]])
    )
    (first, first_place), (second, second_place) = ((persons[player], place) for player, _, place in results)
    competitions = database.execute(
        "SELECT id FROM competitions WHERE %s::date BETWEEN begins AND ends AND rules IN ('', %s)"
        " AND 2 = (SELECT count(*) FROM entrants WHERE competition = competitions.id AND person IN (%s, %s))"
        " ORDER BY id FOR UPDATE",
        [at, rules, first, second],
    ).fetchall()
    for (competition,) in competitions:
        found, seeds = read_competition(database, competition)
        players = seeds[first], seeds[second]
        if any(sorted(match) == sorted(players) for match in open_matches(found)):
            if len(with_result(found, players, (first_place, second_place)).results) == len(found.results):
                continue  # a shared win, which a knock-out plays again
            database.execute(
                "INSERT INTO matches (competition, game, first, second, first_place, second_place)"
                " VALUES (%s, %s, %s, %s, %s, %s)",
                [competition, game, first, second, first_place, second_place],
            )


def read_competition(database: Database, competition: int) -> tuple[Tournament, dict[int, int]]:
    """Return a competition, whose players are the numbers of persons as texts, and each person's index in it."""
    form = the_row(database, "SELECT form FROM competitions WHERE id = %s", [competition]).form
    entrants = database.execute("SELECT person FROM entrants WHERE competition = %s ORDER BY seed", [competition])
    played = database.execute(
        "SELECT first, second, first_place, second_place FROM matches WHERE competition = %s ORDER BY game",
        [competition],
    )
    persons = [person for (person,) in entrants]
    return tournament_of(form, persons, played), {person: seed for seed, person in enumerate(persons)}


def tournament_of(form: str, persons: Sequence[int], played: Iterable[Sequence[int]]) -> Tournament:
    """Return a tournament, whose players are the numbers of persons as texts.

    Args:
        form: its form.
        persons: who plays, in the order of the draw.
        played: for each match the person who began, the other one, and their places.
    """
    seeds = {person: seed for seed, person in enumerate(persons)}
    return Tournament(
        form=Form(form),
        players=tuple(map(str, persons)),
        results=tuple(
            ((seeds[first], seeds[second]), tuple(places))
            for first, second, *places in played
            if {first, second} <= seeds.keys()
        ),
    )


def competitions(database: Database) -> dict[str, int]:
    """Return the ids of all seasons and tournaments by name, the newest first."""
    return dict(database.execute("SELECT name, id FROM competitions ORDER BY begins DESC, id DESC"))


def table_of(database: Database, competition: int) -> tuple[PlayerStanding, ...]:
    """Return the table of a competition, with the names of its persons; a removed name is empty."""
    found, seeds = read_competition(database, competition)
    names = dict(database.execute("SELECT id, name FROM players WHERE id = ANY(%s)", [[*seeds]]))
    return tuple(replace(each, name=names[int(each.name)]) for each in standing(found))
