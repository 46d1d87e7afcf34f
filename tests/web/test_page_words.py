"""The words of the pages and refusals: in the language that a request asks for, and as text, never as markup."""

import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

import httpx
import pytest
from served import OWN_PAGE, Served, served

from companion.web.guard import limits
from companion.web.guard.limits import Rate
from companion.web.pages import begun_in, words_in_html
from companion.words import Catalogue, Languages, english, language_files, message

MARK = "auf deutsch: "


def marked() -> Catalogue:
    """Return a German catalogue: the English sentences, each with a mark before it."""
    text = (resources.files("companion.words") / "languages" / "en.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)
    told = ("access", "problem", "rules")
    sections = {name: {key: _marked(entry) for key, entry in document[name].items()} for name in told}
    return Catalogue({**document, **sections}, "de", english())


def _marked(entry: str | list[str]) -> str | list[str]:
    return f"{MARK}{entry}" if isinstance(entry, str) else [_marked(entry[0]), *entry[1:]]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a table that speaks English and German."""
    with served(tmp_path_factory.mktemp("languages")) as running:
        running.app.state.languages = Languages(english(), marked())
        yield running
        running.app.state.languages = Languages(english())


def detail(answer: httpx.Response) -> str:
    return answer.json()["detail"]


@pytest.mark.parametrize("wanted", ["de", "de-AT,de;q=0.9,en;q=0.8", "fr, DE;q=0.5"])
def test_a_refusal_is_in_the_language_of_the_request(table: Served, wanted: str) -> None:
    asked = {"accept-language": wanted}
    watching = table.afar("POST", "/api/v1/undo", **OWN_PAGE, **asked)
    assert detail(watching).startswith(f"{MARK}This phone only watches.")
    assert detail(table.afar("GET", "/api/v1/tray.jpg", **asked)).startswith(MARK)
    assert detail(table.post("undo", None, **asked)).startswith(MARK)
    for path in ("games/9/turns", "stills/9.jpg", "tray.jpg?v=9", "notation.txt", "calibration"):
        answer = table.client.get(f"/api/v1/{path}", headers=asked)
        assert (answer.status_code, detail(answer)[: len(MARK)]) == (404, MARK), path


def test_a_page_that_says_what_is_wrong_is_in_the_language_of_the_request(table: Served) -> None:
    for path in ("/nowhere", "/games/9"):
        page = table.client.get(path, headers={"accept-language": "de", "accept": "text/html"}).text
        assert '<html lang="de">' in page
        assert f"<h1>{MARK}There is no such" in page


def test_without_a_known_language_everything_is_english(table: Served) -> None:
    for wanted in ("fr", "", ",;q=1,,", "\xff\xfe", "de" * 4000, "," * 8000):
        answer = table.client.post("/api/v1/undo", json={}, headers={"accept-language": wanted.encode("latin-1")})
        assert (answer.status_code, MARK in detail(answer)) == (422, False), wanted[:20]


@pytest.mark.parametrize(
    ("path", "header", "code"),
    [
        ("/", "de", "de"),
        ("/?lang=de", "en", "de"),
        ("/?lang=en", "de", "en"),
        ("/?lang=xx", "de", "de"),
        ("/?lang=%00%22", "", "en"),
        ("/wall", "de", "en"),
        ("/wall?lang=de", "en", "de"),
    ],
)
def test_the_address_wins_over_the_browser_and_the_wall_speaks_as_the_table(
    table: Served, path: str, header: str, code: str
) -> None:
    page = table.client.get(path, headers={"accept-language": header, "accept": "text/html"}).text
    assert page.startswith(f'<!doctype html>\n<html lang="{code}">')


def test_a_language_is_read_when_it_is_first_asked_for_and_left_out_if_it_cannot_be_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "languages"
    folder.mkdir()
    for name, text in (("de", 'name = "Deutsch"'), ("pl", "name = 3"), ("No language", "")):
        (folder / f"{name}.toml").write_text(text)
    languages = Languages(english(), files=language_files(tmp_path))
    assert {"de": "Deutsch", "pl": "pl", "en": "English"}.items() <= languages.names.items()
    assert not caplog.records
    for _ in range(2):
        assert languages.first(["xx", "DE", "en"]) is english()
    assert [record.getMessage() for record in caplog.records] == [
        f"this language is left out: {folder}/de.toml: expected the words as in languages/en.toml, got: "
        "expected voice, numbers, one_face, many_faces at the head of the file, got none"
    ]


def test_a_flood_is_refused_in_the_language_of_the_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = replace(limits.JSON, rate=Rate(a_second=0.001, burst=1, patience_s=0))
    monkeypatch.setattr(limits, "JSON", slow)
    with served(tmp_path) as running:
        running.app.state.languages = Languages(english(), marked())
        asked = {**OWN_PAGE, "accept-language": "de"}
        answers = [running.afar("POST", "/api/v1/undo", **asked) for _ in range(2)]
        running.app.state.languages = Languages(english())
    assert [answer.status_code for answer in answers] == [403, 429]
    assert detail(answers[1]) == f"{MARK}Too many requests. Try again in a moment."


def test_names_in_a_sentence_of_a_page_are_text_and_no_markup() -> None:
    words = words_in_html(english())
    bold = "<b>Ann</b>"
    assert words("game.won", names=[bold, "Ben"]) == "&lt;b&gt;Ann&lt;/b&gt; and Ben win"
    assert words("race_chart.label", sides=[message("terminal.score", name=bold, score=3)]) == (
        "The race: &lt;b&gt;Ann&lt;/b&gt; 3"
    )
    assert words("replay.ended", number=1, outcome=message("players.leads")) == "turn 1: leads"


def test_the_day_and_time_of_a_game_are_in_the_words_of_the_language() -> None:
    at = time.mktime((2026, 11, 21, 20, 14, 0, 0, 0, -1))
    assert begun_in(english())(at) == "21 Nov 2026, 20:14"
    assert begun_in(marked())(at) == "21 Nov. 2026, 20:14"
    assert begun_in(english())(1e30) == ""
