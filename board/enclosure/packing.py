"""Pack the boxes of small parts on as few pages or sheets as a simple rule finds."""

from collections.abc import Sequence
from dataclasses import dataclass

Size = tuple[float, float]


@dataclass(frozen=True)
class PackedPlace:
    """Where a box lies: its page from 0, and its upper left corner on that page."""

    page: int
    x: float
    y: float


@dataclass
class _Shelf:
    """A row of boxes on a page: its upper edge, its height, and the place of the next box."""

    page: int
    y: float
    high: float
    x: float = 0.0


def packed(sizes: Sequence[Size], window: Size, gap: float) -> list[PackedPlace]:
    """Return a place for each box, in the order of `sizes`; no two boxes are nearer than `gap`.

    The highest boxes are placed first, each in the first row that has space for it.

    Raises:
        ValueError: if a box is larger than the window.
    """
    wide, high = window
    places: dict[int, PackedPlace] = {}
    shelves: list[_Shelf] = []
    ends: list[float] = []
    for number in sorted(range(len(sizes)), key=lambda n: (-sizes[n][1], -sizes[n][0], n)):
        long, tall = sizes[number]
        if long > wide or tall > high:
            raise ValueError(f"expected boxes within {wide:g} x {high:g} mm, got {long:g} x {tall:g}")
        shelf = next((each for each in shelves if tall <= each.high and each.x + long <= wide), None)
        if shelf is None:
            page = next((n for n, end in enumerate(ends) if end + tall <= high), len(ends))
            if page == len(ends):
                ends.append(0.0)
            shelf = _Shelf(page, ends[page], tall)
            ends[page] += tall + gap
            shelves.append(shelf)
        places[number] = PackedPlace(shelf.page, shelf.x, shelf.y)
        shelf.x += long + gap
    return [places[number] for number in range(len(sizes))]
