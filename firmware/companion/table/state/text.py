"""Events and selections in words, from the catalogue."""

from collections import Counter
from collections.abc import Iterable
from itertools import starmap
from typing import Any

from companion.table.state.events import Event, SelectionChosen
from companion.words import NOTHING, Message, Text, english, joined, message
from farkle.errors import FarkleError
from farkle.game import events as ev
from farkle.game.commands import Command
from farkle.game.machine import verify
from farkle.game.standing import side_name
from farkle.game.state import GameState
from farkle.rules.combinations import Combination
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection


def plural(number: int, one: str, digits: str = "") -> str:
    """Return a number with its noun: `1 point`, `2 points`; `digits` is a format such as `,` for `2,000 points`."""
    return f"{number:{digits}} {one}" if abs(number) == 1 else f"{number:{digits}} {one}s"


def explained(selection: Selection) -> Text:
    """Return what makes the points of a selection: `three of a kind 3 3 3 = 6, single 2 = 2`."""
    return message("why.all", parts=tuple(map(_points, selection.parts)))


def named_dice(faces: Faces) -> tuple[Message, ...]:
    """Return dice in words, the same faces together: `the one`, `the two fives`."""
    counts = sorted(Counter(faces).items())
    return tuple(
        [
            message("dice.the", face=face) if count == 1 else message("bot.several_dice", count=count, face=face)
            for face, count in counts
        ]
    )


def reason(selection: Selection) -> Text:
    """Return why a selection counts, short: `three of a kind, single one`, or `two single fives`."""
    kinds = Counter([(part.name, part.dice[0] if len(part.dice) == 1 else 0) for part in selection.parts])
    return message("why.all", parts=tuple(starmap(_kind, kinds.items())))


def _points(part: Combination) -> Text:
    return message("why.part", name=part.name, dice=part.dice, points=part.points)


def _kind(kind: tuple[str, int], times: int) -> Text:
    """Return one kind of combination: its name, and the face of a single die or 0."""
    name, value = kind
    if not value:
        return message("why.once", name=name) if times == 1 else message("why.several", name=name, times=times)
    if times == 1:
        return message("why.single", name=name, face=value)
    return message("why.singles", name=name, times=times, face=value)


def standing(game: GameState) -> Text:
    """Return the scores of all sides: `Ann 40, Ben 38`."""
    return standing_of((side_name(game, index), side.score) for index, side in enumerate(game.sides))


def standing_of(scores: Iterable[tuple[str, int]]) -> Text:
    """Return scores by name: `Ann 40, Ben 38`."""
    return message(
        "list.all", names=tuple([message("terminal.score", name=name, score=score) for name, score in scores])
    )


def in_plain_words(error: FarkleError) -> Text:
    """Return why the rules refuse something, for players; what no player can cause stays in English."""
    return message(f"rules.{error.code}", **error.fields) if error.code else str(error)


def why_not(game: GameState, command: Command) -> Text | None:
    """Return why the rules refuse a command now, or None if they allow it."""
    error = verify(game, command)
    return None if error is None else in_plain_words(error)


def describe(game: GameState, events: tuple[Event, ...]) -> Text:
    """Describe events in words, such as `Ann banks 8 and has 15.`; `game` is the state after them."""
    return joined(*(_describe(game, event) for event in events))


def _describe(game: GameState, event: Event) -> Text:
    key = f"event.{_key(game, event)}"
    if key not in english():
        return NOTHING
    fields = {name: _field(game, name, value) for name, value in vars(event).items()}
    match event:
        case ev.HotDiceMade():
            fields["dice"] = game.rules.n_dice
        case ev.FinalRoundBegan():
            fields["target"] = game.rules.switches.target
    return message(key, **fields)


def _key(game: GameState, event: Event) -> str:
    """Return the key of an event's words: its name, and in some cases what is special about it."""
    name = type(event).__name__
    match event:
        case ev.Farkled(in_a_row=in_a_row) if in_a_row > 1:
            return f"{name}Again"
        case SelectionChosen(dice=()):
            return f"{name}Nothing"
        case ev.TurnBanked(points=0):
            return f"{name}Nothing"
        case ev.PointsGiven(side=None):
            return f"{name}ToNobody"
        case ev.FinalRoundBegan() if game.rules.ending == "defend":
            return f"{name}Defended"
        case ev.FinalRoundBegan() if game.rules.ends_with_one_throw:
            return f"{name}OneThrow"
        case ev.GameEnded(loser=int()):
            return f"{name}WithLoser"
        case ev.GameEnded(winners=()):
            return f"{name}WithoutWinner"
        case _:
            return name


def _field(game: GameState, name: str, value: Any) -> Any:
    """Return a field of an event in words: players and sides by name."""
    match name:
        case "player":
            return game.players[value]
        case "players":
            return [game.players[player] for player in value]
        case "side" | "other" | "loser" if value is not None:
            return side_name(game, value)
        case "sides" | "winners":
            return [side_name(game, side) for side in value]
        case _:
            return value
