"""Simulated dice at rest, and their throw: out of the hand, over the rail, a few bounces, a roll, and to rest."""

import math
import random
from collections.abc import Callable, Sequence

from dicereader.sources.synthetic.world import DieKey, Pose, Quaternion, multiply, turn, upright
from dicereader.tray.geometry import Tray

FloorPoint = tuple[float, float]
Point = tuple[float, float, float]
Flights = list[list[DieKey]]
Toss = Callable[[], tuple[Flights, list[Pose]]]
"""Makes one throw: the keys of each die from its release, and the poses at rest."""

TOSSES = 8

RATE = 60.0
"""Keys a second."""

_SLOWING = 2.2  # the way left is (1 - share of the time) to this power
_BOUNCES = ((0.0, 0.30, 0.0), (0.30, 0.54, 13.0), (0.54, 0.70, 4.0), (0.70, 0.80, 1.2))  # begin, end, height in mm


GAP_MM = 2.5
"""The least gap between two dice at rest."""

TRIES = 60


def level(x: float, y: float, edge: float, face: int, yaw: float) -> Pose:
    """Return the pose of a die that lies level at a point of the floor."""
    w, i, j, k = (round(part, 6) for part in upright(face, yaw))
    return Pose(round(x, 3), round(y, 3), edge / 2, (w, i, j, k))


def free_poses(rng: random.Random, tray: Tray, faces: Sequence[int], resting: Sequence[Pose]) -> list[Pose]:
    """Return random poses in the throw area with a gap between all dice, those that rest there included."""
    edge = tray.die_mm
    margin = edge * 0.75 + 1
    far, near = tray.half_mm - margin, tray.rail_y_mm + tray.rail_mm / 2 + margin + 4
    middle = rng.uniform(-35, 35), rng.uniform(-10, 45)
    poses: list[Pose] = []
    spread = 42.0
    while len(poses) < len(faces):
        for _ in range(TRIES):
            x = min(far, max(-far, rng.gauss(middle[0], spread)))
            y = min(far, max(near, rng.gauss(middle[1], spread)))
            pose = level(x, y, edge, faces[len(poses)], rng.uniform(0, 2 * math.pi))
            if all(gap(pose, other, edge) > GAP_MM for other in (*resting, *poses)):
                poses.append(pose)
                break
        else:
            spread += 10  # crowded: look farther
    return poses


def pocketed(rng: random.Random, tray: Tray, pocket: int, face: int) -> Pose:
    """Return the pose of a die that a hand has put into a pocket of the shelf."""
    x, y = tray.pocket_centre_mm(pocket)
    yaw = rng.choice((0, 1, 2, 3)) * math.pi / 2 + rng.gauss(0, 0.12)
    return level(x + rng.uniform(-2, 2), y + rng.uniform(-2, 2), tray.die_mm, face, yaw)


def free_pockets(tray: Tray, poses: Sequence[Pose]) -> list[int]:
    """Return the pockets of the shelf without a die."""

    def is_free(point: FloorPoint) -> bool:
        return all(math.dist(point, (pose.x_mm, pose.y_mm)) > tray.die_mm * 1.2 for pose in poses)

    return [pocket for pocket in range(tray.pockets) if is_free(tray.pocket_centre_mm(pocket))]


def gap(one: Pose, other: Pose, edge: float) -> float:
    """Return the gap in mm between two level dice along the best separating side; below 0 they overlap."""
    a, a_sides = _footprint(one, edge)
    b, b_sides = _footprint(other, edge)
    gaps = []
    for dx, dy in (*a_sides, *b_sides):
        p, q = [x * dx + y * dy for x, y in a], [x * dx + y * dy for x, y in b]
        gaps.append(max(min(q) - max(p), min(p) - max(q)))
    return max(gaps)


def _footprint(pose: Pose, edge: float) -> tuple[list[FloorPoint], list[FloorPoint]]:
    """Return a level die's corners on the floor, and the directions of its sides."""
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


