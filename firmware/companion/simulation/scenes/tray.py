"""The tray of a scene: dice that are thrown, set aside, nudged and lost, as the eye would tell of them.

Nothing is drawn: this is a scene's fast form. Every die keeps its place until something moves it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.errors import SceneError
from dicereader.reading import Box, DiceReading, Doubt, Episode, Fate, Observation, ReadDie, Zone
from farkle.rules.dice import Faces

DIE_PX = 50
SIZE_PX = 640, 640


@dataclass(frozen=True)
class SceneDie:
    """A die as written: its face, and what the eye doubts of it."""

    face: int
    doubt: Doubt | None = None


@dataclass(frozen=True)
class Throw:
    """Dice that come to rest by themselves.

    `left` lie on in the throw area, `taken` are taken from the shelf as well, `hopped` of the thrown come to rest on
    the shelf; with `beside` all others of the throw area have been set beside the tray. `unsure` doubts the whole.
    """

    dice: tuple[SceneDie, ...]
    left: Faces | None = None
    taken: Faces = ()
    hopped: Faces = ()
    beside: bool = False
    unsure: bool = False


@dataclass(frozen=True)
class SetAside:
    """A hand slides dice of the throw area onto the shelf; `off` sets them beside the tray."""

    faces: Faces
    off: bool = False


@dataclass(frozen=True)
class PutBack:
    """A hand brings dice of the shelf back into the throw area."""

    faces: Faces


@dataclass(frozen=True)
class Nudge:
    """A hand moves what lies in the throw area; it then reads so. Without dice the faces stay."""

    dice: tuple[SceneDie, ...] = ()


@dataclass(frozen=True)
class Look:
    """The eye looks for the first time, after blindness; with `dice` it sees these in the throw area, else all as it
    lay.
    """

    dice: tuple[SceneDie, ...] | None = None


Act = Throw | SetAside | PutBack | Nudge | Look


class Sight(Protocol):
    """What sees the acts of the hand: the fast form's tray, or hands over drawn pictures."""

    def see(self, act: Act, at_s: float) -> Observation:
        """The observation after an act; raises `SceneError` where it cannot be done."""


@dataclass(frozen=True)
class _Lying:
    die: SceneDie
    place: int
    shelf: bool = False
    hopped: bool = False


class Tray:
    """What lies on the tray. `see` does an act of the hand and says what the eye sees then."""

    def __init__(self) -> None:
        self._lying: list[_Lying] = []
        self._number = 0
        self._places = 0

    def see(self, act: Act, at_s: float) -> Observation:
        """The observation after an act; raises `SceneError` where the tray does not have those dice."""
        match act:
            case Throw():
                return self._throw(act, at_s)
            case SetAside(faces=faces, off=True):
                for face in faces:
                    self._lying.remove(self._find(face, shelf=False))
                return self._told(set(), at_s, hand=True)
            case SetAside(faces=faces):
                return self._told(self._move(faces, shelf=True), at_s, hand=True)
            case PutBack(faces=faces):
                return self._told(self._move(faces, shelf=False), at_s, hand=True)
            case Nudge(dice=dice):
                return self._nudge(dice, at_s)
            case Look(dice=dice):
                if dice is not None:
                    self._lying = [each for each in self._lying if each.shelf] + [self._new(die) for die in dice]
                return self._told(set(), at_s, first=True)

    def _throw(self, act: Throw, at_s: float) -> Observation:
        area = [each for each in self._lying if not each.shelf]
        shelf = [each for each in self._lying if each.shelf]
        count = len(act.dice)
        if act.left is not None:
            stay: list[_Lying] = []
            for face in act.left:
                stay.append(self._find(face, shelf=False, among=area))
                area.remove(stay[-1])
            area = stay
        elif act.taken:
            for face in act.taken:
                shelf.remove(self._find(face, shelf=True, among=shelf))
            area = []
        elif act.beside or count == len(area):
            area = []
        elif count >= len(self._lying):
            area, shelf = [], []
        elif count > len(area):
            raise SceneError(f"expected {len(area)} dice, or all {len(self._lying)}, or 'with' dice of the shelf")
        else:
            raise SceneError(f"expected {len(area)} dice, or 'left' and those that lie on, or 'beside'; got {count}")
        hopping = Counter(act.hopped)
        thrown: list[_Lying] = []
        for die in act.dice:
            hops = hopping[die.face] > 0
            hopping[die.face] -= hops
            thrown.append(replace(self._new(die), shelf=hops, hopped=hops))
        self._lying = [*shelf, *area, *thrown]
        return self._told({each.place for each in thrown}, at_s, fate=Fate.THROWN, unsure=act.unsure)

    def _nudge(self, dice: Sequence[SceneDie], at_s: float) -> Observation:
        area = [each for each in self._lying if not each.shelf]
        if dice and len(dice) != len(area):
            raise SceneError(f"expected {len(area)} dice, as many as lie in the throw area, got {len(dice)}")
        new = [replace(each, die=die) for each, die in zip(area, dice or [each.die for each in area], strict=True)]
        self._lying = [*(each for each in self._lying if each.shelf), *new]
        return self._told({each.place for each in new}, at_s, hand=True, fate=Fate.NUDGED)

    def _move(self, faces: Faces, *, shelf: bool) -> set[int]:
        moved = set()
        for face in faces:
            found = self._find(face, shelf=not shelf)
            self._lying.remove(found)
            new = replace(self._new(found.die), shelf=shelf)
            self._lying.append(new)
            moved.add(new.place)
        return moved

    def _new(self, die: SceneDie) -> _Lying:
        self._places += 1
        return _Lying(die, self._places)

    def _find(self, face: int, *, shelf: bool, among: Sequence[_Lying] | None = None) -> _Lying:
        """A die of this face there; one that hopped onto the shelf counts as one of the throw area, too."""
        for each in self._lying if among is None else among:
            if each.die.face == face and (each.shelf == shelf or each.hopped):
                return each
        where = "on the shelf" if shelf else "in the throw area"
        lie = " ".join(str(each.die.face) for each in self._lying if each.shelf == shelf) or "nothing"
        raise SceneError(f"expected a {face} {where}, where {lie} lies")

    def _told(
        self,
        moved: set[int],
        at_s: float,
        *,
        fate: Fate = Fate.PLACED,
        hand: bool = False,
        first: bool = False,
        unsure: bool = False,
    ) -> Observation:
        self._number += 1
        dice: list[ReadDie] = []
        for each in self._lying:
            doubts = () if each.die.doubt is None else (each.die.doubt,)
            zone = Zone.SHELF if each.shelf else Zone.THROW
            box = _box(each)
            dice.append(ReadDie(each.die.face, box, 0.6 if doubts else 0.999, zone, doubts))
        fates = tuple(Fate.PLACED if first else fate if each.place in moved else Fate.STAYED for each in self._lying)
        hopped = tuple(i for i, each in enumerate(self._lying) if each.hopped)
        episode = Episode(first, hand, fates, hopped)
        sure = not unsure and all(not die.doubts for die in dice)
        return Observation(self._number, at_s, DiceReading(tuple(dice), sure=sure), episode, size=SIZE_PX)


def _box(lying: _Lying) -> Box:
    """Where a die lies in the picture that nobody took: every place is its own, and keeps it."""
    row, column = divmod(lying.place, 6)
    top = SIZE_PX[1] - 2 * DIE_PX if lying.shelf else DIE_PX + row % 4 * 2 * DIE_PX
    return Box(DIE_PX // 2 + column * 2 * DIE_PX, top, DIE_PX, DIE_PX)
