"""The tournament over the API, and its page."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import Field

from companion.table.state.inputs import EndTournament, LeaveTournament, NextMatch
from companion.web.api import WRITTEN, write
from companion.web.language import words_of
from companion.web.pages import render
from companion.web.schema import Write, problems
from companion.web.table import table_of

router = APIRouter(responses=problems(421))


class LeaveTournamentRequest(Write):
    """The name of a player who leaves the tournament."""

    player: str = Field(max_length=100)


class EndTournamentRequest(Write):
    """The tournament ends early, or goes on after all."""

    ended: bool = True


@router.get("/tournament", response_class=HTMLResponse, include_in_schema=False)
async def tournament_page(request: Request) -> Response:
    """Return the page of the tournament at the table: its standing and its matches."""
    view = words_of(request).rendered(table_of(request).feed.latest.view)
    return render(request, "tournament.html", {"tournament": view.tournament})


@router.post("/api/v1/tournament/next", responses=WRITTEN)
async def start_next_match(request: Request, body: Write | None = None) -> Response:
    """Start the next match, which `tournament.next` of the view names. Refused while a game is under way."""
    return await write(request, NextMatch(), body or Write())


@router.post("/api/v1/tournament/leave", responses=WRITTEN)
async def leave_tournament(request: Request, body: LeaveTournamentRequest) -> Response:
    """Take a player out of the tournament, who loses each match that has not been finished."""
    return await write(request, LeaveTournament(body.player), body)


@router.post("/api/v1/tournament/end", responses=WRITTEN)
async def end_tournament(request: Request, body: EndTournamentRequest) -> Response:
    """End the tournament early; with `ended` false take that back, until another game begins."""
    return await write(request, EndTournament(body.ended), body)
