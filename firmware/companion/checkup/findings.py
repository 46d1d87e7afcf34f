"""The result of a check: a level, a text, and the command that cures the problem."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """The severity of a finding: no problem, worth knowing, or the table cannot run well."""

    PASS = "PASS"  # noqa: S105 - no password
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True)
class Finding:
    """One finding: the name of its check, its text, and the cure, which is empty for a pass."""

    name: str
    level: Level
    said: str
    mend: str = ""

    def __post_init__(self) -> None:
        if (self.level is Level.PASS) == bool(self.mend):
            raise ValueError(f"expected a cure for a problem, and no cure for a pass, got {asdict(self)!r}")

    def line(self) -> str:
        """Return the finding as one line, and its cure as a second one."""
        first = f"{self.level}  {self.name:10} {self.said}"
        return f"{first}\n                 mend: {self.mend}" if self.mend else first


def passed(name: str, text: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(name, Level.PASS, text)


def warned(name: str, text: str, cure: str) -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(name, Level.WARN, text, cure)


def failed(name: str, text: str, cure: str) -> Finding:
    """Return a finding of a problem that the table cannot run well with."""
    return Finding(name, Level.FAIL, text, cure)


def judged(name: str, good: object, text: str, problem: str, cure: str) -> Finding:
    """Return a pass with `text` if `good` is true, else a failure with `problem` and its cure."""
    return passed(name, text) if good else failed(name, problem, cure)
