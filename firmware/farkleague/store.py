"""The league's database: its connections, its migrations, and the league's key."""

from functools import cache
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from psycopg.rows import namedtuple_row

from farkleague.errors import LeagueError

CHANNEL = "farkleague"
"""The channel of NOTIFY: the id of a changed game, or `NAMES`."""

NAMES = "names"
"""What the channel carries if names of players or boards have changed."""

ALIVE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
}
"""Options by which a connection ends within seconds after its other end has gone."""

MOST_IDLE = "2min"
"""How long a transaction may wait for its program, before the database ends it and others get its locks."""

_MIGRATING, RATING, MATCHING = 7_301, 7_302, 7_303
"""The advisory locks of a program that changes the tables, rates all persons, or decides matches."""

Database = psycopg.Connection[Any]


def connect(database: str) -> Database:
    """Return a new connection, whose rows are named tuples; `psycopg.Error` reaches the caller."""
    opened = psycopg.connect(database, row_factory=namedtuple_row, autocommit=True, **ALIVE)
    opened.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, false)", [MOST_IDLE])
    return opened


def upgraded(database: str) -> Database:
    """Bring the tables to the newest form as `upgrade` does, and return a new connection."""
    upgrade(database)
    return connect(database)


def upgrade(database: str) -> None:
    """Bring the tables to the newest form. One program does it, and others wait.

    Raises:
        LeagueError: if the database cannot be reached, or a newer program has changed its tables.
    """
    from alembic import command, config, util  # here, because they load slowly
    from sqlalchemy import create_engine, exc, pool, text

    alembic = config.Config()
    alembic.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    engine = create_engine("postgresql+psycopg://", creator=lambda: connect(database), poolclass=pool.NullPool)
    try:
        with engine.begin() as opened:
            opened.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATING})
            alembic.attributes["connection"] = opened
            command.upgrade(alembic, "head")
    except (exc.SQLAlchemyError, psycopg.Error) as error:
        raise LeagueError(f"expected a PostgreSQL database that can be used, got: {_reason(error)}") from error
    except util.CommandError as error:
        raise LeagueError(f"expected tables that this program knows, got newer ones: {error}") from error


def _reason(error: Exception) -> str:
    return " ".join(str(getattr(error, "orig", None) or error).split())


def league_key(database: Database) -> Ed25519PrivateKey:
    """Return the key that signs the league's answers; it is made once."""
    made = Ed25519PrivateKey.generate().private_bytes_raw()
    database.execute("INSERT INTO league (key) VALUES (%s) ON CONFLICT DO NOTHING", [made])
    return Ed25519PrivateKey.from_private_bytes(the_row(database, "SELECT key FROM league").key)


@cache
def query(name: str) -> LiteralString:
    """Return the text of a query, a file in the folder `queries`."""
    return Path(__file__).with_name("queries").joinpath(f"{name}.sql").read_text(encoding="utf-8")


def the_row(database: Database, query: LiteralString, given: Any = None) -> Any:
    """Return the only row of a query, as a named tuple."""
    (row,) = database.execute(query, given)
    return row


def lock(database: Database, number: int) -> None:
    """Wait for an advisory lock, and hold it until the transaction ends."""
    database.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def notify(database: Database, what: str) -> None:
    """Tell all pages what has changed: the id of a game, or `NAMES`."""
    database.execute("SELECT pg_notify(%s, %s)", [CHANNEL, what])
