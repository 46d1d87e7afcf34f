"""The page in a real Chromium: every control of a turn is in sight at every usual size, and no element covers another.

A state is loaded once, and the window then takes each size.
"""

from itertools import pairwise, product

import pytest
from playwright.sync_api import expect
from resized import laid_out, resize

from companion.table.state.inputs import Answer, Fault, Pause, Started

pytestmark = pytest.mark.browser

PHONES = [(320, 568), (360, 640), (375, 667), (390, 664), (390, 760), (412, 915)]
"""Phones held upright, three of them with their browser's bars."""

SIZES = [(1366, 768), (1366, 625), (1920, 1080), (390, 844), (844, 390)]
MISSED = """([wanted, reach]) => [...document.querySelectorAll(wanted)]
  .filter((one) => one.checkVisibility() && one.offsetWidth > 1)
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) return true;
    const top = document.elementFromPoint(x, y);
    return y < reach * innerHeight || (!one.contains(top) && !top?.contains(one));
  }).map((one) => one.id || one.className + one.textContent)"""
"""What is out of the window, above the part of it that a thumb reaches, or below something else."""

IN_SIGHT = ".dome, #undo, #pause, #rules, #more summary, .answers button, #rematch, .rolled, .player, #message"
IN_REACH = ".rolled, .selection, .dome, #undo, #pause, .answers button, .entry button"
"""What a turn needs in the window, and what of it in the lower 60 % of a phone's."""

COVERED = """() => [...document.querySelectorAll(".selection")].filter((one) => {
  const box = one.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return top !== null && !one.contains(top) && document.querySelector(".controls").contains(top);
}).map((one) => one.textContent)"""
"""The choices that lie below a control."""


PLACES = """() => {
  const parts = [".keep", ".roll", ".bank", "#undo", "#pause", ".cell:first-child", "#felt", "#risk"];
  const found = parts.map((part) => [part, document.querySelector(part)]);
  const seen = found.filter(([, one]) => one?.checkVisibility() && one.offsetWidth > 1);
  return Object.fromEntries(seen.map(([part, one]) => {
    const box = one.getBoundingClientRect();
    return [part, [box.left, box.top].map(Math.round)];
  }));
}"""
"""Where each part of a turn that is shown has its corner."""


CLASHES = """() => {
  const turn = ["message", "hint", "coach-line", "felt", "choices", "risk", "roll", "buttons", "undo", "pause"];
  const seen = turn.map((id) => document.getElementById(id)).filter((one) => one?.checkVisibility())
    .map((one) => ({ id: one.id, box: one.getBoundingClientRect() })).filter(({ box }) => box.width > 1);
  const before = (one, other) => one.bottom <= other.top + 1 || one.right <= other.left + 1;
  const clash = (one, other) => one.id < other.id && !before(one.box, other.box) && !before(other.box, one.box);
  return seen.flatMap((one) => seen.filter((other) => clash(one, other)).map((other) => `${one.id} ${other.id}`));
}"""
"""The parts of a turn that lie over each other."""

CUT = """() => {
  const wider = (one) => one.scrollWidth > one.clientWidth + 1;
  const beyond = (one) => one.matches(".caption, .word") && one.offsetWidth > one.parentElement.clientWidth;
  const lower = (one) => one.matches(".selection") && one.scrollHeight > one.clientHeight + 1;
  return [...document.querySelectorAll(".selection, .risk, .caption, .dome .word, .hint")]
    .filter((one) => one.checkVisibility() && (wider(one) || beyond(one) || lower(one)))
    .map((one) => one.className + one.textContent);
}"""
"""Choices, captions and lines whose text is wider than its place, or cut."""

EMPTY = """() => {
  const above = [...document.querySelectorAll("#message, #hint, #felt")].filter((one) => one.checkVisibility());
  const bottom = Math.max(...above.map((one) => one.getBoundingClientRect().bottom));
  return document.getElementById("choices").getBoundingClientRect().top - bottom;
}"""
"""How many pixels above the choices are empty."""


def fits(page, size, *scripts) -> None:
    """Set the window to a size, and check that the page does not scroll and that these scripts find nothing."""
    resize(page, *size)
    for script in scripts:
        assert page.evaluate(script) == [], size
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1], size


def misses(page, size) -> list[str]:
    """Return what a turn needs that is not in sight, or on a phone not in reach."""
    return page.evaluate(MISSED, [IN_REACH, 0.4] if size in PHONES else [IN_SIGHT, 0])


