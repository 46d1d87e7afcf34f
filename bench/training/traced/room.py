"""Draw the room around a table, which lights it and which polished dice mirror."""

import cv2
import numpy as np
from numpy.typing import NDArray

SIZE = (256, 128)
"""Width and height of the picture of all directions: from straight down in the first row to straight up in the last."""


def room(seed: int) -> NDArray[np.float32]:
    """Return a room as seen from its table: walls, ceiling, floor, windows, lamps and dark furniture, linear."""
    rng = np.random.default_rng([seed, 1])
    width, height = SIZE
    wall = rng.uniform(0.15, 0.75) * (1 + rng.normal(0, 0.1, 3))
    ceiling = rng.uniform(0.4, 0.9) * (1 + rng.normal(0, 0.04, 3))
    floor = rng.uniform(0.04, 0.3) * (1 + rng.normal(0, 0.15, 3))
    up = np.linspace(-90, 90, height)[:, None]
    canvas = np.where((up > rng.uniform(25, 45))[..., None], ceiling, np.where((up > -12)[..., None], wall, floor))
    canvas = np.broadcast_to(canvas, (height, width, 3)).astype(np.float32).copy()
    # One side of a room is brighter.
    turn = rng.uniform(0, 2 * np.pi)
    side = 1 + rng.uniform(0.1, 0.6) * np.cos(np.linspace(0, 2 * np.pi, width) - turn)
    canvas *= side[None, :, None].astype(np.float32)
    for _ in range(int(rng.integers(4, 14))):  # furniture, pictures, people
        x, wide = int(rng.integers(width)), int(rng.integers(4, 40))
        low, high = sorted(int(n) for n in rng.integers(int(0.42 * height), int(0.75 * height), 2))
        fill = rng.uniform(0.02, 0.8) * (1 + rng.normal(0, 0.3, 3)).clip(0.1, 2)
        canvas[low : high + 2, x : x + wide] = fill
    for _ in range(int(rng.integers(0, 4))):  # windows and bright doors
        x, wide = int(rng.integers(width)), int(rng.integers(8, 26))
        low, tall = int(rng.integers(int(0.5 * height), int(0.62 * height))), int(rng.integers(10, 30))
        bright = rng.uniform(2, 9) * np.array([0.85, 0.95, 1.05])
        canvas[low : low + tall, x : x + wide] = bright
        canvas[low : low + tall, min(x + wide // 2, width - 1)] = 0.3
    for _ in range(int(rng.integers(0, 3))):  # lamps at the ceiling
        x, y = int(rng.integers(width)), int(rng.integers(int(0.78 * height), height - 4))
        cv2.ellipse(
            canvas, (x, y), (int(rng.integers(3, 14)), int(rng.integers(2, 6))), 0, 0, 360, [6.0] * 3, cv2.FILLED
        )
    soft = cv2.GaussianBlur(canvas, (0, 0), 1.2)
    return np.asarray(soft, np.float32)
