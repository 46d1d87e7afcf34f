"""Count the lines of code in firmware, vision and board, without blank lines, comments and docstrings.

python bench/code_lines.py          a line a folder, and the sum
python bench/code_lines.py FOLDER   other folders
"""

import ast
import io
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("firmware", "vision", "board")
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


def count(folder: Path) -> tuple[int, int]:
    """Return the number of Python files below a folder, and of their lines of code."""
    files = sorted(folder.rglob("*.py"))
    return len(files), sum(code_lines(file.read_text(encoding="utf-8")) for file in files)


def main() -> None:
    """Print the counts of the folders that the command line names, or of the three of the program."""
    total_files = total_lines = 0
    for name in sys.argv[1:] or FOLDERS:
        files, lines = count(ROOT / name)
        total_files, total_lines = total_files + files, total_lines + lines
        print(f"{name:<28}{files:>5} files {lines:>7,} lines of code")
    print(f"{'in all':<28}{total_files:>5} files {total_lines:>7,} lines of code")


if __name__ == "__main__":
    main()
