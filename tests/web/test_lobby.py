"""The lobby in a real Chromium: rules and switches in plain words, teams, who starts, refusals that lose nothing."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from resized import CONTRAST, check_fingers, resize

from companion.table.state.inputs import Fault
from companion.web.table import ShownView

pytestmark = pytest.mark.browser

GROUPS = ("Start and end", "Banking", "Farkles", "Extras", "What scores")
REASON = "#lobby .reason:not(#names-reason)"


@pytest.fixture
def lobby(open_page):
    """Return a function that opens the form of a table; the table begins with a draft, if one is given."""

    def opened(size: str = "phone", **options) -> Page:
        page = open_page("lobby", size, **options)
        expect(page.locator("#lobby-about")).not_to_be_empty()
        return page

    return opened


def name(page: Page, number: int):
    return page.get_by_label(f"Player {number}", exact=True)


def open_group(page: Page, title: str) -> None:
    if not page.locator(".groups").is_visible():
        page.locator(".house > summary").click()
    page.locator(".group > summary", has_text=title).click()


def started(page: Page, table) -> dict:
    """Start the game of the form, and return the state of the table."""
    page.get_by_role("button", name="Start with").click()
    page.locator("#lobby").wait_for(state="hidden")
    return table.state()


def test_rule_sets_stand_in_groups_say_what_they_are_and_have_their_switches_and_tracks(lobby, table):
    page = lobby()
    assert page.locator("#lobby-rules option").count() == 14
    groups = page.locator("#lobby-rules optgroup").evaluate_all("(all) => all.map((one) => one.label)")
    assert groups == ["Cribbage", "Ten thousand"]
    page.get_by_label("Rules", exact=True).select_option("christian-brothers")
    expect(page.locator("#lobby-about")).to_contain_text("350")
    open_group(page, "Banking")
    expect(page.get_by_label("Points in one turn to get on the board")).to_have_value("350")
    expect(page.locator(".group > summary")).to_have_text(list(GROUPS))
    page.get_by_label("Least points in every turn").fill("5")
    expect(page.get_by_role("link", name="Rule card")).to_have_attribute("href", re.compile(r"brothers\?min_bank=5"))
    page.get_by_label("Rules", exact=True).select_option("classic")
    expect(page.locator(".tracks .pick")).to_have_text(
        [
            "61 holes 200 points a hole, the game ends in hole 50",
            "121 holes 100 points a hole, the game ends in hole 100",
            "241 holes, twice round 50 points a hole, the game ends in hole 200",
        ]
    )
    page.get_by_label("61 holes").check()
    assert table.host.feed.wait(lambda update: update.view.lobby.track == 61, 60)


@pytest.mark.smoke
def test_a_game_starts_by_the_form_with_only_what_was_changed(lobby, table, written):
    page = lobby()
    name(page, 1).fill("Ann")
    name(page, 2).fill("Ben")
    page.get_by_label("Rules", exact=True).select_option("farkle-cribbage-advanced")
    open_group(page, "Extras")
    expect(page.get_by_label("5 dice roll over", exact=False)).to_be_checked()
    page.get_by_label("A peg that lands on another").select_option(label="puts it five holes back")
    hot = page.get_by_label("Piggyback also after hot dice")
    expect(hot).to_be_hidden()  # it has no effect yet
    page.get_by_label("Piggyback: take over").check()
    expect(hot).to_be_visible()
    expect(page.locator(".house > summary")).to_contain_text("2 changes")
    page.get_by_label("241 holes").check()
    page.get_by_label("Who starts", exact=True).select_option(label="Ben")
    state = started(page, table)
    assert state["settings"] == {"piggyback": True, "one_peg_per_hole": 5, "target": 241}
    assert (state["rules"], state["track"], state["to_move"]) == ("farkle-cribbage-advanced", 241, "Ben")
    (sent,) = [body for path, body in written(page) if path == "lobby/start"]
    assert sent["names"] == ["Ann", "Ben"]


def test_rounds_hide_the_target_and_all_can_be_put_back_as_on_the_sheet_or_saved_under_a_name(lobby, table):
    page = lobby()
    expect(page.get_by_label("Save these rules as")).to_be_hidden()
    open_group(page, "Start and end")
    expect(page.get_by_label("Points to win")).to_be_visible()
    page.get_by_label("Rounds to play").fill("10")
    expect(page.get_by_label("Points to win")).to_be_hidden()
    page.get_by_role("button", name="All as on the sheet").click()
    expect(page.locator(".house > summary")).to_contain_text("as on the sheet")
    page.get_by_label("Rounds to play").fill("5")
    page.get_by_label("Save these rules as").fill("Ours")
    page.get_by_label("Save these rules as").press("Enter")
    expect(page.locator("#lobby-rules")).to_have_value("ours")
    state = started(page, table)
    assert (state["rules"], state["settings"], state["to_move"]) == ("ours", {}, "Player 1")


@pytest.mark.smoke
def test_a_contradiction_is_shown_beside_its_switch(lobby, table):
    page = lobby()
    page.get_by_label("Rules", exact=True).select_option("christian-brothers")
    open_group(page, "Farkles")
    page.get_by_label("Three Strikes and Out").check()
    reason = page.locator(REASON)
    expect(reason).to_contain_text("“Three Strikes and Out”")
    expect(page.locator(".switch.changed + .reason")).to_be_visible()
    page.get_by_label("Three farkles in a row cost").fill("0")
    expect(reason).to_be_hidden()
    open_group(page, "Banking")
    page.get_by_label("Least points in every turn").fill("2.5")
    expect(reason).to_contain_text("2.5")
    assert table.state()["phase"] == "lobby"


def test_a_refusal_shows_its_reason_in_the_words_of_the_form_and_keeps_the_form(lobby, table):
    page = lobby()
    name(page, 1).fill("Ann")
    page.get_by_label("Rules", exact=True).select_option("classic")
    open_group(page, "Start and end")
    page.get_by_label("Points to win").fill("20000")
    expect(page.locator(".tracks")).to_contain_text("100 points a hole, too short")
    page.get_by_role("button", name="Start with").click()
    expect(page.locator(REASON)).to_contain_text("“Points for one hole”")
    expect(name(page, 1)).to_have_value("Ann")
    expect(page.get_by_label("Points to win")).to_have_value("20000")
    assert table.state()["phase"] == "lobby"


def test_the_lobby_says_when_the_table_does_not_answer_and_sends_again(lobby, table):
    page = lobby()
    page.route("**/api/v1/lobby", lambda route: route.abort())
    name(page, 1).fill("Ann")
    expect(page.locator(REASON)).to_contain_text("The table does not answer")
    name(page, 1).blur()
    page.unroute_all()
    table.take(Fault("sound", "another view"))
    assert table.host.feed.wait(lambda update: update.view.lobby.names == ("Ann", ""), 60)
    expect(name(page, 1)).to_have_value("Ann")


DRAFT = {
    "names": ["Ann", "Ben", "", "Di"],
    "rules": "classic",
    "teams": ["Reds", "Blues"],
    "start": 1,
    "settings": {"min_bank": 300},
    "track": 241,
}


@pytest.mark.smoke
def test_the_form_shows_the_draft_of_the_table(lobby, table):
    table.post("lobby", DRAFT)
    page = lobby()
    expect(page.locator("#lobby-rules")).to_have_value("classic")
    expect(page.locator(".house > summary")).to_contain_text("1 change")
    expect(page.get_by_label("241 holes")).to_be_checked()
    expect(page.get_by_label("Teams", exact=True)).to_have_value("2")
    expect(page.locator(".names .team")).to_have_text(["Reds", "Blues", "Reds", "Blues"])
    expect(name(page, 1)).to_have_value("Ann")
    expect(name(page, 3)).to_have_attribute("placeholder", "Player 3")
    expect(page.get_by_label("Who starts", exact=True)).to_have_value("1")
    expect(page.locator(".who-plays .about")).to_have_text("A row without a name plays, too, as Player 3.")
    expect(page.get_by_role("button", name="Start with 4 players")).to_be_visible()
    open_group(page, "Banking")
    expect(page.get_by_label("Least points in every turn")).to_have_value("300")
    table.post("lobby", {"names": ["Ann", "ann"], "teams": []})
    expect(page.locator("#names-reason")).to_have_text("Two players are called Ann. Give one of them another name.")


def test_what_another_phone_writes_and_a_button_does_shows_but_not_in_the_name_that_is_typed(lobby, table):
    page = lobby()
    name(page, 1).press_sequentially("kb1")  # keys that are buttons elsewhere
    assert table.host.feed.wait(lambda update: update.view.lobby.names[0] == "kb1", 60)
    table.post("lobby", {"names": ["Eve", "Ben"], "rules": "farkle-cribbage", "track": 241})
    table.presses("keep").presses("roll")
    expect(page.locator(".names input")).to_have_count(3)
    expect(name(page, 2)).to_have_value("Ben")
    expect(page.locator("#lobby-rules")).to_have_value("farkle-cribbage-advanced")
    expect(name(page, 1)).to_have_value("kb1")
    name(page, 1).blur()
    expect(name(page, 1)).to_have_value("Eve")
    name(page, 3).fill("ben")
    expect(page.locator("#names-reason")).to_be_visible()
    name(page, 3).fill("Cy")
    expect(page.locator("#names-reason")).to_be_hidden()
    name(page, 2).fill("Di")
    page.locator(".dome.bank").click()  # the name reaches the table before the press
    expect(page.locator(".player .who")).to_have_text(["Eve", "Di", "Cy"])
    expect(page.locator("#lobby")).to_be_hidden()


@pytest.mark.smoke
def test_a_name_stays_while_its_event_is_late_and_an_older_event_changes_nothing(lobby, table, monkeypatch):
    page = lobby()
    monkeypatch.setattr(ShownView, "event", b": late\n\n")
    with page.expect_response("**/api/v1/lobby"):
        name(page, 1).fill("Ann")
    name(page, 1).blur()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(name(page, 1)).to_have_value("Ann")
    with page.expect_response("**/api/v1/lobby"):
        page.get_by_role("button", name="+ another player").click()
    expect(page.locator(".names input")).to_have_count(3)
    monkeypatch.undo()
    table.take(Fault("sound", "this one has come"))
    expect(page.locator("#degraded li")).to_have_text("this one has come")
    expect(page.locator(".names input")).to_have_count(3)


@pytest.mark.parametrize("act", ["typed", "started"])
def test_house_rules_that_are_about_to_be_replaced_wait_for_their_own(lobby, table, act):
    page, late = lobby(), []
    page.route(re.compile("/api/v1/rules/classic"), lambda route: late.append(route))
    with page.expect_request(re.compile("/api/v1/rules/classic")):
        table.post("lobby", {"rules": "classic", "settings": {"min_bank": 300}})
    expect(page.locator("#lobby-rules")).to_have_value("classic")
    house = page.locator(".house > summary")
    if act == "typed":
        house.focus()
        expect(house).not_to_be_focused()
    else:
        page.get_by_role("button", name="Start with").click()
    late[0].continue_()
    if act == "typed":
        expect(page.locator(".house[inert]")).to_have_count(0)
        house.focus()
        expect(house).to_be_focused()
    else:
        page.locator("#lobby").wait_for(state="hidden")
        assert table.state()["settings"] == {"min_bank": 300}


def test_empty_rows_are_mentioned_and_one_tap_removes_them(lobby, table):
    table.post("lobby", {"names": ["Ann", "Ben", "Cy", *[""] * 9]})
    page = lobby()
    expect(page.locator(".who-plays .about")).to_have_text("Rows without a name play, too, as Player 4 to Player 12.")
    page.get_by_role("button", name="Remove the empty rows").click()
    expect(page.get_by_role("button", name="Start with 3 players")).to_be_visible()
    assert table.host.feed.wait(lambda update: update.view.lobby.names == ("Ann", "Ben", "Cy"), 60)


def test_the_form_is_worked_by_keyboard_alone(lobby, table):
    page = lobby("laptop")
    name(page, 1).fill("Ann")
    page.keyboard.press("Enter")
    expect(name(page, 2)).to_be_focused()
    expect(page.locator(".group")).to_have_count(5)
    page.locator(".house > summary").focus()
    for key in ("Enter", "Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_label("Points in one turn to get on the board")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.type("9")
    expect(page.locator(".house > summary")).to_contain_text("1 change")
    page.keyboard.press("Enter")
    page.locator("#lobby").wait_for(state="hidden")
    assert table.state()["settings"]["opening_min"] in (9, 90)


def test_earlier_evenings_offer_names_teams_games_and_the_last_game_again(lobby, table):
    table.game("Ann", "Ben", "Cy", "Di", teams={"Reds": ("Ann", "Cy"), "Blues": ("Ben", "Di")})
    table.throws("233345").presses("bank").game("Eve", "Fay")
    table.post("lobby", {"open": True, "names": ["", ""]})
    page = lobby()
    page.get_by_role("button", name="Cy plays, too").click()
    expect(name(page, 1)).to_have_value("Cy")
    expect(page.get_by_role("button", name="Cy plays, too")).to_have_count(0)
    page.get_by_role("button", name="Ann and Cy – Ben and Di").click()
    expect(page.locator(".names .team")).to_have_text(["Reds", "Blues", "Reds", "Blues"])
    expect(name(page, 4)).to_have_value("Di")
    page.get_by_role("button", name=re.compile("Go on: Reds 8, Blues 0")).click()
    page.locator("#lobby").wait_for(state="hidden")
    assert table.host.state.game_number == 1


def test_a_new_game_while_one_runs_asks_first(open_page, table):
    page = open_page("choosing")
    number = table.host.state.game_number
    for answer in ("Go back", "Start a new game"):
        page.locator("#more summary").click()
        page.locator("#new-game").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Ann 20, Ben 40. The game is kept: you can go on with it later.")
        assert table.state()["lobby"].get("open", False) is False
        dialog.get_by_role("button", name=answer).click()
        expect(dialog).to_have_count(0)
    page.locator("#lobby-about").wait_for()
    assert (table.state()["lobby"]["open"], table.host.state.game_number) == (True, number)


SIZES = [(390, 844), (720, 900), (768, 1024), (1024, 768), (1280, 720), (1339, 800), (1340, 800), (1366, 625)]


BESIDE = """() => [...document.querySelectorAll("#buttons .button")].every((one) =>
  one.getBoundingClientRect().left >= document.getElementById("lobby").getBoundingClientRect().right)"""
"""Whether the three buttons stand beside the form; the page may lay itself out once more after a new size."""


def test_each_button_is_whole_and_beside_the_form_and_the_start_is_in_view(lobby):
    page = lobby()
    for size in SIZES:
        resize(page, *size)
        expect(page.get_by_role("button", name="Start with")).to_be_in_viewport(ratio=1)
        for button in page.locator("#buttons .button").all() if size[0] > 700 else ():
            expect(button).to_be_in_viewport(ratio=1)
        if size[0] > 700:
            page.wait_for_function(BESIDE)
    resize(page, *SIZES[0])
    open_group(page, "What scores")
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    form, buttons = (page.locator(each).bounding_box() for each in ("#lobby", "#buttons"))
    assert buttons["y"] > form["y"] + form["height"] - 1  # parts of a pixel


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_switches_fit_a_small_screen_and_a_finger_have_contrast_and_pass_axe(lobby, table, scheme):
    table.game("Ann", "Ben").game("Eve", "Fay")
    table.post("lobby", {"open": True, "names": ["", ""]})
    page = lobby("small", color_scheme=scheme)
    for title in GROUPS:
        open_group(page, title)
    page.get_by_label("Three Strikes and Out").check()
    page.get_by_label("Three farkles in a row cost").fill("5")
    expect(page.locator(REASON)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    check_fingers(page, "#lobby :is(summary, select, .switch:not(.choice) label, .pick, a, button)")
    assert page.evaluate(CONTRAST) == []
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
