"""The pictures for measuring the reader: their true dice, and which of them are held out of all development.

Whole sets are held out (`HELD_OUT`), and half of every other set of at least `LARGE` pictures: those whose name has an
even hash. Developers do not look at held-out pictures, and nothing learns from them. Their totals were seen between
variants of the reader, so their figures may still be slightly too good.
"""

import hashlib
import json
from argparse import ArgumentTypeError
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from multiprocessing.pool import Pool as Processes
from pathlib import Path

import cv2

REPO = Path(__file__).parent.parent
OURS = REPO / "tests" / "pictures"
SHARED = REPO.parent / "shared" / "data"

HELD_OUT = (
    "rigs/12",
    "photos/MarceliJerzynski+DiceDetection",
    "photos/llkadenll+Eyes-dice-recognition",
    "photos/matteop65+Dice_Detection_Recognition",
)
LARGE = 60

LICENSED = (
    "photos/nell-byler+dice_detection",
    "photos/N3VERS4YDIE+dice-recognition.PXL",
    "photos/KamilPiechowiak+DiceDetection",
    "photos/skovy+tensorflow-dice-model",
)
"""Sets with places of dice whose licence allows training on them: BSD-3, CC BY 4.0, MIT, MIT (docs/vision.md).

The shipped networks have learnt from them.
"""

NEXT_LICENSED = (
    "photos/FaxanaduHacks+dice_recognizer",
    "photos/arguingbananas+dicereader",
    "photos/chaseelliottpatterson+dice-reader",
    "photos/mac785+ROS2-Dice-Roller",
    "photos/viljamip+kimble-die-detector",
    "photos/zeredbox+ESP32-S3_arduino_tflite_micro_arena_size_finder",
)
"""Sets from which the next training learns. The shipped networks have not learnt from them.

The sheets of tomitomi3 are not here: JonathanMurphy2's pictures, which nothing learns from, are of the same maker.
"""

MISLABELLED = {
    ("IMG_20191208_111246.jpg", 119, 206): 3,
    ("IMG_20191209_095555.jpg", 142, 247): 6,
    ("IMG_20191209_095954.jpg", 220, 320): 3,
    ("IMG_20191209_100722.jpg", 410, 414): 5,
    ("PXL_20240219_192240931_jpg.rf.1bcfeb9a357779a51f98c14ddad808b4.jpg", 427, 350): 4,
}
"""The true faces of dice with wrong labels, by picture, and by the left and the top of the die's box. A reader was sure
of another face than the label, and the picture shows that face. Held-out pictures are not looked at, so not here."""

STACKED_CM = 1.3
"""A level die's middle is 0.8 cm above the floor. From this height on a die lies on another."""


@dataclass(frozen=True)
class TrueDie:
    """One die with its pose.

    `box` is left, top, width, height in pixels, or None if only values were labelled; `kept` says whether the die is on
    the shelf, None if that is unknown.
    """

    face: int
    box: tuple[float, float, float, float] | None
    cocked: bool
    stacked: bool
    cut: bool
    kept: bool | None = None

    @property
    def odd(self) -> bool:
        """Return whether the right answer for this die is "not sure"."""
        return self.cocked or self.stacked or self.cut

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies in the die's box."""
        if self.box is None:
            return False
        left, top, width, height = self.box
        return left <= x <= left + width and top <= y <= top + height


@dataclass(frozen=True)
class Picture:
    """One picture and its true dice."""

    path: Path
    dice: tuple[TrueDie, ...]
    held_out: bool

    @property
    def odd(self) -> bool:
        """Return whether a die leans, lies on another or is cut."""
        return any(die.odd for die in self.dice)


@dataclass(frozen=True)
class PictureSet:
    """The pictures of one folder."""

    name: str
    pictures: tuple[Picture, ...]


def reading_pool() -> Processes:
    """Return a process for each core, in each of which OpenCV has one thread."""
    return Pool(initializer=cv2.setNumThreads, initargs=(1,))


def set_folder(text: str) -> Path:
    """Return a folder with pictures and their true dice, given as a command's argument."""
    folder = Path(text)
    if not (folder / "truth.jsonl").is_file():
        raise ArgumentTypeError(f"expected a folder with pictures and truth.jsonl, got {text!r}")
    return folder


def read_set(folder: Path) -> PictureSet:
    """Return the pictures of a folder with a `truth.jsonl`."""
    name = f"{folder.parent.name}/{folder.name}"
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]

    def held_out(image: str) -> bool:
        digest = hashlib.sha256(image.encode()).digest()
        return name in HELD_OUT or (len(rows) >= LARGE and digest[0] % 2 == 0)

    pictures = (
        Picture(folder / row["image"], tuple(_die(die, row["image"]) for die in row["dice"]), held_out(row["image"]))
        for row in rows
    )
    return PictureSet(name, tuple(pictures))


def all_sets() -> Iterator[PictureSet]:
    """Return our own sets, then the shared ones if they are beside the repository."""
    shared = [path for kind in ("trays", "rigs/*", "photos/*") for path in sorted(SHARED.glob(kind))]
    for folder in [*sorted(OURS.iterdir()), *shared]:
        # The shared trays are measured once, because our own trays are among them.
        if (folder / "truth.jsonl").exists() and not (folder == OURS / "trays" and shared):
            yield read_set(folder)


def _die(die: dict, image: str) -> TrueDie:
    box = die.get("box")
    stacked = die.get("z", 0.0) > STACKED_CM
    return TrueDie(
        MISLABELLED.get((image, *box[:2]), die["pips"]) if box else die["pips"],
        tuple(box) if box else None,
        bool(die.get("cocked")),
        stacked,
        bool(die.get("cut")),
        die.get("kept"),
    )
