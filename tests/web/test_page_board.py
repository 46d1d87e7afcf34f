"""The page's board in a real Chromium: pegs that walk, a board that stands or lies."""

import re

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from pegboard.layouts.long_board import long_board
from pegboard.track import skunk_holes

pytestmark = pytest.mark.browser

WALK_MS = 2000  # longer than any walk of board.js
WATCH = """() => {
  const peg = document.querySelector(".peg.back");
  window.places = [peg.getAttribute("transform")];
  new MutationObserver(() => places.push(peg.getAttribute("transform"))).observe(peg, { attributes: true });
}"""
PLACES = "() => new Set(places.map((place) => place.split(')')[0])).size"


@pytest.fixture
def stepped(open_page):
    """Yield a function that opens a page whose clock stands still, so that a slow machine misses no step of a peg."""

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


def place_of(page, peg):
    return page.locator(f".peg.{peg}").first.get_attribute("transform")


def test_a_bank_walks_the_back_peg_to_the_front_peg(stepped, canned_table):
    page = stepped("laptop", "aside")
    page.evaluate(WATCH)
    x, y = canned_table.boards[0]["lanes"][0]["spots"][46]
    there = f"translate({x:.2f} {y:.2f}) scale(1.000)"
    assert place_of(page, "back") != there
    canned_table.show("banked")
    expect(page.locator("#room")).to_have_attribute("data-seq", "45")
    page.clock.run_for(WALK_MS)
    expect(page.locator(".peg.back").first).to_have_attribute("transform", there)
    expect(page.locator(".peg.front").first).to_have_attribute("transform", there)
    assert page.evaluate(PLACES) > 10


def test_with_reduced_motion_a_peg_moves_at_once(open_page, canned_table):
    page = open_page(state="aside")
    page.evaluate(WATCH)
    canned_table.show("banked")
    expect(page.locator("#room")).to_have_attribute("data-seq", "45")
    assert page.evaluate(PLACES) == 2


def test_a_peg_stands_in_the_hole_that_the_layout_has_for_it(open_page, canned_table):
    page = open_page(state="to_throw")
    x, y = canned_table.boards[0]["lanes"][1]["spots"][52]
    expect(page.locator(".peg.back").nth(1)).to_have_attribute("transform", f"translate({x:.2f} {y:.2f}) scale(1.000)")


@pytest.mark.parametrize(("track", "hole", "spot"), [(61, 52, 52), (61, 61, 61), (91, 52, 52), (182, 120, 29)])
def test_a_track_of_any_length_has_its_own_board(open_page, canned_table, track, hole, spot):
    state = canned_table.canned("to_throw")
    ben = {**state["players"][1], "hole": hole, "front_hole": hole}
    lines = list(skunk_holes(track))
    shown = {"track": track, "finish": track, "skunk_lines": lines, "players": [state["players"][0], ben]}
    page = open_page(state={**state, **shown})
    lanes = long_board(2, track).lanes
    x, y = round(lanes[1].spots[spot].x, 1), round(lanes[1].spots[spot].y, 1)
    expect(page.locator(".peg.back").nth(1)).to_have_attribute("transform", f"translate({x:.2f} {y:.2f}) scale(1.000)")
    drawn = page.locator(".wood-layer .holes").first.get_attribute("d")
    assert drawn.count("M") == 2 * lanes[0].lap
    assert page.locator(".wood-layer .skunk").count() == 2


def test_the_peg_of_the_player_to_move_pulses(open_page):
    page = open_page(state="aside")
    expect(page.locator(".peg.breathing")).to_have_count(1)
    expect(page.locator(".peg.breathing")).to_have_class("peg front breathing")


@pytest.mark.smoke
def test_the_hole_that_a_bank_would_reach_is_only_outlined(open_page, canned_table):
    page = open_page(state="choosing")
    ghost = page.locator(".peg.ghost").first
    x, y = canned_table.boards[0]["lanes"][0]["spots"][45]
    expect(ghost).to_have_attribute("transform", f"translate({x:.2f} {y:.2f}) scale(1.000)")
    expect(ghost.locator(".body")).to_have_css("fill", "none")
    canned_table.show("banked")
    expect(ghost).to_be_hidden()


def test_the_board_stands_on_a_phone_and_lies_on_a_laptop(open_page):
    for size, stands in (("phone", True), ("laptop", False)):
        box = open_page(size).locator(".wood-layer").bounding_box()
        assert (box["height"] > box["width"]) is stands


@pytest.mark.parametrize("held", ["phone", "across"])
def test_a_lens_follows_the_moving_peg_on_a_phone(stepped, canned_table, held):
    page = stepped(held, "aside")
    far = canned_table.canned("banked")
    far["players"][0].update(score=110, hole=110, front_hole=110)
    canned_table.show(far)
    expect(page.locator("#room")).to_have_attribute("data-seq", "45")
    page.clock.run_for(200)
    expect(page.locator(".lens")).to_have_class("lens on")
    box = page.locator(".lens").bounding_box()
    assert (round(box["width"]), round(box["height"])) == (128, 128)
    expect(page.locator(".lens")).to_have_css("overflow", "hidden")
    page.clock.run_for(WALK_MS)
    expect(page.locator(".lens")).to_have_class("lens")


def test_twelve_sides_share_four_lanes_on_a_long_track(open_page):
    page = open_page(state="twelve")
    expect(page.locator(".peg.back")).to_have_count(12)
    expect(page.locator(".groove")).to_have_count(4)
    expect(page.locator(".peg.back.lapped")).to_have_count(9)  # holes 9 to 113; those beyond 120 are in the last lap


def test_a_board_says_in_words_where_the_pegs_are(open_page):
    page = open_page(state="aside")
    words = "Ann in hole 37 of 121, this turn up to 45, 1 farkle; Ben in hole 52 of 121, 0 farkles"
    expect(page.locator(".peg-layer")).to_have_attribute("aria-label", words)


def test_half_a_hole_is_a_peg_between_two(open_page, canned_table):
    state = canned_table.canned("to_throw")
    state["players"][1] = {**state["players"][1], "half": True, "front_half": True}
    page = open_page(state=state)
    hole = state["players"][1]["hole"]
    (x, y), (far_x, far_y) = (canned_table.boards[0]["lanes"][1]["spots"][hole + more] for more in (0, 1))
    middle = f"translate({(x + far_x) / 2:.2f} {(y + far_y) / 2:.2f}) scale(1.000)"
    expect(page.locator(".peg.back").nth(1)).to_have_attribute("transform", middle)
    expect(page.locator("#board .peg-layer")).to_have_attribute("aria-label", re.compile(f"hole {hole}½ of"))
