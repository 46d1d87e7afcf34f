"""Every sentence of the pages and of the API comes from the catalogue: in a marked one, no unmarked word is seen."""

import html
import re
from calendar import month_abbr
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from marked import MARKED, unmarked
from served import Served, served
from test_set_up import Told, made

from companion.calibration.session import CalibrationSession
from companion.calibration.tray_cameras import SimulatedCamera
from companion.config import WebConfig
from companion.features.set_up.pages import PAGES as SET_UP
from companion.table.state.inputs import Answer, CorrectRoll, Pause, Undo
from companion.words import Languages, english
from farkle.rules.catalogue import catalogue

PLAYERS = {f"Player {number}" for number in range(1, 13)}
BUTTONS = {"KEEP", "ROLL", "BANK", "keep", "roll", "bank"}
KEYS = {"Shift", "Esc"}
SETTINGS = {"web.host", "web.hosts", "web.certificate", "web.key"}
COMMANDS = {"farklecrib calibrate", "farklecrib doctor"} | {
    f"farklecrib play --host 0.0.0.0{tls}" for tls in ("", " --tls")
}
TITLES = {"Farkle Crib", "FARKLE", "CRIB"} | {text for rules in catalogue() for text in (rules.source,)}
EXEMPT = {"Ann", "Ben", "Cy", "mm", *month_abbr[1:]} | PLAYERS | BUTTONS | KEYS | SETTINGS | COMMANDS | TITLES
"""Names of people, months, buttons, keys, settings, commands and rule sets with their sources, and a unit."""


RULES = [rules.key for rules in catalogue()]
RULES += ["farkle-cribbage-advanced?target=241&nobody_loses=true&one_peg_per_hole=5&five_dice_rollover_points=2"]
PAGES = (
    *("/games", "/games/1", "/games/2", "/games/1/throws", "/games/2/throws", "/games/2/race.svg", "/statistics"),
    *("/fairness", "/fairness?of=real", "/tournament", "/phone", "/nowhere", "/games/9", "/calibrate"),
    *("/rules", "/rules/now", "/rules/none", "/score-sheet", "/score-sheet?rules=christian-brothers&players=Ann,Ben"),
    "/score-sheet?rules=zilch-online&three_strikes_out=true&farkle3_penalty=0",
    *(f"/rules/{key}" for key in RULES),
)


