"""Modes: what the three buttons are about right now."""

from enum import StrEnum

from companion.table.state import ByHand, TableState


class Mode(StrEnum):
    """What the buttons are about."""

    MENU = "a menu is open"
    ADJUST = "a score is adjusted"
    ASKING = "a question is open"
    LOBBY = "the lobby"
    OVER = "the game is over"
    COUNTING = "players count"
    PLAY = "a turn"


def mode(state: TableState) -> Mode:
    """What the buttons are about now."""
    if state.menu is not None:
        return Mode.ADJUST if state.menu.kind == "adjust" else Mode.MENU
    if state.question is not None:
        return Mode.ASKING
    if state.game is None or state.lobby.open:
        return Mode.LOBBY
    if state.game.over:
        return Mode.OVER
    return Mode.COUNTING if state.by_hand is ByHand.COUNTING else Mode.PLAY
