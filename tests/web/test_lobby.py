"""The lobby in a real Chromium: rules and switches in plain words, teams, who starts, refusals that lose nothing."""

import re

import pytest

pytest.importorskip("playwright.sync_api")
from contrast import CONTRAST
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def lobby(open_page, size: str = "phone") -> Page:
    page = open_page(size, "lobby")
    expect(page.locator("#lobby-about")).not_to_be_empty()
    return page


def open_group(page: Page, title: str) -> None:
    if not page.locator(".groups").is_visible():
        page.locator(".house > summary").click()
    page.locator(".group > summary", has_text=title).click()


def sent(page: Page, canned_table) -> dict:
    page.get_by_role("button", name="Start the game").click()
    path, body = canned_table.writes()[-1]
    assert path == "game"
    return body


def test_every_rule_set_can_be_chosen_and_says_what_it_is(open_page):
    page = lobby(open_page)
    assert page.locator("#lobby-rules option").count() == 14
    page.get_by_label("Rules", exact=True).select_option("sir-albert")
    expect(page.locator("#lobby-about")).to_contain_text("1000 to open")


def test_switches_stand_in_groups_as_the_sheet_has_them(open_page):
    page = lobby(open_page)
    page.get_by_label("Rules", exact=True).select_option("christian-brothers")
    open_group(page, "Banking")
    expect(page.get_by_label("Points in one turn to get on the board")).to_have_value("350")
    expect(page.locator(".group > summary")).to_have_text(
        ["Start and end", "Banking", "Farkles", "Extras", "What scores"]
    )


