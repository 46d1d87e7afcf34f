"""The pages and the API of the evening's standing and of the ratings, and the choice who begins a rematch."""

import pytest
from playwright.sync_api import expect
from resized import check_fit
from served import Served, refusal

SIZES = [(320, 568), (390, 664), (844, 390), (1366, 768)]


@pytest.fixture
def evening(table: Served) -> Served:
    """Play an evening in which Mia wins two games and Tom one."""
    return table.won("Mia", "Tom").won("Mia", "Tom").won("Tom", "Mia")


def test_the_page_of_an_evening_shows_its_standing_without_a_script(evening: Served) -> None:
    page = evening.client.get("/standing").text
    for words in ("<h1>Mia 2, Tom 1</h1>", "3 games", "Mia – Tom", "2 : 1", "Loser of the night: Tom", "2 double"):
        assert words in page, words
    assert 'href="/standing"' in evening.client.get("/games").text


def test_the_api_gives_the_same_standing_and_finds_an_evening_by_a_game(evening: Served) -> None:
    told = evening.client.get("/api/v1/standing").json()
    assert (told["text"], told["games"], told["losers"], told["closed"]) == ("Mia 2, Tom 1", [1, 2, 3], ["Tom"], False)
    mia = {"player": "Mia", "won": 2, "finished": 3, "skunks": 2, "skunked": 1, "double_skunked": 1}
    assert told["players"][0] == {**mia, "last": 1, "streak": 0, "best_streak": 2}
    assert told["pairs"] == [{"one": "Mia", "other": "Tom", "won": 2, "lost": 1}]
    assert evening.client.get("/api/v1/standing?game=1").json() == told
    assert evening.client.get("/api/v1/standing?game=9").status_code == 404
    assert "EveningStanding" in evening.client.get("/api/openapi.json").text


def test_an_evening_of_no_game_is_one_clear_line(evening: Served) -> None:
    for game in ("9", "x", "²", "-1", "1" * 30):
        answer = evening.client.get(f"/standing?game={game}")
        assert (answer.status_code, "There is no such game" in answer.text) == (404, True), game


def test_an_evening_is_closed_and_reopened_over_the_api(evening: Served) -> None:
    assert evening.post("standing/close").status_code == 200
    assert "closed" in evening.client.get("/standing").text
    assert evening.post("standing/reopen").status_code == 200
    assert refusal(evening.post("standing/reopen")) == (422, "the evening was not closed after this game")
    evening.post("standing/close")
    assert evening.won("Tom", "Mia").client.get("/api/v1/standing").json()["text"] == "Tom 1, Mia 0"
    assert "Mia 2, Tom 1" in evening.client.get("/standing?game=3").text


def test_the_first_page_of_a_table_says_what_to_do(table: Served) -> None:
    page = table.client.get("/standing")
    assert (page.status_code, "No game has been played here yet." in page.text) == (200, True)
    assert table.client.get("/api/v1/standing").json()["players"] == []
    table.game("Mia", "Tom")
    assert "Nobody has won a game this evening." in table.client.get("/standing").text


def test_who_begins_a_rematch_is_chosen_over_the_api(evening: Served) -> None:
    assert evening.post("rematch", {"begins": "loser"}).json()["begins"] == "loser"
    assert evening.post("rematch", {"begins": "nobody"}).status_code == 422
    again = {"rules": "farkle-cribbage", "players": ["Tom", "Mia"], "settings": {"target": 20}}
    assert evening.post("game", again).json()["to_move"] == "Mia"


