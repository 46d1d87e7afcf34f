"""Speech: what is said aloud of what just happened, in the words of a language's catalogue.

A call-out explains the score: "three fours, eight; one, one; nine at risk". What has no words in the catalogue, such as
a question, is said as the table writes it. Pure but for reading the catalogue.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import Any

from companion.errors import ConfigError
from companion.table.cues import Cue, CueKind
from companion.table.view import PartView, View

LANGUAGE = "en"
SILENT = frozenset({CueKind.SETTLED, CueKind.BUMPED})
"""Cues that are a tone and no words."""


@dataclass(frozen=True)
class Catalogue:
    """The words of one language."""

    voice: str
    numbers: tuple[str, ...]
    one_face: tuple[str, ...]
    many_faces: tuple[str, ...]
    combinations: Mapping[str, str]
    say: Mapping[str, str]

    def number(self, number: int) -> str:
        """A number as it is said."""
        return self.numbers[number] if 0 <= number < len(self.numbers) else str(number)

    def joined(self, names: Sequence[str]) -> str:
        """`Ann, Ben and Cy`."""
        if len(names) < 2:
            return "".join(names)
        return self.say["and"].format(first=", ".join(names[:-1]), last=names[-1])

    def part(self, part: PartView) -> str:
        """A combination and what it is worth: `three fours, eight`."""
        what = self.combinations.get(part.name)
        if what is None and len(set(part.dice)) == 1:
            faces = self.one_face if len(part.dice) == 1 else self.many_faces
            count = "" if len(part.dice) == 1 else f"{self.number(len(part.dice))} "
            what = f"{count}{faces[part.dice[0] - 1]}"
        return self.say["part"].format(what=what or part.name, points=self.number(part.points))


def languages() -> tuple[str, ...]:
    """The languages that come with the program."""
    folder = resources.files("companion").joinpath("languages")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def load_catalogue(language: str = LANGUAGE) -> Catalogue:
    """The catalogue of a language that comes with the program, or of a file that ends in `.toml`.

    Raises `ConfigError` where there is none, and where a key is missing or has other braces than the English one.
    """
    if language.endswith(".toml"):
        try:
            text = Path(language).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"sound.language: expected a file of words, got {language!r}: {error}") from error
    elif language in languages():
        text = resources.files("companion").joinpath("languages", f"{language}.toml").read_text(encoding="utf-8")
    else:
        known = ", ".join(languages())
        raise ConfigError(f"sound.language: expected one of {known}, or a .toml file, got {language!r}")
    try:
        found = catalogue_of(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{language}: expected the words as in languages/{LANGUAGE}.toml, got: {error}") from error
    if language != LANGUAGE:
        _check(found, load_catalogue(), language)
    return found


def catalogue_of(table: Mapping[str, Any]) -> Catalogue:
    """The catalogue of a TOML document."""
    texts = {key: tuple(str(word) for word in table[key]) for key in ("numbers", "one_face", "many_faces")}
    for key in ("one_face", "many_faces"):
        if len(texts[key]) != 6:
            raise ValueError(f"six words as {key!r}, not {len(texts[key])}")
    return Catalogue(
        voice=str(table["voice"]),
        combinations={str(key): str(word) for key, word in table["combinations"].items()},
        say={str(key): str(word) for key, word in table["say"].items()},
        **texts,
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
    """What is said of an update: a sentence for each cue that has one."""
    said: list[str] = []
    for cue in cues:
        sentence = _sentence(words, view, cue)
        if sentence and sentence not in said:
            said.append(sentence)
    return ". ".join(said)


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
    if times < 2:
        return words.say["farkle"]
    return words.say["farkle_again"].format(times=words.number(times))


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
    if not view.winners:
        return words.say["nobody_won"]
    key = "won" if len(view.winners) == 1 else "won_together"
    return words.say[key].format(names=words.joined(view.winners))
