"""Decide a doubtful reading of a calibrated tray by a second reading, which knows nothing of the dice."""

from dicereader.reading import DiceReading, Doubt, match_places
from dicereader.stages.shared.scoring import LIKELY

POSE_DOUBTS = {Doubt.COCKED, Doubt.STACKED, Doubt.CUT}
"""Doubts about a die's pose: the geometry sees it better than the second reading."""


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
