"""The errors of the rules and the game; each is a `FarkleError`."""

from collections.abc import Mapping


class FarkleError(Exception):
    """Base of all errors of `farkle`.

    `str(error)` says in English what was expected and what was passed.

    Attributes:
        code: the name of what players did wrong, such as `left_already`, so that a program can say it in any language;
            empty for the mistake of a program, of a written game or of a rule set's file.
        fields: the names, numbers and dice that belong to the code, such as the `name` of the player who has left.
    """

    def __init__(self, text: str, code: str = "", /, **fields: object) -> None:
        super().__init__(text)
        self.code = code
        self.fields: Mapping[str, object] = fields


class DiceError(FarkleError, ValueError):
    """Invalid dice: a face that is not 1 to 6, too many or too few dice."""


class RuleSetError(FarkleError, ValueError):
    """An invalid rule set or switch: a missing key, a wrong type, a value out of range."""


class UnknownRuleSetError(FarkleError, LookupError):
    """A name that no rule set has, or that several rule sets share."""


class IllegalMoveError(FarkleError, ValueError):
    """A command that the rules do not allow now. The state is unchanged."""


class SeatingError(FarkleError, ValueError):
    """Players who cannot start this game: too many, too few, or two with the same name."""


class NotationError(FarkleError, ValueError):
    """A written game that cannot be read or played. `line` and `column` count from 1."""

    def __init__(self, line: int, reason: str, column: int) -> None:
        super().__init__(f"line {line}: {reason} (column {column})")
        self.line = line
        self.column = column
        self.reason = reason
