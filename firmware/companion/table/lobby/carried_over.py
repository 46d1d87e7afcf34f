"""The choices that a game hands over to the next one: who begins a rematch, and the parts of the coach."""

from companion.table.lobby.next_starter import SEAT
from companion.table.state.events import CoachChosen, NextStarterChosen
from companion.table.state.play import Play


def carried_over(play: Play | None) -> tuple[NextStarterChosen | CoachChosen, ...]:
    """Return the events that carry the choices of a game over; none for what nobody has chosen."""
    if play is None:
        return ()
    begins = (NextStarterChosen(play.begins),) if play.begins != SEAT else ()
    coach = (CoachChosen(tuple(part.value for part in play.coach)),) if play.coach is not None else ()
    return (*begins, *coach)
