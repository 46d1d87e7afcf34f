"""Simulated hands: make Worlds in which dice are thrown, shelved and taken back. Pure, from a seed."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from companion.simulation.sweep import AWAY_MM, NEAR_RELEASE_MM, RELEASE_MM, Sweep, sweep
from companion.simulation.throw import (
    Flights,
    FloorPoint,
    free_pockets,
    free_poses,
    least_clashing,
    pocketed,
    released,
    toss,
)
from dicereader.errors import WorldError
from dicereader.sources.synthetic.world import DieKey, DiePath, HandKey, HandPath, Pose, World, upright
from dicereader.tray.geometry import Tray

WHOLE_SWEEP_S, SHAKE_S = 0.5, 0.1
"""The seconds in which a hand takes dice up and away, and for which it shakes them there."""


class SimulatedHands:
    """Six dice with their poses, and hands that move them; each act returns the World to lay.

    A World's `started_s` is 0: the synthetic source starts it when it receives it. All Worlds of one table carry the
    table's seed, so camera and felt stay as they are. The chance of each throw comes from `seed` too, so the same acts
    give the same Worlds. At first the six dice lie in the pockets of the shelf.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._rng = random.Random(seed * 7919 + 11)
        self._tray = Tray()
        self._poses: list[Pose] = []
        self._faces: list[int] = []
        self.lay_out((), shelf=(1, 2, 3, 4, 5, 6))

    @property
    def faces(self) -> tuple[int, ...]:
        """The upper face of each die."""
        return tuple(self._faces)

    @property
    def shelved(self) -> tuple[int, ...]:
        """The dice on the shelf."""
        return tuple(i for i, pose in enumerate(self._poses) if self._tray.on_shelf(pose.y_mm))

    @property
    def rolled(self) -> tuple[int, ...]:
        """The dice in the throw area."""
        return tuple(i for i in range(len(self._poses)) if i not in self.shelved)

    def find(self, faces: Sequence[int], taken_for: Sequence[int] = ()) -> tuple[int, ...]:
        """Return dice of the throw area by their faces.

        Args:
            faces: The faces that the table knows the dice by.
            taken_for: The faces of all dice of the throw, as the table knows them; a corrected die shows another face.

        Raises:
            WorldError: if the throw area has no such dice.
        """
        free = self._known_as(taken_for)
        found = []
        for face in faces:
            match = next((die for die, known in free.items() if known == face), None)
            if match is None:
                there = [self._faces[die] for die in self.rolled]
                raise WorldError(f"expected dice that show {list(faces)!r} in the throw area, got {there!r}")
            del free[match]
            found.append(match)
        return tuple(found)

    def _known_as(self, taken_for: Sequence[int]) -> dict[int, int]:
        """Return the face by which the table knows each die of the throw area."""
        known = {die: self._faces[die] for die in self.rolled}
        missing = list((Counter(taken_for) - Counter(known.values())).elements())
        wrong = Counter(known.values()) - Counter(taken_for)
        for die, face in known.items():
            if missing and wrong[face]:
                wrong[face] -= 1
                known[die] = missing.pop(0)
        return known

    def lay_out(self, rolled: Sequence[int], shelf: Sequence[int] = ()) -> World:
        """Return a World of dice at rest with these faces up: at the start, and after a restart.

        Raises:
            WorldError: if there are not 1 to 6 dice, or too many for the shelf.
        """
        for face in (*rolled, *shelf):
            upright(face)  # raises an error if no die has this face
        if not 0 < len(rolled) + len(shelf) <= 6 or len(shelf) > self._tray.pockets:
            raise WorldError(f"expected 1 to 6 dice, got {list(rolled)!r} and {list(shelf)!r} on the shelf")
        self._faces = [*rolled, *shelf]
        self._poses = free_poses(self._rng, self._tray, rolled, [])
        self._poses += [pocketed(self._rng, self._tray, pocket, face) for pocket, face in enumerate(shelf)]
        return self.still()

    def still(self) -> World:
        """Return the World of the tray as it is now, at rest."""
        return self._world([[DieKey(0.0, pose)] for pose in self._poses], None)

    def throw(self, faces: Sequence[int], dice: Sequence[int] | None = None) -> World:
        """Scoop up `dice`, and throw them so that they come to rest with `faces` up.

        The default is the dice of the throw area if there are as many as faces, else all six. A throw takes about 1.3
        seconds; the hand is gone before the dice rest.

        Raises:
            WorldError: if the numbers of dice and faces differ, or a die does not exist.
        """
        if dice is None:
            dice = self.rolled if len(self.rolled) == len(faces) else tuple(range(len(self._poses)))
        self._check(dice)
        if len(dice) != len(faces):
            raise WorldError(f"expected a face for each of {len(dice)} dice, got {list(faces)!r}")
        palm = x, _ = self._rng.uniform(-45, 45), RELEASE_MM
        # The hand carries the dice out of sight under the palm, shakes them there, and comes back.
        movement = sweep(self._poses, dice, {}, (x * 0.5, AWAY_MM), WHOLE_SWEEP_S)
        release_s = movement.end_s + SHAKE_S
        paths = self._paths(movement, {})
        self._fly(paths, dice, faces, release_s, palm)
        return self._world(paths, [*movement.hand, *self._release(release_s, palm)])

    def quick_throw(self, faces: Sequence[int], dice: Sequence[int], aside: Sequence[int] = ()) -> World:
        """Put the dice `aside` into pockets, and scoop up and throw `dice`, in one movement and without a shake.

        It takes about 0.9 seconds. The dice fly as long as in any throw; the hand is gone before they rest.

        Raises:
            WorldError: if the numbers of dice and faces differ, a die does not exist or is named twice, a die to put
                aside is not in the throw area, or too few pockets are free.
        """
        self._check((*dice, *aside))
        if len(dice) != len(faces) or not dice:
            raise WorldError(f"expected a face for each of {len(dice)} dice, got {list(faces)!r}")
        from_left = sorted(aside, key=lambda i: self._poses[i].x_mm)
        laid = dict(zip(from_left, self._pocketed(from_left), strict=True))
        palm = self._rng.uniform(-45, 45), NEAR_RELEASE_MM
        movement = sweep(self._poses, dice, laid, palm)
        paths = self._paths(movement, laid)
        self._fly(paths, dice, faces, movement.end_s, palm)
        return self._world(paths, [*movement.hand[:-1], *self._release(movement.end_s, palm)])

    def _paths(self, movement: Sweep, laid: Mapping[int, Pose]) -> list[list[DieKey]]:
        """Return the keys of all dice until the end of a movement, which leaves those that are laid down there."""
        paths = [movement.dice.get(i, [DieKey(0.0, pose)]) for i, pose in enumerate(self._poses)]
        self._poses = [laid.get(i, pose) for i, pose in enumerate(self._poses)]
        return paths

    def _fly(
        self,
        paths: list[list[DieKey]],
        dice: Sequence[int],
        faces: Sequence[int],
        release_s: float,
        palm: FloorPoint,
    ) -> None:
        """Let dice fly from the hand, and come to rest with these faces up: add to the keys of each."""
        resting = [pose for i, pose in enumerate(self._poses) if i not in dice]
        flights, rests = least_clashing(lambda: self._toss(faces, resting, release_s, palm), resting, self._tray.die_mm)
        for i, keys, rest, face in zip(dice, flights, rests, faces, strict=True):
            paths[i] += keys
            self._poses[i], self._faces[i] = rest, face

    def _release(self, release_s: float, palm: FloorPoint) -> list[HandKey]:
        """Return the keys of the hand from the release of the dice until it is away."""
        x, y = palm
        return [
            HandKey(release_s, x, y, 66.0),
            HandKey(release_s + 0.04, x, y + 10.0, 66.0),
            HandKey(release_s + 0.04 + 0.12, x * 0.7, AWAY_MM, 75.0),
        ]

    def _toss(
        self, faces: Sequence[int], resting: Sequence[Pose], release_s: float, palm: FloorPoint
    ) -> tuple[Flights, list[Pose]]:
        """Return flights and rests, by chance, of dice that a hand releases at `palm`; `resting` dice stay."""
        rng, tray = self._rng, self._tray
        rests = free_poses(rng, tray, faces, resting)
        return [toss(rng, *released(rng, n, release_s, palm), rest, tray) for n, rest in enumerate(rests)], rests

    def shelve(self, dice: Sequence[int]) -> World:
        """Slide dice from the throw area into free pockets. `WorldError` reaches the caller as from `_pocketed`."""
        self._check(dice)
        return self._lay(dice, self._pocketed(dice))

    def _pocketed(self, dice: Sequence[int]) -> list[Pose]:
        """Return the poses of dice of the throw area in free pockets, the first die in the first free pocket.

        Raises:
            WorldError: if a die is not in the throw area, or too few pockets are free.
        """
        free = free_pockets(self._tray, self._poses)
        if len(free) < len(dice) or set(dice) & set(self.shelved):
            raise WorldError(f"expected dice of the throw area and a free pocket for each, got {list(dice)!r}")
        return [pocketed(self._rng, self._tray, p, self._faces[i]) for p, i in zip(free, dice, strict=False)]

    def _world(self, paths: list[list[DieKey]], hand: list[HandKey] | None) -> World:
        return World(
            seed=self._seed,
            dice=tuple(DiePath(tuple(keys)) for keys in paths),
            hand=HandPath(tuple(hand)) if hand else None,
        )

    def _check(self, dice: Sequence[int]) -> None:
        if not dice or len(set(dice)) != len(dice) or not set(dice) <= set(range(len(self._poses))):
            raise WorldError(f"expected different dice of 0 to {len(self._poses) - 1}, got {list(dice)!r}")

    def _lay(self, dice: Sequence[int], to: Sequence[Pose]) -> World:
        """Take dice up, and lay them down in other poses."""
        laid = dict(zip(dice, to, strict=True))
        movement = sweep(self._poses, (), laid, (to[-1].x_mm * 0.8, AWAY_MM), WHOLE_SWEEP_S)
        return self._world(self._paths(movement, laid), movement.hand)
