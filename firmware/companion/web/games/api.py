"""The kept games over the API: the list, one game, the fairness of the dice, and the picture of a throw."""

import asyncio
from typing import Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from companion.errors import NoGameError
from companion.games.fairness import Fairness, fairness_of
from companion.games.statistics import GameStatistics, GameSummary, dice_of
from companion.web.access import require_trusted
from companion.web.schema import problem, problems
from companion.web.table import table_of

router = APIRouter(prefix="/api/v1", responses=problems(421))


@router.get("/games", response_model=list[GameSummary])
async def read_games(request: Request) -> tuple[GameStatistics, ...]:
    """Return every kept game, the newest first."""
    return await asyncio.to_thread(table_of(request).games.summaries)


@router.get("/games/{game}/notation.txt", response_class=Response, responses=problems(404))
async def read_game(request: Request, game: int) -> Response:
    """Return one game in the notation that `farklecrib replay` reads.

    Raises:
        NoGameError: if the journal keeps no such game.
    """
    if not 0 < game < 10**9:
        raise NoGameError(f"expected the number of a game, got {game}")
    report = await asyncio.to_thread(table_of(request).games.report, game)
    return Response(report.notation, media_type="text/plain; charset=utf-8")


@router.get("/fairness")
async def read_fairness(request: Request, of: Literal["real", "recorded", "simulated"] = "real") -> Fairness:
    """Return whether the dice of one origin are fair; `p` and `findable` are null if there are too few dice."""
    summaries = await asyncio.to_thread(table_of(request).games.summaries)
    return fairness_of(dice_of(summaries, of), of)


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
        return problem(404, f"no still of act {act} is kept")
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=86400, immutable"})
