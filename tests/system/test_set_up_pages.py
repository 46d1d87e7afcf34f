"""The set-up as a person walks it, from an empty folder: the real program and its pages in a browser."""

from pathlib import Path

import pytest
from running import PATIENCE_S, table

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def test_a_new_table_is_set_up_step_by_step_from_its_lobby(tmp_path: Path, chromium) -> None:
    from playwright.sync_api import expect

    wait_ms = 1000 * PATIENCE_S
    with table(tmp_path, "--camera", "simulated:7") as running:
        page = chromium.new_page(viewport={"width": 390, "height": 664})
        page.set_default_timeout(wait_ms)
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(running.ready().address)

        page.get_by_role("link", name="Play with real dice").click()
        page.get_by_role("link", name="Camera", exact=True).click()
        expect(page.get_by_text("Set on the command line.")).to_be_visible()
        page.get_by_role("link", name="Skip").click()

        page.locator("#empty:not([disabled])").click()
        for number in range(3):
            page.locator("#throw:not([disabled])").click()
            expect(page.locator("#throws")).to_have_text(f"{number + 1} taken", timeout=wait_ms)
        page.locator("#save:not([disabled])").click()
        expect(page.locator("#step-save .said")).to_contain_text("Saved.", timeout=wait_ms)
        page.locator("#read:not([disabled])").click()
        expect(page.locator("#step-read .said")).to_contain_text("I read", timeout=wait_ms)
        expect(page.locator("#marks rect")).to_have_count(6)

        page.get_by_role("link", name="Lights").click()
        page.get_by_label("Brightness").fill("0.5")
        page.get_by_label("Board", exact=True).select_option("long-board-3")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#told")).to_contain_text("Saved, in", timeout=wait_ms)
        expect(page.get_by_label("Brightness")).to_have_value("0.5")

        page.get_by_role("link", name="Buttons").click()
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("#reason")).to_contain_text("expected a Raspberry Pi's pins", timeout=wait_ms)
        page.get_by_role("link", name="Skip").click()

        page.get_by_label("Sound", exact=True).select_option("espeak")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#told")).to_contain_text("Saved, in", timeout=wait_ms)

        page.goto(f"{running.address}set-up/table")
        page.get_by_label("Players").fill("Ann, ann")
        page.get_by_role("button", name="Save").click()
        said = page.locator(".field", has=page.get_by_label("Players")).get_by_role("alert")
        expect(said).to_have_text("Expected players of different names, got Ann, ann.", timeout=wait_ms)

        page.goto(f"{running.address}set-up")
        page.get_by_role("link", name="Times").click()
        page.get_by_label("The board dims after").fill("400")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#told")).to_contain_text("Saved, in", timeout=wait_ms)

        assert running.get("set-up")["written"] == {
            "leds.brightness": "0.5",
            "leds.layout": '"long-board-3"',
            "sound.driver": '"espeak"',
            "times.dim_s": "400",
        }
        assert "tray" in running.get("set-up")["done"]
        page.get_by_role("link", name="The table").click()
        expect(page.locator("#room")).to_be_visible()
        assert wrong == []
        page.close()
        assert running.end() == 0


def test_a_phone_that_sends_no_picture_is_said_in_words_instead_of_a_broken_picture(tmp_path: Path, chromium) -> None:
    from playwright.sync_api import expect

    with table(tmp_path, "--camera", "phone", "--port", "0") as running:
        page = chromium.new_page()
        page.goto(f"{running.ready().address}set-up/camera")
        expect(page.get_by_text("No picture comes from the phone.")).to_be_visible(timeout=1000 * PATIENCE_S)
        expect(page.locator("#cameras img")).to_be_hidden()
        page.close()
        assert running.end() == 0
