"""Events and selections in words, from the catalogue."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from companion.table.state.events import Event, SelectionChosen
from companion.words import CATALOGUE, many_faces, words
from farkle.errors import ContradictionError, FarkleError, SwitchValueError, TooFarError, UnknownRuleSetError
from farkle.game import events as ev
from farkle.game.standing import side_name
from farkle.game.state import GameState
from farkle.rules.scoring import Selection


def plural(number: int, one: str, digits: str = "") -> str:
    """Return a number with its noun: `1 point`, `2 points`; `digits` is a format such as `,` for `2,000 points`."""
    return f"{number:{digits}} {one}" if abs(number) == 1 else f"{number:{digits}} {one}s"


def explained(selection: Selection) -> str:
    """Return what makes the points of a selection: `three of a kind 3 3 3 = 6, single 2 = 2`."""
    return explanations([selection])[selection][0]


def explanations(selections: Collection[Selection]) -> dict[Selection, tuple[str, str]]:
    """Return for each selection what makes its points, as `explained` does, and why it counts, short.

    The second is such as `three of a kind, single one`, or `two single fives`. Selections of one roll share their
    parts, so each part is put in words once.
    """
    counts = {each: _kinds(each) for each in selections}
    parts = {part for each in selections for part in each.parts}
    points = {part: words("why.part", name=part.name, dice=part.dice, points=part.points) for part in parts}
    counted = {item for kinds in counts.values() for item in kinds.items()}
    whys = {(kind, times): _kind(*kind, times) for kind, times in counted}
    return {
        each: (", ".join([points[part] for part in each.parts]), ", ".join([whys[kind] for kind in kinds.items()]))
        for each, kinds in counts.items()
    }


def _kinds(selection: Selection) -> Counter[tuple[str, int]]:
    """Return how often each kind of combination is in a selection: its name, and the face of a single die or 0."""
    return Counter([(part.name, part.dice[0] if len(part.dice) == 1 else 0) for part in selection.parts])


def _kind(name: str, value: int, times: int) -> str:
    if not value:
        return name if times == 1 else words("why.several", name=name, times=times)
    if times == 1:
        return words("why.single", name=name, face=value)
    return words("why.singles", name=name, times=times, faces=many_faces(value))


def standing(game: GameState) -> str:
    """Return the scores of all sides: `Ann 40, Ben 38`."""
    sides = enumerate(game.sides)
    return ", ".join(words("terminal.score", name=side_name(game, index), score=side.score) for index, side in sides)


def in_plain_words(error: FarkleError) -> str:
    """Return why the rules refuse something, for players."""
    match error:
        case SwitchValueError(name=name, allowed=allowed, value=value):
            return words("lobby.switch_value", switch=name, allowed=allowed, value=value)
        case TooFarError(target=target, track=track, points_a_hole=ratio, most=most, needed=needed):
            return words("lobby.too_far", target=target, track=track, ratio=ratio, most=most, needed=needed)
        case ContradictionError(reason=reason):
            return words("lobby.contradiction", reason=reason)
        case UnknownRuleSetError(keys=keys) if keys:
            return words("lobby.several_rules", names=keys)
        case UnknownRuleSetError():
            return words("lobby.no_such_rules")
        case _:
            return str(error)


def describe(game: GameState, events: tuple[Event, ...]) -> str:
    """Describe events in words, such as `Ann banks 8 and has 15.`; `game` is the state after them."""
    return " ".join(filter(None, (_describe(game, event) for event in events)))


def _describe(game: GameState, event: Event) -> str:
    key = _key(event)
    if key not in CATALOGUE["event"]:
        return ""
    fields = {name: _field(game, name, value) for name, value in vars(event).items()}
    match event:
        case ev.HotDiceMade():
            fields["dice"] = game.rules.n_dice
        case ev.FinalRoundBegan():
            fields["target"] = game.rules.switches.target
    return words(f"event.{key}", **fields)


def _key(event: Event) -> str:
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
