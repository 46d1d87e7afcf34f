"""The process of `farklecrib`: its standard streams, its commands, and the line and exit status of each error.

A command is one file: its Typer options, and its body. Its function returns the exit status and imports what is slow to
load (OpenCV, the web, devices) when it runs, so `farklecrib score` and `--help` start at once.
"""

import ctypes
import faulthandler
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version as installed_version
from types import FrameType
from typing import Any, NoReturn

import typer
from typer._completion_classes import completion_init

from companion.cli import board, config, games, rules, words
from companion.cli.calibrate import calibrate, mat
from companion.cli.checkup import doctor, selftest, setup_pi
from companion.cli.odds import odds
from companion.cli.options import explain, usage_message
from companion.cli.play import pair, play
from companion.cli.read import read
from companion.cli.replay import replay, review
from companion.cli.rules import score
from companion.errors import OutputError
from companion.exits import CRASHES, load_failure, shortage, why_ended
from companion.log import LossyFile, escaped, make_stderr_lossy

LONGEST = 2000
"""The most characters of an error's line."""

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

OUR_ERRORS = frozenset({"farkle.errors", "companion.errors", "dicereader.errors", "pegboard.errors"})
"""The modules of our errors, whose text says what is wrong."""

COMPLETION = "_FARKLECRIB_COMPLETE"
"""The variable by which a shell's completion script asks for completions."""

app = typer.Typer(name="farklecrib", add_completion=False, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True, help="A companion for a cribbage board and six real dice.")
def farklecrib(context: typer.Context) -> None:
    """Print the help if no command is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def version() -> None:
    """Print the version."""
    typer.echo(f"farklecrib {installed_version('farklecrib')}")


for function in (play, pair, read, score, odds, replay, review, doctor, setup_pi, mat, calibrate, version):
    app.command()(function)
    explain(app.registered_commands[-1])
for name, group in (
    ("rules", rules.app),
    ("board", board.app),
    ("selftest", selftest),
    ("games", games.app),
    ("config", config.app),
    ("words", words.app),
):
    app.add_typer(group, name=name)
    for command in group.registered_commands:
        explain(command)


def main() -> None:
    """Run a command; every mistake gets one line on standard error and exit status 2.

    A machine that is short of memory gets status 1, after which systemd starts the table again.

    Raises:
        SystemExit: always, with the exit status.
    """
    make_stderr_lossy()
    # Before OpenCV is imported, here or in the eye's process: a small file must not decode to gigabytes.
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "20000000")
    if COMPLETION in os.environ:  # the shell asks for completions; the package has Typer's script for bash
        completion_init()
    try:
        status = app(standalone_mode=False, prog_name="farklecrib") or 0
        sys.stdout.flush()
        sys.exit(status)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # Typer itself would exit with status 1
            _end_unread()
        raise
    except typer.Abort:
        sys.exit(130)
    except typer.TyperException as error:
        _fail(usage_message(error))
    except BrokenPipeError:
        _end_unread()
    except Exception as error:
        if _is_ours(error):
            _fail(str(error))
        if short := shortage(error):
            _fail(f"expected enough memory, threads and open files, got: {short}", status=1)
        if failed := load_failure(error):
            _fail(f"{failed}; see farklecrib doctor")
        raise


def run() -> None:
    """Run the program. A command that reads pictures runs in a child process, so that a crash gets one line, too."""
    try:
        check_streams()
    except OutputError as error:
        _fail(str(error))
    if reads_pictures(sys.argv[1:]):
        _fail(f"expected to read pictures, got: {report_crash(main)}; see farklecrib doctor")
    main()


def _is_ours(error: Exception) -> bool:
    """Return whether an error has one of our base classes; compares names, because an import would be slow."""
    return not OUR_ERRORS.isdisjoint(base.__module__ for base in type(error).__mro__)


def _end_unread() -> NoReturn:
    """Exit with status 0 when the reader of our output has gone, and drop the output that is still buffered."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _fail(words: str, status: int = 2) -> NoReturn:
    line = escaped(" ".join(words.split()))
    typer.echo(f"farklecrib: error: {line if len(line) <= LONGEST else line[: LONGEST - 1] + ELLIPSIS}", err=True)
    sys.exit(status)


HIGHEST = 2
"""The highest number of a standard stream: standard error."""


class _CheckedFile(LossyFile):
    """A file descriptor whose refusal is an `OutputError`. After the first one it drops what is written."""

    _refused = False

    def write(self, data: Any) -> int:
        if self._refused:  # Python writes what is still buffered when it exits
            return len(data)
        try:
            return os.write(self.fileno(), data)
        except BrokenPipeError:  # the reader has read enough
            raise
        except OSError as error:
            self._refused = True
            raise OutputError(f"expected standard output to take the result, got: {error.strerror}") from error


def check_streams() -> None:
    """Let a failed write to standard output raise `OutputError`, and open /dev/null in place of closed streams.

    Else a file that is opened later gets the number of a closed stream, and what is printed goes into that file.

    Raises:
        OutputError: if standard output is closed.
    """
    unheard = sys.stdout is None
    while (opened := os.open(os.devnull, os.O_RDWR)) <= HIGHEST:
        os.set_inheritable(opened, True)
    os.close(opened)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - as long as the program runs
    if sys.stderr is None:  # print(file=None) writes to standard output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if unheard:
        raise OutputError("expected standard output to be open, got a closed one; >/dev/null drops the result")
    stream = sys.__stdout__
    if stream is not None and stream is sys.stdout:  # else it was replaced already
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_CheckedFile(stream.fileno())),
            stream.encoding,
            stream.errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )


READING = (("read",), ("calibrate",), ("selftest", "camera"))
"""The commands that read pictures in their own process."""

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
"""The option of prctl(2) that names the signal a process gets when its parent ends."""

LONGEST_TRACE = 1 << 16


def reads_pictures(arguments: Sequence[str]) -> bool:
    """Return whether the command of these arguments reads pictures."""
    return any(tuple(arguments[: len(command)]) == command for command in READING)


def _end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent has ended, however that was."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os.kill(os.getpid(), signal.SIGKILL)


def _interrupt_once(_number: int, _frame: FrameType | None) -> NoReturn:
    """End the command at the first SIGINT alone: a terminal sends one to this process, too, beside the forwarded one.

    Raises:
        KeyboardInterrupt: always.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def report_crash(command: Callable[[], None]) -> str:
    """Run a command in a child process, and exit as it exits.

    The child gets this process's standard streams, and the signals that end it.

    Args:
        command: exits by `SystemExit`.

    Returns:
        The reason, if a library crashed the child. Nothing else returns.

    Raises:
        SystemExit: with the exit status of the child, in both processes.
    """
    trace = os.memfd_create("farklecrib-trace")
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, _interrupt_once)
        _end_with(parent)
        faulthandler.enable(trace)
        command()
        raise SystemExit(0)

    def forward(number: int, _frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(child, number)

    for each in FORWARDED:
        signal.signal(each, forward)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if -status in CRASHES:
        return why_ended(status, os.pread(trace, LONGEST_TRACE, 0).decode(errors="replace"))
    if status < 0:  # somebody ended the child: this process ends in the same way
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    raise SystemExit(status)
