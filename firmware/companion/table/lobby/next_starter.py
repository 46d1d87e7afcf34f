"""Who begins a rematch: the first in the order of seats, or the loser or the winner of the game before."""

from collections.abc import Sequence

from companion.table.state.acts import Handlers, Step, act_aside
from companion.table.state.events import NextStarterChosen
from companion.table.state.inputs import ChooseNextStarter
from companion.table.state.play import Play
from companion.table.state.state import TableState
from companion.words import message
from farkle.game.names import name_key
from farkle.game.standing import losers, places
from farkle.game.state import GameState

SEAT = "seat"
"""The choice of a table where nobody has chosen."""

SAID = {SEAT: "said.begins_seat", "loser": "said.begins_loser", "winner": "said.begins_winner"}
"""What is said of each choice."""


def choose_next_starter(state: TableState, begins: str) -> Step:
    """Let the loser, the winner, or the first in the order of seats begin each rematch from now on."""
    if state.current.begins == begins:
        return Step(state)
    return act_aside(state, NextStarterChosen(begins), message(SAID[begins]))


def starter_of(play: Play | None, players: Sequence[str], *, match: bool = False) -> int:
    """Return the index of the player who begins.

    That is the first, unless these are the players of a finished game whose loser or winner begins the next one. Of a
    `match` a feature chose the players: the loser or winner of the game before begins if among them.
    """
    side = None if play is None or play.begins == SEAT else _side(play.game, play.begins)
    if play is None or side is None:
        return 0
    game = play.game
    stayed = {name_key(name): seat for seat, name in enumerate(game.players) if not game.seats[seat].left}
    seats = [stayed.get(name_key(name)) for name in players]
    if not match and (None in seats or len(seats) != len(stayed)):
        return 0
    return next((place for place, seat in enumerate(seats) if seat in game.sides[side].players), 0)


def carried_over(play: Play | None) -> tuple[NextStarterChosen, ...]:
    """Return the event that hands the choice of a game over to the next one; none where nobody has chosen."""
    return () if play is None or play.begins == SEAT else (NextStarterChosen(play.begins),)


def _side(game: GameState, begins: str) -> int | None:
    """Return the side that won, or the one that lost, the last of several; None if there is none."""
    if begins == "winner":
        return game.winners[0] if game.winners else None
    ranks = places(game)
    return max(losers(game), key=ranks.__getitem__, default=None) if game.loser is None else game.loser


HANDLERS: Handlers = {
    ChooseNextStarter: lambda state, given, _: choose_next_starter(state, given.begins),
}
