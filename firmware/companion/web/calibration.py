"""The page and the API that calibrate a table: the live picture, what is wrong with it, and each step."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from companion.calibration.session import CalibrationSession
from companion.errors import BusyError, CompanionError, DataFolderError
from companion.web.access import MAY_NOT_SEE, near
from companion.web.ports import table_of
from companion.web.problems import problem
from companion.web.rendered import FRESH, rendered
from companion.web.schema import Problem
from dicereader.errors import DiceReaderError

_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "not text in UTF-8"},
    403: {"model": Problem, "description": "not from this table's own page"},
    404: {"model": Problem, "description": "no camera to calibrate, or no picture yet"},
    409: {"model": Problem, "description": "another one is being learnt"},
    413: {"model": Problem, "description": "too large"},
    415: {"model": Problem, "description": "not JSON"},
    422: {"model": Problem, "description": "nothing can be learnt from these pictures, or one is missing"},
    503: {"model": Problem, "description": "the calibration cannot be stored"},
}

page = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api/v1/calibration", responses={421: {"model": Problem}, 404: _ERRORS[404]})

Point = Annotated[list[Annotated[float, Field(ge=-20000, le=20000)]], Field(min_length=2, max_length=2)]


class Tag(BaseModel):
    """A tag as it is seen: its number, and its corners in pixels, clockwise from the printed top left."""

    number: int
    corners: list[Point]


class CalibrationProgress(BaseModel):
    """The picture now and how far the calibration is; `problems` are sentences, none when the picture is fit."""

    width: int
    height: int
    tags: list[Tag]
    problems: list[str]
    empty: bool
    throws: int
    calibrated: bool
    said: str = ""


class Nothing(BaseModel):
    """A step that needs no more than to be asked for."""

    model_config = ConfigDict(extra="forbid")


class SaveCalibration(BaseModel):
    """How the table is to be found: by its tags, or by four corners given, clockwise from the top left, in pixels."""

    model_config = ConfigDict(extra="forbid")

    corners: Annotated[list[Point], Field(min_length=4, max_length=4)] | None = None
    inside_mm: Annotated[float, Field(ge=50, le=1000)] = 230.0
    die_mm: Annotated[float, Field(ge=5, le=40)] = 16.0


def _calibrator(request: Request) -> CalibrationSession | None:
    return table_of(request).calibrator


NO_CAMERA = problem(404, "this table has no camera to calibrate")


@page.get("/calibrate", response_class=HTMLResponse)
def calibrate_page(request: Request) -> Response:
    """The page: live picture, tags or corners, what is wrong, and the steps."""
    return rendered(request, "calibrate.html", {})


@router.get("", response_model=CalibrationProgress)
def read_progress(request: Request) -> Response:
    """The picture now: tags, what is wrong with it; and what was taken so far."""
    return _answer(_calibrator(request), _nothing)


@router.get("/tray.jpg", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
def read_picture(request: Request, close: bool = Depends(near)) -> Response:
    """The tray as it looks now, for who may play."""
    if not close:
        return problem(403, MAY_NOT_SEE)
    calibrator = _calibrator(request)
    if calibrator is None:
        return NO_CAMERA
    try:
        return Response(calibrator.picture(), media_type="image/jpeg", headers=FRESH)
    except CompanionError as error:
        return problem(404, str(error))


@router.post("/empty", response_model=CalibrationProgress, responses=_ERRORS)
def take_empty(request: Request, body: Nothing) -> Response:  # noqa: ARG001 - an empty body is the contract
    """The tray is cleared: take its picture."""

    def step(calibrator: CalibrationSession) -> str:
        calibrator.take_empty()
        return "The empty tray is taken."

    return _answer(_calibrator(request), step)


@router.post("/throw", response_model=CalibrationProgress, responses=_ERRORS)
def take_throw(request: Request, body: Nothing) -> Response:  # noqa: ARG001 - an empty body is the contract
    """Dice are thrown: take their picture."""

    def step(calibrator: CalibrationSession) -> str:
        calibrator.take_throw()
        return "The throw is taken."

    return _answer(_calibrator(request), step)


@router.post("/save", response_model=CalibrationProgress, responses=_ERRORS)
def save(request: Request, body: SaveCalibration) -> Response:
    """Learn from what was taken, and play with it from now on."""

    def step(calibrator: CalibrationSession) -> str:
        outcome = calibrator.save(body.corners, body.inside_mm, body.die_mm)
        height = round(outcome.calibration.position_mm[2] / 10)
        return f"Saved. The camera is {height} cm up; {outcome.surely} of {outcome.throws} throws are read surely."

    return _answer(_calibrator(request), step)


def _nothing(calibrator: CalibrationSession) -> str:  # noqa: ARG001 - a step like the others
    return ""


def _answer(calibrator: CalibrationSession | None, step: Callable[[CalibrationSession], str]) -> Response:
    """Do a step, and tell how far the calibration is then."""
    if calibrator is None:
        return NO_CAMERA
    try:
        said = step(calibrator)
    except BusyError as error:
        return problem(409, str(error))
    except DataFolderError as error:
        return problem(503, str(error))
    except (CompanionError, DiceReaderError) as error:
        return problem(422, str(error))
    try:
        now = calibrator.progress()
    except CompanionError as error:
        return problem(404, str(error))
    told = CalibrationProgress(
        width=now.seen.size[0],
        height=now.seen.size[1],
        tags=[Tag(number=n, corners=corners) for n, corners in now.seen.tags.items()],
        problems=list(now.seen.problems),
        empty=now.empty,
        throws=now.throws,
        calibrated=now.calibrated,
        said=said,
    )
    return JSONResponse(told.model_dump(), headers=FRESH)
