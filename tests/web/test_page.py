"""The page in a real Chromium: how it shows a state."""

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect
from resized import resize

STATES = sorted(path.stem.removeprefix("state_") for path in Path(__file__).parent.glob("state_*.json"))

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    "state", [pytest.param(state, marks=[pytest.mark.smoke] if state == "lobby" else []) for state in STATES]
)
def test_no_state_scrolls_sideways_or_logs_an_error(open_page, state):
    page = open_page("small", state)
    for width in (320, 390, 719, 720, 1280):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_whole_page_is_below_150_kb(open_page, canned_table):
    open_page(state="choosing")
    assert 20_000 < canned_table.sent_bytes - len(canned_table.picture) < 150_000


@pytest.mark.smoke
def test_the_page_fetches_nothing_from_elsewhere(open_page, canned_table):
    page = open_page(state="choosing")
    addresses = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert addresses
    assert all(address.startswith(canned_table.address) for address in addresses)


@pytest.mark.smoke
def test_without_javascript_scores_and_message_are_shown(open_page):
    page = open_page(state="aside", java_script_enabled=False)
    expect(page.locator(".player .score")).to_have_text(["37", "52"])
    expect(page.locator("#message")).to_have_text("Ann: 8 at risk. Throw two dice, or bank 9.")


@pytest.mark.smoke
def test_lamps_are_lit_when_their_press_is_legal(open_page, canned_table):
    page = open_page(state="choosing")
    for name, dark in (("keep", "false"), ("roll", "true"), ("bank", "false")):
        expect(page.locator(f".dome.{name}")).to_have_attribute("aria-disabled", dark)
    canned_table.show("aside")
    expect(page.locator(".dome.lit")).to_have_count(3)


def test_selections_are_listed_best_first(open_page):
    page = open_page(state="choosing")
    expect(page.locator(".selection .points")).to_have_text(["+8", "+6", "+2"])
    expect(page.locator(".selection").first).to_have_attribute(
        "aria-label", "Keep two, three, three, three: 8 points, most points"
    )


def test_the_points_at_risk_and_the_score_after_a_bank_are_shown(open_page):
    page = open_page(state="aside")
    expect(page.locator("#risk dd")).to_have_text(["8", "37 + 9 = hole 46"])


def test_shelf_and_locked_dice_lie_in_the_strip(open_page):
    page = open_page(state="aside")
    expect(page.locator(".pocket.locked")).to_have_count(1)
    expect(page.locator(".pocket.aside")).to_have_count(3)
    expect(page.locator(".rolled.aside")).to_have_count(3)


def test_a_die_on_the_shelf_that_does_not_count_is_marked(open_page, canned_table):
    state = canned_table.canned("aside")
    state["shelf"] = [2, 3, 3, 3, 5]
    page = open_page(state=state)
    expect(page.locator(".pocket.idle")).to_have_attribute("aria-label", "five, does not count")


@pytest.mark.smoke
def test_dice_in_doubt_are_dashed_with_a_question_mark(open_page):
    page = open_page(state="asking")
    expect(page.locator(".spotted.doubtful .digit")).to_have_text(["3?", "4?"])
    expect(page.locator(".spotted.doubtful .outline").first).to_have_css("stroke-dasharray", "5px, 4px")


def test_without_a_picture_the_dice_are_drawn(open_page):
    page = open_page(state="twelve")
    expect(page.locator(".spotted use")).to_have_count(6)


def test_a_picture_that_is_no_longer_kept_leaves_drawn_dice(open_page, canned_table):
    canned_table.picture = None
    page = open_page(state="choosing")
    expect(page.locator(".spotted use")).to_have_count(6)


def test_while_dice_move_the_tray_is_live(open_page):
    page = open_page(state="rolling")
    expect(page.locator(".picture")).to_have_attribute("href", re.compile(r"now=[2-9]"))
    expect(page.locator(".spotted")).to_have_count(0)


def test_farkles_in_a_row_are_dots(open_page):
    page = open_page(state="farkled")
    expect(page.locator(".player").first.locator(".dot.on")).to_have_count(2)
    expect(page.locator("#risk .dots")).to_have_attribute("aria-label", "0 of 3")


