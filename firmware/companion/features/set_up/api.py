"""The API of the set-up: change settings, try lights, buttons and sound, and bring the games of a backup."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field
from starlette.background import BackgroundTask

from companion.checkup.leds import order_seen
from companion.errors import ToldError
from companion.features.set_up.set_up import SetUp
from companion.games.backup import keep_for_start
from companion.setting import toml
from companion.web.guard.access import RESTORE
from companion.web.guard.clients import check_again, require_set_up, words_of
from companion.web.pages import FRESH
from companion.web.schema import Body, answer_of, problems
from companion.web.table import table_of
from companion.web.writes import WRITE_PROBLEMS
from pegboard.leds.neopixel_strip import ORDER, PIN

router = APIRouter(prefix="/api/v1", responses=problems(403, 404, 421), dependencies=[Depends(require_set_up)])


class WriteSettings(Body):
    """Settings by `section.key`; null takes one back."""

    values: dict[str, bool | int | float | str | list[str] | None] = Field(min_length=1, max_length=40)


class LookThrough(Body):
    """The camera to look through, as a value of `camera.source`."""

    source: str = Field(max_length=220)


class ShowLights(Body):
    """What the strip shows: `red`, `green`, `blue`, `white`, `lane-1`, `status`, `shelf`, `dark`; else the game."""

    show: str = Field(max_length=20)


class TellColours(Body):
    """The colour that was seen, by the colour that was shown, for red, green and blue."""

    seen: dict[str, Literal["red", "green", "blue"]] = Field(max_length=3)


class WatchPins(Body):
    """The pin (BCM) of the lamp to light: null leaves it, -1 puts it out."""

    lamp: int | None = Field(default=None, ge=-1, le=27)


class TrySound(Body):
    """A sentence is spoken."""


@dataclass(frozen=True)
class PressedPins:
    """The pins (BCM) that were pressed since the last look, in order."""

    pressed: list[int]


@dataclass(frozen=True)
class SetUpShown:
    """How far the set-up is: the steps that are done, and what the page has set, by key in TOML's notation.

    `run` is another text after each start of the table. `file` is where the settings lie.
    """

    run: str
    done: list[str]
    file: str
    written: dict[str, str]


_SHOWN: dict[int | str, dict[str, Any]] = {200: answer_of(SetUpShown), **WRITE_PROBLEMS}


def set_up_of(request: Request) -> SetUp:
    """Return the set-up of the table; a dependency of routes.

    Raises:
        HTTPException: 404 if the page of this table may change nothing.
    """
    found = table_of(request).offered(SetUp)
    if found is None:
        raise HTTPException(404, words_of(request)("access.no_set_up"))
    return found


TableSetUp = Annotated[SetUp, Depends(set_up_of)]


@router.get("/set-up", responses={200: answer_of(SetUpShown)})
async def read_set_up(set_up: TableSetUp) -> Response:
    """Return how far the set-up is, and what the page has set. `run` changes when the table has started again."""
    return JSONResponse(vars(_shown(set_up)), headers=FRESH)


@router.post("/set-up/settings", responses=_SHOWN)
async def write_settings(set_up: TableSetUp, body: WriteSettings) -> Response:
    """Change settings; null takes one back. The table starts again with them, and its game goes on."""
    await asyncio.to_thread(set_up.changes.change, body.values)
    return _restarting(set_up)


@router.post("/set-up/colours", responses=_SHOWN)
async def tell_colours(set_up: TableSetUp, body: TellColours) -> Response:
    """Find the order of the strip's colours from what was seen, and start again with it."""
    name, _, arg = set_up.config.leds.driver.partition(":")
    pin, _, order = (arg or PIN).partition(",")
    seen = order_seen(order or ORDER, dict(body.seen))
    await asyncio.to_thread(set_up.changes.change, {"leds.driver": f"{name}:{pin},{seen}"})
    return _restarting(set_up)


@router.post(
    "/set-up/camera",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}, **WRITE_PROBLEMS},
)
async def look_through(request: Request, set_up: TableSetUp, body: LookThrough) -> Response:
    """Return a picture of a camera that was found; a process looks through one that the table does not use."""
    preview = table_of(request).pictures.preview
    jpeg = await asyncio.to_thread(set_up.pictures.picture, body.source, preview, set_up.config)
    return Response(jpeg, media_type="image/jpeg", headers=FRESH)


@router.post("/set-up/lights", status_code=204, responses=WRITE_PROBLEMS)
async def show_lights(set_up: TableSetUp, body: ShowLights) -> Response:
    """Show a trial on the strip: a colour, a lane, or nothing."""
    set_up.trial(body.show)
    return Response(status_code=204)


@router.post("/set-up/buttons", responses={200: answer_of(PressedPins), **WRITE_PROBLEMS})
async def watch_pins(set_up: TableSetUp, body: WatchPins) -> Response:
    """Return the pins that were pressed since the last call, and light the lamp at `lamp`."""
    return JSONResponse({"pressed": list(await asyncio.to_thread(set_up.search.look, body.lamp))})


@router.post("/set-up/sound", status_code=204, responses=WRITE_PROBLEMS)
async def try_sound(request: Request, set_up: TableSetUp, _body: TrySound) -> Response:
    """Speak a sentence."""
    set_up.say(words_of(request)("set_up.spoken"))
    return Response(status_code=204)


@router.post(
    RESTORE.removeprefix("/api/v1"),
    responses={200: answer_of(SetUpShown), **WRITE_PROBLEMS},
    openapi_extra={"requestBody": {"required": True, "content": {"application/zip": {"schema": {"type": "string"}}}}},
)
async def bring_games(request: Request, set_up: TableSetUp) -> Response:
    """Check a backup, and start again with its games in place of the table's own, which are kept aside.

    Raises:
        ToldError: if it is refused.
    """
    length = request.headers.get("content-length", "0")  # the guard has checked that it is a number
    parts = request.stream()
    try:
        with set_up.brought.receiving(int(length)) as upload:
            async for part in parts:
                await asyncio.to_thread(upload.write, part)
            await asyncio.to_thread(upload.check)
            check_again(request)
            await asyncio.to_thread(keep_for_start, upload.file, set_up.data)
    except ToldError:
        async for _ in parts:  # a connection that closes on an unread body loses its answer
            pass
        raise
    return _restarting(set_up)


def _restarting(set_up: SetUp) -> Response:
    """Answer, and then let the table start again."""
    return JSONResponse(vars(_shown(set_up)), headers=FRESH, background=BackgroundTask(set_up.restart))


def _shown(set_up: SetUp) -> SetUpShown:
    settings = set_up.changes.layers.settings
    return SetUpShown(
        run=set_up.run,
        done=sorted(set_up.done),
        file=str(set_up.changes.file),
        written={name: toml(value) for name, value in settings.items()},
    )
