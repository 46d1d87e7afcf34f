"""The pages of the boards, and of one game that is played."""

from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Path, Request
from fastapi.responses import Response

from farkleague.pages.cards import Card, board_cards, game_cards
from farkleague.pages.database import reading
from farkleague.pages.rendering import page

router = APIRouter()

Id = Annotated[int, Path(ge=1, lt=1 << 31)]

_BOARDS: Final = (
    "SELECT name, program, problem, seen, repeated, (SELECT count(*) FROM games WHERE board = boards.id) AS games,"
    " (SELECT jsonb_agg(jsonb_build_array(why, count) ORDER BY at DESC) FROM refusals WHERE board = boards.id)"
    " AS refusals FROM boards ORDER BY name"
)


@router.get("/")
async def live_page(request: Request) -> Response:
    """Return the page of all boards with what they play now."""
    return page(request, "live.html", cards=await board_cards(reading(request)))


@router.get("/games/{game}")
async def game_page(request: Request, game: Id) -> Response:
    """Return the page of one game, large enough for a television."""
    return page(request, "watch.html", card=await card_of(request, game))


@router.get("/boards")
async def boards_page(request: Request) -> Response:
    """Return the page of the enrolled boards, when they were seen, and what is wrong with them."""
    return page(request, "boards.html", boards=await reading(request).rows(_BOARDS))


async def card_of(request: Request, game: int) -> Card:
    """Return a game.

    Raises:
        HTTPException: 404 if there is none.
    """
    cards = await game_cards(reading(request), [game])
    if not cards:
        raise HTTPException(404)
    return cards[0]
