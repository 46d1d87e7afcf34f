"""The person of a self-test, who answers questions and reads lines; wrong answers are counted."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from companion.errors import CompanionError

YES_NO = ("yes", "no")
"""The answers to a question that asks whether something is so."""


def ask_at_terminal(question: str) -> str | None:
    """Return the answer from standard input; None if it is not a terminal or has ended."""
    if not sys.stdin.isatty():
        print(question)
        return None
    try:
        return input(question)
    except EOFError:
        return None


@dataclass
class Person:
    """Somebody at the table. `ask` returns the answer to a question (None without one), `tell` shows a line."""

    ask: Callable[[str], str | None] = ask_at_terminal
    tell: Callable[[str], object] = print
    wrong: list[str] = field(default_factory=list)
    unanswered: int = 0

    def expects(self, question: str, choices: Sequence[str], expected: str, cure: str) -> None:
        """Ask, and note any answer but `expected` as wrong, with its cure. The beginning of a choice is enough."""
        answer = self.ask(f"{question} [{'/'.join(choices)}] ")
        if answer is None:
            self.unanswered += 1
            return
        given = answer.strip().lower()
        meant = [choice for choice in choices if given and choice.startswith(given)] or [given]
        if meant != [expected]:
            self.found(f"expected {expected}, got {given!r}: {cure}")

    def found(self, problem: str) -> None:
        """Note a problem."""
        self.wrong.append(problem)
        self.tell(f"  wrong: {problem}")

    @contextmanager
    def noting_errors(self) -> Iterator[None]:
        """Note an error of a driver as a problem, and go on; a person's own driver may raise any error."""
        from pegboard.errors import PegboardError

        try:
            yield
        except Exception as error:  # noqa: BLE001
            kind = "" if isinstance(error, PegboardError) else f"the driver raised {type(error).__name__}: "
            self.found(" ".join(f"{kind}{error}".split()))

    def ends(self, device: str) -> int:
        """Print the result, and return the exit status: 1 if something was wrong."""
        if self.wrong:
            self.tell(f"{device}: {len(self.wrong)} wrong")
            return 1
        self.tell(f"{device}: {'nobody said what there was' if self.unanswered else 'as it should be'}")
        return 0


def require_device(section: str, driver: str, none: str) -> None:
    """Check that a driver can be tested; `none` is the name of the driver without a device.

    Raises:
        CompanionError: if the driver is `none`.
    """
    if driver == none:
        raise CompanionError(f"expected {section} that can be tested, got {driver!r}; name others with --{section}")
