"""The page in a real Chromium: input by mouse, finger and keyboard."""

import re

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_dark_button_answers_why(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".dome.roll").click(force=True)  # it is told as disabled, and answers all the same
    expect(page.locator("#notice")).to_have_text("ROLL: keep a die first")
    assert canned_table.written == []


def test_a_tap_acts_on_release_and_says_which_state_it_saw(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".dome.bank").hover()
    page.mouse.down()
    expect(page.locator(".dome.bank")).to_have_class(re.compile("pressed"))
    assert canned_table.written == []
    page.mouse.up()
    assert canned_table.writes() == [("buttons/bank", {"press": "tap", "expected_seq": 41})]


def test_a_long_press_shows_its_ring_and_is_a_hold_and_no_tap(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".dome.roll").hover()
    page.mouse.down()
    expect(page.locator(".dome.roll")).to_have_class(re.compile("holding"))
    expect(page.locator(".dome.roll")).to_have_class(re.compile("held"))
    page.mouse.up()
    assert canned_table.writes() == [("buttons/roll", {"press": "hold", "expected_seq": 41})]


def test_how_long_a_hold_is_says_the_table(open_page, canned_table):
    canned_table.hold_s = 0.5
    page = open_page(state="choosing")
    page.evaluate("() => { window.waits = []; window.setTimeout = (_, ms) => window.waits.push(ms); }")
    page.locator(".dome.roll").hover()
    page.mouse.down()
    assert page.evaluate("window.waits") == [500]
    assert page.evaluate("getComputedStyle(document.querySelector('.dome .ring')).getPropertyValue('--hold')") == "0.5s"
    page.mouse.up()


@pytest.mark.parametrize(
    ("key", "path", "body"),
    [
        ("k", "buttons/keep", {"press": "tap", "expected_seq": 41}),
        ("b", "buttons/bank", {"press": "tap", "expected_seq": 41}),
        ("Shift+K", "buttons/keep", {"press": "hold", "expected_seq": 41}),
        ("Shift+R", "buttons/roll", {"press": "hold", "expected_seq": 41}),
        ("t", "simulator/throw", {"dice": None}),
        ("3", "simulator/shelve", {"dice": [2]}),
    ],
)
def test_keys_do_what_buttons_and_hands_do(open_page, canned_table, key, path, body):
    page = open_page(state="choosing")
    page.keyboard.press(key)
    assert canned_table.writes() == [(path, body)]


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_a_button_with_the_focus_is_pressed_by_key_once(open_page, canned_table, key):
    page = open_page(state="choosing")
    page.locator(".dome.keep").focus()
    page.keyboard.press(key)
    page.locator(".dome.bank").click()
    assert [path for path, _ in canned_table.writes(2)] == ["buttons/keep", "buttons/bank"]


def test_a_screen_readers_click_is_a_tap(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".dome.keep").dispatch_event("click")
    assert canned_table.writes() == [("buttons/keep", {"press": "tap", "expected_seq": 41})]


def test_a_selection_is_chosen_with_a_finger(open_page, canned_table):
    page = open_page("phone", "choosing", has_touch=True)
    page.locator(".selection").nth(1).tap()
    assert canned_table.writes() == [("keep", {"dice": [3, 3, 3], "expected_seq": 41})]


@pytest.mark.parametrize("where", ["roll", "tray"])
def test_a_die_is_dragged_onto_the_shelf(open_page, canned_table, where):
    page = open_page(state="choosing")
    die = page.locator(".rolled").nth(5) if where == "roll" else page.locator('.spotted[data-face="5"] .outline')
    start, end = die.bounding_box(), page.locator("#shelf").bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 30, end["y"] + 20, steps=6)
    expect(page.locator("#shelf")).to_have_class(re.compile("over"))
    page.mouse.up()
    assert canned_table.writes() == [("simulator/shelve", {"dice": [5]})]
    expect(page.locator("#fix")).to_be_hidden()


