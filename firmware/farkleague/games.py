"""A game of a board, folded act by act from what the board sends.

In the league the names of a game's players are the numbers of the league's players, so no stored act holds a name.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from farkle.game.events import DiceRolled, Event, Farkled
from farkle.game.evolve import fold
from farkle.game.standing import places
from farkle.game.state import GameState, Phase
from farkle.rules.dice import MOST_DICE, Faces
from farkleague.errors import LeagueError
from farkleague.messages import Made, decode
from farkleague.store import Database

MOST_POINTS = 10**9
"""The most points of a side or a turn, far above those of any game."""


@dataclass
class GameFold:
    """A game after its act `act`: the acts that count, each with its number and its events, and the state.

    `bots` are the seats, from 0, of the players that a program plays.
    """

    act: int = 0
    acts: list[tuple[int, tuple[Event, ...]]] = field(default_factory=list)
    state: GameState | None = None
    bots: frozenset[int] = frozenset()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events that count."""
        return tuple(event for _, events in self.acts for event in events)

    def add(self, act: int, keeps: int, made: Made, bots: Iterable[int] = ()) -> None:
        """Fold one act; after an error the fold must not be used any more.

        Args:
            act: its number.
            keeps: the number of the last earlier act that still counts.
            made: the acts that count from now on.
            bots: the seats of bots.

        Raises:
            LeagueError: if the events are no game, or this league does not know them.
        """
        decoded = [(number, tuple(decode(kind, body) for kind, body in events)) for number, events in made]
        if self.acts and keeps < self.acts[-1][0]:
            self.acts, self.state = [each for each in self.acts if each[0] <= keeps], None
            new = [*self.acts, *decoded]
        else:
            new = decoded
        self.acts += decoded
        events = [event for _, each in new for event in each]
        try:
            self.state = fold(events, self.state) if events else self.state
        except Exception as error:  # the events of a stolen board may be anything
            raise LeagueError(f"expected acts of one game, got act {act} that does not fit it: {error!r}") from error
        if self.state is None:
            raise LeagueError(f"expected a game that begins with its start, got act {act}")
        self.act, self.bots = act, frozenset(bots)

    def live(self) -> dict[str, Any]:
        """Return what pages show of the game, as JSON's types; players are their numbers in the league.

        Raises:
            LeagueError: if it is no game that can be shown.
        """
        assert self.state is not None
        state, turn = self.state, self.state.turn
        last: dict[type, Any] = {type(event): event for event in self.acts[-1][1]}
        farkled = last.get(Farkled)
        roll = turn.roll if state.phase is Phase.CHOOSING else ()
        roll = getattr(last.get(DiceRolled), "faces", ()) if farkled else roll
        if not _can_be_shown(state, roll, farkled.player if farkled else state.to_move):
            raise LeagueError(f"expected a game of sides, dice and points, got another state after act {self.act}")
        players = [*map(int, state.players)]
        return {
            "title": state.rules.title,
            "goal": state.rules.goal,
            "players": players,
            "bots": [player for seat, player in enumerate(players) if seat in self.bots],
            "sides": [
                {"players": [players[seat] for seat in side.players], "score": side.score} for side in state.sides
            ],
            "to_move": None if state.over else players[state.to_move],
            "turn_points": turn.points,
            "roll": roll,
            "farkled": players[farkled.player] if farkled else None,
            "locked": turn.locked,
            "dice_left": turn.dice_left,
            "over": state.over,
            "winners": state.winners,
            "loser": state.loser,
        }

    def results(self) -> list[tuple[int, int, int]]:
        """Return player, side and place (1 for the first) of each person who finished the game.

        A game that goes on, or that nobody won or lost, has no results. In a game that looks for a loser all others
        share the first place.
        """
        state = self.state
        if state is None or not state.over or not (state.winners or state.loser is not None):
            return []
        ranks = places(state) if state.loser is None else [1 + (n == state.loser) for n in range(len(state.sides))]
        return [
            (int(state.players[seat]), index, ranks[index])
            for index, side in enumerate(state.sides)
            for seat in side.players
            if not state.seats[seat].left and seat not in self.bots
        ]


def _can_be_shown(state: GameState, roll: Faces, acted: int) -> bool:
    """Return whether a state names sides and players that exist, with the dice, points and text of a game.

    The events of a table always lead to one; those of a stolen board may not.

    Args:
        state: the state.
        roll: the dice that are shown.
        acted: the player who is shown with them.
    """
    turn, sides = state.turn, {*range(len(state.sides)), None}
    seats = [seat for side in state.sides for seat in side.players]
    dice, points = (*roll, *turn.locked), (turn.points, *(side.score for side in state.sides))
    return (
        sorted(seats) == [*range(len({*state.players}))] == [*range(len(state.players))]
        and {state.to_move, acted} <= {*seats}
        and {*state.winners, state.loser} <= sides
        and {turn.dice_left, len(roll), len(turn.locked)} <= {*range(MOST_DICE + 1)}
        and {*dice} <= {*range(1, 7)}
        and max(map(abs, points)) <= MOST_POINTS
        and "\0" not in state.rules.title  # which PostgreSQL does not store
    )


def read_on(database: Database, fold: GameFold, board: int, number: int) -> datetime:
    """Fold the stored acts of a game that the fold lacks, and return the time of the last one.

    A `LeagueError` of `GameFold.add` reaches the caller.
    """
    acts = database.execute(
        "SELECT act, at, body FROM acts WHERE board = %s AND game = %s AND act > %s ORDER BY act",
        [board, number, fold.act],
    ).fetchall()
    for row in acts:
        fold.add(row.act, *row.body)
    last_at: datetime = acts[-1].at
    return last_at
