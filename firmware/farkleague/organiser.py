"""What an organiser does: enrol boards, join players who are one person, remove names, and begin competitions."""

import re
from collections.abc import Sequence
from datetime import date

import psycopg

from farkle.errors import FarkleError
from farkle.rules.catalogue import find_rule_set
from farkle.tournament import Form
from farkleague.errors import LeagueError
from farkleague.messages import SHUT_OUT
from farkleague.store import MATCHING, NAMES, Database, lock, notify, query, the_row

CODE = re.compile(r"[A-Z2-7]{4}(-[A-Z2-7]{4}){2}")

MOST_ENTRANTS = 64


def enrol(database: Database, code: str, name: str) -> None:
    """Enrol the board that shows a code.

    Raises:
        LeagueError: if the code is none, or the code or the name is taken.
    """
    given = re.sub(r"[\s-]", "", code).upper()
    code, name = "-".join(given[place : place + 4] for place in range(0, len(given), 4)), name.strip()
    if not CODE.fullmatch(code):
        raise LeagueError(f"expected the code that the board shows, such as K7QF-2MXA-ATPB, got {code!r}")
    if not 1 <= len(name) <= 40 or not name.isprintable():
        raise LeagueError(f"expected a name of 1 to 40 characters for the board, got {name!r}")
    try:
        database.execute("INSERT INTO boards (code, name) VALUES (%s, %s)", [code, name])
    except psycopg.errors.UniqueViolation as error:
        taken = "name" if "name" in str(error.diag.constraint_name) else "code"
        raise LeagueError(
            f"expected a new {taken}, got {name if taken == 'name' else code!r}, which is taken"
        ) from error
    notify(database, NAMES)


def shut_out(database: Database, board: str, *, out: bool = True) -> None:
    """Take nothing more from a board, or take its acts again; what it has sent stays.

    Raises:
        LeagueError: if no board has this name.
    """
    problem = SHUT_OUT if out else ""
    changed = database.execute("UPDATE boards SET problem = %s WHERE name = %s", [problem, board.strip()])
    if not changed.rowcount:
        raise LeagueError(f"expected the name of a board, got {board!r}")
    notify(database, NAMES)


def join(database: Database, player: int, person: int) -> None:
    """Count the games of one person as those of another, from now on and so far.

    Raises:
        LeagueError: if there is no such person, both are one, or both are in one game or competition.
    """
    with database.transaction():
        lock(database, MATCHING)
        ids = database.execute(
            "SELECT person FROM players WHERE id IN (%s, %s) AND NOT bot ORDER BY id = %s", [player, person, person]
        ).fetchall()
        if len(ids) < 2 or ids[0] == ids[1]:
            raise LeagueError(f"expected two persons, got {player} and {person}")
        given = {"one": ids[0].person, "other": ids[1].person}
        if database.execute(query("together"), given).fetchone():
            raise LeagueError("expected players who never played in one game or competition, got two who did")
        for update in (
            "UPDATE players SET person = %(other)s WHERE person = %(one)s",
            "UPDATE entrants SET person = %(other)s WHERE person = %(one)s",
            "UPDATE matches SET first = %(other)s WHERE first = %(one)s",
            "UPDATE matches SET second = %(other)s WHERE second = %(one)s",
        ):
            database.execute(update, given)
        notify(database, NAMES)


def separate(database: Database, player: int) -> None:
    """Count the games of a player who was joined with a person as the player's own again.

    Matches of competitions stay with the person.

    Raises:
        LeagueError: if the player was not joined with anybody.
    """
    update = "UPDATE players SET person = id WHERE id = %s AND person <> id"
    if not database.execute(update, [player]).rowcount:
        raise LeagueError(f"expected a player who was joined with another one, got {player}")
    notify(database, NAMES)


def remove_name(database: Database, person: int) -> None:
    """Remove the names of a person for ever, also from games to come.

    Raises:
        LeagueError: if there is no such person.
    """
    removed = database.execute("UPDATE players SET name = '', removed = true WHERE person = %s", [person])
    if not removed.rowcount:
        raise LeagueError(f"expected the number of a person, got {person}")
    notify(database, NAMES)


def begin_competition(
    database: Database, name: str, form: str, begins: date, ends: date, persons: Sequence[int], rules: str = ""
) -> int:
    """Begin a season (`round_robin`) or a tournament (`knock_out`), and return its id.

    Args:
        database: the database.
        name: its name.
        form: the form.
        begins: the first day on which games count.
        ends: the last one.
        persons: who plays, in the order of the draw.
        rules: the rule set by which its games are played; empty for any.

    Raises:
        LeagueError: if it cannot be played.
    """
    if form not in [*Form]:
        raise LeagueError(f"expected one of {', '.join(Form)}, got {form!r}")
    if not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        raise LeagueError(f"expected a name of 1 to 60 characters, got {name!r}")
    if begins > ends:
        raise LeagueError(f"expected a last day after the first one, got {begins} and {ends}")
    if not 2 <= len(persons) <= MOST_ENTRANTS or len(set(persons)) < len(persons):
        raise LeagueError(f"expected 2 to {MOST_ENTRANTS} different players, got {len(persons)}")
    try:
        rules = find_rule_set(rules).key if rules else ""
    except FarkleError as error:
        raise LeagueError(str(error)) from error
    known = "SELECT count(*) FROM players WHERE id = ANY(%s) AND id = person AND NOT bot"
    if the_row(database, known, [[*persons]])[0] < len(persons):
        raise LeagueError("expected persons of the league, got another number")
    try:
        with database.transaction():
            made = the_row(
                database,
                "INSERT INTO competitions (name, form, rules, begins, ends) VALUES (%s, %s, %s, %s, %s) RETURNING id",
                [name.strip(), form, rules, begins, ends],
            )
            database.cursor().executemany(
                "INSERT INTO entrants (competition, seed, person) VALUES (%s, %s, %s)",
                [(made.id, seed, person) for seed, person in enumerate(persons)],
            )
    except psycopg.errors.UniqueViolation as error:
        raise LeagueError(f"expected a new name, got {name!r}, which is taken") from error
    return int(made.id)
