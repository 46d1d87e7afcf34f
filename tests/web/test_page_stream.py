"""The page in a real Chromium: it is never stale in silence, whatever becomes of its stream of states."""

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

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


def shows(page, seq):
    expect(page.locator("#room")).to_have_attribute("data-seq", f"{seq}")


def hurried(page):
    """Let the page's waits take a twentieth of their time from now on."""
    page.evaluate("() => { const wait = window.setTimeout; window.setTimeout = (f, ms) => wait(f, ms / 20); }")


@pytest.mark.smoke
def test_a_stream_that_has_become_silent_is_replaced(open_page, canned_table):
    page = open_page(state="choosing")
    canned_table.freeze()
    canned_table.show("banked")
    hurried(page)
    page.evaluate(SHOWN_AGAIN["online"])  # begins the waits anew
    shows(page, 45)
    canned_table.freeze()
    canned_table.show("choosing")
    shows(page, 41)
    expect(page.locator("#room:not([data-lost])")).to_be_visible()


@pytest.mark.parametrize("shown", SHOWN_AGAIN)
def test_a_page_asks_at_once_when_it_is_shown_again(open_page, canned_table, shown):
    page = open_page(state="choosing")
    page.evaluate(WITHOUT_WAITS)  # nothing but the event makes it ask
    canned_table.freeze()
    canned_table.show("banked")
    page.wait_for_function(
        f"() => {{ {SHOWN_AGAIN[shown]}; return document.querySelector('#room').dataset.seq === '45'; }}", polling=300
    )


def test_a_view_that_was_missed_is_seen_by_its_version(open_page, canned_table):
    page = open_page(state="choosing")
    canned_table.state = canned_table.canned("banked")  # no event tells it
    canned_table.missed = 1
    shows(page, 45)


@pytest.mark.parametrize("path", ["", "wall"])
def test_a_table_that_is_silent_is_said_within_five_seconds_and_found_again(open_page, canned_table, path):
    page = open_page(state="choosing")
    page.goto(f"{canned_table.address}{path}")
    place = page.locator("#room, #wall")
    expect(place).to_have_attribute("data-seq", "41")
    page.route("**/api/v1/**", lambda _: None)  # new requests get no answer, and the open stream no event
    canned_table.freeze()
    canned_table.show("banked")
    expect(page.get_by_text("The table does not answer. Trying again …")).to_be_visible()
    expect(place).to_have_attribute("data-seq", "41")
    page.unroute_all()
    expect(place).to_have_attribute("data-seq", "45")
    expect(page.get_by_text("The table does not answer. Trying again …")).to_be_hidden()


def test_a_press_that_gets_no_answer_is_said(open_page, canned_table):
    page = open_page(state="choosing")
    page.route("**/api/v1/buttons/**", lambda _: None)
    hurried(page)
    page.locator(".dome.bank").click()
    expect(page.locator("#notice")).to_have_text("The table does not answer. What you just did may not have counted.")
    page.unroute_all()


def test_a_live_picture_that_never_comes_does_not_hold_the_tray(open_page, canned_table):
    page = open_page(state="choosing")
    page.route("**/tray.jpg?now=*", lambda _: None)
    with page.expect_request("**/tray.jpg?now=*"):
        canned_table.show("rolling")
    canned_table.show("choosing")
    reading = canned_table.state["reading"]["picture"]
    expect(page.locator(".picture")).to_have_attribute("href", reading)
    expect(page.locator(".spotted")).to_have_count(6)
    page.unroute_all()
