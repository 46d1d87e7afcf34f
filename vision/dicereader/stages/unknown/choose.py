"""Choose the dice among the scored candidates: those with the best scores that do not overlap and have one size."""

from dataclasses import dataclass

import numpy as np

from dicereader.data.arrays import Bools, FaceNumbers, Floats, Ints, Records
from dicereader.stages.shared import scoring
from dicereader.stages.shared.classify import Classified, classify_all_round
from dicereader.stages.shared.crops import colours_at, crops_of, find_crops, tones_of
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.scoring import HINT, LEAST, LIKELY, UNLIKELY, Scored, best_apart, size_likelihood
from dicereader.stages.shared.whole_die import WholeDice, no_whole_dice, see_whole, told_by_both
from dicereader.stages.unknown.slant import find_sides, level_slants

BODY, BODY_SIZE = 0.3, 0.22
"""Detector's probability, and difference of the logarithms of the sizes, from which a candidate without clear pips may
be a die: glare takes the pips from dice."""

NO_FACE = 0.04
"""The classifier's probability of any face, all round, below which a place that looks like a die without pips is none.
It is lower for 3 of 83 dice that were not read, and for 80 of 133 other objects of their size and colour."""

SHADOW = 0.8
"""Fraction of the darkest die's grey level below which a candidate without pips is a shadow."""

CERTAIN = 0.6
"""Score from which a candidate of any size may be a die."""

LEAST_ALL_ROUND = 0.35
"""Score from all four ways to turn its crop from which a candidate is read as a die."""

LEAST_CONFIDENT = 0.2
"""Confidence below which a candidate of such a score is in doubt and is not read."""

FAINT_HINT = 0.03
"""Score from which a candidate may be a die in a picture without dice."""

SAME = 1.0
"""Distance, in half edges, below which two candidates are on one die."""

APART = 0.5
"""Distance, as a fraction of both half edges, below which two faces are one."""

OVERLAP = 0.8
"""Distance, as a fraction of both half edges, below which two faces overlap. Level dice do not."""


@dataclass(frozen=True, eq=False)
class FoundDice(Records):
    """Dice that do not overlap, and the evidence for each, as arrays of length n.

    `places` are where the top faces are, with the detector's probability of any face. `probability` is that of the face
    by both networks. `whole` is how each die looks to the network that sees whole dice. `contested` says whether an
    overlapping candidate, good enough to be a die, shows another face; `nearest` is the distance in pixels to the next
    clear face, read or not.
    """

    places: Candidates
    face: FaceNumbers
    probability: Floats
    whole: WholeDice
    contested: Bools
    nearest: Floats


@dataclass(frozen=True, eq=False)
class ChosenDice:
    """The dice of a picture.

    `usual_half` is the half edge in pixels that they have in common, None without dice. `hints` is how many candidates
    were not read and may be dice.
    """

    dice: FoundDice
    usual_half: float | None
    hints: int


def choose(view: PictureView, scored: Scored, usual: float | None) -> ChosenDice:
    """Return the dice among the candidates that `search` found in a picture, and the half edge that it told."""
    if usual is None:
        return _no_dice(view, scored)
    of_size = size_likelihood(scored.half, usual)
    bodies = (scored.classified.candidates.probability > BODY) & (np.abs(np.log(scored.half / usual)) < BODY_SIZE)
    likely = np.flatnonzero((scored.score * of_size > HINT) | (scored.score > CERTAIN) | bodies)
    classified, of_size, bodies = scored.classified.take(likely), of_size[likely], bodies[likely]
    base_score = scored.score[likely]
    whole = see_whole(view, classified.candidates)
    clear, sides, own_sides = _without_sides(view, classified.candidates, whole, base_score * of_size)
    base_score = np.where(own_sides, 0.0, base_score)
    final = base_score * of_size
    bodies &= (final < LEAST) & ~own_sides
    worth = np.where(bodies | (base_score > CERTAIN), np.maximum(final, LEAST), final)
    seen = np.concatenate([clear, _others(classified.candidates, worth, clear)])
    found, whole, of_size = classified.take(seen), whole.take(seen), of_size[seen]
    colours = colours_at(view, found.candidates)
    crops = crops_of(colours)
    # Keys, plugs and letters may look like a die in one way to turn their crop, but seldom in all four.
    all_round = classify_all_round(found, crops)
    both = told_by_both(view, all_round, whole)
    by_one, by_both = (scoring.score(each).score * of_size for each in (all_round, both))
    score = np.where(np.arange(len(seen)) < len(clear), np.maximum(by_one, by_both), by_both)
    accepted = score >= LEAST_ALL_ROUND
    probability = both.classes[np.arange(len(both)), both.face]
    are_dice = accepted & ~sides[seen] & (scoring.confidences(both.candidates, probability) >= LEAST_CONFIDENT)
    if not are_dice.any():
        return _no_dice(view, scored)
    grey = tones_of(colours)[0]
    hints = _may_be_dice(all_round, whole, of_size, bodies[seen] & (grey > SHADOW * grey[are_dice].min()))
    hints |= accepted
    chosen, dice = seen[are_dice], both.take(are_dice)
    found_dice = FoundDice(
        places=dice.candidates,
        face=dice.face,
        probability=probability[are_dice],
        whole=whole.take(are_dice),
        contested=_contested(classified, dice.face, final, chosen),
        nearest=_nearest(classified.candidates, final, chosen),
    )
    return ChosenDice(found_dice, usual, int((hints & ~are_dice).sum()))


