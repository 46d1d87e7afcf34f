"""The page in each language of the program: a phone follows its browser, or its user, and nothing is cut."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from resized import resize
from served import Served
from test_page_layout import CLASHES, CUT

from companion.words import Languages, english, language_files

pytestmark = pytest.mark.browser

KEPT = Path(__file__).resolve().parents[2] / "out" / "screenshots"
STATES = ["lobby", "to_throw", "choosing", "aside", "banked", "farkled", "asking", "over"]


@pytest.fixture
def spoken(table: Served) -> Served:
    """Let a table speak all languages of the program."""
    table.app.state.languages = Languages(english(), files=language_files())
    return table


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("code", [pytest.param("de", marks=pytest.mark.smoke), "es", "fr", "it", "nl"])
def test_each_state_fits_a_phone_in_each_language(spoken: Served, open_page, code: str, state: str) -> None:
    page = open_page(state, "phone", locale=code)
    expect(page.locator("html")).to_have_attribute("lang", code)
    for width, height in ((320, 568), (390, 664)):
        resize(page, width, height)
        KEPT.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=KEPT / f"{code}-{state}-{width}.png")
        found = page.evaluate(CUT), page.evaluate(CLASHES), page.evaluate("document.documentElement.scrollWidth")
        assert found == ([], [], width)
