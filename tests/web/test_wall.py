"""The wall in a real Chromium: pegs in their holes, names whole, and a win that covers nothing."""

import itertools

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect
from resized import resize

pytestmark = pytest.mark.browser

SCREENS = [(1280, 720), (1920, 1080), (720, 1280)]
NAMES = ["Mia", "Tom", "Ida", "Bartholomew", "Eva", "Ben", "Maximiliane", "Jo", "Ann", "Cy", "Kim", "Lou"]
TEAMS = [(4, 2), (6, 2), (6, 3), (8, 2), (9, 3), (12, 2), (12, 3)]

MISPLACED = """() => {
  const wood = document.querySelector(".wood-layer").getBoundingClientRect();
  const pegs = document.querySelector(".peg-layer").getBoundingClientRect();
  const off = ["left", "top", "width", "height"].map((side) => Math.abs(wood[side] - pegs[side]));
  const holes = window.plan.lanes.flatMap((lane) => lane.spots);
  const [width] = window.plan.size;
  const scale = wood.width / width;
  const astray = [...document.querySelectorAll(".peg.back")].filter((peg) => {
    const body = peg.querySelector(".body").getBoundingClientRect();
    const [x, y] = [(body.left + body.width / 2 - wood.left) / scale, (body.top + body.height / 2 - wood.top) / scale];
    return !holes.some(([left, top]) => Math.hypot(left - x, top - y) < 0.4);
  });
  return [...off.filter((one) => one > 0.5), ...astray.map((peg) => peg.outerHTML)];
}"""
"""Where the layer of the pegs is not over the wood, and the pegs whose middle is not that of a hole."""


def with_players(canned_table, count: int, sides: int) -> dict:
    """Return a state of so many players; players of one team share a side."""
    state = canned_table.canned("twelve")
    players = []
    for place, name in enumerate(NAMES[:count]):
        side = place % sides
        hole = 9 * side + 8  # no two sides in one hole
        look = state["players"][side]
        score = {"score": 10_000 + hole, "hole": hole, "front_hole": hole, "farkles": place % 3}
        players.append({**look, **score, "name": name, "side": side, "out": False})
    teams = {f"Team {side}": NAMES[side:count:sides] for side in range(sides)} if sides < count else {}
    return {**state, "players": players, "teams": teams, "to_move": NAMES[0], "winners": []}


def open_wall(open_page, canned_table, state):
    page = open_page(state=state)
    page.goto(f"{canned_table.address}wall")
    page.locator(".peg-layer[aria-label]").wait_for(state="attached")
    return page


@pytest.mark.parametrize(
    ("count", "sides"),
    [*((count, count) for count in range(1, 13) if count != 3), pytest.param(3, 3, marks=pytest.mark.smoke), *TEAMS],
)
def test_pegs_are_in_their_holes_and_names_are_whole(open_page, canned_table, count, sides):
    page = open_wall(open_page, canned_table, with_players(canned_table, count, sides))
    page.evaluate("async (sides) => { window.plan = await (await fetch(`/boards/${sides}.json`)).json(); }", sides)
    for width, height in SCREENS:
        resize(page, width, height)
        assert page.evaluate(MISPLACED) == [], (width, height)
        for name in page.locator(".score .who").all():
            assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), (width, height, name.inner_text())
            expect(name).to_be_in_viewport(ratio=1)
        for score in page.locator(".score > b").all():
            expect(score).to_be_in_viewport(ratio=1)


def test_a_win_covers_neither_board_nor_scores(open_page, canned_table):
    page = open_wall(open_page, canned_table, "choosing")
    canned_table.show("over")
    expect(page.locator("#won h2")).to_have_text("Ben wins!")
    expect(page.locator("#won .best")).to_contain_text("Best turn: Ben, 26 points")
    expect(page.locator("#won .best .die")).to_have_count(7)
    for width, height in SCREENS:
        resize(page, width, height)
        boxes = [page.locator(part).bounding_box() for part in ("#board", "#scores", "#won")]
        for one, other in itertools.combinations(boxes, 2):
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            assert beside or above, (width, height)
        expect(page.locator("#won h2")).to_be_in_viewport(ratio=1)
    canned_table.show("to_throw")
    expect(page.locator("#won")).to_be_hidden()
    expect(page.locator("#next")).to_be_visible()


def test_a_wall_that_is_opened_after_the_end_tells_it_with_its_skunks(open_page, canned_table):
    skunk = {"kind": "skunk", "text": "Cy is skunked."}
    page = open_wall(open_page, canned_table, {**canned_table.canned("over"), "moments": [skunk]})
    expect(page.locator("#won h2")).to_have_text("Ben wins!")
    expect(page.locator("#won p").first).to_have_text("Cy is skunked.")


@pytest.mark.parametrize("size", SCREENS[:2])
def test_two_players_and_the_sentence_fill_the_wall(open_page, canned_table, size):
    page = open_wall(open_page, canned_table, canned_table.canned("to_throw"))
    resize(page, *size)
    scores, words = (page.locator(one).last.bounding_box() for one in (".score", "#next"))
    assert scores["y"] + scores["height"] > 0.9 * size[1]
    assert words["y"] > 0.4 * size[1]
