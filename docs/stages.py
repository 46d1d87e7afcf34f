"""Makes the pictures of docs/vision.md: what each stage of the reader finds in one tray, and trays that are misread.

Run `.venv/bin/python docs/stages.py`. All pictures are our own renders, from `tests/pictures`, or drawn.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "bench" / "training"))

from scenes import scene
from traced_scenes import MissingScenesError, traced_scene

from dicereader import read
from dicereader.data.frame import Pixels
from dicereader.data.pictures import load
from dicereader.overlay import draw
from dicereader.stages.shared.classify import classify
from dicereader.stages.shared.crops import find_crops
from dicereader.stages.shared.detector import EDGES_PX, find_candidates
from dicereader.stages.shared.rectify import PictureView, rectify

OURS = Path(__file__).parent.parent / "tests" / "pictures"
TRAYS, ONE_LAMP = OURS / "trays", OURS / "one-lamp"
PICTURES = Path(__file__).parent / "pictures" / "eye"
FOLLOWED = "00104.jpg"
ACROSS, LOOK_PX = 12, (92, 72, 3)
"""The number of closer looks in a row, and the height, width and channels of each."""

FAILING = ("61000.jpg", "61003.jpg", "61016.jpg", "61012.jpg")
WIDTH = 760
QUALITY = 82
SCENES = range(300_000, 300_008)
CELL_PX = 360
TRACED, TRACED_PX, TRACED_ACROSS = range(24), (190, 142), 6
"""The traced scenes that are shown, the width and height of each, and how many there are in a row."""

YELLOW, WHITE = (60, 220, 255), (255, 255, 255)


def write(name: str, pixels: Pixels, folder: Path = PICTURES) -> None:
    """Write a picture of the docs."""
    by = WIDTH / pixels.shape[1]
    small = cv2.resize(pixels, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(folder / name), small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def follow(pixels: Pixels) -> None:
    """Write what each stage finds in one picture."""
    view = rectify(pixels)
    level = int(np.argmax([edge_at(view, n) < EDGES_PX[1] for n in range(len(view.levels))]))
    small = view.levels[level]
    write("level.jpg", cv2.resize(small, pixels.shape[1::-1], interpolation=cv2.INTER_NEAREST))

    places = find_candidates(view)
    squares = pixels.copy()
    for corners, likely in zip(view.in_picture(places.corners), places.probability, strict=True):
        cv2.polylines(squares, [np.rint(corners).astype(np.int32)], True, YELLOW, 1 + round(2 * likely), cv2.LINE_AA)
    write("places.jpg", squares)

    seen = classify(view, places)
    crops = find_crops(view, seen.candidates)
    order = np.argsort(-seen.probability, kind="stable")[: 2 * ACROSS]
    parts = order[:ACROSS], order[ACROSS:]
    write("crops.jpg", np.vstack([_row(crops[some], seen.classes[some]) for some in parts]))

    write("reading.jpg", draw(pixels, read(pixels)))


def edge_at(view: PictureView, level: int) -> float:
    """Return a die's edge in the pixels of a level: the median of the likely candidates."""
    places = find_candidates(view)
    return float(np.median(2 * places.half[places.probability > 0.5])) / 2.0**level


def _row(crops: np.ndarray, said: np.ndarray) -> Pixels:
    """Return the crops in a row, each with the network's answer below."""
    cells: list[np.ndarray] = []
    for crop, opinion in zip(crops, said, strict=True):
        cell = np.full(LOOK_PX, 20, np.uint8)
        colour = np.clip((crop.transpose(1, 2, 0) + 2) * 64, 0, 255).astype(np.uint8)
        cell[4:68, 4:68] = cv2.resize(colour, (64, 64), interpolation=cv2.INTER_NEAREST)
        best = int(opinion.argmax())
        text = f"{best or 'none'} {opinion[best]:.2f}"
        cv2.putText(cell, text, (3, 84), cv2.FONT_HERSHEY_SIMPLEX, 0.36, WHITE, 1, cv2.LINE_AA)
        cells.append(cell)
    blank = np.full(LOOK_PX, 20, np.uint8)
    return np.hstack(cells + [blank] * (ACROSS - len(cells)))


def failures() -> None:
    """Write trays that are misread, with what the reader read."""
    cells = []
    for name in FAILING:
        pixels = load(ONE_LAMP / name)
        cells.append(draw(pixels, read(pixels)))
    write("failures.jpg", np.vstack([np.hstack(cells[:2]), np.hstack(cells[2:])]))


def drawn() -> None:
    """Write some of the scenes that the networks learn from."""
    cells = []
    for seed in SCENES:
        pixels, _ = scene(seed)
        by = CELL_PX / min(pixels.shape[:2])
        whole = cv2.resize(pixels, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
        top, left = ((n - CELL_PX) // 2 for n in whole.shape[:2])
        cells.append(whole[top : top + CELL_PX, left : left + CELL_PX])
    write("scenes.jpg", np.vstack([np.hstack(cells[:4]), np.hstack(cells[4:])]))


def traced() -> None:
    """Write the first of the scenes that Blender traced, if they are made."""
    cells = []
    for seed in TRACED:
        pixels, _ = traced_scene(seed)
        by = max(want / has for want, has in zip(TRACED_PX, pixels.shape[1::-1], strict=True))
        whole = cv2.resize(pixels, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
        left, top = ((has - want) // 2 for want, has in zip(TRACED_PX, whole.shape[1::-1], strict=True))
        cells.append(whole[top : top + TRACED_PX[1], left : left + TRACED_PX[0]])
    rows = [np.hstack(cells[n : n + TRACED_ACROSS]) for n in range(0, len(cells), TRACED_ACROSS)]
    cv2.imwrite(str(PICTURES / "traced.jpg"), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def main() -> None:
    """Write all pictures."""
    cv2.setNumThreads(1)
    drawn()
    try:
        traced()
    except MissingScenesError as error:
        sys.stderr.write(f"traced.jpg stays as it is: {error}\n")
    follow(load(TRAYS / FOLLOWED))
    failures()


if __name__ == "__main__":
    main()
