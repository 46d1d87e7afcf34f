"""The poses of dice at the end of a World."""

import math

import numpy as np

from dicereader.sources.synthetic.camera import matrix
from dicereader.sources.synthetic.world import NORMALS, Pose, World


def rest(world: World) -> list[Pose]:
    return [path.keys[-1].pose for path in world.dice]


def face_up(pose: Pose) -> int:
    turned = matrix(pose.q)
    return max(NORMALS, key=lambda face: (turned @ np.array(NORMALS[face]))[2])


def lean_deg(pose: Pose) -> float:
    turned = matrix(pose.q)
    return math.degrees(math.acos(min(1.0, max((turned @ np.array(n))[2] for n in NORMALS.values()))))
