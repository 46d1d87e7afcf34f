"""The words of the page's scripts: `words.js` puts fields into sentences as `companion.words` does."""

import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import companion.web
from companion.words import Catalogue, english

pytestmark = [pytest.mark.browser, pytest.mark.smoke]

STATIC = Path(companion.web.__path__[0]) / "static"
ENGLISH = tomllib.loads((resources.files("companion.words") / "languages" / "en.toml").read_text(encoding="utf-8"))

FORMS = {"en": 2, "de": 2, "pl": 4, "fr": 2, "ar": 6}
"""The languages that are compared, and the number of plural forms of each."""

NUMBERS = [*range(131), 200, 1000, 1001, 1250, 10_000, 1_000_000, 1_234_567, -1, -2, -1250]
DECIMALS = [0, 0.04, 0.05, 0.15, 0.25, 2.5, 3.5, 99.95, 1234.565, -0.04, -0.5, -1234.5]
LISTS = [["Ann"], ["Ann", "Ben"], ["Ann", "Ben", "Cy"], ["Ann", "Ben", "Cy", "Di"]]
COUNTS = [[1], [2], [1, 2], [2, 3, 5], [21, 22]]
ROLLS = [[1], [6, 6], [2, 3, 3], [1, 2, 3, 4, 5, 6]]
FACES = list(range(1, 7))


def document(code: str) -> dict[str, Any]:
    """Return a catalogue with a sentence for each format; each word of it tells the language and the plural form."""
    forms = [f"{code}{form}" for form in range(FORMS[code])]
    head = {key: ENGLISH[key] for key in ("voice", "numbers", "one_face", "many_faces")}
    return {
        **head,
        "dice": {"count": f"{{number:number}} {{number:{'/'.join(forms)}}}", "the": f"{code} {{face:face}}"},
        "list": {"and": "{first} & {last}", "or": "{first} | {last}", "comma": f" {code}, ", "space": " _ "},
        "combination": {"low straight": f"{code} straight"},
        "number": {
            "plain": "<{value}>",
            "noun": f"<{{value:{'|'.join(forms)}}}>",
            "alone": f"<{{value:{'/'.join(forms)}}}>",
            "sign": "{value:+}",
            "words": f"{{value:number}} {{value:{'/'.join(f'{form} # of #' for form in forms)}}}",
            "dice": "{value:dice} {value:Dice}",
        },
        "decimal": {"none": "{value:.0}", "one": "{value:.1}", "two": "{value:.2}"},
        "names": {
            "lists": "{value:and} {value:or} {value:comma} {value:sentences}",
            "alone": f"<{{value:{'/'.join(forms)}}}>",
        },
        "counts": {"dice": "{value:dice or}"},
        "roll": {"faces": "{value:faces} {value:the} {value:The}"},
        "face": {"face": "{value:face} {value:several}"},
        "text": {"plain": "{value} and {value:combination}", "plural": f"{{value:{'|'.join(forms)}}}"},
    }


GIVEN = {
    "number": NUMBERS,
    "decimal": DECIMALS,
    "names": LISTS,
    "counts": COUNTS,
    "roll": ROLLS,
    "face": FACES,
    "text": ["low straight", "four of a kind", ""],
}
"""The values for the sentences of each section."""


@pytest.fixture(scope="module")
def evaluated(chromium):
    """Yield a function that runs a script on a page with the words that it gets from a catalogue."""
    page = chromium.new_page()
    shown = ""

    def answer(route) -> None:
        name = route.request.url.removeprefix("http://words.test/")
        if not name:
            route.fulfill(body=shown, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(body=(STATIC / name).read_text(encoding="utf-8"), content_type="text/javascript")

    page.route("http://words.test/**", answer)

    def run(words: Catalogue, sections: list[str], script: str, *given: Any) -> list[str]:
        nonlocal shown
        shown = f'<script type="application/json" id="words">{json.dumps(words.for_scripts(*sections))}</script>'
        page.goto("http://words.test/")
        return page.evaluate(script, given)

    yield run
    page.close()


@pytest.fixture(scope="module")
def in_script(evaluated):
    """Return a function that fills sentences in by `words.js`."""

    def said(words: Catalogue, sections: list[str], asked: list[tuple[str, dict[str, Any]]]) -> list[str]:
        script = "import('/words.js').then(({ t }) => asked.map(([key, given]) => t(key, given)))"
        return evaluated(words, sections, f"([asked]) => {script}", asked)

    return said


@pytest.mark.parametrize("code", FORMS)
def test_each_format_is_the_same_in_python_and_in_a_script(in_script, code: str) -> None:
    words = Catalogue(document(code), code)
    assert len(words.categories) == FORMS[code]
    asked = [
        (f"{section}.{name}", {"value": value})
        for section in GIVEN
        for name in document(code)[section]
        for value in GIVEN[section]
    ]
    said = in_script(words, [*GIVEN, "combination"], asked)
    different = [
        (key, given, there, here)
        for (key, given), there in zip(asked, said, strict=True)
        if there != (here := words(key, **given))
    ]
    assert different == []


def test_what_a_language_lacks_is_said_in_english_with_its_plurals(in_script) -> None:
    lacking = {
        name: entry
        for name, entry in ENGLISH.items()
        if name in ("voice", "numbers", "one_face", "many_faces", "say", "combinations")
    }
    words = Catalogue({**lacking, "dice": document("pl")["dice"]}, "pl", english())
    asked = [("board.peg", {"name": "Ann", "hole": 3, "track": 121, "farkles": count}) for count in (0, 1, 2, 5, 22)]
    said = in_script(words, ["board"], asked)
    assert said == [words(key, **given) for key, given in asked]
    assert [each.rpartition(", ")[2] for each in said] == [
        "0 farkles",
        "1 farkle",
        "2 farkles",
        "5 farkles",
        "22 farkles",
    ]


def test_a_switch_is_called_by_its_label_within_the_marks_of_any_language(evaluated) -> None:
    off = {"kind": "flag", "value": False, "sheet": False, "sheet_words": "off"}
    switches = [{"name": "tie", "label": "At a tie: who wins", **off}, {"name": "n_dice", "label": "Dice", **off}]
    house = "import('/house.js').then(({ createHouse }) => createHouse(() => null))"
    script = f"([form, said]) => {house}.then((house) => {{ house.load(form); return said.map(house.worded); }})"
    marks = ("“tie”", "„tie“", "«\u00a0tie\u00a0»", "»tie«", "«tie»", "‹\u202ftie\u202f›", '"tie"', "d'un 'tie'")
    others = ("a tie", "“no_such”", "“ties”", "n_dice is “5”")
    form = {"groups": [{"title": "", "switches": switches}]}
    told = evaluated(english(), ["form"], script, form, [*marks, *others])
    assert told == [*(each.replace("tie", "At a tie") for each in marks), *others[:3], "“Dice” is “5”"]
