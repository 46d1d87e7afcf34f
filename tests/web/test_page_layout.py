"""The page in a real Chromium: every control of a turn is in sight at every usual size, and no element covers another.

A state is loaded once, and the window then takes each size.
"""

from collections.abc import Iterator
from itertools import pairwise

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect
from resized import laid_out, resize

pytestmark = pytest.mark.browser

PHONES = [(320, 568), (360, 640), (375, 667), (390, 664), (390, 844)]
"""Phones held upright, three of them with their browser's bars."""

SIZES = [(1366, 768), (1366, 625), (1920, 1080), (390, 844), (844, 390)]
STATES = [
    "to_throw",
    pytest.param("choosing", marks=pytest.mark.smoke),
    "aside",
    "asking",
    "farkled",
    "over",
]

HIDDEN = """() => {
  const wanted = ".dome, #undo, #pause, #rules, #more summary, .answers button, #rematch, .rolled, .player, #message";
  const seen = [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility() && one.offsetWidth > 1);
  return seen.filter((one) => {
    const box = one.getBoundingClientRect();
    if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) return true;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !one.contains(top) && !top?.contains(one);
  }).map((one) => one.id || one.className + one.textContent);
}"""
"""What a turn needs that is out of the window, or lies below something else."""

COVERED = """() => [...document.querySelectorAll(".selection")].filter((one) => {
  const box = one.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return top !== null && !one.contains(top) && document.querySelector(".controls").contains(top);
}).map((one) => one.textContent)"""
"""The choices that lie below a control."""


OUT_OF_REACH = """() => {
  const wanted = ".rolled, .selection, .dome, #undo, #pause, .answers button, .entry button";
  const seen = [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility() && one.offsetWidth > 1);
  return seen.filter((one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return y < 0.4 * innerHeight || box.bottom > innerHeight || !one.contains(document.elementFromPoint(x, y));
  }).map((one) => one.id || one.className + one.textContent);
}"""
"""Dice, choices and buttons that are not in the lower 60 % of the window, or lie below something else."""


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
  const wanted = ["message", "hint", "coach-line", "felt", "choices", "risk", "roll", "buttons", "undo", "pause"];
  const seen = wanted.map((id) => document.getElementById(id)).filter((one) => one?.checkVisibility())
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


def at_each_size(
    open_page, state: dict, sizes: list[tuple[int, int]] = SIZES
) -> Iterator[tuple[Page, tuple[int, int]]]:
    """Show a state, and set the window to each size in turn."""
    page = open_page("laptop", {**state, "rest": "awake", "undo": True})
    for size in sizes:
        resize(page, *size)
        yield page, size


@pytest.mark.parametrize("state", STATES)
def test_all_that_a_turn_needs_is_in_sight(open_page, canned_table, state):
    for page, size in at_each_size(open_page, canned_table.canned(state)):
        assert page.evaluate(HIDDEN) == [], size
        assert page.evaluate(COVERED) == [], size
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1], size


def many_choices(canned_table) -> dict:
    """Return a throw of which fifteen selections may be kept."""
    state = canned_table.canned("choosing")
    dice = [[1] * ones + [2] * twos for ones in range(4) for twos in range(4) if ones + twos]
    looks = state["selections"][0]
    choices = [{**looks, "dice": each, "points": 10 * len(each)} for each in sorted(dice, key=len, reverse=True)]
    return {**state, "roll": [1, 1, 1, 2, 2, 2], "selections": choices}


@pytest.mark.parametrize("state", ["to_throw", "rolling", "choosing", "aside", "asking", "farkled", "over", "twelve"])
def test_a_turn_lies_in_the_zone_of_one_thumb(open_page, canned_table, state):
    for page, size in at_each_size(open_page, canned_table.canned(state), PHONES):
        assert page.evaluate(OUT_OF_REACH) == [], size
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1], size


def test_choices_without_room_stand_behind_a_button(open_page, canned_table):
    for page, size in at_each_size(open_page, many_choices(canned_table), [*PHONES, *SIZES]):
        if size in PHONES:
            assert page.evaluate(OUT_OF_REACH) == [], size
        shown = page.locator("li:not(.others) > .selection:visible")
        more = page.locator(".others .selection")
        if more.is_visible():
            expect(more).to_have_text(f"{15 - shown.count()} more")
            more.click()
            expect(shown).to_have_count(15)
            expect(more).to_be_hidden()
            canned_table.show(many_choices(canned_table))  # a new state closes the list
            expect(more).to_be_visible()


