"""Search a picture for scored candidates: coarsely, and finely only if the dice are small."""

from collections.abc import Callable

import numpy as np

from dicereader.data.arrays import Floats
from dicereader.stages.shared.classify import FIRST_CROP, SECOND_CROP, classify_once
from dicereader.stages.shared.detector import EDGES_PX, Candidates, find_candidates, levels_of
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.scoring import LEAST, SAME_SIZE, UNLIKELY, Scored, score

MAYBE_LARGE, BELIEVED = 0.6, 0.85
"""Detector's probability, then score, that one large coarse candidate must reach before the sizes of all are believed
without a finer search."""

Filter = Callable[[Candidates], Candidates]


def search(view: PictureView, keep: Filter) -> tuple[Scored, float | None]:
    """Return the scored candidates, and the half edge in pixels of the dice, None without dice.

    `keep` gives those of the detector's candidates that may be dice. The finest level takes most of the time, and is
    of no use if the dice are larger than the detector can find there.
    """
    levels = levels_of(view)
    if len(levels) == 1:
        return _with_size(view, keep(find_candidates(view)))
    coarse = keep(find_candidates(view, levels[1:]))
    large = EDGES_PX[1] * 2.0 ** levels[0]
    if coarse.probability[2 * coarse.half > large].max(initial=0.0) > MAYBE_LARGE:
        scored, usual = _with_size(view, coarse)
        dice = scored.take(scored.score > LEAST)
        if usual is not None and 2 * dice.half.min() > large and dice.score.max() > BELIEVED:
            return scored, usual
    return _with_size(view, keep(find_candidates(view, levels[:1], coarse)))


def _with_size(view: PictureView, candidates: Candidates) -> tuple[Scored, float | None]:
    scored = score_likely(view, candidates)
    return scored, _common_half(scored.score, scored.half)


def score_likely(view: PictureView, candidates: Candidates) -> Scored:
    """Return the candidates that may be dice with their scores. Those whose first crop is unlikely have no second."""
    first = score(classify_once(view, candidates, FIRST_CROP))
    classified = classify_once(view, first.classified.candidates.take(first.score > UNLIKELY), SECOND_CROP)
    return score(classified.take(classified.probability > UNLIKELY))


def _common_half(score: Floats, half: Floats) -> float | None:
    """Return the half edge that most faces agree on, None without dice."""
    # A few good faces outweigh a carpet of poor ones, and large objects are seldom like a face by chance.
    weight = np.where(score > LEAST, score**4, 0.0) * half
    if not weight.any():
        return None
    votes = np.exp(-0.5 * (np.log(half[:, None] / half) / SAME_SIZE) ** 2) @ weight
    near = np.abs(np.log(half / half[votes.argmax()])) < SAME_SIZE
    return float(np.exp(np.average(np.log(half[near]), weights=weight[near])))
