"""Make random looks of dice: colours, pips, corners, and the places of the pips on a face."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PLACES: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}
ALONG_A_SIDE: dict[int, list[tuple[float, float]]] = {2: [(-1, 0), (1, 0)], 3: [(-1, 0), (0, 0), (1, 0)]}
"""Rare layouts of twos and threes."""

CLEAR, VEINED, COLOURED = 0.25, 0.25, 0.25
"""The shares of dice that are clear, that are veined, and that have pips of any colour."""


@dataclass(frozen=True)
class Look:
    """The look of one kind of dice. Colours are blue, green, red from 0 to 255, lengths are shares of an edge.

    The pips of a one and of a two may be larger (`one_r`, `two_r`), and those of a two nearer to the middle or farther
    from it (`two_pitch`). A one may be a star of `one_points` points, or a disc if that is 0. `worn` (6, 6) is the
    share of paint that each pip has lost. `rounding` is the edges' radius. `ball_r` is the radius of the sphere that
    cuts the corners off (at 0.87 it cuts nothing). Veins of the colour `swirl` follow `grain`, with rims as sharp as
    `vein`. `flecks` (24, 24, 24) is the additional share of that colour in each part of the body. `hollow` is the
    steepness of the pips' rims. `polish` is the strength and `rough` the blur (an angle) of mirrored lamps. `clear` is
    the share of light that passes through the body.
    """

    body: tuple[float, ...]
    pip: tuple[float, ...]
    one: tuple[float, ...]
    pip_r: float
    one_r: float
    two_r: float
    pitch: float
    two_pitch: float
    six_narrow: float
    along_a_side: bool
    rounding: float
    ball_r: float
    one_points: int
    worn: NDArray[np.float32]
    swirl: tuple[float, ...]
    vein: float
    grain: NDArray[np.float32]
    flecks: NDArray[np.float32] | None
    hollow: float
    polish: float
    rough: float
    clear: float


def places(look: Look, face: int) -> list[tuple[float, float]]:
    """Return the places of a face's pips, from its middle."""
    found = ALONG_A_SIDE[face] if look.along_a_side and face in ALONG_A_SIDE else PLACES[face]
    narrow = look.six_narrow if face == 6 else 1.0
    pitch = look.two_pitch if face == 2 else look.pitch
    return [(pitch * narrow * i, pitch * j) for i, j in found]


def pip_r(look: Look, face: int) -> float:
    """Return the radius of a face's pips."""
    return {1: look.one_r, 2: look.two_r}.get(face, look.pip_r)


def look(rng: np.random.Generator, canvas: NDArray[np.uint8]) -> Look:
    """Return a random look of dice that differ from their ground, at least by their pips."""
    below = canvas.reshape(-1, 3).mean(0)
    apart, clear = rng.uniform(25, 45), rng.uniform(38, 52)  # contrast of body and ground, and of pips and body
    alike = rng.random() < 0.2  # dice of the ground's colour, which only their pips and edges show
    if alike:
        apart, clear = 0.0, 70.0
    for _ in range(20):
        if alike and rng.random() < 0.7:
            body = (below + rng.normal(0, 12, 3)).clip(5, 250)
        elif rng.random() < 0.45:
            body = np.array([1.0, 1.0, 1.0]) * rng.uniform(190, 250) * np.array([rng.uniform(0.7, 1.0), 0.97, 1.0])
        else:
            body = rng.uniform(10, 235, 3)
        light = body.mean() > 120
        pip = rng.uniform(0, 45, 3) if light else rng.uniform(200, 250, 3)
        if rng.random() < COLOURED:
            pip = rng.uniform(0, 255, 3)
        lighter = abs(float((body - pip) @ [0.114, 0.587, 0.299]))
        if np.abs(body - below).max() > apart and max(lighter, 0.4 * float(np.abs(body - pip).max())) > clear:
            break
    pitch = rng.uniform(0.17, 0.3)
    radius = min(rng.uniform(0.07, 0.135), 0.48 * pitch)
    # Twos may differ: they have room for larger pips, and makers place these differently.
    two_r, two_pitch = radius, pitch
    if rng.random() < 0.3:
        two_r, two_pitch = radius * rng.uniform(1.0, 1.4), float(np.clip(pitch * rng.uniform(0.75, 1.1), 0.15, 0.3))
    # The sphere must not cut a pip in a face's corner.
    ball = max(rng.uniform(0.66, 0.8), float(np.hypot(0.5, np.sqrt(2) * max(pitch, two_pitch) + 0.8 * two_r)))
    red = np.array([rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(140, 220)])
    one = red if light and rng.random() < 0.2 else pip
    # Veins and flecks differ from the pips' colour, so that the pips can be read.
    swirl = next(c for c in rng.uniform(10, 240, (50, 3)) if np.abs(c - pip).max() > 60)
    return Look(
        tuple(body),
        tuple(pip),
        tuple(one),
        radius,
        radius * (rng.uniform(1.2, 2.1) if rng.random() < 0.25 else 1.0),
        two_r,
        pitch,
        two_pitch,
        rng.uniform(0.62, 1.0),
        bool(rng.random() < 0.2),
        rng.uniform(0.02, 0.2),
        ball if rng.random() < 0.5 else 0.87,
        int(rng.integers(3, 9)) if rng.random() < 0.12 else 0,
        (rng.uniform(0, 0.7, (6, 6)) * (rng.random((6, 6)) < 0.3) * (rng.random() < 0.2)).astype(np.float32),
        tuple(swirl),
        float(np.exp(rng.uniform(-1.0, 1.5))) if rng.random() < VEINED else 0.0,
        (rng.normal(0, 1, (6, 3)) * np.exp(rng.uniform(0.7, 2.0))).astype(np.float32),
        _flecks(rng) if rng.random() < 0.12 else None,
        rng.uniform(0.2, 0.9) if rng.random() < 0.8 else 0.0,
        rng.uniform(0.2, 1.6) if rng.random() < 0.6 else rng.uniform(0.0, 0.2),
        rng.uniform(0.02, 0.4),
        rng.uniform(0.3, 0.95) if rng.random() < CLEAR else 0.0,
    )


def _flecks(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the flecks of a body: one in three to one in fifty of its parts."""
    there = rng.random((24, 24, 24)) < np.exp(rng.uniform(np.log(0.02), np.log(0.35)))
    return (there * rng.uniform(0.3, 1.0)).astype(np.float32)
