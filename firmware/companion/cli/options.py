"""Options that several commands share, and the messages for options that cannot be read."""

import errno
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from companion.errors import CompanionError, reporting_file_errors
from companion.log import escaped
from companion.storage.whole_file import replacing

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


def standard_input() -> str:
    """Return the text on standard input, which may be as long as a file's.

    Raises:
        OSError: if it is longer.
    """
    from dicereader.data.files import MOST_TEXT_BYTES

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


def write_text(file: Path, text: str) -> None:
    """Write a text file, as `write_file` does."""
    write_file(file, text.encode())


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
