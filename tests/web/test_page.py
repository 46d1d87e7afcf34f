"""The page in a real Chromium: how it shows each state of a table, and the board with its pegs."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from resized import CONTRAST, resize
from states import STATES

from companion.table.state.inputs import Fault
from pegboard.layouts import load_layout
from pegboard.layouts.long_board import long_board
from pegboard.track import skunk_holes

pytestmark = pytest.mark.browser

LANES = load_layout("long-board-2").lanes


def axe_faults(page) -> list[tuple[str, list[str]]]:
    """Return the findings of axe-core: each rule, and the first place that breaks it."""
    found = Axe().run(page).response["violations"]
    return [(each["id"], each["nodes"][0]["target"]) for each in found]


@pytest.mark.parametrize(
    ("state", "scheme"),
    [
        pytest.param(state, scheme, marks=[pytest.mark.smoke] if (state, scheme) == ("choosing", "light") else [])
        for state in STATES
        for scheme in ("light", "dark")
    ],
)
def test_each_state_fits_has_contrast_and_passes_axe(open_page, state, scheme):
    page = open_page(state, "small" if scheme == "dark" else "laptop", color_scheme=scheme)
    assert axe_faults(page) == []
    assert page.evaluate(CONTRAST) == []
    for width in (320, 390, 719, 720, 1280):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("state", [pytest.param("choosing", marks=pytest.mark.smoke), "lobby"])
def test_the_whole_page_is_below_150_kb(open_page, table, state):
    page = open_page(state)
    entries = page.evaluate("performance.getEntries().map((entry) => [entry.name, entry.encodedBodySize ?? 0])")
    assert 20_000 < sum(size for _, size in entries) < 150_000
    fetched = [name for name, size in entries if size]
    assert all(name.startswith(str(table.client.base_url)) for name in fetched), "from elsewhere"
    assert sum("/boards/" in name for name in fetched) <= 1, "the drawing of the board is loaded once"


SHOWN = [
    ("choosing", ".selection .points", ["+8", "+6", "+2"]),
    ("choosing", "#risk dd", ["0", "20 + 8 = hole 28"]),
    ("choosing", "#message .told", ["Ann throws 2 3 3 3 4 5."]),
    ("aside", "#risk dd", ["8", "20 + 9 = hole 29"]),
    ("aside", ".player .score", ["20", "40"]),
    ("asking", ".spotted.doubtful .digit", ["2?", "3?", "3?", "3?", "4?", "5?"]),
    ("over", ".places .who", [re.compile("Ben"), re.compile("Ann.*double skunked"), re.compile("Cy")]),
    ("over", ".places .winner .who", [re.compile("Ben")]),
    ("over", "#ending .fate", ["double skunked", "double skunked"]),
]
COUNTED = [
    ("aside", ".pocket.locked", 1),
    ("aside", ".pocket.aside", 3),
    ("aside", ".rolled.aside", 3),
    ("aside", ".dome.lit", 3),
    ("aside", ".peg.breathing", 1),
    ("choosing", ".dome.lit", 2),
    ("rolling", ".spotted", 0),
    ("farkled", ".player:first-child .dot.on", 2),
    ("twelve", ".peg.back", 12),
    ("twelve", ".groove", 4),
    ("to_throw", "#simulated", 1),
]
"""How often elements are shown in a state."""


def test_each_state_shows_its_numbers_and_marks(open_page, tmp_path, table):
    for state in dict.fromkeys(each for each, _, _ in (*SHOWN, *COUNTED)):
        page = open_page(state)
        for _, place, texts in (each for each in SHOWN if each[0] == state):
            expect(page.locator(place), f"{state} {place}").to_have_text(texts)
        for _, place, times in (each for each in COUNTED if each[0] == state):
            expect(page.locator(place), f"{state} {place}").to_have_count(times)


@pytest.mark.smoke
def test_without_javascript_scores_and_message_are_shown(open_page, table):
    page = open_page("aside", java_script_enabled=False)
    expect(page.locator(".player .score")).to_have_text(["20", "40"])
    expect(page.locator("#message")).to_have_text(table.state()["message"]["text"])


def test_a_die_on_the_shelf_that_does_not_count_is_marked(open_page, table):
    page = open_page("choosing")
    table.sets_aside("33325", "34")
    expect(page.locator(".pocket.idle")).to_have_attribute("aria-label", "five, does not count")


def test_without_its_picture_a_throw_is_drawn_and_while_dice_move_the_tray_is_live(open_page, table):
    page = open_page("choosing")
    page.route("**/tray.jpg?v=*", lambda route: route.abort())
    page.reload()
    expect(page.locator(".spotted use")).to_have_count(6)
    table.rolling()
    expect(page.locator(".picture")).to_have_attribute("href", re.compile(r"now=[1-9]"))


@pytest.mark.parametrize("table", [{"desk": False}], indirect=True)
def test_at_a_real_table_nothing_is_simulated_and_roll_does_not_throw(open_page, table, written):
    page = open_page("to_throw")
    expect(page.locator("#simulated")).to_have_count(0)
    expect(page.locator("[data-glows]")).to_have_attribute("id", "message")
    page.locator(".dome.roll").click()
    assert [path for path, _ in written(page, 1)] == ["buttons/roll"]
    table.throws("233345").sets_aside("2333", "45")
    expect(page.locator("#message[data-glows]")).to_be_visible()
    expect(page.locator(".dome[data-glows]")).to_have_text(["BANK"])


FAULTS = ("No buttons: expected a Raspberry Pi's pins, got none that gpiozero can open: pip install it" * 2, "No sound")


@pytest.mark.parametrize("held", ["small", "phone", "across", "laptop"])
def test_what_does_not_work_is_one_mark_in_the_header_and_moves_nothing(open_page, table, held):
    page = open_page("choosing", held)
    before = page.locator(".rolled").first.bounding_box()
    table.take(*(Fault(part, text) for part, text in zip(("buttons", "sound"), FAULTS, strict=True)))
    expect(page.locator("#faults summary")).to_be_in_viewport(ratio=1)
    assert page.locator(".rolled").first.bounding_box() == before
    page.locator("#faults summary").click()
    expect(page.locator("#degraded li")).to_have_text(list(FAULTS))
    expect(page.locator("#degraded li").first).to_be_in_viewport(ratio=1)


def test_axe_finds_nothing_in_opened_dialogs_and_on_the_wall(open_page, table):
    page = open_page("choosing")
    page.locator("#more summary").click()
    assert axe_faults(page) == []
    page.keyboard.press("?")
    page.locator(".keys").wait_for()
    assert axe_faults(page) == []
    page.keyboard.press("Escape")
    page.locator(".rolled").first.focus()
    page.keyboard.press("e")
    page.locator("#fix").wait_for()
    assert axe_faults(page) == []
    assert axe_faults(open_page(None, path="wall")) == []


WALK_MS = 2000  # longer than any walk of board.js
WATCH = """() => {
  const peg = document.querySelector(".peg.back");
  window.places = [peg.getAttribute("transform")];
  new MutationObserver(() => places.push(peg.getAttribute("transform"))).observe(peg, { attributes: true });
}"""
PLACES = "() => new Set(places.map((place) => place.split(')')[0])).size"


@pytest.fixture
def stepped(open_page):
    """Return a function that opens a page whose clock stands still, so that a slow machine misses no step of a peg."""

    def opened(*args):
        page = open_page(*args, reduced_motion="no-preference")
        page.clock.install()
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        used.append(page)
        return page

    used = []
    yield opened
    for page in used:
        page.clock.resume()


def in_hole(lane: int, hole: int, lanes=LANES) -> str:
    """Return the place of a peg that stands in a hole, as the page writes it."""
    spot = lanes[lane].spots[hole]
    return f"translate({round(spot.x, 1):.2f} {round(spot.y, 1):.2f}) scale(1.000)"


@pytest.mark.parametrize("size", ["laptop", "phone", "across"])
def test_a_bank_walks_the_back_peg_to_the_front_peg_under_a_lens_on_a_phone(stepped, table, size):
    page = stepped("aside", size)
    page.evaluate(WATCH)
    table.presses("bank")
    expect(page.locator("#room")).to_have_attribute("data-seq", str(table.state()["seq"]))
    page.clock.run_for(200)
    assert ("on" in page.locator(".lens").get_attribute("class").split()) is (size != "laptop")
    page.clock.run_for(WALK_MS)
    there = re.compile(re.escape(in_hole(0, 29).partition(" scale")[0]))  # on a phone it is turned, too
    for peg in ("back", "front"):
        expect(page.locator(f".peg.{peg}").first).to_have_attribute("transform", there)
    expect(page.locator(".lens")).to_have_class("lens")
    assert page.evaluate(PLACES) > 10


def test_with_reduced_motion_a_peg_moves_at_once(open_page, table):
    page = open_page("aside")
    page.evaluate(WATCH)
    table.presses("bank")
    expect(page.locator(".peg.back").first).to_have_attribute("transform", in_hole(0, 29))
    assert page.evaluate(PLACES) == 2


@pytest.mark.smoke
def test_the_hole_that_a_bank_would_reach_is_only_outlined(open_page, table):
    page = open_page("choosing")
    ghost = page.locator(".peg.ghost").first
    expect(ghost).to_have_attribute("transform", in_hole(0, 28))
    expect(ghost.locator(".body")).to_have_css("fill", "none")
    expect(page.locator(".peg-layer")).to_have_attribute("aria-label", re.compile("Ann in hole 20 of 121, 1 farkle"))
    table.presses("bank")
    expect(ghost).to_be_hidden()


@pytest.mark.parametrize("track", [61, 91, 182])
def test_a_track_of_any_length_has_its_own_board_with_its_skunk_lines(open_page, table, track):
    table.game("Ann", "Ben", settings={"target": track}, track=track).turns("233345", "111346")
    page = open_page(None)
    lanes = long_board(2, track).lanes
    expect(page.locator(".peg.back").nth(1)).to_have_attribute("transform", in_hole(1, 20, lanes))
    assert page.locator(".wood-layer .holes").first.get_attribute("d").count("M") == 2 * lanes[0].lap
    assert page.locator(".wood-layer .skunk").count() == len(set(skunk_holes(track))) == 2
    expect(page.locator("#title")).to_contain_text("Farkle Cribbage")


def test_the_skunk_lines_stand_before_their_holes(open_page, table):
    middles = """() => [...document.querySelectorAll("#board .skunk")].map((line) => {
      const found = line.getBBox();
      return [found.x + found.width / 2, found.y + found.height / 2];
    })"""
    for finish in (121, 100, 61):
        table.game("Ann", "Ben", settings={"target": finish})
        page = open_page(None)
        found = page.evaluate(middles)
        for (x, y), hole in zip(found, skunk_holes(finish), strict=True):
            around = [lane.spots[near] for lane in LANES for near in (hole - 1, hole)]
            bend = 0 if len({round(spot.y, 1) for spot in around}) == len(LANES) else 18  # on the arc it is outside
            middle = [sum(spot.x for spot in around) / len(around) + bend, sum(spot.y for spot in around) / len(around)]
            assert [x, y] == pytest.approx(middle, abs=0.1), (finish, hole)


def test_half_a_hole_is_a_peg_between_two(open_page, table):
    table.post("game", {"rules": "classic", "players": ["Ann", "Ben"]})
    table.turns("153346")  # 150 points, at 100 a hole
    page = open_page(None)
    middle = sum(round(LANES[0].spots[hole].x, 1) for hole in (1, 2)) / 2
    expect(page.locator(".peg.back").first).to_have_attribute("transform", re.compile(rf"translate\({middle:.2f} "))
    expect(page.locator("#board .peg-layer")).to_have_attribute("aria-label", re.compile("Ann in hole 1½ of"))


def test_the_board_stands_on_a_phone_and_lies_on_a_laptop(open_page):
    page = open_page("to_throw", "phone")
    box = page.locator(".wood-layer").bounding_box()
    assert box["height"] > box["width"]
    resize(page, 1280, 800)
    box = page.locator(".wood-layer").bounding_box()
    assert box["height"] < box["width"]


def test_the_table_marks_the_loser_and_a_wall_names_it(open_page, table):
    table.game("Ann", "Ben", "Cy", settings={"target": 20, "find_loser": True}).turns("111346", "111346")
    page = open_page(None)
    expect(page.locator("#ending .won")).to_have_text("Cy loses.")
    expect(page.locator(".player", has_text="Cy").locator(".fate")).to_have_text("loses")
    page = open_page(None, path="wall")
    page.get_by_role("heading", name="Cy loses.").wait_for()
    assert page.locator(".score .fate").all_inner_texts() == ["loses"]
