"""Checks a language's file against the English one: keys, fields and their formats, plurals, and lengths."""

import re
from collections.abc import Iterator, Sequence
from string import Formatter

from companion.words.catalogue import CAPTION, LANGUAGE, LISTS, SHORT, Catalogue

SENTENCE = 1000
"""The most characters of a sentence."""

MARKUP = frozenset('<>&"')
"""The signs of HTML. Pages take sentences as they are, also into attributes."""

CAPTIONS = ("caption.", "answer.", "menu.")
"""The sections whose sentences stand below a button."""

KINDS = {
    "": "",
    **dict.fromkeys(("+", "number", "dice", "Dice"), "number"),
    **dict.fromkeys(("face", "several"), "face"),
    **dict.fromkeys(("faces", "the", "The"), "faces"),
    **dict.fromkeys(("and", "or", "comma"), "list"),
    "dice or": "counts",
    "sentences": "said",
    "combination": "combination",
    "rule_set": "rule_set",
}
"""What a field's value is, by its format. Other formats are plurals, decimals and dates."""


def mistakes(words: Catalogue, english: Catalogue) -> Iterator[str]:
    """Yield each mistake for which a catalogue cannot be used; it begins with its key.

    A list is too short, or a key is unknown. A sentence is too long, has a sign of HTML, braces that do not match, a
    field or format that the English one has not, or a plural with too many or too few forms. A `CatalogueError` reaches
    the caller if CLDR does not know the language.
    """
    for key, length in LISTS.items():
        if length is not None and len(words.lists[key]) != length:
            yield f"{key}: expected {length} words, got {len(words.lists[key])}"
    categories = words.categories
    for key in sorted(words):
        try:
            yield from _mistakes_of(key, words, english, categories)
        except ValueError as error:  # of the formatter
            yield f"{key}: expected fields in braces, got: {error}"


def misfits(words: Catalogue) -> Iterator[str]:
    """Yield, with its key, each short form or caption whose text beside the fields alone is too long."""
    for key in sorted(words):
        text, short, _ = words.forms(key)
        most = SHORT if short != text else CAPTION if key.startswith(CAPTIONS) else SENTENCE
        if len(re.sub(r"\{[^}]*\}", "", short)) > most:
            yield f"{key}: expected at most {most} characters, got {short!r}"


def _mistakes_of(key: str, words: Catalogue, english: Catalogue, categories: Sequence[str]) -> Iterator[str]:
    if key not in english:
        yield f"{key}: expected a key of languages/{LANGUAGE}.toml"
        return
    if (longest := max(map(len, words.forms(key)))) > SENTENCE:
        yield f"{key}: expected at most {SENTENCE} characters, got {longest}"
    if signs := set("".join(words.forms(key))) & MARKUP:
        yield f"{key}: expected none of the signs {' '.join(sorted(MARKUP))}, got {min(signs)}"
    for mine, theirs in dict.fromkeys(zip(words.forms(key), english.forms(key), strict=True)):
        if unknown := {name for name, _ in formats_of(mine)} - {name for name, _ in formats_of(theirs)}:
            yield f"{key}: expected the fields of {theirs!r}, got {{{min(unknown)}}}"
        for name, spec in formats_of(mine):
            if _is_plural(spec):
                forms = len(spec.replace("/", "|").split("|"))
                if forms != len(categories) and not words.counts_as_english:
                    yield f"{key}: expected {len(categories)} forms ({', '.join(categories)}), got {spec!r}"
            elif not _fits(spec, [each for other, each in formats_of(theirs) if other == name]):
                yield f"{key}: expected a format of {theirs!r}, got {{{name}:{spec}}}"


def _fits(spec: str, english: Sequence[str]) -> bool:
    """Return whether a field may have a format: the plain one, or one for the values of the English formats."""
    kinds = {kind_of(each) for each in english}
    kinds |= {"list"} if "counts" in kinds else set()
    return not spec or spec in english or (kind_of(spec) in kinds and kind_of(spec) != "")


def formats_of(sentence: str) -> list[tuple[str, str]]:
    """Return the name and the format of each field."""
    return [(name, spec or "") for _, name, spec, _ in Formatter().parse(sentence) if name is not None]


def kind_of(spec: str) -> str:
    """Return the kind of value that a format is for; empty if it is for any."""
    if spec in KINDS:
        return KINDS[spec]
    return "number" if _is_plural(spec) else "share" if re.fullmatch(r"\.\d", spec) else "date"


def _is_plural(spec: str) -> bool:
    return "|" in spec or "/" in spec
