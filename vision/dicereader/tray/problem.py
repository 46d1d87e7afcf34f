"""A problem of a picture of the tray: its kind, its numbers, and the sentence in English."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["too dark", "too bright", "glare", "out of focus", "camera too low", "camera off centre", "tag hidden"]
Way = Literal["left", "right", "up", "down"]


@dataclass(frozen=True)
class TrayProblem:
    """What is wrong with a picture; as text, the whole sentence in English.

    Args:
        kind: the kind, with which the sentence begins.
        advice: what to do, in English.
        raise_percent: by how much of its height to raise a camera that is too low.
        move_cm: how far to move a camera that is off centre, each way as the picture shows the tray.
        hidden: the numbers of the tags that are not seen.
        least_cm: the least height of the lens above the tray's floor, if tags are hidden; 0 if it is unknown.
    """

    kind: Kind
    advice: str
    raise_percent: int = 0
    move_cm: tuple[tuple[Way, int], ...] = ()
    hidden: tuple[int, ...] = ()
    least_cm: int = 0

    def __str__(self) -> str:
        return f"{self.kind}: {self.advice}"
