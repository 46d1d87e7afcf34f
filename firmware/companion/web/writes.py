"""The API's writes: each puts one input into the table's inbox, and answers with the view after it.

The body of a write is made from the type of its input: its fields, their types and their limits.
"""

import asyncio
import inspect
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import create_model

from companion.errors import RefusedError
from companion.pairing.phones import Phone
from companion.table.state import inputs
from companion.table.state.questions import GO_ON
from companion.table.view import View
from companion.web.guard.clients import client_of, origin_of, words_of
from companion.web.schema import LostRace, Write, answer_of, problems
from companion.web.table import table_of
from companion.words import message

WRITE_PROBLEMS: dict[int | str, dict[str, Any]] = {
    **problems(400, 403, 404, 413, 415, 422, 503),
    409: answer_of(LostRace, "another act came first, or dice move: the new state"),
}
WRITTEN = {200: answer_of(View), **WRITE_PROBLEMS}
"""The answers of a write that shows the table afterwards."""

FROM_THE_REQUEST = {"by", "origin"}
"""The fields of inputs that no body has: who sends it, and where from."""

OF_THE_TURN = (inputs.Press, inputs.ChooseSelection, inputs.EnterRoll, inputs.CountPoints, inputs.Answer)
"""What the player to move does. A correction, an undo or the pause menu is everybody's."""


def answer(request: Request) -> Response:
    """Return the newest view as a response."""
    return Response(table_of(request).shown_in(words_of(request)).json, media_type="application/json")


async def write(request: Request, given: inputs.Input, body: Write) -> Response:
    """Put an input into the table's inbox, and return the view after it."""
    by = note_phone(request, given)
    await asyncio.wrap_future(table_of(request).host.submit(replace(given, by=by), body.expected_seq))
    return answer(request)


def note_phone(request: Request, given: inputs.Input | None) -> str:
    """Note what a phone does, if one sends the request, and return its name.

    Args:
        request: the request.
        given: the input that it makes; None throws simulated dice.

    `RefusedError` reaches the caller if the turn is that of another player's phone.
    """
    table, phone = table_of(request), client_of(request).phone
    if phone is None:
        return ""
    check_seat(phone, given, table.feed.latest.view)
    table.pairing.phones.did(phone.id, request.url.path.rpartition("/")[2])
    return phone.name


def check_seat(phone: Phone, given: inputs.Input | None, view: View) -> None:
    """Check that a phone does not act in another's place.

    A question of the pause menu is answered by the phone that is asked; others may only go on with the game. A phone
    with a seat does not act in the turn of another player whose own phone shows the page. Phones without a seat may act
    in any turn. The buttons of the board do not pass through this check.

    Args:
        phone: the phone that acts.
        given: what it does; None throws simulated dice.
        view: the table.

    Raises:
        RefusedError: if the turn or the question belongs to another phone.
    """
    question = view.question
    if question is not None and question.by and isinstance(given, OF_THE_TURN):
        if phone.name != question.by and not _goes_on(given):
            raise RefusedError(message("refused.asked_on", name=question.by))
        return
    if not phone.seat or phone.seat == view.to_move or not isinstance(given, (*OF_THE_TURN, type(None))):
        return
    if question is not None and question.kind == "menu":
        return
    if any(player.phones for player in view.players if player.name == view.to_move):
        raise RefusedError(message("refused.turn_of", name=view.to_move))


def _goes_on(given: inputs.Input) -> bool:
    if isinstance(given, inputs.Press):
        return (given.button, given.gesture) == (inputs.Button.KEEP, inputs.Gesture.TAP)
    return isinstance(given, inputs.Answer) and given.answer == GO_ON.id


def add_write(router: APIRouter, path: str, gives: type[inputs.Input], **names: str) -> None:
    """Add the route of a write to a router.

    Args:
        router: the router.
        path: the path below the router's prefix.
        gives: the type of the input; its docstring documents the route.
        names: the names in JSON of fields that have another one there; an empty name leaves a field out.
    """
    types = get_type_hints(gives, include_extras=True)
    named = {names.get(each.name, each.name): each for each in fields(gives) if each.name not in FROM_THE_REQUEST}
    named.pop("", None)
    values: Any = {name: (in_json(types[each.name]), _default(each)) for name, each in named.items()}
    about = inspect.getdoc(gives)
    model: Any = create_model(f"{gives.__name__}Request", __base__=Write, __doc__=about, **values)
    has_origin = "origin" in types

    async def endpoint(request: Request, body: model) -> Response:
        given = {each.name: _as_tuples(getattr(body, name)) for name, each in named.items()}
        if has_origin:
            given["origin"] = origin_of(request)
        return await write(request, gives(**given), body)

    async def without_body(request: Request, body: model | None = None) -> Response:
        return await endpoint(request, body or model())

    optional = ... not in map(_default, named.values())
    router.add_api_route(
        path,
        without_body if optional else endpoint,
        methods=["POST"],
        responses=WRITTEN,
        name=re.sub(r"(?<!^)(?=[A-Z])", "_", gives.__name__).lower(),  # the documentation shows it as `Enter Roll`
        description=about,
    )


def _default(of: "Field[Any]") -> Any:
    return of.default if of.default is not MISSING else ...


def in_json(kind: Any) -> Any:
    """Return the type that a value has in JSON: lists for tuples, dictionaries for mappings; no classes of our own."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[(in_json(args[0]), *args[1:])]
    if origin in (Union, UnionType):
        return reduce(or_, (in_json(each) for each in args if not is_dataclass(each)))
    if origin is tuple:
        return GenericAlias(list, (in_json(args[0]),))
    if origin is Mapping:
        return GenericAlias(dict, (args[0], in_json(args[1])))
    return kind


def _as_tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_as_tuples, value))
    if isinstance(value, dict):
        return {key: _as_tuples(each) for key, each in value.items()}
    return value
