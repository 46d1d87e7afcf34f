"""The kept games over the API: the list, one game, the fairness of the dice, pictures, and the evening's standing."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from pydantic import Field, TypeAdapter

from companion.errors import NoGameError
from companion.games.standings import EveningStanding, standing_at
from companion.games.statistics import Fairness, GameSummary, dice_of, fairness_of
from companion.table.state.inputs import ChooseNextStarter, CloseEvening, ReopenEvening
from companion.web.games.pages import PAGE
from companion.web.games.replay import GameReplay, replay_of
from companion.web.guard.clients import is_trusted, require_trusted, words_of
from companion.web.schema import Body, answer_of, json_answer, problem, problems
from companion.web.table import in_turn, table_of
from companion.web.writes import add_write
from farkle.rules.dice import Faces

router = APIRouter(prefix="/api/v1", responses=problems(421))


@dataclass(frozen=True)
class BestTurn:
    """A banked turn: its player, its points, and the dice that were kept of each throw."""

    player: str
    points: int
    kept: tuple[Faces, ...]


class NamesRequest(Body):
    """Another name of a person, and the name that it counts as; an empty one takes that back."""

    alias: str = Field(min_length=1, max_length=100)
    name: str = Field(default="", max_length=100)


@dataclass(frozen=True)
class JoinedName:
    """Another name under which a person has played, and the name that it counts as."""

    alias: str
    name: str


SUMMARIES = TypeAdapter(tuple[GameSummary, ...])


@router.get("/games", response_model=list[GameSummary])
@in_turn()
def read_games(request: Request, page: Annotated[int, Query(ge=1, le=10**8)] = 1) -> Response:
    """Return a page of fifty kept games, the newest first; a page beyond the last is empty."""
    shown = table_of(request).games.summaries(slice((page - 1) * PAGE, page * PAGE))
    return Response(SUMMARIES.dump_json(shown), media_type="application/json")


@router.get("/games/{game}/notation.txt", response_class=Response, responses=problems(404))
@in_turn()
def read_game(request: Request, game: int) -> Response:
    """Return one game in the notation that `farklecrib replay` reads."""
    story = table_of(request).games.story(known_number(game))
    return Response(story.notation, media_type="text/plain; charset=utf-8")


@router.get("/games/{game}/turns", responses={200: answer_of(GameReplay), **problems(404)})
@in_turn()
def read_turns(request: Request, game: int) -> Response:
    """Return one game turn by turn: its throws in words, and where the pegs stood after each turn."""
    games = table_of(request).games
    pictures = games.images.acts() if is_trusted(request) else frozenset[int]()
    return json_answer(request, replay_of(games.story(known_number(game)), pictures))


@router.get("/games/{game}/best", responses=problems(404))
@in_turn()
def read_best_turns(request: Request, game: Literal["now"] | int) -> list[BestTurn]:
    """Return the best turns of a game, or of the game at the table for `now`, the best one first."""
    games = table_of(request).games
    best = games.story(None if game == "now" else known_number(game)).best_turns
    kept = (tuple(throw.kept for throw in turn.throws if throw.kept and not throw.undone) for turn in best)
    return [BestTurn(turn.player, turn.points, dice) for turn, dice in zip(best, kept, strict=True)]


def known_number(game: int) -> int:
    """Return `game` if it may be the number of a game.

    Raises:
        NoGameError: if no game has such a number.
    """
    if not 0 < game < 10**9:
        raise NoGameError(f"expected the number of a game, got {game}")
    return game


@router.get("/fairness")
@in_turn(all_games=True)
def read_fairness(request: Request, of: Literal["real", "recorded", "simulated"] = "real") -> Fairness:
    """Return whether the dice of one origin are fair; `p` and `findable` are null if there are too few dice."""
    found = fairness_of(dice_of(table_of(request).games.summaries(), of), of)
    return words_of(request).rendered(found)


@router.get(
    "/stills/{act}.jpg",
    response_class=Response,
    responses=problems(403, 404),
    dependencies=[Depends(require_trusted)],
)
async def read_still(request: Request, act: int) -> Response:
    """Return the picture that the throw of an act was read from."""
    images = table_of(request).games.images
    jpeg = await asyncio.to_thread(images.image, act) if 0 < act < 10**8 else None
    if jpeg is None:
        return problem(404, words_of(request)("access.no_still"))
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=86400, immutable"})


@router.get("/standing", responses={200: answer_of(EveningStanding), **problems(404)})
@in_turn()
def read_standing(request: Request, game: Annotated[int | None, Query(ge=1, lt=10**9)] = None) -> Response:
    """Return the standing of the newest evening, or of the evening in which a game ended.

    An evening is a row of games without a pause of six hours; `POST /api/v1/standing/close` ends it at once.
    """
    return json_answer(request, standing_at(table_of(request).games.newest_first(), game))


@router.get("/names")
@in_turn()
def read_names(request: Request) -> list[JoinedName]:
    """Return the other names under which people have played, each with the name that it counts as."""
    return [JoinedName(alias, name) for alias, name in table_of(request).games.aliases().items()]


@router.post("/names", responses=problems(400, 403, 409, 413, 415, 422, 503))
@in_turn(all_games=True)
def join_names(request: Request, body: NamesRequest) -> list[JoinedName]:
    """Count the games of one name as those of another, in the standing, ratings and statistics; the journal stays.

    Refused if either has played no kept game, or both have played one together.
    """
    games = table_of(request).games
    games.join_names(body.alias, body.name)
    return [JoinedName(alias, name) for alias, name in games.aliases().items()]


add_write(router, "/standing/close", CloseEvening, after="")
add_write(router, "/standing/reopen", ReopenEvening)
add_write(router, "/rematch", ChooseNextStarter)
