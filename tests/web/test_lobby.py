"""The lobby in a real Chromium: rules and switches in plain words, teams, who starts, refusals that lose nothing."""

import re

import pytest

pytest.importorskip("playwright.sync_api")
from axe_playwright_python.sync_playwright import Axe
from contrast import CONTRAST
from playwright.sync_api import Page, expect
from resized import resize
from served import served

from companion.table.state.inputs import Button, Press

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
    page.get_by_role("button", name="Start with").click()
    return canned_table.body_of("lobby/start")


def test_every_rule_set_can_be_chosen_and_says_what_it_is(open_page):
    page = lobby(open_page)
    assert page.locator("#lobby-rules option").count() == 14
    page.get_by_label("Rules", exact=True).select_option("sir-albert")
    expect(page.locator("#lobby-about")).to_contain_text("1,000 to open")


def test_switches_stand_in_groups_as_the_sheet_has_them(open_page):
    page = lobby(open_page)
    page.get_by_label("Rules", exact=True).select_option("christian-brothers")
    open_group(page, "Banking")
    expect(page.get_by_label("Points in one turn to get on the board")).to_have_value("350")
    expect(page.locator(".group > summary")).to_have_text(
        ["Start and end", "Banking", "Farkles", "Extras", "What scores"]
    )


@pytest.mark.smoke
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


def test_changed_rules_are_saved_under_a_name(open_page, canned_table):
    page = lobby(open_page)
    expect(page.get_by_label("Save these rules as")).to_be_hidden()
    open_group(page, "Extras")
    page.get_by_label("Piggyback: take over").check()
    page.get_by_label("Save these rules as").fill("Ours")
    page.get_by_label("Save these rules as").press("Enter")
    assert canned_table.body_of("lobby/rules")["name"] == "Ours"
    assert "lobby/start" not in [path for path, _ in canned_table.written]


def test_rule_sets_are_listed_in_groups(open_page):
    page = lobby(open_page)
    groups = page.locator("#lobby-rules optgroup").evaluate_all("(all) => all.map((one) => one.label)")
    assert groups == ["Cribbage", "Ten thousand"]


def test_a_switch_without_effect_is_not_shown(open_page):
    page = lobby(open_page)
    open_group(page, "Extras")
    hot = page.get_by_label("Piggyback also after hot dice")
    expect(hot).to_be_hidden()
    page.get_by_label("Piggyback: take over").check()
    expect(hot).to_be_visible()


def test_a_target_is_not_shown_in_a_game_of_rounds(open_page, canned_table):
    page = lobby(open_page)
    open_group(page, "Start and end")
    target = page.get_by_label("Points to win")
    expect(target).to_be_visible()
    page.get_by_label("Rounds to play").fill("10")
    expect(target).to_be_hidden()
    assert sent(page, canned_table)["settings"] == {"rounds": 10}


