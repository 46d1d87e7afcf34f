"""Malformed requests to every route: never a 500, and every answer has the documented form."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from served import Served, served

from companion.app import FEATURES
from companion.web.feature import types_of
from companion.web.schema import Problem

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=12,
)
WORDS = st.sampled_from(
    [
        *("", "Ann", "Ben", "ann", " Ann", "\u202eAnn", "classic", "Zilch", "chess", "target", "leds.brightness"),
        *("red", "tap", "ask", "throw", "loser", "knock_out", "lane-1", "simulated", "usb:9"),
    ]
)


def near(schema: dict[str, Any], schemas: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values of about the form that a schema asks for, some of them too long, too large or unknown."""
    match schema:
        case {"$ref": str(name)}:
            return near(schemas[name.rpartition("/")[2]], schemas)
        case {"anyOf": list(options)}:
            return st.one_of(*(near(option, schemas) for option in options))
        case {"enum": list(words)}:
            return st.sampled_from([*words, ""])
        case {"properties": dict(fields)}:
            nearly = {name: near(of, schemas) for name, of in fields.items()}
            mixed = {name: st.one_of(of, of, of, JSON) for name, of in nearly.items()}
            return st.fixed_dictionaries({}, optional=mixed)
        case {"type": "array", "items": dict(items)}:
            return st.lists(near(items, schemas), max_size=7)
        case {"type": "object"}:
            return st.dictionaries(WORDS | st.text(max_size=9), JSON | st.lists(WORDS, max_size=4), max_size=3)
        case {"type": "string"}:
            return st.one_of(WORDS, WORDS, st.text(max_size=210))
        case {"type": "integer" | "number"}:
            return st.integers(-1, 8) | st.sampled_from([13, 121, 241, 10**7, 2**64])
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "null"}:
            return st.none()
    return JSON


TYPES = types_of(FEATURES)

Promised = tuple[str, st.SearchStrategy[Any], set[str]]
"""A write: its path, bodies that are nearly right, the statuses that it promises."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("malformed")) as running:
        running.game().throws("111346")
        yield running


@pytest.fixture(scope="module")
def writes(table: Served) -> list[Promised]:
    """Return every documented write."""
    told = table.client.get("/api/openapi.json").json()
    found = []
    for path, methods in told["paths"].items():
        if "post" in methods and "calibration" not in path:
            content = methods["post"].get("requestBody", {}).get("content", {}).get("application/json", {})
            bodies = near(content.get("schema", {"properties": {}}), told["components"]["schemas"])
            statuses = set(methods["post"]["responses"])
            found.append((path.replace("{button}", "keep").replace("{game}", "1"), bodies, statuses))
    assert len(found) > 30
    return found


def is_as_promised(answer: httpx.Response, statuses: set[str]) -> None:
    assert str(answer.status_code) in statuses, (answer.status_code, answer.text[:300])
    if answer.status_code == 204:
        assert answer.content == b""
        return
    name = {200: "View", 409: "LostRace"}.get(answer.status_code)
    TypeAdapter(TYPES[name] if name else Problem).validate_python(answer.json())


def test_every_write_promises_its_answer_to_bytes_that_are_no_text(table: Served) -> None:
    paths = table.client.get("/api/openapi.json").json()["paths"]
    posts = {path: methods["post"] for path, methods in paths.items() if "post" in methods}
    unpromised = {path for path, post in posts.items() if "requestBody" in post and "400" not in post["responses"]}
    assert {path for path in unpromised if "calibration" not in path} == set()


@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_body_that_is_nearly_right_never_breaks_the_table(
    table: Served, writes: list[Promised], data: st.DataObject
) -> None:
    path, bodies, statuses = data.draw(st.sampled_from(writes))
    is_as_promised(table.client.post(path, json=data.draw(bodies)), statuses)


@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_body_of_any_bytes_never_breaks_the_table(table: Served, writes: list[Promised], data: st.DataObject) -> None:
    path, _, statuses = data.draw(st.sampled_from(writes))
    body = data.draw(st.binary(max_size=200) | JSON.map(lambda value: repr(value).encode()))
    answer = table.client.post(path, content=body, headers={"content-type": "application/json"})
    is_as_promised(answer, statuses)


@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_an_address_of_any_letters_never_breaks_the_table(table: Served, data: st.DataObject) -> None:
    stems = ["/rules/", "/games/", "/statistics?rules=", "/fairness?of=", "/score-sheet?players=", "/static/"]
    parts = ("tray.jpg?v=", "stills/", "games/", "rules/", "fairness?of=")
    stem = data.draw(st.sampled_from([*stems, *(f"/api/v1/{part}" for part in parts)]))
    rest = quote(data.draw(st.text(max_size=30)), safe="/?&=%.")
    answer = table.client.get(stem + rest)
    assert answer.status_code < 500, answer.text
