"""The list of all printed parts: the file that draws each, how many are printed, and the screws that belong to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import measures

from pegboard.layouts import Layout, load_layout, seams

INSERT = "heat-set insert M3 x 4"
M3X6 = "screw M3 x 6, countersunk"
M3X8 = "screw M3 x 8, countersunk"
M25 = "screw M2.5 x 6"
M2X6 = "screw M2 x 6"
M2X12 = "screw M2 x 12"
M2_NUT = "nut M2"
WOOD = "wood screw 3.5 x 16, countersunk"
WOOD_SHORT = "wood screw 3.5 x 12, round head"
TIE = "cable tie 2.5 x 160"
PIN = "pin 3 x 16, a nail or filament"
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
    """A part to print.

    `values` are the variables of its file. `flat` is the height in millimetres at which a plate's section is cut for
    DXF and SVG, or None for a part that is not a plate. `hardware` counts the screws and the like of one piece. `low`
    is True if the picture shows the part from below.
    """

    name: str
    file: str
    values: Mapping[str, str | int]
    about: str
    count: int = 1
    flat: float | None = None
    hardware: Mapping[str, int] = field(default_factory=dict)
    low: bool = False


def parts(layout: Layout | None = None) -> Iterator[PrintedPart]:
    """Yield every part, for a board of this layout."""
    layout = layout or load_layout(measures.LAYOUT)
    for corner in ("left_front", "right_front", "left_back", "right_back"):
        # each of the four seams takes two pins: eight pins for four quarters
        name = f"tray-{corner.replace('_', '-')}"
        yield PrintedPart(name, "tray", {"part": corner}, "as drawn", hardware={PIN: 2})
    screws = seams.screws(layout)
    for side, cuts in (("front", seams.front_cuts(layout)), ("back", seams.back_cuts(layout))):
        for segment, (left, right) in enumerate(pairwise(cuts)):
            fixed = {INSERT if side == "front" else M3X6: sum(left < x < right for x, _ in screws)}
            if side == "back" and segment in (0, len(cuts) - 2):
                fixed[FOOT] = 2 if len(cuts) > 2 else 4
            yield PrintedPart(
                f"board-{side}-{segment + 1}",
                "board",
                {"part": side, "segment": segment},
                "on its face" if side == "front" else "on its outer side",
                flat=0.0,  # board.scad draws it flat
                hardware=fixed,
            )
    yield PrintedPart(
        "buttons-top", "buttons", {"part": "top"}, "on its face", flat=2.0, hardware={INSERT: 4}, low=True
    )
    bottom = {M3X8: 4, TIE: 2, FOOT: 4}
    yield PrintedPart("buttons-bottom", "buttons", {"part": "bottom"}, "on its outer side", flat=2.5, hardware=bottom)
    tray = {INSERT: 4, M25: 4, M2X6: 4, TIE: 8, WOOD_SHORT: 2}
    yield PrintedPart("pibox-tray", "pibox", {"part": "tray"}, "on its floor", hardware=tray)
    yield PrintedPart("pibox-lid", "pibox", {"part": "lid"}, "on its outer side", flat=2.5, hardware={M3X8: 4})
    plate = {M2X12: 4, M2_NUT: 4, WOOD: 2}
    yield PrintedPart("camera-plate", "camera", {"part": "plate"}, "ribs up", flat=1.0, hardware=plate)
    yield PrintedPart("camera-spacers", "camera", {"part": "spacers"}, "four, upright")
    yield PrintedPart("camera-foot", "camera", {"part": "foot"}, "on its sole", hardware={WOOD: 6, WOOD_SHORT: 2})
    yield PrintedPart("camera-elbow", "camera", {"part": "elbow"}, "channels up", hardware={WOOD: 6})


def hardware(layout: Layout | None = None) -> dict[str, int]:
    """Return how many of each screw, insert, tie, pin and foot all parts need together."""
    total: dict[str, int] = {}
    for part in parts(layout):
        for name, count in part.hardware.items():
            total[name] = total.get(name, 0) + count * part.count
    return total
