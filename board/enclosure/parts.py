"""The printed parts: the file that draws each, and its screws; parts.toml lists all but those of the board."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import measures

from pegboard.layouts import Layout, load_layout, seams

PARTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

INSERT = "heat-set insert M3 x 4"
M3X6 = "screw M3 x 6, countersunk"
FOOT = "rubber foot 10 x 5, self-adhesive"

WHOLES: Mapping[str, tuple[str, str, str]] = {
    "tray": ("tray", "whole", "0,-12,0,36,0,16,860"),
    "board": ("board", "whole", "292,49,0,34,0,8,980"),
    "board-seams": ("board", "exploded", "312,49,0,38,0,12,1060"),
    "buttons": ("buttons", "whole", "0,-42,14,48,0,24,540"),
    "pibox": ("pibox", "whole", "166,58,10,40,0,14,700"),
    "camera": ("camera", "whole", "36,30,14,44,0,20,560"),
}
"""The pictures of whole assemblies: file, part, and OpenSCAD's camera (a point, three angles, a distance)."""


@dataclass(frozen=True)
class PrintedPart:
    """A part to print; parts.toml explains the fields."""

    name: str
    file: str
    values: Mapping[str, str | int]
    about: str
    flat: float | None = None
    hardware: Mapping[str, int] = field(default_factory=dict)
    low: bool = False


def parts(layout: Layout | None = None) -> Iterator[PrintedPart]:
    """Yield every part, for a board of this layout."""
    layout = layout or load_layout(measures.LAYOUT)
    yield from (PrintedPart(name, **part) for name, part in PARTS.items())
    screws = seams.screws(layout)
    for side, cuts in (("front", seams.front_cuts(layout)), ("back", seams.back_cuts(layout))):
        for segment, (left, right) in enumerate(pairwise(cuts)):
            fixed = {INSERT if side == "front" else M3X6: sum(left < x < right for x, _ in screws)}
            if side == "back" and segment in (0, len(cuts) - 2):
                fixed[FOOT] = 2 if len(cuts) > 2 else 4
            about = "on its face" if side == "front" else "on its outer side"
            values = {"part": side, "segment": segment}
            yield PrintedPart(f"board-{side}-{segment + 1}", "board", values, about, 0.0, fixed)  # drawn flat


def hardware(layout: Layout | None = None) -> Mapping[str, int]:
    """Return how many of each screw, insert, tie, pin and foot all parts need together."""
    total = Counter[str]()
    for part in parts(layout):
        total.update(part.hardware)
    return total
