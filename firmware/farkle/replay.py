"""A written game played through the rules: every turn, and how it ended."""

from dataclasses import dataclass

from farkle.errors import FarkleError, NotationError
from farkle.game.events import DiceKept, DiceRolled, Event, Farkled, TurnBanked
from farkle.game.machine import decide, evolve, fold, start
from farkle.game.state import GameState, Phase
from farkle.notation import Move, WrittenGame, WrittenTurn, parse
from farkle.rules.catalogue import find_rule_set
from farkle.rules.dice import Faces, spaced
from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class ThrowRecord:
    """One throw: the faces as thrown, the dice kept of it (none at a farkle), and their points."""

    roll: Faces
    kept: Faces
    points: int


@dataclass(frozen=True)
class TurnRecord:
    """One turn: `ended` is "bank", "farkle" or None while it is under way; `score` and `farkles` are those after it."""

    player: int
    throws: tuple[ThrowRecord, ...]
    points: int
    ended: str | None
    score: int
    farkles: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Replay:
    """A game played from its notation: all events, the turns they make, and the state at the end."""

    events: tuple[Event, ...]
    turns: tuple[TurnRecord, ...]
    state: GameState


def replay(text: str) -> Replay:
    """Play a written game; raises `NotationError` with the line and the reason at the first thing that cannot be."""
    written = parse(text)
    started = _start(written)
    events: list[Event] = list(started)
    state = fold(started)
    for turn in written.turns:
        state = _play(state, turn, events)
    return Replay(tuple(events), turns_of(events), state)


def _rules(written: WrittenGame) -> RuleSet:
    try:
        rules = find_rule_set(written.rules)
    except FarkleError as error:
        raise NotationError(written.rules_line, str(error)) from error
    for name, (line, value) in written.settings.items():
        try:
            rules = rules.with_settings({name: value})
        except FarkleError as error:
            raise NotationError(line, str(error)) from error
    return rules


def _start(written: WrittenGame) -> tuple[Event, ...]:
    rules = _rules(written)
    first = written.players.index(written.start[1]) if written.start else 0
    try:
        return start(rules, written.players, first=first)
    except FarkleError as error:
        raise NotationError(written.players_line, str(error)) from error


def _play(state: GameState, turn: WrittenTurn, events: list[Event]) -> GameState:
    if state.over:
        raise NotationError(turn.line, "expected no more turns, the game is over")
    if state.players[state.to_move] != turn.player:
        raise NotationError(turn.line, f"expected {state.players[state.to_move]}'s turn, got {turn.player}'s")
    if state.phase is not Phase.TO_THROW:
        raise NotationError(turn.line, f"expected {turn.player}'s turn to end before the next line begins")
    farkled = False
    for move in turn.moves:
        if farkled and not move.claim:
            raise NotationError(move.line, "expected the end of the turn after a farkle")
        made = _made(state, move, farkled)
        events.extend(made)
        state = fold(made, state)
        farkled = farkled or any(isinstance(event, Farkled) for event in made)
        if any(isinstance(event, TurnBanked) for event in made) and move is not turn.moves[-1]:
            raise NotationError(move.line, "expected nothing after 'bank'")
    return state


def _made(state: GameState, move: Move, farkled: bool) -> tuple[Event, ...]:
    if move.command is None:
        if not farkled:
            thrown = spaced(state.turn.roll) or "no throw"
            raise NotationError(move.line, f"expected a throw that scores nothing before 'farkle', got {thrown}")
        return ()
    try:
        return decide(state, move.command)
    except FarkleError as error:
        raise NotationError(move.line, str(error)) from error


def turns_of(events: list[Event]) -> tuple[TurnRecord, ...]:
    """The turns that the effective events of a game make, the one under way last."""
    turns: list[TurnRecord] = []
    state: GameState | None = None
    open_turn: list[Event] = []
    for event in events:
        before, state = state, evolve(state, event)
        if before is None:
            continue
        if isinstance(event, DiceRolled) and open_turn and _ended(open_turn):
            turns.append(_record(before, open_turn))
            open_turn = []
        open_turn.append(event)
    if state is not None and any(isinstance(event, DiceRolled) for event in open_turn):
        turns.append(_record(state, open_turn))
    return tuple(turns)


def _ended(events: list[Event]) -> str | None:
    for event in events:
        if isinstance(event, TurnBanked):
            return "bank"
        if isinstance(event, Farkled):
            return "farkle"
    return None


def _record(state: GameState, events: list[Event]) -> TurnRecord:
    player = next(event.player for event in events if isinstance(event, DiceRolled))
    throws: list[ThrowRecord] = []
    for event in events:
        if isinstance(event, DiceRolled):
            throws.append(ThrowRecord(event.faces, (), 0))
        elif isinstance(event, DiceKept):
            throws[-1] = ThrowRecord(throws[-1].roll, event.dice, event.points)
    ended = _ended(events)
    side = state.sides[state.side_of(player)]
    points = 0 if ended == "farkle" else sum(throw.points for throw in throws)
    return TurnRecord(player, tuple(throws), points, ended, side.score, side.farkles, tuple(events))
