"""The catalogue of words: each sentence is used, each key exists, the fields fit, and short forms are short."""

import ast
import re
import tomllib
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import companion
from companion.games.statistics import ORIGINS
from companion.table.state.cues import MomentKind
from companion.table.state.events import TableEvent
from companion.words import english, load_catalogue, message
from companion.words.catalogue import LISTS, REMEMBERED, SHORT
from dicereader.reading import CameraFault, Doubt
from dicereader.tray.camera_place import Kind, Way
from farkle.game.events import EVENT_KINDS

SOURCES = tuple(Path(companion.__path__[0]).rglob("*.py"))
WEB = Path(companion.__path__[0]) / "web"
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(WEB.parent.glob("**/static/*.js"))}
TEMPLATES = {path.name: path.read_text(encoding="utf-8") for path in sorted(WEB.parent.glob("**/templates/*.html"))}
WORDS = english()
CATALOGUE = tomllib.loads(files("companion.words").joinpath("languages", "en.toml").read_text(encoding="utf-8"))
NAMED_IN_CODE = {
    *("say", "combinations", "combination", "event", "rules"),
    *(
        "group",
        "switch",
        "switch_value",
        "about",
        "tray_problem",
        "move",
        "rise",
        "measure",
        "setting",
        "setting_value",
    ),
}
"""Sections whose names come from rules, events, the reader and the settings; each has a test of its own."""
KEYS = frozenset(key for key in WORDS if key.split(".")[0] not in NAMED_IN_CODE - {"event"})
OPTIONS = {"answer_option": "answer", "entry": "menu"}
"""The section of each function that makes an answer or an item from its name."""
EVENTS = {kind.__name__: {field.name for field in fields(kind)} for kind in (*EVENT_KINDS, *TableEvent.__args__)}
ADDED = {"HotDiceMade": {"dice"}, "FinalRoundBegan": {"target"}}
"""Fields that `companion.table.state.text` adds to those of an event."""

LONG = {
    "name": "Scarlet",
    "names": ["Scarlet", "Ben"],
    "skunked": ["Scarlet", "Ben"],
    "item": "Scarlet",
    "short": "self-test",
    "scores": "Ann 1, Ben 2",
}
"""Fields of a usual length for the short forms; others are the numbers below."""


CALLED = {"words", "message"}


def fields_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@cache
def sources() -> dict[str, tuple[ast.AST, ...]]:
    """Return the nodes of each source by its name."""
    return {str(path): tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in SOURCES}


@cache
def calls() -> tuple[tuple[str, frozenset[str], str], ...]:
    """Return each call of `words` or `message` with a literal key: the key, the names of its fields, and its place."""
    return tuple(_calls())


def _calls() -> Iterator[tuple[str, frozenset[str], str]]:
    for path, nodes in sources().items():
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
                given = frozenset(keyword.arg or "**" for keyword in node.keywords)
                for key in _literals(node.args[0]):
                    yield key, given, f"{path}:{node.lineno}"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPTIONS:
                given = frozenset(keyword.arg or "**" for keyword in node.keywords)
                for name in _literals(node.args[0]):
                    yield f"{OPTIONS[node.func.id]}.{name}", given, f"{path}:{node.lineno}"


def _literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp(body=body, orelse=other):
            yield from _literals(body)
            yield from _literals(other)


@cache
def constants() -> frozenset[str]:
    """Return every string in the sources."""
    found = (node.value for nodes in sources().values() for node in nodes if isinstance(node, ast.Constant))
    return frozenset(value for value in found if isinstance(value, str))


@dataclass(frozen=True)
class PageCall:
    """A call of `t` or `parts` in a script, or of `words` in a template: its place, its keys, its fields."""

    place: str
    keys: frozenset[str]
    given: frozenset[str]


@cache
def page_calls() -> tuple[PageCall, ...]:
    found = []
    for name, text in (SCRIPTS | TEMPLATES).items():
        for call in re.finditer(r"\b(?:t|parts|words)\((?=[\w\"`])", text):
            key, *more = split_at_commas(text, call.end())
            found.append(PageCall(name, keys_in(key), frozenset(field_names(more))))
    return tuple(found)


def field_names(given: list[str]) -> Iterator[str]:
    """Return the names in a JavaScript object or in a template's keywords, with `**` for anything but a name."""
    is_object = bool(given) and given[0].strip().startswith("{")
    for each in split_at_commas(given[0].strip(), 1) if is_object else given:
        found = re.match(r"\s*(\w+)\s*(?::|$)" if is_object else r"\s*(\w+)=", each)
        if each.strip():
            yield found[1] if found else "**"


