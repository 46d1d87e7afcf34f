"""`farklecrib words check`: how far the file of a language is, what it lacks, and what is wrong with it."""

import re
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import tell
from companion.errors import reporting_file_errors
from companion.setting import toml
from companion.words import Catalogue, english, message
from companion.words.catalogue import CAPTION, LANGUAGE, SHORT, formats_of, kind_of
from companion.words.message import Form

USUAL = {
    **dict.fromkeys(("", "combination", "rule_set"), "Ann"),
    **dict.fromkeys(("number", "share", "face"), 3),
    **dict.fromkeys(("faces", "counts"), (2, 3, 3)),
    **dict.fromkeys(("list", "said"), ("Ann", "Ben")),
    "date": datetime(2026, 11, 29, 20, 5),  # noqa: DTZ001 - no zone is shown
}
"""A usual value of a field, by its kind."""

NUMBERS = {**dict.fromkeys(("points", "score", "target", "total", "brings", "risk"), 1250), "volume": 80}
"""A usual value of a number, by the field's name."""

CAPTIONS = ("caption.", "answer.", "menu.")
"""The sections whose sentences stand below a button."""

app = typer.Typer(no_args_is_help=True, help="The words of a language: check a file of your own.")


@app.command("check")
def check_words(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A language's TOML file, named by its code.")],
) -> int:
    """Check a language's file: say how far it is, what it lacks, with the English to translate, and its mistakes."""
    from dicereader.data.files import read_text

    with reporting_file_errors("a file of words", file):
        text = read_text(file.expanduser())
    try:
        document = tomllib.loads(text)
        words = Catalogue(document, file.stem, english(), checked=False)
        wrong = [*mistakes(words)]
    except (TypeError, ValueError, RecursionError) as error:
        tell(f"{file}: expected the words as in languages/{LANGUAGE}.toml, got: {error}")
        return 1
    every, own, section = [*english()], {*words}, ""
    missing = [key for key in every if key not in own]
    done = len(every) - len(missing)
    tell(f"{file}: {done:,} of {len(every):,} sentences ({done * 100 // len(every)} %)")
    for key in missing:
        before, (section, _, name) = section, key.partition(".")
        if section != before:
            tell(f"\n# these lines go below the file's own [{section}]" if section in document else f"\n[{section}]")
        tell(f"{name if re.fullmatch('[A-Za-z0-9_-]+', name) else toml(name)} = {toml(entry_of(key))}")
    for line in wrong:
        tell(f"{file}: {line}")
    if words.counts_as_english:
        tell(f"{file}: Babel on this machine lacks the language {words.code!r}: numbers and plurals are as in English")
    if words.code != LANGUAGE and (same := [*untranslated(words)]):
        tell(f"{file}: {len(same):,} sentences are word for word the English ones: {', '.join(same)}")
    return 1 if wrong or missing else 0


def entry_of(key: str) -> str | tuple[str, ...]:
    """Return the entry of a key in the English file: a text, or the forms that differ from it."""
    text, short, spoken = english().forms(key)
    return (text, short, spoken) if spoken != text else (text, short) if short != text else text


def mistakes(words: Catalogue) -> Iterator[str]:
    """Yield each mistake, which begins with its key: those of the catalogue, HTML, and forms that do not fit.

    A form does not fit if it is cut with usual values in its fields, and the English one is not.
    """
    wrong = [*words.mistakes()]
    yield from wrong
    for key in sorted({*words} - {each.partition(":")[0] for each in wrong}):
        mine, theirs = words.forms(key), english().forms(key)
        if "<" in "".join(mine):
            yield f"{key}: expected no HTML, got '<'"
        kinds = [(name, kind_of(spec)) for form in (*mine, *theirs) for name, spec in formats_of(form)]
        kinds.sort(key=lambda each: ("", "number", each[1]).index(each[1]))  # the kind that says most comes last
        said = message(key, **{name: _usual(name, kind) for name, kind in kinds})
        most: dict[Form, int] = {"text": 0, "spoken": 0}  # the most characters of each form that is shown
        most |= {"short": SHORT if theirs[1] != theirs[0] else 0, "caption": CAPTION if key.startswith(CAPTIONS) else 0}
        for form, longest in most.items():
            try:
                filled = words.text(said.render_as(form))
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                yield f"{key}: expected to fill in its fields, got: {error}"
                break
            cut = len(filled) == longest and filled.endswith("…")
            if cut and not english().text(said.render_as(form)).endswith("…"):
                yield f"{key}: expected at most {longest} characters ({form}), got {filled!r}"


def _usual(name: str, kind: str) -> object:
    return NUMBERS.get(name, USUAL[kind]) if kind in ("", "number") else USUAL[kind]


def untranslated(words: Catalogue) -> Iterator[str]:
    """Yield the key of each sentence that is word for word the English one, if it has words beside its fields."""
    for key in words:
        beside = re.sub(r"\{\w+(:[^|/}]*)?\}", "", words.forms(key)[0])
        if key in english() and words.forms(key) == english().forms(key) and re.search(r"[^\W\d_]", beside):
            yield key
