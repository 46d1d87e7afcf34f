"""The parts of a running program: how each is started and closed, and whether its thread runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

from companion.log import logger_of

_log = logger_of("table")


def nothing() -> None:
    """Do nothing: the start of a part that runs from its construction, or the close of a part that needs no close."""


class Running(Protocol):
    """A part with a thread of its own."""

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""

    def start(self) -> object:
        """Start the thread."""

    def close(self) -> object:
        """End the thread, and wait for its end."""


@dataclass(frozen=True)
class ProgramPart:
    """One part of the program: how to start and close it, and whether its thread runs."""

    name: str
    start: Callable[[], object] = nothing
    close: Callable[[], object] = nothing
    alive: Callable[[], bool] = lambda: True

    @classmethod
    def of(cls, name: str, part: Running) -> Self:
        """Return the part that has a thread of its own."""
        return cls(name, part.start, part.close, lambda: part.alive)

    def close_or_log(self) -> None:
        """Close the part; an exception is logged, so that the parts after it are closed, too."""
        try:
            self.close()
        except Exception:  # noqa: BLE001 - a person's own driver may raise any error
            _log.exception("the %s could not be closed", self.name)
