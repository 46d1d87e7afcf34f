"""Names as attacks: refused if they cannot be names, and harmless text everywhere else, in a real browser."""

from xml.etree import ElementTree as ET

import pytest
from served import Served, refusal

REFUSED = [
    *("", " ", " Ann", "Ann ", "A" * 21, "Ann\n", "An\tn", "An\x00n", "\x1b[31mAnn", "Ann\x7f", "Ann\x85"),
    *("\u202eAnn", "An\u202dn", "\u2066Ann\u2069", "Ann\u200f", "\u061cAnn", "Ann\u200b", "An\u00adn", "\ufeffAnn"),
    *("Ann\u2028", "Ann\ud800", "\ue000", 'An"n', "\u3164", "\u2800", "\u115f", "\u0301", "\ufe0f"),
]
"""No names: empty, spaces around them, too long, control, bidi and invisible characters, half a surrogate."""

ATTACKS = [
    "<script>top.hit=1",
    "<img src=x onload=1>",
    "<svg onload=hit()>",
    "' onclick=hit() x='",
    "</script><b>",
    "{{7*7}}",
    "${hit()}",
    "javascript:hit()",
    "&lt;b&gt;",
    "--></svg><i>",
    "]]><x>",
    "=1+1",
]
"""Names that are allowed and must stay text."""


def test_an_invalid_name_of_a_player_or_a_team_is_refused_with_a_reason(table: Served) -> None:
    for name in REFUSED:
        player = f'"players": ["Ben", {ascii_json(name)}]'
        team = f'"players": ["A", "B", "C", "D"], "teams": {{{ascii_json(name)}: ["A", "C"], "Two": ["B", "D"]}}'
        for given in (player, team) if name.strip() == name else (player,):  # a team's name is stripped
            body = f'{{"rules": "farkle-cribbage", {given}}}'
            answer = table.client.post("/api/v1/game", content=body, headers={"content-type": "application/json"})
            status, reason = refusal(answer)
            assert (status, bool(reason)) == (422, True), given
    assert table.state()["phase"] == "lobby"


def ascii_json(text: str) -> str:
    """Return the text as ASCII JSON, which can also express characters that UTF-8 cannot."""
    return '"' + "".join(f"\\u{ord(each):04x}" for each in text) + '"'


TWINS = ["Ann Lee\ufe0f", "ann  lee", "Ann\u3000Lee", "Ann\u2009Lee", "\uff21nn Lee", "Ann Lee\u2800"]


def test_twins_of_a_name_are_refused_wherever_a_name_is_given(table: Served) -> None:
    for twin in TWINS:
        answer = table.post("lobby", {"names": ["Ann Lee", twin]})
        assert answer.json()["lobby"]["about"] == "names", twin
        assert table.post("game", {"rules": "farkle-cribbage", "players": ["Ann Lee", twin]}).status_code == 422, twin
    table.game("Ann Lee", "Ben")
    for twin in TWINS:
        joining = table.post("join", {"name": twin})
        assert (joining.status_code, "plays already" in joining.json()["detail"]) == (422, True), twin


@pytest.mark.parametrize("half", [0, 1])
def test_names_are_text_in_the_drawings_of_a_game(table: Served, half: int) -> None:
    names = ATTACKS[half::2]
    table.game(*names).turns(*["111346"] * len(names))
    for drawing in ("result.svg", "race.svg"):
        drawn = ET.fromstring(table.client.get(f"/games/now/{drawing}").text)
        texts = [each.text or "" for each in drawn.iter() if each.tag.endswith("text")]
        for name in names:
            shown = [text for text in texts if text == name or (text.endswith("…") and name.startswith(text[:-1]))]
            assert shown, (drawing, name, texts)


HARMED = """Boolean(window.hit || document.querySelector(
  "img[src=x], [onclick], [onload], [onerror], main b:empty, script:not([src]):not([type])"
))"""
"""Whether a name has become an element, a handler or a script."""


@pytest.mark.browser
@pytest.mark.parametrize("half", [pytest.param(0, marks=pytest.mark.smoke), 1])
def test_no_name_becomes_anything_but_text_on_any_page(table: Served, tabs, half: int) -> None:
    names = ATTACKS[half::2]
    table.game(*names, settings={"target": 20}).throws("111346")
    page = tabs()
    page.once("dialog", lambda dialog: tabs.complaints.append(dialog.message))
    pages = ("/", "/games", "/games/now", "/games/now/throws", "/statistics", "/score-sheet", "/rules/now")
    for phase, paths in (("choosing", ("/", "/games/now")), ("over", pages)):
        if phase == "over":
            table.presses("bank").turns(*["344662"] * len(names[1:]))
        assert table.state()["phase"] == phase
        for path in paths:
            page.goto(f"{table.client.base_url}{path}")
            assert page.evaluate(HARMED) is False, (phase, path)
    page.goto(f"{table.client.base_url}/games/now")
    names_alone = "(all) => all.map((one) => one.firstChild.textContent.trim())"  # without the mark of a skunk
    assert sorted(page.locator(".places .who").evaluate_all(names_alone)) == sorted(names)
