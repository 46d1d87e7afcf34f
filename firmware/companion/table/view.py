"""The view: the whole table as people see it, made from its state and nothing else. It is the model of the API's JSON.

Its field names are a contract. Each room makes the part of the view that is its own. Texts are messages without a
language; a catalogue renders them for each client.
"""

from dataclasses import dataclass
from functools import cache

from companion.table.asking.house import HouseShown, shown_house
from companion.table.buttons.modes import situation_of
from companion.table.buttons.next_step import next_step
from companion.table.buttons.prompt import SaidShown, shown_said
from companion.table.buttons.shown_asked import AskedShown, shown_asked
from companion.table.feature import features_of
from companion.table.lobby.form import LobbyShown, shown_lobby
from companion.table.state.shown_standing import GameShown, StandingShown, shown_game, shown_standing
from companion.table.state.state import TableState
from companion.table.throws.shown_turn import TrayShown, TurnShown, shown_tray, shown_turn


@dataclass(frozen=True)
class View(HouseShown, LobbyShown, SaidShown, AskedShown, TrayShown, TurnShown, StandingShown, GameShown):
    """The whole table. The view of a table with features inherits from their parts, too (`view_type`)."""


@cache
def view_type(*parts: type) -> type[View]:
    """Return the type of the view of a table whose features have these parts."""
    if not parts:
        return View
    made = type("View", (*parts, View), {"__doc__": "The whole table.", "__module__": __name__})
    return dataclass(frozen=True)(made)


def view(state: TableState) -> View:
    """Return the view of a table; the same state always gives the same view."""
    at = situation_of(state)
    following = next_step(at)
    turn = shown_turn(state, at.turn)
    beside = [feature for feature in features_of(state) if feature.part]
    parts = (
        shown_game(state),
        shown_standing(state, at.turn.pending.points if at.turn.pending else 0),
        turn,
        shown_tray(state),
        shown_asked(at, following, turn.bank_hole),
        shown_said(at, following),
        shown_lobby(state),
        shown_house(state),
        *[feature.shown(state) for feature in beside],
    )
    # The parts are bases of the type: an `__init__` would set each of their fields again.
    made = object.__new__(view_type(*[feature.part for feature in beside]))
    for part in parts:
        vars(made).update(vars(part))
    return made
