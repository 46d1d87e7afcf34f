"""What is wrong with a command line: where a value cannot be read, what was expected and what came."""

import re
from typing import Any

import typer

KINDS = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
}
"""What was expected, by the name of pydantic's error; the braces hold what that error knows."""

CHOICE = re.compile(r"Value error, .* is not one of (.+)\.")


def explained(error: typer.TyperException) -> str:
    """One line for a usage error of Typer, which reads values by pydantic; in Typer's words where ours do not fit."""
    found: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    words = [_expected(each) for each in found]
    if words and all(words):
        told = zip(words, found, strict=True)
        error.message = "; ".join(f"expected {each}, got {wrong['input']!r}" for each, wrong in told)
    return error.format_message()


def _expected(wrong: dict[str, Any]) -> str | None:
    choice = CHOICE.fullmatch(wrong["msg"])
    if choice is not None:
        return f"one of {choice[1]}"
    kind = KINDS.get(wrong["type"])
    return None if kind is None else kind.format(**wrong.get("ctx", {}))
