"""The league's pages in Chromium: a phone follows all boards, and a television one game."""

from collections.abc import Iterator

import pytest
from postgres import postgres
from served_league import ORGANISER, ServedLeague, served_league

from farkle.game.state import Phase

pytestmark = [pytest.mark.exhaustive, pytest.mark.browser]

PHONE, TELEVISION = {"width": 390, "height": 664}, {"width": 1920, "height": 1080}
TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"
TOO_HIGH = "document.documentElement.scrollHeight > innerHeight"


@pytest.fixture
def league() -> Iterator[ServedLeague]:
    with postgres("fsync=off") as server, served_league(server) as running:
        yield running


def opened(chromium, size: dict[str, int], url: str):
    """Open a page that must have no errors."""
    page = chromium.new_context(viewport=size).new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda said: page.wrong.append(said.text) if said.type == "error" else None)
    page.goto(url)
    return page


def test_a_phone_follows_all_boards_and_reads_every_page(league, chromium) -> None:
    dragon, crown = (
        league.board("Blue Dragon"),
        league.board("The Crown", 2, names=("Scheherazade of Samarkand", "D")),
    )
    league.plays(dragon, 2)
    page = opened(chromium, PHONE, league.url)
    page.get_by_text("Blue Dragon").wait_for()
    league.finishes(dragon, games=0)
    page.get_by_text("won").wait_for()
    league.plays(crown, 3)  # its board was enrolled after the page was opened
    page.get_by_text("Scheherazade").first.wait_for()
    league.rates()
    for path in ("/", "/games/1", "/people/1", "/ratings", "/boards", "/seasons"):
        page.goto(league.url + path)
        assert not page.evaluate(TOO_WIDE), path
    assert page.wrong == []


def test_an_organiser_enrols_a_board_and_a_mistake_keeps_what_was_typed(league, chromium) -> None:
    name, password = ORGANISER
    context = chromium.new_context(viewport=PHONE, http_credentials={"username": name, "password": password})
    page = context.new_page()
    page.goto(f"{league.url}/organise")
    page.get_by_label("Code").fill("K7QF-2MXA")
    page.get_by_label("Name in the league").fill("Blue Dragon")
    page.get_by_role("button", name="Enrol").click()
    page.get_by_role("alert").get_by_text("expected the code that the board shows").wait_for()
    page.get_by_label("Code").fill("K7QF-2MXA-ATPB")
    page.get_by_role("button", name="Enrol").click()
    page.get_by_text("The board is enrolled.").wait_for()
    assert league.one("SELECT name FROM boards") == "Blue Dragon"
    season = page.locator("form", has=page.get_by_role("button", name="Begin"))
    season.get_by_label("Name", exact=True).fill("Spring")
    season.locator("[name=form]").select_option("knock_out")
    for day in ("First day", "Last day"):
        season.get_by_label(day).fill("2027-05-01")
    season.get_by_label("Players").fill("Ann\nNobody")
    season.get_by_role("button", name="Begin").click()
    season.get_by_role("alert").wait_for()
    assert season.get_by_label("Players").input_value() == "Ann\nNobody"
    assert season.locator("[name=form]").input_value() == "knock_out"
    assert season.get_by_label("First day").input_value() == "2027-05-01"


def test_a_television_shows_a_game_whole_and_live_and_says_when_the_league_is_away(league, chromium) -> None:
    board = league.board("Blue Dragon", names=("Ann", "Ben", "Cleo", "Dan"), rules="classic")
    league.plays(board)
    page = opened(chromium, TELEVISION, f"{league.url}/games/1")
    for _ in range(3):
        while board.state.phase is not Phase.CHOOSING:
            board.act()
        league.take(board)
        page.wait_for_function(
            "faces => faces.join() === [...document.querySelectorAll('.dice > .die use')]"
            ".map((each) => each.getAttribute('href').at(-1)).join()",
            arg=[*board.state.turn.roll],
        )
        assert not page.evaluate(TOO_HIGH)
        assert not page.evaluate(TOO_WIDE)
        board.act()
    assert page.wrong == []
    assert page.locator("#lost").is_hidden()
    league.server.should_exit = True
    page.locator("#lost").wait_for()
