"""Draw grounds for dice: felt, weave, wood, carpet, print, a heap of objects, and objects that are no dice."""

import cv2
import numpy as np
from numpy.typing import NDArray

HEAPED = 0.35
"""The share of grounds that are a heap of objects."""


def ground(rng: np.random.Generator, width: int, height: int, edge: float) -> NDArray[np.uint8]:
    """Return a ground without dice, (height, width, 3) BGR uint8. `edge` is a die's edge in pixels."""
    if rng.random() < HEAPED:
        return heap(rng, width, height, edge)
    base = rng.uniform(10, 230, 3)
    if rng.random() < 0.5:  # cloths and tables rarely have bright, strong colours
        base = base.mean() + 0.35 * (base - base.mean())
    kind = rng.choice(["plain", "felt", "weave", "wood", "carpet", "print"], p=[0.25, 0.25, 0.12, 0.15, 0.13, 0.1])
    texture = np.zeros((height, width), np.float32)
    strength = rng.uniform(3, 30)
    if kind in ("felt", "carpet"):
        grain = edge * (rng.uniform(0.01, 0.06) if kind == "felt" else rng.uniform(0.04, 0.15))
        texture = noise(rng, width, height, max(0.6, grain), max(0.6, grain))
        strength *= 1.5 if kind == "carpet" else 0.6
    elif kind == "wood":
        texture = noise(rng, width, height, edge * rng.uniform(0.5, 3), max(0.6, edge * rng.uniform(0.01, 0.1)))
    elif kind == "weave":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        turn, period = rng.uniform(0, 3.1), max(3.0, edge * rng.uniform(0.05, 0.3))
        a = (x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / period
        b = (y * np.cos(turn) - x * np.sin(turn)) * 2 * np.pi / period
        texture = (np.sin(a) * np.sin(b)).astype(np.float32)
    out = base + strength * texture[..., None] * rng.uniform(0.7, 1.0, 3)
    out = out + rng.uniform(0, 12) * noise(rng, width, height, edge, edge)[..., None]
    canvas = out.clip(0, 255).astype(np.uint8)
    if kind == "print":
        for _ in range(int(rng.integers(5, 40))):
            _shape(rng, canvas, edge)
    return canvas


def heap(rng: np.random.Generator, width: int, height: int, edge: float) -> NDArray[np.uint8]:
    """Return a heap of overlapping objects, few large and many small ones, as in photographs.

    Sizes follow the law that makes such pictures look alike from near and from far (dead leaves: Lee, Mumford and
    Huang, 2001). Among the objects are squares with spots and rows of marks, which resemble dice.
    """
    palette = rng.uniform(10, 245, (int(rng.integers(2, 9)), 3))
    palette = palette.mean(1, keepdims=True) + rng.uniform(0.1, 1.0) * (palette - palette.mean(1, keepdims=True))
    canvas = np.full((height, width, 3), palette[0], np.float32)
    smallest, largest = 0.12 * edge, 15 * edge
    n = int(min(1200, rng.uniform(0.5, 6) * width * height / edge**2))
    # The number of objects above a size falls with the size's square.
    sizes = 1 / np.sqrt(rng.uniform(largest**-2.0, smallest**-2.0, n))
    for size in np.sort(sizes)[::-1] * np.exp(rng.normal(0, 0.5, n)):
        fill = palette[rng.integers(len(palette))] * np.exp(rng.normal(0, 0.25)) + rng.normal(0, 8, 3)
        _thing(rng, canvas, float(size), (rng.uniform(0, width), rng.uniform(0, height)), fill)
    for by in (2.0, 0.4, 0.08):
        grain = max(0.6, by * edge)
        canvas *= 1 + rng.uniform(0, 0.12) * noise(rng, width, height, grain, grain)[..., None]
    return cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.3, 1.0)).clip(0, 255).astype(np.uint8)


