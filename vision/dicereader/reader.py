"""Read the dice of one picture: the stages in their order, each timed."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from dicereader.calibration import Calibration
from dicereader.errors import PictureError
from dicereader.frame import Pixels
from dicereader.known import look_known
from dicereader.pictures import load
from dicereader.reading import DiceReading, Told
from dicereader.stages.choose import Chosen, choose
from dicereader.stages.detail import MORE, too_coarse
from dicereader.stages.detector import Places
from dicereader.stages.judge import doubtful, outline, readings
from dicereader.stages.rectify import MODERATE_PX, View, rectify
from dicereader.stages.sampling import sample_spots
from dicereader.stages.second import WAYS, borne_out
from dicereader.stages.stretch import stretched
from dicereader.stages.unread import unread
from dicereader.stages.verdict import verdict
from dicereader.tags import beside_the_tray, find_tags, inside, on_tags, with_hidden

NEW = 14.0
"""How much in any colour channel a place must have changed to be more than noise or another light."""

_SPOTS = np.linspace(-0.7, 0.7, 5)
"""Where across and along a face it is compared with the picture without dice, in half edges."""


@dataclass
class Stopwatch:
    """Milliseconds of each stage of one reading, in their order."""

    ms: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=perf_counter)

    def lap(self, stage: str) -> None:
        """Book the time since the last lap on a stage."""
        now = perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + (now - self._last) * 1e3
        self._last = now


def read(
    picture: Path | str | Pixels, *, calibration: Calibration | None = None, expect: int | None = None
) -> DiceReading:
    """The dice of a picture file or of pixels (height, width, 3) BGR uint8.

    Raises PictureError where there is no picture, or one smaller than 16 x 16 or larger than 20 million pixels.
    """
    pixels = picture if isinstance(picture, np.ndarray) else load(picture)
    return read_pixels(pixels, calibration=calibration, expect=expect)


def read_pixels(
    pixels: Pixels,
    *,
    calibration: Calibration | None = None,
    empty: Pixels | None = None,
    expect: int | None = None,
    second_look: bool = True,
    watch: Stopwatch | None = None,
) -> DiceReading:
    """The dice of one picture, (height, width, 3) BGR uint8.

    `calibration` gives size, place and zone; a picture of another size than it was made for is a PictureError.
    `empty` is a picture of the same tray without dice: what looks the same in both is no die. `expect` is how many
    dice there must be. `second_look` is whether a picture in doubt is looked at again where there is no calibration; of
    a live camera the next frame shows more. `watch` takes the stages' times.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise PictureError(f"expected pixels (height, width, 3) of uint8, got {pixels.shape} of {pixels.dtype}")
    if min(pixels.shape[:2]) < 16:
        raise PictureError(f"expected a picture of at least 16 x 16 pixels, got {pixels.shape[1]} x {pixels.shape[0]}")
    if calibration is not None and not calibration.fits(pixels):
        wanted, got = f"{calibration.width_px} x {calibration.height_px}", f"{pixels.shape[1]} x {pixels.shape[0]}"
        raise PictureError(f"expected a picture of {wanted} pixels, as the calibration's, got {got}")
    if empty is not None and empty.shape != pixels.shape:
        raise PictureError(f"expected a picture as large as the empty tray's, {empty.shape}, got {pixels.shape}")
    watch = watch or Stopwatch()
    start = perf_counter()
    if calibration is not None and calibration.dice is not None and empty is not None:
        plane, level = look_known(pixels, calibration, calibration.dice, empty, watch.lap)
        told = verdict(plane, level, calibration, calibration.dice, expect)
        watch.lap("verdict")
    else:
        sight, chosen = _looked(pixels, calibration, empty, watch)
        told = sight.told(chosen, expect)
        watch.lap("judge")
        if calibration is None and second_look:
            told = borne_out(told, (each.told(_chosen(each, Stopwatch()), expect) for each in _again(sight, chosen)))
            watch.lap("second")
    dice, sure, doubts = told
    return DiceReading(dice=dice, sure=sure, doubts=doubts, ms=(perf_counter() - start) * 1e3)


def look(
    pixels: Pixels, calibration: Calibration | None = None, empty: Pixels | None = None, watch: Stopwatch | None = None
) -> tuple[View, Chosen]:
    """All stages but the last: the view of a picture and the faces chosen in it, not judged yet. See `read_pixels`."""
    sight, chosen = _looked(pixels, calibration, empty, watch or Stopwatch())
    return sight.view, chosen


