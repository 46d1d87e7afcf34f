"""The coach over the API: whoever may play asks for the odds; they are in no view and in no stream."""

import json
import re

import pytest
from playwright.sync_api import expect
from served import Served


@pytest.fixture
def playing(table: Served) -> Served:
    return table.game("Ann", "Ben", settings={"target": 61}, track=61).throws("112346")


def test_who_plays_gets_the_odds_of_this_moment(playing: Served) -> None:
    odds = playing.client.get("/api/v1/odds").json()
    assert odds["seq"] == playing.state()["seq"]
    assert odds["choice"].startswith("Best: keep ")
    assert playing.afar("GET", "/api/v1/odds", **playing.phone("Mia")).json() == odds
    playing.post("keep", {"dice": [1, 1, 2]})
    assert playing.client.get("/api/v1/odds").json()["seq"] == odds["seq"] + 1


def coached(table: Served, *parts: str) -> None:
    """Switch parts of the coach on for the whole table, and let Ann keep a die."""
    table.game("Ann", "Ben", settings={"target": 61}, track=61)
    table.post("pause")
    for answer in ("coach", *parts, "go_on"):
        table.post("answer", {"answer": answer}).raise_for_status()
    table.throws("234466")
    table.post("keep", {"dice": [2]})


def test_a_watcher_gets_none_even_where_the_whole_table_wants_them(table: Served) -> None:
    coached(table, "coach_after", "coach_lamps", "coach_odds", "coach_ask")
    heard = [table.state()]
    table.post("buttons/bank", {"press": "hold"}).raise_for_status()
    heard.append(table.state())
    assert table.client.get("/api/v1/odds").json()["choice"].startswith("Bank: ")
    table.post("buttons/bank", {"press": "tap"}).raise_for_status()
    assert table.client.get("/api/v1/odds").json()["after"].startswith("Ann banked 2; throwing was worth ")
    heard.append(table.state())
    with table.client.stream("GET", "/api/v1/events") as stream:
        heard.append(json.loads(next(each for each in stream.iter_lines() if each.startswith("data:"))[5:]))
    assert [state["coach"]["asked"] for state in heard] == [False, True, False, False]
    assert heard[0]["coach"]["parts"] == ["ask", "odds", "lamps", "after"]
    refused = table.afar("GET", "/api/v1/odds")
    assert (refused.status_code, "per cent" in refused.text) == (403, False)
    watched = [table.afar("GET", path).text for path in ("/api/v1/state", "/", "/wall")]
    assert "per cent" not in json.dumps([*heard, *watched])
    assert 'id="coach-line"' not in "".join(watched[1:])


@pytest.mark.browser
def test_the_line_is_there_only_for_a_browser_that_asks(playing: Served, tabs) -> None:
    tab = tabs()
    tab.goto(str(playing.client.base_url))
    tab.wait_for_selector("#roll button")
    assert tab.locator("#coach-line").is_hidden()
    tab.click("#more summary")
    tab.click("#coach")
    tab.wait_for_selector("#coach-line:not([hidden])")
    assert "With fair dice and best play." in tab.locator("#coach-line").text_content()
    playing.post("keep", {"dice": [1, 1, 2]})
    expect(tab.locator("#coach-line")).to_contain_text("Bank: ")
    assert tab.locator("#buttons").get_attribute("data-better") in {"bank", "roll"}


@pytest.mark.browser
def test_a_hold_of_bank_is_answered_on_the_page_and_on_the_wall(table: Served, tabs) -> None:
    coached(table, "coach_after", "coach_ask")
    tab = tabs()
    wall = tab.context.new_page()
    tab.goto(str(table.client.base_url))
    wall.goto(f"{table.client.base_url}/wall")
    expect(tab.locator("#buttons .bank.lit")).to_be_visible()
    assert tab.locator("#coach-line").is_hidden()
    assert wall.locator("#coach-line").is_hidden()
    tab.keyboard.press("Shift+B")
    for page in (tab, wall):
        expect(page.locator("#coach-line")).to_contain_text("Bank: ")
    assert table.state()["to_move"] == "Ann"
    table.post("buttons/bank", {"press": "tap"})
    told = "^Ann banked 2; throwing was worth [0-9.]+ per cent more.$"
    for page in (tab, wall):
        expect(page.locator("#coach-line")).to_have_text(re.compile(told))
    wall.close()
