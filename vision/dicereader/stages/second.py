"""Look a second time at a picture in doubt: in other lights, and larger by half an octave.

Networks err by chance, and otherwise at another size or in another light. A first reading that a second one bears out
surely is sure, and what the first one saw only hints of the second may read (decisions 35 and 36).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from dicereader.episode import matched
from dicereader.reading import Doubt, ReadDie, Told, from_the_top
from dicereader.stages.confidence import least_sure
from dicereader.stages.rectify import enlarged, evened, lifted, lowered

FAITHFUL = lifted, enlarged
"""Ways to look again that lose nothing of the picture."""

WAYS = *FAITHFUL, lowered, evened
"""All ways in their order. In the other two dice are lost now and then: that none is seen there tells nothing."""

CLEAR = 0.9
"""A die that only second looks read is told where the confidence of one is at least this."""

LIES_OTHERWISE = {Doubt.COCKED, Doubt.STACKED, Doubt.CUT}
"""Doubts about how a die lies, not about what is read: no second look takes them away."""


def borne_out(first: Told, again: Iterable[Told]) -> Told:
    """What is told of a picture whose first reading was `first`, and whose second ones, in the order of `WAYS`, are
    `again`: they are asked for only while there is a doubt that they may take away.

    A second look must be sure, and both together: the odds of each die's confidence are the mean of both. Where the
    first one saw hints of another die and a second one neither reads it nor sees hints, all faithful ones must agree.
    If all that leaves a doubt, dice that second looks read clearly beside those of the first are told with them.
    """
    dice, sure, doubts = first
    if sure or not dice or LIES_OTHERWISE & {doubt for die in dice for doubt in die.doubts}:
        return first
    agreed = 0
    besides: list[ReadDie] = []
    for way, (seen, all_sure, _) in zip(WAYS, again, strict=False):
        there = _together(dice, seen)
        if there is None:
            continue
        both, more = there
        if all_sure and not len(least_sure(np.array([die.confidence for die in (*both, *more)]))):
            agreed += way in FAITHFUL
            if more or Doubt.COUNT not in doubts or agreed == len(FAITHFUL):
                return from_the_top((*both, *more)), True, ()
        clear = [die for die in more if die.confidence >= CLEAR]
        besides += [die for die, told in zip(clear, matched(clear, besides), strict=True) if told is None]
    if not besides:
        return first
    unclear = (replace(die, doubts=die.doubts or (Doubt.FACE,)) for die in besides)
    return from_the_top((*dice, *unclear)), False, tuple(dict.fromkeys([*doubts, Doubt.COUNT]))


def _together(
    first: Sequence[ReadDie], second: Sequence[ReadDie]
) -> tuple[tuple[ReadDie, ...], tuple[ReadDie, ...]] | None:
    """The dice of a second reading that were read before, each as sure as both looks together, and those that were not;
    None where one that was read before is not there, or shows another face."""
    same = matched(first, second)
    both = []
    for one, n in zip(first, same, strict=True):
        if n is None or second[n].face != one.face:
            return None
        both.append(replace(second[n], confidence=_both(one.confidence, second[n].confidence)))
    return tuple(both), tuple(die for n, die in enumerate(second) if n not in same)


def _both(one: float, other: float) -> float:
    """The probability whose odds are the mean, as logarithms, of those of two."""
    right, wrong = math.sqrt(one * other), math.sqrt((1 - one) * (1 - other))
    return right / (right + wrong)