@dataclass(frozen=True, eq=False)
class _Sight:
    """What is looked at: the view of a picture, the one of the empty tray, each where it is known, and printed tags.

    And what an earlier look did not read: things that stand out (`before`), and how many dice were only `hinted` at.
    """

    view: View
    bare: View | None
    calibration: Calibration | None
    tags: Callable[[], dict[int, NDArray[np.float64]]]
    before: tuple[NDArray[np.float64], ...] = ()
    hinted: int = 0

    def seen(self, way: Callable[[View], View]) -> "_Sight":
        """The same in another light or size."""
        return replace(self, view=way(self.view), bare=None if self.bare is None else way(self.bare))

    def told(self, chosen: Chosen, expect: int | None) -> Told:
        """What is told of the dice chosen in it."""
        missed = len(chosen.hints) + self.hinted + len(self.things(chosen))
        return readings(self.view, chosen, self.calibration, expect, missed)

    def things(self, chosen: Chosen) -> list[NDArray[np.float64]]:
        """What stands out as a die does and is none of those chosen, by its corners (4, 2) in pixels of level 0."""
        now = unread(self.view, chosen, self.elsewhere) if self.view.die_px is None else []
        return [*now, *_not_on(outline(chosen.poses, chosen.half), self.before)]

    def elsewhere(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points of the picture (n, 2) lie where no die of the tray does: on a printed tag, or beside the tray
        whose corners they mark."""
        tags = self.tags()
        return on_tags(with_hidden(tags), points) | beside_the_tray(tags, points)


def _looked(
    pixels: Pixels, calibration: Calibration | None, empty: Pixels | None, watch: Stopwatch
) -> tuple[_Sight, Chosen]:
    """A picture and the dice chosen in it: of moderate size first, and in more detail while they are small there, or
    none are seen, and the picture has more."""
    sight = _sight(pixels, calibration, empty)
    watch.lap("rectify")
    chosen = _chosen(sight, watch)
    while too_coarse(pixels, sight.view, chosen):
        width, height = sight.view.size
        sight = replace(_sight(pixels, calibration, empty, MORE * width * height), tags=sight.tags)
        watch.lap("rectify")
        chosen = _chosen(sight, watch)
    return sight, chosen


def _sight(pixels: Pixels, calibration: Calibration | None, empty: Pixels | None, most_px: int = MODERATE_PX) -> _Sight:
    view = rectify(pixels, calibration, most_px)
    bare = None if empty is None else rectify(empty, calibration, most_px)
    return _Sight(view, bare, calibration, cache(lambda: _tags(view)))


def _tags(view: View) -> dict[int, NDArray[np.float64]]:
    """The printed tags of a picture, where they lie in it: found where it is of moderate size and bright enough."""
    return {number: view.in_picture(corners) for number, corners in find_tags(view.levels[0]).items()}


def _again(sight: _Sight, chosen: Chosen) -> Iterator[_Sight]:
    """The ways to look a second time at a picture in which those dice were chosen."""
    for way in WAYS:
        yield sight.seen(way)
    things = sight.things(chosen)
    # Where there are no more than hints, dice are hard to see, and others may not be seen at all.
    hints = _not_on(things, chosen.hints)
    if pale := [*things, *hints, *doubtful(chosen)]:
        yield replace(sight.seen(partial(stretched, things=pale)), before=tuple(things), hinted=len(hints))


def _not_on(taken: Collection[NDArray[np.float64]], places: Iterable[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Those of the places whose middle is on none of those taken, all by their corners (4, 2)."""
    return [each for each in places if not any(inside(corners, each.mean(0, keepdims=True)).all() for corners in taken)]


def _chosen(sight: _Sight, watch: Stopwatch) -> Chosen:
    def among(places: Places) -> Places:
        if sight.bare is not None:
            return places.take(_is_new(sight.view, sight.bare, places))
        if sight.calibration is not None or not len(places):
            return places
        return places.take(~sight.elsewhere(sight.view.in_picture(places.centre)))

    return choose(sight.view, among, watch.lap)


def _is_new(view: View, bare: View, places: Places) -> NDArray[np.bool_]:
    """Which places look otherwise than in the picture without dice."""
    across, along = np.meshgrid(_SPOTS, _SPOTS)
    steps = np.stack([across.ravel(), along.ravel()], 1)
    spots = places.centre[:, None] + steps[:, :1] * places.u[:, None] + steps[:, 1:] * places.v[:, None]
    before = sample_spots(bare.levels[0], spots, 0) * (view.gain / bare.gain)
    change = np.abs(sample_spots(view.levels[0], spots, 0) - before).max(2)
    return np.asarray(np.median(change, 1) > NEW, np.bool_)
