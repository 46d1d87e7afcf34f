"""Phones in a real Chromium: one asks, answers and plays; in another's turn it has nothing to press."""

from collections.abc import Iterator

import pytest
from resized import check_fingers
from served import ELSEWHERE, Served

from companion.pairing.door import Door, Shows
from companion.pairing.pairing import running_s
from companion.table.state.inputs import Started

pytestmark = [pytest.mark.browser, pytest.mark.smoke]

SIZE = {"width": 390, "height": 664}


@pytest.fixture
def table(table: Served) -> Served:
    return table.take(Started(lets_in=True))


@pytest.fixture
def phones(chromium) -> Iterator[object]:
    """Return a function that opens a page on another phone; it has no script error at the end."""
    opened, errors = [], []

    def phone(table: Served, path: str):
        context = chromium.new_context(viewport=SIZE, has_touch=True, is_mobile=True, extra_http_headers=ELSEWHERE)
        opened.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(error))
        page.goto(f"{table.client.base_url}{path}")
        return page

    yield phone
    found = [*errors]  # a script that still comes while its page closes is no error
    for context in opened:
        context.close()
    assert found == []


def join(table: Served, page, name: str) -> None:
    """Ask on the page once a minute, open the door, type the digits, and wait for the table's page."""
    page.locator("#name").fill(name)
    if table.pairing.door.opening is None:
        page.locator("form .solid").click()
        page.locator("form .solid").wait_for(state="hidden")
    table.post("pairing/open")
    page.locator("#digits").fill(table.pairing.digits())
    page.locator("form .solid").click()
    page.wait_for_url(f"{table.client.base_url}/")
    page.locator(".dome").first.wait_for()


def test_a_phone_that_watches_asks_is_let_in_and_takes_the_place_of_its_name(table: Served, phones) -> None:
    mia = phones(table.game("Mia", "Ben"), "/")
    assert mia.locator("button:visible").count() == 0
    mia.locator("#watching a").click()
    join(table, mia, "mia")
    mia.locator("#room[data-seat=mine]").wait_for()
    mia.locator(".dome.roll.lit").wait_for()
    assert [(each.name, each.seat) for each in table.pairing.phones.all()] == [("mia", "Mia")]
    check_fingers(mia, "a:not(.skip), button", 36)


@pytest.mark.exhaustive
def test_in_the_lobby_a_phone_adds_its_player(table: Served, phones) -> None:
    phone = phones(table, "/join")
    join(table, phone, "Mia")
    phone.locator("#room[data-seat]").wait_for()  # its script has come
    assert table.state()["lobby"]["names"] == ["Mia", ""]


def ann_and_ben(table: Served, phones) -> tuple:
    """Return the phones of two players in the turn of the first."""
    table.game("Ann", "Ben")
    ann, ben = phones(table, "/join"), phones(table, "/join")
    join(table, ann, "Ann")
    join(table, ben, "Ben")
    ben.locator("#room[data-seat=other]").wait_for()
    return ann, ben


@pytest.mark.exhaustive
def test_in_the_turn_of_another_phone_there_is_nothing_to_press(table: Served, phones) -> None:
    ann, ben = ann_and_ben(table, phones)
    assert ben.locator(".dome.lit").count() == 0
    table.throws("111346")
    ann.locator(".dome.bank").click()
    ben.locator("#room[data-seat=mine]").wait_for()
    ann.locator("#room[data-seat=other]").wait_for()
    assert "On Ann’s phone." in ben.locator("#message").inner_text()


@pytest.mark.exhaustive
def test_a_phone_that_asks_is_seen_on_every_page_let_in_or_refused(table: Served, phones) -> None:
    zoe = phones(table.game("Zoe", "Ben"), "/join")
    join(table, zoe, "Zoe")
    table.pairing.door = Door(running_s)  # a minute later
    tom = phones(table, "/join")
    tom.locator("#name").fill("Tom")
    tom.locator("form .solid").click()
    for path in ("/games", "/rules", "/statistics", "/standing", "/phones", "/phone", "/set-up", "/"):
        zoe.goto(f"{table.client.base_url}{path}")
        zoe.locator("#door:visible", has_text="Tom’s phone asks to play.").wait_for()
    zoe.locator("#door button", has_text="No").click()
    zoe.locator("#door").wait_for(state="hidden")
    tom.locator("#join", has_text="The table does not let you in now.").wait_for()
    assert table.pairing.door.opening is None


@pytest.mark.exhaustive
@pytest.mark.parametrize("table", [{"shows": Shows.HOLES}], indirect=True)
def test_lit_holes_are_tapped_on_the_drawn_board(table: Served, phones) -> None:
    table.game("Ann", "Ben").pairing.open()
    page = phones(table, "/join")
    page.locator("#name").fill("Mia")
    page.locator(".drawn").wait_for()
    for hole in table.pairing.lit_holes():
        page.evaluate(
            """async (hole) => {
              const plan = await (await fetch("/boards/2.json?track=121")).json();
              const [x, y] = plan.lanes[1].spots[hole];
              const drawn = document.querySelector(".drawn");
              const at = new DOMPoint(x, y).matrixTransform(drawn.getScreenCTM());
              drawn.dispatchEvent(new MouseEvent("click", { clientX: at.x, clientY: at.y, bubbles: true }));
            }""",
            hole,
        )
    typed = page.locator(".holes input").evaluate_all("(all) => all.map((one) => Number(one.value))")
    assert tuple(typed) == table.pairing.lit_holes()
    page.locator("form .solid").click()
    page.wait_for_url(f"{table.client.base_url}/")


@pytest.mark.exhaustive
def test_a_phone_that_is_taken_away_watches_again(table: Served, phones) -> None:
    mia = phones(table.game("Mia", "Ben"), "/join")
    join(table, mia, "Mia")
    tom = phones(table, "/join")
    join(table, tom, "Tom")
    tom.goto(f"{table.client.base_url}/phones")
    tom.locator("#phones li", has_text="Mia").locator("button").click()
    tom.locator("#phones li", has_text="Mia").wait_for(state="detached")
    mia.locator("#notice", has_text="This phone plays no longer").wait_for()
    assert mia.locator("#watching").is_visible()


@pytest.mark.exhaustive
def test_a_question_stands_on_the_phone_that_asked_for_it_and_others_only_go_on(table: Served, phones) -> None:
    ann, ben = ann_and_ben(table, phones)
    ben.locator("#pause").click()
    ben.locator("#answers button", has_text="End game").click()
    ben.locator("#question-text", has_text="End the game").wait_for()
    ann.locator("#question-text", has_text="Ben’s phone is asked: ").wait_for()
    assert ann.locator("#answers button").all_inner_texts() == ["Go on"]
    ben.wait_for_timeout(400)  # the second tap of a double tap gives no answer
    ben.locator("#answers button").nth(1).click()
    ben.locator("#room[data-phase=over]").wait_for()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("agent", "words", "others"),
    [
        ("Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36", "Proceed", "Show Details"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Show Details", "Proceed"),
        ("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0", "Accept the Risk", "Proceed"),
        ("Unknown/1.0", "Proceed", ""),
    ],
)
@pytest.mark.parametrize("table", [{"tls": True}], indirect=True)
def test_the_way_past_the_warning_has_the_words_of_the_browser(
    table: Served, chromium, agent: str, words: str, others: str
) -> None:
    page = chromium.new_page(user_agent=agent, extra_http_headers=ELSEWHERE)
    page.goto(f"{table.client.base_url}/join")
    page.locator("#join li", has_text=words).wait_for()
    assert page.locator("#join li", has_text=others).count() == (0 if others else 3)
    page.close()
