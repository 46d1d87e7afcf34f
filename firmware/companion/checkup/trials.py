"""Play the trial of a device with a person: each step shows something, and judges what the person saw or did."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from companion.errors import CompanionError

YES_NO = ("yes", "no")
"""The answers to a question that asks whether something is so."""


@dataclass
class Person:
    """Somebody at the table. `ask` returns the answer to a question (None without one), `tell` shows a line."""

    ask: Callable[[str], str | None]
    tell: Callable[[str], object]
    wrong: list[str] = field(default_factory=list)
    unanswered: int = 0

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


class Judge(Protocol):
    """Looks at what a device shows or gets, together with a person."""

    def __call__(self, person: Person) -> Iterable[str]:
        """Return the problems, each with its cure."""


@dataclass(frozen=True)
class Step:
    """A step of a trial: what the device does, and then who judges it."""

    do: Callable[[], object]
    judge: Judge


def expects(question: str, expected: str, cure: str, choices: Sequence[str] = YES_NO) -> Judge:
    """Return a judge that asks a person, and takes any answer but `expected` for a problem with this cure.

    The beginning of a choice is enough of an answer.
    """

    def judge(person: Person) -> Iterator[str]:
        answer = person.ask(f"{question} [{'/'.join(choices)}] ")
        if answer is None:
            person.unanswered += 1
            return
        given = answer.strip().lower()
        meant = [choice for choice in choices if given and choice.startswith(given)] or [given]
        if meant != [expected]:
            yield f"expected {expected}, got {given!r}: {cure}"

    return judge


def play(person: Person, steps: Iterable[Step], close: Callable[[], object]) -> None:
    """Play the steps of a trial, and close the device; an error of its driver is a problem, and ends the steps."""
    with person.noting_errors():
        for step in steps:
            step.do()
            for problem in step.judge(person):
                person.found(problem)
    with person.noting_errors():
        close()


def require_device(section: str, driver: str, none: str) -> None:
    """Check that a driver can be tested; `none` is the name of the driver without a device.

    Raises:
        CompanionError: if the driver is `none`.
    """
    if driver == none:
        raise CompanionError(f"expected {section} that can be tested, got {driver!r}; name others with --{section}")
