"""Compare two readers picture by picture, because both fail on the same pictures and totals hide that.

`python bench/paired.py --write FILE` reads all pictures with the reader of this checkout. `python bench/paired.py
BEFORE AFTER` prints how often two such files differ, with the 95 % interval of the difference, and the ratio of the
processor times. The last two figures of a group are the pictures of level dice of which one seems to lean, and those
with a doubt about the number of dice. Times compare only if both files were written side by side. For the interval, a
photograph in all its conditions is one case, and so are all throws on a drawn table, because such pictures are hard or
easy together. With one file it prints the shares of that reader, and with `--sets` the table of docs/figures.md.

The pictures are photographs and renders, and drawn throws: level, with one die that leans, and with a quarter of one to
four tags covered. The first two are read with the table's calibration, too. Photographs of makers that the networks
have learnt from, and those of single dice, are counted apart. `--conditions N` adds every N-th development picture in
each of the other conditions (`conditions`). `--without FOLDER` adds photographs without dice, reduced to 1280 pixels,
one in several sizes once: backgrounds, or single objects (Debian's `mate-backgrounds` and `tuxpaint-stamps-default`).
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from conditions import CONDITIONS
from figures import paired, share
from lean_bench import learnt_table, throw, true_dice
from picture_sets import LICENSED, Picture, TrueDie, all_sets, reading_pool

from dicereader import read
from dicereader.data.frame import Pixels
from dicereader.data.pictures import load
from dicereader.errors import DiceReaderError
from dicereader.reading import DiceReading, Doubt
from dicereader.tray.tags import Tags, find_tags

AS_TAKEN = "as taken"
SINGLE_DICE = "photos/JonathanMurphy2+diceVision"
"""A set of single dice, of one maker: it is as large as all other sets of makers never learnt from."""

SKIN = 130, 160, 205

ENDINGS = {".jpg", ".jpeg", ".png"}
SIDE_PX = 1280
"""The longer side to which photographs without dice are reduced."""

SAME = 0.95
"""Two pictures show the same if their thumbnails correlate by at least this much."""

TABLES, THROWS = range(9000, 9010), 12
"""The numbers of the drawn tables, and how many throws on each one are read."""


@dataclass(frozen=True)
class PictureRow:
    """One picture as one reader read it.

    `part` is its group of pictures, `scene` the photograph or the drawn table, `variant` that photograph's condition or
    the throw on that table; `ms` is the processor's milliseconds. `doubts` are the reading's and its dice's.
    """

    part: str
    scene: str
    variant: str
    odd: bool
    exact: bool
    sure: bool
    ms: float
    doubts: tuple[str, ...] = ()

    @property
    def cocked(self) -> bool:
        """Whether a die seems to lean."""
        return Doubt.COCKED in self.doubts

    @property
    def count(self) -> bool:
        """Whether other dice may be there."""
        return Doubt.COUNT in self.doubts

    @property
    def wrong(self) -> bool:
        """Whether it is sure though it is not exact, or has an odd die."""
        return self.sure and (self.odd or not self.exact)


Reader = Callable[[Pixels], DiceReading]


def row(
    part: str, scene: str, variant: str, pixels: Pixels, dice: tuple[TrueDie, ...], reader: Reader = read
) -> PictureRow:
    """Read one picture of these dice."""
    began = time.process_time()
    reading = reader(pixels)
    ms = (time.process_time() - began) * 1e3
    exact = Counter(die.face for die in dice) == Counter(reading.faces)
    doubts = {*reading.doubts, *(doubt for die in reading.dice for doubt in die.doubts)}
    odd = any(die.odd for die in dice)
    return PictureRow(part, scene, variant, odd, exact, reading.sure, ms, tuple(sorted(map(str, doubts))))


def of_picture(job: tuple[str, str, Picture]) -> PictureRow:
    """Read a picture of a set in one condition."""
    name, condition, picture = job
    part = "held-out" if picture.held_out else "development"
    if condition != AS_TAKEN:
        part = "other conditions"
    if name in LICENSED:
        part += ", of makers learnt from"
    elif name == SINGLE_DICE:
        part += ", single dice"
    pixels = CONDITIONS[condition](load(picture.path))
    return row(part, f"{name}/{picture.path.name}", condition, pixels, picture.dice)


def folder_of_pictures(text: str) -> Path:
    """Return a folder, given as the command's argument."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"expected a folder of pictures, got {text!r}")
    return Path(text)


