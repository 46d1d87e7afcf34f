"""The pages of the boards, and of one game that is played."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Request
from fastapi.responses import Response

from farkleague.pages.cards import Card, cards
from farkleague.pages.database import reading
from farkleague.pages.rendering import page

router = APIRouter()

Id = Annotated[int, Path(ge=1, lt=1 << 31)]


@router.get("/")
async def live_page(request: Request) -> Response:
    """Return the page of all boards with what they play now."""
    return page(request, "live.html", cards=await cards(reading(request)))


@router.get("/games/{game}")
async def game_page(request: Request, game: Id) -> Response:
    """Return the page of one game, large enough for a television."""
    return page(request, "watch.html", card=await card_of(request, game))


@router.get("/boards")
async def boards_page(request: Request) -> Response:
    """Return the page of the enrolled boards, when they were seen, and what is wrong with them."""
    return page(request, "boards.html", boards=await reading(request).rows("boards"))


async def card_of(request: Request, game: int) -> Card:
    """Return a game.

    Raises:
        HTTPException: 404 if there is none.
    """
    found = await cards(reading(request), [game])
    if not found:
        raise HTTPException(404)
    return found[0]
