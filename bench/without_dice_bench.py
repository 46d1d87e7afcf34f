"""What is read where there are no dice: `python bench/without_dice_bench.py FOLDER...`, folders of any photographs.

Every picture of the folders and theirs is read, reduced to 1280 pixels; one that is there in several
sizes is read once. Photographs for backgrounds are a good measure (Debian's packages `mate-backgrounds`,
`plasma-workspace-wallpapers`, `lomiri-wallpapers-20.04` have some), and things alone are another
(`tuxpaint-stamps-default`). Drawings and patterns of squares are hard; dice in them would be counted as mistakes.
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
    """A folder, as the command's argument."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"expected a folder of pictures, got {text!r}")
    return Path(text)


def opened(path: Path) -> Pixels | None:
    """A picture whose longer side has `SIDE_PX` at most; None where it cannot be opened."""
    try:
        pixels = load(path)
    except DiceReaderError:
        return None
    scale = SIDE_PX / max(pixels.shape)
    if scale < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return pixels


def pictures_in(folders: list[Path]) -> list[Path]:
    """The pictures in folders and their subfolders that can be opened; of several that show the same, the first."""
    paths = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix.lower() in ENDINGS)
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        thumbnails = pool.map(_thumbnail, paths, 4)
    found: dict[Path, NDArray[np.float64]] = {}
    for path, thumbnail in zip(paths, thumbnails, strict=True):
        if thumbnail is not None and all(thumbnail @ other < SAME for other in found.values()):
            found[path] = thumbnail
    return list(found)


def _thumbnail(path: Path) -> NDArray[np.float64] | None:
    """A thumbnail of a picture's middle square, as a vector of length 1; None where the picture cannot be opened."""
    pixels = opened(path)
    if pixels is None:
        return None
    (height, width), side = pixels.shape[:2], min(pixels.shape[:2])
    square = pixels[(height - side) // 2 :, (width - side) // 2 :][:side, :side]
    small = cv2.resize(square, (12, 12), interpolation=cv2.INTER_AREA).astype(np.float64).ravel()
    small -= small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-9), np.float64)


def read(path: Path) -> DiceReading | None:
    """What is read of a picture; see `opened`."""
    pixels = opened(path)
    return None if pixels is None else read_pixels(pixels)


def main() -> int:
    """Read, and print."""
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
