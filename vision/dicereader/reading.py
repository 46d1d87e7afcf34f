"""Readings, episodes and observations: the results of the eye as plain data, without OpenCV or numpy."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dicereader.errors import ReadingError, check_number

SURE = 0.95
"""Confidence from which one die of a calibrated tray is sure. Single pictures use `stages.judge.least_sure` instead."""


class Doubt(StrEnum):
    """Why a die, or a whole reading, is not sure."""

    COCKED = "cocked"
    STACKED = "stacked"
    TOUCHING = "touching"
    CUT = "cut"
    BLURRED = "blurred"
    DARK = "dark"
    GLARE = "glare"
    COUNT = "count"
    FACE = "face"


class CameraFault(StrEnum):
    """Faults of a camera, the worst first."""

    BLACK = "black"
    WHITE = "white"
    FROZEN = "frozen"
    BLURRED = "blurred"
    COVERED = "covered"
    TORN = "torn"
    EXPOSURE = "exposure"
    FLICKER = "flicker"


class Zone(StrEnum):
    """The part of the tray a die is on, if a calibration tells."""

    THROW = "throw"
    SHELF = "shelf"


class Motion(StrEnum):
    """Whether the tray is still, something in it moves, or a hand reaches over its border."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"


class Fate(StrEnum):
    """What happened to a die between the settled picture before and this one."""

    STAYED = "stayed"  # it never moved
    THROWN = "thrown"  # it came to rest by itself, with no hand near
    NUDGED = "nudged"  # a hand, or another die that struck it, pushed it a little
    PLACED = "placed"  # a hand brought it: set aside, put back


@dataclass(frozen=True)
class Box:
    """An upright rectangle in pixels of the picture: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, in pixels."""
        return self.x + self.w / 2, self.y + self.h / 2


@dataclass(frozen=True)
class ReadDie:
    """One die as read. `box` bounds the die with its visible sides, as far as the reader can tell.

    `outline` holds the corners of its top face in pixels, empty if unknown.
    `confidence` is the calibrated probability that `face` is right; `place` is the die's centre in millimetres on
    the tray (see `dicereader.tray.geometry`), None without a calibration.
    """

    face: int
    box: Box
    confidence: float
    zone: Zone | None = None
    doubts: tuple[Doubt, ...] = ()
    outline: tuple[tuple[float, float], ...] = ()
    place: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        check_number(self.face, 1, 6, "a face from 1 to 6", ReadingError, whole=True)
        check_number(self.confidence, 0.0, 1.0, "a confidence from 0 to 1", ReadingError)

    @property
    def top(self) -> Box:
        """The box around the top face alone, which tells a die's place better than its sides do."""
        return box_around(self.outline) if self.outline else self.box


def box_around(points: Sequence[Sequence[float]]) -> Box:
    """Return the smallest box of whole pixels around points (n, 2)."""
    xs, ys = zip(*points, strict=True)
    x, y = math.floor(min(xs)), math.floor(min(ys))
    return Box(x, y, math.ceil(max(xs)) - x, math.ceil(max(ys)) - y)


def outlined_die(
    face: int,
    outline: Sequence[Sequence[float]],
    base: Sequence[Sequence[float]],
    confidence: float,
    doubts: Iterable[Doubt],
    place: tuple[float, float] | None = None,
    zone: Zone | None = None,
) -> ReadDie:
    """Return a die from the corners of its top face and of its base, both (4, 2) in pixels of the picture."""
    corners = tuple((x, y) for x, y in outline)
    box, different = box_around([*outline, *base]), tuple(dict.fromkeys(doubts))
    return ReadDie(face, box, confidence, zone, different, corners, place)


