"""Draw pictures of dice for training: random cameras, dice and lights, with the top face of every die known.

The pictures are quicker and more varied than those of the simulated tray, and less realistic: one takes about ten
milliseconds. Lengths are in die edges, the camera is a pinhole. The same seed gives the same picture.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from exposure import photographed
from grounds import ground, rubbish
from looks import Look, look
from numpy.typing import NDArray
from solids import MOST_PER_PX, NORMALS, SAMPLES_ACROSS, SceneLights, draw, lights

Floats = NDArray[np.float64]

EMPTY = 0.1
"""The share of pictures without dice."""

MANY = 24
"""The most dice of a crowded picture. The other pictures have at most eight."""

FINE = 16
"""Subpixels of an outline's point in each pixel, as in OpenCV's `shift` of 4 bits."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """One die of a picture: its top face, that face's middle and half its edge in pixels, and two angles in degrees.

    `aslant_deg` is the angle between the face's normal and the ray to the camera, `lean_deg` the die's lean.

    `slant` is the normal's direction in the picture, as long as the sine of that angle: (0, 0) if seen straight on.
    `along` and `across` are the vectors from the middle to two sides of the face, in pixels. `visible` is the share of
    the face that can be seen and read.
    """

    face: int
    centre: tuple[float, float]
    half_px: float
    aslant_deg: float
    lean_deg: float
    slant: tuple[float, float]
    along: tuple[float, float]
    across: tuple[float, float]
    visible: float = 1.0


@dataclass(frozen=True, eq=False)
class Lens:
    """A pinhole camera: `turn` brings the table's axes to the camera's, which stands at `at`, in die edges."""

    turn: Floats
    at: Floats
    focal: float
    middle: tuple[float, float]
    stretch: float

    def see(self, points: Floats) -> Floats:
        """Return points (n, 3) of the table in pixels (n, 2)."""
        there = (points - self.at) @ self.turn.T
        flat = self.focal * there[:, :2] / there[:, 2:]
        return flat * np.array([1.0, self.stretch]) + np.array(self.middle)

    def moved(self, x: int, y: int) -> "Lens":
        """Return the lens for a part of the picture that begins at `x`, `y`."""
        return replace(self, middle=(self.middle[0] - x, self.middle[1] - y))

    def rays(self, width: int, height: int, fine: int) -> NDArray[np.float32]:
        """Return the directions, in the table's axes, of `fine` by `fine` rays through each pixel of a picture."""
        x = ((np.arange(width * fine) + 0.5) / fine - 0.5 - self.middle[0]) / self.focal
        y = ((np.arange(height * fine) + 0.5) / fine - 0.5 - self.middle[1]) / (self.focal * self.stretch)
        there = np.stack([*np.meshgrid(x, y), np.ones((len(y), len(x)))], -1)
        return np.asarray(there @ self.turn, np.float32)


MadeScene = Callable[[int], tuple[NDArray[np.uint8], list[Drawn]]]
"""Returns the picture (height, width, 3) BGR uint8 of a seed, and its dice."""


def scene(seed: int) -> tuple[NDArray[np.uint8], list[Drawn]]:
    """Return a picture (height, width, 3) BGR uint8 and its dice."""
    rng = np.random.default_rng(seed)
    width, height = (int(n) for n in rng.integers(360, 760, 2))
    edge = float(np.exp(rng.uniform(np.log(15), np.log(110))))
    lens = _lens(rng, width, height, edge)
    canvas = ground(rng, width, height, edge)
    rubbish(rng, canvas, edge)
    looks = [look(rng, canvas)] * 6 if rng.random() < 0.7 else [look(rng, canvas) for _ in range(6)]
    shine, shade = lights(rng), rng.uniform(0.0, 0.85)
    drawn = []
    for n, (spot, turn, lean) in enumerate(_spots(rng, lens, width, height)):
        # Only the die's surroundings change.
        seen = lens.see(spot[None])[0]
        reach = 2.4 * lens.focal / float(np.linalg.norm(lens.at - spot))
        x0, y0 = (max(0, int(v - reach)) for v in seen)
        part = canvas[y0 : max(y0 + 1, int(seen[1] + reach)), x0 : max(x0 + 1, int(seen[0] + reach))]
        near = lens.moved(x0, y0)
        die = _die(rng, part, near, looks[n % 6], spot, turn, lean, shine, shade)
        drawn.append(replace(die, centre=(die.centre[0] + x0, die.centre[1] + y0)))
    return photographed(rng, canvas, edge, [die.centre for die in drawn]), drawn


