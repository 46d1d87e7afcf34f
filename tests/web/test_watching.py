"""Who may only watch: what the server says and sends, and the page without controls in a real Chromium."""

import re

import pytest
from playwright.sync_api import expect
from served import ELSEWHERE, Served
from states import STATES

CONTROL = re.compile(r"<(button|input|select|textarea|form)\b")
FORWARDED = [*("forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded"), "tailscale-funnel-request"]

OURS = {"play": True, "set_up": False, "here": False, "why": "", "phone": None}
"""What a client may do that may play."""


def test_each_client_is_told_what_it_may_do(table: Served) -> None:
    assert table.client.get("/api/v1/access").json() == {**OURS, "set_up": True, "here": True}
    watching = table.afar("GET", "/api/v1/access").json()
    assert watching == {**OURS, "play": False, "why": "You are watching."}
    phone = table.phone("Mia")
    access = table.afar("GET", "/api/v1/access", **phone).json()
    assert access == {**OURS, "phone": {"id": access["phone"]["id"], "name": "Mia", "seat": ""}}
    assert CONTROL.search(table.afar("GET", "/", **phone).text)
    assert not {"play", "set_up", "why"} & set(table.state()), "the view is the same for everyone"


def test_a_forwarded_request_is_never_this_machine(table: Served) -> None:
    for name in FORWARDED:
        headers = {name: "127.0.0.1"}
        assert table.client.get("/api/v1/access", headers=headers).json()["play"] is False, name
        assert table.post("undo", **headers).status_code == 403, name
        assert not CONTROL.search(table.client.get("/", headers=headers).text), name


def test_a_page_to_watch_has_no_control(table: Served) -> None:
    table.post("lobby", {"names": ["Mia", "<Tom>"], "rules": "classic"})
    assert "<li>&lt;Tom&gt;</li>" in table.afar("GET", "/").text
    pages = ("/games", "/games/now/throws", "/standing", "/statistics", "/fairness", "/calibrate")
    for state in ("lobby", "choosing", "over"):
        STATES[state](table)
        for path in ("/", "/wall", "/phone", *pages):
            assert not CONTROL.search(table.afar("GET", path, accept="text/html").text), (state, path)
        assert "You are watching." in table.afar("GET", "/").text
        assert CONTROL.search(table.client.get("/").text)
    assert 'id="rematch"' not in table.afar("GET", "/games/1").text
    assert table.afar("GET", "/calibrate", accept="text/html").status_code == 403


TO_PRESS = "button, input, select, textarea, form, [data-place], [tabindex='0']:not(.places)"
"""What can be pressed. The places of a game take the focus only to scroll."""


@pytest.mark.browser
@pytest.mark.parametrize(
    "state", [pytest.param(state, marks=[pytest.mark.smoke] if state == "choosing" else []) for state in STATES]
)
def test_the_page_to_watch_has_nothing_to_press_and_sends_nothing(open_page, table, written, state):
    page = open_page(state, "phone", watch=True)
    expect(page.locator("#watching")).to_be_in_viewport(ratio=1)
    if state == "lobby":
        expect(page.locator("#waiting iframe")).to_have_attribute("src", f"/rules/{table.state()['lobby']['rules']}")
        expect(page.locator("#waiting-evening")).to_be_visible()
    more = page.locator("#more summary")
    more.click()
    page.locator("#volume").wait_for()  # before a game it is made when the panel is opened
    more.click()
    pressed = page.locator(TO_PRESS).evaluate_all("all => all.map((one) => one.outerHTML)")
    assert [
        one for one in pressed if 'id="volume"' not in one and "option" not in one
    ] == []  # this browser's sound, language
    for part in page.locator(":is(.rolled, .selection, .player):visible").all():
        part.click()
    for key in "bt1":
        page.keyboard.press(key)
    table.game("Mia", "Tom")
    page.locator(".player .who", has_text="Mia").wait_for()
    assert written(page) == []


@pytest.mark.browser
def test_a_page_is_loaded_again_when_a_table_comes_back_with_other_rights(open_page, table):
    page = open_page("choosing", "phone", watch=True)
    page.context.set_extra_http_headers({})
    table.app.state.streams.end()
    expect(page.locator(".dome.keep")).to_be_visible()
    page.context.set_extra_http_headers(ELSEWHERE)
