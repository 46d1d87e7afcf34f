"""A simulated camera: evaluates a World at each frame's time and draws what a camera over the tray would see."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dicereader.errors import SourceError
from dicereader.frame import Frame, Pixels
from dicereader.sources.synthetic.background import EmptyTray, empty_tray
from dicereader.sources.synthetic.camera import Floats, camera_for, pixel_of
from dicereader.sources.synthetic.dice import Patch, die_patches
from dicereader.sources.synthetic.faults import FAULTS, Sensor, spoil
from dicereader.sources.synthetic.hand import lay_hand
from dicereader.sources.synthetic.motion import hand_at, pose_at, same
from dicereader.sources.synthetic.shadows import die_shadow
from dicereader.sources.synthetic.upset import pushed, relit
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import Tray
from dicereader.world import Light, Look, Pose, World

EXPOSURE_S = 0.010

Shadow = tuple[int, int, Floats]


class Painter:
    """Draws Worlds of one table. What stands still is drawn once and kept until it moves."""

    def __init__(self, camera: Calibration, seed: int) -> None:
        self.camera = camera
        self._seed = seed
        self._empty: tuple[tuple[Light, Look], EmptyTray, Pixels] | None = None
        self._drawn: dict[Pose, tuple[Patch, Shadow | None]] = {}
        self._still: tuple[tuple[Pose, ...], Pixels] | None = None

    def picture(self, world: World, t_s: float) -> Pixels:
        """The World `t_s` seconds after its start, as the lens gives it: no noise, no faults, not to be written to."""
        light, look = world.light, world.look
        empty, bare = self._tray(light, look)
        resting, moving = [], []
        for path in world.dice:
            now, before = pose_at(path, t_s), pose_at(path, t_s - EXPOSURE_S)
            if same(now, before):
                resting.append(now)
            else:
                moving.append(_through(before, pose_at(path, t_s - EXPOSURE_S / 2), now))
        picture = self._with_resting(tuple(resting), empty, bare, light, look)
        palm = hand_at(world.hand, t_s) if world.hand is not None else None
        if not moving and palm is None:
            return picture
        picture = picture.copy()
        self._draw(picture, empty, moving, light, look)
        if palm is not None and world.hand is not None:
            was = hand_at(world.hand, t_s - EXPOSURE_S) or palm
            smear = abs(palm[1] - was[1]) * self.camera.focal_px / self.camera.position_mm[2]
            lay_hand(picture, self.camera, palm, smear, light, world.hand.from_deg)
        return picture

    def _tray(self, light: Light, look: Look) -> tuple[EmptyTray, Pixels]:
        if self._empty is None or self._empty[0] != (light, look):
            empty = empty_tray(self.camera, light, look, self._seed)
            bare = np.clip(empty.picture + np.float32(0.5), 0, 255).astype(np.uint8)
            self._empty = (light, look), empty, bare
            self._drawn.clear()
            self._still = None
        return self._empty[1], self._empty[2]

    def _with_resting(
        self, poses: tuple[Pose, ...], empty: EmptyTray, bare: Pixels, light: Light, look: Look
    ) -> Pixels:
        if self._still is None or self._still[0] != poses:
            self._drawn = {pose: drawn for pose, drawn in self._drawn.items() if pose in poses}
            fresh = [pose for pose in poses if pose not in self._drawn]
            patches = die_patches(
                self.camera, [[pose] for pose in fresh], light, look, [self._bright(empty, pose) for pose in fresh]
            )
            for pose, patch in zip(fresh, patches, strict=True):
                self._drawn[pose] = patch, die_shadow(self.camera, pose, light)
            picture = bare.copy()
            drawn = [self._drawn[pose] for pose in sorted(poses, key=lambda pose: pose.z_mm)]
            for _, shadow in drawn:
                _darken(picture, empty, shadow)
            for patch, _ in drawn:
                _lay(picture, patch)
            self._still = poses, picture
        return self._still[1]

    def _draw(self, picture: Pixels, empty: EmptyTray, dice: list[list[Pose]], light: Light, look: Look) -> None:
        dice = sorted(dice, key=lambda poses: poses[-1].z_mm)
        for poses in dice:
            _darken(picture, empty, die_shadow(self.camera, poses[-1], light))
        bright = [self._bright(empty, poses[-1]) for poses in dice]
        for patch in die_patches(self.camera, dice, light, look, bright):
            _lay(picture, patch)

    def _bright(self, empty: EmptyTray, pose: Pose) -> float:
        column, row = pixel_of(self.camera, np.array([[pose.x_mm, pose.y_mm, pose.z_mm]]))[0]
        height, width = empty.falloff.shape
        return float(empty.falloff[int(min(max(row, 0), height - 1)), int(min(max(column, 0), width - 1))])


def _through(before: Pose, between: Pose, now: Pose) -> list[Pose]:
    alike = abs(sum(p * q for p, q in zip(before.q, now.q, strict=True)))
    return [before, now] if alike > 0.9975 else [before, between, now]  # 8 degrees a frame's exposure


def _darken(picture: Pixels, empty: EmptyTray, shadow: Shadow | None) -> None:
    if shadow is None:
        return
    left, top, light_left = shadow
    rows, columns = slice(top, top + light_left.shape[0]), slice(left, left + light_left.shape[1])
    stays = 1 - (1 - light_left) * empty.floor[rows, columns]
    picture[rows, columns] = (picture[rows, columns] * stays[..., None] + np.float32(0.5)).astype(np.uint8)


def _lay(picture: Pixels, patch: Patch) -> None:
    height, width = patch.cover.shape[:2]
    below = picture[patch.top : patch.top + height, patch.left : patch.left + width]
    mixed = below * (1 - patch.cover) + patch.colour + np.float32(0.5)
    below[:] = np.minimum(mixed, 255).astype(np.uint8)


class SyntheticSource:
    """Frames of a simulated tray, as fast as they are asked for, each at the clock's time.

    A World whose `started_s` is 0 starts when it is laid; any other `started_s` is on the clock. Until the first World
    is laid, the tray of table `seed` is empty.
    """

    live = True
    simulated = True

    def __init__(self, clock: Callable[[], float], seed: int = 0, tray: Tray | None = None) -> None:
        self._clock = clock
        self._tray = tray or Tray()
        self._number = 0
        self._last: Pixels | None = None
        self._world = World(seed=seed, dice=())
        self._started_s = clock()
        self._set_up(seed)

    def lay(self, world: World) -> None:
        """From now on the tray is this World."""
        unknown = [fault for fault in world.faults if fault not in FAULTS]
        if unknown:
            raise SourceError(f"expected faults of {', '.join(FAULTS)}, got {unknown[0]!r}")
        if world.seed != self._world.seed:
            self._set_up(world.seed)
        self._world = world
        self._started_s = world.started_s or self._clock()

    def next(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - a frame is always ready
        """The tray now."""
        now = self._clock()
        if "frozen" not in self._world.faults or self._last is None:
            self._last = self._sensor.expose(self._seen(now - self._started_s))
        frame = Frame(self._last, at_s=now, number=self._number)
        self._number += 1
        return frame

    def _seen(self, t_s: float) -> Pixels:
        """What the lens gives `t_s` seconds after the World's start, as far as its faults let it."""
        world = self._world
        tray = pushed(self._painter.picture(world, t_s), world.jolts, t_s, self.camera)
        return spoil(relit(tray, world.light_keys, t_s), world.faults, t_s, self._number)

    def empty_picture(self) -> Pixels:
        """The same tray, light and camera without dice or hand: what a calibration takes first."""
        bare = replace(self._world, dice=(), hand=None, faults=(), light_keys=(), jolts=())
        return self._sensor.expose(self._painter.picture(bare, 0.0))

    @property
    def camera(self) -> Calibration:
        """The simulated camera's own pose: what a perfect calibration finds."""
        return self._painter.camera

    def close(self) -> None:
        """Nothing is held."""

    def _set_up(self, seed: int) -> None:
        camera = camera_for(seed, self._tray)
        self._painter = Painter(camera, seed)
        self._sensor = Sensor((camera.width_px, camera.height_px), seed)
