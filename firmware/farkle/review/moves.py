"""The moves of a game: each command with the events that it caused, and the game before and after it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.machine import command_of
from farkle.game.state import GameState
from farkle.replay import states_of, turns_of

WORDS: dict[type[do.Command], str] = {
    do.ThrowForStart: "throws-for-start",
    do.Roll: "throw",
    do.Keep: "keep",
    do.Bank: "bank",
    do.Count: "counted",
    do.Adjust: "adjust",
    do.Join: "joins",
    do.Leave: "leaves",
    do.Skip: "skip",
    do.GiveTurn: "throws",
    do.End: "ends",
}
"""What was done, by the command of a move, in the words of the notation where it has one; a choice has its option."""


@dataclass(frozen=True)
class GameMove:
    """One move: `turn` is the index of its turn, None for the table's own acts between turns."""

    before: GameState
    command: do.Command
    events: tuple[ev.Event, ...]
    after: GameState
    turn: int | None

    @property
    def did(self) -> str:
        """What was done, in one word."""
        return self.command.option if isinstance(self.command, do.Choose) else WORDS[type(self.command)]

    @property
    def player(self) -> int | None:
        """The index of the player who did it; None for an act of all."""
        match self.command:
            case do.Adjust(side=side):
                return self.before.sides[side].players[0]
            case do.Join():
                return len(self.after.players) - 1
            case do.End():
                return None
        player: int = getattr(self.command, "player", self.before.to_move)
        return player


def moves_of(events: Iterable[ev.Event]) -> tuple[GameState, tuple[GameMove, ...]]:
    """Return the game at its start, and its moves, from the effective events of a game."""
    known = tuple(events)
    states = tuple(states_of(known))
    turns = {id(event): number for number, turn in enumerate(turns_of(known, states)) for event in turn.events}
    start = before = states[0]
    moves: list[GameMove] = []
    for event, after in zip(known[1:], states[1:], strict=True):
        command = command_of(event)
        if command is not None:
            moves.append(GameMove(before, command, (event,), after, turns.get(id(event))))
        elif moves:
            moves[-1] = replace(moves[-1], events=(*moves[-1].events, event), after=after)
        else:
            start = after  # a game that was taken over from paper
        before = after
    return start, tuple(moves)
