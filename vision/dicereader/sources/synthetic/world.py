"""A simulated tray as plain, frozen, serialisable data: the paths of dice and hand over time, and light.

`companion.simulation.hands` makes Worlds, the synthetic source draws them. Lengths are millimetres in the axes of
`dicereader.tray.geometry`; times are seconds after `World.started_s`, which is on the source's clock. The faces of a
die point along its own axes like those of a right-handed western die: 1 = +z, 6 = -z, 2 = -y, 5 = +y, 3 = +x, 4 = -x.
"""

import itertools
import math
from dataclasses import dataclass, field, replace

from dicereader.errors import WorldError
from dicereader.tray.geometry import TINT

Quaternion = tuple[float, float, float, float]
"""A rotation as (w, x, y, z), of length 1."""

NORMALS: dict[int, tuple[int, int, int]] = {
    1: (0, 0, 1),
    6: (0, 0, -1),
    2: (0, -1, 0),
    5: (0, 1, 0),
    3: (1, 0, 0),
    4: (-1, 0, 0),
}


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the rotation that turns by `b`, then by `a`."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def turn(axis: tuple[float, float, float], angle: float) -> Quaternion:
    """Return the rotation by `angle` radians around `axis`, of any length above 0.

    Raises:
        WorldError: if the axis has length 0.
    """
    length = math.hypot(*axis)
    if length == 0:
        raise WorldError("expected an axis longer than 0, got (0, 0, 0)")
    s = math.sin(angle / 2) / length
    return math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s


_UPRIGHT: dict[int, Quaternion] = {
    1: (1.0, 0.0, 0.0, 0.0),
    6: turn((1, 0, 0), math.pi),
    2: turn((1, 0, 0), -math.pi / 2),
    5: turn((1, 0, 0), math.pi / 2),
    3: turn((0, 1, 0), -math.pi / 2),
    4: turn((0, 1, 0), math.pi / 2),
}


def upright(face: int, yaw: float = 0.0) -> Quaternion:
    """Return the rotation of a level die that shows `face`, turned by `yaw` radians around the vertical.

    Raises:
        WorldError: if the face is not 1 to 6.
    """
    if face not in _UPRIGHT:
        raise WorldError(f"expected a face from 1 to 6, got {face!r}")
    return multiply(turn((0, 0, 1), yaw), _UPRIGHT[face])


@dataclass(frozen=True)
class Pose:
    """The place of a die's centre in millimetres, and its rotation."""

    x_mm: float
    y_mm: float
    z_mm: float
    q: Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class DieKey:
    """A die's pose at a time, in seconds after the World's start."""

    t_s: float
    pose: Pose


@dataclass(frozen=True)
class DiePath:
    """The path of one die; before the first key and after the last it is where that key says."""

    keys: tuple[DieKey, ...]

    def __post_init__(self) -> None:
        _check_times("a die's path", [key.t_s for key in self.keys])


@dataclass(frozen=True)
class HandKey:
    """The place of the hand's palm at a time. `height_mm` is above the floor."""

    t_s: float
    x_mm: float
    y_mm: float
    height_mm: float = 60.0


@dataclass(frozen=True)
class HandPath:
    """The path of a hand over the tray; there is none before the first and after the last key.

    `from_deg` is the side it reaches in from: 0 the players' side, 90 the right, 180 the far side.
    """

    keys: tuple[HandKey, ...]
    from_deg: float = 0.0

    def __post_init__(self) -> None:
        _check_times("a hand's path", [key.t_s for key in self.keys])


@dataclass(frozen=True)
class Lighting:
    """The lamp over the tray: `level` 1.0 is a well lit table; angles in degrees; warmth 0 (white) to 1 (candle)."""

    level: float = 1.0
    azimuth_deg: float = 135.0
    elevation_deg: float = 60.0
    warmth: float = 0.3


@dataclass(frozen=True)
class TableColours:
    """The colours of one table, as red, green, blue from 0 to 255."""

    die: tuple[int, int, int] = (236, 230, 214)
    pip: tuple[int, int, int] = (24, 22, 22)
    felt: tuple[int, int, int] = (24, 74, 50)
    wood: tuple[int, int, int] = (120, 76, 42)
    sheet: tuple[int, int, int] = TINT  # of the printed paper tray


@dataclass(frozen=True)
class World:
    """One simulated tray over time."""

    seed: int
    dice: tuple[DiePath, ...]
    started_s: float = 0.0
    hand: HandPath | None = None
    light: Lighting = field(default_factory=Lighting)
    colours: TableColours = field(default_factory=TableColours)

    @property
    def length_s(self) -> float:
        """When dice and hand have reached their last keys, in seconds after the start."""
        ends = [path.keys[-1].t_s for path in self.dice]
        if self.hand is not None:
            ends.append(self.hand.keys[-1].t_s)
        return max(ends, default=0.0)

    def at_rest(self) -> "World":
        """Return this World at its end, as it is set again for a restarted eye."""
        return replace(
            self,
            dice=tuple(DiePath((DieKey(0.0, path.keys[-1].pose),)) for path in self.dice),
            hand=None,
            started_s=0.0,
        )


def _check_times(what: str, times: list[float]) -> None:
    if not times:
        raise WorldError(f"expected at least one key in {what}, got none")
    if any(later < earlier for earlier, later in itertools.pairwise(times)):
        raise WorldError(f"expected times that do not go back in {what}, got {times!r}")
