"""Points mode on the page of a running table: the points of a turn are typed as a number."""

from pathlib import Path

import pytest
from served import served

from companion.table.state.inputs import Answer, NewGame, Pause


@pytest.mark.smoke
@pytest.mark.browser
def test_the_points_of_a_turn_are_typed_and_banked(tmp_path: Path, chromium) -> None:
    from playwright.sync_api import expect

    with served(tmp_path) as table:
        for given in (NewGame("classic", ("Ann", "Ben")), Pause(), Answer("count points ourselves")):
            table.host.submit(given).result(60)
        context = chromium.new_context()
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(str(table.client.base_url))
        points = page.get_by_label("Points of this turn so far")
        points.fill("350")
        page.get_by_role("button", name="Count", exact=True).click()
        expect(page.locator("#message")).to_contain_text("you have counted 350 points. Count on, or bank.")
        expect(points).to_have_value("350")
        points.fill("375")
        page.get_by_role("button", name="Count", exact=True).click()
        assert points.evaluate("(field) => field.validity.stepMismatch")
        page.locator(".dome.bank").click()
        expect(page.locator("#message")).to_contain_text("Ben, throw, and count your points.")
        assert table.state()["players"][0]["score"] == 350
        assert complaints == []
        context.close()


@pytest.mark.browser
def test_a_question_about_one_die_is_about_the_marked_one(tmp_path: Path, chromium) -> None:
    from playwright.sync_api import expect

    with served(tmp_path) as table:
        table.game().throws("233346")
        table.post("buttons/keep", {"press": "hold"})
        asked = table.state()["question"]
        context = chromium.new_context()
        page = context.new_page()
        page.goto(str(table.client.base_url))
        expect(page.locator("#question-text")).to_have_text(asked["text"])
        expect(page.locator("#roll .rolled")).to_have_count(6)
        expect(page.locator("#roll .rolled").nth(asked["die"])).to_have_class("rolled asked")
        assert asked["faces"][asked["die"]] == asked["face"]
        context.close()
