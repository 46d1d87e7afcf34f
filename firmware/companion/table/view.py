"""The view: the whole table as people see it, made from its state and nothing else. It is the model of the API's JSON.

Its field names are a contract. Each room makes the part of the view that is its own. Texts are messages without a
language; a catalogue renders them for each client.
"""

from dataclasses import dataclass
from functools import cache

from companion.table.asking.house import HouseShown
from companion.table.buttons.modes import situation_of
from companion.table.buttons.prompt import SaidShown
from companion.table.buttons.shown_asked import AskedShown
from companion.table.feature import features_of
from companion.table.lobby.form import LobbyShown
from companion.table.state.state import TableState, makers_of
from companion.table.throws.shown_standing import GameShown, StandingShown
from companion.table.throws.shown_turn import TrayShown, TurnShown


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


_MAKERS = makers_of(View)


def view(state: TableState) -> View:
    """Return the view of a table; the same state always gives the same view."""
    at = situation_of(state)
    beside = [feature for feature in features_of(state) if feature.part]
    made = object.__new__(view_type(*[feature.part for feature in beside]))
    shown = vars(made)  # an `__init__` would take several times as long
    for name, make, of_state in _MAKERS:
        shown[name] = make(state if of_state else at)
    for feature in beside:
        shown.update(vars(feature.shown(state)))
    return made
