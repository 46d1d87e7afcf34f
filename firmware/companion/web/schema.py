"""The API's JSON: bodies of requests, answers, errors as problems (RFC 9457), and the documentation of all these.

An answer is named by its type, whose schema is made when a client asks for the documentation.
"""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from http import HTTPStatus
from itertools import pairwise
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from companion.table.view import View
from companion.web.guard.clients import words_of
from companion.words import Text

_PLACE = "#/components/schemas/"

_answers: dict[str, type] = {}
"""The types of all answers that routes promise, by their names."""


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


def answer_of(kind: type, description: str = "Successful Response") -> dict[str, Any]:
    """Return the documentation of an answer in JSON, for a route's `responses`.

    FastAPI takes a type as `response_model` or `model`, too. Then it makes the schema at the start, for each route
    again, although it never compares a finished `Response` with it. That was a third of the program's start.
    """
    _answers[kind.__name__] = kind
    schema = {"$ref": f"{_PLACE}{kind.__name__}"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


class DocumentedApp(FastAPI):
    """An application whose documentation has the schemas of all answers; `own_types` are its own types of some."""

    own_types: Mapping[str, type] = MappingProxyType({})

    def openapi(self) -> dict[str, Any]:
        """Return the documentation in the form of OpenAPI; the first call makes it."""
        if self.openapi_schema is None:
            schemas = super().openapi().setdefault("components", {}).setdefault("schemas", {})
            answers = {**_answers, **self.own_types}
            _, made = TypeAdapter.json_schemas(
                [(name, "serialization", TypeAdapter(kind)) for name, kind in answers.items()],
                ref_template=_PLACE + "{model}",
            )
            schemas |= made["$defs"] | schemas
            for kind in _within(answers.values()):
                properties = schemas.get(kind.__name__, {}).get("properties", {})
                for name, text in explanations(kind).items():
                    properties.get(name, {})["description"] = text
        assert self.openapi_schema is not None
        return self.openapi_schema


def explanations(kind: type) -> dict[str, str]:
    """Return the line of explanation below each field of a dataclass, by the field's name, its bases' too."""
    of_bases = [_in_module(each.__module__).get(each.__name__, {}) for each in kind.__mro__ if is_dataclass(each)]
    return {name: text for found in reversed(of_bases) for name, text in found.items()}


@cache
def _in_module(name: str) -> dict[str, dict[str, str]]:
    """Return the explanations of all fields of a module's classes, by the class."""
    found: dict[str, dict[str, str]] = {}
    for definition in ast.parse(inspect.getsource(sys.modules[name])).body:
        if isinstance(definition, ast.ClassDef):
            texts = found.setdefault(definition.name, {})
            for made, below in pairwise(definition.body):
                match made, below:
                    case ast.AnnAssign(target=ast.Name(id=field)), ast.Expr(value=ast.Constant(value=str(text))):
                        texts[field] = text
    return found


def _within(kinds: Iterable[Any]) -> Iterator[type]:
    """Yield the dataclasses among types and those of their fields, each once."""
    seen, waiting = set[Any](), list(kinds)
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if is_dataclass(kind) and isinstance(kind, type) and kind not in seen:
            seen.add(kind)
            waiting += get_type_hints(kind).values()
            yield kind
