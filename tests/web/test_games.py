"""The pages and the API of the games kept: history, the end of a game, statistics, fairness."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest
from fastapi.responses import Response
from playwright.sync_api import expect
from resized import check_fingers, check_fit, resize
from served import Served, served

from companion.games.story import story_of
from companion.games.throw_images import ThrowImages
from companion.table.state.inputs import CorrectRoll, NewGame, Undo
from companion.web.games.chart import HEIGHT, LEAST_BETWEEN_NAMES, race_of
from companion.web.pages import render

PAGES = ["games", "games/1", "games/2", "games/now", "games/1/throws", "games/now/throws", "statistics", "fairness"]
PAGES += ["tournament"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a finished game, whose first throw was corrected and whose last was undone, and an unfinished one."""
    folder = tmp_path_factory.mktemp("games")
    with served(folder) as running:
        running.game("Ann", "Ben", settings={"target": 20}).throws("111356")
        running.take(CorrectRoll((1, 1, 1, 3, 5, 5))).presses("bank").throws("344663")
        running.take(Undo()).throws("344662").presses("bank")
        running.game("Ann", "Cy").throws("123456")
        ThrowImages(folder).keep(2, b"\xff\xd8 the first throw \xff\xd9")
        yield running


def text(table: Served, path: str) -> str:
    answer = table.client.get(f"/{path}")
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("games", ["Not finished", 'href="/games/2"', "Ann won", 'href="/games/1"']),
        ("games/1", ["Ann wins", "Places", "Best turns", "The race", "<polyline"]),
        (
            "games/1/throws",
            ["Read as 1 1 1 3 5 6, and corrected.", "three of a kind 1 1 1 = 20", "<strong>Taken back.</strong>"],
        ),
        ("statistics", ["2 games of Farkle Cribbage."]),
        ("statistics?rules=chess", ["2 games of Farkle Cribbage."]),  # the most played ones
        ("fairness", ["simulated throws", "Too few dice to say anything"]),
    ],
)
def test_each_page_tells_of_its_games(games: Served, path: str, words: list[str]) -> None:
    page = text(games, path)
    assert [part for part in words if part not in page] == []


def test_a_throw_entered_by_hand_and_one_in_doubt_say_so(table: Served) -> None:
    table.game().throws("111346", sure=False)
    state = table.state()
    table.post("answer", {"answer": state["question"]["answers"][0]})
    assert "The table asked." in text(table, "games/now/throws")


def test_the_list_has_pages_of_fifty_with_links_between_them(table: Served) -> None:
    for number in range(1, 121):
        table.game(f"Ann{number}", "Ben")
    first, second, third = (text(table, f"games?page={number}") for number in (1, 2, 3))
    assert [page.count('<article class="leaf">') for page in (first, second, third)] == [50, 50, 20]
    assert text(table, "games") == first
    assert "Ann120" in first
    assert "Ann70<" in second.replace(" ", "<")
    assert ("page=2" in first, "page=0" in first) == (True, False)
    assert ("page=1" in second, "page=3" in second) == (True, True)
    assert ("page=2" in third, "page=4" in third) == (True, False)
    assert "Page 3 of 3" in third
    for beyond in ("4", "999999999"):
        assert text(table, f"games?page={beyond}") == third
    for wrong in ("0", "-1", "x", "1e3", "9" * 5000, "%C2%B2", ""):
        assert text(table, f"games?page={wrong}") == first
    told = [
        game["number"] for number in (1, 2, 3, 4) for game in table.client.get(f"/api/v1/games?page={number}").json()
    ]
    assert told == list(range(120, 0, -1))
    assert table.client.get("/api/v1/games?page=0").status_code == 422


@pytest.mark.parametrize("path", [*PAGES, "games/1/race.svg"])
def test_pages_of_games_are_made_off_the_event_loop_and_one_at_a_time(
    games: Served, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendering = threading.Lock()
    in_a_loop: list[bool] = []

    def rendered(*given: Any) -> Response:
        assert rendering.acquire(blocking=False), "two pages are made at once"
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            in_a_loop.append(True)
        threading.Event().wait(0.01)
        rendering.release()
        return render(*given)

    monkeypatch.setattr("companion.web.games.pages.render", rendered)
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: games.client.get(f"/{path}").status_code, range(8)))
    assert (answers, in_a_loop) == ([200] * 8, [])


def test_a_page_of_a_few_games_does_not_wait_for_one_of_all(games: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.app.state.turns, True, asyncio.Semaphore(0))
    assert "Under way" in text(games, "games/now")


@pytest.mark.parametrize("path", ["games", "games/now", "games/now/throws", "statistics", "fairness"])
def test_without_any_game_every_page_says_what_to_do(table: Served, path: str) -> None:
    answer = table.client.get(f"/{path}", follow_redirects=True)
    assert answer.status_code == 200
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("path", ["games/99", "games/x", "games/1e3", "games/-1", "games/99/throws", "games/²/throws"])
def test_a_game_that_is_not_there_is_one_clear_line(games: Served, path: str) -> None:
    answer = games.client.get(f"/{path}")
    assert answer.status_code == 404
    assert "There is no such game" in answer.text