def _unit(v: Floats) -> Floats:
    return v / np.linalg.norm(v)


def _about(axis: int, angle: float) -> Floats:
    vector = np.zeros(3)
    vector[axis] = angle
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)


def _lens(rng: np.random.Generator, width: int, height: int, edge: float) -> Lens:
    away = rng.uniform(11, 40)
    tilt = rng.uniform(0, 8) if rng.random() < 0.7 else rng.uniform(8, 36)
    turn = np.diag([1.0, -1.0, -1.0]) @ _about(0, np.radians(tilt)) @ _about(2, rng.uniform(0, 2 * np.pi))
    at = -turn.T @ np.array([0.0, 0.0, away])
    off = rng.normal(0, 0.12, 2)
    stretch = float(np.exp(rng.uniform(-0.36, 0.36))) if rng.random() < 0.2 else 1.0
    return Lens(turn, -at * -1.0, edge * away, (width * (0.5 + off[0]), height * (0.5 + off[1])), stretch)


def _spots(rng: np.random.Generator, lens: Lens, width: int, height: int) -> list[tuple[Floats, Floats, float]]:
    """Return the dice's middles, orientations and leans in degrees."""
    spots: list[tuple[Floats, Floats, float]] = []
    most = MANY if rng.random() < 0.2 else 8
    for _ in range(0 if rng.random() < EMPTY else int(rng.integers(1, most + 1))):
        for _ in range(12):
            if spots and rng.random() < 0.4:  # beside another, often face to face
                near, turn, _ = spots[int(rng.integers(len(spots)))]
                angle = np.arctan2(turn[1, 0], turn[0, 0]) + np.pi / 2 * rng.integers(4)
                gap = rng.uniform(1.0, 1.25)
                flat = near[:2] + gap * np.array([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.15, 2)
                yaw = angle + rng.normal(0, 0.1) if rng.random() < 0.6 else rng.uniform(0, 6.3)
            else:
                flat, yaw = rng.uniform(-9, 9, 2), rng.uniform(0, 6.3)
            seen = lens.see(np.array([[flat[0], flat[1], 0.5]]))[0]
            inside = -5 < seen[0] < width + 5 and -5 < seen[1] < height + 5
            if inside and all(np.hypot(*(flat - s[0][:2])) > 1.02 for s in spots):
                lean = float(rng.uniform(15, 45)) if rng.random() < 0.15 else 0.0
                spot = np.array([flat[0], flat[1], 0.5 + 0.35 * np.sin(np.radians(lean))])
                up = _upright(int(rng.integers(1, 7)))
                tip = _about(int(rng.integers(2)), np.radians(lean) * rng.choice([-1, 1]))
                spots.append((spot, _about(2, yaw) @ tip @ _about(2, np.pi / 2 * rng.integers(4)) @ up, lean))
                break
    # Far dice first, so that near ones hide them.
    return sorted(spots, key=lambda s: -float(np.linalg.norm(s[0] - lens.at)))


def _upright(face: int) -> Floats:
    normal = np.array(NORMALS[face], float)
    side = np.array([0.0, 1.0, 0.0]) if abs(normal[1]) < 0.5 else np.array([1.0, 0.0, 0.0])
    return np.stack([np.cross(side, normal), side, normal])


def _die(
    rng: np.random.Generator,
    canvas: NDArray[np.uint8],
    lens: Lens,
    look: Look,
    spot: Floats,
    turn: Floats,
    lean: float,
    shine: SceneLights,
    shade: float,
) -> Drawn:
    """Draw one die and its shadow on the canvas."""
    cube = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    corners = spot + cube @ turn.T
    hull = cv2.convexHull(lens.see(corners).astype(np.float32))[:, 0]
    size = float(np.sqrt(cv2.contourArea(hull)))
    cast = corners.copy()
    cast[:, :2] -= shine.sun[:2] / shine.sun[2] * cast[:, 2:]
    cast[:, 2] = 0
    dark = _mask(canvas.shape, cv2.convexHull(lens.see(np.concatenate([cast, corners])).astype(np.float32))[:, 0])
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.5, np.exp(rng.uniform(np.log(0.005), np.log(0.15))) * size))
    below = cv2.GaussianBlur(_mask(canvas.shape, hull), (0, 0), max(0.5, rng.uniform(0.05, 0.2) * size))
    left = (1 - shade * dark) * (1 - rng.uniform(0.0, 0.6) * below)
    np.copyto(canvas, (canvas * left[..., None]).astype(np.uint8))
    x0, y0 = np.maximum(np.floor(hull.min(0)).astype(int), 0)
    x1, y1 = np.ceil(hull.max(0)).astype(int) + 1
    part = canvas[y0:y1, x0:x1]
    if part.size:
        fine = int(np.clip(round(SAMPLES_ACROSS / size), 1, MOST_PER_PX))
        rays = lens.moved(x0, y0).rays(part.shape[1], part.shape[0], fine)
        draw(part, look, lens.at, rays, spot, turn, shine)
    up = max(NORMALS, key=lambda f: (turn @ np.array(NORMALS[f], float))[2])
    normal = turn @ np.array(NORMALS[up], float)
    along = turn @ np.roll(np.array(NORMALS[up], float), 1)
    drawn, quad = seen_face(lens, spot + normal / 2, along / 2, np.cross(normal, along) / 2, up, lean)
    if rng.random() < 0.1:
        _glare(rng, canvas, np.array(drawn.centre), size)
    elif rng.random() < 0.1:
        _sheen(rng, canvas, quad, np.array(drawn.centre))
    return drawn


