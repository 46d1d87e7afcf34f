"""Turn off one stage of the reader at a time, to see what it is worth: `python bench/ablation.py [STAGE ...]`.

Prints for each stage how often development pictures are exact, sure, and wrong while sure without it and with it, with
the 95 % interval of the difference, and how much longer reading them takes with it. `--conditions N` reads every N-th
picture in each of the other conditions, too. The formulas keep their weights: a stage whose features they use may look
worth more than it is.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from statistics import fmean
from unittest.mock import patch

import numpy as np
from paired import TABLES, PictureRow, differences, rows

from dicereader.stages.shared.closeup import classify_once
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.scoring import Scored, score
from dicereader.stages.unknown.search import UNLIKELY
from dicereader.stages.unknown.variants import LOSSLESS


def one_crop(view: PictureView, candidates: Candidates) -> Scored:
    """Return the candidates scored by one crop each."""
    found = score(classify_once(view, candidates))
    return found.take(found.score > UNLIKELY)


MOST_TABLES = 4
"""Drawn tables that are read: each takes as long as a hundred photographs."""

WITHOUT: Mapping[str, Mapping[str, object]] = {
    "coarse levels first": {"search.MAYBE_LARGE": 2.0},
    "second crop": {"search.score_likely": one_crop},
    "the usual size": {"choose.at_usual_size": lambda _view, scored, _usual: scored},
    "sides of dice": {"choose.are_sides": lambda classified, _dice, _slants: np.zeros(len(classified), bool)},
    "turned and mirrored": {"choose.classify_all_round": lambda classified, _crops: classified},
    "contested": {"choose.SAME": 0.0},
    "bodies without pips": {"choose.BODY": 2.0},
    "both networks": {"choose.told_by_both": lambda _view, classified, _whole: classified},
    "hints": {"choose._may_be_dice": lambda classified, *_told: np.zeros(len(classified), bool)},
    "unread objects": {"uncalibrated.find_unread": lambda *_told: []},
    "no die without a face": {"unread.NO_FACE": 0.0, "choose.NO_FACE": 0.0},
    "no die seen whole": {"unread.NO_PALE_DIE": 0.0, "choose.NO_DIE": 0.0},
    "dice of the ground's colour": {"unread.HARDLY": 0.0},
    "objects that fade": {"unread._ends": lambda *_told: True},
    "objects like the ground": {"unread._stands_out": lambda *_told: True},
    "leaning": {"judge.LEANS": 2.0},
    "flatness": {"judge.relative_flatness": lambda u, _v: np.ones(len(u))},
    "stacked": {"judge.STACKED": 0.0},
    "cut": {"judge.CUT": 0.0},
    "more detail": {"uncalibrated._too_coarse": lambda *_told: False},
    "dice taken for pips": {"uncalibrated._holds_dice": lambda *_told: False},
    "tags": {"uncalibrated.find_tags": lambda *_told, **_how: {}},
    "further looks": {"uncalibrated.look_again": lambda *_told: iter(())},
    "equalised": {"looks.VARIANTS": LOSSLESS},
}
"""What takes the place of parts of the reader, by the stage that is then missing."""


def read_without(stage: str | None, every: int) -> list[PictureRow]:
    """Return the rows of the development pictures, read without a stage."""
    with ExitStack() as changes:
        for place, other in WITHOUT[stage].items() if stage else ():
            changes.enter_context(patch(f"dicereader.stages.unknown.{place}", other))
        return list(rows(every, [], TABLES[:MOST_TABLES], held_out=False))


def worth(without: list[PictureRow], whole: list[PictureRow]) -> Iterator[str]:
    """Return lines about what a stage gains and loses."""
    pairs = list(zip(without, whole, strict=True))
    for name, drawn in (("photographs and renders", False), ("drawn", True)):
        some = [pair for pair in pairs if pair[0].part.startswith("drawn") == drawn]
        level, odd = ([pair for pair in some if pair[0].odd == is_odd] for is_odd in (False, True))
        yield f"  {name}, n {len(level)}"
        for figure in ("exact", "sure", "wrong"):
            yield f"    {figure:24}{differences(level, figure)}"
        yield f"    {f'odd ones sure, n {len(odd)}':24}{differences(odd, 'sure')}"
    yield f"  time, with to without   {fmean(b.ms for _, b in pairs) / fmean(a.ms for a, _ in pairs):.2f}"


def main() -> int:
    """Read, compare, print."""
    parser = argparse.ArgumentParser(description="Tell what each stage of the reader is worth.")
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"one of: {', '.join(WITHOUT)} (default: all)")
    parser.add_argument("--conditions", type=int, default=0, metavar="N", help="every N-th picture in other conditions")
    arguments = parser.parse_args()
    if unknown := [stage for stage in arguments.stages if stage not in WITHOUT]:
        parser.error(f"expected stages out of {', '.join(WITHOUT)}, got {', '.join(unknown)}")
    multiprocessing.set_start_method("fork")  # the processes that read have the same parts replaced
    whole = read_without(None, arguments.conditions)
    for stage in arguments.stages or WITHOUT:
        sys.stdout.write(f"{stage}\n")
        sys.stdout.writelines(f"{line}\n" for line in worth(read_without(stage, arguments.conditions), whole))
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
