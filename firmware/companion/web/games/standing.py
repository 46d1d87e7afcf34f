"""The evening: its standing, the ratings over evenings, closing it, and who begins a rematch; pages and API."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import TypeAdapter

from companion.errors import NoGameError
from companion.games.ratings import EveningRatings, ratings_at
from companion.games.standings import EveningStanding, standing_at
from companion.reviews.skill import PlayerSkill, skills_of
from companion.table.state.inputs import ChooseNextStarter, CloseEvening, ReopenEvening
from companion.web.documentation import answer_of
from companion.web.language import words_of
from companion.web.pages import render
from companion.web.schema import NamesRequest, problems
from companion.web.table import in_turn, table_of
from companion.web.writes import add_write

router = APIRouter(responses=problems(421))
STANDING = TypeAdapter(EveningStanding)
RATINGS = TypeAdapter(EveningRatings)


@dataclass(frozen=True)
class JoinedName:
    """Another name under which a person has played, and the name that it counts as."""

    alias: str
    name: str


def read_standing_of(request: Request, game: int | None) -> EveningStanding:
    """Return the standing of the newest evening, or of the evening in which a game ended."""
    return standing_at(table_of(request).games.newest_first(), game)


def read_ratings_of(request: Request, game: int | None = None) -> EveningRatings:
    """Return the ratings after the newest evening, or after the evening in which a game ended."""
    return ratings_at(table_of(request).games.newest_first(), game)


def skills_at(request: Request) -> tuple[PlayerSkill, ...]:
    """Return the decisions and the luck of each player over all games that were reviewed."""
    reviews = table_of(request).reviews
    if reviews is None:
        return ()
    games = {each.number: each for each in table_of(request).games.newest_first()}
    return skills_of(
        (
            [replace(each, name=name) for each, name in zip(players, games[number].players, strict=True)],
            games[number].bots,
        )
        for number, players in reviews.players().items()
        if number in games
    )


@router.get("/standing", response_class=HTMLResponse, include_in_schema=False)
async def standing_page(request: Request, game: str | None = None) -> Response:
    """Return the page of an evening: who won how often, head to head, and the loser of the night.

    Raises:
        NoGameError: if `game` is not the number of a game.
    """
    if game is not None and not (game.isascii() and game.isdecimal() and len(game) < 10):
        raise NoGameError(f"expected the number of a game, got {game!r}")

    def made() -> Response:
        number = None if game is None else int(game)
        games = table_of(request).games
        found = {"evening": read_standing_of(request, number), "ratings": read_ratings_of(request, number)}
        aliases = games.aliases()
        people = sorted(name for name in games.people().values() if name not in aliases)
        return render(request, "standing.html", {**found, "aliases": aliases, "people": people})

    return await in_turn(request, made, all_games=True)


@router.get("/ratings", response_class=HTMLResponse, include_in_schema=False)
async def ratings_page(request: Request) -> Response:
    """Return the page of the players' ratings over all evenings."""

    def made() -> Response:
        return render(request, "ratings.html", {"ratings": read_ratings_of(request), "skills": skills_at(request)})

    return await in_turn(request, made, all_games=True)


@router.get("/api/v1/ratings", responses={200: answer_of(EveningRatings), **problems(404)})
async def read_ratings(request: Request, game: Annotated[int | None, Query(ge=1, lt=10**9)] = None) -> Response:
    """Return the players' ratings by Glicko-2 after the newest evening, or after the evening in which a game ended.

    They are worked out from the kept games: an evening is a rating period, and a deleted game does not count.
    """

    def made() -> Response:
        found = words_of(request).rendered(read_ratings_of(request, game))
        return Response(RATINGS.dump_json(found), media_type="application/json")

    return await in_turn(request, made, all_games=True)


@router.get("/api/v1/standing", responses={200: answer_of(EveningStanding), **problems(404)})
async def read_standing(request: Request, game: Annotated[int | None, Query(ge=1, lt=10**9)] = None) -> Response:
    """Return the standing of the newest evening, or of the evening in which a game ended.

    An evening is a row of games without a pause of six hours; `POST /api/v1/standing/close` ends it at once.
    """

    def made() -> Response:
        found = words_of(request).rendered(read_standing_of(request, game))
        return Response(STANDING.dump_json(found), media_type="application/json")

    return await in_turn(request, made)


@router.get("/api/v1/skills")
async def read_skills(request: Request) -> list[PlayerSkill]:
    """Return each player's share of best decisions, what the others gave away, and luck, over all reviewed games."""
    return list(await in_turn(request, lambda: words_of(request).rendered(skills_at(request))))


@router.get("/api/v1/names")
async def read_names(request: Request) -> list[JoinedName]:
    """Return the other names under which people have played, each with the name that it counts as."""
    return _joined(await in_turn(request, table_of(request).games.aliases))


@router.post("/api/v1/names", responses=problems(403, 409, 413, 415, 422, 503))
async def join_names(request: Request, body: NamesRequest) -> list[JoinedName]:
    """Count the games of one name as those of another, in the standing, ratings and statistics; the journal stays.

    Refused if either has played no kept game, or both have played one together.
    """
    games = table_of(request).games

    def done() -> Mapping[str, str]:
        games.join_names(body.alias, body.name)
        return games.aliases()

    return _joined(await in_turn(request, done, all_games=True))


def _joined(aliases: Mapping[str, str]) -> list[JoinedName]:
    return [JoinedName(alias, name) for alias, name in aliases.items()]


add_write(router, "/api/v1/standing/close", CloseEvening, after="")
add_write(router, "/api/v1/standing/reopen", ReopenEvening)
add_write(router, "/api/v1/rematch", ChooseNextStarter)
