"""The connections by which pages read the league's database."""

from typing import Any

from fastapi import Request
from psycopg import AsyncConnection
from psycopg.rows import namedtuple_row
from psycopg_pool import AsyncConnectionPool

from farkleague.store import ALIVE, query

MOST_CONNECTIONS = 8

WAIT_S = 3.0
"""Seconds that a page waits for a connection."""

MOST_MS = 10_000
"""Milliseconds after which a query of a page is ended."""


class Reading(AsyncConnectionPool[AsyncConnection[Any]]):
    """A pool of connections; a query raises `psycopg.OperationalError` while the database is away."""

    def __init__(self, database: str) -> None:
        self.database = database
        options = {"autocommit": True, "row_factory": namedtuple_row, "options": f"-c statement_timeout={MOST_MS}"}
        size: dict[str, Any] = {"min_size": 1, "max_size": MOST_CONNECTIONS, "check": self.check_connection}
        waits: dict[str, Any] = {"timeout": WAIT_S, "reconnect_timeout": WAIT_S, "open": False}
        super().__init__(database, kwargs=ALIVE | options, **size, **waits)

    async def rows(self, name: str, **given: object) -> list[Any]:
        """Return the rows of a query, as named tuples."""
        async with self.connection() as connection:
            return await (await connection.execute(query(name), given)).fetchall()

    async def row(self, name: str, **given: object) -> Any:
        """Return the first row of a query, or None."""
        return next(iter(await self.rows(name, **given)), None)


def reading(request: Request) -> Reading:
    """Return the connections of the application."""
    found: Reading = request.app.state.reading
    return found
