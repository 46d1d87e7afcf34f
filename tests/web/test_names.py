"""Names as attacks: refused if they cannot be names, and harmless text everywhere else, in a real browser."""

import unicodedata
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
from served import Served, served

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


@pytest.fixture(scope="module")
def lobby(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a table on which no game begins."""
    with served(tmp_path_factory.mktemp("lobby")) as running:
        yield running


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_name_is_refused_with_a_reason(lobby: Served, name: str) -> None:
    body = f'{{"rules": "farkle-cribbage", "players": ["Ben", {ascii_json(name)}]}}'
    answer = lobby.client.post("/api/v1/game", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert answer.json()["detail"]
    teams = f'{{{ascii_json(name)}: ["A", "C"], "Two": ["B", "D"]}}' if name.strip() == name else "7"
    body = f'{{"rules": "farkle-cribbage", "players": ["A", "B", "C", "D"], "teams": {teams}}}'
    answer = lobby.client.post("/api/v1/game", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422, "the name of a team"
    assert lobby.state()["phase"] == "lobby"


def ascii_json(text: str) -> str:
    """Return the text as ASCII JSON, which can also express characters that UTF-8 cannot."""
    return '"' + "".join(f"\\u{ord(each):04x}" for each in text) + '"'


def test_a_name_is_kept_in_one_form(table: Served) -> None:
    answer = table.post("game", {"rules": "farkle-cribbage", "players": ["Zoe\u0308", "Ben"]})
    assert answer.json()["players"][0]["name"] == unicodedata.normalize("NFC", "Zoe\u0308") == "Zo\u00eb"
    twice = table.post("game", {"rules": "farkle-cribbage", "players": ["Zoe\u0308", "Zo\u00eb"]})
    assert twice.status_code == 422


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


def test_a_name_of_an_emoji_sequence_is_shown_as_it_was_given(table: Served) -> None:
    names = ["👩🏽‍🚀", "🏳️‍🌈", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇩🇪"]
    answer = table.post("game", {"rules": "farkle-cribbage", "players": names})
    assert [player["name"] for player in answer.json()["players"]] == names


@pytest.mark.parametrize("half", [0, 1])
def test_names_are_text_in_the_drawings_of_a_game(table: Served, half: int) -> None:
    names = ATTACKS[half::2]
    table.game(*names)
    for _ in names:
        table.throws("111346").presses("bank")
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
def test_no_name_becomes_anything_but_text_on_any_page(table: Served, chromium, half: int) -> None:
    names = ATTACKS[half::2]
    table.game(*names, settings={"target": 20}).throws("111346")
    page = chromium.new_page()
    told: list[str] = []
    page.on("dialog", lambda dialog: told.append(dialog.message))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("console", lambda said: told.append(said.text))
    address = str(table.client.base_url)
    for round_ in ("playing", "over"):
        for path in ("/", "/games", "/games/now", "/games/now/throws", "/statistics", "/score-sheet", "/rules/now"):
            page.goto(address + path)
            assert page.evaluate(HARMED) is False, (round_, path)
        if round_ == "playing":
            table.presses("bank")
            for _ in names[1:]:
                table.throws("344662").presses("bank")
            assert table.state()["phase"] == "over"
    assert told == []
    page.goto(address + "/games/now")
    names_alone = "(all) => all.map((one) => one.firstChild.textContent.trim())"  # without the mark of a skunk
    shown = page.locator(".places .who").evaluate_all(names_alone)
    assert sorted(shown) == sorted(names)
    page.close()
