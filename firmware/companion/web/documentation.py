"""The API's documentation: each answer is named by its type, whose schema is made when a client asks for it."""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from fastapi import FastAPI
from pydantic import TypeAdapter

_PLACE = "#/components/schemas/"

_answers: dict[str, type] = {}
"""The types of all answers that routes promise, by their names."""


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
