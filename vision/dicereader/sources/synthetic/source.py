"""A simulated camera: evaluates a World at each frame's time and draws what a camera over the tray would see."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dicereader.data.arrays import Values
from dicereader.data.frame import Frame, Pixels
from dicereader.errors import SourceError
from dicereader.sources.synthetic.background import empty_tray
from dicereader.sources.synthetic.camera import Sensor, camera_for, pixel_of
from dicereader.sources.synthetic.dice import Patch, die_patches
from dicereader.sources.synthetic.drawn_hand import draw_hand
from dicereader.sources.synthetic.lamp import die_shadow
from dicereader.sources.synthetic.world import DiePath, HandPath, Lighting, Pose, Quaternion, TableColours, World
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import Tray

EXPOSURE_S = 0.010

SMALL_TURN = 0.9975
"""Cosine of half the turn (8 degrees) that a die makes during an exposure without a third pose between."""

STILL_MM, STILL_TURN = 0.02, 1e-4
"""Movement in millimetres, and turn, during an exposure below which a die is drawn once and kept."""

Shadow = tuple[int, int, Values]


def pose_at(path: DiePath, t_s: float) -> Pose:
    """Return a die's pose `t_s` seconds after the World's start."""
    keys = path.keys
    if t_s <= keys[0].t_s:
        return keys[0].pose
    if t_s >= keys[-1].t_s:
        return keys[-1].pose
    later = int(np.searchsorted([key.t_s for key in keys], t_s, side="right"))
    before, after = keys[later - 1], keys[later]
    share = (t_s - before.t_s) / max(1e-9, after.t_s - before.t_s)
    a, b = before.pose, after.pose
    return Pose(
        a.x_mm + (b.x_mm - a.x_mm) * share,
        a.y_mm + (b.y_mm - a.y_mm) * share,
        a.z_mm + (b.z_mm - a.z_mm) * share,
        _between(a.q, b.q, share),
    )


def hand_at(path: HandPath, t_s: float) -> tuple[float, float, float] | None:
    """Return the palm's x, y and height in millimetres; None while there is no hand."""
    keys = path.keys
    if not keys[0].t_s <= t_s <= keys[-1].t_s:
        return None
    times = [key.t_s for key in keys]
    x, y, z = (np.interp(t_s, times, [getattr(k, n) for k in keys]) for n in ("x_mm", "y_mm", "height_mm"))
    return float(x), float(y), float(z)


def same(a: Pose, b: Pose) -> bool:
    """Return whether a die that goes from one pose to the other looks still."""
    moved = max(abs(a.x_mm - b.x_mm), abs(a.y_mm - b.y_mm), abs(a.z_mm - b.z_mm))
    alike = abs(sum(p * q for p, q in zip(a.q, b.q, strict=True)))
    return moved < STILL_MM and alike > 1 - STILL_TURN


def _between(a: Quaternion, b: Quaternion, share: float) -> Quaternion:
    """Return the rotation between two, by spherical interpolation (Shoemake 1985)."""
    p, q = np.array(a), np.array(b)
    dot = float(p @ q)
    if dot < 0:
        q, dot = -q, -dot
    if dot > 0.9995:
        mixed = p + (q - p) * share
    else:
        angle = np.arccos(min(1.0, dot))
        mixed = (np.sin((1 - share) * angle) * p + np.sin(share * angle) * q) / np.sin(angle)
    w, x, y, z = mixed / np.linalg.norm(mixed)
    return float(w), float(x), float(y), float(z)


