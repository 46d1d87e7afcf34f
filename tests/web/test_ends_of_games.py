"""How a game ended: the winners, the loser that it found, and the skunked, on every page and on the board."""

import re
from collections.abc import Iterator

import pytest
from served import Served, served

from companion.table.state.inputs import Button, Press
from pegboard.track import skunk_holes


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a game that Mia wins by a double skunk, and one that finds Ida as the loser."""
    with served(tmp_path_factory.mktemp("ends")) as running:
        for settings in ({"target": 20, "endgame": "immediate"}, {"target": 20, "find_loser": True}):
            running.game("Mia", "Tom", "Ida", settings=settings)
            for _ in range(2 if "find_loser" in settings else 1):
                running.throws("111346")
                running.host.submit(Press(Button.BANK)).result(60)
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


LINES = """() => [...document.querySelectorAll("#board .skunk")].map((line) => {
  const found = line.getBBox();
  return [found.x + found.width / 2, found.y + found.height / 2];
})"""
"""Returns the middle of each skunk line, in millimetres."""


@pytest.mark.browser
def test_the_skunk_lines_stand_before_the_holes_of_the_game(open_page, canned_table) -> None:
    for finish in (121, 100, 61):
        lines = list(skunk_holes(finish))
        page = open_page(
            state={**canned_table.canned("to_throw"), "finish": finish, "target": finish, "skunk_lines": lines}
        )
        lanes = canned_table.boards[0]["lanes"]
        found = page.evaluate(LINES)
        assert len(found) == 2
        for (x, y), hole in zip(found, lines, strict=True):
            around = [lane["spots"][near] for lane in lanes for near in (hole - 1, hole)]
            middle = [sum(spot[axis] for spot in around) / len(around) for axis in (0, 1)]
            bend = 0 if len({spot[1] for spot in around}) == len(lanes) else 18  # there the line is on the arc, outside
            assert [x, y] == pytest.approx([middle[0] + bend, middle[1]], abs=0.1), (finish, hole)


@pytest.mark.browser
def test_the_table_marks_the_loser_and_the_skunked(open_page, canned_table) -> None:
    state = canned_table.canned("over")
    names = [player["name"] for player in state["players"]]
    page = open_page(state={**state, "loser": names[2]})
    assert page.locator("#ending .won").inner_text() == f"{names[2]} loses."
    assert page.locator(".player", has_text=names[2]).locator(".fate").inner_text() == "loses"
    skunked = [{**player, "skunk": grade} for player, grade in zip(state["players"], (0, 1, 2), strict=True)]
    page = open_page(state={**state, "players": skunked, "loser": None})
    assert page.locator("#ending .fate").all_inner_texts() == ["skunked", "double skunked"]


@pytest.mark.browser
def test_the_wall_names_the_loser_and_says_what_the_player_to_move_needs(open_page, canned_table) -> None:
    state = canned_table.canned("over")
    name = state["players"][2]["name"]
    page = open_page(state={**state, "loser": name})
    page.goto(f"{canned_table.address}wall")
    page.get_by_role("heading", name=f"{name} loses.").wait_for()
    assert page.locator(".score .fate").all_inner_texts() == ["loses"]
    canned_table.show({**canned_table.canned("choosing"), "outlook": "Ann needs 14 to win."})
    page.get_by_text("Ann needs 14 to win.").wait_for()
