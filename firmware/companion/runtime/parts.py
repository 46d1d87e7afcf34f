"""The parts of a running program: how each is started and closed, and whether its thread runs."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Self

from companion.log import logger_of
from companion.nothing import nothing
from companion.runtime.guard import Worker

_log = logger_of("table")


@dataclass(frozen=True)
class ProgramPart:
    """One part of the program: how to start and close it, and whether its thread runs."""

    name: str
    start: Callable[[], object] = nothing
    close: Callable[[], object] = nothing
    alive: Callable[[], bool] = lambda: True

    @classmethod
    def of(cls, name: str, part: Worker) -> Self:
        """Return the part that has a thread of its own."""
        return cls(name, part.start, part.close, lambda: part.alive)

    def close_or_log(self) -> None:
        """Close the part; an exception is logged, so that the parts after it are closed, too."""
        try:
            self.close()
        except Exception:  # noqa: BLE001 - a person's own driver may raise any error
            _log.exception("the %s could not be closed", self.name)


class Parts:
    """The parts of a program in the order of their start. They are closed in reverse, also if they never started.

    `undo` closes what no part closes yet, if a later part cannot be opened.
    """

    def __init__(self) -> None:
        self.undo = ExitStack()
        self._parts: list[ProgramPart] = []
        self._life = ExitStack()

    def add(self, *parts: ProgramPart) -> None:
        """Register parts that have been opened."""
        for part in parts:
            self._parts.append(part)
            self._life.callback(part.close_or_log)

    def start(self) -> None:
        """Start every part; if one raises, the others stay as they are until `close`."""
        for part in self._parts:
            part.start()

    def ended(self) -> str | None:
        """Return the name of a part whose thread has ended by itself, None while all run."""
        return next((part.name for part in self._parts if not part.alive()), None)

    def close(self) -> None:
        """Close every part. May be called more than once."""
        self.undo.close()
        self._life.close()
