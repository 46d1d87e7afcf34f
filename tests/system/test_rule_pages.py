"""Rules in a real browser at a real table: the lobby's switches reach the game and its card."""

import re
from pathlib import Path

import pytest
from running import program, throw

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser]

KEPT = Path(__file__).resolve().parents[2] / "out" / "screenshots"


@pytest.fixture
def page(chromium) -> Page:
    KEPT.mkdir(parents=True, exist_ok=True)
    made = chromium.new_page(viewport={"width": 390, "height": 844})
    made.set_default_timeout(120_000)
    yield made
    made.close()


def names(page: Page, *wanted: str) -> None:
    expect(page.locator("#lobby-about")).not_to_be_empty()
    while page.locator(".names input").count() < len(wanted):
        page.get_by_role("button", name="+ another player").click()
    for place, name in enumerate(wanted, 1):
        page.get_by_label(f"Player {place}", exact=True).fill(name)


def open_group(page: Page, title: str) -> None:
    if not page.locator(".groups").is_visible():
        page.locator(".house > summary").click()
    page.locator(".group > summary", has_text=title).click()


def state(page: Page, address: str) -> dict:
    return page.request.get(f"{address}api/v1/state").json()


def test_a_switch_chosen_in_the_lobby_is_played_and_stands_on_the_card(tmp_path: Path, page: Page) -> None:
    with program(tmp_path) as made:
        page.goto(made.address)
        names(page, "Ann", "Ben")
        page.get_by_label("Rules", exact=True).select_option("farkle-cribbage-advanced")
        open_group(page, "Banking")
        page.get_by_label("Points in one turn to get on the board").fill("30")
        page.screenshot(path=KEPT / "lobby-phone.png", full_page=True)
        page.get_by_role("button", name="Start with").click()
        expect(page.locator("#lobby")).to_be_hidden()
        now = state(page, made.address)
        assert (now["rules"], now["settings"]) == ("farkle-cribbage-advanced", {"opening_min": 30})
        throw(made, "112346")
        expect(page.locator(".dome.bank")).to_have_attribute("aria-label", re.compile("30 to open"))
        page.goto(f"{made.address}rules/now")
        expect(page.get_by_role("heading", level=1)).to_have_text("Farkle Cribbage, advanced")
        expect(page.locator(".house")).to_contain_text("Points in one turn to get on the board: 30")
        expect(page.get_by_text("you need 30 points in one turn")).to_be_visible()
        page.screenshot(path=KEPT / "card-phone.png", full_page=True)
        page.get_by_role("link", name="Score sheet").click()
        expect(page.locator(".turns th[scope=col]")).to_have_text(["Ann", "Ben"])
