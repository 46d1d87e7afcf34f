"""How well single pictures are read: `python bench/read_bench.py [FOLDER...]`, folders with pictures and `truth.jsonl`.

Without folders: our own trays in `tests/pictures`, and every set of the shared data beside the repository. Exact:
every die of the picture right, none too many. Pictures with a leaning or cut die are counted apart: there, right is
"not sure".
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
from figures import share, spread

from dicereader import read
from dicereader.reading import DiceReading

REPO = Path(__file__).parent.parent
SHARED = REPO.parent / "shared" / "data"


@dataclass
class Tally:
    """What was read of one set of pictures."""

    pictures: int = 0
    exact: int = 0
    wrong_value: int = 0
    sure: int = 0
    sure_and_wrong: int = 0
    odd: int = 0
    odd_and_sure: int = 0
    ms: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def judge(tally: Tally, name: str, truth: list[dict], reading: DiceReading) -> None:
    """Book one picture."""
    tally.ms.append(reading.ms)
    if any(die.get("cocked") or die.get("cut") for die in truth):
        tally.odd += 1
        tally.odd_and_sure += reading.sure
        return
    shown = Counter(die["pips"] for die in truth)
    said = Counter(die.face for die in reading.dice)
    tally.pictures += 1
    tally.exact += shown == said
    tally.wrong_value += shown != said and shown.total() == said.total()
    tally.sure += reading.sure
    tally.sure_and_wrong += reading.sure and shown != said
    if shown != said:
        tally.missed.append(f"{name} {'SURE ' if reading.sure else ''}{_text(shown)} read {_text(said)}")


def measure(folder: Path) -> Tally:
    """Read every picture of a folder whose truth is known."""
    tally = Tally()
    for line in (folder / "truth.jsonl").read_text().splitlines():
        row = json.loads(line)
        judge(tally, row["image"], row["dice"], read(folder / row["image"]))
    return tally


def folders() -> Iterator[Path]:
    """Our own pictures, then the shared ones where they are."""
    yield REPO / "tests" / "pictures" / "trays"
    for kind in ("trays", "rigs/*", "photos/*"):
        yield from sorted(path for path in SHARED.glob(kind) if (path / "truth.jsonl").exists())


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="How well single pictures are read.")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--missed", action="store_true", help="name every picture that was not read exactly")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in arguments.folders or folders():
        tally = measure(folder)
        lines = [
            ("exact", share(tally.exact, tally.pictures)),
            ("right count, wrong value", share(tally.wrong_value, tally.pictures)),
            ("sure", share(tally.sure, tally.pictures)),
            ("wrong while sure", share(tally.sure_and_wrong, tally.pictures)),
            ("leaning or cut, yet sure", share(tally.odd_and_sure, tally.odd)),
            ("read, ms", spread(tally.ms, 0)),
        ]
        sys.stdout.write(f"{folder.parent.name}/{folder.name}\n")
        for name, value in lines:
            sys.stdout.write(f"  {name:26}{value}\n")
        for missed in tally.missed if arguments.missed else []:
            sys.stdout.write(f"  {missed}\n")
        sys.stdout.flush()
    return 0


def _text(faces: Counter) -> str:
    return "".join(str(face) for face in sorted(faces.elements())) or "-"


if __name__ == "__main__":
    sys.exit(main())
