"""What the journal's text copy costs, and what it saves: `python bench/journal_bench.py`."""

import argparse
import random
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from figures import share, spread

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "companion"))

from journal_acts import filled, some_acts, wall  # noqa: E402 - the tests' acts

from companion.errors import CompanionError  # noqa: E402
from companion.storage.data_folder import open_storage  # noqa: E402
from companion.storage.files import COPY, FILE  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.storage.rows import Row
    from companion.storage.text_copy import TextCopy


@contextmanager
def copying(copy: "TextCopy", on: bool) -> "Iterator[None]":
    """Let the copy take no act for a while."""
    append = copy.append

    def nothing(_: "list[Row]") -> bool:
        return True

    if not on:
        copy.append = nothing  # type: ignore[method-assign, assignment]
    yield
    copy.append = append  # type: ignore[method-assign]


def times(folder: Path, acts: int) -> tuple[list[float], list[float]]:
    """Milliseconds of an act on disk, in turn with the copy and without it."""
    storage = open_storage(folder, wall)
    took: tuple[list[float], list[float]] = ([], [])
    for number, events in enumerate(some_acts(acts), start=1):
        on = number % 2
        with copying(storage.journal._copy, bool(on)):
            began = time.perf_counter()
            storage.journal.append(1, number, wall(), events)
            took[on].append(1000 * (time.perf_counter() - began))
    storage.close()
    return took[1], took[0]


def saved(folder: Path, whole: dict[str, bytes], acts: int, seed: int, where: int) -> bool:
    """Whether all acts are left after one bit of the first `where` bytes of the database was flipped."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in whole.items():
        (folder / name).write_bytes(content)
    chance, content = random.Random(seed), bytearray(whole[FILE])
    content[chance.randrange(min(where, len(content)))] ^= 1 << chance.randrange(8)
    (folder / FILE).write_bytes(content)
    try:
        storage = open_storage(folder, wall)
    except CompanionError:
        return False
    storage.close()
    return len(storage.loaded.acts) == acts


def main() -> int:
    """Write and damage journals, and print."""
    parser = argparse.ArgumentParser(description="What the journal's text copy costs, and what it saves.")
    parser.add_argument("--acts", type=int, default=400)
    parser.add_argument("--flips", type=int, default=400)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with_copy, without = times(folder / "times", arguments.acts)
        middle = sorted(with_copy)[len(with_copy) // 2] / sorted(without)[len(without) // 2]
        sys.stdout.write(f"act on disk, ms, without copy   {spread(without, 2)}\n")
        sys.stdout.write(f"act on disk, ms, with copy      {spread(with_copy, 2)}\n")
        sys.stdout.write(f"ratio of the medians            {middle:.2f}\n")
        filled(folder / "whole", 36)
        both = {file: (folder / "whole" / file).read_bytes() for file in (FILE, FILE + COPY)}
        for what, whole in (("database alone", {FILE: both[FILE]}), ("with copy", both)):
            for place, where in (("in the header", 100), ("anywhere", 10**9)):
                kept = sum(saved(folder / "flip", whole, 36, seed, where) for seed in range(arguments.flips))
                sys.stdout.write(f"all acts left after a flipped bit {place}, {what}: ")
                sys.stdout.write(f"{share(kept, arguments.flips)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
