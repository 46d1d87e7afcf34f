"""The moves of a game: each command with the events that it caused, and the game before and after it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from farkle.game import events as ev
from farkle.game.machine import command_of
from farkle.game.state import GameState
from farkle.replay import states_of, turns_of

WORDS: dict[type[ev.Event], str] = {
    ev.StartThrown: "throws-for-start",
    ev.DiceRolled: "throw",
    ev.DiceKept: "keep",
    ev.TurnBanked: "bank",
    ev.PointsCounted: "counted",
    ev.FarkleCounted: "counted",
    ev.PiggybackTaken: "piggyback",
    ev.PegsSwapped: "swap",
    ev.VantHofTaken: "vant-hof",
    ev.ScoreAdjusted: "adjust",
    ev.PlayerJoined: "joins",
    ev.PlayerLeft: "leaves",
    ev.TurnSkipped: "skip",
    ev.TurnGiven: "throws",
    ev.GameCalledOff: "ends",
}
"""What was done, by the first event of a move, in the words of the notation where it has one."""


@dataclass(frozen=True)
class GameMove:
    """One move: `turn` is the index of its turn, None for the table's own acts between turns."""

    before: GameState
    events: tuple[ev.Event, ...]
    after: GameState
    turn: int | None

    @property
    def did(self) -> str:
        """What was done, in one word."""
        first = self.events[0]
        return first.option if isinstance(first, ev.ChoiceMade) else WORDS[type(first)]

    @property
    def player(self) -> int | None:
        """The index of the player who did it; None for an act of all."""
        match self.events[0]:
            case ev.ScoreAdjusted(side=side):
                return self.before.sides[side].players[0]
            case ev.PlayerJoined():
                return len(self.after.players) - 1
            case ev.GameCalledOff():
                return None
            case ev.PlayerLeft(player=player) | ev.TurnSkipped(player=player) | ev.TurnGiven(player=player):
                return player
            case ev.StartThrown(player=player):
                return player
        return self.before.to_move


def moves_of(events: Iterable[ev.Event]) -> tuple[GameState, tuple[GameMove, ...]]:
    """Return the game at its start, and its moves, from the effective events of a game."""
    known = tuple(events)
    states = tuple(states_of(known))
    turns = {id(event): number for number, turn in enumerate(turns_of(known, states)) for event in turn.events}
    start = before = states[0]
    moves: list[GameMove] = []
    for event, after in zip(known[1:], states[1:], strict=True):
        if command_of(event) is not None:
            moves.append(GameMove(before, (event,), after, turns.get(id(event))))
        elif moves:
            moves[-1] = replace(moves[-1], events=(*moves[-1].events, event), after=after)
        else:
            start = after  # a game that was taken over from paper
        before = after
    return start, tuple(moves)
