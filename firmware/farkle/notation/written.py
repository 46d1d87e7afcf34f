"""A game as written: its header, its turns and the table's acts, each with its place in the text."""

from dataclasses import dataclass, field

from farkle.game.commands import Choose, Command
from farkle.notation.piece import Piece


@dataclass(frozen=True)
class Move:
    """One command as written, and where. `claim` is a farkle that the text states, `swap_with` a name after `swap`."""

    place: Piece
    command: Command | None = None
    claim: bool = False
    swap_with: str | None = None

    @property
    def swaps(self) -> bool:
        """Whether this takes a Bomb's swap."""
        return isinstance(self.command, Choose) and self.command.option == "swap"


@dataclass(frozen=True)
class WrittenTurn:
    """One line of play: who, and what was done."""

    place: Piece
    player: str
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class WrittenAct:
    """One of the table's own acts: its word, the name, and the score where it gives one."""

    place: Piece
    word: str
    name: str
    score: int | None = None


@dataclass
class WrittenStanding:
    """A standing as written, by names."""

    scores: dict[str, int] = field(default_factory=dict)
    farkles: dict[str, int] = field(default_factory=dict)
    on_board: tuple[str, ...] | None = None
    out: tuple[str, ...] = ()
    left_over: tuple[int, int] | None = None
    final: str | None = None
    place: Piece | None = None


@dataclass
class WrittenGame:
    """A game as written. Names are as given; nothing has been checked against the rules."""

    rules: Piece | None = None
    settings: dict[str, tuple[Piece, str]] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    players_at: Piece = field(default_factory=lambda: Piece("", 1))
    teams: dict[str, tuple[str, ...]] = field(default_factory=dict)
    teams_at: Piece | None = None
    start: tuple[Piece, str] | None = None
    start_throws: list[tuple[Piece, str, tuple[int, ...]]] = field(default_factory=list)
    standing: WrittenStanding = field(default_factory=WrittenStanding)
    lines: list[WrittenTurn | WrittenAct] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """The players so far, with those who joined."""
        joined = [line.name for line in self.lines if isinstance(line, WrittenAct) and line.word == "joins"]
        return (*self.players, *joined)

    @property
    def side_names(self) -> tuple[str, ...]:
        """Who may have a score: the teams, or the players."""
        return tuple(self.teams) or self.names
