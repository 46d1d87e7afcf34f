"""The page and the API that calibrate a table: the newest picture, its problems, and each step."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from companion.calibration.picture_work import Progress, SeenDie
from companion.calibration.session import CalibrationSession
from companion.errors import RefusedError
from companion.features.set_up.pages import kept_out, steps_shown
from companion.table.state.inputs import Attended
from companion.web.guard.clients import require_set_up, words_of
from companion.web.pages import FRESH, render, render_problem
from companion.web.schema import answer_of, json_answer, problems
from companion.web.table import table_of
from companion.words import NOTHING, Message, message

_WRITTEN = {200: answer_of(Progress), **problems(400, 403, 409, 413, 415, 422, 503)}

page = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api/v1/calibration", responses=problems(404, 421))

Point = Annotated[list[Annotated[float, Field(ge=-20000, le=20000)]], Field(min_length=2, max_length=2)]


CheckLine = Annotated[float | None, Query(ge=50, le=200)]

NONE_READ = message("calibrate.none_read")


class NoArguments(BaseModel):
    """An empty object: the step needs no arguments."""

    model_config = ConfigDict(extra="forbid")


class TakeEmpty(NoArguments):
    """Whether the tray will be located by its corners, so that tags may be missing."""

    by_corners: bool = False


class SaveCalibration(NoArguments):
    """How to locate the tray: by its tags, or by four corners in pixels, clockwise from the top left."""

    corners: Annotated[list[Point], Field(min_length=4, max_length=4)] | None = None
    inside_mm: Annotated[float, Field(ge=50, le=1000)] = 230.0
    die_mm: Annotated[float, Field(ge=5, le=40)] = 16.0


def session_of(request: Request) -> CalibrationSession:
    """Return the table's calibration session; a dependency of routes.

    Raises:
        HTTPException: 404 if the table has no camera to calibrate.
    """
    session = table_of(request).calibration
    if session is None:
        raise HTTPException(404, words_of(request)("access.no_camera"))
    return session


Session = Annotated[CalibrationSession, Depends(session_of)]


@page.get("/calibrate", response_class=HTMLResponse)
def calibrate_page(request: Request) -> Response:
    """Return the page: live picture, tags or corners, the problems, and the steps. Who may only watch is told so."""
    if (page := kept_out(request)) is not None:
        return page
    if table_of(request).calibration is None:
        return render_problem(request, message("problem.no_camera"), message("access.no_camera"), 404)
    return render(request, "calibrate.html", {"steps": steps_shown(request), "page": "tray"})


@router.get("", responses={200: answer_of(Progress)})
def read_progress(request: Request, session: Session, check_line_mm: CheckLine = None) -> Response:
    """Return the picture's tags and problems, and what was taken so far.

    `check_line_mm` is the measured length of the printed line of 100 mm; with it distances are said in centimetres.
    """
    with _needing_picture(request):
        return json_answer(request, session.progress(check_line_mm), FRESH)


@router.get(
    "/tray.jpg",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}, **problems(403)},
    dependencies=[Depends(require_set_up)],
)
def read_picture(request: Request, session: Session) -> Response:
    """Return the newest picture of the tray, only for people who may play."""
    with _needing_picture(request):
        return Response(session.picture(), media_type="image/jpeg", headers=FRESH)


@router.post("/empty", responses=_WRITTEN)
def take_empty(request: Request, session: Session, body: TakeEmpty) -> Response:
    """Take the picture of the empty tray."""
    table_of(request).host.submit(Attended())
    session.take_empty(by_corners=body.by_corners)
    return _answer(request, session, message("calibrate.empty_taken"))


@router.post("/throw", responses=_WRITTEN)
def take_throw(request: Request, session: Session, _body: NoArguments) -> Response:
    """Take the picture of a throw."""
    table_of(request).host.submit(Attended())
    dice = session.take_throw()
    return _answer(request, session, message("calibrate.throw_taken", dice=dice))


@router.post("/read", responses=_WRITTEN)
def read_throw(request: Request, session: Session, _body: NoArguments) -> Response:
    """Read the throw that lies there, as the game will."""
    table_of(request).host.submit(Attended())
    sure, dice = session.read()
    faces = tuple(sorted(die.face for die in dice))
    said = message("calibrate.read" if sure else "calibrate.read_unsure", faces=faces) if dice else NONE_READ
    return _answer(request, session, said, dice)


@router.post("/save", responses=_WRITTEN)
def save(request: Request, session: Session, body: SaveCalibration) -> Response:
    """Learn from the pictures taken, and play with the new calibration from now on."""
    table_of(request).host.submit(Attended())
    outcome = session.save(body.corners, body.inside_mm, body.die_mm)
    known, counts = outcome.calibration, {"sure": outcome.sure, "throws": outcome.throws}
    if known.dice is None:
        said = message("calibrate.saved_without_dice", **counts)
    else:
        said = message("calibrate.saved", height=round(known.position_mm[2] / 10), **counts)
    return _answer(request, session, said)


def _answer(
    request: Request, session: CalibrationSession, said: Message = NOTHING, dice: tuple[SeenDie, ...] = ()
) -> Response:
    """Return the progress as a response; `said` is the result of the last step, `dice` those that it has read."""
    with _needing_picture(request):
        progress = replace(session.progress(), said=said, dice=dice)
    return json_answer(request, progress, FRESH)


@contextmanager
def _needing_picture(request: Request) -> Iterator[None]:
    """Answer 404 if there is no picture to read.

    Raises:
        HTTPException: 404 in place of a `RefusedError`.
    """
    try:
        yield
    except RefusedError as error:
        raise HTTPException(404, words_of(request).text(error.reason)) from error
