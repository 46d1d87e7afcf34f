"""The catalogue: every sentence that players read or hear in one language, from a file of `languages/`.

`web/static/words.js` does the same for the scripts of the page, in the same format.

A key names section and sentence, such as `prompt.to_throw`. A sentence stands alone, or in a list with its short form
and with what the voice says in its place. Fields in braces hold names, numbers and other messages, in these formats:

- `{points}`: a number with the separators of the language: `1,250`; a name or message as it is
- `{points:point|points}`: a number with its noun: `1 point`, `2 points`; the forms are in the order of CLDR's plural
  categories (zero, one, two, few, many, other), as many as the language has
- `{names:wins/win}`: the same without the number, for a number or for the length of a list; `#` in a form is the number
  in words, as in `{dice:one die/# dice}`
- `{points:+}`: a number with its sign; `{share:.1}`: a number with this many decimals
- `{dice:dice}`, `{dice:Dice}`: a number of dice: `one die`, `Two dice`
- `{counts:dice or}`: one of several numbers of dice: `one or two dice`
- `{number:number}`: a number in words, up to the last of `numbers`
- `{face:face}`, `{face:several}`, `{faces:faces}`, `{faces:the}`, `{faces:The}`: `four`, `fours`, `2 3 3`, `the two and
  the three`
- `{names:and}`, `{names:or}`, `{parts:comma}`, `{said:sentences}`: a list: `Ann, Ben and Cy`
- `{day:d MMM y}`: a date, in a pattern of CLDR
- `{name:combination}`, `{rules:rule_set}`: a combination or a rule set, by the name that the rules give it
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date, datetime
from functools import cached_property, lru_cache, partial
from operator import is_
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeVar

from companion.words.message import Message, Text

if TYPE_CHECKING:
    from babel import Locale

T = TypeVar("T")

LANGUAGE = "en"
"""The language of the catalogue that has every sentence."""

SHORT = 21
"""The most characters of a short form."""

CAPTION = 24
"""The most characters of a caption."""

REMEMBERED = 1024
"""The most numbers that a catalogue remembers formatted: requests from the network can name any number."""

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of CLDR, in its order."""

COUNTED = (*range(200), *range(200, 1000, 100), *range(1000, 1_000_000, 1000))
"""Whole numbers that have all plural categories below a million. Some languages have another one for millions."""

LISTS = {"numbers": None, "one_face": 6, "many_faces": 6}
"""The lists of words at the head of a catalogue, with the length that each must have."""


class CatalogueError(ValueError):
    """A catalogue that cannot be used: the text names the key, what was expected and what came."""