def test_the_race_alone_is_well_formed_once_a_turn_has_ended(games: Served) -> None:
    answer = games.client.get("/games/1/race.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert ET.fromstring(answer.text).tag.endswith("svg")
    early = games.client.get("/games/2/race.svg")
    assert (early.status_code, "No turn has ended so far." in early.text) == (404, True)


def test_names_beside_the_race_do_not_overlap(games: Served) -> None:
    told = story_of(games.host.consult(lambda journal: journal.rows(1)).result(60))
    many = replace(
        told,
        race=(tuple([0] * 12), tuple([7] * 12)),
        places=tuple(replace(told.places[0], side=side, name=f"P{side}") for side in range(12)),
    )
    race = race_of(many)
    assert race is not None
    heights = sorted(line.name_y for line in race.lines)
    assert all(b - a >= LEAST_BETWEEN_NAMES - 0.1 for a, b in pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= HEIGHT


def test_the_api_gives_the_games_and_the_dice(games: Served) -> None:
    told = games.client.get("/api/v1/games").json()
    assert [(game["number"], game["scores"], game["winners"]) for game in told] == [
        (2, {"Ann": 0, "Cy": 0}, []),
        (1, {"Ann": 20, "Ben": 2}, ["Ann"]),
    ]
    assert games.client.get("/api/v1/fairness?of=simulated").json()["counts"] == [4, 2, 3, 3, 3, 3]
    assert games.client.get("/api/v1/games/1/notation.txt").text.startswith("rules: farkle-cribbage")
    assert games.client.get("/api/v1/games/9/notation.txt").status_code == 404


def test_only_clients_that_may_play_get_the_pictures_of_throws(games: Served) -> None:
    assert games.client.get("/api/v1/stills/2.jpg").content.startswith(b"\xff\xd8")
    assert games.client.get("/api/v1/stills/3.jpg").status_code == 404
    for path in ("/api/v1/stills/2.jpg", "/api/v1/tray.jpg", "/api/v1/tray.jpg?v=1", "/api/v1/calibration/tray.jpg"):
        refused: httpx.Response = games.afar("GET", path)
        assert refused.status_code == 403, path
    history = games.afar("GET", "/games/1/throws").text
    assert "three of a kind" in history
    assert "/api/v1/stills" not in history


def test_a_phone_that_plays_sees_the_pictures_and_not_the_live_one_of_the_calibration(games: Served) -> None:
    phone = games.phone()
    for path in ("/api/v1/stills/2.jpg", "/api/v1/tray.jpg", "/api/v1/tray.jpg?v=1"):
        assert games.afar("GET", path, **phone).status_code == 200
    assert games.afar("GET", "/api/v1/calibration/tray.jpg", **phone).status_code == 403


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_and_can_be_read(games: Served, tabs, scheme: str) -> None:
    page = tabs({"color_scheme": scheme})
    for path in PAGES:
        page.goto(f"{games.client.base_url}/{path}")
        check_fit(page, [(width, 800) for width in (320, 390, 844, 1280)])
        check_fingers(page, "a, button, summary")


@pytest.mark.browser
def test_a_game_is_played_again_from_its_own_page(table: Served, tabs) -> None:
    page = tabs()
    table.game("Ann", "Ben", settings={"target": 20}).throws("111346")
    page.goto(f"{table.client.base_url}/games/now")
    expect(page.locator("#again")).to_have_count(0)  # that would leave the game under way
    table.presses("bank").turns("344662")
    page.reload()
    page.locator("#again").click()
    expect(page.locator("#message")).to_contain_text("Ann")
    assert table.host.state.game_number == 2
    assert table.host.state.current.game.rules.switches.target == 20


@pytest.mark.browser
def test_an_unfinished_game_goes_on_from_its_own_page_after_a_question(table: Served, tabs) -> None:
    page = tabs()
    table.game("Ann", "Ben").throws("111346").game("Cy", "Di")
    page.goto(f"{table.client.base_url}/games/now")
    expect(page.locator("#resume")).to_have_count(0)
    page.goto(f"{table.client.base_url}/games/1")
    dialog = page.get_by_role("dialog")
    for answer, game in (("Go back", 2), ("Go on with this game", 1)):
        page.locator("#resume").click()
        expect(dialog).to_contain_text("Cy 0, Di 0. The game is kept: you can go on with it later.")
        dialog.get_by_role("button", name=answer).click()
        expect(page.locator("#message" if game == 1 else "#resume")).to_be_visible()
        expect(dialog).to_have_count(0)
        assert table.host.state.game_number == game


OUTSIDE = """(all) => {
  const left = (one) => one.getBoundingClientRect().left;
  return all.filter((one) => left(one) < left(one.ownerSVGElement)).map((one) => one.textContent);
}"""


@pytest.mark.browser
def test_every_number_beside_the_race_is_whole(table: Served, tabs) -> None:
    table.take(NewGame("playmonster", ("Ann", "Ben"), settings={"target": 10_000})).turns(*["111111"] * 6)
    page = tabs()
    page.goto(f"{table.client.base_url}/games/now")
    for width in (320, 390, 1366):
        resize(page, width, 800)
        assert page.locator("svg.race .tick").evaluate_all(OUTSIDE) == [], width
