"""The daily challenge: its page, its results over the API, and the request that begins it."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import Field, TypeAdapter

from companion.errors import RefusedError
from companion.games.daily import Challenges, begin_challenge, challenges_of, today_of, usual_player
from companion.table.state.inputs import Attended, NewGame, ResumeGame
from companion.web.api import WRITTEN, write
from companion.web.documentation import answer_of
from companion.web.games.turns import in_turn
from companion.web.language import words_of
from companion.web.pages import render
from companion.web.schema import Write, problems
from companion.web.table import WebTable, table_of

router = APIRouter(responses=problems(421))


class DailyRequest(Write):
    """Who plays today's challenge; empty for its last player."""

    player: Annotated[str, Field(max_length=100)] = ""


@dataclass(frozen=True)
class DailyShown:
    """The challenges, whether this table can deal today's, and who would play it."""

    offered: bool
    player: str
    challenges: Challenges


SHOWN = TypeAdapter(DailyShown)


def _shown(request: Request) -> DailyShown:
    table, words = table_of(request), words_of(request)
    try:
        day = today_of(table.wall())
    except RefusedError:
        day = ""
    found = challenges_of(table.games.summaries(), day)
    player = usual_player(found, words("lobby.no_name", number=1))
    return words.rendered(DailyShown(_deals(table) and bool(day), player, found))


def _deals(table: WebTable) -> bool:
    return table.feed.latest.view.lobby.daily


@router.get("/daily", response_class=HTMLResponse, include_in_schema=False)
async def daily_page(request: Request) -> Response:
    """Return the page of the daily challenge: today's results, those of earlier days, and the best turns."""

    def made() -> Response:
        context = {"shown": _shown(request), "simulated": _deals(table_of(request))}
        return render(request, "daily.html", context)

    return await in_turn(request, made, all_games=True)


@router.get("/api/v1/daily", responses={200: answer_of(DailyShown)})
async def read_daily(request: Request) -> Response:
    """Return the results of today's challenge, those of earlier days, and the best turns of all."""
    found = await in_turn(request, lambda: _shown(request), all_games=True)
    return Response(SHOWN.dump_json(found), media_type="application/json")


@router.post("/api/v1/daily", responses=WRITTEN)
async def begin_daily(request: Request, body: DailyRequest | None = None) -> Response:
    """Begin today's challenge for one person, or go on with an unfinished attempt; the game at the table is kept.

    Refused at a table with real dice, because nobody can deal them.
    """
    body = body or DailyRequest()
    table = table_of(request)

    def given() -> NewGame | ResumeGame | Attended:
        fallback = words_of(request)("lobby.no_name", number=1)
        if begun := begin_challenge(table.games, table.wall(), body.player.strip(), fallback):
            return begun
        return ResumeGame(table.games.at_table()) if table.feed.latest.view.phase == "lobby" else Attended()

    return await write(request, await asyncio.to_thread(given), body)
