"""The view: the whole table as people see it. It is the model of the API's JSON, so its field names are a contract.

Each room makes the part of the view that is its own. Texts are messages without a language; a catalogue renders them
for each client.
"""

from dataclasses import dataclass
from functools import cache

from companion.table.asking.shown_house import HouseShown
from companion.table.buttons.shown_asked import AskedShown
from companion.table.buttons.shown_said import SaidShown
from companion.table.lobby.shown_lobby import LobbyShown
from companion.table.state.shown_game import GameShown
from companion.table.state.shown_standing import StandingShown
from companion.table.throws.shown_tray import TrayShown
from companion.table.throws.shown_turn import TurnShown


@dataclass(frozen=True)
class View(
    HouseShown,
    LobbyShown,
    SaidShown,
    AskedShown,
    TrayShown,
    TurnShown,
    StandingShown,
    GameShown,
):
    """The whole table. The view of a table with features inherits from their parts, too (`view_type`)."""


@cache
def view_type(*parts: type) -> type[View]:
    """Return the type of the view of a table whose features have these parts."""
    if not parts:
        return View
    made = type("View", (*parts, View), {"__doc__": "The whole table.", "__module__": __name__})
    return dataclass(frozen=True)(made)
