"""The command line `farklecrib`: registers every command, and turns errors into one line and an exit status.

A command is one file: its Typer options, and its body. Its function returns the exit status and imports what is slow to
load (OpenCV, the web, devices) when it runs, so `farklecrib score` and `--help` start at once.
"""

import os
import sys
from importlib.metadata import version as installed_version
from typing import NoReturn

import typer
from typer._completion_classes import completion_init

from companion.cli import board, config, games, rules
from companion.cli.calibrate import calibrate, mat
from companion.cli.checkup import doctor, selftest, setup_pi
from companion.cli.odds import odds
from companion.cli.options import usage_message
from companion.cli.play import pair, play
from companion.cli.read import read
from companion.cli.replay import replay, review
from companion.cli.rules import score
from companion.cli.streams import check_streams, reads_pictures, report_crash
from companion.errors import OutputError
from companion.exits import load_failure, shortage
from companion.log import escaped, make_stderr_lossy

LONGEST = 2000
"""The most characters of an error's line."""

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

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


for command in (
    *(play, pair, read, score, odds, replay, review),
    *(doctor, setup_pi, mat, calibrate, version),
):
    app.command()(command)
for name, group in (
    ("rules", rules.app),
    ("board", board.app),
    ("selftest", selftest),
    ("games", games.app),
    ("config", config.app),
):
    app.add_typer(group, name=name)


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
    return any(
        base.__name__ in {"FarkleError", "CompanionError", "DiceReaderError", "PegboardError"}
        and base.__module__ in {"farkle.errors", "companion.errors", "dicereader.errors", "pegboard.errors"}
        for base in type(error).__mro__
    )


def _end_unread() -> NoReturn:
    """Exit with status 0 when the reader of our output has gone, and drop the output that is still buffered."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _fail(words: str, status: int = 2) -> NoReturn:
    line = escaped(" ".join(words.split()))
    typer.echo(f"farklecrib: error: {line if len(line) <= LONGEST else line[: LONGEST - 1] + ELLIPSIS}", err=True)
    sys.exit(status)
