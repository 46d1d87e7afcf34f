"""The pages that everybody may see: boards and games, seasons and tournaments, people and their ratings."""

from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from farkle.tournament import Match, is_over, rounds, standing, winners
from farkleague.pages.cards import Id, card_of, cards
from farkleague.pages.database import reading
from farkleague.pages.rendering import page
from farkleague.results import tournament_of

router = APIRouter()


class Entrant(NamedTuple):
    """One entrant of a competition: the number and the name of the person, and the board where the person plays."""

    person: int
    name: str
    board: str
    board_id: int


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


@router.get("/seasons")
async def seasons_page(request: Request) -> Response:
    """Return the page of all seasons and tournaments, the newest first."""
    return page(request, "seasons.html", seasons=await reading(request).rows("seasons"))


@router.get("/seasons/{season}")
async def season_page(request: Request, season: Id, board: int = 0) -> Response:
    """Return the page of a season or tournament; with `board`, only the matches of its players.

    Raises:
        HTTPException: 404 if there is none.
    """
    found = await reading(request).row("season", season=season)
    if found is None:
        raise HTTPException(404)
    entrants = [Entrant(*each) for each in found.entrants]
    by_person = {str(each.person): each for each in entrants}
    tournament = tournament_of(found)
    games = {frozenset(each[:2]): each[4:] for each in found.played}

    def shown(match: Match) -> bool:
        return not board or any(entrants[player].board_id == board for player in match.players)

    context: dict[str, Any] = {
        "boards": sorted({(each.board, each.board_id) for each in entrants}),
        "played": lambda match: games[frozenset(entrants[player].person for player in match.players)],
        "rounds": [(len(each), [match for match in each if shown(match)]) for each in rounds(tournament)],
        "standing": [(each, by_person[each.name]) for each in standing(tournament)],
        "winners": [by_person[each] for each in winners(tournament)],
    }
    over = is_over(tournament)
    return page(request, "season.html", season=found, board=board, entrants=entrants, over=over, **context)
