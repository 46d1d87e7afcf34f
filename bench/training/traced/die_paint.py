"""Paint the faces of a die: where its pips, accents and logo are, as one picture of all six faces."""

import cv2
import numpy as np
from numpy.typing import NDArray

from traced.dice import DieLook
from traced.die_shape import ATLAS

CELL = 160
"""Pixels of a face's side."""

FINER = 2
"""The picture is drawn this much larger, and then reduced."""


def paint(look: DieLook, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the paint of all faces, (rows, columns, 2) from 0 to 1: that of the pips, and that of the accents.

    The first row is the lowest one, as in Blender and as `across` points.
    """
    atlas = np.zeros((2 * CELL, 3 * CELL, 2), np.float32)
    for face, (column, row) in ATLAS.items():
        cell = cv2.resize(_face(look, face), (CELL, CELL), interpolation=cv2.INTER_AREA)
        if look.worn:
            cell *= _left(look.worn, rng)
        layer = int(face in look.accented or (look.logo is not None and look.logo[0] == face))
        atlas[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL, layer] = cell
    return atlas


def _left(worn: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the share of the paint that is left on a face."""
    coarse = cv2.resize(rng.random((7, 7)).astype(np.float32), (CELL, CELL), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(rng.random((40, 40)).astype(np.float32), (CELL, CELL), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip((0.7 * coarse + 0.3 * fine - worn + 0.25) * 5, 0, 1), np.float32)


def _face(look: DieLook, face: int) -> NDArray[np.float32]:
    side = CELL * FINER
    canvas = np.zeros((side, side), np.uint8)
    if look.numerals:
        _text(canvas, str(face), 0.5)
        if face == 6:
            cv2.line(canvas, (side * 2 // 5, side // 4), (side * 3 // 5, side // 4), 255, side // 30)
        return canvas.astype(np.float32) / 255
    if look.logo and look.logo[0] == face:
        _logo(canvas, look.logo[1])
        return canvas.astype(np.float32) / 255
    r = look.radius(face) * side
    for x, y in look.places(face):
        _mark(canvas, look.mark if face != 1 or look.one_r < 0.2 else "dot", ((x + 0.5) * side, (y + 0.5) * side), r)
    return canvas.astype(np.float32) / 255


def _mark(canvas: NDArray[np.uint8], mark: str, at: tuple[float, float], r: float) -> None:
    """Draw one pip."""
    spot = round(at[0] * 16), round(at[1] * 16)
    if mark == "square":
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 0.85 * r + at
        cv2.fillPoly(canvas, [np.rint(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    elif mark == "star":
        cv2.fillPoly(canvas, [np.rint((_star(5, 0.45) * 1.15 * r + at) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    elif mark == "heart":
        angle = np.linspace(0, 2 * np.pi, 40)
        x = 16 * np.sin(angle) ** 3
        y = 13 * np.cos(angle) - 5 * np.cos(2 * angle) - 2 * np.cos(3 * angle) - np.cos(4 * angle)
        points = np.stack([x, y], 1) / 15 * r + at
        cv2.fillPoly(canvas, [np.rint(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    else:
        cv2.circle(canvas, spot, round(r * 16), 255, cv2.FILLED, cv2.LINE_AA, 4)
        if mark == "ring":
            cv2.circle(canvas, spot, round(0.5 * r * 16), 0, cv2.FILLED, cv2.LINE_AA, 4)


def _star(points: int, inner: float) -> NDArray[np.float64]:
    angle = np.arange(2 * points) * np.pi / points + np.pi / 2
    radius = np.where(np.arange(2 * points) % 2, inner, 1.0)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)


def _logo(canvas: NDArray[np.uint8], logo: str) -> None:
    side = len(canvas)
    middle = np.array([side / 2, side / 2])
    if logo == "star":
        points = _star(6, 0.5) * 0.32 * side + middle
        cv2.fillPoly(canvas, [np.rint(points).astype(np.int32)], 255, cv2.LINE_AA)
    elif logo == "crown":
        crown = np.array([(-3, -2), (3, -2), (3, 2), (1.5, 0), (0, 3), (-1.5, 0), (-3, 2)]) * 0.09 * side + middle
        cv2.fillPoly(canvas, [np.rint(crown).astype(np.int32)], 255, cv2.LINE_AA)
    elif logo == "letter":
        _text(canvas, "R", 0.55)
    else:
        for r in (0.33, 0.2):
            cv2.circle(canvas, (side // 2, side // 2), round(r * side), 255, side // 20, cv2.LINE_AA)


def _text(canvas: NDArray[np.uint8], text: str, high: float) -> None:
    """Write a text across the middle, `high` times as high as the picture."""
    side = len(canvas)
    font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, side // 18)
    (_, one), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = high * side / one
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    upside = np.zeros_like(canvas)
    cv2.putText(upside, text, ((side - width) // 2, (side + height) // 2), font, scale, 255, thick, cv2.LINE_AA)
    np.copyto(canvas, upside[::-1])
