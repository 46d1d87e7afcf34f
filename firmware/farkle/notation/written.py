"""A written game: its header, its turns and the table's acts, each with its place in the text."""

from dataclasses import dataclass, field

from farkle.game.commands import Command
from farkle.notation.text import Piece


@dataclass(frozen=True)
class WrittenMove:
    """One item of a turn. `claim` is a stated farkle, `swap_with` the name after `swap`."""

    place: Piece
    command: Command | None = None
    claim: bool = False
    swap_with: str | None = None


@dataclass(frozen=True)
class WrittenTurn:
    """One line of play: the player and the moves."""

    place: Piece
    player: str
    moves: tuple[WrittenMove, ...]


@dataclass(frozen=True)
class WrittenAct:
    """One of the table's own acts: its word, its name, and its score if the word takes one."""

    place: Piece
    word: str
    name: str
    score: int | None = None


@dataclass
class WrittenStanding:
    """A standing, by names."""

    scores: dict[str, int] = field(default_factory=dict)
    farkles: dict[str, int] = field(default_factory=dict)
    on_board: tuple[str, ...] | None = None
    out: tuple[str, ...] = ()
    left_over: tuple[int, int] | None = None
    final: str | None = None
    place: Piece | None = None


@dataclass
class WrittenGame:
    """A whole written game, with the names as given; not checked against the rules."""

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
        """The names that may have a score: the teams, or else the players."""
        return tuple(self.teams) or self.names

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names of sides and players, each once."""
        return tuple(dict.fromkeys((*self.side_names, *self.names)))
