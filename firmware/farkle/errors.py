"""The errors of the rules and the game; each is a `FarkleError`."""


class FarkleError(Exception):
    """Base of all errors of `farkle`."""


class DiceError(FarkleError, ValueError):
    """Invalid dice: a face that is not 1 to 6, too many or too few dice."""


class RuleSetError(FarkleError, ValueError):
    """An invalid rule set or switch: a missing key, a wrong type, a value out of range."""


class SwitchValueError(RuleSetError):
    """A value that a switch does not allow: the switch's `name`, its `allowed` values in words, and the `value`."""

    def __init__(self, name: str, allowed: str, value: object) -> None:
        super().__init__(f"{name}: expected {allowed}, got {value!r}")
        self.name, self.allowed, self.value = name, allowed, value


class TooFarError(RuleSetError):
    """A target beyond the end of the track. `needed` is the number of points a hole with which it fits."""

    def __init__(self, target: int, track: int, points_a_hole: int) -> None:
        self.target, self.track, self.points_a_hole = target, track, points_a_hole
        self.most, self.needed = track * points_a_hole, -(-target // track)
        super().__init__(
            f"expected a target of at most {self.most} on a track of {track} holes at {points_a_hole} "
            f"{'point' if points_a_hole == 1 else 'points'} a hole, got {target}; "
            f"points_a_hole={self.needed} makes it fit"
        )


class ContradictionError(RuleSetError):
    """Switches of a rule set that exclude each other, with the `reason`."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"expected switches that go together, got {reason}")
        self.reason = reason


class UnknownRuleSetError(FarkleError, LookupError):
    """A name that no rule set has, or that several rule sets share; `keys` are the keys of those that share it."""

    def __init__(self, text: str, keys: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.keys = keys


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
