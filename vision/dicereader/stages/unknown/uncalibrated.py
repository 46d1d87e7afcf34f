"""Read a picture of dice of unknown size and colour: the stages in order, in enough detail."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

import numpy as np

from dicereader.data.arrays import Bools, Floats
from dicereader.data.frame import Pixels
from dicereader.reading import DiceReading
from dicereader.stages.shared.crops import FACE
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import MODERATE_PX, PictureView, framed, rectify
from dicereader.stages.shared.sampling import sample_level
from dicereader.stages.shared.scoring import LIKELY, Scored
from dicereader.stages.shared.whole_die import see_whole
from dicereader.stages.unknown.choose import ChosenDice, choose
from dicereader.stages.unknown.judge import judge
from dicereader.stages.unknown.search import search
from dicereader.stages.unknown.unread import find_unread
from dicereader.tray.calibration import Calibration, tag_corners_mm
from dicereader.tray.tags import find_tags, on_tags, outside_tags, with_hidden

CHANGED = 14.0
"""Levels of a colour channel by which a candidate must differ from the empty tray: more than noise or other light."""

WORTH_ENLARGING = 1.25
"""Reduction below which the original picture has little more detail to show."""

LARGE_PX = 400.0
"""Pixels of a face's edge in a view from which it may be a tray with dice for its pips, or a die that fills the
picture."""

SMALL_PX = 30.0
"""Pixels of a die's edge below which more detail makes the reading better."""

MORE_DETAIL = 4
"""Factor of the number of pixels in the next, more detailed view."""

MUCH_SMALLER = 0.35
"""Size of a face, as a fraction of a larger one around it, below which it is a die on an object or a pip."""

SURELY_A_DIE, MAYBE_A_DIE = (LIKELY, 0.97), (0.0, LIKELY)
"""Its score, and its probability by the network of whole dice, from which it is no pip. All 10 trays that were taken
for dice hold one that surely; of 26 dice whose pips look like faces, mirror a lamp for example, the surest pip has
0.96. On a large face, of which there is no better view, the second pair is enough: dice out of focus are no clearer."""

_FACE_GRID = np.stack(np.meshgrid(np.linspace(-0.7, 0.7, 5), np.linspace(-0.7, 0.7, 5)), -1).reshape(-1, 2)
"""Points of a face at which it is compared with the empty tray, in units of its side vectors."""


@dataclass(frozen=True, eq=False)
class ReadingPass:
    """One pass of the stages over a view of a picture.

    `empty` is the view of the empty tray, and `off_tray` says which points of the picture (n, 2) can be no die's: they
    are outside the tray, or on a printed tag. A face has an edge of less than `largest_px` pixels of the view.
    """

    view: PictureView
    empty: PictureView | None
    off_tray: Callable[[Floats], Bools]
    largest_px: float = np.inf

    @cached_property
    def searched(self) -> tuple[Scored, float | None]:
        """The scored candidates in the view, and the half edge in pixels of the dice, None without dice."""

        def keep(candidates: Candidates) -> Candidates:
            candidates = candidates.take(2 * candidates.half < self.largest_px)
            if self.empty is not None:
                candidates = candidates.take(_differ(self.view, self.empty, candidates))
            if not len(candidates):
                return candidates
            return candidates.take(~self.off_tray(self.view.in_picture(candidates.centre)))

        return search(self.view, keep)

    @cached_property
    def chosen(self) -> ChosenDice:
        """The dice chosen in the view."""
        return choose(self.view, *self.searched)

    @cached_property
    def unread(self) -> list[Floats]:
        """The corners, (4, 2) in pixels of level 0, of objects that look like dice and were not chosen."""
        return find_unread(self.view, self.chosen, self.off_tray)

    def judge(self, expect: int | None) -> DiceReading:
        """Return the reading of the chosen dice; `expect` is the expected number of dice."""
        # Objects are searched for only if no candidate is in doubt.
        unread = self.chosen.hints > 0 or len(self.unread) > 0
        return judge(self.view, self.chosen, expect, unread=unread)


