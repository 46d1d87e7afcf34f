"""Judge the chosen dice: the confidence of each, its doubts, and whether the reading is sure."""

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Ints
from dicereader.data.frame import SATURATED
from dicereader.reading import DiceReading, Doubt, outlined_die, reading_of
from dicereader.stages.shared.crops import colours_at, tones_of
from dicereader.stages.shared.detector import CORNERS, Candidates
from dicereader.stages.shared.layouts import PIP_TO_HALF
from dicereader.stages.shared.rectify import MOST_GAIN, PictureView
from dicereader.stages.shared.sampling import GREY, sample_level
from dicereader.stages.shared.scoring import LIKELY, confidences, logistic
from dicereader.stages.unknown.choose import OVERLAP, ChosenDice, FoundDice
from dicereader.stages.unknown.slant import leaning_features, relative_flatness

TOGETHER = 0.85
"""Probability that all dice of a sure reading are right, as the formula tells it. Without doubts of other kinds they
are right more often: the formula was fitted to all dice, also those beside a doubtful object."""

BLURRED = 1.1
"""Width of the steepest rims on a face, in radii of usual pips, from which the die is out of focus or moving. Of 212
dice none is beyond it as taken; after a Gaussian blur of 0.4 radii 73 % are, and after one of 0.6 radii 96 %."""

CUT = 0.85
"""A die is cut if a corner of its face is outside the picture, this fraction of the way from the middle: dice are
rounded there."""

TOUCHING = 2.4
"""Distance of two faces' middles, in half edges, below which the dice touch."""

HIGH = 0.7
"""Edges of a die from its top face to the base that bounds it: round corners hide the rest. Of the values from 0 to 1
it gives the boxes of 514 rendered dice best (median overlap 0.88 to 0.91, with the top face alone 0.80 to 0.84)."""

STEEPEST = 0.98
"""Quantile of the slopes on a face that counts as its steepest one. The rim of even a single pip covers more than the
rest."""

_ON_FACE = np.linspace(-0.8, 0.8, 41)
_ACROSS_FACE = np.stack(np.meshgrid(_ON_FACE, _ON_FACE), -1).reshape(-1, 2)


def judge(view: PictureView, chosen: ChosenDice, expect: int | None, *, unread: bool) -> DiceReading:
    """Return the reading of the chosen dice.

    Args:
        view: the picture.
        chosen: the dice.
        expect: the expected number of dice.
        unread: whether candidates or objects were not read that may be dice.
    """
    whole = [Doubt.COUNT] if unread or expect not in (None, len(chosen.dice)) else []
    if chosen.usual_half is None:
        # In the dark and in glare an empty tray cannot be told from one with dice.
        whole += [Doubt.DARK] * (view.gain >= MOST_GAIN) + [Doubt.GLARE] * bool(view.levels[-1].min() > SATURATED)
        return reading_of((), whole)
    top = chosen.dice.places.corners
    # How far from its base each top face is seen: `HIGH` edges along its normal.
    height = HIGH * chosen.dice.whole.slant * 2 * chosen.dice.places.half[:, None]
    corners, base = (view.in_picture(each).tolist() for each in (top, top - height[:, None]))
    confidence = confidences(chosen.dice.places, chosen.dice.probability)
    doubts = pose_doubts(view, chosen)
    for n in least_sure(confidence):
        doubts[n] += _reasons(view, chosen, int(n))
    faces, sure = chosen.dice.face.tolist(), confidence.tolist()
    return reading_of(map(outlined_die, faces, corners, base, sure, doubts), whole)


def features_of_leaning(view: PictureView, dice: FoundDice) -> dict[str, Floats]:
    """Return the features by which each die leans, by name, each (n,)."""
    places = dice.places
    return leaning_features(view, places.centre, dice.whole, relative_flatness(places.u, places.v))


def least_sure(confidence: Floats) -> Ints:
    """Return the fewest dice without which all others are right with a probability of `TOGETHER`.

    The risks add up: six dice of 0.97 each are all right in only 83 of 100 throws.
    """
    order = np.argsort(confidence, kind="stable")
    all_right = np.cumprod(confidence[order][::-1])[::-1]  # this die and all surer ones
    return np.asarray(order[all_right < TOGETHER], np.intp)


def pose_doubts(view: PictureView, chosen: ChosenDice) -> list[list[Doubt]]:
    """Return for each die the doubts that hold however sure its face is: cocked, stacked, cut, contested."""
    places = chosen.dice.places
    leans = logistic("leans", features_of_leaning(view, chosen.dice)) > LIKELY
    rim = places.points(CUT * CORNERS)
    inside = (rim >= view.frame) & (rim <= np.array(view.size) - 1 - view.frame)
    signs = {
        Doubt.COCKED: leans,
        Doubt.STACKED: chosen.dice.nearest < OVERLAP * 2 * places.half,
        Doubt.CUT: ~np.asarray(inside.all((1, 2)), np.bool_),
        Doubt.FACE: chosen.dice.contested,
    }
    return [[doubt for doubt, sign in signs.items() if sign[n]] for n in range(len(places))]


def _reasons(view: PictureView, chosen: ChosenDice, n: int) -> list[Doubt]:
    """Return why die n may be read wrong, if its confidence is low; `FACE` if no reason is found."""
    places = chosen.dice.places
    away = np.hypot(*(places.centre - places.centre[n]).T)
    die = places.take(np.array([n]))
    base, contrast, polarity = (float(each[0]) for each in tones_of(colours_at(view, die)))
    signs = {
        Doubt.TOUCHING: ((away > 0) & (away < TOUCHING * places.half[n])).any(),
        Doubt.DARK: base < 60 * view.gain and contrast < 30 * view.gain,
        Doubt.GLARE: base > 245 or (polarity < 0 and contrast < 40 < 140 < base),
        Doubt.BLURRED: _rim_width(view, die) > BLURRED,
    }
    return [doubt for doubt, sign in signs.items() if sign] or [Doubt.FACE]


def _rim_width(view: PictureView, die: Candidates) -> float:
    """Return the width of the steepest rims on one die's face, from dark to light, in radii of usual pips."""
    level = int(np.clip(np.floor(np.log2(max(PIP_TO_HALF * float(die.half[0]), 1) / 4)), 0, len(view.levels) - 1))
    colours = sample_level(view.levels[level], die.points(_ACROSS_FACE)[0], level)
    grey = cv2.GaussianBlur((colours @ GREY).reshape(len(_ON_FACE), -1), (0, 0), 1.0)
    steepest = np.quantile(np.hypot(*np.gradient(grey)), STEEPEST) / (_ON_FACE[1] - _ON_FACE[0])
    low, high = np.quantile(grey, (0.02, 0.98))
    return float(high - low) / max(float(steepest) * PIP_TO_HALF, 1e-6)
