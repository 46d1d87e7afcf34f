"""The lobby over the API: the draft of the next game, what earlier games offer to it, and games that go on."""

import asyncio
from itertools import islice

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import TypeAdapter

from companion.games.earlier import Earlier, earlier_of
from companion.table.state.inputs import EditLobby, ResumeGame, StartDraft
from companion.web.documentation import answer_of
from companion.web.games.api import known_number
from companion.web.language import words_of
from companion.web.schema import Write, problems
from companion.web.table import in_turn, table_of
from companion.web.writes import WRITTEN, add_write, write

NEWEST = 50
"""The games whose names a new game is offered."""

router = APIRouter(prefix="/api/v1", responses=problems(421))
EARLIER = TypeAdapter(Earlier)


add_write(router, "/lobby", EditLobby)
add_write(router, "/lobby/start", StartDraft)


@router.get("/lobby/earlier", responses={200: answer_of(Earlier)})
async def read_earlier(request: Request) -> Response:
    """Return what earlier games offer to a new one: names, who played together, and the games that can go on."""

    def made() -> Response:
        table = table_of(request)
        players = () if table.set_up is None else table.set_up.config.table.players
        newest = tuple(islice(table.games.newest_first(), NEWEST))
        found = earlier_of(newest, table.games.at_table(), table.wall(), players)
        return Response(EARLIER.dump_json(words_of(request).rendered(found)), media_type="application/json")

    return await in_turn(request, made)


@router.post("/games/{game}/resume", responses=WRITTEN)
async def resume_game(request: Request, game: int, body: Write | None = None) -> Response:
    """Make a kept game that is not finished the game at the table; the one at the table is kept."""
    number = known_number(game)
    await asyncio.to_thread(table_of(request).games.story, number)
    return await write(request, ResumeGame(number), body or Write())
