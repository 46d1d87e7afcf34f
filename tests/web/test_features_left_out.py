"""Each feature is left out of the list in turn: a game is played by the API, and the pages are whole."""

import re
from pathlib import Path

import pytest
from served import served

from companion.app import FEATURES
from companion.web.feature import Feature

PAGES = ("/", "/wall", "/games", "/games/now", "/standing", "/ratings", "/statistics", "/rules", "/phones", "/fairness")


@pytest.mark.browser
@pytest.mark.smoke
@pytest.mark.parametrize("left_out", FEATURES, ids=lambda feature: feature.name)
def test_without_a_feature_a_game_is_played_and_the_pages_are_whole(tmp_path: Path, tabs, left_out: Feature) -> None:
    features = tuple(feature for feature in FEATURES if feature is not left_out)
    with served(tmp_path, features=features) as table:
        part = left_out.table and left_out.table.part
        names = set(part.__dataclass_fields__) if part else set()  # type: ignore[attr-defined]
        assert not names & set(table.state())
        tab = tabs({})
        tabs.complaints.clear()
        tab.goto(f"{table.client.base_url}/")
        tab.wait_for_selector("#lobby .start, #start-game, form")
        table.post("game", {"rules": "classic", "players": ["Ann", "Ben"], "settings": {"target": 1000}})
        for _ in range(8):
            if table.state()["phase"] == "over":
                break
            table.throws("111111")
            table.post("keep", {"dice": [1] * 6})
            table.post("buttons/bank")
        assert table.state()["winners"]
        tab.wait_for_selector("#report")
        links: set[str] = set()
        own = {route.path for router in left_out.routers for route in router.routes}  # type: ignore[attr-defined]
        for page in (page for page in PAGES if page not in own):
            answer = table.client.get(page)
            assert answer.status_code == 200, page
            links |= set(re.findall(r'<a [^>]*href="(/[^"#]*)"(?![^>]* hidden)', answer.text))
            tab.goto(f"{table.client.base_url}{page}")
        assert {link for link in links if table.client.get(link).status_code not in (200, 303)} == set()
        assert tabs.complaints == []
        assert table.client.get("/api/openapi.json").status_code == 200
