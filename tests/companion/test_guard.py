"""The guard of a part: which report a failure gives, how often, and how long the part waits."""

import logging

import pytest

from companion.runtime.guard import FIRST_WAIT_S, MOST_WAIT_S, Guard
from companion.runtime.health import PATIENCE_S
from companion.table.state.inputs import Fault
from companion.words import because, english, in_form, message
from pegboard.errors import DriverError

LIGHTS = message("fault.lights")


class Guarded:
    """A guarded part whose tries fail or succeed as the test says, and whose clock stands still."""

    def __init__(self) -> None:
        self.now = 0.0
        self.faults: list[Fault] = []
        self.guard = Guard("leds", LIGHTS, self.faults.append, lambda: self.now)

    def tries(self, error: BaseException | None = None) -> float:
        with self.guard:
            if error is not None:
                raise error
            self.guard.works()
        return self.guard.wait_s


@pytest.fixture
def part() -> Guarded:
    return Guarded()


def test_each_failure_doubles_the_wait_up_to_a_limit_and_a_success_resets_it(part: Guarded) -> None:
    waits = [part.tries(DriverError("loose")) for _ in range(6)]
    assert waits[:3] == [FIRST_WAIT_S, 2 * FIRST_WAIT_S, 4 * FIRST_WAIT_S]
    assert waits[-1] == MOST_WAIT_S < PATIENCE_S  # else a part that waits would count as hanging
    assert (part.tries(), part.tries(DriverError("loose"))) == (0.0, FIRST_WAIT_S)


def test_a_failure_is_reported_once_with_its_reason_and_its_end_once(part: Guarded) -> None:
    for error in (DriverError("the cable is loose"), OSError(5, "Input/output error"), None, None):
        part.tries(error)
    assert part.faults == [Fault("leds", because(LIGHTS, "the cable is loose")), Fault("leds", None)]
    assert english().text(in_form(part.faults[0].text, "spoken")) == "The lights do not answer"


def test_a_bug_is_named_and_its_traceback_is_in_the_log(part: Guarded, caplog: pytest.LogCaptureFixture) -> None:
    part.tries(IndexError("list index out of range"))
    part.tries(IndexError("list index out of range"))
    assert part.faults == [Fault("leds", because(LIGHTS, "an error of the program (IndexError), see its log"))]
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "list index out of range" in str(record.exc_info)


def test_a_part_that_fails_and_works_in_turn_is_reported_once_a_minute(part: Guarded) -> None:
    for _ in range(10):
        part.tries(DriverError("loose"))
        part.tries()
    assert len(part.faults) == 2
    part.now = 60.0
    part.tries(DriverError("loose"))
    assert len(part.faults) == 3


def test_a_part_that_goes_on_failing_is_reported_at_its_second_failure(part: Guarded) -> None:
    for error in (DriverError("loose"), None, DriverError("torn"), DriverError("torn off")):
        part.tries(error)
    assert [fault.text for fault in part.faults] == [because(LIGHTS, "loose"), None, because(LIGHTS, "torn off")]


@pytest.mark.parametrize("ending", [SystemExit, KeyboardInterrupt])
def test_exceptions_that_end_the_program_pass_the_guard(part: Guarded, ending: type[BaseException]) -> None:
    with pytest.raises(ending):
        part.tries(ending())
    assert part.faults == []
