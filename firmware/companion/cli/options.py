"""What several commands share: options and their messages, the game that options describe, input, output, progress."""

import errno
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer
from typer.models import CommandInfo

from companion.errors import CompanionError, reporting_file_errors
from companion.log import escaped
from companion.rule_files import rules_named
from companion.storage.whole_file import replacing

if TYPE_CHECKING:
    from companion.config import Config
    from companion.table.state.inputs import DraftPatch, NewGame
    from farkle.rules.ruleset import RuleSet

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output and nothing else there.")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Where the games are kept.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A configuration file; else /etc/farklecrib/config.toml."),
]
Driver = Annotated[str | None, typer.Option(metavar="NAME", help="Another driver than the configuration's.")]
Settings = Annotated[
    list[str], typer.Option("--set", metavar="SWITCH=VALUE", help="Set a switch of the rules; may be given again.")
]

LONGEST_LINE = 1000
"""The most characters that are read of a line on standard input."""

KINDS = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
}
"""The expected value, by the name of pydantic's error; the braces hold values that the error carries."""

CHOICE = re.compile(r"Value error, .* is not one of (.+)\.")


ARGUMENT = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)
"""An argument in Google's form of a docstring, and what it is for."""


def explain(command: CommandInfo) -> None:
    """Let a command's docstring be its help: what it does, and in `Args` what each option is for."""
    assert command.callback is not None
    about, *sections = re.split(r"\n\n(?=Args:|Raises:)", inspect.getdoc(command.callback) or "")
    command.help = about
    for name, text in ARGUMENT.findall("".join(section for section in sections if section.startswith("Args:"))):
        command.callback.__annotations__[name].__metadata__[0].help = " ".join(text.split())


def parse_settings(items: list[str]) -> dict[str, str]:
    """Return `SWITCH=VALUE` items as a dictionary.

    Raises:
        CompanionError: if an item has another form.
    """
    settings: dict[str, str] = {}
    for item in items:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not (name and equals and value):
            raise CompanionError(f"expected --set SWITCH=VALUE, got {item!r}")
        settings[name] = value
    return settings


def tell(words: str, *, err: bool = False, end: str = "\n") -> None:
    """Print text for people, with control characters escaped: a file's name may contain any."""
    print(escaped(words), file=sys.stderr if err else sys.stdout, end=end, flush=True)


def read_written_game(path: str, expected: str = "a written game") -> str:
    """Return the text of a written game's file, or with `-` that on standard input, which may be as long.

    `CompanionError` reaches the caller if it cannot be read, and says what was `expected`.

    Raises:
        OSError: if standard input is longer; it becomes a `CompanionError`.
    """
    from dicereader.data.files import MOST_TEXT_BYTES, read_text

    with reporting_file_errors(expected, path):
        if path != "-":
            return read_text(path)
        text = sys.stdin.read(MOST_TEXT_BYTES + 1)
        if len(text) > MOST_TEXT_BYTES:
            raise OSError(errno.EFBIG, f"it has more than {MOST_TEXT_BYTES:,} characters")
        return text


def ask_line(request: str) -> str:
    """Show a request on standard error, and return the line that is typed on standard input."""
    tell(request, err=True, end="")
    return sys.stdin.readline(LONGEST_LINE)


def agreed(question: str) -> bool:
    """Ask a question on standard error, and return whether the answer on standard input is yes."""
    return ask_line(f"{question} [y/N] ").strip().casefold() in {"y", "yes"}


def write_file(file: Path, content: bytes) -> None:
    """Write a file for a command, and make its folder if it is missing.

    `CompanionError` reaches the caller if the file cannot be written.
    """
    with reporting_file_errors("a file that can be written", file):
        file.parent.mkdir(parents=True, exist_ok=True)
    with written(file) as opened:
        opened.write(content)


@contextmanager
def written(file: Path) -> Iterator[BinaryIO]:
    """Yield a file to write for a command, whole or not at all; a device or a pipe is written as it is.

    `CompanionError` reaches the caller if the file cannot be written.
    """
    with reporting_file_errors("a file that can be written", file):
        if file.exists() and not file.is_file():
            with file.open("wb") as opened:
                yield opened
        else:
            with replacing(file.resolve(), 0o666) as opened:
                yield opened


