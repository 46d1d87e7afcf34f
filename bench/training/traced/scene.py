"""What a traced scene shows, as data: a camera, a ground, lamps, a tray, dice, and things beside them."""

import math
from dataclasses import dataclass

from traced.dice import RGB, DieLook


@dataclass(frozen=True)
class Camera:
    """A pinhole camera with a lens of `aperture_cm` radius that is focused `focus` times as far as the scene's middle.

    `tilt` is the angle of its axis from straight down, `azimuth` the side that it stands on, `roll` its turn around the
    axis, all in degrees. `target` is the place on the table in the picture's middle.
    """

    width: int
    height: int
    fov_deg: float
    tilt_deg: float
    azimuth_deg: float
    roll_deg: float
    distance_cm: float
    target: tuple[float, float]
    aperture_cm: float
    focus: float
    held: bool

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        return self.width / 2 / math.tan(math.radians(self.fov_deg) / 2)

    @property
    def reach_cm(self) -> tuple[float, float]:
        """Half of the ground's width and depth in the picture, roughly."""
        across = self.distance_cm * self.width / 2 / self.focal_px
        return across, min(across * self.height / self.width / math.cos(math.radians(self.tilt_deg)), 2.5 * across)


@dataclass(frozen=True)
class RoomLamp:
    """A lamp: where it stands (from the target), its colour, size, and light at the target as shares of the room's."""

    kind: str
    at: tuple[float, float, float]
    colour: RGB
    size_cm: float
    strength: float


@dataclass(frozen=True)
class Ground:
    """What the dice lie on. `scale` stretches its pattern, `relief` its bumps."""

    kind: str
    colour: RGB
    second: RGB
    scale: float
    relief: float
    roughness: float
    turn_deg: float


@dataclass(frozen=True)
class TrayForm:
    """Walls around the dice: `sides` of them (24 are round), and a rail across at `rail_at` from the middle."""

    middle: tuple[float, float]
    half: tuple[float, float]
    sides: int
    wall_cm: float
    thick_cm: float
    turn_deg: float
    kind: str
    colour: RGB
    rail_cm: float
    rail_at: float


@dataclass(frozen=True)
class Thing:
    """A thing beside the dice."""

    kind: str
    at: tuple[float, float]
    turn_deg: float
    scale: float
    colour: RGB
    seed: int


@dataclass(frozen=True)
class TracedScene:
    """All that a scene shows. `start` holds each die's look and where it is dropped or laid."""

    seed: int
    camera: Camera
    ground: Ground
    lamps: tuple[RoomLamp, ...]
    room: float
    tray: TrayForm | None
    looks: tuple[DieLook, ...]
    gathering: str
    dice: tuple[int, ...]
    odd: tuple[str, ...]
    things: tuple[Thing, ...]
    moving: bool
    """Whether one of the dice still moves."""
