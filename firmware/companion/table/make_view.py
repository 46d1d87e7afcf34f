"""Make the view of a table from its state and nothing else."""

from companion.table.asking.shown_house import shown_house
from companion.table.buttons.modes import situation_of
from companion.table.buttons.next_step import next_step
from companion.table.buttons.shown_asked import shown_asked
from companion.table.buttons.shown_said import shown_said
from companion.table.feature import features_of
from companion.table.lobby.shown_lobby import shown_lobby
from companion.table.state.shown_game import shown_game
from companion.table.state.shown_standing import shown_standing
from companion.table.state.state import TableState
from companion.table.throws.shown_tray import shown_tray
from companion.table.throws.shown_turn import shown_turn
from companion.table.view import View, view_type


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
