"""The spoken sentences: call-outs of what has just happened, from a language's catalogue of phrases.

A call-out explains the score: "three fours, eight; one, one; nine at risk". Texts without phrases in the catalogue,
such as questions, are spoken as the table writes them. Pure, except for reading the catalogue.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import Any

from companion.errors import ConfigError
from companion.table.state.cues import Cue, CueKind
from companion.table.view import View
from farkle.rules.combinations import Combination

LANGUAGE = "en"
SILENT = frozenset({CueKind.SETTLED, CueKind.BUMPED})
"""Cues with a tone and no words."""


@dataclass(frozen=True)
class Catalogue:
    """The phrases of one language."""

    voice: str
    numbers: tuple[str, ...]
    one_face: tuple[str, ...]
    many_faces: tuple[str, ...]
    combinations: Mapping[str, str]
    say: Mapping[str, str]

    def number(self, number: int) -> str:
        """Return the word of a number."""
        return self.numbers[number] if 0 <= number < len(self.numbers) else str(number)

    def joined(self, names: Sequence[str]) -> str:
        """Return names as a list in words: `Ann, Ben and Cy`."""
        if len(names) < 2:
            return "".join(names)
        return self.say["and"].format(first=", ".join(names[:-1]), last=names[-1])

    def part(self, part: Combination) -> str:
        """Return a combination and its points: `three fours, eight`."""
        what = self.combinations.get(part.name)
        if what is None and len(set(part.dice)) == 1:
            faces = self.one_face if len(part.dice) == 1 else self.many_faces
            count = "" if len(part.dice) == 1 else f"{self.number(len(part.dice))} "
            what = f"{count}{faces[part.dice[0] - 1]}"
        return self.say["part"].format(what=what or part.name, points=self.number(part.points))


def languages() -> tuple[str, ...]:
    """Return the languages that come with the program."""
    folder = resources.files("companion").joinpath("languages")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def load_catalogue(language: str = LANGUAGE) -> Catalogue:
    """Return the catalogue of a language that comes with the program, or of a file that ends in `.toml`.

    Raises:
        ConfigError: if there is no such catalogue, a key is missing, or a sentence has a `{name}` that the
            English sentence lacks.
    """
    if language.endswith(".toml"):
        try:
            text = Path(language).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise ConfigError(f"sound.language: expected a file of words, got {language!r}: {error}") from error
    elif language in languages():
        text = resources.files("companion").joinpath("languages", f"{language}.toml").read_text(encoding="utf-8")
    else:
        known = ", ".join(languages())
        raise ConfigError(f"sound.language: expected one of {known}, or a .toml file, got {language!r}")
    try:
        found = catalogue_of(tomllib.loads(text))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"{language}: expected the words as in languages/{LANGUAGE}.toml, got: {error}") from error
    if language != LANGUAGE:
        _check(found, load_catalogue(), language)
    return found


def catalogue_of(table: Mapping[str, Any]) -> Catalogue:
    """Return the catalogue of a TOML document.

    Raises:
        ValueError: if there is not a word for each of the six faces.
    """
    words = {key: tuple(map(str, table[key])) for key in ("numbers", "one_face", "many_faces")}
    for key in ("one_face", "many_faces"):
        if len(words[key]) != 6:
            raise ValueError(f"{len(words[key])} words as {key!r} in place of six")
    return Catalogue(
        voice=str(table["voice"]),
        combinations={str(key): str(word) for key, word in table["combinations"].items()},
        say={str(key): str(word) for key, word in table["say"].items()},
        **words,
    )


def _check(found: Catalogue, english: Catalogue, language: str) -> None:
    for key, sentence in english.say.items():
        if key not in found.say:
            raise ConfigError(f"{language}: say.{key}: expected words for {sentence!r}, got none")
        if _braces(found.say[key]) - _braces(sentence):
            raise ConfigError(f"{language}: say.{key}: expected the braces of {sentence!r}, got {found.say[key]!r}")
    missing = sorted(set(english.combinations) - set(found.combinations))
    if missing:
        raise ConfigError(f"{language}: combinations: expected words for {missing[0]!r}, got none")


def _braces(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def call_out(words: Catalogue, view: View, cues: Sequence[Cue]) -> str:
    """Return the sentences of an update's cues, each once."""
    sentences = dict.fromkeys(_sentence(words, view, cue) for cue in cues)
    return re.sub(r"([?!])\.", r"\1", ". ".join(filter(None, sentences)))


def _sentence(words: Catalogue, view: View, cue: Cue) -> str:
    say = words.say
    match cue.kind:
        case kind if kind in SILENT:
            return ""
        case CueKind.CHOSEN:
            return _set_aside(words, view)
        case CueKind.HOT_DICE:
            return say["hot_dice"]
        case CueKind.FARKLE:
            return _farkle(words, view)
        case CueKind.BANK:
            return _bank(words, view) or cue.text.rstrip(".")
        case CueKind.FINAL_ROUND:
            return say["final_round"]
        case CueKind.GAME_OVER:
            return _over(words, view)
        case CueKind.TURN if not cue.text or cue.text == view.message.told:
            return say["turn"].format(name=view.to_move) if view.to_move else ""
        case _:
            return cue.text.rstrip(".")


def _set_aside(words: Catalogue, view: View) -> str:
    chosen = view.chosen
    if chosen is None:
        return words.say["nothing_counts"] if view.shelf else ""
    parts = words.say["between"].join(words.part(part) for part in chosen.made)
    return words.say["set_aside"].format(parts=parts, risk=words.number(view.turn_points + chosen.points))


def _farkle(words: Catalogue, view: View) -> str:
    name = view.last.player if view.last else ""
    times = next((player.farkles for player in view.players if player.name == name), 1)
    return words.say["farkle" if times < 2 else "farkle_again"].format(times=words.number(times))


def _bank(words: Catalogue, view: View) -> str:
    if view.last is None or view.last.kind != "bank":
        return ""
    name, points = view.last.player, view.last.points
    score = next((player.score for player in view.players if player.name == name), 0)
    key = "bank" if points else "stays"
    return words.say[key].format(name=name, points=words.number(points), score=words.number(score))


def _over(words: Catalogue, view: View) -> str:
    if view.loser is not None:
        return words.say["lost"].format(name=view.loser)
    key = ("nobody_won", "won", "won_together")[min(len(view.winners), 2)]
    return words.say[key].format(names=words.joined(view.winners))
