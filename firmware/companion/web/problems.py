"""Errors as the API says them: RFC 9457's `application/problem+json`, one sentence in `detail`."""

import json
from collections.abc import Iterable
from http import HTTPStatus

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import Send

from companion.web.schema import Problem

TYPE = "application/problem+json"


def problem(status: int, detail: str) -> JSONResponse:
    """A response that says what was expected and what came."""
    words = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail)
    return JSONResponse(words.model_dump(), status_code=status, media_type=TYPE)


async def send_problem(send: Send, status: int, detail: str, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Answer a request with a problem before it has reached any route."""
    body = json.dumps(Problem(title=HTTPStatus(status).phrase, status=status, detail=detail).model_dump()).encode()
    start = [
        (b"content-type", TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})


async def on_http_error(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - Starlette's signature
    """A refusal of the framework's own (no such page, no such method) as a problem."""
    assert isinstance(error, HTTPException)
    return problem(error.status_code, str(error.detail))


async def on_bad_body(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - FastAPI's signature
    """A body that is not what the route takes, as one sentence."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    return problem(422, f"{where}: {first['msg']}, got {_short(first.get('input'))}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