def test_all_can_be_put_back_as_on_the_sheet(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    open_group(page, "Banking")
    page.get_by_label("Least points in every turn").fill("5")
    page.get_by_role("button", name="All as on the sheet").click()
    expect(page.locator(".house > summary")).to_contain_text("as on the sheet")
    assert sent(page, canned_table)["settings"] == {}


@pytest.mark.smoke
def test_a_contradiction_is_shown_beside_its_switch(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Rules", exact=True).select_option("christian-brothers")
    open_group(page, "Farkles")
    page.get_by_label("Three Strikes and Out").check()
    reason = page.locator("#lobby .reason:not(#names-reason)")
    expect(reason).to_contain_text("three farkles in a row cannot both put a player out and cost points")
    expect(reason).to_contain_text("“Three Strikes and Out”")
    expect(page.locator(".switch.changed + .reason")).to_be_visible()
    page.get_by_label("Three farkles in a row cost").fill("0")
    expect(reason).to_be_hidden()
    assert "lobby/start" not in [path for path, _ in canned_table.written]


def test_a_refusal_shows_its_reason_and_keeps_the_form(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Rules", exact=True).select_option("classic")
    open_group(page, "Start and end")
    page.get_by_label("Points to win").fill("20000")
    expect(page.locator(".tracks")).to_contain_text("100 points a hole, too short")
    canned_table.body_of("lobby")
    expect(page.locator("#lobby-start option").first).to_have_text("Ann")
    page.route(
        re.compile("/api/v1/lobby/start"),
        lambda route: route.fulfill(
            status=422,
            json={"detail": "20000 points do not fit on 121 holes. Set “points_a_hole” to 166, and “target” lower."},
        ),
    )
    page.get_by_role("button", name="Start with").click()
    expect(page.locator("#lobby .reason:not(#names-reason)")).to_have_text(
        "20000 points do not fit on 121 holes. Set “Points for one hole” to 166, and “Points to win” lower."
    )
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("Ann")
    expect(page.get_by_label("Points to win")).to_have_value("20000")
    page.unroute_all()


def test_teams_take_turns_and_wear_one_colour(open_page, canned_table):
    page = lobby(open_page)
    for _ in range(2):
        page.get_by_role("button", name="+ another player").click()
    for place, name in enumerate(("Ann", "Ben", "Cy", "Di"), 1):
        page.get_by_label(f"Player {place}", exact=True).fill(name)
    page.get_by_label("Teams", exact=True).select_option(label="Two teams")
    expect(page.locator(".names .team")).to_have_text(["Team A", "Team B", "Team A", "Team B"])
    assert page.locator(".names .mark[data-color=orange]").count() == 2
    body = sent(page, canned_table)
    assert (body["teams"], body["names"]) == (["Team A", "Team B"], ["Ann", "Ben", "Cy", "Di"])


def test_who_starts_can_be_chosen(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Ben")
    page.get_by_label("Who starts", exact=True).select_option(label="Ben")
    assert sent(page, canned_table)["start"] == 1


def test_the_first_player_starts_unless_another_is_chosen(open_page, canned_table):
    assert sent(lobby(open_page), canned_table)["start"] == 0


def test_players_may_throw_for_who_starts(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Who starts", exact=True).select_option(label="Throw for it")
    assert sent(page, canned_table)["start"] == "throw"


def test_the_rule_card_has_the_settings_of_the_form(open_page):
    page = lobby(open_page)
    open_group(page, "Banking")
    page.get_by_label("Least points in every turn").fill("5")
    expect(page.get_by_role("link", name="Rule card")).to_have_attribute("href", "/rules/farkle-cribbage?min_bank=5")


def test_an_invalid_number_is_refused_by_the_table(open_page):
    page = lobby(open_page)
    open_group(page, "Banking")
    page.get_by_label("Least points in every turn").fill("2.5")
    expect(page.locator("#lobby .reason:not(#names-reason)")).to_contain_text(
        "expected points from 0 to 1000000, got '2.5'"
    )


def test_the_lobby_says_when_the_table_does_not_answer(open_page, canned_table):
    page = lobby(open_page)
    page.route(re.compile("/api/v1/rules/classic"), lambda route: route.abort())
    page.get_by_label("Rules", exact=True).select_option("classic")
    expect(page.locator("#lobby .reason:not(#names-reason)")).to_contain_text("The table does not answer")
    page.unroute_all()


DRAFT = {
    "players": 4,
    "rules": "classic",
    "open": True,
    "title": "Classic",
    "names": ["Ann", "Ben", "", "Di"],
    "called": ["Ann", "Ben", "Player 3", "Di"],
    "teams": ["Reds", "Blues"],
    "start": 1,
    "settings": {"min_bank": 300},
    "track": 241,
    "tracks": [61, 121, 241],
    "problem": "",
    "about": "",
}


@pytest.mark.smoke
def test_the_form_shows_the_draft_of_the_table(open_page, canned_table):
    page = open_page(state={**canned_table.canned("lobby"), "lobby": DRAFT})
    expect(page.locator("#lobby-rules")).to_have_value("classic")
    expect(page.locator(".house > summary")).to_contain_text("1 change")
    expect(page.get_by_label("241 holes")).to_be_checked()
    expect(page.get_by_label("Teams", exact=True)).to_have_value("2")
    expect(page.locator(".names .team")).to_have_text(["Reds", "Blues", "Reds", "Blues"])
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("Ann")
    expect(page.get_by_label("Player 3", exact=True)).to_have_attribute("placeholder", "Player 3")
    expect(page.get_by_label("Who starts", exact=True)).to_have_value("1")
    expect(page.locator(".who-plays .about")).to_have_text("A row without a name plays, too, as Player 3.")
    expect(page.get_by_role("button", name="Start with 4 players")).to_be_visible()
    open_group(page, "Banking")
    expect(page.get_by_label("Least points in every turn")).to_have_value("300")


def test_what_another_phone_writes_shows_but_not_in_the_name_that_is_typed(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).press_sequentially("An")
    canned_table.body_of("lobby")
    canned_table.edit({"names": ["Eve", "Ben", "Cy"], "rules": "classic", "track": 241})
    expect(page.locator(".names input")).to_have_count(3)
    expect(page.get_by_label("Player 2", exact=True)).to_have_value("Ben")
    expect(page.locator("#lobby-rules")).to_have_value("classic")
    expect(page.get_by_label("241 holes")).to_be_checked()
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("An")
    page.get_by_label("Player 1", exact=True).blur()
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("Eve")


def written_and_answered(page: Page, act) -> None:
    """Call a function that changes the form, and wait until the table has answered the resulting write."""
    with page.expect_response("**/api/v1/lobby"):
        act()


@pytest.mark.smoke
def test_a_name_stays_when_its_event_is_late(open_page, canned_table):
    page = lobby(open_page)
    canned_table.keep_events_back()
    name = page.get_by_label("Player 1", exact=True)
    written_and_answered(page, lambda: name.fill("Ann"))
    name.blur()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(name).to_have_value("Ann")
    assert sent(page, canned_table)["names"] == ["Ann", ""]


def test_an_event_older_than_the_last_write_changes_nothing(open_page, canned_table):
    page = lobby(open_page)
    canned_table.keep_events_back()
    written_and_answered(page, lambda: page.get_by_label("Player 1", exact=True).fill("Ann"))
    written_and_answered(page, page.get_by_role("button", name="+ another player").click)
    page.evaluate("""() => {
      const names = document.querySelector(".names");
      window.fewest = names.children.length;
      const watch = new MutationObserver(() => { fewest = Math.min(fewest, names.children.length); });
      watch.observe(names, { childList: true });
    }""")
    older, newer = canned_table.late_events
    canned_table.send_event(older)
    canned_table.send_event({**newer, "degraded": ["this one has come"]})
    expect(page.locator("#degraded")).to_have_text("this one has come")
    assert page.evaluate("window.fewest") == 3


def test_a_setting_does_not_change_the_track_that_is_shown(open_page, canned_table):
    page = open_page(state={**canned_table.canned("lobby"), "lobby": {**DRAFT, "settings": {}, "track": 121}})
    open_group(page, "Start and end")
    written_and_answered(page, lambda: page.get_by_label("Points to win").fill("20000"))
    assert canned_table.written[-1][1]["track"] == 121


def test_an_unanswered_change_stays_and_is_sent_again(open_page, canned_table):
    page = lobby(open_page)
    page.route("**/api/v1/lobby", lambda route: route.abort())
    name = page.get_by_label("Player 1", exact=True)
    name.fill("Ann")
    expect(page.locator("#lobby .reason:not(#names-reason)")).to_contain_text("The table does not answer")
    name.blur()
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(name).to_have_value("Ann")
    page.unroute_all()
    canned_table.show({**canned_table.state, "degraded": ["it is there again"]})
    assert canned_table.body_of("lobby")["names"] == ["Ann", ""]
    expect(name).to_have_value("Ann")


def test_nothing_is_typed_into_house_rules_that_are_about_to_be_replaced(open_page):
    page = lobby(open_page)
    late = []
    page.route(re.compile("/api/v1/rules/classic"), lambda route: late.append(route))
    with page.expect_request(re.compile("/api/v1/rules/classic")):
        page.get_by_label("Rules", exact=True).select_option("classic")
    house = page.locator(".house > summary")
    house.focus()
    expect(house).not_to_be_focused()
    late[0].continue_()
    expect(page.locator(".house[inert]")).to_have_count(0)
    house.focus()
    expect(house).to_be_focused()
    page.unroute_all()


def test_a_game_that_is_started_before_its_settings_came_has_them(open_page, canned_table):
    page = lobby(open_page)
    late = []
    page.route(re.compile("/api/v1/rules/classic"), lambda route: late.append(route))
    with page.expect_request(re.compile("/api/v1/rules/classic")):
        canned_table.edit({"rules": "classic", "settings": {"min_bank": 300}})
    expect(page.locator("#lobby-rules")).to_have_value("classic")
    page.get_by_role("button", name="Start with").click()
    late[0].continue_()
    body = canned_table.body_of("lobby/start")
    assert (body["rules"], body["settings"]) == ("classic", {"min_bank": 300})
    page.unroute_all()


def test_empty_rows_are_mentioned_and_one_tap_removes_them(open_page, canned_table):
    names = ["Ann", "Ben", "Cy", *[""] * 9]
    draft = {**DRAFT, "teams": [], "players": 12, "names": names, "called": canned_table.called(names)}
    page = open_page(state={**canned_table.canned("lobby"), "lobby": draft})
    expect(page.locator(".who-plays .about")).to_have_text("Rows without a name play, too, as Player 4 to Player 12.")
    page.get_by_role("button", name="Remove the empty rows").click()
    expect(page.get_by_role("button", name="Start with 3 players")).to_be_visible()
    assert canned_table.body_of("lobby")["names"] == ["Ann", "Ben", "Cy"]


def test_an_impossible_name_is_explained_below_the_names(open_page, canned_table):
    draft = {**DRAFT, "problem": "Two players are called Ann. Give one of them another name.", "about": "names"}
    page = open_page(state={**canned_table.canned("lobby"), "lobby": draft})
    expect(page.locator("#names-reason")).to_have_text(draft["problem"])


def test_enter_goes_to_the_next_name_and_starts_no_game(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Player 2", exact=True)).to_be_focused()
    canned_table.body_of("lobby")
    assert "lobby/start" not in [path for path, _ in canned_table.written]


def test_names_and_teams_of_earlier_evenings_are_one_tap(open_page, canned_table):
    group = {"players": ["Ann", "Ben", "Cy", "Di"], "teams": ["Reds", "Blues"]}
    canned_table.earlier = {"names": ["Ann", "Ben", "Cy", "Di"], "groups": [group], "unfinished": []}
    page = lobby(open_page)
    page.get_by_role("button", name="Cy plays, too").click()
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("Cy")
    expect(page.get_by_role("button", name="Cy plays, too")).to_have_count(0)
    page.get_by_role("button", name="Ann and Cy – Ben and Di").click()
    expect(page.locator(".names .team")).to_have_text(["Reds", "Blues", "Reds", "Blues"])
    expect(page.get_by_label("Player 4", exact=True)).to_have_value("Di")


def test_the_last_game_again_is_one_tap(open_page, canned_table):
    state = {**canned_table.canned("over"), "phase": "lobby", "lobby": {**DRAFT, "names": ["Ann", "Ben", "Cy"]}}
    page = open_page(state=state)
    page.get_by_role("button", name="Same again: Ann, Ben and Cy").click()
    assert canned_table.body_of("game")["players"] == ["Ann", "Ben", "Cy"]


def test_an_unfinished_game_goes_on_from_the_form(open_page, canned_table):
    games = [{"number": 3, "title": "Classic", "standing": "Ann 40, Ben 38", "day": "yesterday"}]
    canned_table.earlier = {"names": [], "groups": [], "unfinished": games}
    page = lobby(open_page)
    page.get_by_role("button", name="Go on: Ann 40, Ben 38 (yesterday)").click()
    assert canned_table.body_of("games/3/resume") == {"expected_seq": 0}


def test_a_new_game_while_one_runs_asks_first(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator("#more summary").click()
    page.locator("#new-game").click()
    dialog = page.get_by_role("dialog")
    scores = ", ".join(f"{player['name']} {player['score']}" for player in canned_table.state["players"])
    expect(dialog).to_contain_text(f"{scores}. The game is kept: you can go on with it later.")
    dialog.get_by_role("button", name="Go back").click()
    expect(dialog).to_have_count(0)
    assert canned_table.written == []
    page.locator("#more summary").click()
    page.locator("#new-game").click()
    dialog.get_by_role("button", name="Start a new game").click()
    assert canned_table.body_of("lobby")["open"] is True


def test_the_form_offers_the_tracks_of_the_board_and_what_a_hole_is_worth(open_page, canned_table):
    page = open_page(state={**canned_table.canned("lobby"), "lobby": {**DRAFT, "settings": {}}})
    expect(page.locator(".tracks .pick")).to_have_text(
        [
            "61 holes 200 points a hole, the game ends in hole 50",
            "121 holes 100 points a hole, the game ends in hole 100",
            "241 holes, twice round 50 points a hole, the game ends in hole 200",
        ]
    )
    page.get_by_label("61 holes").check()
    assert canned_table.body_of("lobby")["track"] == 61
    canned_table.edit({"tracks": [61, 121], "track": 61})
    expect(page.locator(".tracks .pick")).to_have_count(2)
    expect(page.get_by_label("61 holes")).to_be_checked()


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_the_button_that_starts_is_in_view(open_page, size):
    page = lobby(open_page, size)
    if size == "laptop":
        resize(page, 1366, 625)
    expect(page.get_by_role("button", name="Start with")).to_be_in_viewport(ratio=1)


def test_a_finish_before_the_end_of_the_track_is_marked_on_the_board_and_in_words(open_page, canned_table):
    page = open_page(state={**canned_table.canned("choosing"), "target": 61, "finish": 61})
    expect(page.locator(".finish text")).to_have_text("finish 61")
    expect(page.locator(".peg-layer")).to_have_attribute("aria-label", re.compile("The game ends in hole 61"))
    expect(page.locator("#title")).to_contain_text("61 points to win")


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
    expect(page.locator(".group")).to_have_count(5)
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
    assert canned_table.body_of("lobby/start")["settings"]["opening_min"] in (9, 90)


def test_the_drawing_of_the_board_is_loaded_once(open_page):
    names = "() => performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)"
    assert lobby(open_page).evaluate(names).count("/boards/0.json") == 1


def test_the_lobby_with_all_its_rules_is_below_150_kb(open_page, canned_table):
    lobby(open_page)
    assert 20_000 < canned_table.sent_bytes < 150_000


def test_a_change_of_the_form_reaches_the_table_before_a_press(open_page, canned_table):
    page = lobby(open_page)
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.locator(".dome.bank").click()
    (first, body), (second, _) = canned_table.writes(2)
    assert (first, body["names"], second) == ("lobby", ["Ann", ""], "buttons/bank")


def test_no_button_lies_over_the_form(open_page):
    page = lobby(open_page)
    open_group(page, "What scores")
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    form, buttons = (page.locator(each).bounding_box() for each in ("#lobby", "#buttons"))
    assert buttons["y"] > form["y"] + form["height"] - 1  # parts of a pixel


@pytest.mark.parametrize("size", [(720, 900), (768, 1024), (1024, 768), (1280, 720), (1339, 800), (1340, 800)], ids=str)
def test_each_button_is_whole_and_beside_the_form(open_page, size):
    page = lobby(open_page)
    resize(page, *size)
    form = page.locator("#lobby").bounding_box()
    for button in page.locator("#buttons .button").all():
        expect(button).to_be_in_viewport(ratio=1)
        assert button.bounding_box()["x"] >= form["x"] + form["width"]


def test_axe_finds_nothing_on_the_lobby(open_page, canned_table):
    group = {"players": ["Ann", "Ben", "Cy", "Di"], "teams": ["Reds", "Blues"]}
    games = [{"number": 3, "title": "Classic", "standing": "Ann 40, Ben 38", "day": ""}]
    canned_table.earlier = {"names": ["Eve", "Fay"], "groups": [group], "unfinished": games}
    page = open_page(state={**canned_table.canned("lobby"), "lobby": DRAFT})
    expect(page.get_by_role("button", name="Eve plays, too")).to_be_visible()
    for title in ("Start and end", "Banking"):
        open_group(page, title)
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_of_the_lobby_has_enough_contrast(open_page, canned_table, scheme):
    page = open_page("phone", "lobby", color_scheme=scheme)
    for title in ("Start and end", "Banking", "Farkles", "Extras", "What scores"):
        open_group(page, title)
    page.get_by_label("Three Strikes and Out").check()
    page.get_by_label("Three farkles in a row cost").fill("5")
    expect(page.locator("#lobby .reason:not(#names-reason)")).to_be_visible()
    assert page.evaluate(CONTRAST) == []


def test_two_phones_and_the_real_buttons_share_one_form(tmp_path, chromium):
    with served(tmp_path) as empty:
        first, second = (chromium.new_page() for _ in range(2))
        for page in (first, second):
            page.goto(f"{empty.client.base_url}/")
            expect(page.locator("#lobby-about")).not_to_be_empty()
        first.get_by_label("Player 1", exact=True).fill("Ann")
        expect(second.get_by_label("Player 1", exact=True)).to_have_value("Ann")
        empty.host.submit(Press(Button.KEEP)).result(60)
        expect(second.get_by_label("Player 3", exact=True)).to_be_visible()
        second.get_by_label("Player 3", exact=True).fill("ann")
        expect(first.locator("#names-reason")).to_have_text(
            "Two players are called Ann. Give one of them another name."
        )
        second.get_by_label("Player 3", exact=True).fill("Cy")
        expect(first.locator("#names-reason")).to_be_hidden()
        empty.host.submit(Press(Button.ROLL)).result(60)
        for page in (first, second):
            expect(page.locator("#lobby-rules")).to_have_value("farkle-cribbage-advanced")
        empty.host.submit(Press(Button.BANK)).result(60)
        for page in (first, second):
            expect(page.locator(".player .who")).to_have_text(["Ann", "Player 2", "Cy"])
            expect(page.locator("#lobby")).to_be_hidden()
            page.close()
        assert empty.state()["rules"] == "farkle-cribbage-advanced"
