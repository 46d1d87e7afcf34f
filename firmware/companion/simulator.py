"""The hands at a simulated table: they make Worlds in which dice are thrown, shelved, taken back. Pure, from a seed."""

import math
import random
from collections import Counter
from collections.abc import Sequence

from companion.toss import toss
from dicereader.errors import WorldError
from dicereader.tray import Tray
from dicereader.world import DieKey, DiePath, HandKey, HandPath, Light, Look, Pose, World, upright

AWAY_MM = -310.0
"""A palm this far on the players' side is out of the picture."""

GRIP_MM = 52.0
"""What a hand drags lies so far ahead of the palm, under the fingers."""

_GAP_MM = 2.5  # at least, between two dice at rest
_SPEED_MM_S = 1900.0
_TRIES = 60


class Hands:
    """Six dice, where they lie now, and the hands that move them; each act gives the World to lay.

    A World's `started_s` is 0: the synthetic source starts it when it receives it. All Worlds of one table carry the
    table's seed, so camera and felt stay as they are; what differs from throw to throw comes from `seed` too, so the
    same acts give the same Worlds. At first the six dice lie in the shelf's pockets.
    """

    def __init__(
        self, seed: int = 0, tray: Tray | None = None, light: Light | None = None, look: Look | None = None
    ) -> None:
        self._seed = seed
        self._rng = random.Random(seed * 7919 + 11)
        self._tray = tray or Tray()
        self._light = light or Light()
        self._look = look or Look()
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
        self._poses = self._places(rolled, [])
        self._poses += [self._pocketed(pocket, face) for pocket, face in enumerate(shelf)]
        return self.still()

    def still(self) -> World:
        """The tray as it is now, nothing moving."""
        return self._world([[DieKey(0.0, pose)] for pose in self._poses], None)

    def throw(self, faces: Sequence[int], dice: Sequence[int] | None = None) -> World:
        """A hand scoops up `dice`, and throws them so that they come to rest with `faces` up.

        Without `dice` those of the throw area are thrown if there are as many as faces, else all six. Takes about
        1.3 seconds, the hand is gone before the dice rest.
        """
        if dice is None:
            dice = self.rolled if len(self.rolled) == len(faces) else tuple(range(len(self._poses)))
        self._check(dice)
        if len(dice) != len(faces):
            raise WorldError(f"expected a face for each of {len(dice)} dice, got {list(faces)!r}")
        paths = [[DieKey(0.0, pose)] for pose in self._poses]
        hand, taken_s = self._scoop(dice, paths)
        release_s = taken_s + 0.30
        x = self._rng.uniform(-45, 45)
        hand += [
            HandKey(taken_s + 0.20, x * 0.5, AWAY_MM, 70.0),
            HandKey(release_s, x, -196.0, 66.0),
            HandKey(release_s + 0.04, x, -186.0, 66.0),
            HandKey(release_s + 0.16, x * 0.7, AWAY_MM, 75.0),
        ]
        lying = [pose for i, pose in enumerate(self._poses) if i not in dice]
        flights, rests = self._best_flights(faces, lying, release_s, x)
        for i, keys, rest, face in zip(dice, flights, rests, faces, strict=True):
            # Carried out of sight under the palm, shaken there, and back in.
            paths[i].append(DieKey(taken_s + 0.20, Pose(x * 0.5, AWAY_MM, 30.0, keys[0].pose.q)))
            paths[i] += keys
            self._poses[i], self._faces[i] = rest, face
        return self._world(paths, hand)

    def shelve(self, dice: Sequence[int]) -> World:
        """A hand slides dice from the throw area into free pockets."""
        self._check(dice)
        free = [p for p in range(self._tray.pockets) if self._is_free(self._tray.pocket_centre_mm(p))]
        if len(free) < len(dice) or set(dice) & set(self.shelved):
            raise WorldError(f"expected dice of the throw area and a free pocket for each, got {list(dice)!r}")
        return self._drag(dice, [self._pocketed(p, self._faces[i]) for p, i in zip(free, dice, strict=False)])

    def unshelve(self, dice: Sequence[int]) -> World:
        """A hand takes dice from the shelf back into the throw area."""
        self._check(dice)
        if set(dice) - set(self.shelved):
            raise WorldError(f"expected dice of the shelf, {list(self.shelved)!r}, got {list(dice)!r}")
        lying = [pose for i, pose in enumerate(self._poses) if i not in dice]
        return self._drag(dice, self._places([self._faces[i] for i in dice], lying))

    def _world(self, paths: list[list[DieKey]], hand: list[HandKey] | None) -> World:
        return World(
            seed=self._seed,
            dice=tuple(DiePath(tuple(keys)) for keys in paths),
            hand=HandPath(tuple(hand)) if hand else None,
            light=self._light,
            look=self._look,
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

    def _best_flights(
        self, faces: Sequence[int], lying: list[Pose], release_s: float, x: float
    ) -> tuple[list[list[DieKey]], list[Pose]]:
        """Of several throws the one whose dice least run through each other or through those that lie there."""
        best: tuple[int, list[list[DieKey]], list[Pose]] | None = None
        for _ in range(8):
            rests = self._places(faces, lying)
            flights = []
            for n, rest in enumerate(rests):
                at = release_s + self._rng.uniform(0.0, 0.03)
                start = x + (n % 3 - 1) * 18 + self._rng.uniform(-3, 3), -146.0 + n // 3 * 18, 50.0 + n // 3 * 4
                flights.append(toss(self._rng, round(at, 4), start, rest).keys(self._tray))
            clashes = _clashes(flights, lying, self._tray.die_mm)
            if best is None or clashes < best[0]:
                best = clashes, flights, rests
            if not clashes:
                break
        assert best is not None
        return best[1], best[2]

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

    def _pocketed(self, pocket: int, face: int) -> Pose:
        x, y = self._tray.pocket_centre_mm(pocket)
        yaw = self._rng.choice((0, 1, 2, 3)) * math.pi / 2 + self._rng.gauss(0, 0.12)
        x, y = x + self._rng.uniform(-2, 2), y + self._rng.uniform(-2, 2)
        return _lying(x, y, self._tray.die_mm, face, yaw)

    def _is_free(self, at: tuple[float, float]) -> bool:
        return all(math.dist(at, (pose.x_mm, pose.y_mm)) > self._tray.die_mm * 1.2 for pose in self._poses)

    def _places(self, faces: Sequence[int], lying: Sequence[Pose]) -> list[Pose]:
        """Poses at rest in the throw area, by chance, none over another."""
        edge, rng = self._tray.die_mm, self._rng
        margin = edge * 0.75 + 1
        far, near = self._tray.half_mm - margin, self._tray.rail_y_mm + self._tray.rail_mm / 2 + margin + 4
        middle = rng.uniform(-35, 35), rng.uniform(-10, 45)
        poses: list[Pose] = []
        spread = 42.0
        while len(poses) < len(faces):
            for _ in range(_TRIES):
                x = min(far, max(-far, rng.gauss(middle[0], spread)))
                y = min(far, max(near, rng.gauss(middle[1], spread)))
                pose = _lying(x, y, edge, faces[len(poses)], rng.uniform(0, 2 * math.pi))
                if all(_apart(pose, other, edge) > _GAP_MM for other in (*lying, *poses)):
                    poses.append(pose)
                    break
            else:
                spread += 10  # crowded: look farther
        return poses


def _lying(x: float, y: float, edge: float, face: int, yaw: float) -> Pose:
    w, i, j, k = (round(part, 6) for part in upright(face, yaw))
    return Pose(round(x, 3), round(y, 3), edge / 2, (w, i, j, k))


def _time(hand: HandKey, x: float, y: float) -> float:
    return max(0.05, math.hypot(hand.x_mm - x, hand.y_mm - y) / _SPEED_MM_S)


def _footprint(pose: Pose, edge: float) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """A level die's corners on the floor, and the directions of its sides."""
    w, x, y, z = pose.q
    # Of the die's three axes, two lie level; both give the sides' directions.
    columns = (
        (1 - 2 * (y * y + z * z), 2 * (x * y + w * z)),
        (2 * (x * y - w * z), 1 - 2 * (x * x + z * z)),
        (2 * (x * z + w * y), 2 * (y * z - w * x)),
    )
    u, v = sorted(columns, key=lambda column: math.hypot(*column))[1:]
    h = edge / 2
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    return [(pose.x_mm + h * (a * u[0] + b * v[0]), pose.y_mm + h * (a * u[1] + b * v[1])) for a, b in signs], [u, v]


def _apart(one: Pose, other: Pose, edge: float) -> float:
    """The gap between two level dice along the best separating side; below 0 they overlap."""
    a, a_sides = _footprint(one, edge)
    b, b_sides = _footprint(other, edge)
    gaps = []
    for dx, dy in (*a_sides, *b_sides):
        p, q = [x * dx + y * dy for x, y in a], [x * dx + y * dy for x, y in b]
        gaps.append(max(min(q) - max(p), min(p) - max(q)))
    return max(gaps)


def _clashes(flights: list[list[DieKey]], lying: list[Pose], edge: float) -> int:
    """How often, in the latter part of a throw, two middles are nearer than a die's edge."""
    count = 0
    for n, keys in enumerate(flights):
        late = keys[len(keys) // 3 :]
        others = [[DieKey(key.t_s, pose) for key in late] for pose in lying] + flights[:n]
        for flight in others:
            for key in late:
                near = min(flight, key=lambda other: abs(other.t_s - key.t_s)).pose
                p, q = (key.pose.x_mm, key.pose.y_mm, key.pose.z_mm), (near.x_mm, near.y_mm, near.z_mm)
                count += math.dist(p, q) < edge
    return count
