"""The table's API: the view, the stream of views, the lobby, and the writes of the page."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import nullcontext
from itertools import islice
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import Field

from companion.games.standings import Earlier, earlier_of
from companion.runtime.feed import Update
from companion.simulation.simulated_table import TrayHands
from companion.table.state import inputs
from companion.table.view import View
from companion.web.games.api import known_number
from companion.web.guard.clients import Access, access_of, client_of, origin_of, require_trusted, words_of
from companion.web.guard.connections import CONNECTION
from companion.web.schema import Body, Write, answer_of, json_answer, problem, problems
from companion.web.table import HEADERS, ActStream, EventStream, in_turn, table_of
from companion.web.writes import WRITTEN, add_write, answer, note_phone, write

THROW_BEGINS_S = 3.0
"""Seconds to wait until the eye sees a simulated throw begin; a blind eye never does."""

LONGEST_PAGE_ID = 40
"""The most characters of the id that a page gives itself."""

LONGEST_ACT_ID = 100
"""The most characters of the id of an act."""

NEWEST = 50
"""The games whose names a new game is offered."""

router = APIRouter(prefix="/api/v1", responses=problems(421))


class ButtonPress(Write):
    """A press of a button on the page."""

    press: Literal["tap", "hold"] = "tap"


class ThrowRequest(Body):
    """The faces of the next simulated throw; null leaves them to chance.

    A `whole` throw shows all that a hand does, another one is quick; null shows it in the first turn on this table.
    """

    dice: list[int] | None = Field(default=None, max_length=6)
    whole: bool | None = None


class ShelveRequest(Body):
    """Simulated dice to set aside, by their index in the last throw."""

    dice: list[int] = Field(max_length=6)


@router.get("/state", responses={200: answer_of(View)})
async def read_state(request: Request) -> Response:
    """Return the whole view."""
    return answer(request)


@router.get("/access")
async def read_access(request: Request) -> Access:
    """Return what this client may do; two clients of one table may get different answers."""
    return access_of(request)


@router.get("/events", response_class=EventStream)
async def read_events(
    request: Request,
    page: Annotated[str, Query(max_length=LONGEST_PAGE_ID)] = "",
    acts: bool = False,
    after: Annotated[str, Query(max_length=LONGEST_ACT_ID)] = "",
) -> Response:
    """Stream the newest view and every one after it; the event's `id` is the view's `seq`.

    Every two seconds comes `event: ping`, whose data is `{"version": N}`: the version of the last view. `page` is a
    random text: a stream ends the one that was opened with the same text before.

    With `acts` the views have no `id`. Named events come between them, and the last one of each act has the `id`
    SEQ-HASH. After a header `Last-Event-ID`, or `after`, the missed acts come first; `event: reset` with a view says
    that this table does not know that id.
    """
    return EventStream(_events(request, page, after, acts=acts), headers=HEADERS)


async def _events(request: Request, page: str, after: str, *, acts: bool) -> AsyncIterator[bytes]:
    table, phone, streams = table_of(request), client_of(request).phone, request.app.state.streams
    connection = getattr(request.state, CONNECTION, None)  # None in tests that call the application without a socket
    stream = table.offered(ActStream) if acts else None
    since = request.headers.get("last-event-id", after)[:LONGEST_ACT_ID]
    if phone is not None:
        table.pairing.arrives(phone.id)
    try:
        with streams.of_page(page if connection else "", connection and connection.end):
            async with stream.after(request, since) if stream else nullcontext() as before:
                async for event in streams.views(table, words_of(request), before):
                    yield event
    finally:
        if phone is not None:
            table.pairing.leaves(phone.id)


@router.get(
    "/tray.jpg",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}, **problems(403, 404)},
    dependencies=[Depends(require_trusted)],
)
async def read_tray(request: Request, v: Annotated[int | None, Query(ge=0, le=2**31)] = None) -> Response:
    """Return a picture of the tray: of observation `v`, or without `v` the newest. Only for people who may play."""
    pictures = table_of(request).pictures
    caching = "no-store" if v is None else "private, max-age=86400, immutable"
    jpeg = pictures.preview() if v is None else pictures.picture(v)
    if jpeg is None:
        return problem(404, words_of(request)("access.no_picture" if v is None else "access.picture_gone"))
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": caching})


@router.get("/notation.txt", response_class=PlainTextResponse, responses=problems(404))
async def read_notation(request: Request) -> Response:
    """Return the newest game in the notation that `farklecrib replay` reads."""
    text = table_of(request).host.notation()
    return PlainTextResponse(text) if text else problem(404, words_of(request)("access.no_game_yet"))


@router.post("/buttons/{button}", responses=WRITTEN)
async def press_button(request: Request, button: Literal["keep", "roll", "bank"], body: ButtonPress) -> Response:
    """Press a button as if at the table."""
    return await write(
        request, inputs.Press(inputs.Button(button), inputs.Gesture(body.press), origin_of(request)), body
    )


add_write(router, "/game", inputs.NewGame, names="players")
add_write(router, "/keep", inputs.ChooseSelection)
add_write(router, "/correct", inputs.CorrectRoll, faces="roll")
add_write(router, "/roll", inputs.EnterRoll, faces="roll")
add_write(router, "/undo", inputs.Undo)
add_write(router, "/pause", inputs.Pause)
add_write(router, "/answer", inputs.Answer)
add_write(router, "/count", inputs.CountPoints)
add_write(router, "/join", inputs.JoinGame)
add_write(router, "/sound", inputs.SetSound)
add_write(router, "/lobby", inputs.EditLobby)
add_write(router, "/lobby/start", inputs.StartDraft)


@router.post("/simulator/throw", responses=WRITTEN)
async def simulator_throw(request: Request, body: ThrowRequest | None = None) -> Response:
    """Throw simulated dice. Answers when the eye sees them move."""
    table, hands = table_of(request), _simulated_hands(request)
    note_phone(request, None)
    before, asked = table.feed.latest.view.throw_seq, body or ThrowRequest()
    dice = None if asked.dice is None else tuple(asked.dice)
    await asyncio.to_thread(hands.throw, dice, whole=asked.whole)

    def began(update: Update) -> bool:
        return update.view.phase == "rolling" or update.view.throw_seq != before

    await asyncio.to_thread(table.feed.wait, began, THROW_BEGINS_S)
    return answer(request)


@router.post("/simulator/shelve", responses=WRITTEN)
async def simulator_shelve(request: Request, body: ShelveRequest) -> Response:
    """Set simulated dice aside."""
    hands = _simulated_hands(request)
    note_phone(request, None)
    await asyncio.to_thread(hands.shelve, tuple(body.dice))
    return answer(request)


def _simulated_hands(request: Request) -> TrayHands:
    hands = table_of(request).simulated_hands
    if hands is None:
        raise HTTPException(404, words_of(request)("access.real_tray"))
    return hands


@router.get("/lobby/earlier", responses={200: answer_of(Earlier)})
@in_turn()
def read_earlier(request: Request) -> Response:
    """Return what earlier games offer to a new one: names, who played together, and the games that can go on."""
    table = table_of(request)
    newest = tuple(islice(table.games.newest_first(), NEWEST))
    return json_answer(request, earlier_of(newest, table.games.at_table(), table.wall(), table.players))


@router.post("/games/{game}/resume", responses=WRITTEN)
async def resume_game(request: Request, game: int, body: Write | None = None) -> Response:
    """Make a kept game that is not finished the game at the table; the one at the table is kept."""
    number = known_number(game)
    await asyncio.to_thread(table_of(request).games.story, number)
    return await write(request, inputs.ResumeGame(number), body or Write())
