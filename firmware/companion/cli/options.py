"""Options that several commands have, each declared once."""

import re
from pathlib import Path
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output and nothing else there.")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Where the games are kept.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A configuration file; else /etc/farklecrib/config.toml."),
]


KINDS = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
}
"""What was expected, by the name of pydantic's error; the braces hold what that error knows."""

CHOICE = re.compile(r"Value error, .* is not one of (.+)\.")


def explained(error: Any) -> str:
    """One line for a usage error of Typer, which reads values by pydantic; in Typer's words where ours do not fit."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    words = [_expected(each) for each in found]
    if words and all(words):
        told = zip(words, found, strict=True)
        error.message = "; ".join(f"expected {each}, got {wrong['input']!r}" for each, wrong in told)
    return str(error.format_message())


def _expected(wrong: dict[str, Any]) -> str | None:
    choice = CHOICE.fullmatch(wrong["msg"])
    if choice is not None:
        return f"one of {choice[1]}"
    kind = KINDS.get(wrong["type"])
    return None if kind is None else kind.format(**wrong.get("ctx", {}))
