"""Measure readings of photographs without dice: `python bench/without_dice_bench.py FOLDER...`.

Every picture of the folders and their subfolders is read, reduced to 1280 pixels. A picture in several sizes is read
once. Background photographs are a good measure (Debian's packages `mate-backgrounds`, `plasma-workspace-wallpapers`,
`lomiri-wallpapers-20.04` have some), and single objects are another (`tuxpaint-stamps-default`). Drawings and patterns
of squares are hard. Real dice in the pictures would be counted as mistakes.
"""

import argparse
import sys
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np
from figures import share
from numpy.typing import NDArray

from dicereader.data.frame import Pixels
from dicereader.data.pictures import load
from dicereader.errors import DiceReaderError
from dicereader.reader import read_pixels
from dicereader.reading import DiceReading

SIDE_PX = 1280
ENDINGS = {".jpg", ".jpeg", ".png"}

SAME = 0.95
"""Two pictures show the same if their thumbnails correlate by at least this much."""


def folder_of_pictures(text: str) -> Path:
    """Return a folder, given as the command's argument."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"expected a folder of pictures, got {text!r}")
    return Path(text)


def opened(path: Path) -> Pixels | None:
    """Return a picture whose longer side has at most `SIDE_PX`, or None if it cannot be opened."""
    try:
        pixels = load(path)
    except DiceReaderError:
        return None
    scale = SIDE_PX / max(pixels.shape)
    if scale < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return pixels


def pictures_in(folders: list[Path]) -> list[Path]:
    """Return the readable pictures in folders and their subfolders, without repetitions of the same content."""
    paths = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix.lower() in ENDINGS)
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        thumbnails = pool.map(_thumbnail, paths, 4)
    found: dict[Path, NDArray[np.float64]] = {}
    for path, thumbnail in zip(paths, thumbnails, strict=True):
        if thumbnail is not None and all(thumbnail @ other < SAME for other in found.values()):
            found[path] = thumbnail
    return list(found)


def _thumbnail(path: Path) -> NDArray[np.float64] | None:
    """Return a thumbnail of a picture's middle square as a unit vector, or None if the picture cannot be opened."""
    pixels = opened(path)
    if pixels is None:
        return None
    (height, width), side = pixels.shape[:2], min(pixels.shape[:2])
    square = pixels[(height - side) // 2 :, (width - side) // 2 :][:side, :side]
    small = cv2.resize(square, (12, 12), interpolation=cv2.INTER_AREA).astype(np.float64).ravel()
    small -= small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-9), np.float64)


def read(path: Path) -> DiceReading | None:
    """Return the reading of a picture; see `opened`."""
    pixels = opened(path)
    return None if pixels is None else read_pixels(pixels)


def main() -> int:
    """Read and print."""
    parser = argparse.ArgumentParser(description="What is read where there are no dice.")
    parser.add_argument("folders", nargs="*", type=folder_of_pictures)
    parser.add_argument("--missed", action="store_true", help="name the pictures in which dice were read")
    arguments = parser.parse_args()
    if not arguments.folders:
        sys.stdout.write("skipped: photographs without dice, for no folder of them was named\n")
        return 0
    paths = pictures_in(arguments.folders)
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        told = [(path, reading) for path, reading in zip(paths, pool.imap(read, paths, 4), strict=True) if reading]
    if not told:
        parser.error("expected JPEG or PNG pictures in the folders, got none")
    n = len(told)
    taken = [(path, reading) for path, reading in told if reading.dice]
    sys.stdout.write(f"photographs without dice\n  dice read                 {share(len(taken), n)}\n")
    sys.stdout.write(f"  and sure of them          {share(sum(reading.sure for _, reading in taken), n)}\n")
    nothing = sum(reading.sure and not reading.dice for _, reading in told)
    sys.stdout.write(f"  sure that there are none  {share(nothing, n)}\n")
    for path, reading in taken if arguments.missed else []:
        faces = "".join(str(face) for face in sorted(reading.faces))
        sys.stdout.write(f"  {path.name} read {faces}{' SURE' if reading.sure else ''}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