def _without_sides(
    view: PictureView, candidates: Candidates, whole: WholeDice, score: Floats
) -> tuple[Ints, Bools, Bools]:
    """Return the best candidates that do not overlap and show no sides of dice, then what `find_sides` tells of all."""
    first = best_apart(candidates.centre, score, candidates.half, APART, LEAST)
    levels = level_slants(view, candidates.centre[first], whole.slant[first], candidates.centre)
    # A side may have a better score than its die's top face.
    may_be_sides, _ = find_sides(candidates, whole.slant, levels, np.flatnonzero(score >= LEAST))
    clear = best_apart(candidates.centre, np.where(may_be_sides, 0.0, score), candidates.half, OVERLAP, LEAST)
    return clear, *find_sides(candidates, whole.slant, levels, clear)


def _nearest(candidates: Candidates, score: Floats, chosen: Ints) -> Floats:
    """Return the distance of each chosen die to the next clear face of another die, in pixels."""
    half = candidates.half
    own = half[chosen][:, None]
    gap = _gaps(candidates, chosen)
    other = (score > LIKELY) & (gap > 0.7 * own) & (np.abs(np.log(half / own)) < 0.25)
    return np.asarray(np.where(other, gap, np.inf).min(1, initial=np.inf), np.float64)


def _contested(classified: Classified, face: FaceNumbers, score: Floats, chosen: Ints) -> Bools:
    """Return which chosen dice overlap with a candidate that shows another face and is good enough to be a die."""
    half = classified.candidates.half
    overlaps = _gaps(classified.candidates, chosen) < SAME * np.minimum(half[chosen][:, None], half)
    other = (classified.face != face[:, None]) & (score >= LEAST)
    return np.asarray((overlaps & other).any(1), np.bool_)


def _gaps(candidates: Candidates, chosen: Ints) -> Floats:
    """Return the distances in pixels between the chosen candidates and all, (m, n)."""
    centre = candidates.centre
    return np.asarray(np.hypot(*(centre[chosen][:, None] - centre).transpose(2, 0, 1)), np.float64)


def _others(candidates: Candidates, score: Floats, clear: Ints) -> Ints:
    """Return the indices of the best other candidates that overlap neither with clear dice nor with each other."""
    half = candidates.half
    left = np.flatnonzero(score > HINT)
    free = left[np.all(_gaps(candidates, clear).T[left] > 0.75 * (half[left][:, None] + half[clear]), 1)]
    return free[best_apart(candidates.centre[free], score[free], half[free], OVERLAP, HINT)]


def _may_be_dice(all_round: Classified, whole: WholeDice, of_size: Floats, pale: Bools) -> Bools:
    """Return which candidates may be dice although they were not read, (n,).

    To the classifier, all round, such a candidate looks somewhat like a die of the usual size, or clearly like one of
    another size, or it is a `pale` body and has something of a face. The network of whole dice sees something of a face
    in it, too. `of_size` (n,) says how well the sizes agree with the usual one, from 0 to 1.
    """
    score = scoring.score(all_round).score
    alike = (score * of_size > HINT) | (score > CERTAIN) | (pale & (all_round.probability > NO_FACE))
    return np.asarray(alike & (whole.probability > UNLIKELY), np.bool_)


def _no_dice(view: PictureView, scored: Scored) -> ChosenDice:
    faint = scored.classified.take(scored.score > FAINT_HINT)
    faint = faint.take(scoring.score(classify_all_round(faint, find_crops(view, faint.candidates))).score > FAINT_HINT)
    none, nowhere = np.zeros(0), np.zeros((0, 2))
    places = Candidates(nowhere, nowhere, nowhere, none)
    dice = FoundDice(places, none.astype(np.int64), none, no_whole_dice(), none.astype(bool), none)
    return ChosenDice(dice, None, len(faint))