def reduced(path: Path) -> Pixels:
    """Return a picture whose longer side has at most `SIDE_PX`."""
    pixels = load(path)
    scale = SIDE_PX / max(pixels.shape)
    if scale < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return pixels


def thumbnail(pixels: Pixels) -> np.ndarray:
    """Return a thumbnail of a picture's middle square as a unit vector."""
    (height, width), side = pixels.shape[:2], min(pixels.shape[:2])
    square = pixels[(height - side) // 2 :, (width - side) // 2 :][:side, :side]
    small = cv2.resize(square, (12, 12), interpolation=cv2.INTER_AREA).astype(np.float64).ravel()
    small -= small.mean()
    return small / max(float(np.linalg.norm(small)), 1e-9)


def pictures_in(folders: list[Path]) -> list[Path]:
    """Return the readable pictures in folders and their subfolders, without repetitions of the same content."""
    found: dict[Path, np.ndarray] = {}
    for path in sorted(p for folder in folders for p in folder.rglob("*") if p.suffix.lower() in ENDINGS):
        with suppress(DiceReaderError):
            small = thumbnail(reduced(path))
            if all(small @ other < SAME for other in found.values()):
                found[path] = small
    return list(found)


def without_dice(path: Path) -> PictureRow:
    """Read a photograph without dice."""
    return row("without dice", str(path), AS_TAKEN, reduced(path), ())


def covered(pixels: Pixels, tags: Tags, many: int, chance: random.Random) -> Pixels:
    """Return the picture with a quarter of each of `many` tags covered, as by fingertips."""
    picture = pixels.copy()
    for corners in chance.sample(list(tags.values()), many):
        k, middles = chance.randrange(4), (corners + np.roll(corners, -1, 0)) / 2
        quarter = np.rint([corners[k], middles[k], corners.mean(0), middles[k - 1]]).astype(np.int32)
        cv2.fillConvexPoly(picture, quarter, SKIN)
    return picture


def on_table(seed: int) -> list[PictureRow]:
    """Read the throws on a drawn table one by one and with its calibration, each level and with a die that leans."""
    table = learnt_table(seed)
    tags = find_tags(table.empty)
    found: list[PictureRow] = []
    scene = f"table {seed}"
    for n in range(THROWS):
        level, faces, _, leaning = throw(table.chance)
        for poses, leans in ((level, False), (leaning, True)):
            pixels, name = table.photograph(poses), f"throw {n}{', leans' * leans}"
            dice = true_dice(table.source, poses, faces, odd=int(leans))
            found.append(row("drawn", scene, name, pixels, dice))
            # A reader that cannot learn a table reads without a calibration.
            at_table = partial(read, calibration=table.known, empty=table.empty)
            found.append(row("drawn, calibrated", scene, name, pixels, dice, at_table))
            if not leans:
                hidden = covered(pixels, tags, 1 + n % 4, table.chance)
                found.append(row("drawn, tags covered", scene, name, hidden, dice))
    return found


def rows(
    every: int, folders: list[Path], tables: Sequence[int] = TABLES, *, held_out: bool = True
) -> Iterator[PictureRow]:
    """Return all rows of this checkout's reader, or only those of development pictures, and of some drawn tables."""
    known = [(each.name, picture) for each in all_sets() for picture in each.pictures]
    known = [(name, picture) for name, picture in known if held_out or not picture.held_out]
    jobs = [(name, AS_TAKEN, picture) for name, picture in known]
    if every:
        level = [(name, picture) for name, picture in known if not picture.held_out and not picture.odd][::every]
        jobs += [(name, other, picture) for other in CONDITIONS if other != AS_TAKEN for name, picture in level]
    paths = pictures_in(folders)
    with reading_pool() as pool:
        yield from pool.imap(of_picture, jobs, 8)
        for some in pool.imap(on_table, tables):
            yield from some
        yield from pool.imap(without_dice, paths, 4)


def shares(some: Sequence[PictureRow]) -> Iterator[str]:
    """Return how often level dice were read exactly, surely, and wrongly while sure, and how often odd ones surely."""
    level, odd = ([each for each in some if each.odd is is_odd] for is_odd in (False, True))
    for name in ("exact", "sure", "wrong"):
        yield f"  {name:24}{share(sum(getattr(each, name) for each in level), len(level))}"
    if odd:
        yield f"  {'odd ones sure':24}{share(sum(each.sure for each in odd), len(odd))}"


def shares_of_parts(some: Sequence[PictureRow]) -> Iterator[str]:
    """Return lines about the pictures of a file."""
    for part in dict.fromkeys(each.part for each in some):
        yield part
        yield from shares([each for each in some if each.part == part])


def table_of_sets(some: Sequence[PictureRow]) -> Iterator[str]:
    """Return docs/figures.md's table: each set's pictures as taken, then all of a part together."""
    yield "| set | pictures | exact | sure | wrong while sure |"
    yield "| --- | --- | --- | --- | --- |"
    kinds = "development", "held-out"
    level = [each for each in some if each.variant == AS_TAKEN and each.part.startswith(kinds) and not each.odd]
    for kind in kinds:
        sets: dict[str, list[PictureRow]] = {}
        for each in level:
            if each.part.startswith(kind):
                sets.setdefault(each.scene.rpartition("/")[0], []).append(each)
                makers = each.part.removeprefix(kind) or ", of makers never learnt from"
                sets.setdefault(f"all{makers}", []).append(each)
        for name, rows_of_set in sorted(sets.items(), key=lambda item: item[0].startswith("all")):
            n = len(rows_of_set)
            exact, sure, wrong = (share(sum(getattr(e, a) for e in rows_of_set), n) for a in ("exact", "sure", "wrong"))
            yield f"| {name.removeprefix('photos/')} | {kind} | {exact} | {sure} | {wrong} |"


def differences(pairs: list[tuple[PictureRow, PictureRow]], name: str) -> str:
    """Return how often rows had a property before and after. Rows of the same scene are one case."""
    return paired([(getattr(a, name), getattr(b, name)) for a, b in pairs], [a.scene for a, _ in pairs])


def compare(before: list[PictureRow], after: list[PictureRow]) -> Iterator[str]:
    """Return lines about the pictures that both files have."""
    then = {(each.part, each.scene, each.variant): each for each in before}
    pairs = [(then[key], each) for each in after if (key := (each.part, each.scene, each.variant)) in then]
    for part in dict.fromkeys(each.part for _, each in pairs):
        here = [pair for pair in pairs if pair[1].part == part]
        level = [pair for pair in here if not pair[1].odd]
        yield f"{part}, n {len(level)}"
        for name in ("exact", "sure", "wrong", "cocked", "count"):
            yield f"  {name:24}{differences(level, name)}"
        odd = [pair for pair in here if pair[1].odd]
        if odd:
            yield f"  {f'odd ones sure, n {len(odd)}':24}{differences(odd, 'sure')}"
        ratios = np.array([[a.ms, b.ms] for a, b in here])
        times = [float(np.percentile(ratios[:, 1], q) / np.percentile(ratios[:, 0], q)) for q in (50, 95, 100)]
        yield f"  time, ratio             median {times[0]:.2f}, 95 % {times[1]:.2f}, worst {times[2]:.2f}"


def written(text: str) -> list[PictureRow]:
    """Return the rows of a file, given as the command's argument."""
    try:
        return [PictureRow(**json.loads(line)) for line in Path(text).read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, TypeError) as error:
        raise argparse.ArgumentTypeError(f"expected a file that --write made, got {text!r}: {error}") from error


def main() -> int:
    """Read or compare, then print."""
    parser = argparse.ArgumentParser(description="Compare two readers picture by picture.")
    parser.add_argument("files", nargs="*", type=written, metavar="FILE", help="one, or before and after")
    parser.add_argument("--write", type=Path, help="read all pictures and write a row of each to this file")
    parser.add_argument("--sets", action="store_true", help="of one file: a row of figures for each set")
    parser.add_argument("--conditions", type=int, default=0, metavar="N", help="every N-th picture in other conditions")
    parser.add_argument("--without", nargs="*", type=folder_of_pictures, default=[], help="photographs without dice")
    arguments = parser.parse_args()
    if arguments.write:
        arguments.write.parent.mkdir(parents=True, exist_ok=True)
        with arguments.write.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(each)) + "\n" for each in rows(arguments.conditions, arguments.without))
    elif arguments.sets and len(arguments.files) != 1:
        parser.error(f"expected one file with --sets, got {len(arguments.files)} files")
    elif len(arguments.files) == 1:
        lines_of = table_of_sets if arguments.sets else shares_of_parts
        sys.stdout.writelines(f"{line}\n" for line in lines_of(*arguments.files))
    elif len(arguments.files) != 2:
        parser.error(f"expected --write FILE, one file or two, got {len(arguments.files)} files")
    elif not (lines := list(compare(*arguments.files))):
        parser.error("expected two files with pictures in common, got none that both have read")
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
