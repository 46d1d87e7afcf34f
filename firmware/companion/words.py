"""The words of the table: every sentence that players read or hear, from the catalogue `languages/en.toml`.

`web/static/words.js` does the same for the scripts of the page.

A key names section and sentence, such as `prompt.to_throw`. A sentence stands alone, or in a list with its short form
and with what the voice says in its place. Fields in braces hold names and numbers, in these formats:

- `{points:point|points}`: a number with its noun: `1 point`, `2 points`
- `{names:wins/win}`: the word for one or for several, without the number; also for a list
- `{dice:dice}`, `{dice:Dice}`: a number of dice: `one die`, `Two dice`
- `{counts:dice or}`: one of several numbers of dice: `one or two dice`
- `{number:number}`: a number in words up to twenty
- `{face:face}`, `{faces:faces}`, `{faces:the}`, `{faces:The}`: `four`, `2 3 3`, `the two and the three`
- `{names:and}`, `{names:or}`: a list: `Ann, Ben and Cy`
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from string import Formatter
from typing import Any

from farkle.rules.dice import spaced

LANGUAGE = "en"
SHORT = 21
"""The most characters of a short form."""


@dataclass(frozen=True)
class Message:
    """A sentence, its short form of at most 21 characters, and what the voice says in its place."""

    text: str
    short: str
    spoken: str

    def __post_init__(self) -> None:
        if len(self.short) > SHORT:
            raise ValueError(f"expected at most {SHORT} characters, got {self.short!r}")


def words(key: str, **fields: object) -> str:
    """Return the sentence of a key with its fields put in."""
    return _FIELDS.vformat(forms(key)[0], (), fields)


def message(key: str, **fields: object) -> Message:
    """Return the sentence of a key with its short form and its spoken form; without them they are the sentence."""
    text, short, spoken = (_FIELDS.vformat(form, (), fields) for form in forms(key))
    return Message(text, clipped(short), spoken)


def forms(key: str) -> tuple[str, str, str]:
    """Return the sentence of a key, its short form and its spoken form, with their fields in braces."""
    section, _, name = key.partition(".")
    entry = CATALOGUE[section][name]
    given = (entry,) if isinstance(entry, str) else tuple(entry)
    text, short, spoken = (*given, *(given[0],) * (3 - len(given)))
    return text, short, spoken


def clipped(text: str, longest: int = SHORT) -> str:
    """Return the text cut to `longest` characters, or to the length of a short form."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def joined(names: Sequence[str], join: str = "dice.and") -> str:
    """Return a list in words: `Ann, Ben and Cy`."""
    if len(names) < 2:
        return "".join(names)
    return words(join, first=", ".join(names[:-1]), last=names[-1])


def number(value: int) -> str:
    """Return a number in words up to twenty, else in figures."""
    return str(CATALOGUE["numbers"][value]) if 0 <= value < len(CATALOGUE["numbers"]) else str(value)


def face(value: int) -> str:
    """Return the word of a face."""
    return str(CATALOGUE["one_face"][value - 1])


def many_faces(value: int) -> str:
    """Return the word of several dice of a face: `fives`."""
    return str(CATALOGUE["many_faces"][value - 1])


def counted(count: int) -> str:
    """Return a number of dice in words: `three dice`."""
    return words("dice.one" if count == 1 else "dice.many", number=number(count))


class _Fields(Formatter):
    """Formats the fields of sentences; the module's docstring lists the formats."""

    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec:
            case "dice":
                return counted(value)
            case "Dice":
                return counted(value).capitalize()
            case "dice or":
                if len(value) == 1:
                    return counted(value[0])
                return words("dice.many", number=joined([number(each) for each in value], "dice.or"))
            case "number":
                return number(value)
            case "face":
                return face(value)
            case "faces":
                return spaced(value)
            case "the" | "The":
                named = joined([words("dice.the", face=face(each)) for each in value])
                return named if format_spec == "the" else named.capitalize()
            case "and":
                return joined(value)
            case "or":
                return joined(value, "dice.or")
            case _ if "|" in format_spec:
                one, many = format_spec.split("|")
                return f"{value} {one if abs(value) == 1 else many}"
            case _ if "/" in format_spec:
                one, many = format_spec.split("/")
                return one if (abs(value) if isinstance(value, int) else len(value)) == 1 else many
            case _:
                return str(super().format_field(value, format_spec))


_FIELDS = _Fields()

CATALOGUE: Mapping[str, Any] = tomllib.loads(
    resources.files("companion").joinpath("languages", f"{LANGUAGE}.toml").read_text(encoding="utf-8")
)
"""The English catalogue."""
