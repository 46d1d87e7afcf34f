"""Who may only watch: what the server says and sends, and the page without controls in a real Chromium."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Served, served
from test_access import from_network

CONTROL = re.compile(r"<(button|input|select|textarea|form)\b")
FORWARDED = ["forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]
FORWARDED += ["x-forwarded", "tailscale-user-login", "tailscale-funnel-request", "cf-connecting-ip"]


OURS = {"play": True, "set_up": False, "here": False, "why": "", "phone": None}
"""What a client may do that may play."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("watching")) as running:
        yield running


def test_each_client_is_told_what_it_may_do(table: Served) -> None:
    assert table.client.get("/api/v1/access").json() == {**OURS, "set_up": True, "here": True}
    watching = from_network(table.app, "GET", "/api/v1/access").json()
    assert watching == {**OURS, "play": False, "why": "You are watching."}


def test_a_phone_that_was_let_in_may_play_and_not_set_up(table: Served) -> None:
    phone = table.phone("Mia")
    access = from_network(table.app, "GET", "/api/v1/access", **phone).json()
    assert access == {**OURS, "phone": access["phone"]}
    assert (access["phone"]["name"], access["phone"]["seat"]) == ("Mia", "")
    assert CONTROL.search(from_network(table.app, "GET", "/", **phone).text)


@pytest.mark.parametrize("name", FORWARDED)
def test_a_forwarded_request_is_never_this_machine(table: Served, name: str) -> None:
    headers = {name: "127.0.0.1"}
    assert table.client.get("/api/v1/access", headers=headers).json()["play"] is False
    assert table.post("undo", **headers).status_code == 403
    assert not CONTROL.search(table.client.get("/", headers=headers).text)


def test_the_view_of_the_table_is_the_same_for_everyone(table: Served) -> None:
    assert not {"play", "set_up", "why"} & set(table.state())


def test_a_page_to_watch_has_no_control_before_during_and_after_a_game(tmp_path: Path) -> None:
    with served(tmp_path) as table:

        def check() -> None:
            pages = ("/games", "/games/now/throws", "/standing", "/statistics", "/fairness")
            for path in ("/", "/wall", "/phone", *pages):
                assert not CONTROL.search(from_network(table.app, "GET", path).text), (table.state()["phase"], path)
            assert "You are watching." in from_network(table.app, "GET", "/").text
            assert CONTROL.search(table.client.get("/").text)

        check()
        table.game("Ann", "Ben", settings={"target": 20})
        check()
        table.throws("111356")
        check()
        table.post("buttons/bank", {"press": "tap"})
        table.throws("344663")
        check()
        assert 'id="rematch"' not in from_network(table.app, "GET", "/games/1").text


def test_before_a_game_who_watches_reads_the_rules_and_the_names(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        table.post("lobby", {"names": ["Mia", "<Tom>"], "rules": "classic"})
        page = from_network(table.app, "GET", "/").text
        assert "A new game is being set up." in page
        assert "<li>Mia</li><li>&lt;Tom&gt;</li>" in page
        assert 'href="/standing" id="waiting-evening"' in page


@pytest.mark.browser
def test_before_a_game_who_watches_sees_the_rules_and_the_evening(open_page, canned_table):
    from playwright.sync_api import expect

    canned_table.play = False
    page = open_page(state="lobby")
    rules = canned_table.canned("lobby")["lobby"]["rules"]
    expect(page.locator("#waiting iframe")).to_have_attribute("src", f"/rules/{rules}")
    expect(page.locator("#waiting-evening")).to_be_visible()


def test_the_camera_is_set_up_at_the_table_alone(table: Served) -> None:
    refused = from_network(table.app, "GET", "/calibrate", accept="text/html")
    assert refused.status_code == 403
    assert not CONTROL.search(refused.text)
    assert "You are watching." in refused.text


TO_PRESS = "button, input, select, textarea, form, [data-place], [tabindex='0']"


@pytest.mark.browser
@pytest.mark.parametrize(
    "state",
    [
        *("lobby", "to_throw", "rolling", "aside", "asking", "farkled", "over", "twelve"),
        pytest.param("choosing", marks=pytest.mark.smoke),
    ],
)
def test_the_page_to_watch_has_nothing_to_press_and_sends_nothing(open_page, canned_table, state):
    from playwright.sync_api import expect

    canned_table.play = False
    page = open_page("phone", state)
    expect(page.locator("#watching")).to_be_in_viewport(ratio=1)
    more = page.locator("#more summary")
    more.click()
    page.locator("#volume").wait_for()  # before a game it is made when the panel is opened
    more.click()
    pressed = page.locator(TO_PRESS).evaluate_all("all => all.map((one) => one.outerHTML)")
    assert len(pressed) == 1, pressed
    assert 'id="volume"' in pressed[0]  # the sounds of this browser
    for part in page.locator(":is(.rolled, .selection, .player):visible").all():
        part.click()
    page.keyboard.press("b")
    page.keyboard.press("t")
    page.keyboard.press("1")
    canned_table.show("to_throw")
    page.locator("#room[data-phase='to_throw']").wait_for()
    assert canned_table.written == []


@pytest.mark.browser
def test_a_page_is_loaded_again_when_a_table_comes_back_with_other_rights(open_page, canned_table):
    from playwright.sync_api import expect

    canned_table.play = False
    page = open_page("phone", "choosing")
    canned_table.play = True
    canned_table.events_open = False
    canned_table.hang_up()
    expect(page.locator(".dome.keep")).to_be_visible()
