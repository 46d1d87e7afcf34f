"""A page that did not load whole heals itself, and whoever shares an address can open it."""

import re

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect
from served import served

pytestmark = pytest.mark.browser

PATIENCE_MS = 120_000


def is_whole(page):
    expect(page.locator(".dome.keep")).to_be_visible(timeout=PATIENCE_MS)
    page.locator(".peg-layer[aria-label]").wait_for(state="attached", timeout=PATIENCE_MS)
    # A rule of each style sheet; the page's policy lets no script be evaluated again and again.
    rules = (("body", "margin", "0px"), (".room", "display", "grid"), (".board", "position", "relative"))
    for part, rule, value in rules:
        expect(page.locator(part)).to_have_css(rule, value, timeout=PATIENCE_MS)


@pytest.mark.smoke
def test_a_tab_that_a_test_made_small_is_large_again_for_the_next(tabs):
    tabs({}, "phone")
    assert tabs({}).viewport_size == {"width": 1280, "height": 800}


@pytest.mark.parametrize(
    "failing",
    [
        pytest.param(["table.js"], marks=pytest.mark.smoke),
        ["words.js", "turn.js"],
        ["drag.js"],
        ["table.css"],
        ["heal.js", "table.js"],
        ["base.css", "board.js", "play.js", "2.json"],
    ],
)
def test_a_page_whose_files_failed_at_first_becomes_whole(tabs, canned_table, failing):
    canned_table.state = canned_table.canned("choosing")
    canned_table.failing = dict.fromkeys(failing, 1)
    page = tabs({"reduced_motion": "reduce"})
    page.goto(canned_table.address)
    is_whole(page)
    expect(page.locator("#tray")).to_be_visible(timeout=PATIENCE_MS)
    page.goto("about:blank")


def test_a_page_that_never_becomes_whole_asks_less_and_less(chromium, canned_table):
    canned_table.state = canned_table.canned("choosing")
    canned_table.failing = {"table.js": 10**6}
    page = chromium.new_context().new_page()
    page.add_init_script("Math.random = () => 0")
    page.clock.install()
    loads = []
    page.on("load", lambda _: loads.append(True))
    page.goto(canned_table.address)
    for count, seconds in enumerate((0.5, 1, 2, 4), 2):
        with page.expect_event("load", timeout=PATIENCE_MS):
            page.clock.run_for(seconds * 1000)
        assert len(loads) == count
    page.context.close()


def test_a_page_does_not_leave_for_a_table_that_does_not_answer(tabs, canned_table):
    canned_table.state = canned_table.canned("choosing")
    canned_table.failing = {"table.js": 1}
    page = tabs({})
    page.goto(canned_table.address, wait_until="commit")
    canned_table.failing["/"] = 2
    is_whole(page)
    assert canned_table.failing["/"] == 0
    page.goto("about:blank")


def test_twelve_phones_of_one_address_open_the_page_at_once(chromium, tmp_path):
    with served(tmp_path) as running:
        running.game().throws("233346")
        address = f"http://127.0.0.1:{running.client.base_url.port}/"
        phones = [chromium.new_context() for _ in range(12)]  # each has its own connections
        pages = [phone.new_page() for phone in phones]
        for page in pages:
            page.goto(address, wait_until="commit")
        for page in pages:
            is_whole(page)
        assert running.post("keep", {"dice": [3, 3, 3]}).status_code == 200
        for page in pages:
            expect(page.locator("#message")).to_have_text(re.compile("or bank"), timeout=PATIENCE_MS)
        for phone in phones:
            phone.close()
