"""Fit the numbers of the reader's stages: `make fit-limits`, or `python bench/fit_limits.py [--write] [NAME...]`.

After a training, networks and formulas (`fit_confidence`) are fitted, but the numbers between them were set for other
networks. This tries each number, all of them or those named, a quarter larger and a fifth smaller, on development
pictures, in other conditions and on drawn throws (`paired`). A number changes if the worth of the readings grows by
more than `ERRORS` standard errors of the paired difference. It is then tried further in the same direction. `--write`
writes the changed numbers into the stages' files. Held-out pictures are not read: compare on them afterwards.
"""

import argparse
import ast
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from figures import error_of_sum
from paired import PictureRow, rows
from picture_sets import SHARED

from dicereader import stages as package

FACTORS = 1.25, 0.8
"""Factors for a number. For a number between 0.5 and 1, usually a share, they multiply its difference to 1."""

ERRORS = 3.0
"""Standard errors. About 300 changes are tried: of those without effect, less than one passes this by chance."""

WRONG = 10.0
"""The cost of a sure and wrong reading, in right readings that are not sure."""


def stages() -> list[ModuleType]:
    """Return the modules of the stages."""
    found = walk_packages(package.__path__, f"{package.__name__}.")
    return [import_module(each.name) for each in found if not each.ispkg]


def assigned(source: str) -> dict[str, ast.Constant]:
    """Return the numbers with a point that a module's text assigns to names in capitals, by name."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            names, values = ([each, *getattr(each, "elts", ())] for each in (target, value))
            found |= {
                name.id: number
                for name, number in zip(names, values, strict=False)
                if isinstance(name, ast.Name) and name.id.isupper()
                if isinstance(number, ast.Constant) and isinstance(number.value, float)
            }
    return found


def numbers() -> dict[str, float]:
    """Return the numbers of the stages by name. No two stages have a number of the same name."""
    return {name: number.value for file in files() for name, number in assigned(file.read_text("utf-8")).items()}


def files() -> list[Path]:
    """Return the files of the stages."""
    return [Path(str(module.__file__)) for module in stages()]


def stepped(value: float, factor: float) -> float:
    """Return the number changed by one step, to three digits."""
    return float(f"{1 - (1 - value) * factor if 0.5 < value < 1 else value * factor:.3g}")


@contextmanager
def changed(changes: list[tuple[ModuleType, str, float]]) -> Iterator[None]:
    """Let the reader's modules have other values of these names within the block."""
    before = [(module, name, getattr(module, name)) for module, name, _ in changes]
    for module, name, other in changes:
        setattr(module, name, other)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def read_with(every: int, values: dict[str, float]) -> list[PictureRow]:
    """Read all rows with these numbers."""
    uses = [(module, name, value) for name, value in values.items() for module in stages() if hasattr(module, name)]
    with changed(uses):
        return list(rows(every, [], held_out=False))


def worth(row: PictureRow) -> float:
    """Return the worth of a reading."""
    level = 0 if row.odd else row.exact + (row.sure and row.exact)
    return level - WRONG * row.wrong


def gain(before: list[PictureRow], after: list[PictureRow]) -> tuple[float, float]:
    """Return the gain in worth of all readings, and its standard error. Rows of the same scene are one case."""
    off = [worth(b) - worth(a) for a, b in zip(before, after, strict=True)]
    return math.fsum(off), error_of_sum(off, [row.scene for row in before])


def with_number(source: str, name: str, value: float) -> str:
    """Return a module's text with another value of one of its numbers."""
    old, lines = assigned(source)[name], source.splitlines(keepends=True)
    line = lines[old.lineno - 1]
    lines[old.lineno - 1] = f"{line[: old.col_offset]}{value!r}{line[old.end_col_offset :]}"
    return "".join(lines)


def write(values: dict[str, float]) -> None:
    """Write numbers into the files of the stages."""
    for file in files():
        source = file.read_text("utf-8")
        for name in values.keys() & assigned(source).keys():
            source = with_number(source, name, values[name])
        file.write_text(source, "utf-8")


def fit(names: list[str], every: int) -> dict[str, float]:
    """Return the changed numbers with their new values. Print the gain of each change."""
    now = numbers()
    moved: dict[str, float] = {}
    before = read_with(every, {})
    for name in names:
        for factor in FACTORS:
            while True:
                value = stepped(moved.get(name, now[name]), factor)
                after = read_with(every, {**moved, name: value})
                more, error = gain(before, after)
                better = more > ERRORS * error > 0
                says = f"{more:+.0f} ± {1.96 * error:.1f}" if error else "the same readings"
                sys.stdout.write(f"{name} = {value:g}: {says}{', moved' * better}\n")
                sys.stdout.flush()
                if not better:
                    break
                moved[name], before = value, after
    return moved


def number_of_stage(text: str) -> str:
    """Return the name of a number, given as the command's argument."""
    if text not in numbers():
        raise argparse.ArgumentTypeError(f"expected the name of a number of the stages, such as LEAST, got {text!r}")
    return text


def main() -> int:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description="Fit the numbers of the reader's stages.")
    parser.add_argument("names", nargs="*", type=number_of_stage, metavar="NAME", help="without a name, all")
    parser.add_argument("--conditions", type=int, default=9, metavar="N", help="every N-th picture in other conditions")
    parser.add_argument("--write", action="store_true", help="write what moved into the stages' files")
    arguments = parser.parse_args()
    if not SHARED.exists():
        sys.stdout.write(f"skipped: photographs, rigs and most trays, for there is no {SHARED}\n")
    moved = fit(arguments.names or list(numbers()), arguments.conditions)
    if arguments.write:
        write(moved)
    return 0


if __name__ == "__main__":
    sys.exit(main())
