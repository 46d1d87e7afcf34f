"""The organiser's page: HTTP Basic with one password, and a form for each act of `farkleague.organiser`."""

import asyncio
import base64
import binascii
import hmac
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from farkle.game.names import name_key
from farkle.rules.catalogue import catalogue
from farkleague import organiser
from farkleague.errors import LeagueError
from farkleague.pages.database import reading
from farkleague.pages.rendering import page
from farkleague.store import Database, connect, query

MOST_BYTES = 16 << 10

GUESS_S = 1.0
"""Seconds that a wrong password takes; everybody who sends one waits for the others."""


async def admit(request: Request) -> None:
    """Let the organiser in.

    Raises:
        HTTPException: 404 if the league has no password, 401 without it, and 403 for a form of another site.
    """
    password: str = request.app.state.password
    if not password:
        raise HTTPException(404)
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    try:
        said = base64.b64decode(given, validate=True) if kind.casefold() == "basic" else b""
    except binascii.Error:
        said = b""
    async with request.app.state.guesses:
        if not hmac.compare_digest(said.partition(b":")[2], password.encode()):
            await asyncio.sleep(GUESS_S if said else 0)
            raise HTTPException(401, headers={"www-authenticate": 'Basic realm="Farkle League", charset="UTF-8"'})
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    own = site == "same-origin" if site else urlsplit(origin or "").netloc == request.headers.get("host")
    if request.method == "POST" and not own:
        raise HTTPException(403)


router = APIRouter(prefix="/organise", dependencies=[Depends(admit)])


class Form:
    """What the organiser has written into a form."""

    def __init__(self, database: Database, fields: Mapping[str, str]) -> None:
        self._database, self._fields = database, fields

    def __getitem__(self, field: str) -> str:
        return self._fields[field]

    def players(self, field: str) -> list[int]:
        """Return the players in the lines of a field, from `12`, `12 Ann (Blue Dragon)`, or a name that one has.

        Raises:
            LeagueError: if a line is none of these.
        """
        known = self._database.execute(query("players")).fetchall()
        found = list[int]()
        for line in filter(None, map(str.strip, self[field].splitlines())):
            first, key = line.split()[0], name_key(line)
            named = {each.person for each in known if each.name and name_key(each.name) == key}
            numbers = {int(first)} if first.isdecimal() and len(first) < 10 else named
            if len(numbers) != 1:
                raise LeagueError(f"expected a number, or a name that one player has, got {line!r}")
            found += numbers
        return found

    def player(self, field: str) -> int:
        """Return the one player in a field."""
        return next(iter(self.players(field)), 0)


def _begin(database: Database, form: Form) -> object:
    begins, ends = (date.fromisoformat(form[day]) for day in ("begins", "ends"))
    persons = form.players("entrants")
    return organiser.begin_competition(database, form["name"], form["form"], begins, ends, persons, form["rules"])


ACTS: Mapping[str, tuple[Callable[[Database, Form], object], str]] = {
    "enrol": (lambda to, form: organiser.enrol(to, form["code"], form["name"]), "The board is enrolled."),
    "shut": (
        lambda to, form: organiser.shut_out(to, form["board"], out=form["out"] == "out"),
        "The board gets to know it with its next message.",
    ),
    "join": (lambda to, form: organiser.join(to, form.player("player"), form.player("person")), "They are one person."),
    "separate": (lambda to, form: organiser.separate(to, form.player("player")), "They are two persons again."),
    "remove": (lambda to, form: organiser.remove_name(to, form.player("person")), "The name is removed."),
    "begin": (_begin, "It begins on its first day."),
}
"""What the organiser can do, and what the page says afterwards."""


@router.get("")
async def organiser_page(request: Request, did: str = "") -> Response:
    """Return the organiser's page, with what was done."""
    return await _organise(request, ACTS[did][1] if did in ACTS else "")


async def _organise(request: Request, said: str = "", act: str = "", wrong: str = "", given: Any = None) -> Response:
    """Return the page; with a mistake `wrong` in the form `act`, which keeps what was given."""
    names = ("players", "boards", "refusals")
    context: dict[str, Any] = {name: await reading(request).rows(name) for name in names}
    context |= {"act": act, "wrong": wrong, "given": given}
    return page(request, "organise.html", 422 if wrong else 200, said=said, rules=catalogue(), **context)


@router.post("/{act}")
async def do(request: Request, act: str) -> Response:
    """Do what a form asks for, and lead back to the page; a mistake is answered by the page.

    Raises:
        HTTPException: 404 if there is no such act, and 413 or 422 for what no form of the page sends.
    """
    if act not in ACTS:
        raise HTTPException(404)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HTTPException(413)

    def write() -> None:
        with connect(reading(request).database) as opened:
            ACTS[act][0](opened, Form(opened, given))

    try:
        given = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=20, errors="strict"))
        await run_in_threadpool(write)
    except LeagueError as error:
        return await _organise(request, act=act, wrong=str(error), given=given)
    except (UnicodeError, ValueError, KeyError) as error:
        raise HTTPException(422) from error
    return RedirectResponse(f"/organise?did={act}", 303)
