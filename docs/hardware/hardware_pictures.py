"""Makes the pictures of hardware.md: `.venv/bin/python docs/hardware/hardware_pictures.py`, after `make enclosure`.

OpenSCAD draws the enclosure's files; lit.jpg is the board as its LEDs would light it.
"""

import sys
from pathlib import Path

import cv2

DOCS = Path(__file__).resolve().parents[1]
sys.path.append(str(DOCS))
sys.path.append(str(DOCS.parent / "board" / "enclosure"))
import animations  # noqa: E402 - scripts beside this one and of that folder
from parts import WHOLES  # noqa: E402

from pegboard.animation import Animator  # noqa: E402
from pegboard.layouts import load_layout  # noqa: E402

ENCLOSURE = DOCS.parent / "out" / "enclosure"
OUT = DOCS / "pictures" / "hardware"


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
    animator.show(animations.sides((33, 47), (58, 58), (71, 71)), 0.0, None)
    lit = animations.on_the_wood(layout, animator.frame(0.4))
    cv2.imwrite(str(OUT / "lit.jpg"), lit, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return 0


if __name__ == "__main__":
    sys.exit(main())
