"""The wall in a real Chromium: pegs in their holes, names whole, and a win that covers nothing."""

import itertools

import pytest
from playwright.sync_api import expect
from resized import resize

from farkle import score
from farkle.rules.catalogue import find_rule_set

pytestmark = pytest.mark.browser

SCREENS = [(1280, 720), (1920, 1080), (720, 1280)]
NAMES = ["Mia", "Tom", "Ida", "Bartholomew", "Eva", "Ben", "Maximiliane", "Jo", "Ann", "Cy", "Kim", "Lou"]
TEAMS = [(4, 2), (6, 2), (6, 3)]

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


@pytest.mark.parametrize(
    ("count", "sides"),
    [*((count, count) for count in (1, 2, 3, 5, 8, 12)), *TEAMS],
)
def test_pegs_are_in_their_holes_and_names_are_whole(open_page, table, count, sides):
    names = NAMES[:count]
    teams = {f"Team {side}": names[side::sides] for side in range(sides)} if sides < count else {}
    rules = find_rule_set("farkle-cribbage")
    scoring = [(roll, score(rules, roll)) for roll in itertools.combinations_with_replacement(range(1, 7), 6)]
    rolls = {found[0].points: "".join(map(str, roll)) for roll, found in scoring if found}  # no two sides in one hole
    table.game(*names, teams=teams, track=241).turns(*itertools.islice(rolls.values(), count))
    page = open_page(None, path="wall")
    page.evaluate("async (s) => { window.plan = await (await fetch(`/boards/${s}.json?track=241`)).json(); }", sides)
    for size in SCREENS:
        resize(page, *size)
        assert page.evaluate(MISPLACED) == [], size
        for name in page.locator(".score .who").all():
            assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), (size, name.inner_text())
            expect(name).to_be_in_viewport(ratio=1)
        for points in page.locator(".score > b").all():
            expect(points).to_be_in_viewport(ratio=1)


def test_a_win_covers_neither_board_nor_scores_and_a_late_wall_tells_it_too(open_page, table):
    table.game("Ann", "Ben", "Cy", settings={"target": 20, "endgame": "immediate"}).turns("233345").throws("111346")
    page = open_page(None, path="wall")
    page.get_by_text(table.state()["outlook"]).wait_for()
    table.presses("bank")
    expect(page.locator("#won h2")).to_have_text("Ben wins!")
    expect(page.locator("#won .best")).to_contain_text("Best turn: Ben, 20 points")
    expect(page.locator("#won .best .die")).to_have_count(3)
    expect(page.locator("#won p").first).to_contain_text("double skunked")
    for width, height in SCREENS:
        resize(page, width, height)
        boxes = [page.locator(part).bounding_box() for part in ("#board", "#scores", "#won")]
        for one, other in itertools.combinations(boxes, 2):
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            assert beside or above, (width, height)
        expect(page.locator("#won h2")).to_be_in_viewport(ratio=1)
    page.reload()
    expect(page.locator("#won h2")).to_have_text("Ben wins!")
    table.game("Ann", "Ben")
    expect(page.locator("#won")).to_be_hidden()
    expect(page.locator("#next")).to_be_visible()


def test_two_players_and_the_sentence_fill_the_wall(open_page):
    page = open_page("to_throw", path="wall")
    for width, height in SCREENS[:2]:
        resize(page, width, height)
        scores, words = (page.locator(one).last.bounding_box() for one in (".score", "#next"))
        assert scores["y"] + scores["height"] > 0.9 * height
        assert words["y"] > 0.4 * height
