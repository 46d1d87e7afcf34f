"""The league's pages in Chromium: a phone follows all boards, and a television one game."""

from collections.abc import Iterator

import pytest
from postgres import postgres
from served_league import ServedLeague, served_league

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


def test_a_television_shows_a_game_whole_and_live_and_says_when_the_league_is_away(league, chromium) -> None:
    board = league.board("Blue Dragon", names=("Ann", "Ben", "Cleo", "Dan"), rules="classic")
    league.plays(board)
    page = opened(chromium, TELEVISION, f"{league.url}/games/1")
    for _ in range(3):
        while not (roll := board.state.turn.roll):
            board.act()
        league.take(board)
        page.wait_for_function(
            "faces => faces.join() === [...document.querySelectorAll('.dice > .die use')]"
            ".map((each) => each.getAttribute('href').at(-1)).join()",
            arg=[*roll],
        )
        assert not page.evaluate(TOO_HIGH)
        assert not page.evaluate(TOO_WIDE)
        board.act()
    assert page.wrong == []
    assert page.locator("#lost").is_hidden()
    league.server.should_exit = True
    page.locator("#lost").wait_for()
