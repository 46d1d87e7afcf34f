"""What the doctor finds: a line for each thing looked at, and the command that mends it."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """How a thing is: as it should be, worth knowing, or in the way of the table."""

    PASS = "PASS"  # noqa: S105 - no password
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `mend` is a command or what hands do; empty where nothing is to be mended."""

    name: str
    level: Level
    said: str
    mend: str = ""

    def __post_init__(self) -> None:
        if (self.level is Level.PASS) == bool(self.mend):
            raise ValueError(f"expected a way to mend what does not pass and none for what does, got {asdict(self)!r}")

    def line(self) -> str:
        """The finding in one line, what mends it on a second."""
        first = f"{self.level}  {self.name:10} {self.said}"
        return f"{first}\n                 mend: {self.mend}" if self.mend else first


def passed(name: str, said: str) -> Finding:
    """A thing as it should be."""
    return Finding(name, Level.PASS, said)


def warned(name: str, said: str, mend: str) -> Finding:
    """A thing worth knowing."""
    return Finding(name, Level.WARN, said, mend)


def failed(name: str, said: str, mend: str) -> Finding:
    """A thing that is in the table's way."""
    return Finding(name, Level.FAIL, said, mend)
