"""A process for work: it can be ended in the middle of it, and what goes wrong there reaches who asked."""

import os
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.errors import RefusedError
from companion.words import message
from companion.work_process import WorkProcess

ENDED = message("calibrate.worker_ended")


@pytest.fixture
def work() -> Iterator[WorkProcess]:
    process = WorkProcess(ENDED)
    yield process
    process.close()


def no_memory(*_given: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_work_that_takes_too_long_is_killed_and_other_work_goes_on(
    work: WorkProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("_multiprocessing.SemLock", no_memory)  # shared memory cannot be written on some machines
    first = work.run(os.getpid)
    with pytest.raises(ZeroDivisionError):
        work.run(partial(divmod, 1, 0))
    assert work.run(os.getpid) == first != os.getpid()
    with pytest.raises(RefusedError, match="has ended"):
        work.run(partial(time.sleep, 3600), most_s=0.01)
    assert work.run(os.getpid) != first


def test_work_under_way_ends_when_the_table_does(work: WorkProcess, tmp_path: Path) -> None:
    pipe, refused = tmp_path / "pipe", list[RefusedError]()
    os.mkfifo(pipe)

    def wait() -> None:
        try:
            work.run(partial(Path.read_text, pipe))
        except RefusedError as error:
            refused.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    with pipe.open("w"):  # once the work has opened its other end
        work.close()
    waiting.join(60)
    assert [error.reason for error in refused] == [ENDED]
    with pytest.raises(RefusedError):
        work.run(os.getpid)
