"""Makes the pictures of hardware.md: `.venv/bin/python docs/hardware/hardware_pictures.py`, after `make enclosure`.

OpenSCAD draws the enclosure's files; lit.jpg is the board as its LEDs would light it.
"""

import sys
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from pegboard.animation.animator import Animator
from pegboard.layouts import Layout, load_layout
from pegboard.ledframe import LedFrame, screen_colour
from pegboard.palette import mark
from pegboard.pegs import BoardView, LaneView
from pegboard.track import Hole

DOCS = Path(__file__).resolve().parents[1]
sys.path.append(str(DOCS.parent / "board" / "enclosure"))
from parts import WHOLES  # noqa: E402 - a script of that folder

ENCLOSURE = DOCS.parent / "out" / "enclosure"
OUT = DOCS / "pictures" / "hardware"
PEGS = ((33, 47), (58, 58), (71, 71))
SCALE = 2.3
WOOD = (52, 72, 104)


def on_the_wood(layout: Layout, frame: LedFrame) -> npt.NDArray[np.uint8]:
    """Return a picture of the board at one moment; lit LEDs glow."""
    wide, high = (round(side * SCALE) for side in layout.size_mm)
    wood = np.full((high, wide, 3), WOOD, np.uint8)
    glow = np.zeros((high, wide, 3), np.float32)
    for lamp in layout.lamps():
        place = round(lamp.x * SCALE), round(lamp.y * SCALE)
        cv2.circle(wood, place, 4, (30, 44, 66), -1)
        colour = screen_colour(frame[lamp.led])[::-1]  # OpenCV's order
        if any(colour):
            cv2.circle(glow, place, 11, tuple(part * 0.5 for part in colour), -1)
            cv2.circle(wood, place, 5, colour, -1)
    return np.clip(wood + cv2.GaussianBlur(glow, (0, 0), 7), 0, 255).astype(np.uint8)


def main() -> int:
    """Write the pictures; return 2 if the enclosure was not rendered."""
    for name in WHOLES:
        picture = cv2.imread(str(ENCLOSURE / f"{name}.png"))
        if picture is None:
            sys.stderr.write(f"farklecrib: expected {ENCLOSURE / name}.png; run make enclosure first\n")
            return 2
        cv2.imwrite(str(OUT / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    layout = load_layout("long-board-3")
    animator = Animator(layout)
    lanes = (LaneView(mark(side), Hole(back), Hole(front)) for side, (back, front) in enumerate(PEGS))
    animator.show(BoardView(tuple(lanes), turn=0), 0.0, None)
    cv2.imwrite(str(OUT / "lit.jpg"), on_the_wood(layout, animator.frame(0.4)), [cv2.IMWRITE_JPEG_QUALITY, 85])
    return 0


if __name__ == "__main__":
    sys.exit(main())
