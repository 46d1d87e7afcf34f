"""The moments that the coach speaks of: in a turn, and after one."""

from companion.table.state.state import ManualEntry, TableState
from farkle.game.events import Farkled, TurnBanked
from farkle.game.state import Phase


def in_a_turn(state: TableState) -> bool:
    """Return whether a turn is under way or to begin, whose dice the table reads."""
    counting = state.manual is ManualEntry.COUNTING
    return state.under_way and not counting and state.current.start_thrower is None


def turn_ended(state: TableState) -> bool:
    """Return whether the newest act ended a turn, and nobody has thrown since."""
    play = state.play
    if play is None or state.lobby.open or play.newest.number != state.seq:
        return False
    game = play.game
    if not game.over and (game.phase is not Phase.TO_THROW or game.turn.begun):
        return False
    return any(isinstance(event, TurnBanked | Farkled) for event in play.newest.game_events)
