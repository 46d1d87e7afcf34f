"""Rule cards and score sheets in a real Chromium: on paper, on a small screen, without JavaScript, light and dark."""

import re

import pytest
from playwright.sync_api import expect
from resized import CONTRAST, check_fingers, check_fit
from served import Served

from farkle.rules.catalogue import catalogue

pytestmark = pytest.mark.browser

HOUSE = (
    "farkle-cribbage-advanced?target=241&five_dice_rollover_points=2&vant_hof_6=true&piggyback=true&piggyback_hot=true"
    "&one_peg_per_hole=5&troublesome_twos=true&opening_min=20&min_bank=5&two_triplets=50&full_house=25&nobody_loses=true"
)
CARDS = [f"rules/{rules.key}" for rules in catalogue()]
TWELVE = ",".join(f"Player {number}" for number in range(12))
PATHS = [*CARDS, f"rules/{HOUSE}", "rules", f"score-sheet?rules=sir-albert&players={TWELVE}"]


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.smoke] if "?target" in path else []) for path in PATHS]
)
def test_it_prints_on_one_page(table: Served, tabs, path: str) -> None:
    page = tabs()
    page.goto(f"{table.client.base_url}/{path}")
    for paper in ("A4", "Letter"):
        pdf = page.pdf(format=paper)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == 1, paper


@pytest.mark.parametrize("path", [*PATHS, "rules/chess"])
def test_it_fits_a_phone_and_a_finger_and_can_be_read(table: Served, tabs, path: str) -> None:
    page = tabs()
    page.goto(f"{table.client.base_url}/{path}")
    check_fit(page, [(width, 800) for width in (1280, 760, 390, 320)])
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(CONTRAST) == []
    page.emulate_media(color_scheme="light")
    check_fingers(page, "a, button")


def test_without_javascript_a_card_is_whole(table: Served, tabs) -> None:
    bare = tabs({"java_script_enabled": False})
    bare.goto(f"{table.client.base_url}/rules/sir-albert")
    expect(bare.get_by_role("heading", name="How it ends")).to_be_visible()
    expect(bare.get_by_role("row", name="six of a kind 8000 1600 2400 3200 4000 4800")).to_be_visible()
    expect(bare.get_by_role("button", name="Print")).to_be_hidden()
