"""The page in a real Chromium: input by mouse, finger and keyboard."""

import re

import pytest
from playwright.sync_api import expect
from resized import check_fingers

from companion.table.state.inputs import Answer, Fault, Pause

pytestmark = pytest.mark.browser

KEPT = [3, 3, 3]


@pytest.mark.smoke
def test_a_tap_acts_on_release_and_sends_the_number_of_the_shown_state(open_page, table, written):
    page = open_page("choosing")
    seq = table.state()["seq"]
    page.locator(".dome.bank").hover()
    page.mouse.down()
    expect(page.locator(".dome.bank")).to_have_class(re.compile("pressed"))
    assert written(page) == []
    page.mouse.up()
    assert written(page, 1) == [("buttons/bank", {"press": "tap", "expected_seq": seq})]
    expect(page.locator(".player[aria-current] .who")).to_have_text("Ben")


def test_a_long_press_shows_its_ring_and_is_a_hold_and_no_tap(open_page, written):
    page = open_page("choosing")
    page.locator(".dome.roll").hover()
    page.mouse.down()
    expect(page.locator(".dome.roll")).to_have_class(re.compile("holding"))
    expect(page.locator(".dome.roll")).to_have_class(re.compile("held"))
    page.mouse.up()
    assert [(path, body["press"]) for path, body in written(page, 1)] == [("buttons/roll", "hold")]


def test_the_table_sets_the_length_of_a_hold(open_page, table):
    object.__setattr__(table.app.state.table, "hold_s", 0.5)
    page = open_page("choosing")
    page.evaluate("() => { window.waits = []; window.setTimeout = (_, ms) => window.waits.push(ms); }")
    page.locator(".dome.roll").hover()
    page.mouse.down()
    assert page.evaluate("window.waits") == [500]
    assert page.evaluate("getComputedStyle(document.querySelector('.dome .ring')).getPropertyValue('--hold')") == "0.5s"
    page.mouse.up()


@pytest.mark.parametrize(
    ("key", "path", "body"),
    [
        ("k", "buttons/keep", {"press": "tap"}),
        ("Shift+K", "buttons/keep", {"press": "hold"}),
        pytest.param("t", "simulator/throw", {"dice": None}, marks=pytest.mark.smoke),
        ("2", "keep", {"dice": [3, 3, 3]}),
        ("p", "pause", {}),
        ("u", "undo", {}),
    ],
)
def test_keys_do_what_buttons_and_hands_do_and_stand_in_the_list(open_page, table, written, key, path, body):
    table.desk.then = table.rolling
    page = open_page("choosing")
    page.keyboard.press(key)
    ((wrote, sent),) = written(page, 1)
    assert (wrote, sent | body) == (path, sent)
    if key in "pu":
        page.keyboard.press("?")
        expect(page.locator("dialog.keys kbd").get_by_text(key.upper(), exact=True)).to_be_visible()


def test_a_button_with_the_focus_is_pressed_by_key_once_and_by_a_screen_reader(open_page, written):
    page = open_page("choosing")
    page.locator(".dome.keep").focus()
    page.keyboard.press("Space")
    page.locator(".dome.bank").dispatch_event("click")
    assert [path for path, _ in written(page, 2)] == ["buttons/keep", "buttons/bank"]


def test_a_selection_is_chosen_with_a_finger(open_page, table, written):
    page = open_page("choosing", "phone", has_touch=True)
    page.locator(".selection").nth(1).tap()
    assert [body["dice"] for _, body in written(page, 1)] == [KEPT]
    expect(page.locator("#roll .chosen")).to_have_count(3)


def without_timers(page):
    """Stop the page's timers: on a slow machine a drag would become a long press."""
    page.evaluate("window.setTimeout = () => 0")


