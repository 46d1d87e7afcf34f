"""The pages of the ratings, and of one person."""

from typing import Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from farkleague.pages.boards import Id
from farkleague.pages.database import reading
from farkleague.pages.rendering import page

router = APIRouter()

SURE = 2
"""The deviations of an interval that holds a person's strength with a chance of 95 per cent."""

_RATINGS: Final = (
    "SELECT ratings.person, players.name, boards.name AS board, value, deviation, games FROM ratings"
    " JOIN players ON players.id = ratings.person JOIN boards ON boards.id = board WHERE games > 0"
    " ORDER BY value DESC, ratings.person LIMIT 1000"
)
_PERSON: Final = (
    "SELECT players.person, players.name, value, deviation, games,"
    " (SELECT array_agg(DISTINCT boards.name) FROM players own JOIN boards ON boards.id = board"
    " WHERE own.person = players.person) AS boards"
    " FROM players LEFT JOIN ratings USING (person) WHERE players.id = %s AND NOT bot"
)
_AGAINST: Final = (
    "SELECT other.person, (SELECT name FROM players WHERE id = other.person) AS name,"
    " count(*) FILTER (WHERE mine.place < theirs.place) AS won,"
    " count(*) FILTER (WHERE mine.place = theirs.place) AS drawn,"
    " count(*) FILTER (WHERE mine.place > theirs.place) AS lost"
    " FROM players own JOIN results mine ON mine.player = own.id"
    " JOIN results theirs ON theirs.game = mine.game AND theirs.side <> mine.side"
    " JOIN players other ON other.id = theirs.player WHERE own.person = %s"
    " GROUP BY other.person ORDER BY count(*) DESC, other.person LIMIT 500"
)
_GAMES: Final = (
    "SELECT games.id, boards.name AS board, last_at, live->>'title' AS title, mine.place,"
    " (SELECT array_agg(coalesce(nullif(players.name, ''), 'Somebody') ORDER BY theirs.place) FROM results theirs"
    " JOIN players ON players.id = theirs.player WHERE theirs.game = games.id AND theirs.side <> mine.side) AS others"
    " FROM players own JOIN results mine ON mine.player = own.id JOIN games ON games.id = mine.game"
    " JOIN boards ON boards.id = games.board WHERE own.person = %s ORDER BY last_at DESC LIMIT 50"
)


@router.get("/ratings")
async def ratings_page(request: Request) -> Response:
    """Return the page of the ratings, the best first."""
    return page(request, "ratings.html", ratings=await reading(request).rows(_RATINGS), sure=SURE)


@router.get("/people/{person}")
async def person_page(request: Request, person: Id) -> Response:
    """Return the page of a person; a player who was joined to a person leads there.

    Raises:
        HTTPException: 404 if there is no such person.
    """
    found = await reading(request).row(_PERSON, [person])
    if found is None:
        raise HTTPException(404)
    if found.person != person:
        return RedirectResponse(f"/people/{found.person}", 303)
    against = await reading(request).rows(_AGAINST, [person])
    games = await reading(request).rows(_GAMES, [person])
    return page(request, "person.html", person=found, against=against, games=games, sure=SURE)
