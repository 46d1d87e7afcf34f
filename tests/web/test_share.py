"""The picture of a result: what it shows, and how a browser shares it."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
from served import Served, served

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a game that Mia has won."""
    with served(tmp_path_factory.mktemp("share")) as running:
        running.game("Mia", "Tom", settings={"target": 20, "endgame": "immediate"}).throws("111346")
        running.presses("bank")
        yield running


def test_a_result_shows_places_board_race_and_the_dice_of_the_best_turn(table: Served) -> None:
    drawn = ET.fromstring(table.client.get("/games/1/result.svg").text)
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert {"Mia", "Tom", "20", "Best turn: Mia, 20 points"} <= set(texts)
    dice = [use.get("href") for use in drawn.iter(f"{SVG}use") if (use.get("href") or "").startswith("#die")]
    assert dice == ["#die-1"] * 3
    board, *_ = (group for group in drawn.iter(f"{SVG}g") if group.get("class") == "card")
    pegs = board.findall(f"{SVG}circle")
    assert len({(peg.get("cx"), peg.get("cy")) for peg in pegs}) == 2
    assert drawn.find(f".//{SVG}svg[@class='race']") is not None


def test_a_page_may_show_pictures_that_its_scripts_drew_and_nothing_else_from_elsewhere(table: Served) -> None:
    policy = table.client.get("/games/1").headers["content-security-policy"]
    assert re.search(r"img-src 'self' blob:;", policy)
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
def test_a_result_is_a_png_that_is_shared_or_held(table: Served, chromium) -> None:
    pytest.importorskip("playwright.sync_api")
    from playwright.sync_api import expect

    page = chromium.new_page(viewport={"width": 390, "height": 664})
    page.goto(str(table.client.base_url.join("/games/1")))
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
    page.close()
