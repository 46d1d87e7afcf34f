"""The part of the view that is about the tray: the last settled reading, and whether it fits the game."""

from dataclasses import dataclass

from companion.table.state.state import TableState
from dicereader.reading import ReadDie, Zone
from farkle.rules.dice import Faces

PICTURE = "/api/v1/tray.jpg?v={}"
"""The address of the picture of a reading, by the reading's number."""


@dataclass(frozen=True)
class DieView:
    """One die as read."""

    face: int
    """The face."""
    box: tuple[int, int, int, int]
    """Left, top, width and height in pixels of the picture."""
    outline: tuple[tuple[float, float], ...]
    """The corners in pixels of the picture."""
    confidence: float
    """How likely the face is right, from 0 to 1."""
    zone: str | None
    """Where in the tray it lies; null if the tray is unknown."""
    doubts: tuple[str, ...]
    """Why the face is in doubt."""


@dataclass(frozen=True)
class ReadingView:
    """The last settled reading."""

    sure: bool
    """Whether nothing is in doubt."""
    dice: tuple[DieView, ...]
    """The dice."""
    picture: str
    """The address of its picture."""
    shelf: tuple[tuple[int, int], ...] = ()
    """The corners of the shelf in pixels of the picture; empty if the tray is unknown."""


@dataclass(frozen=True)
class TrayShown:
    """The tray as it was seen last."""

    reading: ReadingView | None
    """The last settled reading."""
    picture_size: tuple[int, int] | None
    """The width and height of its picture in pixels."""
    shelf: Faces
    """The dice on the shelf."""
    look: int
    """The number of dice to look at: cocked, missing or not counting."""
    out_of_step: bool
    """Whether the tray differs from the game until the next throw."""


def shown_tray(state: TableState) -> TrayShown:
    """Return how the tray is shown."""
    seen = state.observation
    return TrayShown(
        reading=_reading(state),
        picture_size=seen.size if seen else None,
        shelf=_on_shelf(state),
        look=state.complaint.dice if state.complaint is not None else 0,
        out_of_step=state.out_of_step,
    )


def _on_shelf(state: TableState) -> Faces:
    if state.observation is None:
        return ()
    dice, hopped = state.observation.reading.dice, state.observation.episode.hopped
    return tuple(die.face for i, die in enumerate(dice) if die.zone is Zone.SHELF and i not in hopped)


def _reading(state: TableState) -> ReadingView | None:
    seen = state.observation
    if seen is None:
        return None
    dice = tuple(map(_die, seen.reading.dice))
    return ReadingView(seen.reading.sure, dice, PICTURE.format(seen.number), seen.shelf)


def _die(die: ReadDie) -> DieView:
    return DieView(
        face=die.face,
        box=(die.box.x, die.box.y, die.box.w, die.box.h),
        outline=tuple([(round(x, 1), round(y, 1)) for x, y in die.outline]),
        confidence=round(die.confidence, 4),
        zone=die.zone.value if die.zone else None,
        doubts=tuple([doubt.value for doubt in die.doubts]),
    )
