"""A catalogue whose every letter is marked, so that a test finds what does not come from it."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from string import Formatter, ascii_letters
from typing import Any

from companion.words import Catalogue

MARKS = str.maketrans(ascii_letters, "".join(chr(ord(letter) + 0xFEE0) for letter in ascii_letters))
"""Each ASCII letter becomes the full-width letter of Unicode, which has the same case."""


def marked(sentence: str) -> str:
    """Return a sentence with its letters marked: those outside of the fields, and those of plurals within."""
    parts = []
    for text, name, spec, _ in Formatter().parse(sentence):
        parts.append(text.translate(MARKS))
        if name is not None:
            spec = spec or ""
            forms = spec.translate(MARKS) if "|" in spec or "/" in spec else spec
            parts.append(f"{{{name}:{forms}}}" if forms else f"{{{name}}}")
    return "".join(parts)


def _marked(entry: Any) -> Any:
    if isinstance(entry, str):
        return marked(entry)
    return (
        {name: _marked(each) for name, each in entry.items()} if isinstance(entry, dict) else list(map(_marked, entry))
    )


_document = tomllib.loads(files("companion.words").joinpath("languages", "en.toml").read_text(encoding="utf-8"))
MARKED = Catalogue({key: entry if key == "voice" else _marked(entry) for key, entry in _document.items()}, "en")
"""English with every letter marked."""


def unmarked(texts: Iterable[str], exempt: Iterable[str] = ()) -> Iterator[str]:
    """Yield each text in which a word of two unmarked letters or more is left once the exempt words are taken out."""
    known = any_of(frozenset(exempt))
    for text in texts:
        if re.search(r"[A-Za-z]{2}", known.sub("", text)):
            yield text


@cache
def any_of(words: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of these words, the longest one first."""
    found = (rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(words, key=len, reverse=True))
    return re.compile("|".join(found) or r"(?!)")
