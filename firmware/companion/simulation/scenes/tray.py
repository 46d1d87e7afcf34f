"""The tray of a scene: makes the observations that an eye would make of dice thrown, set aside, nudged and lost.

Nothing is drawn. Every die keeps its place until something moves it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.errors import SceneError
from dicereader.reading import Box, DiceReading, Doubt, Episode, Fate, Observation, ReadDie, Zone
from farkle.rules.dice import Faces

DIE_PX = 50
SIZE_PX = 640, 640


@dataclass(frozen=True)
class SceneDie:
    """A die as written: its face, and the doubt of the eye."""

    face: int
    doubt: Doubt | None = None


@dataclass(frozen=True)
class ThrowDice:
    """Dice come to rest by themselves."""

    dice: tuple[SceneDie, ...]
    left: Faces | None = None  # stay in the throw area
    taken: Faces = ()  # are taken from the shelf as well
    hopped: Faces = ()  # of the thrown dice: come to rest on the shelf
    beside: bool = False  # all others of the throw area have been set beside the tray
    unsure: bool = False  # the eye doubts the whole throw


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
    """A hand moves the dice of the throw area, which then show `dice`; without dice the faces stay."""

    dice: tuple[SceneDie, ...] = ()


@dataclass(frozen=True)
class FirstLook:
    """The eye looks for the first time, or after blindness; `dice` replace those of the throw area."""

    dice: tuple[SceneDie, ...] | None = None


HandAct = ThrowDice | SetAside | PutBack | Nudge | FirstLook


@dataclass(frozen=True)
class PlacedDie:
    """A die on the tray: its place is a number that no other die has at any time."""

    die: SceneDie
    place: int
    shelf: bool = False
    hopped: bool = False


class SceneTray:
    """The dice on the tray, and the hand that moves them."""

    def __init__(self) -> None:
        self._dice: list[PlacedDie] = []
        self._number = 0
        self._places = 0

    def see(self, act: HandAct) -> Observation:
        """Do an act of the hand, and return the observation of the eye."""
        match act:
            case ThrowDice():
                return self._throw(act)
            case SetAside(faces=faces, off=True):
                self._take(faces, self._dice, shelf=False)
                return self._observation(set(), hand=True)
            case SetAside(faces=faces):
                return self._observation(self._move(faces, shelf=True), hand=True)
            case PutBack(faces=faces):
                return self._observation(self._move(faces, shelf=False), hand=True)
            case Nudge(dice=dice):
                return self._nudge(dice)
            case FirstLook(dice=dice):
                if dice is not None:
                    self._dice = [each for each in self._dice if each.shelf] + [self._new(die) for die in dice]
                return self._observation(set(), first=True)

    def _throw(self, act: ThrowDice) -> Observation:
        self._dice = self._unthrown(act)
        hopping = Counter(act.hopped)
        thrown: set[int] = set()
        for die in act.dice:
            hops = hopping[die.face] > 0
            hopping[die.face] -= hops
            self._dice.append(replace(self._new(die), shelf=hops, hopped=hops))
            thrown.add(self._dice[-1].place)
        return self._observation(thrown, fate=Fate.THROWN, unsure=act.unsure)

    def _unthrown(self, act: ThrowDice) -> list[PlacedDie]:
        """Return the dice that stay on the tray during a throw.

        Raises:
            SceneError: if the throw does not say which dice it leaves.
        """
        area = [each for each in self._dice if not each.shelf]
        shelf = [each for each in self._dice if each.shelf]
        count = len(act.dice)
        if act.left is not None:
            return shelf + self._take(act.left, area, shelf=False)
        if act.taken:
            self._take(act.taken, shelf, shelf=True)
            return shelf
        if act.beside or count == len(area):
            return shelf
        if count >= len(self._dice):
            return []
        if count > len(area):
            raise SceneError(f"expected {len(area)} dice, or all {len(self._dice)}, or 'with' dice of the shelf")
        raise SceneError(f"expected {len(area)} dice, or 'left' and the dice that stay, or 'beside'; got {count}")

    def _take(self, faces: Faces, among: list[PlacedDie], *, shelf: bool) -> list[PlacedDie]:
        """Take dice of these faces out of a list, and return them."""
        taken = []
        for face in faces:
            taken.append(self._find(face, shelf=shelf, among=among))
            among.remove(taken[-1])
        return taken

    def _nudge(self, dice: Sequence[SceneDie]) -> Observation:
        area = [each for each in self._dice if not each.shelf]
        if dice and len(dice) != len(area):
            raise SceneError(f"expected {len(area)} dice, as many as lie in the throw area, got {len(dice)}")
        new = [replace(each, die=die) for each, die in zip(area, dice or [each.die for each in area], strict=True)]
        self._dice = [*(each for each in self._dice if each.shelf), *new]
        return self._observation({each.place for each in new}, hand=True, fate=Fate.NUDGED)

    def _move(self, faces: Faces, *, shelf: bool) -> set[int]:
        moved = set()
        for face in faces:
            found = self._find(face, shelf=not shelf)
            self._dice.remove(found)
            new = replace(self._new(found.die), shelf=shelf)
            self._dice.append(new)
            moved.add(new.place)
        return moved

    def _new(self, die: SceneDie) -> PlacedDie:
        self._places += 1
        return PlacedDie(die, self._places)

    def _find(self, face: int, *, shelf: bool, among: Sequence[PlacedDie] | None = None) -> PlacedDie:
        """Return a die with this face on the shelf or in the throw area; one that hopped onto the shelf is in both.

        Raises:
            SceneError: if no die there has this face.
        """
        for each in self._dice if among is None else among:
            if each.die.face == face and (each.shelf == shelf or each.hopped):
                return each
        where = "on the shelf" if shelf else "in the throw area"
        lie = " ".join(str(each.die.face) for each in self._dice if each.shelf == shelf) or "nothing"
        raise SceneError(f"expected a {face} {where}, where {lie} lies")

    def _observation(
        self,
        moved: set[int],
        *,
        fate: Fate = Fate.PLACED,
        hand: bool = False,
        first: bool = False,
        unsure: bool = False,
    ) -> Observation:
        self._number += 1
        dice: list[ReadDie] = []
        for each in self._dice:
            doubts = () if each.die.doubt is None else (each.die.doubt,)
            zone = Zone.SHELF if each.shelf else Zone.THROW
            box = _box(each)
            dice.append(ReadDie(each.die.face, box, 0.6 if doubts else 0.999, zone, doubts))
        fates = tuple(Fate.PLACED if first else fate if each.place in moved else Fate.STAYED for each in self._dice)
        hopped = tuple(i for i, each in enumerate(self._dice) if each.hopped)
        episode = Episode(first, hand, fates, hopped)
        sure = not unsure and all(not die.doubts for die in dice)
        return Observation(DiceReading(tuple(dice), sure=sure), episode, size=SIZE_PX, number=self._number)


def _box(placed: PlacedDie) -> Box:
    """Return the box of a die in pixels of an imagined picture; each place has a box of its own."""
    row, column = divmod(placed.place, 6)
    top = SIZE_PX[1] - 2 * DIE_PX if placed.shelf else DIE_PX + row % 4 * 2 * DIE_PX
    return Box(DIE_PX // 2 + column * 2 * DIE_PX, top, DIE_PX, DIE_PX)
