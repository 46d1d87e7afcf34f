"""The pages of the ratings, and of one person."""

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from farkleague.pages.boards import Id
from farkleague.pages.database import reading
from farkleague.pages.rendering import page

router = APIRouter()


@router.get("/ratings")
async def ratings_page(request: Request) -> Response:
    """Return the page of the ratings, the best first."""
    return page(request, "ratings.html", ratings=await reading(request).rows("ratings"))


@router.get("/people/{person}")
async def person_page(request: Request, person: Id) -> Response:
    """Return the page of a person; a player who was joined to a person leads there.

    Raises:
        HTTPException: 404 if there is no such person.
    """
    found = await reading(request).row("person", person=person)
    if found is None:
        raise HTTPException(404)
    if found.person != person:
        return RedirectResponse(f"/people/{found.person}", 303)
    against = await reading(request).rows("against", person=person)
    games = await reading(request).rows("games_of", person=person)
    return page(request, "person.html", person=found, against=against, games=games)
