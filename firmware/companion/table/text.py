"""The words of the table: phrases that its sentences share, and the description of each event."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from farkle.game import events as ev
from farkle.game.standing import side_name
from farkle.game.state import GameState
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection

SHORT = 21
FACES = ("one", "two", "three", "four", "five", "six")
MANY_FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
_COUNTS = ("no dice", "one die", "two dice", "three dice", "four dice", "five dice", "six dice")


@dataclass(frozen=True)
class Message:
    """A sentence, and its short form of at most 21 characters."""

    text: str
    short: str

    def __post_init__(self) -> None:
        if len(self.short) > SHORT:
            raise ValueError(f"expected at most {SHORT} characters, got {self.short!r}")


def faces_named(faces: Faces) -> str:
    """Return faces in words: `the four`, `the four and the six`."""
    return joined([f"the {FACES[face - 1]}" for face in faces])


def counted(number: int) -> str:
    """Return a number of dice in words: `three dice`."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else f"{number} dice"


def counted_any(numbers: tuple[int, ...]) -> str:
    """Return alternative numbers of dice in words: `one die`, `two, three or five dice`."""
    if len(numbers) == 1:
        return counted(numbers[0])
    words = [counted(number).removesuffix(" dice").removesuffix(" die") for number in numbers]
    return f"{', '.join(words[:-1])} or {words[-1]} dice"


def plural(number: int, one: str, digits: str = "") -> str:
    """Return a number with its noun: `1 point`, `2 points`; `digits` is a format such as `,` for `2,000 points`."""
    return f"{number:{digits}} {one}" if abs(number) == 1 else f"{number:{digits}} {one}s"


def clipped(text: str, longest: int = SHORT) -> str:
    """Return the text cut to `longest` characters, or to the length of a short form."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def explained(selection: Selection) -> str:
    """Return what makes the points of a selection: `three of a kind 3 3 3 = 6, single 2 = 2`."""
    return ", ".join(f"{part.name} {spaced(part.dice)} = {part.points}" for part in selection.parts)


def why(selection: Selection) -> str:
    """Return why a selection counts, short: `three of a kind, single one`, or `two single fives`."""
    kinds = Counter((part.name, part.dice[0] if len(part.dice) == 1 else 0) for part in selection.parts)
    return ", ".join(_kind(name, face, times) for (name, face), times in kinds.items())


def _kind(name: str, face: int, times: int) -> str:
    if not face:
        return name if times == 1 else f"{FACES[times - 1]} times {name}"
    return f"{name} {FACES[face - 1]}" if times == 1 else f"{FACES[times - 1]} {name} {MANY_FACES[face - 1]}"


def joined(names: list[str]) -> str:
    """Return a list in words: `Ann, Ben and Cy`."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def describe(game: GameState, events: tuple[ev.Event, ...]) -> str:
    """Describe events in words, such as `Ann banks 8: 15.`; `game` is the state after them."""
    return " ".join(filter(None, (_describe(game, event) for event in events)))


EVENT_WORDS: Mapping[str, str] = tomllib.loads(
    (files("companion.table") / "event_words.toml").read_text(encoding="utf-8")
)
"""The words of each event by its name; the braces hold its fields, see `_field`."""


def _describe(game: GameState, event: ev.Event) -> str:
    match event:
        case ev.HotDiceMade():
            return "All six count!" if game.rules.n_dice == 6 else "All dice count!"
        case ev.Farkled(in_a_row=in_a_row):
            return "Farkle." if in_a_row < 2 else f"Farkle, {in_a_row} in a row."
        case ev.TurnBanked(player=player, points=0, score=score):
            return f"{game.players[player]} stays at {score}."
        case ev.PointsGiven(points=points, side=None):
            return f"Too much: {points} to nobody."
        case ev.FinalRoundBegan(player=player):
            where = "is off the board" if game.rules.to_track_end else f"has reached {game.rules.switches.target}"
            return f"{game.players[player]} {where}: final round."
        case ev.GameEnded(loser=int(loser)):
            return f"{side_name(game, loser)} loses."
        case ev.GameEnded(winners=winners):
            won = [side_name(game, side) for side in winners]
            return f"{joined(won)} {'win' if len(won) > 1 else 'wins'}." if won else "Nobody wins."
        case _ if words := EVENT_WORDS.get(type(event).__name__):
            return words.format(**{name: _field(game, name, value) for name, value in vars(event).items()})
        case _:
            return ""


def _field(game: GameState, name: str, value: Any) -> Any:
    """Return a field of an event in words: players and sides by name, dice with spaces between their faces."""
    match name:
        case "player":
            return game.players[value]
        case "players":
            return joined([game.players[player] for player in value])
        case "side" | "other":
            return side_name(game, value)
        case "sides":
            return joined([side_name(game, side) for side in value])
        case "faces" | "dice":
            return spaced(value) if isinstance(value, tuple) else counted(value)
        case _:
            return value