def first_pass(pixels: Pixels, empty: Pixels | None = None, tray: Calibration | None = None) -> ReadingPass:
    """Return the pass over a picture at moderate size, or in more detail if its dice are small or none are found.

    `tray` is the camera over the tray; without it the tray's bounds are those of the tags in the picture. See
    `dicereader.reader.Reader`.
    """
    first = _pass_over(pixels, empty, MODERATE_PX, None if tray is None else partial(_off_known, tray))
    while _too_coarse(pixels, first):
        width, height = first.view.size
        first = _pass_over(pixels, empty, MORE_DETAIL * width * height, first.off_tray)
    if empty is None and first.chosen.usual_half is None:
        closely_cut = replace(first, view=framed(first.view))
        return first if closely_cut.chosen.usual_half is None else closely_cut
    places = first.chosen.dice.places
    if _hold_dice(pixels, first.view, places.take(2 * places.half > LARGE_PX), MAYBE_A_DIE):
        return replace(first, largest_px=LARGE_PX)
    return first


def _pass_over(
    pixels: Pixels, empty: Pixels | None, most_px: int, off_tray: Callable[[Floats], Bools] | None
) -> ReadingPass:
    view = rectify(pixels, most_px)
    return ReadingPass(view, None if empty is None else rectify(empty, most_px), off_tray or _off_tags(view))


def _off_known(tray: Calibration, points: Floats) -> Bools:
    """Return which points of the picture (n, 2) are outside a known tray, or on one of its tags."""
    tags = {n: tray.pixels_of(tag_corners_mm(tray.tray, n)) for n in range(4)}
    return tray.outside(points) | on_tags(tags, points)


def _off_tags(view: PictureView) -> Callable[[Floats], Bools]:
    """Return what tells which points of the picture (n, 2) are on a tag, or outside the tray that the tags mark.

    The tags are found once, when they are first needed, in a view of moderate size and brightness.
    """

    @cache
    def tags() -> dict[int, Floats]:
        return {number: view.in_picture(corners) for number, corners in find_tags(view.levels[0], quick=True).items()}

    return lambda points: on_tags(with_hidden(tags()), points) | outside_tags(tags(), points)


def _too_coarse(pixels: Pixels, first: ReadingPass) -> bool:
    """Return whether the picture has more detail than its view, and its dice are small, missing, or taken for pips."""
    view = first.view
    if view.reduction < WORTH_ENLARGING:
        return False
    _, usual = first.searched
    if usual is None or 2 * usual < SMALL_PX or first.chosen.usual_half is None:
        return True
    return _hold_dice(pixels, view, first.chosen.dice.places, SURELY_A_DIE)


def _hold_dice(pixels: Pixels, view: PictureView, places: Candidates, least: tuple[float, float]) -> bool:
    """Return whether the largest of the faces found has smaller dice on it, and so is a tray."""
    if not len(places):
        return False
    n = places.half.argmax()
    return _holds_dice(pixels, view, places.centre[n], float(places.half[n]), least)


def _holds_dice(pixels: Pixels, view: PictureView, centre: Floats, half: float, least: tuple[float, float]) -> bool:
    """Return whether a face has smaller faces on it: from afar a tray with dice resembles a die with pips."""
    low, high = (view.in_picture(centre + side * FACE.reach * half) for side in (-1, 1))
    (left, top), (right, bottom) = np.maximum(np.rint([low, high]).astype(int), 0)
    face = rectify(pixels[top:bottom, left:right])
    scored, _ = search(face, lambda candidates: candidates)
    smaller = (scored.score > least[0]) & (scored.half < MUCH_SMALLER * half * view.reduction / face.reduction)
    return bool((see_whole(face, scored.classified.candidates.take(smaller)).probability > least[1]).any())


def _differ(view: PictureView, empty: PictureView, candidates: Candidates) -> Bools:
    """Return which candidates look different in the picture of the empty tray."""
    points = candidates.points(_FACE_GRID)
    before = sample_level(empty.levels[0], points, 0) * (view.gain / empty.gain)
    change = np.abs(sample_level(view.levels[0], points, 0) - before).max(2)
    return np.asarray(np.median(change, 1) > CHANGED, np.bool_)
