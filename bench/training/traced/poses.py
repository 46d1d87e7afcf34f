"""Where dice lie: laid in rows and clusters, and leaning on walls, on rails, and on other dice.

A pose is a die's middle `spot` (3,) and its axes on the table, the columns of `turn` (3, 3).
"""

import math
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from traced.dice import DieLook
from traced.die_shape import upright

Floats = NDArray[np.float64]

LEANS_DEG = (8.0, 44.0)
"""The leans of dice that are set against something."""

APART = 1.46
"""Edges between the middles of two dice that cannot overlap, however they are turned."""


@dataclass(frozen=True, eq=False)
class DiePose:
    """A die on the table. `moves` says that it has not come to rest."""

    spot: Floats
    turn: Floats
    edge: float
    moves: bool = False

    @property
    def lowest_cm(self) -> float:
        """The height of its lowest corner."""
        return float(self.spot[2] - self.edge / 2 * np.abs(self.turn[2]).sum())

    @property
    def lean_deg(self) -> float:
        """The angle between its upper face and level."""
        return math.degrees(math.acos(min(1.0, float(np.abs(self.turn[2]).max()))))


@dataclass(frozen=True)
class Block:
    """A block that stands on the table or lies on it: its middle, size, and turn around the vertical."""

    middle: tuple[float, float, float]
    size: tuple[float, float, float]
    turn_deg: float = 0.0

    @property
    def top_cm(self) -> float:
        """The height of its upper side."""
        return self.middle[2] + self.size[2] / 2


def about(axis: Floats, angle: float) -> Floats:
    """Return the rotation by an angle around an axis of length 1 (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)


def level(look: DieLook, face: int, at: tuple[float, float], angle: float, below: float = 0.0) -> DiePose:
    """Return a level die with a face up, on something of the height `below`."""
    turn = about(np.array([0.0, 0.0, 1.0]), angle) @ upright(look, face)
    return DiePose(np.array([*at, below + look.edge_cm / 2]), turn, look.edge_cm)


def leaning(pose: DiePose, lean: float, towards: Floats, wall: Floats) -> DiePose:
    """Return a level die tilted so that it touches an upright wall and, with its lowest corner, the table.

    Args:
        pose: the level die; its height does not matter.
        lean: the tilt in radians.
        towards: the horizontal direction (2,) of the wall, of length 1.
        wall: a point (2,) of the wall; the die touches it beside this point.
    """
    axis = np.array([towards[1], -towards[0], 0.0])  # the edge on the wall's side is raised
    turn = about(axis, lean) @ pose.turn
    up = pose.edge / 2 * np.abs(turn[2]).sum()
    out = pose.edge / 2 * np.abs(np.array([*towards, 0.0]) @ turn).sum()
    spot = np.array([*(wall - out * towards), up])
    return replace(pose, spot=spot, turn=turn)


def astride(pose: DiePose, rail: Block, share: float, side: float, along: float) -> DiePose:
    """Return a die with one edge on the table and its lower face on the edge of a rail.

    Args:
        pose: the level die with one side parallel to the rail.
        rail: the rail, along its own x.
        share: where the rail's edge touches the lower face, from the edge on the table, as a share of the die's edge.
        side: 1 or -1, the side of the rail that the die lies on.
        along: the place along the rail.
    """
    angle = math.radians(rail.turn_deg)
    ahead, out = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    lean = math.asin(min(0.7, rail.top_cm / (share * pose.edge)))
    towards = -side * out
    axis = np.array([towards[1], -towards[0], 0.0])
    turn = about(axis, lean) @ pose.turn
    # From the touching edge the die's lower edge is as far away as the face goes down to the table.
    foot = np.array(rail.middle[:2]) + ahead * along - towards * (rail.size[1] / 2 + rail.top_cm / math.tan(lean))
    half = pose.edge / 2
    spot = foot + towards * half * (math.cos(lean) - math.sin(lean))
    return replace(pose, spot=np.array([*spot, half * (math.cos(lean) + math.sin(lean))]), turn=turn)


def free(spot: Floats, edge: float, others: list[DiePose], besides: DiePose | None = None) -> bool:
    """Return whether a die at a place overlaps no other, the one that it leans on aside."""
    return all(
        each is besides or float(np.linalg.norm(spot - each.spot)) > APART / 2 * (edge + each.edge) for each in others
    )


def row(chance: Random, looks: list[DieLook], at: tuple[float, float], wide: float) -> list[DiePose]:
    """Return dice laid in rows, as people lay aside what they keep."""
    angle = chance.uniform(0, 2 * math.pi)
    ahead, out = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    step = max(look.edge_cm for look in looks) * (1.0 + chance.choice((0.004, 0.02, 0.15, 0.5)))
    each_row = max(1, min(len(looks), int(wide / step), chance.choice((3, 4, 6, 8))))
    sloppy = chance.choice((0.0, 0.02, 0.1)) if step > 1.1 * looks[0].edge_cm else 0.0
    found = []
    for n, look in enumerate(looks):
        i, j = n % each_row - (each_row - 1) / 2, n // each_row
        place = np.array(at) + ahead * i * step + out * j * step
        found.append(
            level(look, chance.randint(1, 6), (float(place[0]), float(place[1])),
                  angle + chance.randrange(4) * math.pi / 2 + chance.gauss(0, sloppy))
        )  # fmt: skip
    return found


def cluster(chance: Random, looks: list[DieLook], at: tuple[float, float]) -> list[DiePose]:
    """Return level dice pushed together: each touches another with a side, or nearly. The last ones may be left out."""
    found: list[DiePose] = []
    for look in looks:
        for _ in range(60):
            if not found:
                angle, spot = chance.uniform(0, 2 * math.pi), np.array(at)
            else:
                near = found[chance.randrange(len(found))]
                base = math.atan2(near.turn[1, 0], near.turn[0, 0])
                angle = base + chance.randrange(4) * math.pi / 2
                gap = (near.edge + look.edge_cm) / 2 * (1.004 + abs(chance.gauss(0, 0.04)))
                ahead, out = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
                spot = near.spot[:2] + ahead * gap + out * chance.gauss(0, 0.3) * look.edge_cm
            if all(_apart(spot, angle, look.edge_cm, other) for other in found):
                place = float(spot[0]), float(spot[1])
                found.append(level(look, chance.randint(1, 6), place, angle + chance.randrange(4) * math.pi / 2))
                break
        else:
            return found  # no room for this one, nor for the others
    return found


def _apart(spot: Floats, angle: float, edge: float, other: DiePose) -> bool:
    """Return whether two level dice of nearly the same turn do not overlap."""
    off = other.spot[:2] - spot
    reach = (edge + other.edge) / 2 * 1.002
    ahead, out = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    return max(abs(off @ ahead), abs(off @ out)) > reach
