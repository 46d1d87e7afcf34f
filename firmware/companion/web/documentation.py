"""The API's documentation: each answer is named by its type, whose schema is made when a client asks for it."""

from typing import Any

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
    """An application whose documentation has the schemas of all answers."""

    def openapi(self) -> dict[str, Any]:
        """Return the documentation in the form of OpenAPI; the first call makes it."""
        if self.openapi_schema is None:
            schemas = super().openapi().setdefault("components", {}).setdefault("schemas", {})
            _, made = TypeAdapter.json_schemas(
                [(name, "serialization", TypeAdapter(kind)) for name, kind in _answers.items()],
                ref_template=_PLACE + "{model}",
            )
            schemas |= made["$defs"] | schemas
        assert self.openapi_schema is not None
        return self.openapi_schema
