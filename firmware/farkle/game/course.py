"""The course of events: what follows from a command, each event folded before the next is decided."""

from farkle.game.events import Event
from farkle.game.evolve import evolve
from farkle.game.state import GameState


class Course:
    """Events as they come about. `state` is the state after those so far."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.events: list[Event] = []

    def happens(self, *events: Event) -> None:
        """Add events and fold them."""
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)
