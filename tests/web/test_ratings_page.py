"""The page and the API of the ratings over evenings, and the ratings on the evening's page."""

from pathlib import Path

import pytest
from contrast import CONTRAST
from resized import resize
from served import served
from test_standing_page import SIZES, win


def test_the_ratings_stand_on_their_page_on_the_evenings_page_and_in_the_api(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        empty = table.client.get("/ratings").text
        assert "Nobody has finished a game against another side yet." in empty
        win(table, "Mia", "Tom")
        told = table.client.get("/api/v1/ratings").json()
        assert told == {
            "text": "Mia 1,662, Tom 1,338",
            "players": [
                {"player": "Mia", "rating": 1662, "within": 581, "change": None, "evenings": 1, "games": 1, "bot": ""},
                {"player": "Tom", "rating": 1338, "within": 581, "change": None, "evenings": 1, "games": 1, "bot": ""},
            ],
            "evenings": 1,
        }
        page = table.client.get("/ratings").text
        for words in ("After 1 evening.", "1,662", "± 581", "1,338"):
            assert words in page, words
        assert "1,662" in table.client.get("/standing").text
        assert table.client.get("/api/v1/ratings?game=1").json() == told
        assert table.client.get("/api/v1/ratings?game=9").status_code == 404
        table.post("standing/close")
        win(table, "Tom", "Mia")
        changes = {each["player"]: each["change"] for each in table.client.get("/api/v1/ratings").json()["players"]}
        assert changes["Tom"] > 0 > changes["Mia"]
        assert f"(+{changes['Tom']})" in table.client.get("/api/v1/ratings").json()["text"]
        assert f"<small>+{changes['Tom']}</small>" in table.client.get("/standing").text


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ratings_fit_and_can_be_read(tmp_path: Path, chromium, scheme: str) -> None:
    with served(tmp_path) as table:
        win(table, "Mia", "Wilhelmina-Charlotte")
        page = chromium.new_context(color_scheme=scheme).new_page()
        page.goto(f"{table.client.base_url}/ratings")
        for width, height in SIZES:
            resize(page, width, height)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert page.evaluate(CONTRAST) == []
        page.close()
