"""The view: the whole table as people see it. It is the model of the API's JSON, so its field names are a contract.

Each room makes the part of the view that is its own. Texts are messages without a language; a catalogue renders them
for each client.
"""

from dataclasses import dataclass

from companion.table.asking.coach import CoachShown
from companion.table.asking.shown_house import HouseShown
from companion.table.buttons.shown_asked import AskedShown
from companion.table.buttons.shown_said import SaidShown
from companion.table.lobby.shown_lobby import LobbyShown
from companion.table.lobby.shown_tournament import TournamentShown
from companion.table.state.shown_game import GameShown
from companion.table.state.shown_standing import StandingShown
from companion.table.throws.shown_tray import TrayShown
from companion.table.throws.shown_turn import TurnShown


@dataclass(frozen=True)
class View(
    TournamentShown,
    CoachShown,
    HouseShown,
    LobbyShown,
    SaidShown,
    AskedShown,
    TrayShown,
    TurnShown,
    StandingShown,
    GameShown,
):
    """The whole table."""