def test_only_what_was_changed_is_sent(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Rules", exact=True).select_option("farkle-cribbage-advanced")
    open_group(page, "Extras")
    expect(page.get_by_label("5 dice roll over", exact=False)).to_be_checked()
    page.get_by_label("A peg that lands on another").select_option(label="puts it five holes back")
    page.get_by_label("Piggyback: take over").check()
    expect(page.locator(".house > summary")).to_contain_text("2 changes")
    assert sent(page, canned_table)["settings"] == {"piggyback": True, "one_peg_per_hole": 5}


def test_a_switch_that_means_nothing_yet_is_not_shown(open_page):
    page = lobby(open_page)
    open_group(page, "Extras")
    hot = page.get_by_label("Piggyback also after hot dice")
    expect(hot).to_be_hidden()
    page.get_by_label("Piggyback: take over").check()
    expect(hot).to_be_visible()


def test_all_can_be_put_back_as_on_the_sheet(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    open_group(page, "Banking")
    page.get_by_label("Points at least in every turn").fill("5")
    page.get_by_role("button", name="All as on the sheet").click()
    expect(page.locator(".house > summary")).to_contain_text("as on the sheet")
    assert sent(page, canned_table)["settings"] == {}


def test_a_contradiction_is_told_where_it_was_made(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Rules", exact=True).select_option("christian-brothers")
    open_group(page, "Farkles")
    page.get_by_label("Three Strikes and Out").check()
    reason = page.locator("#lobby .reason")
    expect(reason).to_contain_text("three farkles in a row cannot both put a player out and cost points")
    expect(reason).to_contain_text("“Three Strikes and Out”")
    expect(page.locator(".switch.changed + .reason")).to_be_visible()
    page.get_by_label("Three farkles in a row cost").fill("0")
    expect(reason).to_be_hidden()
    assert canned_table.written == []


def test_a_refusal_shows_its_reason_and_keeps_the_form(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Rules", exact=True).select_option("classic")
    open_group(page, "Start and end")
    page.get_by_label("Points to win").fill("20000")
    expect(page.locator(".tracks")).to_contain_text("100 points a hole, too short")
    canned_table.answers = [(422, {"detail": "expected a target of at most 12100; points_a_hole=166 makes it fit"})]
    sent(page, canned_table)
    expect(page.locator("#lobby .reason")).to_have_text(
        "Expected a target of at most 12100; “Points for one hole”=166 makes it fit"
    )
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("Ann")
    expect(page.get_by_label("Points to win")).to_have_value("20000")


def test_teams_take_turns_and_wear_one_colour(open_page, canned_table):
    page = lobby(open_page)
    for _ in range(2):
        page.get_by_role("button", name="+ another player").click()
    for place, name in enumerate(("Ann", "Ben", "Cy", "Di"), 1):
        page.get_by_label(f"Player {place}", exact=True).fill(name)
    page.get_by_label("Teams", exact=True).select_option(label="Two teams")
    expect(page.locator(".names .team")).to_have_text(["Team A", "Team B", "Team A", "Team B"])
    assert page.locator(".names .mark[data-color=orange]").count() == 2
    assert sent(page, canned_table)["teams"] == {"Team A": ["Ann", "Cy"], "Team B": ["Ben", "Di"]}


def test_who_starts_can_be_chosen(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Ben")
    page.get_by_label("Who starts", exact=True).select_option(label="Ben")
    assert sent(page, canned_table)["start"] == "Ben"


def test_the_rule_card_has_the_settings_of_the_form(open_page):
    page = lobby(open_page)
    open_group(page, "Banking")
    page.get_by_label("Points at least in every turn").fill("5")
    expect(page.get_by_role("link", name="Rule card")).to_have_attribute("href", "/rules/farkle-cribbage?min_bank=5")


def test_a_number_that_is_none_is_answered_by_the_table(open_page):
    page = lobby(open_page)
    open_group(page, "Banking")
    page.get_by_label("Points at least in every turn").fill("2.5")
    expect(page.locator("#lobby .reason")).to_contain_text("expected points from 0 to 1000000, got '2.5'")


def test_the_lobby_says_when_the_table_does_not_answer(open_page, canned_table):
    page = lobby(open_page)
    page.route(re.compile("/api/v1/rules/classic"), lambda route: route.abort())
    page.get_by_label("Rules", exact=True).select_option("classic")
    expect(page.locator("#lobby .reason")).to_contain_text("The table does not answer")
    page.unroute_all()


def test_a_new_game_begins_with_the_house_rules_of_the_last(open_page, canned_table):
    state = {**canned_table.canned("choosing"), "settings": {"min_bank": 5, "target": 241}, "track": 241}
    state["teams"] = {"A": ["Ann", "Cy"], "B": ["Ben", "Di"]}
    page = open_page("phone", state)
    page.locator("#new-game").click()
    expect(page.locator(".house > summary")).to_contain_text("1 change")
    expect(page.get_by_label("241 holes")).to_be_checked()
    expect(page.get_by_label("Teams", exact=True)).to_have_value("2")
    open_group(page, "Banking")
    expect(page.get_by_label("Points at least in every turn")).to_have_value("5")


def test_the_first_game_begins_with_the_rules_that_the_table_was_started_with(open_page, canned_table):
    started = {"rules": None, "lobby": {"players": 2, "rules": "classic"}, "settings": {"min_bank": 300}, "track": 241}
    page = open_page(state={**canned_table.canned("lobby"), **started})
    expect(page.locator("#lobby-rules")).to_have_value("classic")
    expect(page.locator(".house > summary")).to_contain_text("1 change")
    expect(page.get_by_label("241 holes")).to_be_checked()
    open_group(page, "Banking")
    expect(page.get_by_label("Points at least in every turn")).to_have_value("300")


def test_a_rematch_has_the_same_teams(open_page, canned_table):
    state = {**canned_table.canned("over"), "teams": {"A": ["Ann", "Cy"], "B": ["Ben", "Di"]}}
    page = open_page(state=state)
    page.locator("#rematch").click()
    assert canned_table.writes()[0][1]["teams"] == state["teams"]


def test_all_switches_fit_a_small_screen_and_a_finger(open_page):
    page = lobby(open_page, "small")
    for title in ("Start and end", "Banking", "Farkles", "Extras", "What scores"):
        open_group(page, title)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    small = page.evaluate("""() => [...document.querySelectorAll(
        "#lobby :is(summary, select, .switch label, .pick, a, button)")]
      .filter((one) => one.checkVisibility() && !one.closest(".switch.choice label"))
      .filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)""")
    assert small == []


def test_the_lobby_is_worked_by_keyboard_alone(open_page, canned_table):
    page = lobby(open_page, "laptop")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.locator(".house > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Points in one turn to get on the board")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.type("9")
    expect(page.locator(".house > summary")).to_contain_text("1 change")
    page.keyboard.press("Enter")
    assert canned_table.writes()[-1][1]["settings"]["opening_min"] in (9, 90)


def test_the_lobby_with_all_its_rules_is_below_150_kb(open_page, canned_table):
    lobby(open_page)
    assert 20_000 < canned_table.sent_bytes < 150_000


def test_bank_starts_what_was_written_on_the_form(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.locator(".dome.bank").click()
    path, body = canned_table.writes()[0]
    assert (path, body["players"]) == ("game", ["Ann"])


def test_bank_starts_the_table_s_own_game_where_nothing_was_written(open_page, canned_table):
    page = lobby(open_page)
    page.locator(".dome.bank").click()
    assert canned_table.writes()[0][0] == "buttons/bank"


def test_no_button_lies_over_the_form(open_page):
    page = lobby(open_page)
    open_group(page, "What scores")
    form, buttons = (page.locator(each).bounding_box() for each in ("#lobby", "#buttons"))
    assert buttons["y"] >= form["y"] + form["height"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_of_the_lobby_has_enough_contrast(open_page, canned_table, scheme):
    page = open_page("phone", "lobby", color_scheme=scheme)
    for title in ("Start and end", "Banking", "Farkles", "Extras", "What scores"):
        open_group(page, title)
    page.get_by_label("Three Strikes and Out").check()
    page.get_by_label("Three farkles in a row cost").fill("5")
    expect(page.locator("#lobby .reason")).to_be_visible()
    assert page.evaluate(CONTRAST) == []
