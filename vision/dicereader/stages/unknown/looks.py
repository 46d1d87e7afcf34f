"""Look again at the places that leave a picture in doubt: cut them out, change them, and read them once more."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dicereader.data.arrays import Floats, Ints
from dicereader.reading import DiceReading
from dicereader.stages.shared.crops import FACE
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.rectify import PictureView, scaling, view_of
from dicereader.stages.shared.scoring import best_apart, confidences
from dicereader.stages.unknown.choose import OVERLAP, SAME, ChosenDice, choose
from dicereader.stages.unknown.judge import judge, least_sure
from dicereader.stages.unknown.search import OTHER_SIZE, search
from dicereader.stages.unknown.variants import VARIANTS, is_pale, stretched
from dicereader.tray.tags import inside

PLACE_REACH = 4.0
"""Half edges of a die around a place that are cut out."""

ENOUGH_PX = FACE.side / 2 / FACE.reach
"""Pixels of half an edge that are enough: a crop of the classifier shows no more."""

CELL = 16
"""Pixels of which the side of a square is a multiple, so that no pixel of the pyramid mixes two squares."""


@dataclass(frozen=True, eq=False)
class Places:
    """Places of a picture's view, each cut out as a square; the squares lie side by side in a view of their own.

    `view` is that view, and `side` the side of a square in its pixels. They show level `level` of the picture's view;
    `corner` (n, 2) is the first pixel of each square there, `origin` (n, 2) the same pixel in `view`. `middle` (n, 2)
    are the places in `view`.
    """

    view: PictureView
    level: int
    side: int
    corner: Ints
    origin: Ints
    middle: Floats

    def here(self, points: Floats, square: Ints) -> Floats:
        """Return points (n, ..., 2) of the picture's level 0 as points of `view`, each in one of the squares (n,)."""
        return (points + 0.5) / 2.0**self.level - 0.5 + self._shift(points, square)

    def there(self, points: Floats) -> Floats:
        """Return points (n, ..., 2) of `view` as points of the picture's level 0; the n are each in one square."""
        middle = points.mean(tuple(range(1, points.ndim - 1)))
        square = np.abs(middle[:, None] - (self.origin + self.side / 2)).max(2).argmin(1)
        return (points - self._shift(points, square) + 0.5) * 2.0**self.level - 0.5

    def _shift(self, points: Floats, square: Ints) -> Ints:
        """Return the shift of each square with as many axes as the points (n, ..., 2) to which it is added."""
        return (self.origin - self.corner)[square].reshape(len(square), *[1] * (points.ndim - 2), 2)


def cut_out(view: PictureView, places: Floats, usual_half: float) -> Places:
    """Return the places (n, 2) of a view, n at least 1, with the surroundings of a die of that half edge."""
    level = int(np.clip(np.floor(np.log2(max(usual_half / ENOUGH_PX, 1.0))), 0, len(view.levels) - 1))
    picture, half = view.levels[level], usual_half / 2.0**level
    height, width = picture.shape[:2]
    side = int(np.ceil(2 * PLACE_REACH * half / CELL)) * CELL
    corner = np.rint((places + 0.5) / 2.0**level - side / 2).astype(np.intp)
    columns = int(np.ceil(len(places) ** 0.5))
    each = np.arange(len(places))
    origin = np.stack([each % columns, each // columns], 1) * side
    sheet = np.zeros((int(origin[-1, 1]) + side, columns * side, 3), np.uint8)
    for (left, top), (x, y) in zip(corner.tolist(), origin.tolist(), strict=True):
        rows, columns_of = (np.clip(np.arange(a, a + side), 0, b - 1) for a, b in ((top, height), (left, width)))
        sheet[y : y + side, x : x + side] = picture[np.ix_(rows, columns_of)]
    cut = replace(view_of(sheet, scaling(1, 1), 2 * half), gain=view.gain)
    found = Places(cut, level, side, corner, origin, np.zeros((0, 2)))
    return replace(found, middle=found.here(places, each))


def look_again(
    view: PictureView, chosen: ChosenDice, bodies: list[Floats], expect: int | None, most_places: int
) -> Iterator[DiceReading]:
    """Yield readings of a picture with all that is in doubt looked at again: as `VARIANTS`, then stretched.

    Yield nothing if nothing is in doubt, or if more than `most_places` places are: so much clutter stays in doubt.
    Yield nothing either if a hint has quite another size, because only dice of the usual size are looked for. After the
    stretch a reading is sure only if just pale bodies were in doubt and it reads them: beside hints and doubtful faces
    other dice may be invisible.

    Args:
        view: the picture.
        chosen: the dice and hints of the first look.
        bodies: the corners (4, 2), in pixels of level 0, of objects that look like dice and were not chosen.
        expect: the expected number of dice.
        most_places: how many doubtful dice, hints and bodies are looked at again.
    """
    doubtful = least_sure(confidences(chosen.dice.places, chosen.dice.probability))
    clear = chosen.dice.take(np.delete(np.arange(len(chosen.dice)), doubtful))
    objects = np.concatenate([chosen.dice.places.corners[doubtful], chosen.hints, np.reshape(bodies, (-1, 4, 2))])
    if chosen.usual_half is None or not 0 < len(objects) <= most_places:
        return
    half = np.hypot(*(chosen.hints[:, 2] - chosen.hints[:, 0]).T) / 8**0.5
    if (np.abs(np.log(half / chosen.usual_half)) > OTHER_SIZE).any():
        return
    places = cut_out(view, objects.mean(1), chosen.usual_half)

    def read(variant: PictureView, doubts: int) -> DiceReading:
        looked = _look(places, variant)
        both = clear.join(looked.dice)
        rank = np.append(np.full(len(clear), np.inf), looked.dice.score)
        dice = both.take(np.sort(best_apart(both.places.centre, rank, both.places.half, OVERLAP, 0.0)))
        corners = dice.places.corners
        unread = sum(not any(inside(each, body.mean(0, keepdims=True)).all() for each in corners) for body in bodies)
        found = ChosenDice(dice, chosen.usual_half, looked.hints)
        return judge(view, found, expect, len(looked.hints) + unread + doubts)

    for variant in VARIANTS:
        yield read(variant(places.view), 0)
    others = len(objects) - len(bodies)
    index = np.flatnonzero([n < others or is_pale(view, each) for n, each in enumerate(objects)])
    if len(index):
        yield read(stretched(places.view, places.here(objects[index], index)), others)


def _look(places: Places, variant: PictureView) -> ChosenDice:
    """Return the dice and hints at the places, in pixels of the picture's level 0, as a variant of them shows them."""
    half = places.view.die_px / 2 if places.view.die_px else 0.0

    def keep(candidates: Candidates) -> Candidates:
        off = variant.in_picture(candidates.centre)[:, None] - places.middle
        return candidates.take(np.hypot(*off.transpose(2, 0, 1)).min(1) < SAME * half)

    sized = replace(variant, die_px=2 * half / variant.reduction)
    found = choose(sized, *search(sized, keep))
    dice, scale = found.dice, variant.reduction * 2.0**places.level
    moved = replace(
        dice.places,
        centre=places.there(variant.in_picture(dice.places.centre)),
        u=dice.places.u * scale,
        v=dice.places.v * scale,
    )
    dice = replace(dice, places=moved, nearest=dice.nearest * scale)
    return ChosenDice(dice, found.usual_half, places.there(variant.in_picture(found.hints)))
