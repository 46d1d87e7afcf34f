"""The coach over the API: whoever may play asks for the odds; they are in no view and in no stream."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Served, served
from test_access import from_network


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("odds")) as running:
        yield running.game("Ann", "Ben", settings={"target": 61}, track=61)


def test_who_plays_gets_the_odds_of_this_moment(table: Served) -> None:
    table.throws("112346")
    odds = table.client.get("/api/v1/odds").json()
    assert odds["seq"] == table.state()["seq"]
    assert odds["choice"].startswith("Best: keep ")
    phone = from_network(table.app, "GET", "/api/v1/odds", **table.phone("Mia"))
    assert phone.json() == odds


def test_who_watches_gets_none_by_any_way(table: Served) -> None:
    refused = from_network(table.app, "GET", "/api/v1/odds")
    assert refused.status_code == 403
    assert "hundred" not in refused.text
    with table.client.stream("GET", "/api/v1/events") as stream:
        event = next(each for each in stream.iter_lines() if each.startswith("data:"))
    table.client.get("/api/v1/odds").raise_for_status()
    for text in (event, from_network(table.app, "GET", "/api/v1/state").text, json.dumps(table.state())):
        assert "in a hundred" not in text
        assert "farkle." not in text


def test_the_odds_of_an_older_act_name_that_act(table: Served) -> None:
    before = table.client.get("/api/v1/odds").json()["seq"]
    table.post("keep", {"dice": [1, 1, 2]})
    assert table.client.get("/api/v1/odds").json()["seq"] == before + 1


def test_the_line_is_there_only_for_a_browser_that_asks(tmp_path: Path, tabs: object) -> None:
    from playwright.sync_api import expect

    with served(tmp_path) as running:
        running.game("Ann", "Ben", settings={"target": 61}, track=61).throws("112346")
        tab = tabs({})  # type: ignore[operator]
        tab.goto(str(running.client.base_url))
        tab.wait_for_selector("#roll button")
        assert tab.locator("#coach-line").is_hidden()
        tab.click("#more summary")
        tab.click("#coach")
        tab.wait_for_selector("#coach-line:not([hidden])")
        assert "With fair dice and best play." in tab.locator("#coach-line").text_content()
        running.post("keep", {"dice": [1, 1, 2]})
        expect(tab.locator("#coach-line")).to_contain_text("Bank: ")
        assert tab.locator("#buttons").get_attribute("data-better") in {"bank", "roll"}
