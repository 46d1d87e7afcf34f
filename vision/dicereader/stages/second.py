"""Look a second time at a picture in doubt: in other lights, larger, and where little is to be seen.

Networks err by chance, and otherwise at another size or in another light. A first reading that a second one bears out
surely is sure, and what the first one saw only hints of the second may read (decisions 35, 36 and 40).
"""

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dicereader.reading import Doubt, ReadDie, Told, from_the_top, matched
from dicereader.stages.confidence import least_sure
from dicereader.stages.rectify import enlarged, evened, lifted, lowered

FAITHFUL = lifted, enlarged
"""Ways to look again that lose nothing of the picture."""

WAYS = *FAITHFUL, lowered, evened
"""All ways to look again at the whole picture, in their order. In the other two dice are lost now and then: that none
is seen there tells nothing."""

CLEAR = 0.9
"""A die, or a face, that only second looks read is told where the confidence of one is at least this."""

POOR = 0.5
"""A face that was read with less confidence than this at first is more likely another one."""

LIES_OTHERWISE = {Doubt.COCKED, Doubt.STACKED, Doubt.CUT}
"""Doubts about how a die lies, not about what is read: no second look takes them away."""


def borne_out(first: Told, again: Iterable[Told]) -> Told:
    """What is told of a picture whose first reading was `first`, and whose second ones, those of `WAYS` before any
    others, are `again`: they are asked for only while there is a doubt that they may take away.

    A second look must be sure, and both together: the odds of each die's confidence are the mean of both. Where the
    first one saw hints of another die and a second one neither reads it nor sees hints, all faithful ones must agree.
    If all that leaves a doubt, dice that second looks read clearly beside those of the first are told with them, and
    faces that they read clearly in place of poor ones of the first.
    """
    dice, sure, doubts = first
    if sure or not dice or LIES_OTHERWISE & {doubt for die in dice for doubt in die.doubts}:
        return first
    agreed = 0
    told = list(dice)
    besides: list[ReadDie] = []
    for look, (seen, all_sure, _) in enumerate(again):
        there = matched(dice, seen)
        more = [die for n, die in enumerate(seen) if n not in there]
        same = {k: seen[n] for k, n in enumerate(there) if n is not None}
        other = [k for k, one in enumerate(dice) if k not in same or same[k].face != one.face]
        if any(dice[k].confidence >= POOR for k in other):
            continue
        if all_sure and not other:
            both = [replace(die, confidence=_both(dice[k].confidence, die.confidence)) for k, die in same.items()]
            if not len(least_sure(np.array([die.confidence for die in (*both, *more)]))):
                agreed += look < len(FAITHFUL)
                if more or Doubt.COUNT not in doubts or agreed == len(FAITHFUL):
                    return from_the_top((*both, *more)), True, ()
        clear = [die for die in more if die.confidence >= CLEAR]
        besides += [
            _unclear(die, (Doubt.FACE,)) for die, n in zip(clear, matched(clear, besides), strict=True) if n is None
        ]
        for k in other:
            if k in same and same[k].confidence >= CLEAR and told[k] is dice[k]:
                told[k] = _unclear(same[k], dice[k].doubts)
    if not besides:
        return tuple(told), False, doubts
    return from_the_top((*told, *besides)), False, tuple(dict.fromkeys([*doubts, Doubt.COUNT]))


def _unclear(die: ReadDie, why: tuple[Doubt, ...]) -> ReadDie:
    """A die that the first look did not read so, in doubt."""
    return replace(die, doubts=die.doubts or why)


def _both(one: float, other: float) -> float:
    """The probability whose odds are the mean, as logarithms, of those of two."""
    right, wrong = math.sqrt(one * other), math.sqrt((1 - one) * (1 - other))
    return right / (right + wrong)
