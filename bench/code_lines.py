"""Count lines of code, without blank lines, comments and docstrings, against the budgets in pyproject.toml."""

import ast
import io
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def docstring_lines(source: str) -> set[int]:
    """Return the numbers of the lines that docstrings and other string statements take."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def code_lines(source: str) -> int:
    """Return how many lines of this source hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(source))


def count(folder: Path, without: Collection[Path] = ()) -> tuple[int, int]:
    """Return the number of Python files below a folder, empty `__init__` left out, and of their lines of code.

    Args:
        folder: the folder.
        without: folders below it that do not count.
    """
    files = [file for file in folder.rglob("*.py") if not any(file.is_relative_to(each) for each in without)]
    lines = [code_lines(file.read_text(encoding="utf-8")) for file in files]
    return sum(1 for file, each in zip(files, lines, strict=True) if each or file.name != "__init__.py"), sum(lines)


def budgets() -> dict[Path, dict[str, int]]:
    """Return the budget of each folder in `pyproject.toml`: its files and its lines of code."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        found = tomllib.load(file)["tool"]["farklecrib"]["budgets"]
    return {ROOT / name: each for name, each in found.items()}


def main() -> int:
    """Print each folder's count beside its budget; return 1 if one is over it. A folder's own budget counts alone."""
    limits, total, over = budgets(), Counter[str](), []
    print(f"{'files':>33} {'of':>5} {'lines':>7} {'of':>7}")
    for folder, limit in sorted(limits.items()):
        files, lines = count(folder, [other for other in limits if other != folder and other.is_relative_to(folder)])
        name = str(folder.relative_to(ROOT))
        total.update(files=files, lines=lines)
        print(f"{name:<27}{files:>6} {limit['files']:>5} {lines:>7,} {limit['lines']:>7,}")
        if files > limit["files"] or lines > limit["lines"]:
            over.append(name)
    print(f"{'in all':<27}{total['files']:>6} {'':>5} {total['lines']:>7,}")
    for name in over:
        print(f"{name} is over its budget: take something away, or raise the number in pyproject.toml and say why")
    return bool(over)


if __name__ == "__main__":
    sys.exit(main())
