"""Look a second time at a picture in doubt: with its dark parts brighter, and larger by half an octave.

Networks err by chance, and otherwise at another size or in another light. A first reading that a second one bears out
surely is sure, and what the first one saw only hints of the second may read. Neither way loses anything of the picture;
smaller, or with its bright parts darker, dice were lost unnoticed (decision 35).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from dicereader.episode import matched
from dicereader.reading import Doubt, ReadDie, Told
from dicereader.stages.confidence import least_sure
from dicereader.stages.rectify import enlarged, lifted

WAYS = lifted, enlarged
"""How a picture is looked at again: brighter first, for that takes less time."""

LIES_OTHERWISE = {Doubt.COCKED, Doubt.STACKED, Doubt.CUT}
"""Doubts about how a die lies, not about what is read: no second look takes them away."""


def borne_out(first: Told, again: Iterable[Told]) -> Told:
    """What is told of a picture whose first reading was `first`, and whose second ones, in the order of `WAYS`, are
    `again`: they are asked for only while there is a doubt that they may take away.

    A second look must be sure, and both together: the odds of each die's confidence are the mean of both. Where the
    first one saw hints of another die and a second one neither reads it nor sees hints, all must agree.
    """
    dice, sure, doubts = first
    if sure or not dice or LIES_OTHERWISE & {doubt for die in dice for doubt in die.doubts}:
        return first
    agreed = 0
    for seen, all_sure, _ in again:
        there = _together(dice, seen) if all_sure else None
        if there is None or len(least_sure(np.array([die.confidence for die in there]))):
            continue
        agreed += 1
        if Doubt.COUNT not in doubts or len(there) > len(dice) or agreed == len(WAYS):
            return there, True, ()
    return first


def _together(first: Sequence[ReadDie], second: Sequence[ReadDie]) -> tuple[ReadDie, ...] | None:
    """The dice of a second reading, each as sure as both looks together where it was read before; None where one that
    was read before is not there, or shows another face."""
    there = list(second)
    for one, n in zip(first, matched(first, second), strict=True):
        if n is None or second[n].face != one.face:
            return None
        there[n] = replace(second[n], confidence=_both(one.confidence, second[n].confidence))
    return tuple(there)


def _both(one: float, other: float) -> float:
    """The probability whose odds are the mean, as logarithms, of those of two."""
    right, wrong = math.sqrt(one * other), math.sqrt((1 - one) * (1 - other))
    return right / (right + wrong)
