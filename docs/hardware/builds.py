"""The builds of hardware.md, read from builds.toml."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pegboard.layouts import Layout, load_layout

FILE = Path(__file__).resolve().parent / "builds.toml"

SURELY_OPENS = 2.1
"""Times its value at which a fuse of IEC 60127-2 sheet 3 opens within two minutes."""


@dataclass(frozen=True)
class Build:
    """A table as hardware.md builds it; see the comments of builds.toml."""

    name: str
    layout: str
    camera: str
    lens_mm: float
    hang_mm: float
    cable_mm: float
    printed: bool
    lamps: bool
    button_mm: float
    adapter_a: float
    fuse_a: float
    budget_ma: float

    @property
    def key(self) -> str:
        """Return the name as a part of a file's name."""
        return self.name.replace(" ", "-")

    @property
    def board(self) -> Layout:
        """Return the board's layout."""
        return load_layout(self.layout)

    @property
    def fuse(self) -> str:
        """Return the marking on the fuse's cap."""
        return f"T {self.fuse_a:g} A L 250 V"


@cache
def builds() -> tuple[Build, ...]:
    """Return the builds in the order of the file."""
    return tuple(Build(**row) for row in tomllib.loads(FILE.read_text(encoding="utf-8"))["build"])