def _thing(
    rng: np.random.Generator, canvas: NDArray[np.float32], size: float, at: tuple[float, float], fill: NDArray
) -> None:
    """Draw one object of a heap, with a shadow and marks."""
    turn, long = rng.uniform(0, 180), rng.uniform(1, 1.3) if rng.random() < 0.5 else rng.uniform(1, 6)
    kind = rng.integers(4)

    def put(by: float, off: float, colour: NDArray) -> None:
        box = ((at[0] + off, at[1] + off), (size * by, size * by * long), turn)
        if kind == 0:
            cv2.ellipse(canvas, box, tuple(colour.tolist()), cv2.FILLED, cv2.LINE_AA)
        elif kind == 1:
            angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
            corners = np.stack([np.cos(angles), np.sin(angles)], 1) * size * 0.7 * by + at
            cv2.fillPoly(canvas, [np.rint(corners).astype(np.int32)], colour.tolist(), cv2.LINE_AA)
        else:
            cv2.fillPoly(canvas, [np.rint(cv2.boxPoints(box)).astype(np.int32)], colour.tolist(), cv2.LINE_AA)

    if rng.random() < 0.6:
        put(1.03, 0.06 * size, fill * rng.uniform(0.3, 0.8))
    put(1.0, 0.0, fill)
    if rng.random() < 0.4:
        put(rng.uniform(0.5, 0.9), 0.0, fill * rng.uniform(0.7, 1.4))
    if rng.random() < 0.35:
        mark = np.where(fill.mean() > 120, rng.uniform(0, 90), rng.uniform(160, 250)) * np.ones(3)
        step, cos, sin = size * rng.uniform(0.18, 0.45), np.cos(np.radians(turn)), np.sin(np.radians(turn))
        across, along = ((1, 1), (2, 0), (2, 1), (2, 2))[int(rng.integers(4))]  # more pips than a die has
        for i in range(-across, across + 1):
            for j in range(-along, along + 1):
                if rng.random() < 0.7:
                    spot = round(at[0] + step * (i * cos - j * sin)), round(at[1] + step * (i * sin + j * cos))
                    radius = max(1, round(step * rng.uniform(0.15, 0.45)))
                    cv2.circle(canvas, spot, radius, mark.tolist(), cv2.FILLED, cv2.LINE_AA)


def rubbish(rng: np.random.Generator, canvas: NDArray[np.uint8], edge: float) -> None:
    """Draw coins, pens, dots, writing and edges onto a ground."""
    for _ in range(int(rng.integers(0, 5))):
        _shape(rng, canvas, edge)
    if rng.random() < 0.3:
        blocks(rng, canvas, edge)
    for _ in range(int(rng.integers(1, 5)) if rng.random() < 0.3 else 0):
        tag(rng, canvas, edge)
    for _ in range(int(rng.integers(1, 5)) if rng.random() < 0.08 else 0):
        finger(rng, canvas, rng.uniform((0, 0), canvas.shape[1::-1]), edge * rng.uniform(0.8, 1.6))
    if rng.random() < 0.2:
        height, width = canvas.shape[:2]
        at = rng.integers(0, (width, height))
        across = max(2.0, edge * rng.uniform(0.08, 0.4))
        for i in range(int(rng.integers(2, 6))):
            for j in range(int(rng.integers(1, 6))):
                spot = int(at[0] + i * across * 2.5), int(at[1] + j * across * 2.5)
                cv2.circle(canvas, spot, max(1, round(across / 2)), _colour(rng), cv2.FILLED, cv2.LINE_AA)