def seen_face(
    lens: Lens, middle: Floats, along: Floats, across: Floats, face: int, lean_deg: float
) -> tuple[Drawn, Floats]:
    """Return a top face as a camera sees it, and its four corners in pixels.

    `middle` (3,) is the face's middle on the table, `along` and `across` (3,) lead from there to two of its sides.
    """
    quad = lens.see(np.array([middle + i * along + j * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]))
    centre = lens.see(middle[None])[0]
    half = float(np.sqrt(cv2.contourArea(quad.astype(np.float32)))) / 2
    normal, ray = _unit(np.cross(along, across)), _unit(lens.at - middle)
    aslant = float(np.degrees(np.arccos(np.clip(normal @ ray, -1, 1))))
    slant = lens.turn @ (normal - ray * (normal @ ray))
    beside = lens.see(np.array([middle + along, middle + across])) - centre
    u, v = ((float(x), float(y)) for x, y in beside)
    seen = Drawn(
        face, (float(centre[0]), float(centre[1])), half, aslant, lean_deg, (float(slant[0]), float(slant[1])), u, v
    )
    return seen, quad


def _glare(rng: np.random.Generator, canvas: NDArray[np.uint8], at: Floats, size: float) -> None:
    spot = np.zeros(canvas.shape[:2], np.float32)
    off = at + rng.normal(0, 0.25 * size, 2)
    cv2.circle(spot, (round(off[0]), round(off[1])), max(1, round(size * rng.uniform(0.05, 0.6))), 1.0, cv2.FILLED)
    spot = cv2.GaussianBlur(spot, (0, 0), max(0.5, size * rng.uniform(0.02, 0.2))) * rng.uniform(0.2, 0.9)
    np.copyto(canvas, (canvas + (255.0 - canvas) * spot[..., None]).clip(0, 255).astype(np.uint8))


def _sheen(rng: np.random.Generator, canvas: NDArray[np.uint8], quad: Floats, centre: Floats) -> None:
    """A lamp's reflection on the whole face, stronger to one side."""
    y, x = np.mgrid[: canvas.shape[0], : canvas.shape[1]].astype(np.float32)
    turn, size = rng.uniform(0, 6.3), np.ptp(quad, 0).max() + 1
    slope = ((x - centre[0]) * np.cos(turn) + (y - centre[1]) * np.sin(turn)) / size
    shine = np.clip(rng.uniform(0.1, 0.8) + rng.uniform(0.0, 1.2) * slope, 0, 0.97) * _mask(canvas.shape, quad)
    shine = cv2.GaussianBlur(shine.astype(np.float32), (0, 0), max(0.5, 0.04 * float(size)))
    np.copyto(canvas, (canvas + (255.0 - canvas) * shine[..., None]).clip(0, 255).astype(np.uint8))


def _mask(shape: tuple[int, ...], hull: Floats) -> NDArray[np.float32]:
    mask = np.zeros(shape[:2], np.float32)
    cv2.fillConvexPoly(mask, _fine(hull), 1.0, cv2.LINE_8, 4)
    return mask


def _fine(points: Floats) -> NDArray[np.int32]:
    return np.rint(np.asarray(points) * FINE).astype(np.int32)
