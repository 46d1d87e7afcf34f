"""Draw a reading over its picture: each die outlined, its face beside it, doubts by dashed line and by words."""

import math

import cv2
import numpy as np

from dicereader.frame import Pixels
from dicereader.reading import DiceReading, ReadDie

SURE_LINE = (80, 220, 60)
DOUBTFUL_LINE = (0, 150, 255)
INK = (255, 255, 255)
PAPER = (24, 24, 24)
"""Blue, green, red."""


def draw(pixels: Pixels, reading: DiceReading) -> Pixels:
    """A copy of the picture with the reading drawn over it.

    A die that is sure has a solid outline; one with doubts, or in a picture that is not sure as a whole for a doubt of
    its own, a dashed one and its doubts in words. The last line at the foot says what the whole picture is.
    """
    out = pixels.copy()
    scale = max(0.4, min(out.shape[:2]) / 900)
    for die in reading.dice:
        corners = die.outline or _corners(die)
        doubtful = bool(die.doubts)
        thick = max(1, round(2 * scale))
        _polygon(out, corners, DOUBTFUL_LINE if doubtful else SURE_LINE, thick, dashed=doubtful)
        words = f"{die.face}?  {', '.join(die.doubts)}" if doubtful else str(die.face)
        _label(out, words, (die.box.x + die.box.w, die.box.y), scale)
    _label(out, _foot(reading), (0, out.shape[0]), scale)
    return out


def _foot(reading: DiceReading) -> str:
    faces = " ".join(map(str, reading.faces)) or "no dice"
    if reading.sure:
        return f"{faces}  -  sure"
    doubts = f": {', '.join(reading.doubts)}" if reading.doubts else ""
    return f"{faces}  -  not sure{doubts}"


def _corners(die: ReadDie) -> tuple[tuple[float, float], ...]:
    x, y, w, h = die.box.x, die.box.y, die.box.w, die.box.h
    return (x, y), (x + w, y), (x + w, y + h), (x, y + h)


def _polygon(
    out: Pixels, corners: tuple[tuple[float, float], ...], colour: tuple[int, int, int], thick: int, *, dashed: bool
) -> None:
    for n, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(n + 1) % len(corners)]
        # Parts of a side alternate between line and gap; a solid side is one part.
        parts = max(3, 2 * round(math.dist((x0, y0), (x1, y1)) / (8 * thick)) + 1) if dashed else 1
        for part in range(0, parts, 2):
            a, b = part / parts, (part + 1) / parts
            start = round(x0 + (x1 - x0) * a), round(y0 + (y1 - y0) * a)
            end = round(x0 + (x1 - x0) * b), round(y0 + (y1 - y0) * b)
            cv2.line(out, start, end, PAPER, thick + 2, cv2.LINE_AA)
            cv2.line(out, start, end, colour, thick, cv2.LINE_AA)


def _label(out: Pixels, words: str, at: tuple[int, int], scale: float) -> None:
    """Words on a dark ground, with the lower left corner at a point, moved into the picture where it would hang out."""
    thick = max(1, round(1.5 * scale))
    (width, height), below = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * scale, thick)
    pad = max(2, round(4 * scale))
    x = int(np.clip(at[0], 0, max(0, out.shape[1] - width - 2 * pad)))
    y = int(np.clip(at[1], height + below + 2 * pad, out.shape[0]))
    top = y - height - below - 2 * pad
    cv2.rectangle(out, (x, top), (x + width + 2 * pad, y), PAPER, cv2.FILLED)
    foot = x + pad, y - pad - below
    cv2.putText(out, words, foot, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * scale, INK, thick, cv2.LINE_AA)
