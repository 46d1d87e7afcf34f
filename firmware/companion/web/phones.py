"""The phones: one asks, answers with what the table shows, and takes a player's place, or that of the camera."""

import asyncio
from dataclasses import dataclass
from math import ceil, isinf
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import Field
from starlette.datastructures import URL

from companion.devices.camera_phone import Wanted
from companion.pairing.door import Answered, Shows
from companion.table.lobby.form import checked_name
from companion.table.state.bots import asks_for_bot
from companion.table.state.inputs import OpenDoor
from companion.table.view import View
from companion.web.guard.access import CAMERA_WRITES, PICTURES
from companion.web.guard.clients import client_of, cookie, require_trusted, words_of
from companion.web.pages import FRESH, render
from companion.web.schema import Body, Write, answer_of, problem, problems
from companion.web.table import table_of
from companion.web.writes import WRITE_PROBLEMS, add_write
from dicereader.data.pictures import JPEG_MAGIC
from farkle.game.names import name_key
from pegboard.track import MOST_HOLES

router = APIRouter(responses=problems(421))


class AskRequest(Body):
    """The name under which a phone asks to play."""

    name: str = Field(max_length=100)


class AnswerDoorRequest(AskRequest):
    """What a phone answers to get in: the numbers of the lit holes, or the six digits."""

    holes: list[Annotated[int, Field(ge=0, le=MOST_HOLES)]] | None = Field(default=None, max_length=3)
    digits: str = Field(default="", max_length=20)


class SeatRequest(Body):
    """The player whose place the phone takes; empty to stand up."""

    player: str = Field(max_length=100)


class CameraRequest(Body):
    """A phone becomes the camera; `over` takes the place of another phone that still sends pictures."""

    over: bool = False


@dataclass(frozen=True)
class DoorShown:
    """What a phone needs to get in.

    It answers with what the table `shows`: `holes`, `digits` or `nothing`. `open_s` is for how many seconds the door is
    open, 0 if it is shut, and `left` the number of wrong answers that it still takes. `digits` are empty but for this
    machine. `secure` is the address of the page over TLS, if a phone must go there to ask; else it is empty.

    `asks` is the name of the phone that asks, or for which the door was opened, `came` of one that is in, and `sets_up`
    of one that asks to set the table up. `here`: the client is this machine. `lets_in`: it lets phones in.
    """

    shows: Shows
    may_ask: bool
    open_s: int
    left: int
    digits: str
    secure: str
    asks: str
    came: str
    sets_up: str
    here: bool
    lets_in: bool


@dataclass(frozen=True)
class PhoneShown:
    """A phone that may play: its seat, its last act, seconds since its last use, and whether it shows the page now."""

    id: str
    name: str
    seat: str
    did: str
    idle_s: int
    present: bool


@router.get("/api/v1/pairing/door", responses={200: answer_of(DoorShown)})
async def read_door(request: Request) -> Response:
    """Return whether phones may ask, whether the door is open, and what kind of answer it takes.

    Only a client on the table's own machine gets the six digits. No client gets the lit holes.
    """
    table, client = table_of(request), client_of(request)
    pairing = table.pairing
    opening = pairing.door.opening
    door = DoorShown(
        shows=opening.secret.kind if opening else pairing.shows,
        may_ask=pairing.door.may_ask,
        open_s=ceil(opening.until_s - pairing.now_s()) if opening else 0,
        left=opening.left if opening else 0,
        digits=pairing.digits() if client.local else "",
        secure=_secure_address(request),
        asks=opening.asked if opening else pairing.door.asking,
        came=opening.came if opening else "",
        sets_up=table.feed.latest.view.sets_up,
        here=client.local,
        lets_in=client.may_play,
    )
    return JSONResponse(vars(door), headers=FRESH)


@router.post("/api/v1/pairing/ask", status_code=204, responses=WRITE_PROBLEMS)
async def ask_to_play(request: Request, body: AskRequest) -> Response:
    """Ask the people at the table to let this phone in; they see its name."""
    words, name = words_of(request), checked_name(body.name.strip())
    if _secure_address(request):
        return problem(403, words("access.secure"))
    wait_s = table_of(request).pairing.ask(name)
    if isinf(wait_s):
        return problem(403, words("access.no_asking"))
    if wait_s:
        return problem(429, words("access.asked_before", seconds=ceil(wait_s)), {"retry-after": str(ceil(wait_s))})
    return Response(status_code=204)


@router.post("/api/v1/pairing/answer", status_code=204, responses=WRITE_PROBLEMS)
async def answer_door(request: Request, body: AnswerDoorRequest) -> Response:
    """Check a phone's answer. A right one sets the cookie with which the phone may play."""
    words, name, pairing = words_of(request), checked_name(body.name.strip()), table_of(request).pairing
    if _secure_address(request):
        return problem(403, words("access.secure"))
    if pairing.shows is Shows.NOTHING and not client_of(request).local:
        return problem(403, words("access.watch_only"))
    given = body.digits if body.holes is None else tuple(body.holes)
    answered, token = await asyncio.to_thread(pairing.answer, name, given, client_of(request).phone)
    if answered is Answered.SHUT:
        return problem(422, words("access.door_shut"))
    if answered is Answered.WRONG:
        left = opening.left if (opening := pairing.door.opening) else 0
        return problem(422, words("access.wrong_answer", tries=left) if left else words("access.no_tries"))
    return Response(headers={"set-cookie": cookie(request.scope, token)}, status_code=204)


