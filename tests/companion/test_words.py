"""The catalogue of words: each sentence is used, each key exists, the fields fit, and short forms are short."""

import ast
import re
import tomllib
import tracemalloc
from dataclasses import fields
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import companion
from companion.features.home_assistant.discovery import entities
from companion.games.statistics import ORIGINS
from companion.table.state.cues import MomentKind
from companion.table.state.events import TableEvent
from companion.words import english, language_files, load_catalogue, message
from companion.words.catalogue import LISTS, REMEMBERED
from companion.words.check import formats_of, kind_of
from dicereader.reading import CameraFault, Doubt
from dicereader.tray.camera_place import Kind, Way
from farkle.game.events import EVENT_KINDS
from farkle.review import moves
from farkle.rules.catalogue import catalogue
from farkle.tournament import Form

SOURCES = {str(path): path.read_text(encoding="utf-8") for path in Path(companion.__path__[0]).rglob("*.py")}
WEB = Path(companion.__path__[0]) / "web"
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(WEB.parent.glob("**/static/*.js"))}
TEMPLATES = {path.name: path.read_text(encoding="utf-8") for path in sorted(WEB.parent.glob("**/templates/*.html"))}
WORDS = english()
CATALOGUE = tomllib.loads(files("companion.words").joinpath("languages", "en.toml").read_text(encoding="utf-8"))
NAMED_IN_CODE = {"say", "combinations", "combination", "event", "rules", "group", "switch", "switch_value", "about"}
NAMED_IN_CODE |= {"aloud", "tray_problem", "move", "rise", "measure", "setting", "setting_value"}
"""Sections whose names come from rules, events, the reader and the settings; each has a test of its own."""
KEYS = frozenset(key for key in WORDS if key.split(".")[0] not in NAMED_IN_CODE - {"event"})
MADE = ("answer", "menu", "rule_group", "review_did", "review_best")
"""Sections whose keys are made from the name of an answer, an item, a group, or of what was done."""
KINDS = (*EVENT_KINDS, *TableEvent.__subclasses__())
EVENTS = {kind.__name__: {field.name for field in fields(kind)} for kind in KINDS}
ADDED = {"HotDiceMade": {"dice"}, "FinalRoundBegan": {"target"}}
"""Fields that `companion.table.state.text` adds to those of an event."""

LONG = {"name": "Scarlet", "item": "Scarlet", "short": "self-test", "scores": "Ann 1, Ben 2", "skunked": ("Ann", "Ben")}
USUAL: dict[str, object] = {
    **dict.fromkeys(("", "number", "share", "face"), 3),
    **dict.fromkeys(("faces", "counts"), (3, 3, 4)),
    **dict.fromkeys(("list", "said"), ("Scarlet", "Ben")),
    "combination": "three of a kind",
    "rule_set": "Classic Farkle",
    "date": datetime(2026, 11, 30, 20, 5, tzinfo=UTC),
}
"""Values of a usual length, by the name of a field that is a text, and by the kind of the others."""


def usual_fields(key: str) -> dict[str, object]:
    """Return a usual value for each field of a sentence; of several formats, the one that says most of it counts."""
    formats = [(name, kind_of(spec)) for form in WORDS.forms(key) for name, spec in formats_of(form)]
    formats.sort(key=lambda each: ("", "number", each[1]).index(each[1]))
    return {name: LONG.get(name, USUAL[kind]) for name, kind in formats}


def fields_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def keys_in(code: str) -> frozenset[str]:
    """Return the keys that code names in quotes. A section with a name that is not literal stands for all its keys."""
    sections = re.findall(r"[`\"](\w+)\.(?:\$\{|\" ~)", code)
    whole = {f"{section}.{key}" for section in sections for key in CATALOGUE[section]}
    named = set(re.findall(r'"(\w+\.\w+)"', code)) - TEMPLATES.keys() - SCRIPTS.keys()
    return frozenset(whole | {key for key in named if key.split(".")[0] in CATALOGUE})


PAGE_KEYS = frozenset().union(*(keys_in(text) for text in (SCRIPTS | TEMPLATES).values()))
"""Every key that a script or a template names, in a call or elsewhere."""


