"""A written game: its header, its turns and the table's acts, each with its place in the text."""

from dataclasses import dataclass, field

from farkle.game.commands import Command, Join
from farkle.notation.text import Piece


@dataclass(frozen=True)
class WrittenMove:
    """One item of a turn: a command, or None for a stated farkle."""

    place: Piece
    command: Command | None


@dataclass(frozen=True)
class WrittenTurn:
    """One line of play: the player and the moves."""

    place: Piece
    player: str
    moves: tuple[WrittenMove, ...]


@dataclass(frozen=True)
class WrittenAct:
    """One of the table's own acts."""

    place: Piece
    command: Command


@dataclass
class WrittenStanding:
    """A standing on paper, with names in place of indices."""

    scores: dict[str, int] = field(default_factory=dict)
    farkles: dict[str, int] = field(default_factory=dict)
    on_board: tuple[str, ...] | None = None
    out: tuple[str, ...] = ()
    left_over: tuple[int, int] | None = None
    final: str | None = None
    place: Piece | None = None


@dataclass
class WrittenGame:
    """A whole written game, with the names as given; not checked against the rules.

    `bots` holds the kinds of the players whom a program played, by name, as a comment tells them.
    """

    rules: Piece = field(default_factory=lambda: Piece("", 1))
    settings: dict[str, tuple[Piece, str]] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    players_at: Piece = field(default_factory=lambda: Piece("", 1))
    teams: dict[str, tuple[str, ...]] = field(default_factory=dict)
    teams_at: Piece | None = None
    start: tuple[Piece, str] | None = None
    start_throws: list[tuple[Piece, str, tuple[int, ...]]] = field(default_factory=list)
    standing: WrittenStanding = field(default_factory=WrittenStanding)
    lines: list[WrittenTurn | WrittenAct] = field(default_factory=list)
    bots: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The players so far, with those who joined."""
        acts = [line.command for line in self.lines if isinstance(line, WrittenAct)]
        return (*self.players, *(act.name for act in acts if isinstance(act, Join)))

    @property
    def side_names(self) -> tuple[str, ...]:
        """The names that may have a score: the teams, or else the players."""
        return tuple(self.teams) or self.names

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names of sides and players, each once."""
        return tuple(dict.fromkeys((*self.side_names, *self.names)))

    def side(self, name: str) -> int:
        """Return the index of the side with this name, or of the side of the player with this name."""
        if name in self.side_names:
            return self.side_names.index(name)
        # A player without a team comes after the teams; the rules refuse such a game before its first line is played.
        return [name in members for members in (*self.teams.values(), self.names)].index(True)

    def seats(self, name: str) -> list[int]:
        """Return the indices of the player with this name, or of the players of the team with this name."""
        return [self.players.index(name)] if name in self.players else sorted(map(self.players.index, self.teams[name]))
