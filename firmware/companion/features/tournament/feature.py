"""The tournament as a feature of the program: its page, and its part of the API."""

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from companion.features.tournament.table import TOURNAMENT
from companion.features.tournament.table.matches import EndTournament, LeaveTournament, NextMatch
from companion.features.tournament.table.shown import TournamentShown
from companion.web.feature import Feature
from companion.web.guard.clients import words_of
from companion.web.pages import render
from companion.web.schema import problems
from companion.web.table import table_of
from companion.web.writes import add_write

router = APIRouter(responses=problems(421))


@router.get("/tournament", response_class=HTMLResponse, include_in_schema=False)
async def tournament_page(request: Request) -> Response:
    """Return the page of the tournament at the table: its standing and its matches."""
    view = table_of(request).shown_in(words_of(request)).view
    shown = view.tournament if isinstance(view, TournamentShown) else None
    return render(request, "tournament.html", {"tournament": shown})


add_write(router, "/api/v1/tournament/next", NextMatch)
add_write(router, "/api/v1/tournament/leave", LeaveTournament)
add_write(router, "/api/v1/tournament/end", EndTournament)


def _context(request: Request) -> dict[str, object]:
    """Return whether the table plays a tournament."""
    view = table_of(request).feed.latest.view
    return {"in_tournament": isinstance(view, TournamentShown) and bool(view.tournament)}


FEATURE = Feature("tournament", TOURNAMENT, routers=(router,), context=_context, folder=Path(__file__).parent)
