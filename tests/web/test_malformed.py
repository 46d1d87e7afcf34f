"""Malformed requests to every route: never a 500, and every answer has the documented form."""

from collections.abc import Iterator
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
FACES = st.lists(st.integers(-1, 8), max_size=8)
NAMES = st.lists(
    st.text(max_size=24) | st.sampled_from(["Ann", "Ben", "ann", " Ann", "\u202eAnn", "A" * 21]), max_size=14
)
VALUES = {
    "expected_seq": st.none() | st.integers(-1, 2**64),
    "press": st.sampled_from(["tap", "hold", "double", ""]),
    "rules": st.sampled_from(["farkle-cribbage", "classic", "Zilch", "chess", ""]) | st.text(max_size=120),
    "settings": st.dictionaries(st.sampled_from(["target", "piggyback", "none"]), JSON, max_size=3),
    "track": st.none() | st.sampled_from([0, 121, 241, -1]),
    "players": NAMES,
    "names": st.none() | NAMES,
    "teams": st.none() | st.dictionaries(st.text(max_size=9), NAMES, max_size=3) | NAMES,
    "start": st.none() | st.text(max_size=9) | st.sampled_from(["ask", "throw"]) | st.integers(-2, 13),
    "plays": st.sampled_from(["", "round_robin", "knock_out", "league"]),
    "over": st.booleans(),
    "dice": st.none() | FACES,
    "roll": FACES,
    "points": st.none() | st.integers(-5, 10**7),
    "answer": st.text(max_size=210),
    "open": st.none() | st.booleans(),
    "whole": st.none() | st.booleans(),
    "name": st.text(max_size=110),
    "player": st.text(max_size=110),
    "holes": st.none() | st.lists(st.integers(-2, 2000), max_size=4),
    "digits": st.text(max_size=24),
    "begins": st.sampled_from(["seat", "loser", "winner", "nobody", ""]),
    "volume": st.none() | st.integers(-5, 200),
    "muted": st.none() | st.booleans(),
    "values": st.dictionaries(st.sampled_from(["leds.brightness", "web.port", "none"]), JSON, max_size=3),
    "show": st.sampled_from(["red", "lane-1", "lane-99", ""]),
    "seen": st.dictionaries(st.sampled_from(["red", "green", "blue", "white"]), st.sampled_from(["red", "green", ""])),
    "ended": st.booleans(),
    "tournament": st.none() | st.sampled_from(["", "round_robin", "knock_out", "losers_out"]),
    "alias": st.text(max_size=110),
    "lamp": st.none() | st.integers(-3, 99),
    "source": st.sampled_from(["simulated", "phone", "usb:9", "none"]),
}


TYPES = types_of(FEATURES)

Promised = tuple[str, list[str], set[str]]
"""A write: its path, the keys of its body, the statuses that it promises."""


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
        if "post" not in methods or "calibration" in path:
            continue
        content = (
            methods["post"].get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        )
        names = [each["$ref"].rpartition("/")[2] for each in [content, *content.get("anyOf", ())] if "$ref" in each]
        keys = [key for name in names for key in told["components"]["schemas"][name].get("properties", ())]
        found.append((path.replace("{button}", "keep").replace("{game}", "1"), keys, set(methods["post"]["responses"])))
    return found


def is_as_promised(answer: httpx.Response, statuses: set[str]) -> None:
    assert str(answer.status_code) in statuses, (answer.status_code, answer.text[:300])
    if answer.status_code == 204:
        assert answer.content == b""
        return
    name = {200: "View", 409: "LostRace"}.get(answer.status_code)
    TypeAdapter(TYPES[name] if name else Problem).validate_python(answer.json())


def test_every_write_is_known_to_the_tests_below(writes: list[Promised]) -> None:
    assert len(writes) >= 8
    for path, keys, _ in writes:
        assert set(keys) <= set(VALUES), path


def test_every_write_promises_its_answer_to_bytes_that_are_no_text(writes: list[Promised]) -> None:
    assert [path for path, keys, statuses in writes if keys and "400" not in statuses] == []


@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_body_that_is_nearly_right_never_breaks_the_table(
    table: Served, writes: list[Promised], data: st.DataObject
) -> None:
    path, keys, statuses = data.draw(st.sampled_from(writes))
    chosen = data.draw(st.lists(st.sampled_from(keys), unique=True)) if keys else []
    body = {key: data.draw(st.one_of(VALUES[key], VALUES[key], VALUES[key], JSON)) for key in chosen}
    is_as_promised(table.client.post(path, json=body), statuses)


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
    stem = data.draw(
        st.sampled_from(
            [
                *("/rules/", "/games/", "/statistics?rules=", "/fairness?of=", "/score-sheet?players=", "/static/"),
                *("/api/v1/tray.jpg?v=", "/api/v1/stills/", "/api/v1/games/", "/api/v1/rules/", "/api/v1/fairness?of="),
            ]
        )
    )
    rest = quote(data.draw(st.text(max_size=30)), safe="/?&=%.")
    answer = table.client.get(stem + rest)
    assert answer.status_code < 500, answer.text
