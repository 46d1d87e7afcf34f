"""Measure the reading of calibrated tables: `python bench/rig_bench.py [RIG...]`, folders with `truth.jsonl`.

Each rig is one tray with one camera and one set of dice; its first picture is the empty tray. It is calibrated from
that picture and its first throws (`--throws`), as `farklecrib calibrate` does, and all its other pictures are read.
`--throws 0` reads all of them without a calibration, and so without zones.
Without folders: the rigs of the shared data beside the repository. Level pictures: no die leans, lies on another or is
cut. `aslant_rigs.py` draws rigs that a camera sees aslant. `--before CHECKOUT` measures the reader of another checkout
first, on the same pictures.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2
from figures import reliability, share, spread
from picture_sets import REPO, SHARED, Picture, read_set, set_folder

from dicereader import read
from dicereader.data.frame import Pixels
from dicereader.data.pictures import load
from dicereader.errors import CalibrationError
from dicereader.learn import learn
from dicereader.reading import DiceReading, Doubt, Zone
from dicereader.tray.calibration import Calibration
from dicereader.tray.pose import posed_by_tags
from dicereader.tray.tags import common_tags

ODD = (Doubt.COCKED, Doubt.STACKED)


@dataclass
class RigTally:
    """The readings of some rigs, counted."""

    level: int = 0
    exact: int = 0
    zones: int = 0
    zoned: int = 0
    sure: int = 0
    pictures: int = 0
    wrong_and_sure: int = 0
    odd: int = 0
    odd_found: int = 0
    odd_and_sure: int = 0
    level_dice: int = 0
    false_alarms: int = 0
    said: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, picture: Picture, reading: DiceReading) -> None:
        """Count one picture."""
        self.pictures += 1
        shown, said = Counter(die.face for die in picture.dice), Counter(reading.faces)
        self.said += confidences(picture, reading)
        wrong = shown != said
        zoned = Counter((die.face, die.kept) for die in picture.dice) == Counter(
            (die.face, die.zone is Zone.SHELF) for die in reading.dice
        )
        misplaced = not zoned and all(die.kept is not None for die in picture.dice) and _has_zones(reading)
        if picture.odd:
            self.odd += 1
            self.odd_found += _says_odd(reading)
            self.odd_and_sure += reading.sure
        else:
            self.level += 1
            self.exact += not wrong
            self.zones += zoned
            self.zoned += _has_zones(reading)
            self.sure += reading.sure
            self.level_dice += len(reading.dice)
            self.false_alarms += sum(any(doubt in ODD for doubt in die.doubts) for die in reading.dice)
        self.wrong_and_sure += reading.sure and (wrong or misplaced or picture.odd)

    def join(self, other: "RigTally") -> None:
        """Add another tally's pictures to these."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def print(self, title: str) -> None:
        """Print the figures, each with its n and its interval."""
        lines = [
            ("level: exact", share(self.exact, self.level)),
            ("level: exact with zones", share(self.zones, self.level)),
            ("level: sure", share(self.sure, self.level)),
            ("wrong or odd, yet sure", share(self.wrong_and_sure, self.pictures)),
            ("cocked, stacked: found", share(self.odd_found, self.odd)),
            ("cocked, stacked: sure", share(self.odd_and_sure, self.odd)),
            ("false alarms, level dice", share(self.false_alarms, self.level_dice)),
        ]
        sys.stdout.write(f"{title}\n")
        if not self.zoned:
            lines = [line for line in lines if "zones" not in line[0]]
        for label, value in lines:
            sys.stdout.write(f"  {label:26}{value}\n")
        sys.stdout.flush()


def confidences(picture: Picture, reading: DiceReading) -> list[tuple[float, bool]]:
    """Return each die's confidence and whether its face was right, or nothing if the truth has no places.

    A read die matches the true die whose box holds its middle. Without a match it is wrong. Leaning, stacked and cut
    dice are left out, because their doubts are counted.
    """
    if any(die.box is None for die in picture.dice):
        return []
    told = []
    for die in reading.dice:
        under = [true for true in picture.dice if true.holds(*die.box.centre)]
        if any(true.odd for true in under):
            continue
        right = any(true.face == die.face for true in under)
        told.append((die.confidence, right))
    return told


def _has_zones(reading: DiceReading) -> bool:
    """Return whether the tray was known, so that each die has its zone."""
    return len(reading.dice) > 0 and all(die.zone is not None for die in reading.dice)


def _says_odd(reading: DiceReading) -> bool:
    """Return whether a reading says that a die leans, lies on another, or was not read."""
    return Doubt.COUNT in reading.doubts or any(doubt in ODD for die in reading.dice for doubt in die.doubts)


def calibrated(folder: Path, throws: int) -> tuple[Calibration | None, Pixels | None, list[Picture]]:
    """Return a rig's calibration, its empty tray, and the pictures that were not used for it.

    Without throws there is no calibration, and no empty tray either.
    """
    pictures = list(read_set(folder).pictures)
    if not throws:
        return None, None, pictures[1:]
    empty = load(pictures[0].path)
    first = [load(picture.path) for picture in pictures[1 : 1 + throws]]
    known = learn(empty, first, posed_by_tags(empty.shape, common_tags([empty, *first])))
    return known, empty, pictures[1 + throws :]


def checkout(text: str) -> Path:
    """Return a checkout of the repository, given as the command's argument."""
    folder = Path(text).resolve()
    if not (folder / "vision" / "dicereader").is_dir():
        raise argparse.ArgumentTypeError(f"expected a checkout of the repository, got {text!r}")
    return folder


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How well a calibrated table is read.")
    parser.add_argument("rigs", nargs="*", type=set_folder)
    parser.add_argument("--before", type=checkout, help="another checkout, whose reader is measured first")
    parser.add_argument("--throws", type=int, default=6, help="from how many throws each rig is calibrated")
    arguments = parser.parse_args()
    if arguments.before:
        paths = os.pathsep.join(str(arguments.before / root) for root in ("vision", "firmware", "board"))
        again = [sys.executable, __file__, "--throws", str(arguments.throws), *map(str, arguments.rigs)]
        sys.stdout.write("before\n")
        sys.stdout.flush()
        subprocess.run(again, env=os.environ | {"PYTHONPATH": paths}, check=True)
        sys.stdout.write("after\n")
    cv2.setNumThreads(1)
    folders = arguments.rigs or sorted((SHARED / "rigs").glob("*"))
    if not folders:
        sys.stdout.write(f"skipped: rigs, for there is no {SHARED.relative_to(REPO.parent)} beside the repository\n")
    whole, took, processor = RigTally(), [], []
    for folder in folders:
        try:
            known, empty, pictures = calibrated(folder, arguments.throws)
        except CalibrationError as error:
            sys.stdout.write(f"{folder.name}: not calibrated: {error}\n")
            continue
        tally = RigTally()
        for picture in pictures:
            pixels = load(picture.path)
            busy = time.process_time()
            reading = read(pixels, calibration=known, empty=empty)
            processor.append((time.process_time() - busy) * 1e3)
            took.append(reading.ms)
            tally.add(picture, reading)
        tally.print(f"rig {folder.name}")
        whole.join(tally)
    whole.print("all rigs")
    sys.stdout.write("  confidence of level dice: said, was right\n")
    for line in reliability(whole.said):
        sys.stdout.write(f"    {line}\n")
    sys.stdout.write("time, one thread\n")
    for name, values in (("a reading, ms", took), ("processor, ms", processor)):
        sys.stdout.write(f"  {name:26}{spread(values, 1)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