@pytest.mark.smoke
def test_a_finished_game_shows_places(open_page):
    page = open_page(state="over")
    expect(page.locator(".places .who")).to_have_text(["Ben", "Ann", "Cy"])
    expect(page.locator(".places .winner .who")).to_have_text("Ben")
    expect(page.locator("#report")).to_have_attribute("href", "/games/now")


def test_names_that_look_like_markup_stay_names(open_page, canned_table):
    state = canned_table.canned("to_throw")
    state["players"][0]["name"] = state["to_move"] = "<img src=x onerror=alert(1)>"
    state["message"]["text"] = "</script><script>alert(1)</script>"
    page = open_page(state=state)
    expect(page.locator(".player .who").first).to_have_text("<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0


def test_degraded_parts_are_shown(open_page):
    page = open_page(state="asking")
    expect(page.locator("#degraded li")).to_have_text(["the sound is off: no speaker found"])


def test_a_desk_says_that_it_is_simulated_and_a_real_table_does_not(open_page, canned_table):
    expect(open_page().locator("#simulated")).to_have_text("Simulated")
    page = open_page(state={**canned_table.canned("to_throw"), "simulated": False})
    expect(page.locator("#simulated")).to_have_count(0)
    expect(page.locator(".dome.roll")).not_to_have_attribute("aria-label", re.compile("throw"))


def test_without_events_the_page_asks_for_the_state(open_page, canned_table):
    canned_table.events_open = False
    page = open_page(state="choosing")
    canned_table.state = canned_table.canned("banked")
    expect(page.locator("#room")).to_have_attribute("data-seq", "45")


def test_a_lost_table_is_said_and_found_again(open_page, canned_table):
    page = open_page(state="choosing")
    page.context.set_offline(True)
    canned_table.hang_up()
    expect(page.locator("#line")).to_contain_text("does not answer", timeout=60_000)
    page.context.set_offline(False)
    expect(page.locator("#line")).to_have_text("", timeout=60_000)


CONTRAST = """(name) => {
  const light = (value) => {
    const [r, g, b] = value.match(/[\\d.]+/g).map((c) => Number(c) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const probe = document.createElement("i");
  document.body.append(probe);
  const of = (token) => {
    probe.style.setProperty("color", `var(${token})`);
    return light(getComputedStyle(probe).color);
  };
  const text = of(name);
  const ratios = ["--paper", "--paper-far", "--card"].map(of)
    .map((ground) => (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05));
  probe.remove();
  return Math.min(...ratios);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(open_page, scheme):
    page = open_page(state="asking", color_scheme=scheme)
    for name in ("--ink", "--ink-soft", "--brass", "--warn"):
        assert page.evaluate(CONTRAST, name) >= 4.5, name


def test_the_last_event_is_shown_smaller_above_the_next_step(open_page, canned_table):
    page = open_page(state="choosing")
    canned_table.show("farkled")
    expect(page.locator("#message .told")).to_have_text("Ann throws 3 4 4 6. Farkle, 2 in a row.")
    expect(page.locator("#message")).to_have_text(canned_table.canned("farkled")["message"]["text"])


@pytest.mark.parametrize("held", ["small", "phone", "across", "laptop"])
def test_what_does_not_work_is_one_mark_in_the_header_and_moves_nothing(open_page, canned_table, held):
    said = "No buttons: expected a Raspberry Pi's pins, got none that gpiozero can open: pip install it" * 2
    page = open_page(held, "choosing")
    before = page.locator(".rolled").first.bounding_box()
    canned_table.show({**canned_table.canned("choosing"), "degraded": [said, "No sound"]})
    expect(page.locator("#faults summary")).to_be_in_viewport(ratio=1)
    assert page.locator(".rolled").first.bounding_box() == before
    page.locator("#faults summary").click()
    expect(page.locator("#degraded li")).to_have_text([said, "No sound"])
    expect(page.locator("#degraded li").first).to_be_in_viewport(ratio=1)