def touched(page, steps):
    """Send real touches: the first point is where the finger lands, the last one where it leaves."""
    without_timers(page)
    session = page.context.new_cdp_session(page)
    kinds = ["touchStart", *["touchMove"] * (len(steps) - 1), "touchEnd"]
    for kind, point in zip(kinds, [*steps, None], strict=True):
        points = [] if point is None else [{"x": point[0], "y": point[1]}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def middle(node):
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("where", [".rolled", pytest.param(".spotted", marks=pytest.mark.smoke)])
def test_a_tap_on_a_die_keeps_it_with_the_dice_it_counts_with_and_a_second_one_puts_it_back(open_page, written, where):
    page = open_page("choosing")
    page.locator(f"{where}[data-face='3']").last.click(force=True)
    expect(page.locator("#roll .chosen")).to_have_count(3)
    page.locator(f"{where}[data-face='3']").first.click(force=True)
    assert [body["dice"] for _, body in written(page, 2)] == [KEPT, []]


@pytest.mark.parametrize(
    ("state", "place", "said"),
    [
        ("choosing", ".dome.roll", "ROLL: keep a die first"),  # marked as disabled, it answers all the same
        ("choosing", ".rolled[data-face='4']", "The four does not count here."),
        ("aside", ".rolled[data-face='3']", "The dice on the shelf count. Change them there."),
    ],
)
def test_a_button_or_a_die_that_does_nothing_says_why(open_page, written, state, place, said):
    page = open_page(state)
    page.locator(place).first.click(force=True)
    expect(page.locator("#notice")).to_have_text(said)
    assert written(page) == []


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_a_die_is_dragged_onto_the_shelf_and_stays_where_it_is_if_let_go_elsewhere(open_page, written, by):
    page = open_page("choosing", has_touch=by == "finger")
    (x, y), shelf = middle(page.locator(".rolled[data-face='2']").first), middle(page.locator("#shelf"))
    if by == "finger":
        touched(page, [(x, y), (x, y + 20), shelf])
    else:
        without_timers(page)
        for place, hovered in (((x + 200, y + 90), "^(?!.*over)"), (shelf, "over")):
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(*place, steps=6)
            expect(page.locator("#shelf")).to_have_class(re.compile(hovered))
            page.mouse.up()
    assert [body["dice"] for _, body in written(page, 1)] == [[2]]


@pytest.mark.parametrize("how", ["pencil", "long press", pytest.param("key", marks=pytest.mark.smoke)])
def test_a_die_is_corrected_by_pencil_long_press_or_key(open_page, table, written, how):
    page = open_page("choosing")
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
    faces = page.locator("#fix .face use")
    expect(faces).to_have_count(6)
    shown = faces.evaluate_all("all => all.map((one) => one.getAttribute('href').at(-1))")
    assert shown == list("453621")  # as read, the likeliest, then by likelihood
    expect(page.locator("#fix .closeup image")).to_have_attribute("href", table.state()["reading"]["picture"])
    page.locator(".face[aria-label=six]").click()
    assert [(path, sorted(body["roll"])) for path, body in written(page, 1)] == [("correct", [2, 3, 3, 3, 5, 6])]
    expect(page.locator(".spotted .digit")).to_have_text(["2", "3", "3", "3", "6", "5"])


def test_the_first_tap_on_a_die_in_doubt_asks_and_the_second_keeps_it(open_page, table, written):
    page = open_page("asking", "phone", has_touch=True)
    table.take(Answer("yes"))
    die = page.locator(".rolled[data-face='2']")
    die.tap()
    page.get_by_role("button", name="It is right").tap()
    assert written(page) == []
    die.tap()
    assert [body["dice"] for _, body in written(page, 1)] == [[2]]


def test_a_correction_that_would_lose_acts_offers_to_undo_them_first(open_page, table, written):
    page = open_page("choosing")
    table.post("keep", {"dice": KEPT})
    expect(page.locator("#roll .chosen")).to_have_count(3)
    page.locator(".rolled[data-face='3']").first.focus()
    page.keyboard.press("e")
    page.locator(".face[aria-label=six]").click()
    expect(page.locator("#notice")).to_contain_text("would be lost")
    page.get_by_role("button", name="Undo it and correct the die").click()
    assert [path for path, _ in written(page, 3)] == ["correct", "undo", "correct"]
    expect(page.locator("#notice")).to_be_hidden()


def test_on_a_desk_roll_throws_when_a_throw_is_due(open_page, table):
    table.desk.then = table.rolling
    page = open_page("to_throw")
    expect(page.locator("[data-glows]")).to_have_count(1)
    page.locator(".dome.roll[data-glows]").click()
    expect(page.locator("#room")).to_have_attribute("data-phase", "rolling")
    assert table.desk.done == [("throw", None)]


def test_sound_goes_on_after_a_phone_was_locked_or_called(open_page):
    resumed = """async () => {
      let resumed = 0;
      window.AudioContext = class { state = "interrupted"; resume = async () => { resumed += 1; }; };
      (await import("/static/sounds.js")).play("no such moment", 1);
      return resumed;
    }"""
    assert open_page().evaluate(resumed) == 1


def test_escape_closes_what_is_open_and_gives_the_focus_back(open_page):
    page = open_page("choosing")
    page.locator(".rolled").first.focus()
    page.keyboard.press("e")
    expect(page.locator("#fix")).to_be_visible()  # its script is loaded with its first use
    page.keyboard.press("Escape")
    expect(page.locator("#fix")).to_be_hidden()
    expect(page.locator(".rolled").first).to_be_focused()
    page.locator("#more summary").click()
    expect(page.locator("#volume")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#more a[href='/games']")).to_be_hidden()
    expect(page.locator("#more summary")).to_be_focused()


def test_a_new_state_does_not_take_the_focus_away(open_page, table):
    page = open_page("choosing")
    page.locator(".selection").nth(1).focus()
    table.take(Fault("sound", "no sound"))
    expect(page.locator("#degraded li")).to_have_count(1)
    expect(page.locator(".selection").nth(1)).to_be_focused()


@pytest.mark.smoke
def test_an_answer_is_sent_with_the_words_of_its_button(open_page, table, written):
    page = open_page("asking")
    expect(page.locator("#answers [data-glows].solid")).to_have_count(2)
    page.locator("#question").get_by_role("button", name="throw again").click()
    assert [(path, body["answer"]) for path, body in written(page, 1)] == [("answer", "throw_again")]
    expect(page.locator("#question")).to_be_hidden()


def test_a_rematch_is_the_same_game_with_the_same_players_bots_and_teams(open_page, table, written):
    teams = {"Reds": ("Ann", "Cy"), "Blues": ("Ben", "bot:bold")}
    players = ("Ann", "Ben", "Cy", "bot:bold")
    table.game(*players, teams=teams, settings={"target": 20, "endgame": "immediate"}).turns("111346")
    page = open_page(None)
    page.locator("#rematch").click()
    ((path, body),) = written(page, 1)
    assert (path, body["players"], body["rules"]) == ("game", list(players), "farkle-cribbage")
    assert {name: tuple(team) for name, team in body["teams"].items()} == teams


def test_the_form_over_a_game_can_be_left_again(open_page, table, written):
    page = open_page("choosing")
    table.post("lobby", {"open": True})
    expect(page.locator("#tray")).to_be_hidden()
    page.get_by_role("button", name="Go back").click()
    assert [body["open"] for path, body in written(page, 1) if path == "lobby"] == [False]


def test_every_control_is_large_enough_for_a_finger(open_page, table):
    page = open_page("choosing", "phone")
    controls = ":is(button, a, select, input[type=text]):not(.skip, .pencil)"
    check_fingers(page, controls, 40, 40)
    page = open_page("over", "phone")
    check_fingers(page, controls, 40, 40)
    table.post("lobby", {"open": True})
    page.locator("#lobby-about").wait_for()
    check_fingers(page, controls, 40, 40)


def test_a_menu_shows_where_it_stands_and_any_item_can_be_taken(open_page, table, written):
    page = open_page("choosing", "phone")
    page.locator("#pause").click()
    page.locator("#answers [aria-current]").wait_for()
    table.presses("roll")
    expect(page.locator("#answers [aria-current] kbd")).to_have_text("B")
    items = table.state()["question"]
    assert items["place"] == 1
    page.locator("#answers button").nth(2).click()
    assert [body["answer"] for path, body in written(page, 2) if path == "answer"] == [items["keys"][2]]


@pytest.mark.smoke
def test_a_throw_that_the_table_cannot_read_is_entered_face_by_face(open_page, table, written):
    table.game().throws("111346").post("keep", {"dice": [1, 1, 1]})
    table.presses("roll").enters_faces()
    page = open_page(None, "phone")
    enter = page.get_by_role("button", name="This is the throw")
    for face in ("one", "six", "five"):
        expect(enter).to_be_disabled()
        page.locator(f"#entry .face[aria-label={face}]").click()
    page.get_by_role("button", name="Take one back").click()
    page.locator("#entry .face[aria-label=two]").click()
    expect(page.locator(".entered")).to_have_attribute("aria-label", "one, six, two")
    enter.click()
    assert [(path, body["roll"]) for path, body in written(page, 1)] == [("roll", [1, 6, 2])]


@pytest.mark.smoke
def test_the_points_of_a_turn_are_typed_stay_while_others_act_and_are_banked(open_page, table):
    table.post("game", {"rules": "classic", "players": ["Ann", "Ben"]})
    table.take(Pause(), Answer("count points ourselves"))
    page = open_page(None)
    points = page.get_by_label("Points of this turn so far")
    points.fill("350")
    page.get_by_role("button", name="Count", exact=True).click()
    expect(page.locator("#message")).to_contain_text("you have counted 350 points. Count on, or bank.")
    expect(points).to_have_value("350")
    points.fill("375")
    page.get_by_role("button", name="Count", exact=True).click()
    assert points.evaluate("(field) => field.validity.stepMismatch")
    table.take(Fault("sound", "no sound"))
    expect(page.locator("#degraded li")).to_have_count(1)
    expect(points).to_have_value("375")
    page.locator(".dome.bank").click()
    expect(page.locator("#message")).to_contain_text("Ben, throw, and count your points.")
    expect(points).to_have_value("")
    assert table.state()["players"][0]["score"] == 350


def test_a_question_about_one_die_is_about_the_marked_one(open_page, table):
    page = open_page("choosing")
    table.post("buttons/keep", {"press": "hold"})
    asked = table.state()["question"]
    expect(page.locator("#question-text")).to_have_text(asked["text"])
    expect(page.locator("#roll .rolled").nth(asked["die"])).to_have_class("rolled asked")
    assert asked["faces"][asked["die"]] == asked["face"]
