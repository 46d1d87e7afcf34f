"""A tournament over the API and on the page: begun in the form, one press a match, and taken up after a restart."""

from pathlib import Path

import pytest
from resized import check_fit
from served import Served, served
from test_standing_page import SIZES

SHORT = {"target": 20, "endgame": "immediate"}


def shown(table: Served) -> list[str]:
    rounds = table.state()["tournament"]["rounds"]
    return [match["text"] for each in rounds for match in each["matches"]]


def test_a_knock_out_is_played_over_the_api_with_a_restart_in_between(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        assert table.state()["tournament"] is None
        assert "There is no tournament at the table." in table.client.get("/tournament").text
        draft = {"names": ["Ann", "Ben", "Cleo"], "settings": SHORT, "plays": "knock_out"}
        assert table.post("lobby/start", draft).status_code == 200
        assert table.post("tournament/next").status_code == 422
        before = table.turns("111346").state()["tournament"]
    with served(tmp_path) as table:
        assert table.state()["tournament"] == before
        assert before["next"] == "Next: Ann against Ben."
        assert table.post("tournament/next").status_code == 200
        assert 'id="resume" data-game="1"' in table.client.get("/tournament").text
        assert table.post("tournament/leave", {"player": "Zoe"}).status_code == 422
        for ended in (True, False):
            assert table.post("tournament/end", {"ended": ended}).json()["tournament"]["over"] is ended
        assert shown(table.turns("111346")) == ["Ann goes through", "Ben beat Cleo", "Ann beat Ben"]
        page = table.client.get("/tournament").text
        for words in ("Knock-out, 3 players", "Ann wins the tournament!", "Semi-finals", "Final", "Ben beat Cleo"):
            assert words in page, words


@pytest.mark.smoke
@pytest.mark.browser
def test_a_tournament_begins_in_the_form_and_one_press_starts_the_next_match(table: Served, tabs) -> None:
    table.post("lobby", {"names": ["Ann", "Ben", "Cleo", "Dan"], "settings": SHORT})
    page = tabs(size="phone")
    page.goto(f"{table.client.base_url}/")
    page.select_option("#lobby-plays", "knock_out")
    page.get_by_role("button", name="Start the tournament").click()
    page.locator("#message", has_text="Ann").wait_for()
    table.turns("111346")
    page.get_by_role("button", name="Next: Cleo against Dan", exact=True).click()
    page.locator(".player", has_text="Cleo").wait_for()
    assert shown(table)[:2] == ["Ann beat Ben", "Cleo against Dan"]
    page.goto(f"{table.client.base_url}/tournament")
    check_fit(page, SIZES)
    assert page.locator('[data-state="table"]').inner_text().startswith("Cleo against Dan")
    table.turns("111346")
    page.goto(f"{table.client.base_url}/wall")
    page.locator("#won", has_text="Final: Ann against Cleo").wait_for()


@pytest.mark.browser
def test_a_start_before_the_form_shows_the_rules_keeps_those_of_the_draft(table: Served, chromium) -> None:
    """The form's pause before it sends an edit never ends here, so that the press alone sends it."""
    table.post("lobby", {"names": ["Ann", "Ben", "Cleo"], "settings": SHORT})
    page = chromium.new_page()
    page.add_init_script("const later = setTimeout; setTimeout = (act, ms) => ms === 200 ? 0 : later(act, ms)")
    held: list = []
    page.route("**/api/v1/rules", lambda route: held.append(route))
    with page.expect_request("**/api/v1/rules"):
        page.goto(f"{table.client.base_url}/")
    page.select_option("#lobby-plays", "knock_out")
    for route in held:
        route.continue_()
    page.unroute("**/api/v1/rules")
    page.get_by_role("button", name="Start the tournament").click()
    page.locator("#message", has_text="Ben, throw").wait_for()
    page.close()
    table.turns("111346")
    assert table.state()["tournament"]["next"] == "Next: Ann against Ben."
