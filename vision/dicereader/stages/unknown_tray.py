"""Look at a table that nobody knows, or of which too little is known: the stages in their order, in as much detail as
the dice need, and once more in other ways."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.reading import Told
from dicereader.stages.choose import Chosen, choose
from dicereader.stages.detail import MORE, too_coarse
from dicereader.stages.detector import Places
from dicereader.stages.judge import doubtful, outline, readings
from dicereader.stages.rectify import MODERATE_PX, View, rectify
from dicereader.stages.sampling import sample_spots
from dicereader.stages.second import WAYS
from dicereader.stages.stretch import is_pale, stretched
from dicereader.stages.unread import unread
from dicereader.tray.calibration import Calibration
from dicereader.tray.tags import beside_the_tray, find_tags, inside, on_tags, with_hidden

Floats = NDArray[np.float64]

NEW = 14.0
"""How much in any colour channel a place must have changed to be more than noise or another light."""

_SPOTS = np.linspace(-0.7, 0.7, 5)
"""Where across and along a face it is compared with the picture without dice, in half edges."""


@dataclass(frozen=True, eq=False)
class Glance:
    """What is looked at: the view of a picture, the one of the empty tray, each where it is known, and printed tags.

    And what an earlier look left open: things that stand out and were not read (`before`), to be read now, and how much
    else (`doubts`), which reading it now does not settle.
    """

    view: View
    bare: View | None
    calibration: Calibration | None
    tags: Callable[[], dict[int, Floats]]
    before: tuple[Floats, ...] = ()
    doubts: int = 0

    def seen(self, way: Callable[[View], View]) -> "Glance":
        """The same in another light or size."""
        return replace(self, view=way(self.view), bare=None if self.bare is None else way(self.bare))

    def chosen(self, lap: Callable[[str], None] = lambda _: None) -> Chosen:
        """The dice chosen in it; `lap` is told each step that is done."""

        def among(places: Places) -> Places:
            if self.bare is not None:
                return places.take(_is_new(self.view, self.bare, places))
            if self.calibration is not None or not len(places):
                return places
            return places.take(~self.elsewhere(self.view.in_picture(places.centre)))

        return choose(self.view, among, lap)

    def told(self, chosen: Chosen, expect: int | None) -> Told:
        """What is told of the dice chosen in it."""
        missed = len(chosen.hints) + self.doubts + len(self.things(chosen))
        return readings(self.view, chosen, self.calibration, expect, missed)

    def things(self, chosen: Chosen) -> list[Floats]:
        """What stands out as a die does and is none of those chosen, by its corners (4, 2) in pixels of level 0."""
        now = unread(self.view, chosen, self.elsewhere) if self.view.die_px is None else []
        return [*now, *_not_on(outline(chosen.poses, chosen.half), self.before)]

    def elsewhere(self, points: Floats) -> NDArray[np.bool_]:
        """Which points of the picture (n, 2) lie where no die of the tray does: on a printed tag, or beside the tray
        whose corners they mark."""
        tags = self.tags()
        return on_tags(with_hidden(tags), points) | beside_the_tray(tags, points)


def look_unknown(
    pixels: Pixels,
    calibration: Calibration | None = None,
    empty: Pixels | None = None,
    lap: Callable[[str], None] = lambda _: None,
) -> tuple[Glance, Chosen]:
    """A picture and the dice chosen in it: of moderate size first, and in more detail while they are small there, or
    none are seen, and the picture has more. See `dicereader.reader.read_pixels`."""
    glance = _glance(pixels, calibration, empty)
    lap("rectify")
    chosen = glance.chosen(lap)
    while too_coarse(pixels, glance.view, chosen):
        width, height = glance.view.size
        glance = replace(_glance(pixels, calibration, empty, MORE * width * height), tags=glance.tags)
        lap("rectify")
        chosen = glance.chosen(lap)
    return glance, chosen


def look_again(glance: Glance, chosen: Chosen) -> Iterator[Glance]:
    """The ways to look a second time at a picture in which those dice were chosen."""
    for way in WAYS:
        yield glance.seen(way)
    things = glance.things(chosen)
    pale = [each for each in things if is_pale(glance.view, each)]
    # Where there are no more than hints, or a face is hard to see, other dice may not be seen at all.
    others = [*_not_on(pale, [*things, *chosen.hints]), *doubtful(chosen)]
    if pale or others:
        again = glance.seen(partial(stretched, things=[*pale, *others]))
        yield replace(again, before=tuple(pale), doubts=len(others))


def _not_on(taken: Collection[Floats], places: Iterable[Floats]) -> list[Floats]:
    """Those of the places whose middle is on none of those taken, all by their corners (4, 2)."""
    return [each for each in places if not any(inside(corners, each.mean(0, keepdims=True)).all() for corners in taken)]


def _glance(
    pixels: Pixels, calibration: Calibration | None, empty: Pixels | None, most_px: int = MODERATE_PX
) -> Glance:
    view = rectify(pixels, calibration, most_px)
    bare = None if empty is None else rectify(empty, calibration, most_px)
    return Glance(view, bare, calibration, cache(lambda: _tags(view)))


def _tags(view: View) -> dict[int, Floats]:
    """The printed tags of a picture, where they lie in it: found where it is of moderate size and bright enough."""
    return {number: view.in_picture(corners) for number, corners in find_tags(view.levels[0]).items()}


def _is_new(view: View, bare: View, places: Places) -> NDArray[np.bool_]:
    """Which places look otherwise than in the picture without dice."""
    across, along = np.meshgrid(_SPOTS, _SPOTS)
    steps = np.stack([across.ravel(), along.ravel()], 1)
    spots = places.centre[:, None] + steps[:, :1] * places.u[:, None] + steps[:, 1:] * places.v[:, None]
    before = sample_spots(bare.levels[0], spots, 0) * (view.gain / bare.gain)
    change = np.abs(sample_spots(view.levels[0], spots, 0) - before).max(2)
    return np.asarray(np.median(change, 1) > NEW, np.bool_)
