"""A problem of a picture of the tray: its kind and its numbers, of which a program makes a sentence."""

import math
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "too dark",
    "too bright",
    "glare",
    "out of focus",
    "camera too low",
    "camera off centre",
    "tag hidden",
    "camera aslant",
    "dice hidden",
]
CHECK_LINE_MM = 100.0
"""Length of the line on the printed sheets that shows their size."""

Way = Literal["left", "right", "up", "down"]


@dataclass(frozen=True)
class TrayProblem:
    """What is wrong with a picture.

    Args:
        kind: the kind, with which a sentence about it begins.
        raise_percent: by how much of its height to raise the camera.
        raise_cm: the same in centimetres, 0 if the size of the print was not measured.
        move_cm: how far to move a camera that is off centre, each way as the picture shows the tray.
        hidden: the numbers of the tags that are not seen.
        least_cm: the least height of the lens above the tray's floor, if tags are hidden; 0 if it is unknown.
    """

    kind: Kind
    raise_percent: int = 0
    raise_cm: int = 0
    move_cm: tuple[tuple[Way, int], ...] = ()
    hidden: tuple[int, ...] = ()
    least_cm: int = 0


def raised(kind: Kind, percent: int, rise_mm: float, check_line_mm: float | None) -> TrayProblem:
    """Return the problem of a camera that must be higher.

    The pictures tell only how much higher as a part of its height, unless the print was measured.

    Args:
        kind: the kind of problem.
        percent: by how much of its height to raise the camera.
        rise_mm: the same in millimetres of the print.
        check_line_mm: the measured length of the printed line of 100 mm, None if it was not measured.
    """
    cm = 0 if check_line_mm is None else math.ceil(rise_mm * check_line_mm / CHECK_LINE_MM / 10)
    return TrayProblem(kind, raise_percent=percent, raise_cm=cm)
