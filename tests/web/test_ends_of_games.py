"""How a game ended: winners, loser and the skunked on every page and on the board, and the picture to share."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect
from served import Served, served


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a game that Mia wins by a double skunk, and one that finds Ida as the loser."""
    with served(tmp_path_factory.mktemp("ends")) as running:
        for settings in ({"target": 20, "endgame": "immediate"}, {"target": 20, "find_loser": True}):
            running.game("Mia", "Tom", "Ida", settings=settings).turns(*["111346"] * (1 + ("find_loser" in settings)))
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


SVG = "{http://www.w3.org/2000/svg}"


def test_a_result_shows_places_board_race_and_the_dice_of_the_best_turn(table: Served) -> None:
    drawn = ET.fromstring(table.client.get("/games/1/result.svg").text)
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert {"Mia", "Tom", "20", "Best turn: Mia, 20 points"} <= set(texts)
    dice = [use.get("href") for use in drawn.iter(f"{SVG}use") if (use.get("href") or "").startswith("#die")]
    assert dice == ["#die-1"] * 3
    board, *_ = (group for group in drawn.iter(f"{SVG}g") if group.get("class") == "card")
    assert len({(peg.get("cx"), peg.get("cy")) for peg in board.findall(f"{SVG}circle")}) == 3
    assert drawn.find(f".//{SVG}svg[@class='race']") is not None


def test_a_page_may_show_pictures_that_its_scripts_drew_and_nothing_else_from_elsewhere(table: Served) -> None:
    policy = table.client.get("/games/1").headers["content-security-policy"]
    assert "img-src 'self' blob:;" in policy
    assert policy.count("blob:") == 1


SHARED = """() => {
  window.shared = [];
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files }) => {
    const [file] = files;
    const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    window.shared.push([file.name, file.type, file.size > 10000, String.fromCharCode(...head.slice(1))]);
    document.title = "shared";
  };
}"""
"""Browsers share only from a secure context and by a real tap; this stands for the system's sheet."""


@pytest.mark.browser
def test_a_result_is_a_png_that_is_shared_or_held(table: Served, tabs) -> None:
    page = tabs(size="phone")
    page.goto(f"{table.client.base_url}/games/1")
    link = page.locator("#picture[data-ready]")
    link.wait_for()
    page.evaluate("navigator.canShare = undefined")
    link.click()
    picture = page.locator(".shared img")
    expect(picture).to_be_visible()
    assert picture.evaluate("one => [one.naturalWidth, one.src.slice(0, 5)]") == [1080, "blob:"]
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save").click()
    assert saved.value.suggested_filename == "farkle-crib-1.png"
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".shared")).to_have_count(0)
    page.evaluate(SHARED)
    link.click()
    expect(page).to_have_title("shared")  # the page's policy lets no script be evaluated again and again
    assert page.evaluate("window.shared") == [["farkle-crib-1.png", "image/png", True, "PNG"]]