def split_at_commas(text: str, start: int) -> list[str]:
    """Return the parts between the commas from `start` to the matching closing bracket."""
    parts, depth, since, at = [], 0, start, start
    while depth >= 0:
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth < 0 or (depth == 0 and text[at] == ","):
            parts.append(text[since:at])
            since = at + 1
        at += 1
    return parts


def keys_in(code: str) -> frozenset[str]:
    """Return the keys that code names in quotes. A section with a name that is not literal stands for all its keys."""
    sections = re.findall(r"[`\"](\w+)\.(?:\$\{|\" ~)", code)
    whole = {f"{section}.{key}" for section in sections for key in CATALOGUE[section]}
    named = set(re.findall(r'"(\w+\.\w+)"', code)) - TEMPLATES.keys() - SCRIPTS.keys()
    return frozenset(whole | {key for key in named if key.split(".")[0] in CATALOGUE})


@cache
def page_keys() -> frozenset[str]:
    """Return every key that a script or a template names, in a call or elsewhere."""
    return frozenset().union(*(keys_in(text) for text in (SCRIPTS | TEMPLATES).values()))


def loaded(script: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the names of a script and of all scripts that it imports, statically or dynamically."""
    known |= {script}
    for other in re.findall(r'(?:from|import\()\s*"\./(\w+\.js)"', SCRIPTS[script]):
        if other not in known:
            known |= loaded(other, known)
    return known


INCLUDED = re.compile(r'{% include "([\w.-]+)" %}')
PARTS = frozenset(name for text in TEMPLATES.values() for name in INCLUDED.findall(text))
"""Templates that are parts of others."""


def ancestry(template: str) -> str:
    """Return the text of a template, of those that it extends and of those that they include."""
    text = re.sub(INCLUDED, lambda part: TEMPLATES[part[1]], TEMPLATES[template])
    base = re.search(r'{% extends "([\w.-]+)" %}', text)
    return text + (ancestry(base[1]) if base else "")


def test_every_key_of_the_page_exists() -> None:
    assert not page_keys() - frozenset(WORDS)


def test_every_call_of_the_page_gives_the_fields_of_its_sentence() -> None:
    wrong = [
        (call.place, key, sorted(call.given))
        for call in page_calls()
        for key in call.keys
        if "**" not in call.given and call.given != fields_of(WORDS.forms(key)[0])
    ]
    assert not wrong


@pytest.mark.parametrize(
    "template", sorted(name for name, text in TEMPLATES.items() if ".js" in text and name not in PARTS)
)
def test_a_page_has_the_sections_of_its_scripts(template: str) -> None:
    text = ancestry(template)
    scripts = frozenset().union(*(loaded(name) for name in re.findall(r'src="/static/(\w+\.js)"', text)))
    used = {key.split(".")[0] for name in scripts for key in keys_in(SCRIPTS[name])}
    given = {name for call in re.findall(r"sections\(([^)]*)\)", text) for name in re.findall(r"\w+", call)}
    assert used <= given | {"dice", "list"}
    if template in ("table.html", "wall.html"):
        assert given == used - {"dice", "list"}
    assert ('id="words"' in text) == bool(used)


def test_each_sentence_of_the_page_has_one_form_and_no_markup() -> None:
    assert page_keys()
    forms = {key: CATALOGUE[section][name] for key in page_keys() for section, _, name in (key.partition("."),)}
    assert not {key: form for key, form in forms.items() if not isinstance(form, str) or set(form) & set('<>&"')}


def test_each_doubt_and_each_large_moment_has_words() -> None:
    assert set(CATALOGUE["doubt"]) == set(Doubt)
    assert set(CATALOGUE["large"]) == set(get_args(MomentKind)) - {
        "win",
        "skunk",
        "bank",
    }  # a win and a skunk have sentences of their own, a bank has none


def test_each_problem_of_a_picture_and_each_origin_of_throws_has_words() -> None:
    assert set(CATALOGUE["tray_problem"]) == {*get_args(Kind), "tag hidden, known lens"}
    assert set(CATALOGUE["move"]) == set(get_args(Way))
    assert set(CATALOGUE["corner"]) == {str(tag) for tag in range(4)}
    assert set(CATALOGUE["origin"]) == set(CATALOGUE["throws_of"]) == set(ORIGINS)


def test_a_page_gets_sections_with_the_words_of_dice_and_lists() -> None:
    assert set(WORDS.for_scripts("tap")) == {*LISTS, "locale", "list", "dice", "tap"}


def test_every_key_that_is_asked_for_exists() -> None:
    sections = {key.split(".")[0] for key in WORDS}
    named = {text for text in constants() if text.count(".") == 1 and text.split(".")[0] in sections - {"event"}}
    named -= TEMPLATES.keys()
    named |= {key for key, _, _ in calls()}
    assert not [key for key in named if key.split(".")[1].isidentifier() and key not in WORDS]


def test_every_sentence_is_used() -> None:
    used = constants() | page_keys() | {"mat.title"}  # docs/paper_pdf.py writes it into the printed sheets
    used |= {f"fault.{fault}" for fault in CameraFault} | {key for key in KEYS if key.startswith("manner.")}
    made = {f"{section}.{name}" for section in OPTIONS.values() for name in constants()}
    assert len(KEYS) > len(CATALOGUE)
    assert not {key for key in KEYS if not key.startswith("event.")} - used - made


def test_every_call_gives_the_fields_of_its_sentence() -> None:
    wrong = [
        (place, key, sorted(given))
        for key, given, place in calls()
        if "**" not in given and given != {name for form in WORDS.forms(key) for name in fields_of(form)}
    ]
    assert not wrong


HAS_SHORT_FORM = sorted(key for key in KEYS if not isinstance(CATALOGUE[key.split(".")[0]][key.split(".", 1)[1]], str))


@pytest.mark.parametrize("key", HAS_SHORT_FORM)
def test_a_short_form_is_short(key: str) -> None:
    text, short, _ = WORDS.forms(key)
    assert fields_of(short) <= fields_of(text) | {"short", "was", "points", "dice", "skunked", "item"}
    values: dict[str, object] = {}
    for form in WORDS.forms(key):
        for _, name, spec, _ in Formatter().parse(form):
            if name:
                values[name] = values.get(name) or LONG.get(
                    name, (3, 3, 4) if spec in ("faces", "The", "dice or") else 3
                )
    said = WORDS.text(message(key, **values).short)
    assert len(said) <= SHORT
    assert not said.endswith("…"), said


@pytest.mark.parametrize("event", sorted(CATALOGUE["event"]))
def test_words_of_an_event_belong_to_it_and_name_its_fields(event: str) -> None:
    kind = next(name for name in sorted(EVENTS, key=len, reverse=True) if event.startswith(name))
    assert fields_of(CATALOGUE["event"][event]) <= EVENTS[kind] | ADDED.get(kind, set())


@pytest.mark.parametrize("key", sorted(key for key in KEYS if key.startswith("caption.")))
def test_a_caption_has_at_most_24_characters(key: str) -> None:
    assert len(WORDS(key, **dict.fromkeys(fields_of(WORDS.forms(key)[0]), 10000))) <= 24


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("moment.farkle_lost", {"player": "Ann", "lost": 1}, "Ann loses 1 point."),
        ("moment.farkle_lost", {"player": "Ann", "lost": 2}, "Ann loses 2 points."),
        ("prompt.won", {"names": ["Ann"]}, "Ann wins! Another game?"),
        ("prompt.won", {"names": ["Ann", "Ben", "Cy"]}, "Ann, Ben and Cy win! Another game?"),
        ("prompt.to_enter", {"name": "Ann", "dice": 1}, "Ann, throw one die and enter it."),
        (
            "complaint.wrong_number",
            {"dice": 4, "allowed": (2, 3, 5)},
            "You threw four dice. Throw two, three or five dice instead.",
        ),
        ("complaint.wrong_number", {"dice": 4, "allowed": (1,)}, "You threw four dice. Throw one die instead."),
        ("complaint.does_not_count", {"dice": (4,)}, "The four does not count."),
        ("complaint.does_not_count", {"dice": (4, 6)}, "The four and the six do not count."),
        ("event.FarkledAgain", {"in_a_row": 3}, "Farkle, three in a row."),
        ("rules.these_totals", {"totals": (20, 3)}, "these dice count 20 or 3"),
        ("terminal.score", {"name": "Ann", "score": 10000}, "Ann 10,000"),
    ],
)
def test_fields_are_put_in_by_their_formats(key: str, given: dict[str, object], said: str) -> None:
    assert WORDS(key, **given) == said


def test_a_catalogue_remembers_a_limited_number_of_numbers() -> None:
    words = load_catalogue()

    def kept_after(count: int) -> int:
        for value in range(10**6 * count, 10**6 * count + count):  # as a stranger may ask for rule cards
            words.decimal(value)
            words.plural(value, ["one", "other"])
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        full = kept_after(2 * REMEMBERED)
        kept = kept_after(4 * REMEMBERED)
    finally:
        tracemalloc.stop()
    assert kept - full < 50_000
