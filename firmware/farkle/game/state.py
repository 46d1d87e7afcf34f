"""The state of a game: sides, seats, the turn under way, and the phase that says what may be done now."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet


class Phase(StrEnum):
    """What the game waits for."""

    STARTING = "starting"  # throws for who begins
    TO_THROW = "to throw"  # the first throw of a turn
    CHOOSING = "choosing"  # dice lie that score: which are kept?
    KEPT = "kept"  # throw the rest, or bank
    OVER = "over"


class Hot(StrEnum):
    """Whether all dice have scored and were not thrown again since, and in how many throws they did."""

    NO = "no"
    SINGLE_THROW = "single throw"
    SEVERAL_THROWS = "several throws"


@dataclass(frozen=True)
class Side:
    """Who scores together: a single player or a team. `players` are indices, in the order they throw.

    `out` is the place at which its peg left the board (1 for the first), 0 while it is on it.
    """

    players: tuple[int, ...]
    score: int = 0
    out: int = 0


@dataclass(frozen=True)
class Seat:
    """What is counted of one player: farkled turns in a row, being on the board, and no longer playing."""

    farkles: int = 0
    on_board: bool = False
    disqualified: bool = False
    left: bool = False


@dataclass(frozen=True)
class LeftOver:
    """What the turn before left to be taken over: points, how many dice, and the dice that were locked."""

    points: int
    dice: int
    locked: Faces = ()


@dataclass(frozen=True)
class Turn:
    """The turn under way.

    `locked` are the dice kept of this set of dice; `roll` is the last throw, empty before it. `begun` says whether dice
    were taken over, or fresh ones chosen, before the first throw, `paid` whether the last throw was paid by Nobody
    Loses. `throws` counts those of the turn, `set_throws` those of this set of dice. `ones` and `ones_points` are the
    1s that may make a Van't Hof six and what they made. `bomb` are the points of a Bomb that may still be swapped;
    `swaps` are the turn's swaps as pairs of sides. `counted` says that players counted the points: which dice lie, and
    how many may be thrown, is not known then.
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
    """A whole game as it stands.

    `to_come` are the players whose turn is still to come in this round, or in the last turns once someone has closed;
    `put_off` were to come when those began. `early` have had their turn of the next round. `start_among` throw for who
    begins, `start_throws` have thrown.
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
    put_off: tuple[int, ...] = ()
    begun: bool = False  # the first turn has begun
    start_among: tuple[int, ...] = ()
    start_throws: tuple[tuple[int, Faces], ...] = ()
    phase: Phase = Phase.TO_THROW
    turn: Turn = field(default_factory=Turn)
    left_over: LeftOver | None = None
    closer: int | None = None  # the player who set off the final round
    extra: tuple[int, ...] = ()  # the sides that tied and play a round more
    winners: tuple[int, ...] = ()
    loser: int | None = None

    @property
    def side_to_move(self) -> int:
        """The index of the side whose turn it is."""
        return self.side_of(self.to_move)

    def side_of(self, player: int) -> int:
        """The index of the side that a player belongs to."""
        return next(index for index, side in enumerate(self.sides) if player in side.players)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER

    def plays(self, player: int) -> bool:
        """Whether a player still has turns: has not left, is not disqualified, and the side's peg is on the board."""
        seat = self.seats[player]
        return not (seat.left or seat.disqualified or self.sides[self.side_of(player)].out)

    def playing(self) -> tuple[int, ...]:
        """The players who still have turns."""
        return tuple(player for player in range(len(self.players)) if self.plays(player))

    def competes(self, side: int) -> bool:
        """Whether a side can still win or lose: someone of it has not left or been disqualified."""
        seats = (self.seats[player] for player in self.sides[side].players)
        return any(not (seat.left or seat.disqualified) for seat in seats)

    def in_play(self) -> tuple[int, ...]:
        """The sides that still have turns."""
        return tuple(index for index, side in enumerate(self.sides) if any(self.plays(each) for each in side.players))

    def counted_with(self, player: int) -> tuple[int, ...]:
        """The players whose farkles and opening count together with this one's."""
        if self.rules.switches.streaks_per == "player":
            return (player,)
        return self.sides[self.side_of(player)].players

    def with_score(self, side: int, score: int) -> "GameState":
        """This state with another score of one side."""
        changed = replace(self.sides[side], score=score)
        return replace(self, sides=(*self.sides[:side], changed, *self.sides[side + 1 :]))

    def with_seats(self, players: tuple[int, ...], **changes: object) -> "GameState":
        """This state with the same changes to the seats of some players."""
        seats = [
            replace(seat, **changes) if index in players else seat  # type: ignore[arg-type]
            for index, seat in enumerate(self.seats)
        ]
        return replace(self, seats=tuple(seats))
