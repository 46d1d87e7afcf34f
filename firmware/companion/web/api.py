"""The table's API: the view, the stream of views, and every write that the page can make."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from companion.errors import BusyError, CompanionError, JournalError, RaceLostError
from companion.runtime.feed import Update
from companion.table.inputs import (
    Answer,
    Button,
    ChooseSelection,
    CorrectRoll,
    EnterRoll,
    Gesture,
    Input,
    NewGame,
    Pause,
    Press,
    Undo,
)
from companion.table.view import View
from companion.web.access import MAY_NOT_SEE, near
from companion.web.ports import WebTable, table_of
from companion.web.problems import problem
from companion.web.rules.asked import as_on_its_sheet
from companion.web.schema import (
    LOST_RACE,
    VIEW,
    AnswerRequest,
    ButtonPress,
    CorrectRequest,
    GameRequest,
    KeepRequest,
    LostRace,
    Problem,
    ShelveRequest,
    ThrowRequest,
    Write,
)

THROW_SEEN_S = 3.0

_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "not text in UTF-8"},
    403: {"model": Problem, "description": "not from this table's own page"},
    404: {"model": Problem, "description": "not at this table"},
    409: {"model": LostRace, "description": "another act came first, or dice move: the new state"},
    413: {"model": Problem, "description": "too large"},
    415: {"model": Problem, "description": "not JSON"},
    422: {"model": Problem, "description": "the rules or the table refuse it"},
    503: {"model": Problem, "description": "the journal cannot be written"},
}

router = APIRouter(prefix="/api/v1", responses={421: {"model": Problem, "description": "another host's name"}})


def _answer(table: WebTable) -> Response:
    """Answer with the newest view."""
    return Response(VIEW.dump_json(table.feed.latest.view), media_type="application/json")


@router.get("/state", response_model=View)
async def read_state(request: Request) -> Response:
    """Return the whole view."""
    return _answer(table_of(request))


@router.get("/events", response_class=EventSourceResponse)
async def read_events(request: Request) -> AsyncIterator[ServerSentEvent]:
    """A stream of views, each whole, the newest first; `id` is its `seq`."""
    table = table_of(request)
    changed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_update(update: Update) -> None:  # noqa: ARG001 - only the newest counts
        loop.call_soon_threadsafe(changed.set)

    leave = table.feed.subscribe(on_update)
    closing: asyncio.Event = request.app.state.closing
    try:
        while not closing.is_set():
            changed.clear()
            view = table.feed.latest.view
            yield ServerSentEvent(raw_data=VIEW.dump_json(view).decode(), id=str(view.seq))
            await _first_of(changed, closing)
    finally:
        leave()


async def _first_of(*events: asyncio.Event) -> None:
    """Wait until one of the events is set; FastAPI itself keeps a quiet stream alive."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/jpeg": {}}},
    403: {"model": Problem, "description": "not shown to the network"},
    404: _ERRORS[404],
}


@router.get("/tray.jpg", response_class=Response, responses=_PICTURE)
async def read_tray(
    request: Request, v: Annotated[int | None, Query(ge=0, le=2**31)] = None, close: bool = Depends(near)
) -> Response:
    """The tray's picture: with `v` the still of that reading, without as it looks now. Only for who may play."""
    if not close:
        return problem(403, MAY_NOT_SEE)
    pictures = table_of(request).pictures
    kept = "no-store" if v is None else "private, max-age=86400, immutable"
    jpeg = pictures.preview() if v is None else pictures.picture(v)
    if jpeg is None:
        return problem(404, "there is no picture of the tray" if v is None else f"picture {v} is no longer kept")
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": kept})


@router.get("/notation.txt", response_class=PlainTextResponse, responses={404: _ERRORS[404]})
async def read_notation(request: Request) -> Response:
    """The game as it stands, in the notation that `farklecrib replay` reads."""
    text = table_of(request).notation()
    return PlainTextResponse(text) if text else problem(404, "no game has been started")


@router.post("/game", response_model=View, responses=_ERRORS)
async def start_game(request: Request, body: GameRequest) -> Response:
    """Start a game, by a packaged rule set or by that of the house which is being played."""
    own = table_of(request).rules()
    given = NewGame(
        as_on_its_sheet(own) if own is not None and own.definition and own.key == body.rules else body.rules,
        tuple(body.players),
        settings=body.settings,
        track=body.track,
        start=body.start,
        teams={name: tuple(members) for name, members in (body.teams or {}).items()},
        thrown_for=body.thrown_for,
    )
    return await _write(request, given, body)


