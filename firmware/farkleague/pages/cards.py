"""A board or a game as its card shows it: who plays, the scores, and the dice of the turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from farkleague.pages.database import Reading
from farkleague.pages.rendering import SOMEBODY

_COLUMNS: Final = (
    "boards.id AS board, boards.name AS board_name, boards.problem, games.id AS game, games.number, games.last_at,"
    " games.live,"
    " (SELECT jsonb_object_agg(id, ARRAY[name, person::text]) FROM players"
    " WHERE id = ANY(ARRAY(SELECT jsonb_array_elements_text(games.live->'players')::int))) AS names"
)
_BOARDS: Final = (
    f"SELECT {_COLUMNS}, true AS newest FROM boards"  # noqa: S608 - constants alone
    " LEFT JOIN LATERAL (SELECT * FROM games WHERE board = boards.id ORDER BY act DESC LIMIT 1) games ON true"
    " ORDER BY boards.name"
)
_GAMES: Final = (
    f"SELECT {_COLUMNS}, newer.act IS NULL AS newest FROM games"  # noqa: S608 - constants alone
    " JOIN boards ON boards.id = games.board LEFT JOIN LATERAL (SELECT act FROM games newer"
    " WHERE newer.board = games.board AND newer.act > games.act LIMIT 1) newer ON true WHERE games.id = ANY(%s)"
)


@dataclass(frozen=True)
class PlayerCard:
    """A player: the number, the name, the number of the person, and whether a program plays."""

    number: int
    name: str
    person: int
    bot: bool


@dataclass(frozen=True)
class SideCard:
    """A side with its number from 0, its score and how it stands."""

    number: int
    players: tuple[PlayerCard, ...]
    score: int
    moves: bool
    won: bool
    lost: bool


@dataclass(frozen=True)
class GameCard:
    """A game as it is now."""

    id: int
    number: int
    title: str
    goal: int
    sides: tuple[SideCard, ...]
    to_move: PlayerCard | None
    turn_points: int
    roll: tuple[int, ...]
    locked: tuple[int, ...]
    dice_left: int
    over: bool
    at: datetime

    @property
    def winners(self) -> list[str]:
        """The names of the players who have won."""
        return [player.name for side in self.sides if side.won for player in side.players]

    @property
    def losers(self) -> list[str]:
        """The names of the players who have lost a game whose rules find a loser."""
        return [player.name for side in self.sides if side.lost for player in side.players]


@dataclass(frozen=True)
class Card:
    """A board with a game: its newest one, if `newest`; None before the first."""

    board: int
    board_name: str
    problem: str
    newest: bool
    game: GameCard | None


async def board_cards(reading: Reading) -> list[Card]:
    """Return all boards with their newest games."""
    return [*map(_card, await reading.rows(_BOARDS))]


async def game_cards(reading: Reading, games: list[int]) -> list[Card]:
    """Return games, by their ids, each with its board; deleted ones are left out."""
    return [*map(_card, await reading.rows(_GAMES, [games]))]


def _card(row: Any) -> Card:
    game = None if row.game is None else _game(row, row.live, row.names or {})
    return Card(row.board, row.board_name, row.problem, row.newest, game)


def _game(row: Any, live: Mapping[str, Any], names: Mapping[str, tuple[str, str]]) -> GameCard:
    def player(number: int) -> PlayerCard:
        name, person = names[str(number)]
        return PlayerCard(number, name or SOMEBODY, int(person), number in live["bots"])

    to_move = live["to_move"]
    return GameCard(
        id=row.game,
        number=row.number,
        title=live["title"],
        goal=live["goal"],
        sides=tuple(
            SideCard(
                number=number,
                players=tuple(map(player, side["players"])),
                score=side["score"],
                moves=to_move in side["players"],
                won=number in live["winners"],
                lost=number == live["loser"],
            )
            for number, side in enumerate(live["sides"])
        ),
        to_move=None if to_move is None else player(to_move),
        turn_points=live["turn_points"],
        roll=tuple(live["roll"]),
        locked=tuple(live["locked"]),
        dice_left=live["dice_left"],
        over=live["over"],
        at=row.last_at,
    )
