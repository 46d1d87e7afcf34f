"""What can go wrong in the rules and the game; every error of this package is a `FarkleError`."""


class FarkleError(Exception):
    """Base of all errors of `farkle`."""


class DiceError(FarkleError, ValueError):
    """What was given is no dice: not 1 to 6, too many, too few, or no part of the roll."""


class RuleSetError(FarkleError, ValueError):
    """A rule set or one of its switches cannot be: a missing key, a wrong kind, a value out of range."""


class ContradictionError(RuleSetError):
    """Switches of a rule set exclude each other."""


class UnknownRuleSetError(FarkleError, LookupError):
    """No rule set has this name, or several share it."""


class IllegalMoveError(FarkleError, ValueError):
    """The rules do not allow this now; the state is as it was."""


class SeatingError(FarkleError, ValueError):
    """These players cannot start this game: too many, too few, or two of one name."""


class NotationError(FarkleError, ValueError):
    """A written game cannot be read or played. `line` and `column` count from 1."""

    def __init__(self, line: int, reason: str, column: int) -> None:
        super().__init__(f"line {line}: {reason} (column {column})")
        self.line = line
        self.column = column
        self.reason = reason
