"""How a self-test speaks with the person: it asks, and counts what was as it should be."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.errors import CompanionError


@dataclass
class Person:
    """Somebody at the table. `ask` gives an answer to a question (None where nobody can answer), `tell` says a line."""

    ask: Callable[[str], str | None]
    tell: Callable[[str], object] = print
    wrong: list[str] = field(default_factory=list)
    unanswered: int = 0

    def expects(self, question: str, choices: Sequence[str], expected: str, mends: str) -> None:
        """Ask; an answer other than `expected` is noted with what mends it. A beginning of a choice will do."""
        answer = self.ask(f"{question} [{'/'.join(choices)}] ")
        if answer is None:
            self.unanswered += 1
            return
        given = answer.strip().lower()
        meant = [choice for choice in choices if given and choice.startswith(given)] or [given]
        if meant != [expected]:
            self.found(f"expected {expected}, got {given!r}: {mends}")

    def found(self, what: str) -> None:
        """Note something that is wrong."""
        self.wrong.append(what)
        self.tell(f"  wrong: {what}")

    def ends(self, device: str) -> int:
        """Say the outcome: 1 where something was wrong, else 0."""
        if self.wrong:
            self.tell(f"{device}: {len(self.wrong)} wrong")
            return 1
        self.tell(f"{device}: {'nobody said what there was' if self.unanswered else 'as it should be'}")
        return 0


def something(section: str, driver: str, nothing: str) -> None:
    """Raise `CompanionError` where the driver is the one that does nothing: there is nothing to test."""
    if driver == nothing:
        raise CompanionError(f"expected {section} that can be tested, got {driver!r}; name others with --{section}")


def at_the_terminal() -> Person:
    """The person at standard input; where that is no terminal, nobody answers."""

    def ask(question: str) -> str | None:
        if not sys.stdin.isatty():
            print(question)
            return None
        try:
            return input(question)
        except EOFError:
            return None

    return Person(ask)
