"""A board with a game, as cards show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import HTTPException, Path, Request

from farkleague.pages.database import Reading, reading
from farkleague.pages.rendering import SOMEBODY

Id = Annotated[int, Path(ge=1, lt=1 << 31)]


@dataclass(frozen=True)
class Card:
    """A board with a game, which is its newest one if `newest`.

    `board`, `at` and `problem` are the board's id, name and problem. `id`, `number`, `last_at` and `live` are the
    game's, see `GameFold.live`; None before the first game. `players` holds the name and the person of each player.
    """

    board: int
    at: str
    problem: str
    id: int | None
    number: int | None
    last_at: datetime | None
    live: Mapping[str, Any] | None
    players: Mapping[str, tuple[str, str]] | None
    newest: bool

    def name(self, player: int | str) -> str:
        """Return the name of a player of the game."""
        return (self.players or {})[str(player)][0] or SOMEBODY

    def names(self, sides: list[int]) -> str:
        """Return the names of the players of sides."""
        live = self.live or {}
        return " and ".join(self.name(player) for side in sides for player in live["sides"][side]["players"])


async def cards(reading: Reading, games: list[int] | None = None) -> list[Card]:
    """Return games, by their ids, without those that are deleted; with None all boards, each with its newest game."""
    return [Card(*row) for row in await reading.rows("cards", games=games)]


async def card_of(request: Request, game: int) -> Card:
    """Return a game.

    Raises:
        HTTPException: 404 if there is none.
    """
    found = await cards(reading(request), [game])
    if not found:
        raise HTTPException(404)
    return found[0]