@contextmanager
def in_marked_words(folder: Path, **given: Any) -> Iterator[Served]:
    """Serve a table whose pages and API speak marked words."""
    with served(folder, **given) as running:
        running.app.state.languages = Languages(MARKED)
        yield running
        running.app.state.languages = Languages(english())


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a finished game with a corrected and an undone throw, and one under way that is paused."""
    folder = tmp_path_factory.mktemp("marked")
    calibration = CalibrationSession(SimulatedCamera(9), "simulated:9", folder, bool)
    with in_marked_words(folder, calibration=calibration, set_up=made(folder, Told())) as running:
        running.game("Ann", "Ben", settings={"target": 20}).throws("111356")
        running.take(CorrectRoll((1, 1, 1, 3, 5, 5)))
        running.presses("bank")
        running.throws("344663").take(Undo())
        running.throws("344662").presses("bank")
        running.game("Ann", "Cy").throws("123456").take(Pause())
        yield running


@pytest.fixture(scope="module")
def page(chromium):
    opened = chromium.new_page()
    yield opened
    opened.close()


def texts_of(page: str) -> set[str]:
    """Return the texts of a page and those of attributes that a person hears or sees."""
    shown = re.sub(r"<(script|style|noscript)\b.*?</\1>", "", page, flags=re.DOTALL)
    spoken = re.findall(r'\b(?:aria-label|aria-valuetext|alt|title|placeholder|data-name)="([^"]*)"', shown)
    return {html.unescape(text).strip() for text in (*re.split(r"<[^>]+>", shown), *spoken)}


def unmarked_on(page, table: Served, path: str, *ready: str) -> list[str]:
    """Open a page, wait until these elements are there, and return its texts with unmarked words."""
    page.goto(f"{table.client.base_url}{path}")
    for each in ready:
        page.locator(each).first.wait_for(state="attached")
    return list(unmarked(texts_of(page.content()), EXEMPT))


@pytest.mark.browser
def test_table_and_wall_speak_the_words_of_the_catalogue(tmp_path: Path, page) -> None:
    drawn = ("#room[data-seq]", ".peg-layer[aria-label]")
    with in_marked_words(tmp_path) as table:
        assert unmarked_on(page, table, "/", *drawn, "#lobby-rules option") == []
        table.game("Ann", "Ben", settings={"target": 20}).throws("111356")
        assert unmarked_on(page, table, "/", *drawn, ".selection") == []
        page.keyboard.press("?")
        page.locator("dialog.keys").wait_for()
        assert list(unmarked(texts_of(page.content()), EXEMPT)) == []
        assert unmarked_on(page, table, "/wall", ".peg-layer[aria-label]") == []
        table.presses("bank")
        table.throws("344662").take(Pause())
        assert unmarked_on(page, table, "/", *drawn, "#answers button") == []
        table.take(Pause())
        table.presses("bank")
        assert unmarked_on(page, table, "/", *drawn, "#rematch", "#ending .race") == []
        assert unmarked_on(page, table, "/wall", ".peg-layer[aria-label]") == []


def test_every_other_page_is_sent_in_the_words_of_the_catalogue(table: Served) -> None:
    for path in PAGES:
        found = texts_of(table.client.get(path, headers={"accept": "text/html"}).text)
        assert [text for text in found if not text.isascii()], path  # marked letters
        assert not list(unmarked(found, EXEMPT)), path


@pytest.mark.browser
@pytest.mark.parametrize(
    ("path", "ready"), [pytest.param("/games/1", "#shown h3", marks=pytest.mark.smoke), ("/calibrate", "#tags polygon")]
)
def test_what_the_scripts_of_a_page_write_is_in_the_words_of_the_catalogue(
    table: Served, page, path: str, ready: str
) -> None:
    assert unmarked_on(page, table, path, ready) == []


FIELDS = """() => [...document.querySelectorAll("input, select, textarea")]
  .map((field) => [field.id || field.name || field.type, parseFloat(getComputedStyle(field).fontSize)])"""
"""The fields of a page, and the size of their text in pixels."""


@pytest.mark.browser
def test_no_field_has_text_below_16_px_into_which_a_phone_zooms(table: Served, page, tmp_path: Path) -> None:
    found = {}
    with served(tmp_path) as other:
        other.post("lobby", {"names": ["Ann", "bot:bold"]})
        for field in ("lobby-rules", "begins", "points"):
            page.goto(str(other.client.base_url))
            page.locator(f"#{field}").wait_for()
            found[field] = page.evaluate(FIELDS)
            if field == "lobby-rules":
                other.game("Ann", "Ben", settings={"target": 20, "endgame": "immediate"}).turns("111346")
            elif field == "begins":
                other.game("Ann", "Ben").take(Pause(), Answer("count points ourselves"))
    for path in ("/join", "/phones", "/camera", "/set-up", *(f"/set-up/{name}" for name in SET_UP), *PAGES):
        page.goto(f"{table.client.base_url}{path}")
        if path == "/join":  # its script draws the form
            page.locator("input").first.wait_for(state="attached")
        found[path] = page.evaluate(FIELDS)
    assert [(path, field) for path, fields in found.items() for field in fields if field[1] < 16] == []
    assert {path for path, fields in found.items() if fields} > {"/join", "/set-up/table", "/calibrate"}


@pytest.mark.browser
@pytest.mark.parametrize("tls", [pytest.param(False, marks=pytest.mark.smoke), True])
def test_the_address_for_another_phone_comes_with_the_words_of_the_catalogue(
    tmp_path: Path, page, monkeypatch: pytest.MonkeyPatch, *, tls: bool
) -> None:
    monkeypatch.setattr("companion.web.address.read_interfaces", tuple)  # a machine without other addresses
    with in_marked_words(tmp_path, tls=tls) as table:
        place = SimpleNamespace(address="http://192.0.2.9:8080/", names=frozenset())
        table.app.state.table = replace(table.app.state.table, config=WebConfig(host="0.0.0.0"), place=place)
        found = unmarked_on(page, table, "/phone", ".qr", *([".fingerprint"] if tls else []))
        shown = ("http://192.0.2.9", *((table.secure.address, table.trusted.fingerprint) if tls else ()))
    assert [text for text in found if not text.startswith(shown)] == []


def texts(answer: Any) -> Iterator[str]:
    """Yield every text of an answer's JSON, save for ids and addresses."""
    if isinstance(answer, dict):
        for name, each in answer.items():
            if name not in {"type", "title", "picture", "color", "shape", "ended", "of", "kinds"}:
                yield from texts(each)
    elif isinstance(answer, list):
        for each in answer:
            yield from texts(each)
    elif isinstance(answer, str):
        yield answer


def test_what_the_api_tells_people_comes_from_the_catalogue(table: Served) -> None:
    for path in ("games/1/turns", "fairness?of=simulated", "lobby/earlier", "calibration"):
        answer = table.client.get(f"/api/v1/{path}").raise_for_status()
        assert not list(unmarked(texts(answer.json()), EXEMPT)), path


def test_what_the_api_tells_of_rules_comes_from_the_catalogue(table: Served) -> None:
    for key in RULES:
        form = table.client.get(f"/api/v1/rules/{key}").raise_for_status().json()
        switches = [each for group in form["groups"] for each in group["switches"]]
        values = [value for each in switches for value in each.get("values", [])]
        told = [text for each in form["told"] for text in each.values()]
        labels = [text for each in switches for text in (each["label"], each["sheet_words"])]
        titles = [form["about"], *(group["title"] for group in form["groups"])]
        assert not list(unmarked([*titles, *labels, *(value["words"] for value in values), *told], ())), key


def test_each_refusal_of_the_api_comes_from_the_catalogue(table: Served) -> None:
    answers = [table.post(path) for path in ("games/99/resume", "calibration/throw", "calibration/save")]
    answers += [table.post("answer", {"answer": "yes"}), table.post("keep", {"dice": [6]})]
    for answer in answers:
        assert answer.status_code in {404, 409, 422}, answer.text
        assert not list(unmarked([answer.json()["detail"]], EXEMPT))


def test_a_table_that_cannot_be_calibrated_or_thrown_says_so_in_the_words_of_the_catalogue(tmp_path: Path) -> None:
    with in_marked_words(tmp_path, desk=False) as real:
        answers = [
            real.client.get("/api/v1/calibration"),
            real.client.get("/api/v1/notation.txt"),
            real.post("simulator/throw"),
            real.post("simulator/shelve", {"dice": [0]}),
        ]
    assert {answer.status_code for answer in answers} == {404}
    assert not list(unmarked([answer.json()["detail"] for answer in answers], EXEMPT))
