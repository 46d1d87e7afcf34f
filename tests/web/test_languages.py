"""The page in each language of the program: a phone follows its browser, or its user, and nothing is cut."""

import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import expect
from resized import resize
from served import Served
from test_page_layout import CLASHES, CUT

from companion.words import Catalogue, Languages, english, language_files, load_catalogue
from companion.words.load import PACKAGED
from farkle.rules.catalogue import catalogue

pytestmark = pytest.mark.browser

KEPT = Path(__file__).resolve().parents[2] / "out" / "screenshots"
STATES = ["lobby", "to_throw", "choosing", "aside", "banked", "farkled", "asking", "over"]


@pytest.fixture
def spoken(table: Served) -> Served:
    """Let a table speak all languages of the program."""
    table.app.state.languages = Languages(english(), files=language_files())
    return table


@pytest.mark.parametrize(
    ("code", "state"),
    [
        pytest.param(code, state, marks=pytest.mark.smoke if code == "de" and state in ("lobby", "aside") else ())
        for code in ("de", "es", "fr", "it", "nl")
        for state in STATES
    ],
)
def test_each_state_fits_a_phone_in_each_language(spoken: Served, open_page, code: str, state: str) -> None:
    page = open_page(state, "phone", locale=code)
    expect(page.locator("html")).to_have_attribute("lang", code)
    for width, height in ((320, 568), (390, 664)):
        resize(page, width, height)
        KEPT.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=KEPT / f"{code}-{state}-{width}.png")
        found = page.evaluate(CUT), page.evaluate(CLASHES), page.evaluate("document.documentElement.scrollWidth")
        assert found == ([], [], width)


@pytest.mark.parametrize("code", language_files())
def test_no_label_of_a_rule_card_covers_a_number(spoken: Served, open_page, code: str) -> None:
    wider = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    page = open_page("", "small", locale=code)
    for rules in catalogue():
        page.goto(f"{spoken.client.base_url}/rules/{rules.key}")
        assert page.locator(".equal tr > *").evaluate_all(wider) == [], rules.key


@pytest.mark.smoke
def test_a_phone_is_set_to_a_language_of_its_own(spoken: Served, open_page) -> None:
    french = open_page("to_throw", "phone", locale="fr-CA")
    page = open_page("", "phone", locale="en")
    language = page.locator("html")
    page.locator("#more summary").click()
    page.locator("#languages select").select_option("Deutsch")
    expect(language).to_have_attribute("lang", "de")
    spoken.throws("233345")  # comes by the stream
    expect(page.locator("#message")).to_contain_text("leg raus, was du behältst")
    expect(french.locator("#message")).to_contain_text("mets de côté")
    page.locator("#rules").click()
    expect(page.frame_locator("iframe").locator("html")).to_have_attribute("lang", "de")
    refused = page.evaluate("fetch('/api/v1/games/9/turns').then((answer) => answer.json())")
    assert refused["detail"] == load_catalogue("de")("access.no_game")
    page.goto(f"{spoken.client.base_url}/games")
    expect(language).to_have_attribute("lang", "de")
    page.locator("nav a", has_text="Statistik").click()
    expect(page).to_have_url(re.compile(r"/statistics\?lang=de$"))
    page.goto(f"{spoken.client.base_url}/?lang=nl")
    expect(language).to_have_attribute("lang", "nl")
    page.locator("#more summary").click()
    page.locator("#languages select").select_option("")
    expect(language).to_have_attribute("lang", "en")
    assert page.evaluate("localStorage.length") == 0
    assert page.context.cookies() == []


@pytest.mark.parametrize("state", STATES)
def test_the_layout_turns_for_a_language_that_is_written_from_right_to_left(table: Served, open_page, state) -> None:
    document = tomllib.loads((PACKAGED / "en.toml").read_text(encoding="utf-8"))
    table.app.state.languages = Languages(Catalogue(document, "ar", english()))
    page = open_page(state, "phone")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.screenshot(path=KEPT / f"rtl-{state}.png")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(CLASHES) == []
