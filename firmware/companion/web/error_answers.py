"""Answers to errors: in the API a problem (RFC 9457), elsewhere a page that says what is wrong."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from companion.errors import (
    BusyError,
    DataFolderError,
    JournalError,
    NoGameError,
    NotStoredError,
    RaceLostError,
    RefusedError,
    TableEndedError,
    ToldError,
)
from companion.table.state.text import in_plain_words
from companion.web import pages
from companion.web.guard.clients import words_of
from companion.web.schema import problem
from companion.web.table import table_of
from companion.words import Text, message
from companion.words.catalogue import clipped
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError, UnknownRuleSetError

LONGEST_INPUT = 80
"""The most characters of a wrong input in the text of its error."""


async def on_http_error(request: Request, error: HTTPException) -> Response:
    """Answer an error of the framework or a route (no such page, no such method): with a page or with a problem."""
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.render_problem(request, message("problem.no_page"), message("problem.no_page_why"), 404)
    return problem(error.status_code, str(error.detail), error.headers)


async def on_bad_body(_: Request, error: RequestValidationError) -> Response:
    """Answer a request that does not fit the route's types with one sentence."""
    first = error.errors()[0]
    where = ".".join(map(str, _place(error.body, first))) or "the body"
    got = clipped(repr(first.get("input")), LONGEST_INPUT)
    return problem(422, f"{where}: {first['msg']}, got {got}")


def _place(body: Any, error: Mapping[str, Any]) -> Iterator[str | int]:
    """Yield the keys that lead to the wrong value of a body, without pydantic's names for the types of a union."""
    for key in error["loc"][1:]:
        inside = isinstance(body, dict) and key in body
        inside = inside or (isinstance(body, list) and isinstance(key, int))
        if inside or error["type"] == "missing" or error["loc"][0] != "body":
            yield key
            body = body[key] if inside else None


async def on_refused(request: Request, error: Exception) -> Response:
    """Answer an error of the table, the rules or the journal: with a problem in the API, else with a page."""
    api, words, said = request.url.path.startswith("/api/"), words_of(request), _said(error)
    match error:
        case RaceLostError() | BusyError() if api:
            view, detail = table_of(request).shown_in(words).json, json.dumps(words.text(said))
            lost = b'%b,"detail":%b}' % (view[:-1], detail.encode())
            return Response(lost, status_code=409, media_type="application/json")
        case NoGameError():
            status, heading = 404, message("problem.no_game")
        case UnknownRuleSetError():
            status, heading = 404, message("problem.no_rules")
        case FarkleError() | RefusedError():
            status, heading = 422, message("problem.cannot_play")
        case JournalError() | DataFolderError() | NotStoredError() | TableEndedError():
            status, heading = 503, message("problem.games_away")
        case _:
            status, heading = 422 if api else 503, message("problem.games_away")
    if not api:
        template = "rules-problem.html" if isinstance(error, FarkleError | RefusedError) else "games-problem.html"
        return pages.render_problem(request, heading, said, status, template)
    if isinstance(error, NoGameError):
        said = message("access.no_game")
    elif isinstance(error, JournalError | DataFolderError) and request.method != "GET":
        said = message("access.not_saved", cause=str(error.__cause__ or error))
    return problem(status, words.text(said))


def _said(error: Exception) -> Text:
    """Return the reason of an error for people; a technical reason is English."""
    match error:
        case FarkleError():
            return in_plain_words(error)
        case DiceReaderError():
            return message("calibrate.cannot_learn", reason=str(error))
        case RaceLostError():
            return message("refused.lost_race")
        case NoGameError():
            return message("problem.no_game_why")
        case ToldError():
            return error.reason
        case _:
            return str(error)
