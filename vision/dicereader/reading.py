"""What the eye says: readings, episodes and observations. Plain data, without OpenCV or numpy."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dicereader.errors import DiceReaderError

SURE = 0.95
"""A die of a known table is acted on from this confidence; of single pictures all dice count together
(`stages.confidence.least_sure`)."""


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
    """What can be wrong with a camera, the worst first."""

    BLACK = "black"
    WHITE = "white"
    FROZEN = "frozen"
    BLURRED = "blurred"
    COVERED = "covered"
    TORN = "torn"
    EXPOSURE = "exposure"
    FLICKER = "flicker"


class Zone(StrEnum):
    """Where on the tray a die lies, where a calibration says so."""

    THROW = "throw"
    SHELF = "shelf"


class Fate(StrEnum):
    """What happened to a die between the settled picture before and this one."""

    STAYED = "stayed"  # it never moved
    THROWN = "thrown"  # it came to rest by itself, with no hand near
    NUDGED = "nudged"  # it was pushed a little where it lay, by a hand or by a die that struck it
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
    """One die as read. `box` bounds the die, `outline` the top face (corners in pixels, empty when not known).

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
        if not 1 <= self.face <= 6:
            raise DiceReaderError(f"expected a face from 1 to 6, got {self.face!r}")
        if not 0.0 <= self.confidence <= 1.0:
            raise DiceReaderError(f"expected a confidence from 0 to 1, got {self.confidence!r}")


Told = tuple[tuple[ReadDie, ...], bool, tuple[Doubt, ...]]
"""The dice of a picture, whether all is sure, and the doubts of the whole picture: what the last stage tells."""


@dataclass(frozen=True)
class DiceReading:
    """All dice of one settled tray. `sure` is what the game acts on without asking.

    `doubts` are those of the whole picture (blurred, dark, count ...); each die has its own beside them.
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


def from_the_top(dice: Iterable[ReadDie]) -> tuple[ReadDie, ...]:
    """Dice from the top left to the bottom right of the picture."""
    return tuple(sorted(dice, key=lambda die: (die.box.y + die.box.h // 2, die.box.x)))


def is_sure(dice: Sequence[ReadDie], doubts: Sequence[Doubt]) -> bool:
    """Whether a reading of these dice, with these doubts of the whole picture, is one to act on."""
    return not doubts and not any(die.doubts for die in dice)


@dataclass(frozen=True)
class Episode:
    """What happened between two settled pictures.

    `fates` has one entry a die of the reading now, `was` the index of the same die in the reading before (None where
    it is not known: a thrown die has no identity). `first` marks the first settled picture after a start, an undo or
    blindness: it is never a throw. `hand` tells whether a hand was seen. `scooped` are the indices in the reading
    before of dice that a hand has taken from their place. `hopped` are the indices of dice on the shelf that came there
    by themselves, now or earlier, and that no hand has touched since: they are not set aside.
    """

    first: bool
    hand: bool
    fates: tuple[Fate, ...]
    was: tuple[int | None, ...]
    scooped: tuple[int, ...] = ()
    hopped: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.fates) != len(self.was):
            raise DiceReaderError(f"expected as many fates as places before, got {len(self.fates)} and {len(self.was)}")
        if any(not 0 <= i < len(self.fates) for i in self.hopped):
            raise DiceReaderError(f"expected indices of {len(self.fates)} dice that hopped, got {self.hopped!r}")

    def thrown(self) -> tuple[int, ...]:
        """The indices of the dice that came to rest by themselves."""
        return tuple(i for i, fate in enumerate(self.fates) if fate is Fate.THROWN)


@dataclass(frozen=True)
class Observation:
    """A settled reading with its episode, as it crosses from the eye to the game.

    `number` counts observations from 1 since the eye started; `at_s` is the source's monotonic clock. `still` is set
    where the source gives photographs, `name` then names the photograph. The picture that was read comes beside it as
    a JPEG with the same number; `size` is its width and height in pixels.
    """

    number: int
    at_s: float
    reading: DiceReading
    episode: Episode
    still: bool = False
    name: str = ""
    size: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if len(self.episode.fates) != len(self.reading.dice):
            n, m = len(self.episode.fates), len(self.reading.dice)
            raise DiceReaderError(f"expected a fate for each die, got {n} fates for {m} dice")


def first_episode(dice: Sequence[ReadDie]) -> Episode:
    """The episode of a first settled picture: nothing is known of what was before."""
    return Episode(first=True, hand=False, fates=tuple(Fate.PLACED for _ in dice), was=tuple(None for _ in dice))


SAME_PLACE = 0.25
"""A die found within this share of its edge of where one lay before never moved, if it shows the same face."""


def matched(now: Sequence[ReadDie], before: Sequence[ReadDie]) -> list[int | None]:
    """For each die now, the index of the die before that lay in the same place, whatever its face."""
    pairs = sorted(
        (distance_in_dice(die, old), i, j)
        for i, die in enumerate(now)
        for j, old in enumerate(before)
        if distance_in_dice(die, old) <= SAME_PLACE
    )
    places: list[int | None] = [None] * len(now)
    taken: set[int] = set()
    for _, i, j in pairs:
        if places[i] is None and j not in taken:
            places[i] = j
            taken.add(j)
    return places


def same_dice(a: DiceReading, b: DiceReading) -> bool:
    """Whether two readings show the same faces in the same places."""
    if len(a.dice) != len(b.dice):
        return False
    places = matched(a.dice, b.dice)
    return all(j is not None and die.face == b.dice[j].face for die, j in zip(a.dice, places, strict=True))


def distance_in_dice(a: ReadDie, b: ReadDie) -> float:
    """How far two dice are from each other, in edges of a die."""
    (ax, ay), (bx, by) = a.box.centre, b.box.centre
    edge = math.sqrt(max(1.0, (a.box.w * a.box.h + b.box.w * b.box.h) / 2))
    return math.hypot(ax - bx, ay - by) / edge
