"""The games kept, over the API: the list, one game, the dice, and the still of a throw."""

import asyncio
from typing import Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel

from companion.errors import NoGameError
from companion.games.fairness import fairness_of
from companion.games.statistics import dice_of
from companion.web.access import MAY_NOT_SEE, near
from companion.web.ports import table_of
from companion.web.problems import problem
from companion.web.schema import Problem

_ERRORS: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "no such game or still"},
    403: {"model": Problem, "description": "not from the network"},
}

router = APIRouter(prefix="/api/v1", responses={421: {"model": Problem, "description": "another host's name"}})


class KeptGame(BaseModel):
    """A game in short; times are seconds since 1970."""

    number: int
    begun_at: float
    last_at: float
    rules: str
    title: str
    players: tuple[str, ...]
    scores: dict[str, int]
    over: bool
    winners: tuple[str, ...]
    turns: int
    throws: int


class Dice(BaseModel):
    """How often each face came up; shares are from 0 to 1, `p` and `findable` null where there are too few dice."""

    of: str
    throws: int
    counts: tuple[int, ...]
    chi_square: float
    p: float | None
    findable: float | None
    corrected: int
    unsure: int
    verdict: str


@router.get("/games")
async def read_games(request: Request) -> list[KeptGame]:
    """Every game that is kept, the newest first."""
    summaries = await asyncio.to_thread(table_of(request).games.summaries)
    return [
        KeptGame(
            scores=dict(each.scores),
            **{name: getattr(each, name) for name in KeptGame.model_fields if name != "scores"},
        )
        for each in summaries
    ]


@router.get("/games/{game}/notation.txt", response_class=Response, responses=_ERRORS)
async def read_game(request: Request, game: int) -> Response:
    """One game in the notation that `farklecrib replay` reads."""
    games = table_of(request).games
    if not 0 < game < 10**9:
        return problem(404, f"expected the number of a game, got {game}")
    try:
        record = await asyncio.to_thread(games.record, game)
    except NoGameError as error:
        return problem(404, str(error))
    return Response(record.notation, media_type="text/plain; charset=utf-8")


@router.get("/fairness")
async def read_fairness(request: Request, of: Literal["real", "recorded", "simulated"] = "real") -> Dice:
    """Whether the dice of one origin are fair."""
    summaries = await asyncio.to_thread(table_of(request).games.summaries)
    found = fairness_of(dice_of(summaries, of))
    return Dice(of=of, **{name: getattr(found, name) for name in Dice.model_fields if name != "of"})


@router.get("/stills/{act}.jpg", response_class=Response, responses=_ERRORS)
async def read_still(request: Request, act: int, close: bool = Depends(near)) -> Response:
    """The picture that the throw of an act was read from."""
    if not close:
        return problem(403, MAY_NOT_SEE)
    stills = table_of(request).games.stills
    jpeg = await asyncio.to_thread(stills.still, act) if 0 < act < 10**8 else None
    if jpeg is None:
        return problem(404, f"no still of act {act} is kept")
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=86400, immutable"})