def test_a_die_let_go_elsewhere_stays_where_it_is(open_page, canned_table):
    page = open_page(state="choosing")
    box = page.locator(".rolled").first.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 220, box["y"] + 120, steps=4)
    page.mouse.up()
    page.locator(".dome.bank").click()
    assert [path for path, _ in canned_table.writes()] == ["buttons/bank"]


def test_the_second_of_three_equal_dice_is_slid_after_the_first(open_page, canned_table):
    state = canned_table.canned("choosing")
    state["shelf"] = [3]
    state["reading"]["dice"][0]["zone"] = "shelf"
    page = open_page(state=state)
    page.locator('.spotted[data-face="3"]:not(.aside)').first.focus()
    page.keyboard.press("Enter")
    page.locator("#fix .solid").click()
    assert canned_table.writes() == [("simulator/shelve", {"dice": [2]})]


def test_a_tap_on_a_die_offers_the_likely_faces_and_corrects(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".spotted").nth(2).click()
    expect(page.locator(".face").first).to_have_attribute("aria-label", "five")
    page.locator(".face[aria-label=six]").click()
    assert canned_table.writes() == [("correct", {"roll": [2, 3, 3, 3, 6, 5], "expected_seq": 41})]


def test_a_die_is_set_aside_by_keyboard_alone(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".rolled").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#fix .solid")).to_be_focused()
    page.keyboard.press("Enter")
    assert canned_table.writes() == [("simulator/shelve", {"dice": [0]})]
    expect(page.locator("#fix")).to_be_hidden()


def test_escape_closes_the_little_window_and_gives_the_focus_back(open_page):
    page = open_page(state="choosing")
    page.locator(".rolled").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator("#fix")).to_be_hidden()
    expect(page.locator(".rolled").first).to_be_focused()


def test_a_new_state_does_not_take_the_focus_away(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".selection").nth(1).focus()
    canned_table.show({**canned_table.canned("choosing"), "seq": 42, "degraded": ["no sound"]})
    expect(page.locator("#room")).to_have_attribute("data-seq", "42")
    expect(page.locator(".selection").nth(1)).to_be_focused()


def test_a_question_is_answered_word_for_word(open_page, canned_table):
    page = open_page(state="asking")
    page.locator("#question").get_by_role("button", name="throw again").click()
    assert canned_table.writes() == [("answer", {"answer": "throw again", "expected_seq": 41})]
    canned_table.show("to_throw")
    expect(page.locator("#question")).to_be_hidden()


def test_a_lost_race_adopts_the_new_state_and_says_so(open_page, canned_table):
    page = open_page(state="choosing")
    canned_table.answers = [(409, {**canned_table.canned("banked"), "detail": "expected act 41, got 45"})]
    page.locator(".dome.bank").click()
    expect(page.locator("#notice")).to_have_text("expected act 41, got 45")
    expect(page.locator(".player[aria-current] .who")).to_have_text("Ben")


def test_a_refusal_is_one_sentence(open_page, canned_table):
    page = open_page(state="choosing")
    canned_table.answers = [(422, {"title": "Unprocessable", "detail": "350 to open, you have 300"})]
    page.locator(".dome.bank").click()
    expect(page.locator("#notice")).to_have_text("350 to open, you have 300")


def test_a_game_starts_from_the_lobby(open_page, canned_table):
    page = open_page("phone", "lobby")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Ben")
    page.get_by_label("Rules", exact=True).select_option("farkle-cribbage-advanced")
    page.get_by_label("241 holes").check()
    page.get_by_role("button", name="Start the game").click()
    body = {"rules": "farkle-cribbage-advanced", "settings": {}, "track": 241, "players": ["Ann", "Ben"]}
    assert canned_table.writes() == [("game", {**body, "expected_seq": 0})]
    canned_table.show("to_throw")
    expect(page.locator("#lobby")).to_be_hidden()


def test_names_once_written_are_remembered(open_page, canned_table):
    page = open_page(state="lobby")
    canned_table.answers = [(200, canned_table.canned("to_throw"))]
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#lobby")).to_be_hidden()
    page.reload()
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("Ann")


