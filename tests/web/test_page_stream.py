"""The page in a real Chromium is never stale in silence, and one that did not load whole heals itself."""

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from companion.web.table import ShownView

pytestmark = pytest.mark.browser

SHOWN_AGAIN = {
    "visibilitychange": "document.dispatchEvent(new Event('visibilitychange'))",
    "pageshow": "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    "online": "dispatchEvent(new Event('online'))",
    "focus": "dispatchEvent(new Event('focus'))",
}

WITHOUT_WAITS = """() => {
  const wait = window.setTimeout;
  for (let timer = wait(() => {}); timer; timer -= 1) clearTimeout(timer);
  window.setTimeout = (f, ms) => (ms >= 2000 ? 0 : wait(f, ms));
}"""

SILENT = "The table does not answer. Trying again …"


def shows(page, table) -> None:
    expect(page.locator("#room, #wall")).to_have_attribute("data-seq", str(table.state()["seq"]))


def hurried(page) -> None:
    """Let the page's waits take a twentieth of their time from now on."""
    page.evaluate("() => { const wait = window.setTimeout; window.setTimeout = (f, ms) => wait(f, ms / 20); }")


@pytest.fixture
def frozen(table, monkeypatch):
    """Return a function after which nothing comes on open streams, while they stay open; a new one begins whole."""
    monkeypatch.setattr("companion.web.table.PING_S", 3600.0)
    return lambda: table.app.state.streams.leave()


@pytest.mark.smoke
def test_a_stream_that_has_become_silent_is_replaced(open_page, table, frozen):
    page = open_page("choosing")
    frozen()
    table.presses("bank")
    hurried(page)
    page.evaluate(SHOWN_AGAIN["online"])  # begins the waits anew
    shows(page, table)
    expect(page.locator("#room:not([data-lost])")).to_be_visible()


@pytest.mark.parametrize("shown", SHOWN_AGAIN)
def test_a_page_asks_at_once_when_it_is_shown_again(open_page, table, frozen, shown):
    page = open_page("choosing")
    page.evaluate(WITHOUT_WAITS)  # nothing but the event makes it ask
    frozen()
    table.presses("bank")
    again = f"document.querySelector('#room').dataset.seq === '{table.state()['seq']}'"
    page.wait_for_function(f"() => {{ {SHOWN_AGAIN[shown]}; return {again}; }}", polling=300)


def test_a_view_that_was_missed_is_seen_by_its_version(open_page, table, monkeypatch):
    page = open_page("choosing")
    monkeypatch.setattr(ShownView, "event", b": lost\n\n")
    table.presses("bank")
    shows(page, table)


@pytest.mark.parametrize("path", ["", "wall"])
def test_a_table_that_is_silent_is_said_and_found_again(open_page, table, frozen, path):
    page = open_page("choosing", path=path)
    page.route("**/api/v1/**", lambda _: None)  # new requests get no answer, and the open stream no event
    frozen()
    table.presses("bank")
    expect(page.get_by_text(SILENT)).to_be_visible()
    page.unroute_all()
    shows(page, table)
    expect(page.get_by_text(SILENT)).to_be_hidden()


def test_without_a_stream_the_page_asks_for_the_state_and_a_press_without_an_answer_is_said(open_page, table):
    page = open_page("choosing")
    page.route("**/api/v1/events*", lambda route: route.abort())
    table.app.state.streams.end()
    table.presses("keep")
    table.post("keep", {"dice": [2]})
    shows(page, table)
    page.route("**/api/v1/buttons/**", lambda _: None)
    hurried(page)
    page.locator(".dome.bank").click()
    expect(page.locator("#notice")).to_have_text("The table does not answer. What you just did may not have counted.")


def test_a_live_picture_that_never_comes_does_not_hold_the_tray(open_page, table):
    page = open_page("to_throw")
    page.route("**/tray.jpg?now=*", lambda _: None)
    with page.expect_request("**/tray.jpg?now=*"):
        table.rolling()
    table.throws("233345")
    expect(page.locator(".picture")).to_have_attribute("href", table.state()["reading"]["picture"])
    expect(page.locator(".spotted")).to_have_count(6)


PATIENCE_MS = 120_000


def is_whole(page) -> None:
    expect(page.locator(".dome.keep")).to_be_visible(timeout=PATIENCE_MS)
    page.locator(".peg-layer[aria-label]").wait_for(state="attached", timeout=PATIENCE_MS)
    # A rule of each style sheet; the page's policy lets no script be evaluated again and again.
    for part, rule, value in (
        ("body", "margin", "0px"),
        (".room", "display", "grid"),
        (".board", "position", "relative"),
    ):
        expect(page.locator(part)).to_have_css(rule, value, timeout=PATIENCE_MS)


@pytest.mark.parametrize(
    "failing",
    [
        ["table.js"],
        ["words.js", "turn.js"],
        ["drag.js"],
        ["table.css"],
        ["heal.js", "table.js"],
        ["base.css", "board.js", "play.js", "2.json"],
    ],
)
def test_a_page_whose_files_failed_at_first_becomes_whole(tabs, table, failing):
    table.game().throws("233345")
    page, left = tabs(), Counter(failing)

    def answer(route) -> None:
        name = route.request.url.partition("?")[0].rpartition("/")[2]
        left[name] -= 1
        route.fulfill(status=503) if left[name] >= 0 else route.continue_()

    page.route("**/*", answer)
    page.goto(str(table.client.base_url))
    is_whole(page)
    expect(page.locator("#tray")).to_be_visible(timeout=PATIENCE_MS)
    tabs.complaints.clear()  # about the files that failed


def test_a_page_that_never_becomes_whole_asks_less_and_less(chromium, table):
    page = chromium.new_context().new_page()
    page.route("**/table.js", lambda route: route.fulfill(status=503))
    page.add_init_script("Math.random = () => 0")
    page.clock.install()
    loads = []
    page.on("load", lambda _: loads.append(True))
    page.goto(str(table.client.base_url))
    for count, seconds in enumerate((0.5, 1, 2, 4), 2):
        with page.expect_event("load", timeout=PATIENCE_MS):
            page.clock.run_for(seconds * 1000)
        assert len(loads) == count
    page.context.close()


def test_twelve_phones_of_one_address_open_the_page_at_once(chromium, table):
    table.game().throws("233346")
    phones = [chromium.new_context() for _ in range(12)]  # each has its own connections
    pages = [phone.new_page() for phone in phones]
    for page in pages:
        page.goto(str(table.client.base_url), wait_until="commit")
    for page in pages:
        is_whole(page)
    assert table.post("keep", {"dice": [3, 3, 3]}).status_code == 200
    for page in pages:
        expect(page.locator("#message")).to_have_text(re.compile("or bank"), timeout=PATIENCE_MS)
    for phone in phones:
        phone.close()
