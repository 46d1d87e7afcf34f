"""The replay of a written game: its moves checked against the rules, and the record of every turn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from farkle.game import events as ev
from farkle.game.evolve import evolve
from farkle.game.state import GameState
from farkle.notation import read
from farkle.rules.catalogue import find_rule_set
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class ThrowRecord:
    """One throw: the faces as thrown, the kept dice (empty for a farkle), and the points scored."""

    roll: Faces
    kept: Faces
    points: int


@dataclass(frozen=True)
class TurnRecord:
    """One turn. `ended` is "bank", "farkle", "win" after six 1s that end the game, or None while under way.

    `score` and `farkles` are the side's and the player's after the turn, `scores` those of all sides.
    """

    player: int
    throws: tuple[ThrowRecord, ...]
    points: int
    ended: str | None
    score: int
    farkles: int
    scores: tuple[int, ...]
    events: tuple[ev.Event, ...]


@dataclass(frozen=True)
class Replay:
    """A replayed game: all events, the turns they make, and the state at the end.

    `bots` holds the kinds of the players whom a program played, by name.
    """

    events: tuple[ev.Event, ...]
    turns: tuple[TurnRecord, ...]
    state: GameState
    bots: Mapping[str, str] = field(default_factory=dict)


def replay(text: str, find: Callable[[str], RuleSet] = find_rule_set) -> Replay:
    """Play a written game.

    Raises `NotationError`, through `Piece.fail`, with the place of the first move that cannot be read or played.

    Args:
        text: the game in notation.
        find: returns the rule set of the name after `rules:`.
    """
    course, bots = read(text, find)
    return Replay(tuple(course.events), turns_of(course.events), course.state, bots)


_END = (ev.TurnBanked, ev.Farkled, ev.SixOnesThrown)
_BEGIN = (ev.PiggybackTaken, ev.DiceRolled, ev.PointsCounted, ev.FarkleCounted)

TABLE_ACTS = (ev.ScoreAdjusted, ev.PlayerJoined, ev.PlayerLeft, ev.TurnSkipped, ev.TurnGiven)
"""The table's own acts, which come between turns and belong to none."""


def states_of(events: Sequence[ev.Event]) -> Iterator[GameState]:
    """Return the game after each of its events, from its start."""
    return accumulate(events[1:], evolve, initial=evolve(None, events[0]))


def turns_of(events: Sequence[ev.Event], states: Iterable[GameState] | None = None) -> tuple[TurnRecord, ...]:
    """Return the turns that the effective events of a game make, the turn under way last.

    Args:
        events: the events.
        states: the game after each event, or after the act that the event belongs to; by default it is worked out.
    """
    turns: list[list[ev.Event]] = []
    ends: dict[int, GameState] = {}
    under_way = False
    for event, after in zip(events, states or states_of(events), strict=True):
        begins = isinstance(event, _BEGIN) or (isinstance(event, ev.ChoiceMade) and event.kind == "piggyback")
        if begins and (not under_way or any(isinstance(each, _END) for each in turns[-1])):
            turns.append([])
            under_way = True
        under_way = under_way and not isinstance(event, TABLE_ACTS)
        if under_way:
            turns[-1].append(event)
            ends[len(turns)] = after
    return tuple(map(_record, ends.values(), turns))


def _record(state: GameState, events: list[ev.Event]) -> TurnRecord:
    """Return the record of a turn from its events and the state after them."""
    first = events[0]
    assert isinstance(first, ev.ChoiceMade | ev.PiggybackTaken | ev.DiceRolled | ev.PointsCounted | ev.FarkleCounted)
    player, side = first.player, state.sides[state.side_of(first.player)]
    throws: list[ThrowRecord] = []
    ended, points = None, state.turn.points
    for event in events:
        match event:
            case ev.DiceRolled(faces=faces):
                throws.append(ThrowRecord(faces, (), 0))
            case ev.DiceKept(dice=dice, points=kept):
                throws[-1] = replace(throws[-1], kept=dice, points=kept)
            case ev.NobodyLost(points=paid):
                throws[-1] = replace(throws[-1], points=paid)
            case ev.PegsSwapped(forgone=forgone):
                throws[-1] = replace(throws[-1], points=throws[-1].points - forgone)
            case ev.VantHofTaken(points=given, forgone=forgone):
                throws[-1] = replace(throws[-1], points=throws[-1].points + given - forgone)
            case ev.TurnBanked(points=banked):
                ended, points = "bank", banked
            case ev.Farkled():
                ended, points = "farkle", 0
            case ev.SixOnesThrown():
                ended, points = "win", 0
    scores = tuple(each.score for each in state.sides)
    return TurnRecord(
        player, tuple(throws), points, ended, side.score, state.seats[player].farkles, scores, tuple(events)
    )