def test_who_joins_by_button_joins_on_the_page(open_page, canned_table):
    page = open_page(state="lobby")
    canned_table.show({**canned_table.canned("lobby"), "lobby": {"players": 3, "rules": "farkle-cribbage-advanced"}})
    expect(page.locator(".names input")).to_have_count(3)
    expect(page.get_by_label("Rules", exact=True)).to_have_value("farkle-cribbage-advanced")


def test_a_game_without_names_is_not_started(open_page, canned_table):
    page = open_page(state="lobby")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#notice")).to_have_text("Write at least one name.")
    assert canned_table.written == []


def test_what_is_typed_in_the_lobby_presses_no_button(open_page, canned_table):
    page = open_page(state="lobby")
    page.get_by_label("Player 1", exact=True).press_sequentially("kbt1")
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("kbt1")
    assert canned_table.written == []


def test_a_rematch_is_the_same_game_with_the_same_players(open_page, canned_table):
    page = open_page(state="over")
    page.locator("#rematch").click()
    path, body = canned_table.writes()[0]
    assert (path, body["players"], body["rules"]) == ("game", ["Ann", "Ben", "Cy"], "farkle-cribbage")


def test_a_new_game_can_be_asked_for_and_taken_back(open_page):
    page = open_page(state="choosing")
    page.locator("#new-game").click()
    expect(page.locator(".names input").first).to_have_value("Ann")
    expect(page.locator("#tray")).to_be_hidden()
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#tray")).to_be_visible()


def test_undo_is_one_tap(open_page, canned_table):
    page = open_page(state="banked")
    page.locator("#undo").click()
    assert canned_table.writes() == [("undo", {"expected_seq": 45})]


def test_every_control_is_large_enough_for_a_finger(open_page):
    for state in ("choosing", "lobby", "over"):
        page = open_page("phone", state)
        small = page.evaluate("""() => [...document.querySelectorAll("button, a, select, input[type=text]")]
          .filter((one) => one.checkVisibility() && !one.matches(".skip"))
          .filter((one) => Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width) < 40)
          .map((one) => one.outerHTML)""")
        assert small == []


def paused(canned_table):
    """A table whose pause menu stands at its second item."""
    state = canned_table.canned("asking")
    items = ["go on", "skip", "self-test"]
    question = {"text": "Pause: skip. ROLL next, BANK does it, KEEP goes on.", "answers": items, "kind": "pause"}
    return {**state, "rest": "awake", "question": {**question, "place": 1, "bank": None, "face": None, "die": None}}


def test_a_menu_shows_where_it_stands_and_any_item_can_be_taken(open_page, canned_table):
    page = open_page("phone", paused(canned_table))
    expect(page.locator("#answers [aria-current]")).to_have_text(re.compile("skip"))
    expect(page.locator("#answers kbd")).to_have_text(["B"])
    page.locator("#answers button").nth(2).click()
    assert canned_table.writes() == [("answer", {"answer": "self-test", "expected_seq": 41})]


def test_the_pause_menu_is_opened_from_the_page_where_the_table_has_one(open_page, canned_table):
    page = open_page(state={**canned_table.canned("choosing"), "rest": "awake"})
    page.locator("#pause").click()
    assert canned_table.writes() == [("pause", {"expected_seq": 41})]
    page = open_page(state="choosing")
    expect(page.locator("#pause")).to_be_hidden()


def test_a_throw_that_the_table_cannot_read_is_entered_face_by_face(open_page, canned_table):
    state = {**canned_table.canned("to_throw"), "by_hand": "faces", "dice_to_throw": 3}
    page = open_page("phone", state)
    enter = page.get_by_role("button", name="This is the throw")
    for face in ("one", "six", "five"):
        expect(enter).to_be_disabled()
        page.locator(f"#entry .face[aria-label={face}]").click()
    page.get_by_role("button", name="Take one back").click()
    page.locator("#entry .face[aria-label=two]").click()
    expect(page.locator(".entered")).to_have_attribute("aria-label", "one, six, two")
    enter.click()
    assert canned_table.writes() == [("roll", {"roll": [1, 6, 2], "expected_seq": 41})]