@dataclass(frozen=True)
class DiceReading:
    """All dice of one settled tray. The game acts on a `sure` reading without asking.

    `doubts` are those of the whole picture (blurred, dark, count ...); each die has its own.
    `ms` is the time from decoded pixels to this result, all passes, in milliseconds.
    """

    dice: tuple[ReadDie, ...]
    sure: bool
    doubts: tuple[Doubt, ...] = ()
    ms: float = 0.0

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces in the order of `dice`."""
        return tuple(die.face for die in self.dice)


def reading_of(dice: Iterable[ReadDie], doubts: Iterable[Doubt] = ()) -> DiceReading:
    """Return the reading of dice, sorted from the top left to the bottom right; it is sure if nothing has a doubt."""
    ordered = tuple(sorted(dice, key=lambda die: (die.top.y + die.top.h // 2, die.top.x)))
    whole = tuple(dict.fromkeys(doubts))
    return DiceReading(ordered, not whole and not any(die.doubts for die in ordered), whole)


@dataclass(frozen=True)
class Episode:
    """What happened between two settled pictures.

    `fates` has one entry for each die of the present reading. `first` marks the first settled picture after a start,
    an undo or blindness: it is never a throw. `hand` says whether a hand was seen. `hopped` holds the indices of
    dice on the shelf that came there by themselves, now or earlier, and that no hand has touched since: they are not
    set aside.
    """

    first: bool
    hand: bool
    fates: tuple[Fate, ...]
    hopped: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if any(not 0 <= i < len(self.fates) for i in self.hopped):
            raise ReadingError(f"expected indices of {len(self.fates)} dice that hopped, got {self.hopped!r}")

    def thrown(self) -> tuple[int, ...]:
        """Return the indices of the dice that came to rest by themselves."""
        return tuple(i for i, fate in enumerate(self.fates) if fate is Fate.THROWN)


@dataclass(frozen=True)
class Observation:
    """A settled reading with its episode, as the eye sends it to the game.

    `still` is set if the source gives photographs; `name` is then the photograph's name. The picture that was read
    comes with the observation as a JPEG; `size` is its width and height in pixels. `shelf` are the corners of the shelf
    in pixels, as `Calibration.shelf_px` gives them; empty if the tray is unknown. The game counts observations from 1
    and sets `number`; the eye leaves it 0.
    """

    reading: DiceReading
    episode: Episode
    still: bool = False
    name: str = ""
    size: tuple[int, int] = (0, 0)
    shelf: tuple[tuple[int, int], ...] = ()
    number: int = 0

    def __post_init__(self) -> None:
        if len(self.episode.fates) != len(self.reading.dice):
            n, m = len(self.episode.fates), len(self.reading.dice)
            raise ReadingError(f"expected a fate for each die, got {n} fates for {m} dice")


SAME_PLACE = 0.25
"""Distance, as a fraction of a die's edge, within which a die is at the place of another reading's die."""


def match_places(now: Sequence[ReadDie], before: Sequence[ReadDie]) -> list[int | None]:
    """Return for each die the index of the earlier die at the same place, whatever its face, or None."""
    tops, earlier = list(map(_placed, now)), list(map(_placed, before))
    gaps = [(_gap(top, old), i, j) for i, top in enumerate(tops) for j, old in enumerate(earlier)]
    pairs = sorted(each for each in gaps if each[0] <= SAME_PLACE)
    found: list[int | None] = [None] * len(now)
    for _, i, j in pairs:
        if found[i] is None and j not in found:
            found[i] = j
    return found


def same_dice(a: DiceReading, b: DiceReading) -> bool:
    """Return whether two readings have the same faces at the same places."""
    if len(a.dice) != len(b.dice):
        return False
    places = match_places(a.dice, b.dice)
    return all(j is not None and die.face == b.dice[j].face for die, j in zip(a.dice, places, strict=True))


def distance_in_edges(a: ReadDie, b: ReadDie) -> float:
    """Return the distance of two dice in edges of a die, from their top faces."""
    return _gap(_placed(a), _placed(b))


def _placed(die: ReadDie) -> tuple[float, float, int]:
    """Return the centre of a die's top face, and the area of its box, in pixels."""
    top = die.top
    return *top.centre, top.w * top.h


def _gap(a: tuple[float, float, int], b: tuple[float, float, int]) -> float:
    edge = math.sqrt(max(1.0, (a[2] + b[2]) / 2))
    return math.hypot(a[0] - b[0], a[1] - b[1]) / edge
