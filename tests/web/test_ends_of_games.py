"""How a game ended: the winners, the loser that it found, and the skunked, on every page and on the board."""

import re
from collections.abc import Iterator

import pytest
from served import Served, served


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a game that Mia wins by a double skunk, and one that finds Ida as the loser."""
    with served(tmp_path_factory.mktemp("ends")) as running:
        for settings in ({"target": 20, "endgame": "immediate"}, {"target": 20, "find_loser": True}):
            running.game("Mia", "Tom", "Ida", settings=settings)
            for _ in range(2 if "find_loser" in settings else 1):
                running.throws("111346")
                running.presses("bank")
            assert running.state()["phase"] == "over"
        yield running


def text(table: Served, path: str) -> str:
    answer = table.client.get(path)
    assert answer.status_code == 200
    return re.sub(r"<style>.*?</style>", "", answer.text, flags=re.DOTALL)


@pytest.mark.parametrize("path", ["/games/2", "/games/2/result.svg", "/games"])
def test_the_loser_heads_a_game_that_was_to_find_one(table: Served, path: str) -> None:
    page = text(table, path)
    assert re.search("Ida (loses|lost)<", page)
    assert "Mia wins" not in page


def test_the_loser_has_a_mark_beside_the_name(table: Served) -> None:
    assert re.search(r'class="loser">.*Ida <small class="fate">loses</small>', text(table, "/games/2"))
    assert text(table, "/games/2").count('class="fate"') == 1
    assert "2 lost" not in text(table, "/statistics")


@pytest.mark.parametrize("path", ["/games/1", "/games/1/result.svg", "/games"])
def test_a_skunk_is_named_with_the_game(table: Served, path: str) -> None:
    assert text(table, path).count("double skunked") == 2


def test_a_skunk_is_counted_apart_and_is_one_win(table: Served) -> None:
    games = {each["number"]: each for each in table.client.get("/api/v1/games").json()}
    assert (games[1]["winners"], games[1]["skunks"]) == (["Mia"], {"Tom": 2, "Ida": 2})
    assert (games[2]["loser"], games[2]["skunks"]) == ("Ida", {})
    rows = re.findall(r'<tr role="row">.*?</tr>', text(table, "/statistics"))
    cells = {re.search(r'rowheader">(\w+)<', row)[1]: re.findall(r'data-name="([^"]+)">(\d+)', row) for row in rows}
    assert dict(cells["Mia"])["Won"] == "2"
    assert dict(cells["Mia"])["Skunks"] == "2"
    assert [dict(cells[name])["Was skunked"] for name in ("Mia", "Tom", "Ida")] == ["0", "1", "1"]
    assert "1 lost" in next(row for row in rows if "Ida" in row)


def test_the_board_of_a_replay_has_the_lines_of_its_game(table: Served) -> None:
    assert table.client.get("/api/v1/games/1/turns").json()["skunk_lines"] == [16, 11]
    assert table.client.get("/api/v1/games/2/turns").json()["skunk_lines"] == []