@pytest.mark.browser
def test_the_end_of_a_game_leads_to_the_evening_and_to_a_rematch_that_the_loser_begins(evening: Served, tabs) -> None:
    page = tabs()
    page.goto(str(evening.client.base_url))
    expect(page.locator("#standing")).to_have_text("Evening: Mia 2, Tom 1")
    page.locator("#begins").select_option("loser")
    expect(page.locator("#begins")).to_have_value("loser")
    expect(page.locator("#room")).to_have_attribute("data-seq", "10")
    page.locator("#rematch").click()
    expect(page.locator("#message")).to_contain_text("Mia, throw six dice")
    page.goto(f"{evening.client.base_url}/standing")
    page.locator("#close-evening").click()
    expect(page.locator("#refused")).to_contain_text("finish or end the game first")


def test_the_ratings_stand_on_their_page_on_the_evenings_page_and_in_the_api(table: Served) -> None:
    empty = table.client.get("/ratings").text
    assert "Nobody has finished a game against another side yet." in empty
    table.won("Mia", "Tom")
    told = table.client.get("/api/v1/ratings").json()
    new = {"within": 581, "change": None, "evenings": 1, "games": 1, "bot": ""}
    players = [{"player": name, "rating": rating, **new} for name, rating in (("Mia", 1662), ("Tom", 1338))]
    assert told == {"text": "Mia 1,662, Tom 1,338", "players": players, "evenings": 1}
    page = table.client.get("/ratings").text
    for words in ("After 1 evening.", "1,662", "± 581", "1,338"):
        assert words in page, words
    assert "1,662" in table.client.get("/standing").text
    assert table.client.get("/api/v1/ratings?game=1").json() == told
    assert table.client.get("/api/v1/ratings?game=9").status_code == 404
    table.post("standing/close")
    table.won("Tom", "Mia")
    changes = {each["player"]: each["change"] for each in table.client.get("/api/v1/ratings").json()["players"]}
    assert changes["Tom"] > 0 > changes["Mia"]
    assert f"(+{changes['Tom']})" in table.client.get("/api/v1/ratings").json()["text"]
    assert f"<small>+{changes['Tom']}</small>" in table.client.get("/standing").text


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_evening_and_the_ratings_fit_and_can_be_read(evening: Served, tabs, scheme: str) -> None:
    evening.won("Mia", "Wilhelmina-Charlotte")
    page = tabs({"color_scheme": scheme})
    for path in ("standing", "ratings"):
        page.goto(f"{evening.client.base_url}/{path}")
        check_fit(page, SIZES)


def test_names_are_joined_over_the_api_and_taken_apart(evening: Served) -> None:
    evening.won("Mya", "Tom")
    joined = [{"alias": "Mya", "name": "Mia"}]
    assert evening.post("names", {"alias": "Mya", "name": "Mia"}).json() == joined
    assert evening.client.get("/api/v1/names").json() == joined
    assert evening.client.get("/api/v1/standing").json()["text"] == "Mia 3, Tom 1"
    assert "Mya" not in evening.client.get("/statistics").text
    assert "Mya" not in evening.client.get("/api/v1/lobby/earlier").text
    assert evening.post("names", {"alias": "Tom", "name": "Mia"}).json()["detail"].startswith("Tom and Mia played")
    assert evening.post("names", {"alias": "Mya"}).json() == []
    assert evening.client.get("/api/v1/standing").json()["text"] == "Mia 2, Mya 1, Tom 1"


@pytest.mark.browser
def test_names_are_joined_on_the_page_and_taken_apart(evening: Served, tabs) -> None:
    evening.won("Mya", "Tom")
    page = tabs()
    page.goto(f"{evening.client.base_url}/standing")
    page.locator("#names summary").click()
    for alias, shown, text in (
        ("Tom", "#names .reason", "so they are two people"),
        ("Mya", "h1", "Mia 3, Tom 1"),
    ):
        page.locator("select[name=alias]").select_option(alias)
        page.locator("select[name=name]").select_option("Mia")
        page.locator("#names form button").click()
        expect(page.locator(shown)).to_contain_text(text)
    check_fit(page, SIZES)
    page.locator("[data-apart=Mya]").click()
    expect(page.locator("h1")).to_have_text("Mia 2, Mya 1, Tom 1")