class Painter:
    """Draws the Worlds of one table in one light. What stands still is drawn once and kept until it moves."""

    def __init__(self, camera: Calibration, seed: int, light: Lighting, colours: TableColours) -> None:
        self._light, self._colours = light, colours
        self._camera = camera
        self._empty = empty_tray(camera, light, colours, seed)
        self._resting: tuple[Pose, ...] = ()
        self._drawn: dict[Pose, tuple[Patch, Shadow | None]] = {}
        self._bare: Pixels = np.clip(self._empty.picture + np.float32(0.5), 0, 255).astype(np.uint8)
        self._picture: Pixels = self._bare  # with the resting dice

    def picture(self, world: World, t_s: float) -> Pixels:
        """Return the World `t_s` seconds after its start, without noise; the picture must not be changed."""
        resting, moving = [], []
        for path in world.dice:
            now, before = pose_at(path, t_s), pose_at(path, t_s - EXPOSURE_S)
            if same(now, before):
                resting.append(now)
            else:
                turn = abs(sum(p * q for p, q in zip(before.q, now.q, strict=True)))
                between = [] if turn > SMALL_TURN else [pose_at(path, t_s - EXPOSURE_S / 2)]
                moving.append([before, *between, now])
        self._draw_resting(tuple(resting))
        palm = hand_at(world.hand, t_s) if world.hand is not None else None
        if not moving and palm is None:
            return self._picture
        picture: Pixels = self._picture.copy()
        self._draw(picture, sorted(self._patches(moving), key=lambda each: each[0].z_mm))
        if palm is not None and world.hand is not None:
            was = hand_at(world.hand, t_s - EXPOSURE_S) or palm
            smear = abs(palm[1] - was[1]) * self._camera.focal_px / self._camera.position_mm[2]
            draw_hand(picture, self._camera, palm, smear, self._light, world.hand.from_deg)
        return picture

    def _draw_resting(self, poses: tuple[Pose, ...]) -> None:
        if poses == self._resting:
            return
        self._drawn = {pose: drawn for pose, drawn in self._drawn.items() if pose in poses}
        for pose, patch, shadow in self._patches([[pose] for pose in poses if pose not in self._drawn]):
            self._drawn[pose] = patch, shadow
        self._resting, self._picture = poses, self._bare.copy()
        self._draw(self._picture, [(pose, *self._drawn[pose]) for pose in sorted(poses, key=lambda pose: pose.z_mm)])

    def _patches(self, dice: Sequence[Sequence[Pose]]) -> list[tuple[Pose, Patch, Shadow | None]]:
        """Return the last pose of each die with its picture and its shadow."""
        last = [poses[-1] for poses in dice]
        patches = die_patches(self._camera, dice, self._light, self._colours, [self._falloff(pose) for pose in last])
        shadows = [die_shadow(self._camera, pose, self._light) for pose in last]
        return list(zip(last, patches, shadows, strict=True))

    def _draw(self, picture: Pixels, dice: Sequence[tuple[Pose, Patch, Shadow | None]]) -> None:
        """Draw dice over a picture, all shadows first."""
        for _, _, shadow in dice:
            if shadow is not None:
                left, top, light_left = shadow
                rows, columns = slice(top, top + light_left.shape[0]), slice(left, left + light_left.shape[1])
                stays = 1 - (1 - light_left) * self._empty.floor[rows, columns]
                picture[rows, columns] = (picture[rows, columns] * stays[..., None] + np.float32(0.5)).astype(np.uint8)
        for _, patch, _ in dice:
            height, width = patch.cover.shape[:2]
            below = picture[patch.top : patch.top + height, patch.left : patch.left + width]
            mixed = below * (1 - patch.cover) + patch.colour + np.float32(0.5)
            below[:] = np.minimum(mixed, 255).astype(np.uint8)

    def _falloff(self, pose: Pose) -> float:
        column, row = pixel_of(self._camera, np.array([[pose.x_mm, pose.y_mm, pose.z_mm]]))[0]
        height, width = self._empty.falloff.shape
        return float(self._empty.falloff[int(min(max(row, 0), height - 1)), int(min(max(column, 0), width - 1))])


def open_synthetic(arg: str, clock: Callable[[], float]) -> "SyntheticSource":
    """Return the source of the simulated table whose number is `arg`, 0 if that is empty.

    Raises:
        SourceError: if it is not a number.
    """
    if arg and not arg.isdecimal():
        raise SourceError(f"expected the simulated table's number after synthetic:, got {arg!r}")
    return SyntheticSource(clock, seed=int(arg or 0))


class SyntheticSource:
    """Frames of a simulated tray, one for each call, at the clock's time.

    A World whose `started_s` is 0 starts when it is set; any other `started_s` is on the clock. Before the first World
    is set, the tray of table `seed` is empty. `camera` is the simulated camera's pose, as a perfect calibration: the
    one that is given, or the table's own.
    """

    live = True

    def __init__(self, clock: Callable[[], float], seed: int = 0, camera: Calibration | None = None) -> None:
        self._clock = clock
        self._given = camera
        self._started_s = clock()
        self._world = World(seed=seed, dice=())
        self._set_up()

    def set_world(self, world: World) -> None:
        """Draw this World from now on."""
        before, self._world = self._world, world
        if (world.seed, world.light, world.colours) != (before.seed, before.light, before.colours):
            self._set_up()
        self._started_s = world.started_s or self._clock()

    def next(self, _timeout_s: float) -> Frame | None:
        """Return the tray now."""
        now = self._clock()
        picture = self._painter.picture(self._world, now - self._started_s)
        return Frame(self._sensor.expose(picture), at_s=now)

    def empty_picture(self) -> Pixels:
        """Return the same tray, light and camera without dice or hand, as the first picture of a calibration."""
        return self._sensor.expose(self._painter.picture(replace(self._world, dice=(), hand=None), 0.0))

    def close(self) -> None:
        """Do nothing: no device is open."""

    def _set_up(self) -> None:
        world = self._world
        self.camera: Calibration = self._given or camera_for(world.seed, Tray())
        self._painter = Painter(self.camera, world.seed, world.light, world.colours)
        self._sensor = Sensor((self.camera.width_px, self.camera.height_px), world.seed)
