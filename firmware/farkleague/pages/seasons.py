"""The pages of seasons and tournaments: the standing, and the matches by rounds."""

from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from farkle.tournament import Match, is_over, rounds, standing, winners
from farkleague.pages.boards import Id
from farkleague.pages.database import reading
from farkleague.pages.rendering import page
from farkleague.results import tournament_of

router = APIRouter()


class Entrant(NamedTuple):
    """Who plays in a competition: the number of the person, the name, and the board where the person plays."""

    person: int
    name: str
    board: str
    board_id: int


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
    tournament = tournament_of(found.form, [each.person for each in entrants], [each[:4] for each in found.played])
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