@pytest.mark.parametrize("by_hand", ["faces", "counting"])
def test_a_throw_is_entered_in_the_zone_of_one_thumb(open_page, canned_table, by_hand):
    for page, size in at_each_size(open_page, {**canned_table.canned("to_throw"), "by_hand": by_hand}, PHONES):
        assert page.evaluate(OUT_OF_REACH) == [], size


@pytest.mark.parametrize("size", [*PHONES, *SIZES], ids=str)
def test_nothing_moves_under_the_finger_during_a_turn(open_page, canned_table, size):
    page = open_page(state={**canned_table.canned("to_throw"), "rest": "awake", "undo": True})
    resize(page, *size)
    before = page.evaluate(PLACES)
    for name in ("rolling", "choosing", "aside", "banked", "farkled"):
        canned_table.show({**canned_table.canned(name), "rest": "awake", "undo": True})
        page.locator(f"#room[data-phase='{canned_table.state['phase']}']").wait_for()
        laid_out(page)
        after = page.evaluate(PLACES)
        assert {part: place for part, place in after.items() if part in before and place != before[part]} == {}, name
        before |= after


@pytest.mark.parametrize("state", ["to_throw", "choosing"])
def test_a_hint_and_the_buttons_do_not_cover_each_other(open_page, canned_table, state):
    first = {**canned_table.canned(state), "first_turn": True}
    for page, size in at_each_size(open_page, first, [*SIZES, (1100, 760)]):
        assert page.evaluate(HIDDEN) == [], size
        hint = page.locator("#hint").bounding_box()
        if hint is None:  # no hint on a phone held across
            continue
        assert hint["width"] >= 280, size
        for dome in page.locator(".dome").all():
            box = dome.bounding_box()
            beside = hint["x"] >= box["x"] + box["width"] or box["x"] >= hint["x"] + hint["width"]
            assert beside or hint["y"] >= box["y"] + box["height"] or box["y"] >= hint["y"] + hint["height"], size


HELD = [(390, 664), (360, 640), (390, 760), (412, 915), (320, 568)]
"""Phones held upright, with and without their browser's bars."""


@pytest.mark.parametrize("state", ["to_throw", pytest.param("choosing", marks=pytest.mark.smoke), "aside"])
def test_the_first_games_hint_is_in_sight_on_a_phone(open_page, canned_table, state):
    first = {**canned_table.canned(state), "first_turn": True}
    for page, size in at_each_size(open_page, first, HELD):
        expect(page.locator("#hint")).to_be_in_viewport(ratio=1)
        assert page.evaluate(CLASHES) == [], size
        assert page.evaluate(CUT) == [], size
        assert page.evaluate("document.documentElement.scrollHeight") <= size[1], size


@pytest.mark.parametrize("kept", [1, 3, 7])
@pytest.mark.parametrize("first", [True, False])
def test_the_middle_of_a_phone_is_not_empty_above_the_choices(open_page, canned_table, kept, first):
    state = {**many_choices(canned_table), "first_turn": first}
    for page, size in at_each_size(open_page, {**state, "selections": state["selections"][:kept]}, HELD):
        assert page.evaluate(EMPTY) <= 70, size


@pytest.mark.parametrize("state", ["to_throw", "choosing", "aside", "farkled"])
def test_the_odds_cover_no_dice_on_a_phone(open_page, canned_table, state):
    said = "Of throws of three dice 27.8 per cent farkle. Bank: you win 61.3 %. Throw: you win 58.9 %."
    page = open_page(state={**canned_table.canned(state), "rest": "awake", "undo": True})
    page.evaluate(
        "said => { const line = document.getElementById('coach-line'); line.hidden = false; line.textContent = said }",
        said,
    )
    for size in HELD:
        resize(page, *size)
        expect(page.locator("#coach-line")).to_be_in_viewport(ratio=1)
        assert page.evaluate(CLASHES) == [], size


