"""The log: the form of its lines, and a stream that accepts no bytes."""

import io
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.log import (
    WAITING,
    DescriptorHandler,
    LineFormatter,
    OnceAMinute,
    is_journal,
    log_stream,
    logger_of,
    say,
    start_log,
)


@contextmanager
def logging_to(descriptor: int, **options: Any) -> Iterator[None]:
    """Write the log to a descriptor until the end of the block."""
    end = start_log(descriptor=descriptor, **options)
    try:
        yield
    finally:
        end()


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., list[str]]:
    """Return the lines that a piece of the program writes into the log."""

    def writing(do: Callable[[], object], **options: Any) -> list[str]:
        file = tmp_path / "log"
        with file.open("wb") as stream, logging_to(stream.fileno(), **options):
            do()
        return file.read_text(encoding="utf-8").splitlines()

    return writing


@pytest.mark.parametrize(
    ("level", "name", "message", "lines"),
    [
        (logging.DEBUG, "farklecrib.strip", "dark", "<7>debug strip: dark\n"),
        (logging.INFO, "farklecrib", "ready", "<6>ready\n"),
        (logging.WARNING, "farklecrib.strip", "dark", "<4>warning strip: dark\n"),
        (logging.ERROR, "farklecrib.host", "one\ntwo", "<3>error host: one\n<3>error host: two\n"),
    ],
)
def test_under_systemd_a_line_has_a_priority_and_no_time(level: int, name: str, message: str, lines: str) -> None:
    record = logging.LogRecord(name, level, "file", 1, message, None, None)
    assert LineFormatter(journal=True).format(record) == lines


def test_a_line_has_time_level_and_part_and_one_for_people_none(written: Callable[..., list[str]]) -> None:
    def log() -> None:
        logger_of("mat").warning("ended: %s", "no frames")
        logger_of("mat").debug("process 7")
        say("Farkle Crib is ready at 100 %.")

    line, words = written(log)
    assert re.fullmatch(r"\d\d:\d\d:\d\d warning mat: ended: no frames", line)
    assert words == "Farkle Crib is ready at 100 %."
    assert len(written(log, verbose=True)) == 3
    assert written(log, muted=lambda: True) == []


def test_warnings_of_other_libraries_are_in_the_log_and_their_info_lines_are_not(
    written: Callable[..., list[str]],
) -> None:
    def chatter() -> None:
        logging.getLogger("uvicorn.error").info("Started server process")
        logging.getLogger("uvicorn.error").warning("Exceeded concurrency limit.")

    (line,) = written(chatter)
    assert line.endswith(" warning uvicorn: Exceeded concurrency limit.")


def test_a_thread_that_dies_is_in_the_log_with_its_traceback(written: Callable[..., list[str]]) -> None:
    def die() -> None:
        thread = threading.Thread(target=lambda: 1 / 0, name="lights")
        thread.start()
        thread.join()

    lines = written(die)
    assert all(re.match(r"\d\d:\d\d:\d\d critical lights: ", line) for line in lines)
    assert lines[0].endswith("ended by an error")
    assert lines[-1].endswith("ZeroDivisionError: division by zero")


def test_the_lines_of_a_child_process_are_logged_as_its_part(written: Callable[..., list[str]]) -> None:
    errors = io.BytesIO(b"Traceback\n\n  100 % \xff of it\n")
    lines = written(lambda: log_stream(errors, logger_of("strip")))
    assert [line[9:] for line in lines] == ["warning strip: Traceback", "warning strip:   100 % \ufffd of it"]
    assert errors.closed


def test_a_message_passes_once_a_minute_whatever_it_names_and_those_left_out_are_counted() -> None:
    now = [0.0]
    once = OnceAMinute(lambda: now[0])

    def said(address: str = "10.0.0.1") -> str | None:
        record = logging.LogRecord("x", logging.WARNING, "file", 1, "refused %s", (address,), None)
        return record.getMessage() if once.filter(record) else None

    assert [said(), said("10.0.0.2"), said()] == ["refused 10.0.0.1", None, None]
    assert once.filter(logging.LogRecord("x", logging.WARNING, "file", 1, "another", (), None))
    now[0] = 60.0
    assert [said(), said()] == ["refused 10.0.0.1 (2 more like this were left out)", None]
    now[0] = 300.0
    assert said() == "refused 10.0.0.1 (1 more like this were left out)"


def test_repeated_lines_are_merged_for_other_libraries_but_not_for_ours(
    written: Callable[..., list[str]],
) -> None:
    def flood() -> None:
        for _ in range(100):
            logging.getLogger("asyncio").error("socket.accept() out of system resource")
            logger_of("table").info("blind")

    lines = written(flood)
    assert [sum(word in line for line in lines) for word in ("out of system resource", "blind")] == [1, 100]


def test_a_stream_that_is_full_closed_or_never_read_stops_no_thread() -> None:
    with Path("/dev/full").open("wb", buffering=0) as full, logging_to(full.fileno()):
        logger_of("eye").error("blind")
    reading, writing = os.pipe()
    os.close(reading)  # its reader has gone
    with logging_to(writing):
        logger_of("eye").error("blind")
    os.close(writing)
    reading, writing = os.pipe()
    with logging_to(writing):
        for _ in range(2 * WAITING):
            logger_of("eye").error("blind " * 100)
    os.close(reading)  # this ends the thread that still writes
    os.close(writing)


def test_a_record_that_cannot_be_formatted_raises_no_error(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as stream:
        handler = DescriptorHandler(stream.fileno())
        handler.setFormatter(LineFormatter(journal=True))
        handler.emit(logging.LogRecord("farklecrib.eye", logging.ERROR, "file", 1, "%d frames", ("no",), None))
        handler.emit(logging.LogRecord("farklecrib.eye", logging.ERROR, "file", 1, "blind", None, None))
        handler.close()
    assert (tmp_path / "log").read_text() == "<3>error eye: blind\n"


def test_systemds_journal_is_recognised_by_its_stream(tmp_path: Path) -> None:
    with (tmp_path / "stream").open("wb") as stream:
        status = os.fstat(stream.fileno())
        assert is_journal(stream.fileno(), {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        assert not is_journal(stream.fileno(), {"JOURNAL_STREAM": "8:1", "INVOCATION_ID": "x"})  # sent elsewhere
        assert is_journal(stream.fileno(), {"INVOCATION_ID": "x"})
        assert not is_journal(stream.fileno(), {})
    assert not is_journal(stream.fileno() if not stream.closed else -1, {"INVOCATION_ID": "x"})
