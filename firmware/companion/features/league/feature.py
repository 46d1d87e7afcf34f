"""The league as a feature of the program; it is off if no broker is configured."""

import asyncio
from pathlib import Path

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from companion.features.league.sender import League
from companion.runtime.parts import ProgramPart
from companion.table.state.inputs import Fault
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.web.guard.clients import client_of, require_set_up
from companion.web.pages import render
from companion.web.schema import Body, problems
from companion.web.table import table_of
from companion.web.writes import WRITE_PROBLEMS
from companion.words import because, message

router = APIRouter(responses=problems(421))


def league_of(request: Request) -> League:
    """Return the table's sender to its league.

    Raises:
        HTTPException: 404 if no league is configured.
    """
    found = table_of(request).offered(League)
    if found is None:
        raise HTTPException(404)
    return found


@router.get("/league", response_class=HTMLResponse, include_in_schema=False)
async def league_page(request: Request) -> Response:
    """Return the page that says how the table stands in its league, and what the league gets."""
    league = league_of(request)
    fault = dict(table_of(request).host.state.faults).get("league")
    context = {"own": league.own, "waiting": league.waiting, "fault": fault}
    return render(request, "league.html", {**context, "sets_up": client_of(request).may_set_up})


@router.post("/api/v1/league/leave", status_code=204, responses=WRITE_PROBLEMS, dependencies=[Depends(require_set_up)])
async def leave_league(request: Request, _: Body | None = None) -> None:
    """Leave the league: the table takes a new code, and no league knows it until an organiser enrols that code."""
    await asyncio.to_thread(league_of(request).renew)


def _opened(table: TableParts) -> OpenedFeature:
    if table.config.league.host and table.saved:
        league = League(table)
        return OpenedFeature((ProgramPart.of("league", league),), (league,))
    if table.config.league.host:
        table.host.submit(Fault("league", because(message("fault.league"), message("league_page.not_saved"))))
    return OpenedFeature()


def _context(request: Request) -> dict[str, object]:
    """Return whether the table has a league."""
    return {"in_league": table_of(request).offered(League) is not None}


FEATURE = Feature("league", opened=_opened, routers=(router,), context=_context, folder=Path(__file__).parent)
"""The league."""
