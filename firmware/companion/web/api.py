"""The table's API: the view, the stream of views, and the writes of the page."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import PlainTextResponse, Response

from companion.pairing.seats import check_seat
from companion.runtime.feed import Update
from companion.simulation.tray_hands import TrayHands
from companion.table.state.inputs import (
    Answer,
    Button,
    ChooseSelection,
    CorrectRoll,
    CountPoints,
    EnterRoll,
    Gesture,
    Input,
    JoinGame,
    NewGame,
    Pause,
    Press,
    SetSound,
    Undo,
)
from companion.table.view import View
from companion.web.clients import access_of, client_of, origin_of, require_trusted
from companion.web.connections import CONNECTION
from companion.web.documentation import answer_of
from companion.web.language import words_of
from companion.web.schema import (
    Access,
    AnswerRequest,
    ButtonPress,
    CorrectRequest,
    CountRequest,
    GameRequest,
    JoinRequest,
    KeepRequest,
    LostRace,
    ShelveRequest,
    SoundRequest,
    ThrowRequest,
    Write,
    problem,
    problems,
)
from companion.web.streams import HEADERS, EventStream
from companion.web.table import table_of

THROW_BEGINS_S = 3.0
"""Seconds to wait until the eye sees a simulated throw begin; a blind eye never does."""

LONGEST_PAGE_ID = 40
"""The most characters of the id that a page gives itself."""

WRITE_PROBLEMS: dict[int | str, dict[str, Any]] = {
    **problems(400, 403, 404, 413, 415, 422, 503),
    409: answer_of(LostRace, "another act came first, or dice move: the new state"),
}
WRITTEN = {200: answer_of(View), **WRITE_PROBLEMS}
"""The answers of a write that shows the table afterwards."""

router = APIRouter(prefix="/api/v1", responses=problems(421))


def _answer(request: Request) -> Response:
    """Return the newest view as a response."""
    return Response(table_of(request).shown_in(words_of(request)).json, media_type="application/json")


@router.get("/state", responses={200: answer_of(View)})
async def read_state(request: Request) -> Response:
    """Return the whole view."""
    return _answer(request)


@router.get("/access")
async def read_access(request: Request) -> Access:
    """Return what this client may do; two clients of one table may get different answers."""
    return access_of(request)


@router.get("/events", response_class=EventStream)
async def read_events(request: Request, page: Annotated[str, Query(max_length=LONGEST_PAGE_ID)] = "") -> Response:
    """Stream the newest view and every one after it; the event's `id` is the view's `seq`.

    Every two seconds comes `event: ping`, whose data is `{"version": N}`: the version of the last view. `page` is a
    random text: a stream ends the one that was opened with the same text before.
    """
    return EventStream(_events(request, page), headers=HEADERS)


async def _events(request: Request, page: str) -> AsyncIterator[bytes]:
    table, phone, streams = table_of(request), client_of(request).phone, request.app.state.streams
    connection = getattr(request.state, CONNECTION, None)  # None in tests that call the application without a socket
    if phone is not None:
        table.pairing.arrives(phone.id)
    try:
        with streams.of_page(page if connection else "", connection and connection.end):
            async for event in streams.views(table, words_of(request)):
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
    text = table_of(request).notation()
    return PlainTextResponse(text) if text else problem(404, words_of(request)("access.no_game_yet"))


@router.post("/game", responses=WRITTEN)
async def start_game(request: Request, body: GameRequest) -> Response:
    """Start a game by a packaged rule set, by one that the house has saved, or by the own one that is being played."""
    given = NewGame(
        body.rules,
        tuple(body.players),
        settings=body.settings,
        track=body.track,
        start=body.start,
        teams={name: tuple(members) for name, members in body.teams.items()} if body.teams else None,
    )
    return await write(request, given, body)


@router.post("/buttons/{button}", responses=WRITTEN)
async def press_button(request: Request, button: Literal["keep", "roll", "bank"], body: ButtonPress) -> Response:
    """Press a button as if at the table."""
    return await write(request, Press(Button(button), Gesture(body.press), origin_of(request)), body)


@router.post("/keep", responses=WRITTEN)
async def choose_selection(request: Request, body: KeepRequest) -> Response:
    """Choose dice of the roll."""
    return await write(request, ChooseSelection(tuple(body.dice), body.points), body)


@router.post("/correct", responses=WRITTEN)
async def correct_roll(request: Request, body: CorrectRequest) -> Response:
    """Correct the faces of the last throw."""
    return await write(request, CorrectRoll(tuple(body.roll)), body)


@router.post("/undo", responses=WRITTEN)
async def undo_act(request: Request, body: Write | None = None) -> Response:
    """Undo the last act."""
    return await write(request, Undo(), body or Write())


@router.post("/pause", responses=WRITTEN)
async def pause_table(request: Request, body: Write | None = None) -> Response:
    """Open the pause menu, or close it; its items are the answers of the open question."""
    return await write(request, Pause(origin_of(request)), body or Write())


@router.post("/roll", responses=WRITTEN)
async def enter_roll(request: Request, body: CorrectRequest) -> Response:
    """Enter the faces of a throw that the camera cannot read."""
    return await write(request, EnterRoll(tuple(body.roll)), body)


@router.post("/count", responses=WRITTEN)
async def count_points(request: Request, body: CountRequest) -> Response:
    """Set the points of the turn so far, in points mode: the players count, and the camera does not."""
    return await write(request, CountPoints(body.points), body)


@router.post("/join", responses=WRITTEN)
async def join_game(request: Request, body: JoinRequest) -> Response:
    """Let another player join the game between two turns, last in the order."""
    return await write(request, JoinGame(body.name), body)


@router.post("/sound", responses=WRITTEN)
async def set_sound(request: Request, body: SoundRequest) -> Response:
    """Set the volume of the table's sound, or mute it; a field that is null stays as it is."""
    return await write(request, SetSound(body.volume, body.muted), body)


@router.post("/answer", responses=WRITTEN)
async def answer_question(request: Request, body: AnswerRequest) -> Response:
    """Answer the open question."""
    return await write(request, Answer(body.answer, origin_of(request)), body)


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
    return _answer(request)


@router.post("/simulator/shelve", responses=WRITTEN)
async def simulator_shelve(request: Request, body: ShelveRequest) -> Response:
    """Set simulated dice aside."""
    hands = _simulated_hands(request)
    note_phone(request, None)
    await asyncio.to_thread(hands.shelve, tuple(body.dice))
    return _answer(request)


def _simulated_hands(request: Request) -> TrayHands:
    hands = table_of(request).simulated_hands
    if hands is None:
        raise HTTPException(404, words_of(request)("access.real_tray"))
    return hands


async def write(request: Request, given: Input, body: Write) -> Response:
    """Put an input into the table's inbox, and return the view after it."""
    by = note_phone(request, given)
    await asyncio.wrap_future(table_of(request).submit(replace(given, by=by), body.expected_seq))
    return _answer(request)


def note_phone(request: Request, given: Input | None) -> str:
    """Note what a phone does, if one sends the request, and return its name.

    Args:
        request: the request.
        given: the input that it makes; None throws simulated dice.

    `RefusedError` reaches the caller if the turn is that of another player's phone.
    """
    table, phone = table_of(request), client_of(request).phone
    if phone is None:
        return ""
    check_seat(phone, given, table.feed.latest.view)
    table.pairing.phones.did(phone.id, request.url.path.rpartition("/")[2])
    return phone.name
