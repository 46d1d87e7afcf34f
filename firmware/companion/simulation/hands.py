"""The hands at a simulated table: they make Worlds in which dice are thrown, shelved, taken back. Pure, from a seed."""

import math
import random
from collections import Counter
from collections.abc import Sequence

from companion.simulation.poses import apart, level
from companion.simulation.throw import AS_IT_SHOULD, GAP_MM, Manner, best_flights, is_free, places, pocketed
from dicereader.errors import WorldError
from dicereader.tray.geometry import Tray
from dicereader.world import DieKey, DiePath, HandKey, HandPath, Lighting, Pose, TableColours, World, upright

AWAY_MM = -310.0
"""A palm this far on the players' side is out of the picture."""

GRIP_MM = 52.0
"""What a hand drags lies so far ahead of the palm, under the fingers."""

_SPEED_MM_S = 1900.0
_TRIES = 60


class Hands:
    """Six dice, where they lie now, and the hands that move them; each act gives the World to lay.

    A World's `started_s` is 0: the synthetic source starts it when it receives it. All Worlds of one table carry the
    table's seed, so camera and felt stay as they are; what differs from throw to throw comes from `seed` too, so the
    same acts give the same Worlds. At first the six dice lie in the shelf's pockets.
    """

    def __init__(
        self, seed: int = 0, tray: Tray | None = None, light: Lighting | None = None, look: TableColours | None = None
    ) -> None:
        self._seed = seed
        self._rng = random.Random(seed * 7919 + 11)
        self._tray = tray or Tray()
        self._light = light or Lighting()
        self._look = look or TableColours()
        self._poses: list[Pose] = []
        self._faces: list[int] = []
        self.lay_out((), shelf=(1, 2, 3, 4, 5, 6))

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that are up, by die."""
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
        """Dice of the throw area by their faces; WorldError where there are none.

        `taken_for` is what the table takes these dice for, where it may be another face than lies there: a corrected
        die still shows what it showed.
        """
        free = self._called(taken_for)
        found = []
        for face in faces:
            match = next((die for die, called in free.items() if called == face), None)
            if match is None:
                there = [self._faces[die] for die in self.rolled]
                raise WorldError(f"expected dice that show {list(faces)!r} in the throw area, there lie {there!r}")
            del free[match]
            found.append(match)
        return tuple(found)

    def _called(self, taken_for: Sequence[int]) -> dict[int, int]:
        """The dice of the throw area, each with the face that the table takes it for."""
        called = {die: self._faces[die] for die in self.rolled}
        unseen = list((Counter(taken_for) - Counter(called.values())).elements())
        wrong = Counter(called.values()) - Counter(taken_for)
        for die, face in called.items():
            if unseen and wrong[face]:
                wrong[face] -= 1
                called[die] = unseen.pop(0)
        return called

    def lay_out(self, rolled: Sequence[int], shelf: Sequence[int] = ()) -> World:
        """Dice lying still with these faces up: at the start, and after a restart."""
        for face in (*rolled, *shelf):
            upright(face)  # refuses what no die has
        if not 0 < len(rolled) + len(shelf) <= 6 or len(shelf) > self._tray.pockets:
            raise WorldError(f"expected 1 to 6 dice, got {list(rolled)!r} and {list(shelf)!r} on the shelf")
        self._faces = [*rolled, *shelf]
        self._poses = places(self._rng, self._tray, rolled, [])
        self._poses += [pocketed(self._rng, self._tray, pocket, face) for pocket, face in enumerate(shelf)]
        return self.still()

    def still(self) -> World:
        """The tray as it is now, nothing moving."""
        return self._world([[DieKey(0.0, pose)] for pose in self._poses], None)

    def throw(self, faces: Sequence[int], dice: Sequence[int] | None = None, manner: Manner = AS_IT_SHOULD) -> World:
        """A hand scoops up `dice`, and throws them so that they come to rest with `faces` up.

        Without `dice` those of the throw area are thrown if there are as many as faces, else all six. Takes about
        1.3 seconds, the hand is gone before the dice rest; `manner` may have it otherwise.
        """
        if dice is None:
            dice = self.rolled if len(self.rolled) == len(faces) else tuple(range(len(self._poses)))
        self._check(dice)
        if len(dice) != len(faces):
            raise WorldError(f"expected a face for each of {len(dice)} dice, got {list(faces)!r}")
        if manner.strikes in dice:
            raise WorldError(f"expected a die that is not thrown to be struck, got {manner.strikes!r}")
        paths = [[DieKey(0.0, pose)] for pose in self._poses]
        hand, taken_s = self._scoop(dice, paths)
        release_s = taken_s + 0.30
        x = self._rng.uniform(-45, 45)
        gone_s = release_s + manner.later_s + 0.04
        hand += [
            HandKey(taken_s + 0.20, x * 0.5, AWAY_MM, 70.0),
            HandKey(release_s, x, -196.0, 66.0),
            HandKey(gone_s, x, -186.0, 66.0),
        ]
        if manner.lingers_s:
            gone_s += manner.lingers_s
            hand.append(HandKey(gone_s, x, -184.0, 64.0))
        hand.append(HandKey(gone_s + 0.12, x * 0.7, AWAY_MM, 75.0))
        lying = [pose for i, pose in enumerate(self._poses) if i not in dice]
        flights, rests = best_flights(self._rng, self._tray, faces, lying, release_s, x, manner)
        for i, keys, rest, face in zip(dice, flights, rests, faces, strict=True):
            # Carried out of sight under the palm, shaken there, and back in.
            paths[i].append(DieKey(taken_s + 0.20, Pose(x * 0.5, AWAY_MM, 30.0, keys[0].pose.q)))
            paths[i] += keys
            self._poses[i], self._faces[i] = rest, face
        if manner.strikes is not None:
            paths[manner.strikes] += self._struck(manner.strikes, release_s + 0.22)
        return self._world(paths, hand)

    def shelve(self, dice: Sequence[int]) -> World:
        """A hand slides dice from the throw area into free pockets."""
        self._check(dice)
        edge = self._tray.die_mm
        free = [p for p in range(self._tray.pockets) if is_free(self._tray.pocket_centre_mm(p), self._poses, edge)]
        if len(free) < len(dice) or set(dice) & set(self.shelved):
            raise WorldError(f"expected dice of the throw area and a free pocket for each, got {list(dice)!r}")
        return self._drag(
            dice, [pocketed(self._rng, self._tray, p, self._faces[i]) for p, i in zip(free, dice, strict=False)]
        )

    def unshelve(self, dice: Sequence[int]) -> World:
        """A hand takes dice from the shelf back into the throw area."""
        self._check(dice)
        if set(dice) - set(self.shelved):
            raise WorldError(f"expected dice of the shelf, {list(self.shelved)!r}, got {list(dice)!r}")
        lying = [pose for i, pose in enumerate(self._poses) if i not in dice]
        return self._drag(dice, places(self._rng, self._tray, [self._faces[i] for i in dice], lying))

    def _world(self, paths: list[list[DieKey]], hand: list[HandKey] | None) -> World:
        return World(
            seed=self._seed,
            dice=tuple(DiePath(tuple(keys)) for keys in paths),
            hand=HandPath(tuple(hand)) if hand else None,
            light=self._light,
            colours=self._look,
        )

    def _check(self, dice: Sequence[int]) -> None:
        if not dice or len(set(dice)) != len(dice) or not set(dice) <= set(range(len(self._poses))):
            raise WorldError(f"expected different dice of 0 to {len(self._poses) - 1}, got {list(dice)!r}")

    def _scoop(self, dice: Sequence[int], paths: list[list[DieKey]]) -> tuple[list[HandKey], float]:
        """The hand goes from die to die, each follows under the palm; its way so far, and when it has them all."""
        order = sorted(dice, key=lambda i: self._poses[i].x_mm)
        now_s, x, y = 0.0, self._poses[order[0]].x_mm * 0.6, AWAY_MM
        hand = [HandKey(now_s, x, y, 70.0)]
        for i in order:
            die = self._poses[i]
            way = math.hypot(die.x_mm - x, die.y_mm - 20 - y)
            now_s += max(0.015, way / _SPEED_MM_S)
            x, y = die.x_mm, die.y_mm - 20
            hand.append(HandKey(round(now_s, 4), x, y, 55.0))
            paths[i].append(DieKey(round(now_s, 4), die))
        for place, i in enumerate(order):
            x_off, y_off = (place % 3 - 1) * 17.0, (place // 3) * 18.0 - 6.0
            picked_s = paths[i][-1].t_s
            for key in hand:
                if key.t_s > picked_s:
                    under = Pose(key.x_mm + x_off, key.y_mm + y_off, 22.0, paths[i][-1].pose.q)
                    paths[i].append(DieKey(key.t_s, under))
        return hand, round(now_s, 4)

    def _struck(self, die: int, at_s: float) -> list[DieKey]:
        """The way of a die that another has struck: pushed on and turned a little, not thrown over."""
        here, edge = self._poses[die], self._tray.die_mm
        others = [pose for i, pose in enumerate(self._poses) if i != die]
        for _ in range(_TRIES):
            x, y = here.x_mm + self._rng.uniform(-22, 22), here.y_mm + self._rng.uniform(8, 26)
            goal = level(x, y, edge, self._faces[die], self._rng.uniform(0, 2 * math.pi))
            inside = max(abs(x), abs(y)) < self._tray.half_mm - edge
            if inside and all(apart(goal, other, edge) > GAP_MM for other in others):
                self._poses[die] = goal
                return [DieKey(round(at_s, 4), here), DieKey(round(at_s + 0.25, 4), goal)]
        raise WorldError(f"expected room beside die {die}, to be struck, got none")

    def _drag(self, dice: Sequence[int], to: Sequence[Pose]) -> World:
        """A hand moves dice one after the other, lifting them over the rail."""
        paths = [[DieKey(0.0, pose)] for pose in self._poses]
        now_s = 0.0
        hand = [HandKey(0.0, self._poses[dice[0]].x_mm * 0.7, AWAY_MM, 60.0)]
        for i, goal in zip(dice, to, strict=True):
            here = self._poses[i]
            now_s = round(now_s + _time(hand[-1], here.x_mm, here.y_mm - GRIP_MM), 4)
            hand.append(HandKey(now_s, here.x_mm, here.y_mm - GRIP_MM, 30.0))
            paths[i].append(DieKey(now_s, here))
            length_s = max(0.12, math.hypot(goal.x_mm - here.x_mm, goal.y_mm - here.y_mm) / 900.0)
            lifted = self._tray.rail_height_mm + self._tray.die_mm / 2 + 4
            for share in (0.15, 0.85):
                x = here.x_mm + (goal.x_mm - here.x_mm) * share
                y = here.y_mm + (goal.y_mm - here.y_mm) * share
                q = here.q if share < 0.5 else goal.q
                paths[i].append(DieKey(round(now_s + share * length_s, 4), Pose(x, y, lifted, q)))
            now_s = round(now_s + length_s, 4)
            paths[i].append(DieKey(now_s, goal))
            hand.append(HandKey(now_s, goal.x_mm, goal.y_mm - GRIP_MM, 30.0))
            self._poses[i] = goal
        last = hand[-1]
        hand.append(HandKey(round(now_s + _time(last, last.x_mm * 0.8, AWAY_MM), 4), last.x_mm * 0.8, AWAY_MM, 60.0))
        return self._world(paths, hand)


def _time(hand: HandKey, x: float, y: float) -> float:
    return max(0.05, math.hypot(hand.x_mm - x, hand.y_mm - y) / _SPEED_MM_S)
