"""Commands: requests to the game, which `farkle.game.machine.decide` answers with events or a refusal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from farkle.errors import IllegalMoveError
from farkle.rules.dice import Faces


@dataclass(frozen=True)
class ThrowForStart:
    """Throw for the first turn. `player` is an index."""

    player: int
    faces: Faces


@dataclass(frozen=True)
class Roll:
    """Throw the dice, with these faces."""

    faces: Faces


@dataclass(frozen=True)
class Keep:
    """Keep these dice of the last roll; `points` declares a lower total if the dice have several."""

    dice: Faces
    points: int | None = None


@dataclass(frozen=True)
class Choose:
    """Take an option of the open choice; `side` is the side to swap with if several lead."""

    option: str
    side: int | None = None


@dataclass(frozen=True)
class Bank:
    """End the turn and score its points."""


@dataclass(frozen=True)
class Count:
    """State the turn's points so far, which the players counted from unknown dice; None states a farkle."""

    points: int | None


@dataclass(frozen=True)
class Adjust:
    """Set a side's score to the one that the players agreed on. `side` is an index."""

    side: int
    score: int


@dataclass(frozen=True)
class Join:
    """Add a player, last in the order, with no score; a `stored` name was checked when it was new."""

    name: str
    stored: bool = False


@dataclass(frozen=True)
class Leave:
    """Take a player out of the game."""

    player: int


@dataclass(frozen=True)
class Skip:
    """Let the player to move miss this turn."""

    player: int


@dataclass(frozen=True)
class GiveTurn:
    """Let this player throw now; the player to move has the next turn."""

    player: int


@dataclass(frozen=True)
class End:
    """End the game early; nobody wins."""


Command = ThrowForStart | Roll | Keep | Choose | Bank | Count | End | Adjust | Join | Leave | Skip | GiveTurn


def check_command(command: object) -> None:
    """Check that this is a command and that its fields are of their types.

    Raises:
        IllegalMoveError: if it is anything else, with what was expected.
    """
    if not isinstance(command, Command):
        raise IllegalMoveError(f"expected a command such as Roll((1, 1, 5)) or Bank(), got {command!r}")
    for field in fields(command):
        value = getattr(command, field.name)
        wanted, fits = _TYPES[field.type]
        if not fits(value):
            raise IllegalMoveError(f"{type(command).__name__}: {field.name}: expected {wanted}, got {value!r}")


_TYPES: Mapping[object, tuple[str, Callable[[object], bool]]] = {
    int: ("a whole number", lambda value: type(value) is int),
    int | None: ("a whole number or None", lambda value: value is None or type(value) is int),
    bool: ("True or False", lambda value: isinstance(value, bool)),
    str: ("a text", lambda value: isinstance(value, str)),
    Faces: ("a tuple of faces", lambda value: isinstance(value, tuple | list)),
}
"""For each type of a field its name in words, and a function that tests a value."""
