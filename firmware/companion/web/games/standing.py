"""The evening: its standing, closing it, and who begins a rematch; pages and API."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import Field

from companion.errors import NoGameError
from companion.games.standings import EveningStanding, standing_at
from companion.table.state.inputs import ChooseNextStarter, CloseEvening, ReopenEvening
from companion.web.documentation import answer_of
from companion.web.pages import render
from companion.web.schema import Body, json_answer, problems
from companion.web.table import in_turn, table_of
from companion.web.writes import add_write

router = APIRouter(responses=problems(421))


class NamesRequest(Body):
    """Another name of a person, and the name that it counts as; an empty one takes that back."""

    alias: str = Field(min_length=1, max_length=100)
    name: str = Field(default="", max_length=100)


@dataclass(frozen=True)
class JoinedName:
    """Another name under which a person has played, and the name that it counts as."""

    alias: str
    name: str


def read_standing_of(request: Request, game: int | None) -> EveningStanding:
    """Return the standing of the newest evening, or of the evening in which a game ended."""
    return standing_at(table_of(request).games.newest_first(), game)


@router.get("/standing", response_class=HTMLResponse, include_in_schema=False)
@in_turn(all_games=True)
def standing_page(request: Request, game: str | None = None) -> Response:
    """Return the page of an evening: who won how often, head to head, and the loser of the night.

    Raises:
        NoGameError: if `game` is not the number of a game.
    """
    if game is not None and not (game.isascii() and game.isdecimal() and len(game) < 10):
        raise NoGameError(f"expected the number of a game, got {game!r}")
    number = None if game is None else int(game)
    games = table_of(request).games
    found = {"evening": read_standing_of(request, number)}
    aliases = games.aliases()
    people = sorted(name for name in games.people().values() if name not in aliases)
    return render(request, "standing.html", {**found, "game": number, "aliases": aliases, "people": people})


@router.get("/api/v1/standing", responses={200: answer_of(EveningStanding), **problems(404)})
@in_turn()
def read_standing(request: Request, game: Annotated[int | None, Query(ge=1, lt=10**9)] = None) -> Response:
    """Return the standing of the newest evening, or of the evening in which a game ended.

    An evening is a row of games without a pause of six hours; `POST /api/v1/standing/close` ends it at once.
    """
    return json_answer(request, read_standing_of(request, game))


@router.get("/api/v1/names")
@in_turn()
def read_names(request: Request) -> list[JoinedName]:
    """Return the other names under which people have played, each with the name that it counts as."""
    return [JoinedName(alias, name) for alias, name in table_of(request).games.aliases().items()]


@router.post("/api/v1/names", responses=problems(400, 403, 409, 413, 415, 422, 503))
@in_turn(all_games=True)
def join_names(request: Request, body: NamesRequest) -> list[JoinedName]:
    """Count the games of one name as those of another, in the standing, ratings and statistics; the journal stays.

    Refused if either has played no kept game, or both have played one together.
    """
    games = table_of(request).games
    games.join_names(body.alias, body.name)
    return [JoinedName(alias, name) for alias, name in games.aliases().items()]


add_write(router, "/api/v1/standing/close", CloseEvening, after="")
add_write(router, "/api/v1/standing/reopen", ReopenEvening)
add_write(router, "/api/v1/rematch", ChooseNextStarter)
