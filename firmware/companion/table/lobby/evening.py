"""The end of an evening by hand: later games are of the next one. No game changes."""

from companion.errors import RefusedError
from companion.table.state.acts import Handlers, Step, act_aside
from companion.table.state.events import EveningClosed, Undone
from companion.table.state.inputs import CloseEvening, ReopenEvening
from companion.table.state.play import Play
from companion.table.state.state import TableState
from companion.words import message


def close_evening(state: TableState, after: int | None = None) -> Step:
    """Close the evening with the newest act; or note that it was closed with act `after`, and say nothing.

    Raises:
        RefusedError: if a game is under way, which would be of no evening.
    """
    if after is not None:
        return act_aside(state, EveningClosed(after))
    if not state.current.game.over:
        raise RefusedError(message("refused.evening_under_way"))
    return act_aside(state, EveningClosed(state.seq), message("said.evening_closed"))


def reopen_evening(state: TableState) -> Step:
    """Take back that the evening was closed.

    Raises:
        RefusedError: if it was not closed after the game at the table.
    """
    closed = closed_by(state.current)
    if closed is None:
        raise RefusedError(message("refused.evening_open"))
    return act_aside(state, Undone(closed), message("said.evening_reopened"))


def closed_by(play: Play) -> int | None:
    """Return the act that closed the evening after this game, or None if it is open."""
    undone = {event.act for each in play.acts for event in each.events if isinstance(event, Undone)}
    for each in reversed(play.acts):
        if each.number == play.newest.number:
            return None
        for event in each.events:
            if isinstance(event, EveningClosed) and each.number not in undone and event.after >= play.newest.number:
                return each.number
    return None


HANDLERS: Handlers = {
    CloseEvening: lambda state, given, _: close_evening(state, given.after),
    ReopenEvening: lambda state, _given, _now: reopen_evening(state),
}
