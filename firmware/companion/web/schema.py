"""The API's JSON: what the bodies of requests have in common, answers, and errors as problems (RFC 9457)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from companion.table.view import View
from companion.web.documentation import answer_of
from companion.web.guard.clients import words_of
from companion.words import Text


class Body(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Write(Body):
    """The body of every write; `expected_seq` is the newest act that the writer has seen."""

    expected_seq: int | None = Field(default=None, ge=0, le=2**53)


@dataclass(frozen=True, kw_only=True)
class LostRace(View):
    """The newest view, for a write that came too late; `detail` tells the player so."""

    detail: Text


_adapter = cache(TypeAdapter)


def adapter_of(value: object) -> TypeAdapter[Any]:
    """Return the adapter that writes a dataclass as JSON, a view with the parts of the features of its table."""
    kind: Any = type(value)
    return _adapter(kind)


def json_answer(request: Request, value: object, headers: Mapping[str, str] | None = None) -> Response:
    """Return a dataclass as JSON, with its messages in the client's language."""
    body = adapter_of(value).dump_json(words_of(request).rendered(value))
    return Response(body, media_type="application/json", headers=headers)


class Problem(BaseModel):
    """An error in the form of RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str


_DESCRIPTIONS = {
    400: "not text in UTF-8",
    403: "not from this table's own page, or not shown to the network",
    404: "not at this table",
    409: "something else is under way",
    413: "too large",
    415: "not JSON",
    421: "another host's name",
    422: "refused, with the reason",
    503: "the disk cannot be written",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of these error statuses, for a route's `responses`."""
    return {status: answer_of(Problem, _DESCRIPTIONS[status]) for status in statuses}


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return an error as a problem; `detail` is a sentence that says what was expected and what came."""
    text = detail.encode("utf-8", "replace").decode()  # half of a surrogate pair may have come
    content = Problem(title=HTTPStatus(status).phrase, status=status, detail=text).model_dump()
    return JSONResponse(content, status, headers, "application/problem+json")