@contextmanager
def bar(words: str) -> Iterator[Callable[[float], None]]:
    """Yield a function that takes the share that is done, from 0 to 1. The bar appears with the first share.

    Without a terminal a line is written when the work begins and one at each tenth.
    """
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        # If standard output is the same terminal, its lines appear above the bar.
        console = Console(stderr=True)
        with Progress(console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as progress:
            task = progress.add_task(words, total=1.0, visible=False)
            yield lambda share: progress.update(task, completed=share, visible=True)
        return
    tenth = -1

    def tell_share(share: float) -> None:
        nonlocal tenth
        if int(share * 10) > tenth:
            tenth = int(share * 10)
            tell(f"{words}: {tenth * 10} %", err=True)

    yield tell_share


def usage_message(error: typer.TyperException) -> str:
    """Return one line for a usage error; Typer reads values by pydantic, whose errors get our own words."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    words = [_expected(each) for each in found]
    if words and all(words):
        error.message = "; ".join(
            f"expected {each}, got {wrong['input']!r}" for each, wrong in zip(words, found, strict=True)
        )
    return error.format_message()


def _expected(wrong: dict[str, Any]) -> str | None:
    if choice := CHOICE.fullmatch(wrong["msg"]):
        return f"one of {choice[1]}"
    kind = KINDS.get(wrong["type"])
    return None if kind is None else kind.format(**wrong.get("ctx", {}))


def parse_players(text: str | None) -> tuple[str, ...] | None:
    """Return the names of `Ann,Ben`; None if the option was not given."""
    return None if text is None else tuple(name.strip() for name in text.split(","))


def parse_teams(text: str | None) -> dict[str, tuple[str, ...]] | None:
    """Return the players of each team in `A=Ann,Cy;B=Ben,Di`; None if the option was not given.

    Raises:
        CompanionError: if the text has another form.
    """
    if text is None:
        return None
    teams: dict[str, tuple[str, ...]] = {}
    for item in text.split(";"):
        name, equals, members = (part.strip() for part in item.partition("="))
        players = parse_players(members) or ()
        if not (equals and name and all(players)) or name in teams:
            raise CompanionError(f"expected --teams 'A=Ann,Cy;B=Ben,Di', got {text!r}")
        teams[name] = players
    return teams


def asked_game(config: "Config", options: "DraftPatch", *, autoplay: bool = False) -> "NewGame":
    """Return the game that the configuration and the options describe; without names it waits in the lobby."""
    from companion.boards import track_of
    from companion.table.lobby.form import taking_turns
    from companion.table.state.inputs import NewGame

    teams = options.teams if isinstance(options.teams, Mapping) else {}
    names = options.names or taking_turns(teams) or config.table.players or (("Ann", "Ben") if autoplay else None)
    settings = options.settings or {}
    track = track_of(config) if options.track is not None or "target" not in settings else None
    rules = known_rules(config, config.table.rules)
    return NewGame(rules, names or None, settings, track, options.start, teams or None)


def check_game(config: "Config", options: "DraftPatch", *, autoplay: bool = False) -> "NewGame":
    """Return the game that starts on an empty data folder; without names the lobby offers it.

    A `FarkleError` reaches the caller if the rules do not allow it.

    Raises:
        CompanionError: if such a game is impossible, even if another game goes on.
    """
    from companion.runtime.opened_table import board_tracks
    from companion.table.lobby.form import patched
    from companion.table.lobby.lobby import begin_game
    from companion.table.state.draft import GameDraft, rules_on_track
    from companion.table.state.state import restored

    game, tracks = asked_game(config, options, autoplay=autoplay), board_tracks(config)
    if game.names is None and options.start is not None:
        raise CompanionError(f"expected --players with --start, got --start {options.start!r} alone")
    table = replace(restored((), seq=0, game_number=0), tracks=tracks)
    rules_on_track(patched(table, GameDraft(), game), tracks)
    if game.names is not None:
        begin_game(table, game, 0.0)
    return game


def known_rules(config: "Config", name: str) -> "RuleSet":
    """Return the rule set of this name: one that the house has saved in its data folder, a packaged one, or a file."""
    from companion.config import data_folder
    from companion.features.house_rules.rules_folder import rules_folder, saved_rules

    return rules_named(name, saved_rules(rules_folder(data_folder(config))))
