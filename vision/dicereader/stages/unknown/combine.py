"""Combine the first reading of a doubtful picture with further readings at other contrasts and sizes.

The networks' errors differ between such readings. A further reading can confirm the first, and can read dice of which
the first one had only hints.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dicereader.reading import DiceReading, Doubt, ReadDie, match_places, reading_of
from dicereader.stages.shared.scoring import LIKELY
from dicereader.stages.unknown.judge import least_sure
from dicereader.stages.unknown.variants import LOSSLESS, VARIANTS

ENOUGH_ALONE = 0.9
"""Confidence from which a die, or a face, is taken from a further reading alone."""

AGREEING = 2
"""Further readings that must agree on hinted dice. Where one die is hard to see, others may be hidden."""

POSE_DOUBTS = {Doubt.COCKED, Doubt.STACKED, Doubt.CUT}
"""Doubts about a die's pose: no further reading removes them."""


def combine(first: DiceReading, further: Iterable[DiceReading]) -> DiceReading:
    """Return the reading of a picture from its first and its further readings.

    A further reading confirms the first one if it is sure and both together are. Each die then has the mean log odds of
    its two confidences. If the first reading had hints of other dice, two further readings must show the same faces
    there, or nothing. Only lossless variants can show that there is nothing. The reading after `VARIANTS` looks at pale
    objects only, and one such reading is enough. If doubts remain, clear dice of further readings are added in doubt,
    and clear faces replace poor ones in doubt.

    Args:
        first: the first reading.
        further: the readings of `look_again` in their order; each is made only if it is needed.
    """
    if first.sure or not first.dice or POSE_DOUBTS & {doubt for die in first.dice for doubt in die.doubts}:
        return first
    agreed: Counter[tuple[int, ...]] = Counter()
    dice = list(first.dice)
    added: list[ReadDie] = []
    for number, reading in enumerate(further):
        matches = match_places(first.dice, reading.dice)
        more = [die for n, die in enumerate(reading.dice) if n not in matches]
        same = {k: reading.dice[n] for k, n in enumerate(matches) if n is not None}
        other = [k for k, die in enumerate(first.dice) if k not in same or same[k].face != die.face]
        if any(first.dice[k].confidence >= LIKELY for k in other):
            continue
        if reading.sure and not other:
            both = [
                replace(die, confidence=_mean_odds(first.dice[k].confidence, die.confidence)) for k, die in same.items()
            ]
            if not len(least_sure(np.array([die.confidence for die in (*both, *more)]))):
                hinted = tuple(sorted(die.face for die in more))
                agreed[hinted] += bool(hinted) or number < len(LOSSLESS)
                pale_read = bool(hinted) and number == len(VARIANTS)
                if Doubt.COUNT not in first.doubts or agreed[hinted] == AGREEING or pale_read:
                    return reading_of((*both, *more))
        clear = [die for die in more if die.confidence >= ENOUGH_ALONE]
        known = match_places(clear, added)
        added += [_in_doubt(die, (Doubt.FACE,)) for die, n in zip(clear, known, strict=True) if n is None]
        for k in other:
            if k in same and same[k].confidence >= ENOUGH_ALONE and dice[k] is first.dice[k]:
                dice[k] = _in_doubt(same[k], first.dice[k].doubts)
    if not added:
        return replace(first, dice=tuple(dice))
    return reading_of((*dice, *added), (*first.doubts, Doubt.COUNT))


def decided(level: DiceReading, alone: DiceReading) -> DiceReading:
    """Return the reading of a calibrated tray that is in doubt, decided by what a reader without calibration sees.

    A calibration that is a little wrong leaves doubts that the picture does not. The other reading counts unless the
    first one has a die where the other one has none, or a clear die that shows another face there, leans, lies on
    another or is cut.

    Args:
        level: the doubtful reading of level dice.
        alone: the sure reading of the same picture without the calibration's dice, with places.
    """
    places = match_places(level.dice, alone.dice)
    for die, n in zip(level.dice, places, strict=True):
        if n is None or (die.confidence >= LIKELY and (alone.dice[n].face != die.face or POSE_DOUBTS & {*die.doubts})):
            return level
    return alone


def _in_doubt(die: ReadDie, doubts: tuple[Doubt, ...]) -> ReadDie:
    """Return a die that the first reading does not have. A die without doubts gets these."""
    return replace(die, doubts=die.doubts or doubts)


def _mean_odds(one: float, other: float) -> float:
    """Return the probability whose log odds are the mean of those of two probabilities."""
    right, wrong = math.sqrt(one * other), math.sqrt((1 - one) * (1 - other))
    return right / (right + wrong)
