"""The connections by which pages read the league's database."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, LiteralString

from fastapi import Request
from psycopg import AsyncConnection
from psycopg.rows import namedtuple_row
from psycopg_pool import AsyncConnectionPool

from farkleague.store import CONNECT_S

MOST_CONNECTIONS = 8

WAIT_S = 3.0
"""Seconds that a page waits for a connection."""

ALIVE: dict[str, Any] = {
    "connect_timeout": CONNECT_S,
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
}
"""Options by which a connection ends within seconds after its other end has gone."""

MOST_MS = 10_000
"""Milliseconds after which a query of a page is ended."""


class Reading:
    """A pool of connections; a query raises `psycopg.OperationalError` while the database is away."""

    def __init__(self, database: str) -> None:
        self.database = database
        self._pool: AsyncConnectionPool[AsyncConnection[Any]] | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Keep the pool open; the database may be away."""
        options = {"autocommit": True, "row_factory": namedtuple_row, "options": f"-c statement_timeout={MOST_MS}"}
        pool = AsyncConnectionPool[AsyncConnection[Any]](
            self.database,
            kwargs=ALIVE | options,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=WAIT_S,
            reconnect_timeout=WAIT_S,
            check=AsyncConnectionPool.check_connection,
            open=False,
        )
        async with pool:
            self._pool = pool
            yield

    async def rows(self, query: LiteralString, given: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """Return the rows of a query, as named tuples."""
        assert self._pool is not None
        async with self._pool.connection() as connection:
            return await (await connection.execute(query, given)).fetchall()

    async def row(self, query: LiteralString, given: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        """Return the first row of a query, or None."""
        return next(iter(await self.rows(query, given)), None)

    async def write(self, query: LiteralString, given: Sequence[Any]) -> None:
        """Run a statement without rows."""
        assert self._pool is not None
        async with self._pool.connection() as connection:
            await connection.execute(query, given)


def reading(request: Request) -> Reading:
    """Return the connections of the application."""
    found: Reading = request.app.state.reading
    return found
