"""The page of a game looked at afterwards, its API, and the players' decisions and luck."""

import re
import threading
import time
from collections.abc import Iterator

import httpx
import pytest
from resized import check_fit
from served import Served, served
from test_standing_page import SIZES

from companion.features.reviews import reviewer
from companion.features.reviews.reviewer import Reviewer
from companion.words import english
from farkle.replay import replay

PATIENCE_S = 120.0


def win(table: Served, *names: str) -> None:
    """Play a game of two turns each that the first player wins."""
    table.game(*names, settings={"target": 12, "endgame": "immediate"})
    table.turns("134466", "223466", "134466", "233466", "111346")


def reviewed(table: Served, game: int) -> httpx.Response:
    """Return the review of a game when it is ready."""
    pause, deadline = threading.Event(), time.monotonic() + PATIENCE_S
    while (answer := table.client.get(f"/api/v1/games/{game}/review")).status_code == 202:
        assert time.monotonic() < deadline
        pause.wait(0.1)
    return answer


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a table that has reviewed a game of Mia and Tom, in this process."""
    folder = tmp_path_factory.mktemp("table")

    def made(_self, _number, events, may_solve):
        return reviewer.reviewed(events, folder / "odds", may_solve, bool)

    with pytest.MonkeyPatch.context() as patch, served(folder, reviews=True) as running:
        patch.setattr(Reviewer, "_made", made)
        win(running, "Mia", "Tom")
        yield running


def test_the_page_shows_chances_moments_decisions_and_luck_without_a_script(table: Served) -> None:
    told = reviewed(table, 1).json()
    page = table.client.get("/games/1/review").text
    assert page.count("<polyline") == 6  # two sides, each with halo and leader
    assert "http-equiv" not in page
    for act in told["acts"]:
        assert f"<td>{act['act']}</td>" in page
    costly = max(told["acts"], key=lambda act: act["price"])
    assert f"{100 * costly['price']:.1f} per cent more" in page
    assert f"{told['acts'][-1]['chances'][0] * 100:.1f}" in page
    assert re.search(r'role="img" aria-label="The chances to win at the end: [^"]*Mia 100', page)
    assert 'href="/games/1/review"' in table.client.get("/games/1").text


def test_the_written_game_with_its_review_is_the_game(table: Served) -> None:
    reviewed(table, 1)
    text = table.client.get("/api/v1/games/1/reviewed.txt").text
    assert "# To win: Mia " in text
    assert replay(text).events == replay(table.client.get("/api/v1/games/1/notation.txt").text).events


def test_decisions_and_luck_stand_with_the_ratings(table: Served) -> None:
    told = reviewed(table, 1).json()
    skills = {each["player"]: each for each in table.client.get("/api/v1/skills").json()}
    assert skills["Mia"]["luck"] == pytest.approx(told["players"][0]["luck"])
    assert skills["Mia"]["decisions"] == told["players"][0]["decisions"]
    assert "Decisions and luck" in table.client.get("/ratings").text


def test_a_page_without_a_review_says_why(table: Served) -> None:
    number = table.game("Mia", settings={"target": 12, "endgame": "immediate"}).throws("111346").host.state.game_number
    assert "A game is reviewed when it is over." in table.client.get("/games/now/review").text
    assert table.client.get(f"/api/v1/games/{number}/review").status_code == 422
    table.presses("bank")
    first = table.client.get(f"/games/{number}/review").text
    assert ("The chances are being worked out" in first) == ('http-equiv="refresh"' in first)
    answer = reviewed(table, number)
    assert (answer.status_code, answer.json()["detail"]) == (422, english()("review.no_opponent"))
    assert answer.json()["detail"] in table.client.get(f"/games/{number}/review").text
    assert table.client.get("/games/99/review").status_code == 404
    assert table.client.get("/api/v1/games/99/review").status_code == 404


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_review_fits_and_can_be_read(table: Served, tabs, scheme: str) -> None:
    reviewed(table, 1)
    page = tabs({"color_scheme": scheme})
    page.goto(f"{table.client.base_url}/games/1/review")
    page.locator("summary").click()
    check_fit(page, SIZES)
