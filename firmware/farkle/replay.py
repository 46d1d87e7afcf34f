"""The replay of a written game: its moves checked against the rules, and the record of every turn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from farkle.game import events as ev
from farkle.game.commands import Command, ThrowForStart
from farkle.game.evolve import Course, evolve, fold
from farkle.game.machine import carry_out
from farkle.game.seating import start
from farkle.game.state import GameState, Phase
from farkle.game.takeover import Standing, take_over
from farkle.notation.parser import parse
from farkle.notation.written import Piece, WrittenGame, WrittenTurn
from farkle.rules.catalogue import find_rule_set
from farkle.rules.dice import Faces, spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import read_value


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
    written = parse(text)
    started = _start(written, find)
    course = Course(fold(started))
    course.events.extend(started)
    for place, name, faces in written.start_throws:
        _carry_out(course, place, ThrowForStart(written.players.index(name), faces))
    for line in written.lines:
        if isinstance(line, WrittenTurn):
            _play(course, line)
        elif line.command is not None:
            _carry_out(course, line.place, line.command)
    bots = {name: kind for name, kind in written.bots.items() if name in course.state.players}
    return Replay(tuple(course.events), turns_of(course.events), course.state, bots)


def _rules(written: WrittenGame, find: Callable[[str], RuleSet]) -> RuleSet:
    with written.rules.locating_errors():
        rules = find(written.rules.text)
    values: dict[str, object] = {}
    place = written.rules
    for name, (at, value) in written.settings.items():
        place = at
        with place.locating_errors():
            values[name] = read_value(name, value)
    with place.locating_errors():
        return rules.with_settings(values)


def _start(written: WrittenGame, find: Callable[[str], RuleSet]) -> tuple[ev.Event, ...]:
    rules = _rules(written, find)
    given = written.standing
    begins = written.players.index(written.start[1]) if written.start else 0
    with (written.teams_at or written.players_at).locating_errors():
        started = start(rules, written.players, first=0 if given.scores else begins, teams=written.teams or None)
    if not given.scores:
        return started
    with (given.place or written.players_at).locating_errors():
        return *started, *take_over(started, _standing(written, begins))


def _standing(written: WrittenGame, to_move: int) -> Standing:
    given = written.standing
    on_board = given.on_board
    return Standing(
        scores={written.side(name): score for name, score in given.scores.items()},
        to_move=to_move,
        farkles={player: count for name, count in given.farkles.items() for player in written.seats(name)},
        on_board=None if on_board is None else frozenset(p for name in on_board for p in written.seats(name)),
        out=tuple(map(written.side, given.out)),
        left_over=given.left_over,
        closer=None if given.final is None else written.seats(given.final)[0],
    )


def _play(course: Course, turn: WrittenTurn) -> None:
    state = course.state
    if state.over:
        turn.place.fail("expected no more turns, the game is over")
    if state.phase is Phase.STARTING:
        turn.place.fail("expected the throws for who begins to be complete before the first turn")
    if state.players[state.to_move] != turn.player:
        why = f": the throw {spaced(state.turn.roll)} scores" if state.phase is Phase.CHOOSING else ""
        turn.place.fail(f"expected {state.players[state.to_move]}'s turn, got {turn.player}'s{why}")
    if state.phase is not Phase.TO_THROW:
        turn.place.fail(f"expected {turn.player}'s turn to end before the next line begins")
    farkled = False
    for move in turn.moves:
        if move.command is None and not farkled:
            thrown = spaced(course.state.turn.roll) or "no throw"
            move.place.fail(f"expected a throw that scores nothing before 'farkle', got {thrown}")
        if move.command is None:
            continue
        if farkled:
            move.place.fail("expected the end of the turn after a farkle")
        made = _carry_out(course, move.place, move.command)
        farkled = any(isinstance(event, ev.Farkled) for event in made)
        if any(isinstance(event, ev.TurnBanked) for event in made) and move is not turn.moves[-1]:
            move.place.fail("expected nothing after 'bank'")


def _carry_out(course: Course, place: Piece, command: Command) -> tuple[ev.Event, ...]:
    before = len(course.events)
    with place.locating_errors():
        carry_out(course, command)
    return tuple(course.events[before:])


_END = (ev.TurnBanked, ev.Farkled, ev.SixOnesThrown)
_BEGIN = (ev.PiggybackTaken, ev.DiceRolled, ev.PointsCounted, ev.FarkleCounted)
_BETWEEN = (
    ev.StandingGiven,
    ev.StartThrown,
    ev.StartTied,
    ev.StarterFound,
    ev.ScoreAdjusted,
    ev.PlayerJoined,
    ev.PlayerLeft,
    ev.TurnSkipped,
    ev.TurnGiven,
)
"""The events between turns, which belong to no turn."""


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
        under_way = under_way and not isinstance(event, _BETWEEN)
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
