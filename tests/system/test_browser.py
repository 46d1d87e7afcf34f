"""A whole game by clicks in a real browser: page, table, eye and pegs are real; only the dice move in fast motion."""

from pathlib import Path

import pytest
from running import counted, has_come, program, until

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from companion.app import Program
from companion.cli.replay import as_record
from farkle.replay import replay

pytestmark = pytest.mark.browser

KEPT = Path(__file__).resolve().parents[2] / "out" / "screenshots"
PATIENCE_MS = 120_000
AGAIN_S = 10.0


def play_a_turn(page: Page, made: Program) -> None:
    """Throw once; choose the best that counts, and bank, all with the mouse."""
    turn = made.feed.latest.view.throw_seq
    page.locator("#throw").click()
    while not made.feed.wait(lambda update: has_come(update, turn), AGAIN_S):
        page.locator("#throw").click()  # a new game's tray had not been looked at: the page said to try again
    counted(made, turn)
    view = made.feed.latest.view
    if view.phase != "choosing":
        return
    page.locator(".selection").first.click()
    expect(page.locator('.selection[aria-pressed="true"]')).to_have_count(1, timeout=PATIENCE_MS)
    page.locator(".dome.bank").click()
    until(made, lambda update: update.view.seq > view.seq + 1)


@pytest.mark.timeout(900)
def test_a_whole_game_is_played_with_the_mouse(tmp_path: Path, chromium) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE_MS)
    with program(tmp_path, seed=11) as made:
        page.goto(made.address)
        page.get_by_label("Player 1", exact=True).fill("Ann")
        page.get_by_label("Player 2", exact=True).fill("Ben")
        page.get_by_role("button", name="Start the game").click()
        expect(page.locator("#throw")).to_be_visible()
        turns = 0
        while made.feed.latest.view.phase != "over":
            play_a_turn(page, made)
            turns += 1
            if turns == 8:
                page.screenshot(path=KEPT / "game-laptop.png")
        view = made.feed.latest.view
        expect(page.locator("#ending")).to_contain_text("The game is over")
        expect(page.locator(".places .winner .who")).to_have_text(view.winners[0])
        page.screenshot(path=KEPT / "over-laptop.png")
        page.set_viewport_size({"width": 390, "height": 844})
        page.screenshot(path=KEPT / "over-phone.png")
        again = as_record(replay(page.request.get(f"{made.address}api/v1/notation.txt").text()))
    page.close()
    assert again["winners"] == list(view.winners)
    assert [player["score"] for player in again["players"]] == [player.score for player in view.players]
    assert max(player.score for player in view.players) >= 121