@router.post("/buttons/{button}", response_model=View, responses=_ERRORS)
async def press_button(request: Request, button: Literal["keep", "roll", "bank"], body: ButtonPress) -> Response:
    """Press a button as if at the table."""
    return await _write(request, Press(Button(button), Gesture(body.press)), body)


@router.post("/keep", response_model=View, responses=_ERRORS)
async def choose_selection(request: Request, body: KeepRequest) -> Response:
    """Choose dice of the roll."""
    return await _write(request, ChooseSelection(tuple(body.dice), body.points), body)


@router.post("/correct", response_model=View, responses=_ERRORS)
async def correct_roll(request: Request, body: CorrectRequest) -> Response:
    """Give the last throw its true faces."""
    return await _write(request, CorrectRoll(tuple(body.roll)), body)


@router.post("/undo", response_model=View, responses=_ERRORS)
async def undo_act(request: Request, body: Write | None = None) -> Response:
    """Take the last act off."""
    return await _write(request, Undo(), body or Write())


@router.post("/pause", response_model=View, responses=_ERRORS)
async def pause_table(request: Request, body: Write | None = None) -> Response:
    """Open the pause menu, or close it; what it offers are the question's answers."""
    return await _write(request, Pause(), body or Write())


@router.post("/roll", response_model=View, responses=_ERRORS)
async def enter_roll(request: Request, body: CorrectRequest) -> Response:
    """Enter the faces of a throw that the table cannot read: its camera does not see, or a die is missing or cocked."""
    return await _write(request, EnterRoll(tuple(body.roll)), body)


@router.post("/answer", response_model=View, responses=_ERRORS)
async def answer_question(request: Request, body: AnswerRequest) -> Response:
    """Answer the open question."""
    return await _write(request, Answer(body.answer), body)


@router.post("/simulator/throw", response_model=View, responses=_ERRORS)
async def simulator_throw(request: Request, body: ThrowRequest | None = None) -> Response:
    """On the desk: the hands throw the dice that are to be thrown. Answers when the eye sees them move."""
    table = table_of(request)
    if table.desk is None:
        return problem(404, "this table has a real tray")
    faces = tuple(body.dice) if body is not None and body.dice is not None else None
    before = table.feed.latest
    try:
        await asyncio.to_thread(table.desk.throw, faces)
    except CompanionError as error:
        return _refused(table, error)
    await _until_rolling(table, before)
    return _answer(table)


@router.post("/simulator/shelve", response_model=View, responses=_ERRORS)
async def simulator_shelve(request: Request, body: ShelveRequest) -> Response:
    """On the desk: the hands slide dice onto the shelf."""
    table = table_of(request)
    if table.desk is None:
        return problem(404, "this table has a real tray")
    try:
        await asyncio.to_thread(table.desk.shelve, tuple(body.dice))
    except CompanionError as error:
        return _refused(table, error)
    return _answer(table)


async def _until_rolling(table: WebTable, before: Update) -> None:
    """Wait until the eye has seen the throw begin, or for a blind eye a few seconds."""
    changed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_update(update: Update) -> None:
        if update.view.phase == "rolling" or update.view.throw_seq != before.view.throw_seq:
            loop.call_soon_threadsafe(changed.set)

    leave = table.feed.subscribe(on_update)
    try:
        on_update(table.feed.latest)
        async with asyncio.timeout(THROW_SEEN_S):
            await changed.wait()
    except TimeoutError:
        return
    finally:
        leave()


async def _write(request: Request, given: Input, body: Write) -> Response:
    table = table_of(request)
    try:
        await asyncio.wrap_future(table.submit(given, body.expected_seq))
    except CompanionError as error:
        return _refused(table, error)
    return _answer(table)


def _refused(table: WebTable, error: CompanionError) -> Response:
    if isinstance(error, RaceLostError | BusyError):
        lost = LostRace(**vars(table.feed.latest.view), detail=str(error))
        return Response(LOST_RACE.dump_json(lost), status_code=409, media_type="application/json")
    if isinstance(error, JournalError):
        cause = error.__cause__ or error
        return problem(503, f"Not saved, and so not done: {cause}. Make room on the disk, then try again.")
    return problem(422, str(error))