def test_each_sentence_of_the_page_has_one_form_and_no_markup() -> None:
    assert PAGE_KEYS
    forms = {key: CATALOGUE[section][name] for key in PAGE_KEYS for section, _, name in (key.partition("."),)}
    assert not {key: form for key, form in forms.items() if not isinstance(form, str) or set(form) & set('<>&"')}


def test_each_doubt_and_each_large_moment_has_words() -> None:
    assert set(CATALOGUE["doubt"]) == set(Doubt)
    without = {"win", "skunk", "bank"}  # a win and a skunk have sentences of their own, a bank has none
    assert set(CATALOGUE["large"]) == set(get_args(MomentKind)) - without


def test_each_problem_of_a_picture_and_each_origin_of_throws_has_words() -> None:
    assert set(CATALOGUE["tray_problem"]) == {*get_args(Kind), "tag hidden, known lens"}
    assert set(CATALOGUE["move"]) == set(get_args(Way))
    assert set(CATALOGUE["corner"]) == {str(tag) for tag in range(4)}
    assert set(CATALOGUE["origin"]) == set(CATALOGUE["throws_of"]) == set(ORIGINS)


def test_a_page_gets_sections_with_the_words_of_dice_and_lists() -> None:
    assert set(WORDS.for_scripts("tap")) == {*LISTS, "locale", "categories", "list", "dice", "tap"}


def test_every_key_that_is_named_exists_and_every_sentence_is_used() -> None:
    program = frozenset().union(*map(keys_in, SOURCES.values()))
    assert not {key for key in program | PAGE_KEYS if not key.startswith("event.")} - set(WORDS)
    quoted = set(re.findall(r"""(?<=["'])[\w.-]+(?=["'])""", "\n".join(SOURCES.values())))
    made = {f"{section}.{name}" for section in MADE for name in quoted}
    made |= {f"review_did.{did}" for did in moves.WORDS.values()} | {f"menu.{form}" for form in Form}
    assert len(KEYS) > len(CATALOGUE)
    used = quoted | PAGE_KEYS | made | {"mat.title"}  # docs/paper_pdf.py writes it into the printed sheets
    used |= {f"fault.{fault}" for fault in CameraFault} | {key for key in KEYS if key.startswith("manner.")}
    used |= {f"mqtt.{entity}" for entity in entities()} | {f"rule_set.{rules.title}" for rules in catalogue()}
    assert {key for key in KEYS if not key.startswith("event.")} - used == set()


def test_every_call_gives_the_fields_of_its_sentence() -> None:
    for place, source in SOURCES.items():
        for call in ast.walk(ast.parse(source)):
            match call:
                case ast.Call(ast.Name("words" | "message"), [ast.Constant(str(key))], given) if all(
                    each.arg for each in given
                ):
                    fields = {name for form in WORDS.forms(key) for name in fields_of(form)}
                    assert {each.arg for each in given} == fields, (place, key)


@pytest.mark.parametrize("code", language_files())
def test_each_form_is_filled_in_and_fits_its_place_in_each_language(code: str) -> None:
    words, cut = load_catalogue(code), []
    for key in WORDS:
        said, forms = message(key, **usual_fields(key)), words.forms(key)
        assert words.text(said)
        assert words.text(said.spoken)
        if forms[1] != forms[0] or key.startswith(("caption.", "answer.", "menu.")):
            shown = words.text(said.short if forms[1] != forms[0] else said.render_as("caption"))
            cut += [(key, shown)] if shown.endswith("…") else []
    assert cut == []


@pytest.mark.parametrize("code", language_files())
def test_each_line_fits_across_the_paper_tray(code: str) -> None:
    words = load_catalogue(code)
    assert all(len(words(f"mat.{name}")) <= most for name, most in {"lid": 178, "prop": 178, "check": 102}.items())


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", "KEEP: minus 12500, 2-3"), ("de", "Kiep: minus 12500, 2-3"), ("fr", "KEEP: moins 12500, 2-3")],
)
def test_the_voice_gets_numbers_and_names_as_it_reads_them_well(code: str, said: str) -> None:
    words = load_catalogue(code)
    assert words.aloud(f"KEEP: {words.decimal(-12500)}, 2-3") == said


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
