"""Quick taps on a slow network lose nothing: the page in a real Chromium, at a real table."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from served import Served

pytestmark = pytest.mark.browser

LATENCY_MS = 300


@pytest.fixture
def page(table: Served, tabs, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open the page of a table after a throw, or of one without a game; its requests take a while."""
    thrown, latency_ms = getattr(request, "param", (True, LATENCY_MS))
    if thrown:
        table.game().throws("111246")
    page = tabs()
    page.goto(str(table.client.base_url))
    page.locator("#roll .rolled, #lobby-rules option").first.wait_for(state="attached")
    slow = {"offline": False, "latency": latency_ms, "downloadThroughput": -1, "uploadThroughput": -1}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", slow)
    yield page
    session.detach()


def sent(written, page: Page) -> list[tuple[str, object]]:
    """Return the path and the dice of each write of the page so far."""
    return [(path.rpartition("/")[2], body.get("dice")) for path, body in written(page)]


def tap(page: Page, *dice: int) -> None:
    """Tap dice of the roll by mouse: 11 is the first one, 12 the second one."""
    cells = [page.locator(f"#roll .rolled[data-face='{die // 10}']").nth(die % 10 - 1) for die in dice]
    for box in [cell.bounding_box() for cell in cells]:
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def chosen(table: Served, *dice: int) -> bool:
    """Wait until the table has this choice; return whether it came."""
    return table.host.feed.wait(lambda update: update.view.chosen is not None and update.view.chosen.dice == dice, 60)


@pytest.mark.smoke
def test_five_quick_taps_choose_three_dice(table: Served, page: Page) -> None:
    tap(page, 11, 12, 13, 13, 13)
    expect(page.locator("#roll .chosen")).to_have_count(3)
    assert chosen(table, 1, 1, 1)
    expect(page.locator("#room[data-unsent]")).to_have_count(0)
    expect(page.locator("#roll .chosen")).to_have_count(3)
    assert page.locator("#notice").is_hidden()


def test_a_press_follows_the_dice_that_were_tapped_before_it(page: Page, written) -> None:
    held: list = []
    page.route("**/keep", lambda route: held.append(route), times=1)
    with page.expect_request("**/keep"):
        tap(page, 11)
    tap(page, 12, 13)
    page.keyboard.press("b")
    held[0].continue_()
    expect(page.locator(".player[aria-current] .who")).to_have_text("Ben")
    assert sent(written, page) == [("keep", [1]), ("keep", [1, 1, 1]), ("bank", None)]


def test_a_button_that_is_dark_until_the_choice_arrives_is_pressed(page: Page, written) -> None:
    with page.expect_response("**/simulator/throw"):
        tap(page, 11)
        page.keyboard.press("r")
    assert sent(written, page) == [("keep", [1]), ("throw", None)]


@pytest.mark.parametrize("page", [(False, LATENCY_MS)], indirect=True)
def test_quick_changes_of_a_new_game_are_all_in_it(table: Served, page: Page) -> None:
    for _ in range(3):
        page.get_by_role("button", name="+ another player").click()
    for row, name in enumerate(("Ann", "Ben", "Cy", "Di"), 1):
        page.get_by_label(f"Player {row}", exact=True).fill(name)
    page.get_by_label("Rules", exact=True).select_option("classic")
    page.locator(".names li").last.get_by_role("button").click()
    page.get_by_label("Teams", exact=True).select_option("2")
    page.get_by_label("Who starts", exact=True).select_option("1")
    page.get_by_role("button", name="Start with 4 players").click()
    expect(page.locator("#players .who")).to_have_text(["Ann", "Ben", "Cy", "Di"])
    now = table.state()
    assert (now["rules"], now["to_move"]) == ("classic", "Ben")
    assert list(now["teams"].values()) == [["Ann", "Cy"], ["Ben", "Di"]]


def test_a_press_behind_a_choice_that_was_refused_is_dropped(table: Served, page: Page) -> None:
    late: list = []
    page.route("**/api/v1/keep", lambda route: late.append(route))
    with page.expect_request("**/api/v1/keep"):
        tap(page, 11)
    page.keyboard.press("b")
    late[0].fulfill(status=422, json={"detail": "not now"})
    expect(page.locator("#notice")).to_have_text("not now")
    expect(page.locator("#roll .chosen")).to_have_count(0)
    assert table.state()["to_move"] == "Ann"


def before_it(page: Page, path: str, act) -> None:
    """Let somebody else act just before the page's next write to a path arrives.

    The route stays: Chromium sends a held request at once when the last route goes.
    """
    acts = [act]

    def late(route) -> None:
        while acts:
            acts.pop()().raise_for_status()
        route.continue_()

    page.route(f"**/api/v1/{path}", late)


def test_of_two_peoples_choices_the_later_one_holds(table: Served, page: Page) -> None:
    before_it(page, "keep", lambda: table.post("keep", {"dice": [1]}))
    tap(page, 11, 12)
    expect(page.locator("#room[data-unsent]")).to_have_count(0)
    assert table.state()["chosen"]["dice"] == [1, 1]
    table.post("keep", {"dice": [1, 1, 1]}).raise_for_status()
    expect(page.locator("#roll .chosen")).to_have_count(3)
    assert page.locator("#notice").is_hidden()


@pytest.mark.parametrize(
    ("path", "other", "to_move"),
    [
        ("buttons/bank", ("keep", {"dice": [1]}), "Ann"),
        ("keep", ("buttons/bank", {}), "Ben"),  # the throw has gone
    ],
)
def test_what_comes_after_somebody_elses_act_is_dropped_with_a_sentence(
    table: Served, page: Page, path: str, other: tuple[str, object], to_move: str
) -> None:
    before_it(page, path, lambda: table.post(*other))
    if path == "keep":
        tap(page, 11, 12)
    else:
        page.keyboard.press("b")
    expect(page.locator("#notice")).to_have_text("Another press came first: look again.")
    assert table.state()["to_move"] == to_move


@pytest.mark.parametrize("page", [(True, 0)], indirect=True)
def test_the_same_button_twice_in_a_moment_counts_once(page: Page, written) -> None:
    twice = """(key) => ["keydown", "keyup", "keydown", "keyup"].forEach(
      (kind) => document.body.dispatchEvent(new KeyboardEvent(kind, { key, bubbles: true })))"""
    for key in "kb":
        page.evaluate(twice, key)  # in one moment, however slow the machine is
    expect(page.locator(".player[aria-current] .who")).to_have_text("Ben")
    assert sent(written, page) == [("keep", None), ("bank", None)]
