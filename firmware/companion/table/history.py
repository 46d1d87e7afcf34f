"""The history of one game: its acts, and the effective acts after undo and correction.

An act is one accepted input with its events. Acts are only ever added: `Undone` takes one off, `RollCorrected` replaces
the faces of a throw and repeats the acts after it. The state is the fold of the effective acts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.events import Event, RollCorrected, SelectionChosen, TableEvent, TrackLaid, Undone
from farkle.errors import FarkleError
from farkle.game import events as game
from farkle.game.commands import Command, Roll
from farkle.game.evolve import fold
from farkle.game.machine import command_of, decide
from farkle.game.state import GameState
from farkle.rules.dice import spaced
from farkle.rules.selections import find_selection


@dataclass(frozen=True)
class Act:
    """One accepted input: its number, counted over all games, and its events in order."""

    number: int
    events: tuple[Event, ...]

    @property
    def game_events(self) -> tuple[game.Event, ...]:
        """The events that the game itself folds."""
        return tuple(event for event in self.events if not isinstance(event, TableEvent))

    @property
    def rolls(self) -> bool:
        """Whether the act holds a throw."""
        return any(isinstance(event, game.DiceRolled) for event in self.events)

    @property
    def starts(self) -> bool:
        """Whether the act begins the game."""
        return any(isinstance(event, game.GameStarted) for event in self.events)


def effective(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Return the acts that count after undo and correction, with their present events."""
    left: list[Act] = []
    for act in acts:
        match act.events:
            case (RollCorrected(act=number, faces=faces),):
                left = list(corrected(left, number, faces))
            case events:
                undone = {event.act for event in events if isinstance(event, Undone)}
                left = [each for each in left if each.number not in undone]
                rest = tuple(event for event in events if not isinstance(event, Undone))
                if rest:
                    left.append(replace(act, events=rest))
    return tuple(left)


def game_of(acts: Iterable[Act]) -> GameState:
    """Fold these effective acts into a game."""
    return fold(event for act in acts for event in act.game_events)


def track_of(acts: Iterable[Act]) -> int:
    """Return the number of holes of the track that the game is shown on."""
    return next(event.holes for act in acts for event in act.events if isinstance(event, TrackLaid))


def last_undoable(acts: Sequence[Act]) -> Act | None:
    """Return the act that an undo takes off: the last effective one, or None at the start of the game."""
    if not acts or acts[-1].starts:
        return None
    return acts[-1]


def last_throw(acts: Sequence[Act]) -> Act | None:
    """Return the effective act that holds the last throw, or None before the first."""
    return next((act for act in reversed(acts) if act.rolls), None)


def corrected(acts: Sequence[Act], number: int, faces: tuple[int, ...]) -> tuple[Act, ...]:
    """Return the effective acts with `faces` in the throw of act `number`, and the acts after it repeated.

    Raises:
        RefusedError: if a later act would not be legal, or if another player would be to move or another number of dice
            would be thrown. The text names what would be lost.
    """
    position = next((i for i, act in enumerate(acts) if act.number == number and act.rolls), None)
    if position is None:
        raise RefusedError(f"expected the act of a throw, got {number!r}")
    made = list(acts[:position])
    state = game_of(made)
    for index, act in enumerate(acts[position:], start=position):
        before = _to_move(game_of(acts[: index + 1]))
        try:
            again = _again(state, act, faces if index == position else None)
        except FarkleError as error:
            raise RefusedError(_lost(act, index == position, str(error))) from error
        made.append(again)
        state = fold(again.game_events, state)
        if index > position and _to_move(state) != before:
            raise RefusedError(_lost(act, False, "another player would be to move"))
    if position + 1 < len(acts) and _to_move(state) != _to_move(game_of(acts)):
        raise RefusedError("expected the same player to move after the correction; undo to that throw instead")
    return tuple(made)


def _again(state: GameState, act: Act, faces: tuple[int, ...] | None) -> Act:
    """Repeat the act on this state, with `faces` in its throw if they are given."""
    events: list[Event] = []
    for event in act.events:
        if isinstance(event, TableEvent):
            if isinstance(event, SelectionChosen):
                _check_choice(state, event)
            events.append(event)
            continue
        command = command_of(event)
        if command is None:
            continue
        if faces is not None and isinstance(command, Roll):
            command = Roll(faces)
        made = decide(state, command)
        events.extend(made)
        state = fold(made, state)
    return replace(act, events=tuple(events))


def _check_choice(state: GameState, event: SelectionChosen) -> None:
    find_selection(state.rules, state.turn.roll, event.dice)


def _to_move(state: GameState) -> tuple[int, int, bool]:
    return state.to_move, state.turn.dice_left, state.over


def _lost(act: Act, first: bool, reason: str) -> str:
    if first:
        return reason
    what = next((_named(event) for event in act.events if _command(event)), "a later act")
    return f"{what} would be lost: {reason}; undo to there first"


def _command(event: Event) -> Command | None:
    return None if isinstance(event, TableEvent) else command_of(event)


def _named(event: Event) -> str:
    match event:
        case game.DiceRolled(faces=faces):
            return f"the throw {spaced(faces)}"
        case game.DiceKept(dice=dice):
            return f"keeping {spaced(dice)}"
        case game.TurnBanked(points=points):
            return f"banking {points}"
        case _:
            return "a later act"
