"""What each step of the reader is worth: `python bench/steps_bench.py [--steps NAME...] [--conditions N]`.

Every development picture and drawn throw is read with all steps, and with each of them left out; a line says what is
lost or gained (`paired`). The formulas are not fitted anew without a step, so a figure says what the step does in this
reader. A step stays only while its figure says what it is worth.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
from paired import compare, rows
from picture_sets import SHARED

from dicereader.stages.shared import closeup, rectify
from dicereader.stages.unknown import choose, judge, looks, search, uncalibrated

Change = tuple[ModuleType, str, Any]
"""A module, a name of it, and what takes its place."""


def none_of(part: Callable[..., Any]) -> Callable[..., Any]:
    """A function that answers no wherever `part` may answer yes."""
    return lambda *arguments: np.zeros(len(part(*arguments)), bool)


def without(variant: Callable[..., Any]) -> Change:
    """The further looks without one of them."""
    return looks, "VARIANTS", tuple(each for each in looks.VARIANTS if each is not variant)


STEPS: dict[str, Change] = {
    "brightening": (rectify, "MOST_GAIN", 1.0),
    "more detail": (uncalibrated, "_too_coarse", lambda *_: False),
    "tags left out": (uncalibrated, "_tags", lambda _: {}),
    "hidden tags": (uncalibrated, "with_hidden", dict),
    "outside the tags": (uncalibrated, "outside_tags", lambda _, points: np.zeros(len(points), bool)),
    "second crop": (closeup, "PASSES", 1),
    "unlikely ones dropped": (search, "UNLIKELY", 0.0),
    "again at the usual size": (choose, "at_usual_size", lambda _, scored, __: scored),
    "sides of dice": (choose, "are_sides", lambda classified, *_: np.zeros(len(classified), bool)),
    "all round": (choose, "classify_all_round", lambda classified, _: classified),
    "pips measured": (choose, "measure_pips", lambda _, poses: poses),
    "candidates without pips": (choose, "BODY", 2.0),
    "contested faces": (choose, "_contested", lambda _, face, *__: np.zeros(len(face), bool)),
    "hints": (choose, "_hints", lambda *_: np.zeros((0, 4, 2))),
    "unread objects": (uncalibrated, "find_unread", lambda *_: []),
    "leaning": (judge, "leaning", none_of(judge.leaning)),
    "flatness": (judge, "relative_flatness", lambda u, _: np.ones(len(u))),
    "further looks": (looks, "VARIANTS", ()),
    "stretched": (looks, "is_pale", lambda *_: False),
    **{f"look: {each.__name__}": without(each) for each in looks.VARIANTS},
}


@contextmanager
def changed(changes: list[Change]) -> Iterator[None]:
    """The reader with these changes."""
    before = [(module, name, getattr(module, name)) for module, name, _ in changes]
    for module, name, other in changes:
        setattr(module, name, other)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def main() -> int:
    """Read with all steps and without each, and print."""
    parser = argparse.ArgumentParser(description="What each step of the reader is worth.")
    parser.add_argument("--steps", nargs="*", choices=STEPS, metavar="NAME")
    parser.add_argument("--conditions", type=int, default=0, metavar="N", help="every N-th picture in other conditions")
    arguments = parser.parse_args()
    if not SHARED.exists():
        sys.stdout.write(f"skipped: photographs, rigs and most trays, for there is no {SHARED}\n")
    before = list(rows(arguments.conditions, [], held_out=False))
    for name in arguments.steps or STEPS:
        with changed([STEPS[name]]):
            lines = compare(before, list(rows(arguments.conditions, [], held_out=False)))
        sys.stdout.write(f"without {name}\n")
        sys.stdout.writelines(f"  {line}\n" for line in lines)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