def toss(rng: random.Random, start_s: float, start: Point, rest: Pose, tray: Tray) -> list[DieKey]:
    """Return the keys of a die from its release at `start` to its rest, which it reaches about half a second later."""
    length_s = rng.uniform(0.50, 0.60)
    roll_rad = rng.uniform(8.0, 14.0)  # around the level axis across the way, from release to rest
    spin_rad = rng.gauss(0.0, 2.5)  # around the vertical
    wall = tray.half_mm - tray.die_mm * 0.75
    off_far_wall = rest.y_mm > 0 and rng.random() < 0.35
    end_y = 2 * wall - rest.y_mm if off_far_wall else rest.y_mm  # where the way would end without the wall
    across = (-(end_y - start[1]), rest.x_mm - start[0], 0.0)

    def pose(share: float) -> Pose:
        left = (1 - share) ** _SLOWING
        x, y = rest.x_mm + (start[0] - rest.x_mm) * left, end_y + (start[1] - end_y) * left
        if y > wall:
            y = 2 * wall - y
        q = multiply(turn((0, 0, 1), -spin_rad * left), multiply(turn(across, -roll_rad * left), rest.q))
        over_rail = (tray.rail_height_mm + 4) * math.exp(-(((y - tray.rail_y_mm) / 20.0) ** 2)) * (1 - share**6)
        return rounded(x, y, reach_down(q, tray.die_mm) + _height(share, start[2]) + over_rail, q)

    count = max(2, math.ceil(length_s * RATE))
    keys = [DieKey(round(start_s + i / count * length_s, 4), pose(i / count)) for i in range(count)]
    return [*keys, DieKey(round(start_s + length_s, 4), rest)]


def _height(share: float, start_mm: float) -> float:
    """Return the height in mm above the rolling die after this share of the time: a fall, then bounces."""
    for begin, end, high in _BOUNCES:
        if begin <= share < end:
            part = (share - begin) / (end - begin)
            return start_mm * (1 - part * part) if begin == 0.0 else 4 * high * part * (1 - part)
    return 0.0


def reach_down(q: Quaternion, edge_mm: float) -> float:
    """Return the height in mm of a die's middle above its lowest corner in this orientation."""
    w, x, y, z = q
    up = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    return edge_mm / 2 * sum(abs(part) for part in up)


def rounded(x: float, y: float, z: float, q: Quaternion) -> Pose:
    """Return a pose rounded to micrometres, its orientation to five digits."""
    w, i, j, k = (round(part, 5) for part in q)
    return Pose(round(x, 3), round(y, 3), round(z, 3), (w, i, j, k))


def released(rng: random.Random, number: int, release_s: float, palm: FloorPoint) -> tuple[float, Point]:
    """Return when and where the die of this number in the hand is released."""
    at_s = round(release_s + rng.uniform(0.0, 0.03), 4)
    beside = (number % 3 - 1) * 18 + rng.uniform(-3, 3)
    return at_s, (palm[0] + beside, palm[1] + 50.0 + number // 3 * 18, 50.0 + number // 3 * 4)


def least_clashing(make: Toss, resting: Sequence[Pose], edge: float) -> tuple[Flights, list[Pose]]:
    """Return the throw, of `TOSSES` tries, whose dice least pass through each other or through dice at rest."""
    throws = []
    for _ in range(TOSSES):
        flights, rests = make()
        throws.append((_clashes(flights, resting, edge), flights, rests))
        if not throws[-1][0]:
            break
    _, flights, rests = min(throws, key=lambda throw: throw[0])
    return flights, rests


def _clashes(flights: Flights, resting: Sequence[Pose], edge: float) -> int:
    """Count, in the latter part of a throw, the keys at which two middles are nearer than a die's edge."""
    count = 0
    for n, keys in enumerate(flights):
        late = keys[len(keys) // 3 :]
        others = [[DieKey(key.t_s, pose) for key in late] for pose in resting] + flights[:n]
        for flight in others:
            for key in late:
                near = min(flight, key=lambda other: abs(other.t_s - key.t_s)).pose
                p, q = (key.pose.x_mm, key.pose.y_mm, key.pose.z_mm), (near.x_mm, near.y_mm, near.z_mm)
                count += math.dist(p, q) < edge
    return count
