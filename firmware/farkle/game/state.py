"""The state of a game: sides, seats, the turn under way, and the phase that says what may be done now."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from farkle.errors import IllegalMoveError
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet

LARGEST_SCORE = 1_000_000
"""The largest score and count of points; its negative is the lowest score."""


class Phase(StrEnum):
    """The step the game waits for."""

    STARTING = "starting"  # throws for the first turn
    TO_THROW = "to throw"  # the first throw of a turn
    CHOOSING = "choosing"  # the choice of dice to keep from a roll that scores
    KEPT = "kept"  # another throw, or a bank
    OVER = "over"


class Hot(StrEnum):
    """Whether all dice have scored and have not been thrown again since, and in how many throws they scored."""

    NO = "no"
    SINGLE_THROW = "single throw"
    SEVERAL_THROWS = "several throws"


@dataclass(frozen=True)
class Side:
    """A single player or a team that scores together. `players` are indices, in the order they throw.

    `out` is the place at which the side's peg left the board (1 is the first), 0 while it is on the board.
    """

    players: tuple[int, ...]
    score: int = 0
    out: int = 0


@dataclass(frozen=True)
class Seat:
    """The state of one player: farkled turns in a row, whether on the board, and whether out of the game."""

    farkles: int = 0
    on_board: bool = False
    disqualified: bool = False
    left: bool = False


@dataclass(frozen=True)
class LeftOver:
    """The points, the number of dice and the locked dice that the next player may piggyback."""

    points: int
    dice: int
    locked: Faces = ()


@dataclass(frozen=True)
class Turn:
    """The turn under way.

    Attributes:
        points: the points at risk.
        dice_left: the number of dice for the next throw.
        roll: the faces of the last throw, empty before the first.
        locked: the dice kept of this set of dice.
        throws: the number of throws in the turn.
        begun: whether a piggyback choice was made before the first throw.
        paid: whether the last throw scored by Nobody Loses.
        hot: whether all dice have scored.
        set_throws: the number of throws of this set of dice.
        ones: the number of 1s that count towards Van't Hof's six.
        ones_points: the points of these 1s.
        bomb: the points of a Bomb that may still be swapped.
        swaps: the turn's swaps, as pairs of sides.
        counted: whether the players counted the points; `dice_left` and `locked` are unknown then.
    """

    points: int = 0
    dice_left: int = 6
    roll: Faces = ()
    locked: Faces = ()
    throws: int = 0
    begun: bool = False
    paid: bool = False
    hot: Hot = Hot.NO
    set_throws: int = 0
    ones: int = 0
    ones_points: int = 0
    bomb: int | None = None
    swaps: tuple[tuple[int, int], ...] = ()
    counted: bool = False


@dataclass(frozen=True)
class GameState:
    """A whole game at one moment. Players and sides are indices.

    Attributes:
        rules: the rule set.
        players: the names.
        sides: the sides, in the order of their first players.
        seats: the state of each player.
        first: the player who begins each round.
        to_move: the player whose turn it is.
        teams: the names of the sides in a team game.
        to_come: the players with a turn still to come in this round, or in the last turns of the game.
        early: the players who have had their turn of the next round.
        round: the number of the round, from 1.
        put_off: the players whose turn was still to come when the last turns began.
        begun: whether the first turn has begun.
        start_among: the players who throw for the first turn.
        start_throws: their throws so far.
        phase: the step the game waits for.
        turn: the turn under way.
        left_over: what the player to move may piggyback.
        closer: the player who began the final round, or who leads in it where a win is defended.
        extra: the sides that tied and play another round.
        winners: the sides that won.
        loser: the side that lost, if the rules look for a loser.
    """

    rules: RuleSet
    players: tuple[str, ...]
    sides: tuple[Side, ...]
    seats: tuple[Seat, ...]
    first: int
    to_move: int
    teams: tuple[str, ...] = ()
    to_come: tuple[int, ...] = ()
    early: tuple[int, ...] = ()
    round: int = 1
    put_off: tuple[int, ...] = ()
    begun: bool = False
    start_among: tuple[int, ...] = ()
    start_throws: tuple[tuple[int, Faces], ...] = ()
    phase: Phase = Phase.TO_THROW
    turn: Turn = field(default_factory=Turn)
    left_over: LeftOver | None = None
    closer: int | None = None
    extra: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    loser: int | None = None

    @property
    def side_to_move(self) -> int:
        """The index of the side whose turn it is."""
        return self.side_of(self.to_move)

    def side_of(self, player: int) -> int:
        """Return the index of the side that a player belongs to.

        Raises:
            IllegalMoveError: if there is no such player.
        """
        for index, side in enumerate(self.sides):
            if player in side.players:
                return index
        raise IllegalMoveError(f"expected a player from 0 to {len(self.players) - 1}, got {player!r}")

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    def plays(self, player: int) -> bool:
        """Return whether a player still has turns: not left, not disqualified, and the side's peg on the board."""
        seat = self.seats[player]
        return not (seat.left or seat.disqualified or self.sides[self.side_of(player)].out)

    def playing(self) -> tuple[int, ...]:
        """Return the players who still have turns."""
        return tuple(filter(self.plays, range(len(self.players))))

    def competes(self, side: int) -> bool:
        """Return whether a side can still win or lose: one of its players has not left or been disqualified."""
        for player in self.sides[side].players:
            seat = self.seats[player]
            if not (seat.left or seat.disqualified):
                return True
        return False

    def in_play(self) -> tuple[int, ...]:
        """Return the sides that still have turns."""
        return tuple(filter(self.competes, [index for index, side in enumerate(self.sides) if not side.out]))

    def counted_with(self, player: int) -> tuple[int, ...]:
        """Return the players whose farkles and opening count together with this player's."""
        if self.rules.switches.streaks_per == "player":
            return (player,)
        return self.sides[self.side_of(player)].players

    def with_score(self, side: int, score: int) -> "GameState":
        """Return this state with another score of one side."""
        changed = replace(self.sides[side], score=score)
        return replace(self, sides=(*self.sides[:side], changed, *self.sides[side + 1 :]))

    def with_seats(self, players: tuple[int, ...], **changes: Any) -> "GameState":
        """Return this state with the same changes to the seats of some players."""
        seats = list(self.seats)
        for player in players:
            seats[player] = replace(seats[player], **changes)
        return replace(self, seats=tuple(seats))
