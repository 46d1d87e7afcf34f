"""Draw a reading over its picture: outlined dice with their faces; doubts as dashed lines and in words."""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from dicereader.data.frame import Pixels
from dicereader.reading import Box, DiceReading

SURE_LINE = (80, 220, 60)
DOUBTFUL_LINE = (0, 150, 255)
INK = (255, 255, 255)
PAPER = (24, 24, 24)
"""Colours, as blue, green, red."""

OF_DIE = 0.05
"""Width of a line as a fraction of the die's, at most: a wider one would hide the die."""

FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw(pixels: Pixels, reading: DiceReading) -> Pixels:
    """Return a copy of the picture with the reading drawn over it.

    A die without doubts has a solid outline, one with doubts a dashed outline and its doubts in words. The last line at
    the foot is about the whole picture.
    """
    out = pixels.copy()
    scale = max(0.4, min(out.shape[:2]) / 900)
    labels = [(_foot(reading), Box(0, out.shape[0], 0, 0))]
    for die in reading.dice:
        box = die.box
        right, bottom = box.x + box.w, box.y + box.h
        corners = die.outline or ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom))
        _outline(out, corners, max(1, round(min(2 * scale, OF_DIE * box.w))), doubtful=bool(die.doubts))
        labels.append((f"{die.face}?  {', '.join(die.doubts)}" if die.doubts else str(die.face), box))
    full = [die.box for die in reading.dice]
    placed = []
    for words, beside in labels:
        ground, baseline = _placed(words, beside, scale, out, full)
        full.append(ground)
        placed.append((words, ground, baseline))
    for words, ground, baseline in placed:
        cv2.rectangle(out, (ground.x, ground.y), (ground.x + ground.w, ground.y + ground.h), PAPER, cv2.FILLED)
        cv2.putText(out, words, baseline, FONT, 0.8 * scale, INK, _pen(scale), cv2.LINE_AA)
    return out


def _foot(reading: DiceReading) -> str:
    faces = " ".join(map(str, reading.faces)) or "no dice"
    if reading.sure:
        return f"{faces}  -  sure"
    doubts = f": {', '.join(reading.doubts)}" if reading.doubts else ""
    return f"{faces}  -  not sure{doubts}"


def _outline(out: Pixels, corners: Sequence[tuple[float, float]], thick: int, *, doubtful: bool) -> None:
    """Draw a die's outline, dashed if it is doubtful."""
    for n, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(n + 1) % len(corners)]
        # The parts of a dashed side alternate between line and gap; a solid side is one part.
        parts = max(3, 2 * round(math.dist((x0, y0), (x1, y1)) / (8 * thick)) + 1) if doubtful else 1
        for part in range(0, parts, 2):
            a, b = part / parts, (part + 1) / parts
            start = round(x0 + (x1 - x0) * a), round(y0 + (y1 - y0) * a)
            end = round(x0 + (x1 - x0) * b), round(y0 + (y1 - y0) * b)
            cv2.line(out, start, end, PAPER, thick + 2, cv2.LINE_AA)
            cv2.line(out, start, end, DOUBTFUL_LINE if doubtful else SURE_LINE, thick, cv2.LINE_AA)


def _placed(words: str, of: Box, scale: float, out: Pixels, full: Sequence[Box]) -> tuple[Box, tuple[int, int]]:
    """Return the ground of words beside a box, and the left end of their baseline.

    They are inside the picture, at the corner where they hide least of `full`.
    """
    (width, height), below = cv2.getTextSize(words, FONT, 0.8 * scale, _pen(scale))
    pad = max(2, round(4 * scale))
    w, h = width + 2 * pad, height + below + 2 * pad
    corners = [(x, y) for x in (of.x + of.w, of.x - w) for y in (of.y - h, of.y + of.h - h // 2, of.y + of.h)]
    corners += [(of.x + (of.w - w) // 2, of.y - h), (of.x + (of.w - w) // 2, of.y + of.h)]
    grounds = [
        Box(int(np.clip(x, 0, max(0, out.shape[1] - w))), int(np.clip(y, 0, max(0, out.shape[0] - h))), w, h)
        for x, y in corners
    ]
    ground = min(grounds, key=lambda ground: sum(_shared(ground, other) for other in full))
    return ground, (ground.x + pad, ground.y + h - pad - below)


def _shared(a: Box, b: Box) -> int:
    """Return the number of pixels that two boxes have in common."""
    across = min(a.x + a.w, b.x + b.w) - max(a.x, b.x)
    along = min(a.y + a.h, b.y + b.h) - max(a.y, b.y)
    return max(0, across) * max(0, along)


def _pen(scale: float) -> int:
    return max(1, round(1.5 * scale))
