"""How well single pictures are read: `python bench/read_bench.py [FOLDER...]`, folders with pictures and `truth.jsonl`.

Without folders: our own pictures and every set of the shared data beside the repository. Each figure is printed for
the development pictures and for those held out (`picture_sets`). Exact: every die of the picture right, none too many.
Pictures with a leaning, stacked or cut die are counted apart: there, right is "not sure". `--table FILE` writes the
figures by set as a page, too.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from figures import reliability, resident_mb, share, spread
from picture_sets import LEAST_PX, MOST_DICE, OURS, SHARED, Picture, all_sets, read_set, set_folder
from stage_times import stage_times

from dicereader.data.pictures import load
from dicereader.reader import MOST_PLACES, read_pixels
from dicereader.reading import DiceReading

TIMED_PX = (1280, 960)
"""Stages are timed on pictures brought to this width and height."""


@dataclass
class Tally:
    """What was read of some pictures; `missed` names those that were not read exactly."""

    pictures: int = 0
    exact: int = 0
    count_right: int = 0
    wrong_value_sure: int = 0
    sure: int = 0
    sure_and_wrong: int = 0
    label_wrong: int = 0
    odd: Counter = field(default_factory=Counter)
    odd_and_sure: Counter = field(default_factory=Counter)
    said: list[tuple[float, bool]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, picture: Picture, reading: DiceReading) -> None:
        """Book one picture."""
        self.said += confidences(picture, reading)
        if picture.odd:
            for kind in ("cocked", "stacked", "cut"):
                if any(getattr(die, kind) for die in picture.dice):
                    self.odd[kind] += 1
                    self.odd_and_sure[kind] += reading.sure
            return
        shown = Counter(die.face for die in picture.dice)
        said = Counter(reading.faces)
        self.pictures += 1
        self.exact += shown == said
        self.count_right += shown.total() == said.total()
        self.wrong_value_sure += reading.sure and shown != said and shown.total() == said.total()
        self.sure += reading.sure
        self.sure_and_wrong += reading.sure and shown != said
        self.label_wrong += reading.sure and bool(picture.shows) and said == Counter(picture.shows)
        if shown != said:
            sure = "SURE " if reading.sure else ""
            self.missed.append(f"{picture.path.name} {sure}{_text(shown)} read {_text(said)}")

    def join(self, other: "Tally") -> None:
        """Add another tally's pictures to these."""
        for name in ("pictures", "exact", "count_right", "wrong_value_sure", "sure", "sure_and_wrong", "label_wrong"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.odd += other.odd
        self.odd_and_sure.update(other.odd_and_sure)
        self.said += other.said
        self.missed += other.missed

    def lines(self) -> Iterable[tuple[str, str]]:
        """The figures, each with its n and its interval."""
        if self.pictures:
            yield "exact", share(self.exact, self.pictures)
            yield "count right", share(self.count_right, self.pictures)
            yield "sure", share(self.sure, self.pictures)
            yield "wrong while sure", share(self.sure_and_wrong, self.pictures)
            yield "of these, count right", share(self.wrong_value_sure, self.pictures)
            if self.label_wrong:
                yield "of these, label wrong", f"{self.label_wrong} of {self.sure_and_wrong}"
        for kind, n in sorted(self.odd.items()):
            yield f"{kind}, yet sure", share(self.odd_and_sure[kind], n)


def confidences(picture: Picture, reading: DiceReading) -> list[tuple[float, bool]]:
    """Each die's confidence and whether its face was right; nothing where the truth has no places.

    A die is the true one whose box holds its middle; one that lies on none is wrong. Leaning, stacked and cut dice are
    left out: their doubts are counted.
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


def measure(pictures: Iterable[Picture], most: int) -> Tally:
    """Read pictures whose truth is known."""
    tally = Tally()
    for picture in pictures:
        tally.add(picture, read_pixels(load(picture.path), most_places=most))
    return tally


def floor_ms(pixels: np.ndarray) -> float:
    """Milliseconds of the least that any reader does: grey, blur, threshold, connected components."""
    begin = time.perf_counter()
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    cv2.connectedComponents(cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1])
    return (time.perf_counter() - begin) * 1e3


def print_times(paths: list[Path]) -> None:
    """Each stage's milliseconds on one thread, and the whole as a multiple of the floor."""
    stages: dict[str, list[float]] = {}
    whole, ratio = [], []
    for path in paths:
        pixels = cv2.resize(load(path), TIMED_PX, interpolation=cv2.INTER_LINEAR)
        _, times = stage_times(lambda pixels=pixels: read_pixels(pixels))
        for stage, ms in times.items():
            stages.setdefault(stage, []).append(ms)
        reading = read_pixels(pixels)
        whole.append(reading.ms)
        ratio.append(reading.ms / min(floor_ms(pixels) for _ in range(3)))
    sys.stdout.write(f"time, one thread, {TIMED_PX[0]} x {TIMED_PX[1]}\n")
    for name, values in [*stages.items(), ("all, ms", whole), ("all, times the floor", ratio)]:
        sys.stdout.write(f"  {name:26}{spread(values, 1)}\n")


def print_memory(paths: list[Path], pictures: int) -> None:
    """Memory of this process over many pictures."""
    seen = []
    for n in range(pictures):
        read_pixels(load(paths[n % len(paths)]))
        seen.append(resident_mb())
    half = seen[len(seen) // 2 :]
    sys.stdout.write(f"memory over {pictures} pictures\n")
    sys.stdout.write(f"  most, MB                  {max(seen):.0f}\n")
    sys.stdout.write(f"  grown in the second half  {max(half) - half[0]:.1f} MB\n")


def print_tally(name: str, tally: Tally, missed: bool) -> None:
    """Print one set's figures."""
    sys.stdout.write(f"{name}\n")
    for label, value in tally.lines():
        sys.stdout.write(f"  {label:26}{value}\n")
    for each in tally.missed if missed else []:
        sys.stdout.write(f"  {each}\n")
    sys.stdout.flush()


TABLE = """# How well single pictures are read

Made by `python bench/read_bench.py --table docs/figures.md`. Each share has its n and its 95 % interval (Wilson).

- *Exact*: every die of the picture is right, and there is none too many.
- *Wrong while sure* is the worst fault of a reader. {wrong} of the cases below are labels that the picture plainly
  contradicts (`bench/picture_sets.py`, `MISLABELLED`).
- *Held-out* pictures were neither looked at nor trained on while the reader was developed. Afterwards some that were
  read wrongly and surely were looked at, to check their labels, and crops of what was taken for dice in
  MarceliJerzynski and matteop65. The totals were seen between variants, so the held-out ones may flatter a little too.
- *As promised* are the pictures of all sets that the reader is made for: {most} dice at most, none less
  than {least:.0f} pixels wide (`Picture.promised`).

[vision.md](vision.md#what-fails-and-why) says why pictures fail.

| set | pictures | exact | sure | wrong while sure |
| --- | --- | --- | --- | --- |
"""


def row(name: str, part: str, tally: Tally) -> str:
    """One set's figures as a row of the page's table."""
    figures = (tally.exact, tally.sure, tally.sure_and_wrong)
    shares = " | ".join(share(figure, tally.pictures) for figure in figures)
    return f"| {name} | {part} | {shares} |\n"


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="How well single pictures are read.")
    parser.add_argument("folders", nargs="*", type=set_folder)
    parser.add_argument("--part", choices=("all", "development", "held-out"), default="all")
    parser.add_argument("--missed", action="store_true", help="name development pictures that were not read exactly")
    parser.add_argument("--places", type=int, default=MOST_PLACES, help="places in doubt that are looked at again")
    parser.add_argument("--table", type=Path, help="write the figures by set to this page")
    parser.add_argument("--memory", type=int, default=200, help="over how many pictures memory is watched")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if not arguments.folders and not SHARED.exists():
        sys.stdout.write(f"skipped: photographs, rigs and most trays, for there is no {SHARED}\n")
    sets = [read_set(folder) for folder in arguments.folders] or list(all_sets())
    timed = [picture.path for picture in (sets[0] if arguments.folders else read_set(OURS / "trays")).pictures]
    print_times(timed[:20])
    print_memory(timed, arguments.memory)
    rows, wrong = [], 0
    for part, held_out in (("development", False), ("held-out", True)):
        if arguments.part not in ("all", part):
            continue
        whole, promised = Tally(), Tally()
        for each in sets:
            pictures = [picture for picture in each.pictures if picture.held_out is held_out]
            if pictures:
                within, beyond = ([p for p in pictures if p.promised is asked] for asked in (True, False))
                tally = measure(within, arguments.places)
                promised.join(tally)
                tally.join(measure(beyond, arguments.places))
                print_tally(f"{each.name} ({part})", tally, arguments.missed and not held_out)
                rows += [row(each.name, part, tally)] if tally.pictures else []
                whole.join(tally)
        print_tally(f"as promised ({part})", promised, missed=False)
        print_tally(f"all sets ({part})", whole, missed=False)
        sys.stdout.write(f"  confidence of dice ({part}): said, was right\n")
        for line in reliability(whole.said):
            sys.stdout.write(f"    {line}\n")
        rows += [row("as promised", part, promised), row("all sets", part, whole)]
        wrong += whole.label_wrong
    if arguments.table:
        head = TABLE.format(wrong=wrong, most=MOST_DICE, least=LEAST_PX)
        arguments.table.write_text(head + "".join(rows), encoding="utf-8")
    return 0


def _text(faces: Counter) -> str:
    return "".join(str(face) for face in sorted(faces.elements())) or "-"


if __name__ == "__main__":
    sys.exit(main())
