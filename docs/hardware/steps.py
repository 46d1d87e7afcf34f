"""What each step of hardware.md takes: needs.csv names its parts, cuts.csv the sawn parts with their holes.

A row of needs.csv is a part of parts.csv with the number that a step of each build uses. A row of cuts.csv is a
template of `make templates` with the stock that it is cut from and its round holes, as `number x drill bit` in
millimetres, for the first evening; the two columns behind are for the long board of wood, where it differs. `make docs`
writes both into the steps, and the tests compare them with parts.csv and with the templates.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import flat_boxes
import flats
import parts_list
from builds import Build, builds
from flat import Flat
from parts_list import BUILDS, Table

from dicereader.tray.geometry import Tray

FOLDER = Path(__file__).resolve().parent
WOODEN = tuple(build for build in builds() if not build.printed)
"""The builds of wood: the first evening, and a long board."""


CUT_HEAD = ("you cut", "pieces", "size", "of", "drill")


@dataclass(frozen=True)
class Need:
    """A part that a step uses: its key in parts.csv, the number for each build, and what for."""

    step: int
    part: str
    numbers: Mapping[str, float]
    reason: str


@dataclass(frozen=True)
class Cut:
    """A sawn part: its template, the key of its stock, and the number of holes for each drill bit in millimetres."""

    step: int
    template: str
    stock: str
    holes: Mapping[float, int]


def needs() -> list[Need]:
    """Return the rows of needs.csv."""
    return [
        Need(int(row["step"]), row["part"], {name: float(row[name]) for name in BUILDS}, row["for"])
        for row in _rows("needs.csv")
    ]


def cuts(build: Build) -> list[Cut]:
    """Return the rows of cuts.csv for a build of wood."""
    found = []
    for row in _rows("cuts.csv"):
        stock, holes = row["stock"], row["holes"]
        if build is not WOODEN[0]:
            stock, holes = row["long stock"] or stock, row["long holes"] or holes
        found.append(Cut(int(row["step"]), row["part"], stock, _holes(holes)))
    return found


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _holes(text: str) -> Mapping[float, int]:
    pairs = (each.split(" x ") for each in text.split("; ") if each)
    return {float(bit): int(number) for number, bit in pairs}


def first_evening(step: int, table: Table) -> str:
    """Return what a step of the first evening takes, and what is cut and drilled in it."""
    build = WOODEN[0]
    listed = {row["key"]: row for row in parts_list.rows()}
    rows = [
        (_named(listed[need.part]), _number(listed[need.part], need.numbers[build.name]), need.reason)
        for need in needs()
        if need.step == step and need.numbers[build.name]
    ]
    blocks = [table(("you need", "how many", "for"), rows)]
    sawn = [cut for cut in cuts(build) if cut.step == step]
    if sawn:
        blocks.append(table(CUT_HEAD, (_sawn(cut, listed, build) for cut in sawn)))
    return "\n\n".join(blocks)


def long_boards(table: Table) -> str:
    """Return what each step of the printed long boards takes."""
    return _needs_of([build for build in builds() if build.printed], table)


def wooden_long_board(table: Table) -> str:
    """Return what each step of the long board of wood takes, and what is cut and drilled for it."""
    listed = {row["key"]: row for row in parts_list.rows()}
    build = WOODEN[1]
    sawn = ((cut.step, *_sawn(cut, listed, build)) for cut in cuts(build))
    return f"{_needs_of([build], table)}\n\n{table(('step', *CUT_HEAD), sawn)}"


def _needs_of(chosen: Sequence[Build], table: Table) -> str:
    listed = {row["key"]: row for row in parts_list.rows()}
    names = [build.name for build in chosen]
    rows = (
        (
            need.step,
            _named(listed[need.part]),
            *(_number(listed[need.part], need.numbers[name]) for name in names),
            need.reason,
        )
        for need in needs()
        if any(need.numbers[name] for name in names)
    )
    return table(("step", "you need", *names, "for"), rows)


def _named(row: Mapping[str, str]) -> str:
    return f"{row['part']}: {row['type']}"


def _number(row: Mapping[str, str], number: float) -> str:
    return parts_list.amount(row, f"{number:g}")


def _sawn(cut: Cut, listed: Mapping[str, Mapping[str, str]], build: Build) -> tuple[object, ...]:
    flat = flat_parts(build)[cut.template]
    wide, high = flat.size
    drill = ", ".join(f"{number} x {bit:g} mm" for bit, number in cut.holes.items())
    stock = listed[cut.stock]
    return f"`{cut.template}`", flat.count, f"{wide:.1f} x {high:.1f} mm", f"{stock['part']}, {stock['type']}", drill


def flat_parts(build: Build) -> Mapping[str, Flat]:
    """Return the flat parts of a build by their names."""
    every = (*flats.board(build.board), *flats.tray(Tray()), *flat_boxes.boxes(build.button_mm))
    return {flat.name: flat for flat in every}


def bits() -> list[float]:
    """Return the drill bits that the holes of the first evening need."""
    return sorted({bit for cut in cuts(WOODEN[0]) for bit in cut.holes})
