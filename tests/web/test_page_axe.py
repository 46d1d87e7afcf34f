"""The page in a real Chromium, checked by axe-core for accessibility, in each state, light and dark."""

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
from axe_playwright_python.sync_playwright import Axe

STATES = sorted(path.stem.removeprefix("state_") for path in Path(__file__).parent.glob("state_*.json"))
QUICK = {("choosing", "light")}

pytestmark = pytest.mark.browser


def faults(page):
    """Return the findings of axe-core: each rule, and the first place that breaks it."""
    found = Axe().run(page).response["violations"]
    return [(each["id"], each["nodes"][0]["target"]) for each in found]


@pytest.mark.parametrize(
    ("state", "scheme"),
    [
        pytest.param(state, scheme, marks=[pytest.mark.smoke] if (state, scheme) in QUICK else [])
        for state in STATES
        for scheme in ("light", "dark")
    ],
)
def test_axe_finds_nothing_on_the_table(open_page, state, scheme):
    page = open_page("phone" if scheme == "dark" else "laptop", state, color_scheme=scheme)
    assert faults(page) == []


@pytest.mark.parametrize("state", ["choosing", "over", "twelve"])
def test_axe_finds_nothing_on_the_wall(open_page, canned_table, state):
    page = open_page(state=state)
    page.goto(f"{canned_table.address}wall")
    page.locator(".peg-layer[aria-label]").wait_for(state="attached")
    assert faults(page) == []


def test_axe_finds_nothing_in_opened_dialogs(open_page):
    page = open_page(state="choosing")
    page.locator("#more summary").click()
    assert faults(page) == []
    page.keyboard.press("?")
    page.locator(".keys").wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.locator(".rolled").first.focus()
    page.keyboard.press("e")
    page.locator("#fix").wait_for()
    assert faults(page) == []