@router.post("/api/v1/pairing/refuse", status_code=204, responses=WRITE_PROBLEMS)
async def refuse_phone(request: Request, _body: Write | None = None) -> None:
    """Do not let the phone in that asks to play."""
    table_of(request).pairing.refuse()


add_write(router, "/api/v1/pairing/open", OpenDoor)


@router.post("/api/v1/pairing/set-up", status_code=204, responses=WRITE_PROBLEMS)
async def ask_to_set_up(request: Request, _body: Write | None = None) -> Response:
    """Ask to set the table up with this phone. Holding KEEP at the table for five seconds allows it."""
    phone = client_of(request).phone
    if phone is None:
        return problem(422, words_of(request)("access.no_phone"))
    table_of(request).pairing.ask_to_set_up(phone)
    return Response(status_code=204)


@router.get("/api/v1/phones", dependencies=[Depends(require_trusted)])
async def read_phones(request: Request) -> list[PhoneShown]:
    """Return the phones that may play, the newest first."""
    pairing = table_of(request).pairing
    return [
        PhoneShown(each.id, each.name, each.seat, each.did, int(each.idle_s), present=pairing.is_present(each.id))
        for each in pairing.phones.all()
    ]


@router.delete("/api/v1/phones/{phone}", status_code=204, responses=WRITE_PROBLEMS)
async def forget_phone(request: Request, phone: Annotated[str, Path(max_length=20)]) -> None:
    """Remove a phone from the list. Its token is no longer accepted."""
    await asyncio.to_thread(table_of(request).pairing.forget, phone)


@router.put("/api/v1/seat", status_code=204, responses=WRITE_PROBLEMS)
async def take_seat(request: Request, body: SeatRequest) -> Response:
    """Give the phone a player's seat, or none for an empty name. Two phones may share a seat."""
    words, phone, table = words_of(request), client_of(request).phone, table_of(request)
    if phone is None:
        return problem(422, words("access.no_phone"))
    view = table.feed.latest.view
    seat = next((each for each in seats_of(view) if name_key(each) == name_key(body.player)), "")
    if body.player and not seat:
        return problem(422, words("access.no_such_player", name=body.player))
    if seat and seats_of(view)[seat]:
        return problem(422, words("access.seat_of_bot", name=seat))
    await asyncio.to_thread(table.pairing.phones.sit, phone.id, seat)
    return Response(status_code=204)


def seats_of(view: View) -> dict[str, bool]:
    """Return the names of the players, each with whether the board plays for that player."""
    if view.players:
        return {player.name: bool(player.bot) for player in view.players}
    return dict(zip(view.lobby.called, map(asks_for_bot, view.lobby.names), strict=True))


def _secure_address(request: Request) -> str:
    """Return the address of the HTTPS page if this request came by HTTP beside it; else an empty text.

    The address has the host name of the request, because some phones cannot resolve the name that avahi publishes. With
    the owner's certificate it has the name of that certificate.
    """
    table = table_of(request)
    address = table.secure_address()
    if not address or request.url.scheme == "https":
        return ""
    if table.authority() is None:
        return address
    return str(URL(address).replace(hostname=request.url.hostname))


@router.get("/camera", response_class=HTMLResponse)
async def camera_page(request: Request) -> HTMLResponse:
    """Return the page on which a phone becomes the table's camera."""
    phone = client_of(request).phone
    return render(request, "camera.html", {"seat": phone.seat if phone else ""})


@router.post(CAMERA_WRITES, status_code=204, responses={**WRITE_PROBLEMS, **problems(404)})
async def become_camera(request: Request, body: CameraRequest) -> Response:
    """Make this phone the camera. It gives up its player's place, because nobody holds it."""
    camera, client, words = table_of(request).camera, client_of(request), words_of(request)
    if camera is None:
        return _no_phone(request)
    name = client.phone.name if client.phone else words("phone_camera.here")
    if other := camera.take(client.id, name, over=body.over):
        return problem(409, words("access.other_camera", name=other))
    if client.phone is not None:
        phones = table_of(request).pairing.phones
        phones.sit(client.phone.id, "")
        phones.did(client.phone.id, "camera")
    return Response(status_code=204)


@router.delete(CAMERA_WRITES, status_code=204, responses=WRITE_PROBLEMS)
async def leave_camera(request: Request) -> Response:
    """Be the camera no longer."""
    camera = table_of(request).camera
    if camera is not None:
        camera.leave(client_of(request).id)
    return Response(status_code=204)


@router.post(
    PICTURES,
    response_model=Wanted,
    responses={**WRITE_PROBLEMS, **problems(404, 413)},
    dependencies=[Depends(require_trusted)],
    openapi_extra={"requestBody": {"required": True, "content": {"image/jpeg": {"schema": {"type": "string"}}}}},
)
async def take_picture(request: Request) -> Response:
    """Show the eye the camera's next picture, and return what is wanted of the ones after it."""
    camera = table_of(request).camera
    if camera is None:
        return _no_phone(request)
    picture = await request.body()
    if not picture.startswith(JPEG_MAGIC):
        return problem(422, f"expected a JPEG, got {len(picture)} bytes of something else")
    return JSONResponse(vars(camera.give(picture)))


def _no_phone(request: Request) -> Response:
    return problem(404, words_of(request)("access.no_camera_phone"))
