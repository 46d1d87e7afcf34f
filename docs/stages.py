"""Makes the pictures of docs/vision.md: what each stage of the reader sees of one tray, and some that are not read.

Run `.venv/bin/python docs/stages.py`. All pictures are our own renders, from `tests/pictures`.
"""

from pathlib import Path

import cv2
import numpy as np

from dicereader.frame import Pixels
from dicereader.overlay import draw
from dicereader.pictures import load
from dicereader.reader import read_pixels
from dicereader.stages.candidates import find_candidates
from dicereader.stages.crops import find_crops
from dicereader.stages.judge import outline
from dicereader.stages.network import opinions
from dicereader.stages.pips import find_pips
from dicereader.stages.poses import find_poses
from dicereader.stages.rectify import rectify
from dicereader.stages.segment import HALF

TRAYS = Path(__file__).parent.parent / "tests" / "pictures" / "trays"
PICTURES = Path(__file__).parent / "pictures" / "eye"
FOLLOWED = "00104.jpg"
FAILING = ("00111.jpg", "00114.jpg", "00128.jpg", "00132.jpg")
WIDTH = 760
QUALITY = 82
YELLOW, WHITE = (60, 220, 255), (255, 255, 255)


def write(name: str, pixels: Pixels) -> None:
    """Write a picture of the docs."""
    by = WIDTH / pixels.shape[1]
    small = cv2.resize(pixels, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(PICTURES / name), small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def follow(pixels: Pixels) -> None:
    """Write what each stage finds in one picture."""
    view = rectify(pixels)
    pips = find_pips(view)
    spots = pixels.copy()
    for x, y, r in zip(pips.x, pips.y, pips.r, strict=True):
        cv2.circle(spots, (round(x), round(y)), round(1.3 * r), YELLOW, 1, cv2.LINE_AA)
    write("pips.jpg", spots)

    places = find_candidates(view, pips, find_poses(view, pips))
    squares = pixels.copy()
    for corners in outline(places, places.pitch * HALF):
        cv2.polylines(squares, [np.rint(corners).astype(np.int32)], True, YELLOW, 1, cv2.LINE_AA)
    write("candidates.jpg", squares)

    crops = find_crops(view, places)
    told = opinions(crops)
    said = told.said
    best = np.argsort(-told.likely)[:12]
    rest = np.argsort(told.likely)[:12]
    write("crops.jpg", np.vstack([_row(crops[n], said[n]) for n in (best, rest)]))

    write("reading.jpg", draw(pixels, read_pixels(pixels)))


def _row(crops: np.ndarray, said: np.ndarray) -> Pixels:
    """Crops beside each other, under each what the network says of it."""
    cells = []
    for crop, opinion in zip(crops, said, strict=True):
        cell = np.full((92, 72, 3), 20, np.uint8)
        grey = np.clip((crop[0] + 1.8) * 75, 0, 255).astype(np.uint8)
        cell[4:68, 4:68] = cv2.resize(grey, (64, 64), interpolation=cv2.INTER_NEAREST)[..., None]
        best = int(opinion.argmax())
        words = str(best) if best else "none"
        cv2.putText(
            cell, f"{words} {opinion[best]:.2f}", (3, 84), cv2.FONT_HERSHEY_SIMPLEX, 0.36, WHITE, 1, cv2.LINE_AA
        )
        cells.append(cell)
    return np.hstack(cells)


def failures() -> None:
    """Write trays that are not read right, with what is read of them."""
    cells = []
    for name in FAILING:
        pixels = load(TRAYS / name)
        cells.append(draw(pixels, read_pixels(pixels)))
    write("failures.jpg", np.vstack([np.hstack(cells[:2]), np.hstack(cells[2:])]))


def main() -> None:
    """Write all of them."""
    cv2.setNumThreads(1)
    follow(load(TRAYS / FOLLOWED))
    failures()


if __name__ == "__main__":
    main()