@pytest.mark.parametrize("state", ["to_throw", "choosing", "aside", "farkled"])
def test_text_of_twice_the_size_fits_on_a_phone(open_page, canned_table, state):
    for page, size in at_each_size(open_page, {**canned_table.canned(state), "first_turn": True}, HELD[:2]):
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        laid_out(page)
        assert page.evaluate(CLASHES) == [], size
        assert page.evaluate(CUT) == [], size
        page.locator(".dome.bank").scroll_into_view_if_needed()
        expect(page.locator(".dome.bank")).to_be_in_viewport(ratio=0.9)


def test_the_buttons_of_the_lobby_stand_apart(open_page, canned_table):
    for page, size in at_each_size(open_page, canned_table.canned("lobby")):
        boxes = [dome.bounding_box() for dome in page.locator(".dome").all()]
        for one, other in pairwise(boxes):
            below = one["y"] + one["height"] + 24 <= other["y"]
            assert one["x"] + one["width"] + 10 <= other["x"] or below, size


def test_twelve_players_have_their_scores_in_sight(open_page, canned_table):
    for page, size in at_each_size(open_page, canned_table.canned("twelve")):
        assert page.evaluate(HIDDEN) == [], size
        assert page.locator(".player .score").count() == 12


def test_the_best_choice_is_in_sight_and_marked_and_a_wide_screen_is_used(open_page, canned_table):
    for page, size in at_each_size(open_page, canned_table.canned("choosing")):
        best = page.locator(".selection .why b").first
        expect(best).to_have_text("most points")
        expect(best).to_be_in_viewport()
        assert page.locator("#room").bounding_box()["width"] == size[0]


def test_a_menu_of_many_items_leaves_the_buttons_in_sight(open_page, canned_table):
    items = ["go on", *(f"item {number} of the pause menu" for number in range(11))]
    state = {**canned_table.canned("asking"), "legal": ["keep", "roll", "bank"]}
    state["question"] = {"text": "Pause", "answers": items, "keys": items, "kind": "menu"}
    state["question"] |= {"place": 0, "bank": None, "die": None}
    for page, _ in at_each_size(open_page, state):
        for part in (".dome.keep", ".dome.bank", "#undo", "#pause"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
            page.locator(part).click(trial=True)


def test_pegs_that_share_a_hole_stand_apart(open_page, canned_table):
    state = canned_table.canned("twelve")
    for player in state["players"]:
        player.update(score=9, hole=9, front_hole=9)
    page = open_page(state=state)
    places = page.locator(".peg.back").evaluate_all("all => all.map((one) => one.getAttribute('transform'))")
    assert len(set(places)) == 12


FAULT = "The camera sees nothing new: part of the tray is covered. Look at the tray and move what lies over it."
NAMES = ["Mia", "Tom", "Ida", "Bartholomew", "Eva", "Ben", "Maximiliane", "Jo"]


def with_names(canned_table, count):
    state = canned_table.canned("twelve")
    players = [{**player, "name": name} for player, name in zip(state["players"], NAMES[:count], strict=False)]
    return {**state, "players": players, "to_move": NAMES[0], "degraded": [FAULT]}


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1920, 1080)])
def test_the_buttons_stay_in_their_place_at_the_end_of_a_game(open_page, canned_table, size):
    places = []
    for state in ("choosing", "over"):
        page = open_page(state=state)
        resize(page, *size)
        places.append(
            page.evaluate("[...document.querySelectorAll('.dome')].map((one) => one.getBoundingClientRect().x)")
        )
    assert places[0] == places[1]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("count", [5, 8])
def test_a_fault_leaves_names_whole_and_a_notice_covers_no_player(open_page, canned_table, size, count):
    page = open_page(state=with_names(canned_table, count))
    resize(page, *size)
    page.keyboard.press("r")
    expect(page.locator("#notice")).to_be_visible()
    assert (
        page.evaluate(
            "[...document.querySelectorAll('.who')].filter((who) => who.scrollWidth > who.clientWidth).length"
        )
        == 0
    )
    players, notice = (page.locator(one).bounding_box() for one in ("#players", "#notice"))
    assert notice["y"] > players["y"] + players["height"]