TURN = ["to_throw", "aside", "asking", "farkled", "over", pytest.param("choosing", marks=pytest.mark.smoke)]


@pytest.mark.parametrize("state", [*TURN, "rolling", "twelve"])
def test_all_that_a_turn_needs_is_in_sight_and_in_the_zone_of_one_thumb(open_page, state):
    page = open_page(state)
    pegs = page.locator(".peg.back").evaluate_all("(all) => all.map((one) => one.getAttribute('transform'))")
    assert len(set(pegs)) == len(pegs)  # also of pegs that share a hole
    for size in (*SIZES, *PHONES):
        fits(page, size, COVERED)
        assert (state == "rolling" and size in SIZES) or misses(page, size) == [], size


def test_a_throw_is_entered_in_the_zone_of_one_thumb(open_page, table):
    page = open_page("to_throw", "phone")
    for act, buttons in (
        (lambda: table.take(Pause(), Answer("count points ourselves")), 1),
        (lambda: table.game().enters_faces(), 8),  # six faces, to enter the throw, to take one back
        (lambda: table.presses("roll"), 11),  # and the answers about the first die
        (lambda: table.post("roll", {"roll": [2, 3, 3, 3, 4, 5]}), 0),
        (lambda: (table.post("keep", {"dice": [3, 3, 3]}), table.presses("roll")), 11),
    ):
        act()
        expect(page.locator(":is(.entry, .answers) button:visible")).to_have_count(buttons)
        for size in PHONES:
            fits(page, size)
            assert misses(page, size) == [], size


def test_choices_without_room_stand_behind_a_button(open_page, table):
    table.game().turns("111346", "111346").throws("111222")
    page = open_page(None)
    for size in [*PHONES, *SIZES]:
        resize(page, *size)
        assert size not in PHONES or misses(page, size) == [], size
        shown = page.locator("li:not(.others) > .selection:visible")
        more = page.locator(".others .selection")
        if more.is_visible():
            expect(more).to_have_text(f"{15 - shown.count()} more")
            more.click()
            expect(shown).to_have_count(15)
            expect(more).to_be_hidden()
            table.take(Fault("sound", None if table.host.state.faults else "none"))  # a new state closes the list
            expect(more).to_be_visible()


@pytest.mark.parametrize("size", [*PHONES, *SIZES], ids=str)
def test_nothing_moves_under_the_finger_during_a_turn(open_page, table, size):
    page = open_page("to_throw")
    resize(page, *size)
    before = page.evaluate(PLACES)
    for act in (
        table.rolling,
        lambda: table.throws("233345"),
        lambda: table.sets_aside("2", "33345"),
        lambda: table.presses("bank"),
        lambda: table.throws("344663"),
    ):
        act()
        page.locator(f"#room[data-phase='{table.state()['phase']}']").wait_for()
        laid_out(page)
        after = page.evaluate(PLACES)
        moved = {part: place for part, place in after.items() if part in before and place != before[part]}
        assert moved == {}, table.state()["phase"]
        before |= after


@pytest.mark.parametrize("state", ["to_throw", "choosing", "aside"])
def test_the_first_games_hint_and_large_text_cover_nothing(open_page, table, state):
    table.game()
    if state != "to_throw":
        table.throws("233345")
    if state == "aside":
        table.sets_aside("333", "245")
    page = open_page(None)
    for size in PHONES:
        fits(page, size, CLASHES, CUT)
        expect(page.locator("#hint")).to_be_in_viewport(ratio=1)
    for size in [*SIZES, (1100, 760)]:
        fits(page, size)
        assert page.evaluate(MISSED, [IN_SIGHT, 0]) == [], size
        hint = page.locator("#hint").bounding_box()
        assert hint is None or hint["width"] >= 280, size  # there is none on a phone held across
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in PHONES:
        resize(page, *size)
        assert page.evaluate(CLASHES) == [], size
        assert page.evaluate(CUT) == [], size
        page.locator(".dome.bank").scroll_into_view_if_needed()
        expect(page.locator(".dome.bank")).to_be_in_viewport(ratio=0.9)


def test_the_middle_of_a_phone_is_not_empty_above_the_choices(open_page, table):
    for first, thrown in product((True, False), ("134466", "233345", "111246")):
        table.game().turns(*(() if first else ["344663"] * 4)).throws(thrown)
        page = open_page(None)
        for size in PHONES:
            resize(page, *size)
            assert page.evaluate(EMPTY) <= 70, (size, thrown, first)


