"""The command `farkleague`: its options, and one line and status 2 for each mistake."""

import json
import logging
import signal
import sys
import threading
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from farkleague.errors import LeagueError

app = typer.Typer(name="farkleague", add_completion=False, pretty_exceptions_enable=False)


def _option(name: str, text: str, *flags: str) -> Any:
    """Return an option, which is also the environment variable `FARKLEAGUE_NAME`."""
    return typer.Option(*flags, envvar=f"FARKLEAGUE_{name}", help=text)


DatabaseOption = Annotated[str, _option("DATABASE", "The PostgreSQL database, such as postgresql:///farkleague.")]


@app.callback(
    invoke_without_command=True,
    help="A league of Farkle Crib boards: their games, taken from a broker, in PostgreSQL and on pages.",
)
def farkleague(context: typer.Context) -> None:
    """Print the help if no command is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def serve(
    database: DatabaseOption = "postgresql:///farkleague",
    host: Annotated[str, _option("HOST", "The address that the pages listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="FARKLEAGUE_PORT", min=0, max=65535, help="Their port.")] = 8090,
    organiser_file: Annotated[
        str,
        _option("ORGANISER_FILE", "The file with the organiser's password; without one nobody organises on the pages."),
    ] = "",
) -> None:
    """Show the league's pages. Any number of these programs may run."""
    from farkleague.pages.app import serve as serve_pages
    from farkleague.store import upgrade

    password = _text_of(organiser_file)
    upgrade(database)
    serve_pages(database, host, port, password)


@app.command()
def work(
    database: DatabaseOption = "postgresql:///farkleague",
    broker: Annotated[str, _option("BROKER", "The MQTT broker, HOST or HOST:PORT.")] = "127.0.0.1",
    user: Annotated[str, _option("USER", "The user at the broker.")] = "",
    password_file: Annotated[str, _option("PASSWORD_FILE", "The file with the user's password.")] = "",
    tls: Annotated[bool, _option("TLS", "Use TLS to the broker.", "--tls")] = False,
    authority: Annotated[
        Path | None,
        typer.Option(
            envvar="FARKLEAGUE_AUTHORITY", exists=True, help="A PEM file, trusted in place of the system's authorities."
        ),
    ] = None,
) -> None:
    """Take the boards' acts from the broker and store them. Any number of these programs may run."""
    from farkleague.store import upgrade
    from farkleague.worker import Broker, Worker

    name, _, port = broker.partition(":")
    if not name or (port and not (port.isdecimal() and 0 < int(port) < 65536)):
        raise LeagueError(f"--broker: expected HOST or HOST:PORT, got {broker!r}")
    if authority and not tls:
        raise LeagueError("--tls: expected it beside --authority")
    password = _text_of(password_file)
    upgrade(database)
    ended = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: ended.set())
    Worker(database, Broker(name, int(port or 1883), user, password, tls, str(authority or ""))).run(ended.is_set)


@app.command()
def enrol(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code that the board shows on its page `League`.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The board's name in the league.")],
    database: DatabaseOption = "postgresql:///farkleague",
) -> None:
    """Enrol a board: from now on the league takes its games."""
    from farkleague import organiser
    from farkleague.store import upgraded

    with upgraded(database) as opened:
        organiser.enrol(opened, code, name)
    typer.echo(f"{name.strip()} is enrolled")


@app.command()
def standings(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A season or tournament; without one, all of them are listed.")
    ] = "",
    database: DatabaseOption = "postgresql:///farkleague",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the table of a season or tournament."""
    from farkleague.results import competitions, table_of
    from farkleague.store import upgraded

    with upgraded(database) as opened:
        found = competitions(opened)
        if name and name not in found:
            raise LeagueError(f"expected {' or '.join(map(repr, found)) or 'a season that has begun'}, got {name!r}")
        rows = [vars(each) for each in table_of(opened, found[name])] if name else [{"name": each} for each in found]
    columns = ("place", "name", "played", "won", "points")
    lines = ["  ".join(str(row[key]) for key in columns if key in row) for row in rows]
    for line in [json.dumps(rows, ensure_ascii=False)] if as_json else lines or ["There is no season yet."]:
        typer.echo(line)


def _text_of(file: str) -> str:
    """Return the text of a file with a password; empty without a file.

    Raises:
        LeagueError: if it cannot be read, or is empty.
    """
    if not file:
        return ""
    try:
        text = Path(file).read_text(encoding="utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise LeagueError(f"expected a file with a password, got {file!r}: {reason}") from error
    if not text:
        raise LeagueError(f"expected a password in {file!r}, got an empty file")
    return text


def run() -> None:
    """Run the program; a mistake gets one line on standard error and exit status 2."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("farkleague").setLevel(logging.INFO)
    try:
        sys.exit(app(standalone_mode=False, prog_name="farkleague") or 0)
    except typer.Abort:
        sys.exit(130)
    except typer.TyperException as error:
        _fail(error.format_message())
    except ImportError as error:
        _fail(f"expected the libraries of the league, got: {error}; pip install 'farklecrib[league]'")
    except OSError as error:
        _fail(f"expected an address and files that can be used, got: {error}")
    except LeagueError as error:
        _fail(str(error))


def _fail(text: str) -> NoReturn:
    print(f"farkleague: error: {' '.join(text.split())}", file=sys.stderr)
    sys.exit(2)
