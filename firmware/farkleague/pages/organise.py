"""The organiser's page: HTTP Basic with one password, and a form for each act of `farkleague.organiser`."""

import base64
import binascii
import hmac
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from farkle.game.names import name_key
from farkle.rules.catalogue import catalogue
from farkleague import organiser
from farkleague.errors import LeagueError
from farkleague.pages.database import reading
from farkleague.pages.rendering import SOMEBODY, page
from farkleague.store import Database, connect

MOST_BYTES = 16 << 10

_PLAYERS: Final = (
    "SELECT players.id, person, players.name, boards.name AS board FROM players JOIN boards ON boards.id = board"
    " WHERE NOT bot ORDER BY players.name, players.id"
)
_REFUSALS: Final = (
    "SELECT boards.name AS board, why, count, at FROM refusals LEFT JOIN boards ON boards.id = board"
    " ORDER BY at DESC LIMIT 200"
)


def admit(request: Request) -> None:
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
    if not hmac.compare_digest(said.partition(b":")[2], password.encode()):
        raise HTTPException(401, headers={"www-authenticate": 'Basic realm="Farkle League", charset="UTF-8"'})
    if request.method == "POST":
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
        other = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
        if other or site not in (None, "same-origin") or (origin is None and site is None):
            raise HTTPException(403)


router = APIRouter(prefix="/organise", dependencies=[Depends(admit)])

Fields = Mapping[str, str]


class People:
    """The players of the league, whom a form names by number or by name."""

    def __init__(self, database: Database) -> None:
        self._players = database.execute(_PLAYERS).fetchall()

    def number(self, said: str) -> int:
        """Return the number of a player, from `12`, `12 Ann (Blue Dragon)`, or the name of one person alone.

        Raises:
            LeagueError: if it is the name of nobody, or of several.
        """
        first = said.split()[0] if said.strip() else ""
        if first.isdecimal() and len(first) < 10:
            return int(first)
        key = name_key(said.strip())
        found = {each.person for each in self._players if each.name and name_key(each.name) == key}
        if len(found) != 1:
            raise LeagueError(f"expected a number, or the name of one player, got {said!r}, a name of {len(found)}")
        return int(found.pop())


def _enrol(database: Database, given: Fields) -> None:
    organiser.enrol(database, given["code"], given["name"])


def _join(database: Database, given: Fields) -> None:
    people = People(database)
    organiser.join(database, people.number(given["player"]), people.number(given["person"]))


def _separate(database: Database, given: Fields) -> None:
    organiser.separate(database, People(database).number(given["player"]))


def _remove(database: Database, given: Fields) -> None:
    organiser.remove_name(database, People(database).number(given["person"]))


def _begin(database: Database, given: Fields) -> None:
    people = People(database)
    try:
        begins, ends = (date.fromisoformat(given[each]) for each in ("begins", "ends"))
    except ValueError as error:
        raise LeagueError(f"expected a day such as 2026-11-30: {error}") from error
    persons = [people.number(line) for line in given["entrants"].splitlines() if line.strip()]
    organiser.begin_competition(database, given["name"], given["form"], begins, ends, persons, given["rules"])


ACTS: Mapping[str, tuple[Callable[[Database, Fields], None], tuple[str, ...], str]] = {
    "enrol": (_enrol, ("code", "name"), "The board is enrolled."),
    "join": (_join, ("player", "person"), "Both are one person now."),
    "separate": (_separate, ("player",), "They are two persons again."),
    "remove": (_remove, ("person",), "The name is removed."),
    "begin": (_begin, ("name", "form", "rules", "begins", "ends", "entrants"), "It begins on its first day."),
}
"""What the organiser can do: the function, the fields of its form, and what the page says afterwards."""


async def _organise(request: Request, status: int = 200, wrong: str = "") -> Response:
    found = reading(request)
    did = request.query_params.get("did", "")
    context: dict[str, Any] = {
        "players": [each._replace(name=each.name or SOMEBODY) for each in await found.rows(_PLAYERS)],
        "boards": await found.rows("SELECT code, name, seen FROM boards ORDER BY name"),
        "refusals": await found.rows(_REFUSALS),
        "rules": catalogue(),
        "said": ACTS[did][2] if did in ACTS and not wrong else "",
    }
    return page(request, "organise.html", status, wrong=wrong, **context)


@router.get("")
async def organiser_page(request: Request) -> Response:
    """Return the organiser's page."""
    return await _organise(request)


@router.post("/{act}")
async def act(request: Request, act: str) -> Response:
    """Do what a form asks for, and lead back to the page, which says a mistake.

    Raises:
        HTTPException: 404 if there is no such act, and 413 or 422 for what no form of the page sends.
    """
    if act not in ACTS:
        raise HTTPException(404)
    function, names, _ = ACTS[act]
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise HTTPException(413)
    try:
        given = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=20, errors="strict")
        fields = {name: given[name][0] for name in names}
    except (ValueError, KeyError) as error:
        raise HTTPException(422) from error
    database = reading(request).database

    def write() -> None:
        with connect(database) as opened:
            function(opened, fields)

    try:
        await run_in_threadpool(write)
    except LeagueError as error:
        return await _organise(request, 422, str(error))
    return RedirectResponse(f"/organise?did={act}", 303)