@pytest.mark.parametrize("state", ["lobby", "to_throw", "choosing", "aside", "farkled"])
def test_the_odds_cover_no_hint_and_no_dice_on_a_phone(open_page, table, state):
    page = open_page(state)
    if state == "lobby":  # a first turn has a hint
        table.game()
        page.locator("#hint").wait_for()
    said = "Of throws of three dice 27.8 per cent farkle. Bank: you win 61.3 %. Throw: you win 58.9 %."
    page.evaluate(
        "said => { const line = document.getElementById('coach-line'); line.hidden = false; line.textContent = said }",
        said,
    )
    for size in PHONES:
        resize(page, *size)
        expect(page.locator("#coach-line")).to_be_in_viewport(ratio=1)
        assert page.evaluate(CLASHES) == [], size


BELOW_DOOR = """() => {
  const { left, top, right, bottom } = document.querySelector("#door").getBoundingClientRect();
  const meets = (box) => box.width && box.right > left && box.left < right && box.bottom > top && box.top < bottom;
  return [...document.querySelectorAll(".score, #risk, #message, .dome, .thrown, .selection")]
    .filter((one) => meets(one.getBoundingClientRect())).map((one) => one.className);
}"""


def test_a_phone_that_asks_covers_no_score(open_page, table):
    table.take(Started(lets_in=True)).game("Zoe", "Ben", "Catherine", "Maximilian").pairing.ask("Guillermo")
    page = open_page(None)
    page.locator("#door:visible button").first.wait_for()
    for thrown in ("", "111346"):
        if thrown:
            table.throws(thrown)
            page.locator("#selections .selection").first.wait_for()
        for size in [*PHONES[:4], (740, 360), (1366, 768)]:
            resize(page, *size)
            assert page.evaluate(BELOW_DOOR) == [], size


def test_the_buttons_of_the_lobby_stand_apart(open_page):
    page = open_page("lobby")
    for size in SIZES:
        resize(page, *size)
        boxes = [dome.bounding_box() for dome in page.locator(".dome").all()]
        for one, other in pairwise(boxes):
            below = one["y"] + one["height"] + 24 <= other["y"]
            assert one["x"] + one["width"] + 10 <= other["x"] or below, size


def test_the_best_choice_is_in_sight_and_marked_and_a_wide_screen_is_used(open_page):
    page = open_page("choosing")
    for size in SIZES:
        resize(page, *size)
        best = page.locator(".selection .why b").first
        expect(best).to_have_text("most points")
        expect(best).to_be_in_viewport()
        assert page.locator("#room").bounding_box()["width"] == size[0]


def test_a_menu_of_many_items_leaves_the_buttons_in_sight(open_page, table):
    table.game().throws("233345").take(Pause())
    assert len(table.state()["question"]["answers"]) > 8
    page = open_page(None)
    for size in SIZES:
        resize(page, *size)
        for part in (".dome.keep", ".dome.bank", "#undo", "#pause"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
            page.locator(part).click(trial=True)


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1920, 1080)])
def test_the_buttons_stay_in_their_place_at_the_end_of_a_game(open_page, table, size):
    table.game("Ann", "Ben", settings={"target": 20, "endgame": "immediate"}).throws("111346")
    page = open_page(None)
    resize(page, *size)
    places = "[...document.querySelectorAll('.dome')].map((one) => one.getBoundingClientRect().x)"
    before = page.evaluate(places)
    table.presses("bank")
    page.locator("#room[data-phase=over]").wait_for()
    assert page.evaluate(places) == before


NAMES = ["Mia", "Tom", "Ida", "Bartholomew", "Eva", "Ben", "Maximiliane", "Jo"]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("count", [5, 8])
def test_a_fault_leaves_names_whole_and_a_notice_covers_no_player(open_page, table, size, count):
    table.game(*NAMES[:count]).take(Fault("camera", "The camera sees nothing new: part of the tray is covered."))
    page = open_page(None)
    resize(page, *size)
    page.keyboard.press("k")
    expect(page.locator("#notice")).to_be_visible()
    cut = "[...document.querySelectorAll('.who')].filter((who) => who.scrollWidth > who.clientWidth).length"
    assert page.evaluate(cut) == 0
    players, notice = (page.locator(one).bounding_box() for one in ("#players", "#notice"))
    assert notice["y"] > players["y"] + players["height"]
