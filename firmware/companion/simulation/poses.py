"""Poses of dice at rest on the simulated tray, and the gap between two of them."""

import math
import random
from collections.abc import Sequence

from dicereader.sources.synthetic.world import Pose, upright
from dicereader.tray.geometry import Tray

FloorPoint = tuple[float, float]

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
