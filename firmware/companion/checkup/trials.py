"""Play the trial of a device with a person: each step shows something, and the person says what there was."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from companion.config import Config
from companion.errors import CompanionError
from pegboard.errors import PegboardError

NO_DEVICE = {"leds": "simulated", "buttons": "page", "sound": "silent"}
"""The driver without a device, for each device that can be tried."""


@dataclass(frozen=True)
class TrialStep:
    """A step of a trial: what the device shows, and the answer to a question if it is as it should be.

    `show` names what the device does, such as the picture of a strip. The `cure` is for any other answer than
    `expected`; the beginning of one of the `choices` is enough of an answer.
    """

    show: str
    question: str
    expected: str
    cure: str
    choices: tuple[str, ...] = ("yes", "no")


@dataclass
class Person:
    """Somebody at the table. `ask` returns the answer to a question (None without one), `tell` shows a line."""

    ask: Callable[[str], str | None]
    tell: Callable[[str], object]
    wrong: list[str] = field(default_factory=list)
    unanswered: int = 0

    def judge(self, step: TrialStep) -> Iterator[str]:
        """Ask a step's question, and yield what is wrong by the answer."""
        answer = self.ask(f"{step.question} [{'/'.join(step.choices)}] ")
        if answer is None:
            self.unanswered += 1
            return
        given = answer.strip().lower()
        meant = [choice for choice in step.choices if given and choice.startswith(given)] or [given]
        if meant != [step.expected]:
            yield f"expected {step.expected}, got {given!r}: {step.cure}"

    def found(self, problem: str) -> None:
        """Note a problem."""
        self.wrong.append(problem)
        self.tell(f"  wrong: {problem}")

    @contextmanager
    def noting_errors(self) -> Iterator[None]:
        """Note an error of a driver as a problem, and go on; a person's own driver may raise any error."""
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


def play(
    person: Person,
    steps: Iterable[TrialStep],
    show: Callable[[str], object],
    close: Callable[[], object],
    judge: Callable[[TrialStep], Iterable[str]] | None = None,
) -> None:
    """Play the steps of a trial, and close the device; an error of its driver is a problem, and ends the steps.

    Args:
        person: somebody who answers, and is told each problem.
        steps: what is shown and asked.
        show: lets the device show what a step names.
        close: closes the device.
        judge: returns the problems of a step; if it is missing, the person is asked.
    """
    with person.noting_errors():
        for step in steps:
            show(step.show)
            for problem in (judge or person.judge)(step):
                person.found(problem)
    with person.noting_errors():
        close()


def has_device(config: Config, device: str) -> bool:
    """Return whether a configuration names a real driver of `leds`, `buttons` or `sound`."""
    return bool(getattr(config, device).driver != NO_DEVICE[device])


def require_device(config: Config, device: str) -> None:
    """Check that there is a device to test.

    Raises:
        CompanionError: if the configuration names the driver without one.
    """
    if not has_device(config, device):
        got = NO_DEVICE[device]
        raise CompanionError(f"expected {device} that can be tested, got {got!r}; name others with --{device}")