class Catalogue:
    """The words of one language. What a file lacks is said in English."""

    def __init__(self, document: Mapping[str, Any], code: str, english: "Catalogue | None" = None) -> None:
        """Read a document.

        Args:
            document: The TOML document of a file of words. Its `locale` names the language of CLDR whose plurals and
                numbers hold, where that is another than the code's.
            code: The language's code (BCP 47), such as `en` or `pt-BR`.
            english: The catalogue that says what the document lacks; None if the document is English.

        Raises:
            CatalogueError: if the head lacks a key, or an entry is neither a text nor a list of one to three texts.
        """
        if lacking := [key for key in ("voice", *LISTS) if key not in document]:
            raise CatalogueError(f"expected {', '.join(lacking)} at the head of the file, got none")
        self.code = code.replace("_", "-")
        self.rules = str(document.get("locale", code)).replace("-", "_")
        self.voice = str(document["voice"])
        self._english = english
        self.lists = {key: tuple(map(str, document[key])) for key in LISTS}
        self._sections = {
            section: {name: _forms(f"{section}.{name}", entry) for name, entry in entries.items()}
            for section, entries in document.items()
            if isinstance(entries, Mapping)
        }
        self._formatter = _Fields(self)
        self._whole = lru_cache(REMEMBERED)(partial(self._decimal, pattern="#,##0"))
        self._category = lru_cache(REMEMBERED)(self._category_of)

    def __call__(self, key: str, /, **fields: object) -> str:
        """Return the sentence of a key with its fields filled in."""
        return self._filled(self.forms(key)[0], fields)

    def text(self, said: Text) -> str:
        """Return a message in this language, in the form that it asks for; other text as it is."""
        if isinstance(said, str):
            return said
        if not said.key:
            return ""
        text, short, spoken = self.forms(said.key)
        match said.form:
            case "short":
                return clipped(self._filled(short, said.fields), SHORT)
            case "caption":
                return clipped(self._filled(text, said.fields), CAPTION)
            case form:
                return self._filled(spoken if form == "spoken" else text, said.fields)

    def rendered(self, value: T) -> T:
        """Return a dataclass, tuple or dictionary with each message in it rendered in this language."""
        found: Any = self._rendered(value)
        rendered: T = found
        return rendered

    def forms(self, key: str) -> tuple[str, str, str]:
        """Return the sentence of a key, its short form and its spoken form, with their fields in braces.

        Raises:
            KeyError: if there is no such sentence.
        """
        section, _, name = key.partition(".")
        found = self._sections.get(section, {}).get(name)
        if found is not None:
            return found
        if self._english is None:
            raise KeyError(key)
        return self._english.forms(key)

    def __contains__(self, key: str) -> bool:
        """Return whether there is a sentence of this key."""
        section, _, name = key.partition(".")
        return name in self._sections.get(section, {}) or (self._english is not None and key in self._english)

    def __iter__(self) -> Iterator[str]:
        """Yield the keys of this language's own sentences."""
        for section, entries in self._sections.items():
            for name in entries:
                yield f"{section}.{name}"

    def section(self, name: str) -> dict[str, str]:
        """Return the sentences of a section, without their fields filled in, by their names."""
        names = self._english.section(name) if self._english else self._sections[name]
        return {each: self.forms(f"{name}.{each}")[0] for each in names}

    def for_scripts(self, *names: str) -> dict[str, object]:
        """Return what the scripts of a page need: these sections, the lists, and whose numbers and plurals hold."""
        return (
            {"locale": str(self._locale).replace("_", "-"), "categories": self.categories}
            | {key: self.lists[key] for key in LISTS}
            | {name: self.section(name) for name in ("list", "dice", *names)}
        )

    def decimal(self, value: float, places: int | None = None) -> str:
        """Return a number with the separators of the language."""
        return self._decimal(value, f"#,##0.{'0' * places}") if places else self._whole(value)

    def aloud(self, text: str) -> str:
        """Return a text as a voice reads it well: numbers without separators, a word for the minus, names respelled."""
        from babel.numbers import get_group_symbol

        text = re.sub(rf"(?<=\d){re.escape(get_group_symbol(self._locale))}(?=\d{{3}})", "", text)
        text = re.sub(r"(?<!\w)-(?=\d)", f"{self('aloud.minus')} ", text)
        return re.sub(r"\b(KEEP|ROLL|BANK|[Ff]arkle)\b", lambda name: self(f"aloud.{name[0]}"), text)

    def day(self, value: date, pattern: str) -> str:
        """Return a date, or a date and time, in a pattern of CLDR such as `d MMM y`."""
        from babel.dates import format_date, format_datetime

        return (format_datetime if isinstance(value, datetime) else format_date)(value, pattern, locale=self._locale)

    def number(self, value: int) -> str:
        """Return a number in words, as far as the language's list goes, else in figures."""
        words = self.lists["numbers"]
        return words[value] if 0 <= value < len(words) else self.decimal(value)

    def face(self, value: int) -> str:
        """Return the word of a face."""
        return self.lists["one_face"][value - 1]

    def many_faces(self, value: int) -> str:
        """Return the word of several dice of a face: `fives`."""
        return self.lists["many_faces"][value - 1]

    def dice(self, count: int) -> str:
        """Return a number of dice in words: `three dice`."""
        return self("dice.count", number=count)

    def combination(self, name: str, section: str = "combination") -> str:
        """Return a combination's name, by the name that the rules give it; an unknown name as it is."""
        key = f"{section}.{name}"
        return self(key) if key in self else name

    def shown(self, value: object) -> str:
        """Return a message, a number or a name as a sentence shows it."""
        if isinstance(value, Message):
            return self.text(value)
        return self.decimal(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)

    def listed(self, names: Sequence[object], join: str = "list.and") -> str:
        """Return a list in words: `Ann, Ben and Cy`."""
        *first, last = map(self.shown, names)
        return self(join, first=self.text_of_list(first), last=last) if first else last

    def text_of_list(self, names: Sequence[object], between: str = "list.comma") -> str:
        """Return names with what stands between two of them."""
        return self.forms(between)[0].join(map(self.shown, names))

    def plural(self, count: float, forms: Sequence[str]) -> str:
        """Return the form for a number, out of one for each plural category of the language.

        A sentence that the language lacks comes in English, with the forms of English.
        """
        if self._english is not None and len(forms) != len(self.categories):
            return self._english.plural(count, forms)
        return forms[self._category(count)]

    def _category_of(self, count: float) -> int:
        category = self._locale.plural_form(abs(count))
        return self.categories.index(category if category in self.categories else "other")

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The plural categories that whole numbers below a million have in the language, in CLDR's order."""
        met = {"other", *map(self._locale.plural_form, COUNTED)}
        return tuple(filter(met.__contains__, CATEGORIES))

    @property
    def direction(self) -> str:
        """The direction of the language's script, as HTML says it: `ltr` or `rtl`."""
        return self._locale.text_direction

    @cached_property
    def _locale(self) -> "Locale":
        from babel import Locale, UnknownLocaleError  # here, as most commands say no sentence

        try:
            return Locale.parse(self.rules)
        except (UnknownLocaleError, ValueError) as error:
            if isinstance(error, UnknownLocaleError) and re.match("[a-z]{2,3}(?![a-z])", self.rules):
                return Locale.parse(LANGUAGE)  # the Debian package has the data of its own languages alone
            raise CatalogueError(
                f"locale: expected a language's code such as 'de' or 'pt_BR', got {self.rules!r}"
            ) from error

    @property
    def counts_as_english(self) -> bool:
        """Whether Babel lacks the data of the language, so that numbers, dates and plurals are those of English."""
        return self._locale.language == LANGUAGE and not self.rules.startswith(LANGUAGE)

    def _decimal(self, value: float, pattern: str) -> str:
        from babel.numbers import format_decimal, get_minus_sign_symbol

        text = format_decimal(abs(value), pattern, self._locale)
        return get_minus_sign_symbol(self._locale) + text if value < 0 else text

    def _filled(self, sentence: str, given: Mapping[str, object]) -> str:
        return self._formatter.vformat(sentence, (), given) if "{" in sentence else sentence

    def _rendered(self, value: Any) -> Any:
        if isinstance(value, Message):
            return self.text(value)
        if isinstance(value, tuple) and value:
            found = tuple(map(self._rendered, value))
            return value if all(map(is_, found, value)) else found
        if isinstance(value, dict):
            return {key: self._rendered(each) for key, each in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            kept = {each.name: getattr(value, each.name) for each in fields(value)}
            changed = {name: now for name, was in kept.items() if (now := self._rendered(was)) is not was}
            return replace(value, **changed) if changed else value
        return value


class _Fields(Formatter):
    """Formats the fields of sentences; the module's docstring lists the formats."""

    def __init__(self, words: Catalogue) -> None:
        self._words = words
        self.formats: dict[str, Callable[[Any], str]] = {
            "": words.shown,
            "+": lambda value: f"+{words.decimal(value)}" if value > 0 else words.decimal(value),
            "dice": words.dice,
            "Dice": lambda value: _capital(words.dice(value)),
            "dice or": self._dice_or,
            "number": words.number,
            "face": words.face,
            "several": words.many_faces,
            "faces": lambda value: " ".join(map(str, value)),
            "the": self._the,
            "The": lambda value: _capital(self._the(value)),
            "and": words.listed,
            "or": lambda value: words.listed(value, "list.or"),
            "comma": words.text_of_list,
            "sentences": lambda value: words.text_of_list(value, "list.space"),
            "combination": words.combination,
            "rule_set": lambda value: words.combination(value, "rule_set"),
        }

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a field in its format."""
        if known := self.formats.get(format_spec):
            return known(value)
        if isinstance(value, date):
            return self._words.day(value, format_spec)
        if format_spec.startswith("."):
            return self._words.decimal(value, int(format_spec[1:]))
        if isinstance(value, str | Message):
            return self._words.shown(value)  # text has no plural
        if "|" in format_spec:
            return f"{self._words.decimal(value)} {self._words.plural(value, format_spec.split('|'))}"
        count = len(value) if isinstance(value, Sequence) else value
        form = self._words.plural(count, format_spec.split("/"))
        return form.replace("#", self._words.number(count)) if "#" in form else form

    def _dice_or(self, counts: Sequence[int]) -> str:
        if len(counts) == 1:
            return self._words.dice(counts[0])
        *first, last = counts
        return self._words.listed([*map(self._words.number, first), self._words.dice(last)], "list.or")

    def _the(self, faces: Sequence[int]) -> str:
        return self._words.listed([self._words("dice.the", face=each) for each in faces])


def clipped(text: str, longest: int) -> str:
    """Return the text cut to `longest` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _forms(key: str, entry: object) -> tuple[str, str, str]:
    match entry:
        case str(text) | [str(text)]:
            return text, text, text
        case [str(text), str(short)]:
            return text, short, text
        case [str(text), str(short), str(spoken)]:
            return text, short, spoken
    raise CatalogueError(f"{key}: expected a text, or a list of one to three, got {entry!r}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
