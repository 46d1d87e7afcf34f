"""Each feature is left out of the list in turn, and all at once: a game is played, and the pages are whole."""

import re
from pathlib import Path

import pytest
from samples import sampled
from served import Served, served

from companion.app import FEATURES
from companion.web.feature import Feature

PAGES = ("/", "/wall", "/games", "/games/now", "/standing", "/ratings", "/statistics", "/rules", "/phones", "/fairness")


def without(left_out: tuple[Feature, ...]) -> list[str]:
    """Return the pages of a table without these features."""
    routers = [router for feature in left_out for router in feature.routers]
    own = {route.path for router in routers for route in router.routes}  # type: ignore[attr-defined]
    return [page for page in PAGES if page not in own]


def play(table: Served) -> None:
    """Play a game of one turn to its end."""
    assert table.won("Ann", "Ben").state()["winners"] == ["Ann"]


@pytest.mark.parametrize("left_out", sampled([*((each,) for each in FEATURES), FEATURES], FEATURES))
def test_without_a_feature_a_game_is_played_and_every_link_leads_somewhere(
    tmp_path: Path, left_out: tuple[Feature, ...]
) -> None:
    with served(tmp_path, features=tuple(each for each in FEATURES if each not in left_out)) as table:
        play(table)
        parts = [feature.table.part for feature in left_out if feature.table and feature.table.part]
        assert not {name for part in parts for name in part.__annotations__} & set(table.state())
        links: set[str] = set()
        for page in without(left_out):
            answer = table.client.get(page)
            assert answer.status_code == 200, page
            links |= set(re.findall(r'<a [^>]*href="(/[^"#]*)"(?![^>]* hidden)', answer.text))
        assert {link for link in links if table.client.get(link).status_code not in (200, 303)} == set()


@pytest.mark.browser
@pytest.mark.parametrize("table", [{"features": ()}], indirect=True)
def test_without_all_features_no_page_has_an_error(tabs, table) -> None:
    tab = tabs()
    tab.goto(f"{table.client.base_url}/")
    tab.wait_for_selector("#lobby-about:not(:empty)")
    play(table)
    tab.wait_for_selector("#report")
    assert table.client.get("/api/openapi.json").status_code == 200
    for page in without(FEATURES):
        tab.goto(f"{table.client.base_url}{page}")
