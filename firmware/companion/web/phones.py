"""The phones that may play: a phone asks, answers with what the table shows, and takes the place of a player."""

import asyncio
from math import ceil, isinf
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import URL

from companion.pairing.door import Answered
from companion.pairing.secret import Shows
from companion.table.lobby.form import checked_name
from companion.table.state.bots import asks_for_bot
from companion.table.state.inputs import OpenDoor
from companion.table.view import View
from companion.web.documentation import answer_of
from companion.web.guard.clients import client_of, cookie, require_trusted
from companion.web.language import words_of
from companion.web.pages import FRESH
from companion.web.schema import (
    AnswerDoorRequest,
    AskRequest,
    DoorShown,
    PhoneShown,
    SeatRequest,
    Write,
    problem,
    problems,
)
from companion.web.table import table_of
from companion.web.writes import WRITE_PROBLEMS, add_write
from farkle.game.names import name_key

router = APIRouter(prefix="/api/v1", responses=problems(421))


@router.get("/pairing/door", responses={200: answer_of(DoorShown)})
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


@router.post("/pairing/ask", status_code=204, responses=WRITE_PROBLEMS)
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


@router.post("/pairing/answer", status_code=204, responses=WRITE_PROBLEMS)
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


@router.post("/pairing/refuse", status_code=204, responses=WRITE_PROBLEMS)
async def refuse_phone(request: Request, _body: Write | None = None) -> None:
    """Do not let the phone in that asks to play."""
    table_of(request).pairing.refuse()


add_write(router, "/pairing/open", OpenDoor)


@router.post("/pairing/set-up", status_code=204, responses=WRITE_PROBLEMS)
async def ask_to_set_up(request: Request, _body: Write | None = None) -> Response:
    """Ask to set the table up with this phone. Holding KEEP at the table for five seconds allows it."""
    phone = client_of(request).phone
    if phone is None:
        return problem(422, words_of(request)("access.no_phone"))
    table_of(request).pairing.ask_to_set_up(phone)
    return Response(status_code=204)


@router.get("/phones", dependencies=[Depends(require_trusted)])
async def read_phones(request: Request) -> list[PhoneShown]:
    """Return the phones that may play, the newest first."""
    pairing = table_of(request).pairing
    return [
        PhoneShown(each.id, each.name, each.seat, each.did, int(each.idle_s), present=pairing.is_present(each.id))
        for each in pairing.phones.all()
    ]


@router.delete("/phones/{phone}", status_code=204, responses=WRITE_PROBLEMS)
async def forget_phone(request: Request, phone: Annotated[str, Path(max_length=20)]) -> None:
    """Remove a phone from the list. Its token is no longer accepted."""
    await asyncio.to_thread(table_of(request).pairing.forget, phone)


@router.put("/seat", status_code=204, responses=WRITE_PROBLEMS)
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
