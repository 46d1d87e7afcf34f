"""The World: a simulated tray as paths of dice and hand over time. Frozen, serialisable, plain data.

`companion.simulation.hands` makes Worlds, the synthetic source draws them. Lengths are millimetres in the axes of
`dicereader.tray.geometry`; times are seconds after `World.started_s`, which is on the source's clock. A die's own axes:
the faces of a right-handed western die look along 1 = +z, 6 = -z, 2 = -y, 5 = +y, 3 = +x, 4 = -x.
"""

import itertools
import math
from dataclasses import dataclass, field, replace

from dicereader.errors import WorldError

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
    """The rotation that turns by `b`, then by `a`."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def turn(axis: tuple[float, float, float], angle: float) -> Quaternion:
    """The rotation by `angle` radians around `axis` (of any length above 0)."""
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
    """The rotation of a level die that shows `face`, turned by `yaw` radians around the vertical."""
    if face not in _UPRIGHT:
        raise WorldError(f"expected a face from 1 to 6, got {face!r}")
    return multiply(turn((0, 0, 1), yaw), _UPRIGHT[face])


@dataclass(frozen=True)
class Pose:
    """Where a die's centre is, in millimetres, and how the die is turned."""

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
    """One die's way; before the first key it is where the first says, after the last where the last says."""

    keys: tuple[DieKey, ...]

    def __post_init__(self) -> None:
        _check_times("a die's path", [key.t_s for key in self.keys])


@dataclass(frozen=True)
class HandKey:
    """Where the hand's palm is at a time. `height_mm` is above the floor."""

    t_s: float
    x_mm: float
    y_mm: float
    height_mm: float = 60.0


@dataclass(frozen=True)
class HandPath:
    """A hand over the tray; away before the first and after the last key.

    `from_deg` is where it reaches in from: 0 the players' side, 90 the right, 180 the far side.
    """

    keys: tuple[HandKey, ...]
    from_deg: float = 0.0

    def __post_init__(self) -> None:
        _check_times("a hand's path", [key.t_s for key in self.keys])


@dataclass(frozen=True)
class Light:
    """The lamp over the tray: `level` 1.0 is a well lit table; direction in degrees; warmth 0 (white) to 1 (candle)."""

    level: float = 1.0
    azimuth_deg: float = 135.0
    elevation_deg: float = 60.0
    warmth: float = 0.3


@dataclass(frozen=True)
class LightKey:
    """How the light has changed at a time.

    `level` is a multiple of the World's own; `shade` the share that one who leans over the players' side takes there.
    """

    t_s: float
    level: float = 1.0
    shade: float = 0.0


@dataclass(frozen=True)
class JoltKey:
    """How far tray and camera have been pushed apart at a time: the tray's way in millimetres, its turn in degrees."""

    t_s: float
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True)
class Look:
    """The colours of one table, as red, green, blue from 0 to 255."""

    die: tuple[int, int, int] = (236, 230, 214)
    pip: tuple[int, int, int] = (24, 22, 22)
    felt: tuple[int, int, int] = (24, 74, 50)
    wood: tuple[int, int, int] = (120, 76, 42)


@dataclass(frozen=True)
class World:
    """One simulated tray over time. `faults` name what is wrong with the camera ("black", "frozen" ...).

    `light_keys` change the light and `jolts` push the tray, both evenly from key to key; none: nothing changes.
    """

    seed: int
    dice: tuple[DiePath, ...]
    started_s: float = 0.0
    hand: HandPath | None = None
    light: Light = field(default_factory=Light)
    look: Look = field(default_factory=Look)
    faults: tuple[str, ...] = ()
    light_keys: tuple[LightKey, ...] = ()
    jolts: tuple[JoltKey, ...] = ()

    def __post_init__(self) -> None:
        _check_times("changes of light", [0.0, *(key.t_s for key in self.light_keys)])
        _check_times("jolts", [0.0, *(key.t_s for key in self.jolts)])

    @property
    def length_s(self) -> float:
        """When dice, hand, light and tray have come to their ends, in seconds after the start."""
        ends = [path.keys[-1].t_s for path in self.dice]
        if self.hand is not None:
            ends.append(self.hand.keys[-1].t_s)
        ends += [keys[-1].t_s for keys in (self.light_keys, self.jolts) if keys]
        return max(ends, default=0.0)

    def at_rest(self) -> "World":
        """This World when all is over: what is laid out again for an eye that was started anew."""
        return replace(
            self,
            dice=tuple(DiePath((DieKey(0.0, path.keys[-1].pose),)) for path in self.dice),
            hand=None,
            started_s=0.0,
            light_keys=tuple(replace(key, t_s=0.0) for key in self.light_keys[-1:]),
            jolts=tuple(replace(key, t_s=0.0) for key in self.jolts[-1:]),
        )


def _check_times(what: str, times: list[float]) -> None:
    if not times:
        raise WorldError(f"expected at least one key in {what}, got none")
    if any(later < earlier for earlier, later in itertools.pairwise(times)):
        raise WorldError(f"expected times that do not go back in {what}, got {times!r}")
