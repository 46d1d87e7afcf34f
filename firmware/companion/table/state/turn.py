"""The record of a turn: what it allows now. `companion.table.throws.selection.turn_of` derives it from a state."""

from dataclasses import dataclass

from companion.words import Text
from farkle.game.events import Event
from farkle.game.state import GameState
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection


@dataclass(frozen=True)
class TurnOptions:
    """What a turn allows now.

    Attributes:
        selections: what may be kept of the last roll, best first; empty if no roll is to be chosen from.
        set_aside: the dice of the last roll that lie on the shelf.
        pending: what the next throw keeps.
        bank: what BANK keeps: the best selection that contains the pending one.
        banking: the events of BANK; empty if it is refused.
        banked: the game after BANK, or None if it is refused.
        refused: why BANK is refused, or None if it is allowed.
        no_throw: why no dice of this turn may be thrown any more, or None if they may.
    """

    selections: tuple[Selection, ...] = ()
    set_aside: Faces = ()
    pending: Selection | None = None
    bank: Selection | None = None
    banking: tuple[Event, ...] = ()
    banked: GameState | None = None
    refused: Text | None = None
    no_throw: Text | None = None
