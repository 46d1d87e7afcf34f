"""The page in a real Chromium: input by mouse, finger and keyboard."""

import re

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_dark_button_answers_why(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".dome.roll").click(force=True)  # the button is marked as disabled, and answers all the same
    expect(page.locator("#notice")).to_have_text("ROLL: keep a die first")
    assert canned_table.written == []


@pytest.mark.smoke
def test_a_tap_acts_on_release_and_sends_the_number_of_the_shown_state(open_page, canned_table):
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


def test_the_table_sets_the_length_of_a_hold(open_page, canned_table):
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
        pytest.param("t", "simulator/throw", {"dice": None}, marks=pytest.mark.smoke),
        ("3", "keep", {"dice": [3, 3, 3], "expected_seq": 41}),
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


def without_timers(page):
    """Stop the page's timers: on a slow machine a drag would become a long press."""
    page.evaluate("window.setTimeout = () => 0")


def dragged(page, node, to):
    """Drag the middle of a die to a point, by mouse."""
    without_timers(page)
    page.mouse.move(*middle(node))
    page.mouse.down()
    page.mouse.move(*to, steps=6)


def touched(page, steps):
    """Send real touches: the first point is where the finger lands, the last one where it leaves."""
    without_timers(page)
    session = page.context.new_cdp_session(page)
    for kind, point in (
        ("touchStart", steps[0]),
        *(("touchMove", step) for step in steps[1:]),
        ("touchEnd", None),
    ):
        points = [] if point is None else [{"x": point[0], "y": point[1]}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def middle(node):
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def with_shelf(state):
    """Return a state whose picture has a shelf at its lower end."""
    state["reading"]["shelf"] = [[280, 600], [680, 600], [680, 540], [280, 540]]
    return state


@pytest.mark.parametrize("where", [".rolled", pytest.param(".spotted", marks=pytest.mark.smoke)])
def test_a_tap_on_a_die_keeps_it_with_the_dice_it_counts_with(open_page, canned_table, where):
    page = open_page(state="choosing")
    page.locator(f"{where}[data-face='3']").last.click()
    assert canned_table.writes() == [("keep", {"dice": [3, 3, 3], "expected_seq": 41})]


@pytest.mark.parametrize("where", [".rolled", ".spotted", ".pocket"])
def test_a_second_tap_puts_a_die_back(open_page, canned_table, where):
    state = canned_table.canned("choosing")
    state["chosen"] = state["selections"][-1]
    page = open_page(state=state)
    page.locator(f"{where}[data-face='{state['chosen']['dice'][0]}']").first.click()
    assert canned_table.writes() == [("keep", {"dice": [], "expected_seq": 41})]


def test_a_die_that_does_not_count_says_so(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".rolled[data-face='4']").click()
    expect(page.locator("#notice")).to_have_text("The four does not count here.")
    assert canned_table.written == []


def test_dice_on_a_real_shelf_win_over_a_tap(open_page, canned_table):
    page = open_page(state="aside")
    page.locator(".rolled").first.click()
    expect(page.locator("#notice")).to_have_text("The dice on the shelf count. Change them there.")
    assert canned_table.written == []


@pytest.mark.parametrize("where", [".rolled", ".spotted"])
@pytest.mark.parametrize(("size", "shelf"), [("laptop", "#shelf"), ("laptop", ".drop"), ("phone", ".drop")])
def test_a_die_is_dragged_onto_either_shelf_by_mouse_and_finger(open_page, canned_table, where, shelf, size):
    page = open_page(size, with_shelf(canned_table.canned("choosing")))
    die = page.locator(f"{where}[data-face='2']").first
    page.evaluate("document.querySelector('.drop').toggleAttribute('hidden', false)")
    to = middle(page.locator(shelf))
    if size == "laptop":
        dragged(page, die, to)
        expect(page.locator(shelf)).to_have_class(re.compile("over"))
        page.mouse.up()
    else:
        x, y = middle(die)
        touched(page, [(x, y), (x, y + 20), to])
    assert canned_table.writes() == [("keep", {"dice": [2], "expected_seq": 41})]


def test_a_die_let_go_elsewhere_stays_where_it_is(open_page, canned_table):
    page = open_page(state="choosing")
    x, y = middle(page.locator(".rolled").first)
    dragged(page, page.locator(".rolled").first, (x + 200, y + 90))
    page.mouse.up()
    page.locator(".dome.bank").click()
    assert [path for path, _ in canned_table.writes()] == ["buttons/bank"]


@pytest.mark.parametrize("how", ["pencil", "long press", pytest.param("key", marks=pytest.mark.smoke)])
def test_a_die_is_corrected_by_pencil_long_press_or_key(open_page, canned_table, how):
    page = open_page(state="choosing")
    die = page.locator(".rolled[data-face='4']")
    if how == "pencil":
        page.get_by_role("button", name="Correct the four").click()
    elif how == "key":
        die.focus()
        page.keyboard.press("e")
    else:
        page.mouse.move(*middle(die))
        page.mouse.down()
        expect(page.locator("#fix")).to_be_visible()
        page.mouse.up()
    expect(page.locator("#fix .face use")).to_have_count(6)
    faces = page.locator("#fix .face use").evaluate_all("all => all.map((one) => one.getAttribute('href').at(-1))")
    assert faces == list("453621")  # as read, the likeliest, then by likelihood
    expect(page.locator("#fix .closeup image")).to_have_attribute("href", canned_table.state["reading"]["picture"])
    expect(page.locator(".face.likely")).to_have_attribute("aria-label", "five, likeliest")
    page.locator(".face[aria-label=six]").click()
    assert canned_table.writes() == [("correct", {"roll": [2, 3, 3, 3, 6, 5], "expected_seq": 41})]


def in_doubt(state, face):
    """Return the state with the die of that face in doubt."""
    for die in state["reading"]["dice"]:
        die["doubts"] = ["blurred"] if die["face"] == face else []
    return state


def test_the_first_tap_on_a_die_in_doubt_asks_and_the_second_keeps_it(open_page, canned_table):
    page = open_page("phone", in_doubt(canned_table.canned("choosing"), 2), has_touch=True)
    die = page.locator(".rolled[data-face='2']")
    die.tap()
    page.get_by_role("button", name="It is right").tap()
    assert canned_table.written == []
    die.tap()
    assert canned_table.writes() == [("keep", {"dice": [2], "expected_seq": 41})]


def test_a_die_in_doubt_is_corrected_by_two_taps(open_page, canned_table):
    page = open_page("phone", in_doubt(canned_table.canned("choosing"), 4), has_touch=True)
    page.locator(".rolled[data-face='4']").tap()
    page.locator(".face.likely").tap()
    assert canned_table.writes() == [("correct", {"roll": [2, 3, 3, 3, 5, 5], "expected_seq": 41})]


def test_a_correction_that_would_lose_acts_offers_to_undo_them_first(open_page, canned_table):
    page = open_page(state="choosing")
    lost = {"title": "", "status": 422, "detail": "2 would be lost; undo back to it first"}
    done = (200, canned_table.state)
    canned_table.answers = [(422, lost), done, (422, lost), done, done]
    page.locator(".rolled[data-face='4']").focus()
    page.keyboard.press("e")
    page.locator(".face.likely").click()
    expect(page.locator("#notice")).to_contain_text("2 would be lost; undo back to it first")
    page.get_by_role("button", name="Undo it and correct the die").click()
    assert [path for path, _ in canned_table.writes(5)] == ["correct", "undo", "correct", "undo", "correct"]
    expect(page.locator("#notice")).to_be_hidden()


def test_after_a_correction_the_picture_shows_the_right_face(open_page, canned_table):
    state = canned_table.canned("choosing")
    state["roll"] = [2, 3, 3, 3, 6, 5]
    page = open_page(state=state)
    shown = page.locator(".spotted .digit").all_text_contents()
    assert sorted(shown) == ["2", "3", "3", "3", "5", "6"]


def test_on_a_desk_roll_throws_when_a_throw_is_due(open_page, canned_table):
    page = open_page(state="to_throw")
    expect(page.locator("[data-glows]")).to_have_count(1)
    page.locator(".dome.roll[data-glows]").click()
    assert canned_table.writes() == [("simulator/throw", {"dice": None})]


@pytest.mark.parametrize(("state", "glowing"), [("choosing", ["KEEP", "BANK"]), ("aside", ["ROLL", "BANK"])])
def test_the_sensible_presses_glow_alike(open_page, state, glowing):
    page = open_page(state=state)
    expect(page.locator(".dome[data-glows]")).to_have_text(glowing)


def test_sound_goes_on_after_a_phone_was_locked_or_called(open_page):
    resumed = """async () => {
      let resumed = 0;
      window.AudioContext = class { state = "interrupted"; resume = async () => { resumed += 1; }; };
      (await import("/static/sounds.js")).play("no such moment", 1);
      return resumed;
    }"""
    assert open_page().evaluate(resumed) == 1


def test_both_answers_of_a_question_glow(open_page):
    page = open_page(state="asking")
    expect(page.locator("#answers [data-glows].solid")).to_have_count(2)


def test_at_a_real_table_the_sentence_glows_where_roll_would_and_beside_bank(open_page, canned_table):
    page = open_page(state={**canned_table.canned("aside"), "simulated": False})
    expect(page.locator("#message[data-glows]")).to_be_visible()
    expect(page.locator(".dome[data-glows]")).to_have_text(["BANK"])


def test_at_a_real_table_roll_is_the_button_and_the_sentence_glows(open_page, canned_table):
    page = open_page(state={**canned_table.canned("to_throw"), "simulated": False, "legal": ["roll"]})
    expect(page.locator("[data-glows]")).to_have_attribute("id", "message")
    page.locator(".dome.roll").click()
    assert canned_table.writes() == [("buttons/roll", {"press": "tap", "expected_seq": canned_table.state["seq"]})]


def test_escape_closes_the_little_window_and_gives_the_focus_back(open_page):
    page = open_page(state="choosing")
    page.locator(".rolled").first.focus()
    page.keyboard.press("e")
    expect(page.locator("#fix")).to_be_visible()  # its script is loaded with its first use
    page.keyboard.press("Escape")
    expect(page.locator("#fix")).to_be_hidden()
    expect(page.locator(".rolled").first).to_be_focused()


def test_a_new_state_does_not_take_the_focus_away(open_page, canned_table):
    page = open_page(state="choosing")
    page.locator(".selection").nth(1).focus()
    canned_table.show({**canned_table.canned("choosing"), "seq": 42, "degraded": ["no sound"]})
    expect(page.locator("#room")).to_have_attribute("data-seq", "42")
    expect(page.locator(".selection").nth(1)).to_be_focused()


@pytest.mark.smoke
def test_an_answer_is_sent_with_the_words_of_its_button(open_page, canned_table):
    page = open_page(state="asking")
    page.locator("#question").get_by_role("button", name="throw again").click()
    assert canned_table.writes() == [("answer", {"answer": "throw_again", "expected_seq": 41})]
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


@pytest.mark.parametrize("state", ["lobby", "choosing"])
def test_the_volume_of_this_browser_stands_under_more(open_page, state):
    page = open_page(state=state)
    page.locator("#more summary").click()
    expect(page.locator("#volume")).to_be_visible()


@pytest.mark.smoke
def test_a_game_starts_from_the_lobby(open_page, canned_table):
    page = open_page("phone", "lobby")
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Ben")
    page.get_by_label("Rules", exact=True).select_option("farkle-cribbage-advanced")
    page.get_by_label("241 holes").check()
    page.get_by_role("button", name="Start with 2 players").click()
    body = {"rules": "farkle-cribbage-advanced", "settings": {}, "track": 241, "names": ["Ann", "Ben"]}
    assert canned_table.body_of("lobby/start") == {
        **body,
        "teams": [],
        "start": 0,
        "plays": "",
        "expected_seq": 0,
    }
    canned_table.show("to_throw")
    expect(page.locator("#lobby")).to_be_hidden()


def test_a_player_who_joins_by_button_appears_on_the_page(open_page, canned_table):
    page = open_page(state="lobby")
    lobby = canned_table.canned("lobby")
    canned_table.show({**lobby, "lobby": {**lobby["lobby"], "players": 3, "rules": "farkle-cribbage-advanced"}})
    expect(page.locator(".names input")).to_have_count(3)
    expect(page.get_by_label("Rules", exact=True)).to_have_value("farkle-cribbage-advanced")


def test_typing_in_the_lobby_presses_no_button(open_page, canned_table):
    page = open_page(state="lobby")
    page.get_by_label("Player 1", exact=True).press_sequentially("kbt1")
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("kbt1")
    canned_table.body_of("lobby")
    assert {path for path, _ in canned_table.written} == {"lobby"}


def test_a_rematch_is_the_same_game_with_the_same_players(open_page, canned_table):
    page = open_page(state="over")
    page.locator("#rematch").click()
    path, body = canned_table.writes()[0]
    assert (path, body["players"], body["rules"]) == ("game", ["Ann", "Ben", "Cy"], "farkle-cribbage")


def test_a_rematch_has_the_same_bots(open_page, canned_table):
    state = canned_table.canned("over")
    state["players"][1]["bot"] = "bold"
    page = open_page(state={**state, "teams": {"A": ["Ann", "Ben"], "B": ["Cy"]}})
    page.locator("#rematch").click()
    body = canned_table.writes()[0][1]
    assert (body["players"], body["teams"]["A"]) == (["Ann", "bot:bold", "Cy"], ["Ann", "bot:bold"])


def test_the_form_over_a_game_can_be_left_again(open_page, canned_table):
    page = open_page(state={**canned_table.canned("choosing"), "phase": "lobby"})
    expect(page.locator("#tray")).to_be_hidden()
    page.get_by_role("button", name="Go back").click()
    assert canned_table.body_of("lobby")["open"] is False


def test_undo_is_one_tap(open_page, canned_table):
    page = open_page(state="banked")
    page.locator("#undo").click()
    assert canned_table.writes() == [("undo", {"expected_seq": 45})]


def test_every_control_is_large_enough_for_a_finger(open_page):
    for state in ("choosing", "lobby", "over"):
        page = open_page("phone", state)
        small = page.evaluate("""() => [...document.querySelectorAll("button, a, select, input[type=text]")]
          .filter((one) => one.checkVisibility() && !one.matches(".skip, .pencil"))
          .filter((one) => Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width) < 40)
          .map((one) => one.outerHTML)""")
        assert small == []


def paused(canned_table):
    """Return a table whose pause menu stands at its second item."""
    state = canned_table.canned("asking")
    items = ["go on", "skip", "self-test"]
    question = {
        "text": "Pause: skip. ROLL next, BANK does it, KEEP goes on.",
        "answers": items,
        "keys": ["go_on", "skip", "self_test"],
    }
    return {
        **state,
        "rest": "awake",
        "question": {**question, "kind": "menu", "place": 1, "bank": None, "face": None, "die": None},
    }


def test_a_menu_shows_where_it_stands_and_any_item_can_be_taken(open_page, canned_table):
    page = open_page("phone", paused(canned_table))
    expect(page.locator("#answers [aria-current]")).to_have_text(re.compile("Skip"))
    expect(page.locator("#answers kbd")).to_have_text(["B"])
    page.locator("#answers button").nth(2).click()
    assert canned_table.writes() == [("answer", {"answer": "self_test", "expected_seq": 41})]


def test_the_pause_menu_is_opened_from_the_page_where_the_table_has_one(open_page, canned_table):
    page = open_page(state={**canned_table.canned("choosing"), "rest": "awake"})
    page.locator("#pause").click()
    assert canned_table.writes() == [("pause", {"expected_seq": 41})]
    page = open_page(state="choosing")
    expect(page.locator("#pause")).to_be_hidden()


@pytest.mark.smoke
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


def test_points_that_are_being_typed_stay_until_the_turn_ends(open_page, canned_table):
    counting = {**canned_table.canned("to_throw"), "by_hand": "counting", "count_unit": 50, "turn_points": 350}
    page = open_page(state=counting)
    points = page.get_by_label("Points of this turn so far")
    expect(points).to_have_value("350")
    points.fill("400")
    canned_table.show({**counting, "seq": 42, "turn_points": 300})
    expect(page.locator("#room")).to_have_attribute("data-seq", "42")
    expect(points).to_have_value("400")
    expect(points).to_be_focused()
    canned_table.show({**counting, "seq": 43, "turn_points": 0, "to_move": "Ben"})
    expect(points).to_have_value("")


@pytest.mark.parametrize(("key", "path"), [("p", "pause"), ("u", "undo")])
def test_pause_and_undo_have_keys_that_stand_in_the_list(open_page, canned_table, key, path):
    page = open_page(state={**canned_table.canned("choosing"), "rest": "awake"})
    page.keyboard.press(key)
    assert [written for written, _ in canned_table.writes()] == [path]
    page.keyboard.press("?")
    expect(page.locator("dialog.keys kbd").get_by_text(key.upper(), exact=True)).to_be_visible()


def test_escape_closes_the_menu(open_page):
    page = open_page(state="choosing")
    page.locator("#more summary").click()
    expect(page.locator("#more a[href='/games']")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#more a[href='/games']")).to_be_hidden()
    expect(page.locator("#more summary")).to_be_focused()