def tag(rng: np.random.Generator, canvas: NDArray[np.uint8], edge: float) -> None:
    """Draw a printed tag of a tray's corner. Half of the tags are partly covered."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    number = int(rng.integers(4)) if rng.random() < 0.7 else int(rng.integers(50))
    cell = 8
    black = cv2.aruco.generateImageMarker(dictionary, number, 6 * cell)
    plate = cv2.copyMakeBorder(black, *[int(rng.integers(0, 2 * cell))] * 4, cv2.BORDER_CONSTANT, value=255)
    ink, paper = rng.uniform(5, 60), rng.uniform(150, 250)
    plate = (ink + plate / 255.0 * (paper - ink)).astype(np.uint8)
    size, turn = edge * rng.uniform(0.7, 3), rng.uniform(0, 6.3)
    at = rng.uniform((0, 0), canvas.shape[1::-1])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size / 2
    turned = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    turned = (turned * rng.uniform(0.75, 1, 2) + at).astype(np.float32)
    side = len(plate)
    flat = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, turned)
    height, width = canvas.shape[:2]
    seen = cv2.warpPerspective(plate, matrix, (width, height), flags=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.full_like(plate, 255), matrix, (width, height)) > 127
    canvas[there] = seen[there, None]
    if rng.random() < 0.5:
        rim = at + rng.uniform(0.2, 1.0) * (turned[int(rng.integers(4))] - at)
        finger(rng, canvas, rim, size * rng.uniform(0.4, 1.0))


def finger(rng: np.random.Generator, canvas: NDArray[np.uint8], tip: NDArray[np.float64], across: float) -> None:
    """Draw a finger, or another long round object, that ends at a point."""
    turn, long = rng.uniform(0, 6.3), across * rng.uniform(1, 8)
    end = tip + long * np.array([np.cos(turn), np.sin(turn)])
    skin = np.array([rng.uniform(40, 170), rng.uniform(60, 190), rng.uniform(90, 235)])
    colour = skin if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    spots = [tuple(round(v) for v in point) for point in (tip, end)]
    for by, shade in ((1.0, 0.7), (0.85, 0.9), (0.6, 1.0)):
        cv2.line(canvas, *spots, (colour * shade).tolist(), max(1, round(across * by)), cv2.LINE_AA)


def blocks(rng: np.random.Generator, canvas: NDArray[np.uint8], edge: float) -> None:
    """Draw objects that resemble dice: keys with letters, tiles with spots that no die has, blank cubes, buttons."""
    height, width = canvas.shape[:2]
    size = edge * rng.uniform(0.6, 1.5)
    turn = rng.uniform(0, 90)
    gap = size * rng.uniform(1.05, 1.6)
    at = rng.uniform(0, (width, height))
    body, mark = _colour(rng), _colour(rng)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    kind = rng.integers(4)
    for i in range(int(rng.integers(1, 5))):
        for j in range(int(rng.integers(1, 4))):
            x, y = at[0] + gap * (i * cos - j * sin), at[1] + gap * (i * sin + j * cos)
            for by, shade in ((1.0, 0.75), (rng.uniform(0.7, 0.95), 1.0)):
                box = cv2.boxPoints(((x, y), (size * by, size * by), turn))
                fill = [c * shade for c in body]
                cv2.fillPoly(canvas, [np.rint(box).astype(np.int32)], fill, cv2.LINE_AA)
            if kind == 0:
                letter = str(rng.choice(list("QWERTYUIOPASDFGHJKLXCVBNM0123456789?!.:;%&+=")))
                spot = round(x - 0.25 * size), round(y + 0.25 * size)
                thick = max(1, round(size / 14))
                cv2.putText(canvas, letter, spot, int(rng.integers(0, 5)), size / 38, mark, thick, cv2.LINE_AA)
            elif kind == 1:  # spots in no order
                for _ in range(int(rng.integers(2, 10))):
                    u, v = rng.uniform(-0.36, 0.36, 2) * size
                    spot = round(x + u * cos - v * sin), round(y + u * sin + v * cos)
                    cv2.circle(
                        canvas, spot, max(1, round(size * rng.uniform(0.04, 0.12))), mark, cv2.FILLED, cv2.LINE_AA
                    )
            elif kind == 2:  # a button's two or four holes, too close together for pips
                cv2.circle(canvas, (round(x), round(y)), max(2, round(size / 2)), body, cv2.FILLED, cv2.LINE_AA)
                for u, v in ((-1, -1), (1, 1), (-1, 1), (1, -1))[: 2 * int(rng.integers(1, 3))]:
                    spot = round(x + 0.12 * size * u), round(y + 0.12 * size * v)
                    cv2.circle(canvas, spot, max(1, round(0.06 * size)), mark, cv2.FILLED, cv2.LINE_AA)


def _shape(rng: np.random.Generator, canvas: NDArray[np.uint8], edge: float) -> None:
    height, width = canvas.shape[:2]
    x, y = (int(n) for n in rng.integers(0, (width, height)))
    size = max(2, round(edge * rng.uniform(0.1, 1.5)))
    kind = rng.integers(5)
    if kind == 0:
        cv2.circle(canvas, (x, y), size // 2 + 1, _colour(rng), cv2.FILLED, cv2.LINE_AA)
    elif kind == 1:
        box = ((float(x), float(y)), (size, size * rng.uniform(0.5, 2)), rng.uniform(0, 90))
        cv2.fillPoly(canvas, [np.rint(cv2.boxPoints(box)).astype(np.int32)], _colour(rng), cv2.LINE_AA)
    elif kind == 2:
        end = (int(x + rng.normal(0, 6 * edge)), int(y + rng.normal(0, 6 * edge)))
        cv2.line(canvas, (x, y), end, _colour(rng), max(1, size // 4), cv2.LINE_AA)
    elif kind == 3:
        words = "".join(rng.choice(list("AEOBR0869o.:%"), 4))
        cv2.putText(
            canvas, words, (x, y), int(rng.integers(0, 5)), size / 25, _colour(rng), max(1, size // 15), cv2.LINE_AA
        )
    else:
        axes = (size, max(1, round(size * rng.uniform(0.3, 1))))
        cv2.ellipse(canvas, (x, y), axes, rng.uniform(0, 180), 0, 360, _colour(rng), cv2.FILLED, cv2.LINE_AA)


def _colour(rng: np.random.Generator) -> tuple[float, float, float]:
    blue, green, red = rng.uniform(0, 255, 3)
    return float(blue), float(green), float(red)


def noise(rng: np.random.Generator, width: int, height: int, along: float, across: float) -> NDArray[np.float32]:
    """Return smooth noise of standard deviation 1, with grains of this many pixels."""
    small = rng.normal(0, 1, (max(2, round(height / across)), max(2, round(width / along)))).astype(np.float32)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return large / max(float(large.std()), 1e-6)
