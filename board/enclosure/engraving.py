"""The words engraved on the board's face: lanes, the number of every tenth hole, and the finish.

Letters are single strokes: no font is needed, and a laser draws each stroke once.
"""

import math
import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from flat import Circle, Line, Rect, box_of

from pegboard.layouts import Layout
from pegboard.layouts.layout import Lamp
from pegboard.layouts.strips import to_segment
from pegboard.track import STREET

EVERY = 10
"""The holes from one number to the next."""

HIGH_MM, STREET_HIGH_MM = 3.0, 4.0
"""The height of a number, and of those at the ends of the streets, of lanes and finish."""

BESIDE_MM, RING_MM, CLEAR_MM = 4.8, 4.6, 0.6
"""From a hole to the middle of its number; the radius of the ring of the finish; from a stroke to an opening."""


WIDE, HIGH, APART = 4.0, 6.0, 2.0
"""The grid of a letter, and the space to the next one; y goes up."""

STROKES = tomllib.loads(Path(__file__).with_name("letters.toml").read_text(encoding="utf-8"))
"""The strokes of each letter, as lists of places on this grid."""


def engraved(layout: Layout, edge: float, outline: Rect, openings: Sequence[Circle]) -> tuple[Line, ...]:
    """Return the strokes, as seen from in front; a word that has no free place is left out.

    Args:
        layout: the board.
        edge: the distance of the layout's own corner from the face's.
        outline: the face.
        openings: all holes of the face.
    """
    game = layout.lanes[0].spots[-1]
    ring = tuple(
        (edge + game.x + RING_MM * math.cos(n * math.pi / 12), edge + game.y + RING_MM * math.sin(n * math.pi / 12))
        for n in range(25)
    )
    taken: list[Line] = [ring]
    for word, high, places in words(layout):
        for x, y in places:
            middle = (edge + x, edge + y)
            lines = [tuple((px, 2 * middle[1] - py) for px, py in line) for line in strokes(word, middle, high)]
            if _free(lines, outline, openings, taken):
                taken += lines
                break
    return tuple(taken)


def words(layout: Layout) -> Iterator[tuple[str, float, Sequence[tuple[float, float]]]]:
    """Yield each word with its height and the places that it may have in the layout, the best one first."""
    game = layout.lanes[0].spots[-1]
    wide = len("FINISH") * STREET_HIGH_MM / 2 + 2 * RING_MM
    yield "FINISH", STREET_HIGH_MM, [(game.x + wide, game.y), (game.x - wide, game.y), (game.x, game.y + 2 * RING_MM)]
    for number, lane in enumerate(layout.lanes, start=1):
        start, last = lane.spots[0], (lane.farkles or lane.spots)[-1]
        way = math.dist((start.x, start.y), (last.x, last.y))
        x, y = ((last.x - start.x) / way, (last.y - start.y) / way)
        yield str(number), STREET_HIGH_MM, [(last.x + 7 * x, last.y + 7 * y), *_beside(start)]
        for hole in range(EVERY, lane.walk + 1, EVERY):
            word = str(hole) if lane.walk == lane.lap else f"{hole}/{hole + lane.walk}"
            yield word, HIGH_MM if hole % STREET else STREET_HIGH_MM, _beside(lane.spots[hole])


def strokes(word: str, middle: tuple[float, float], high_mm: float) -> list[Line]:
    """Return the strokes of a word around `middle`, in millimetres, y up.

    Raises:
        ValueError: if a letter has no strokes.
    """
    unknown = sorted(set(word) - STROKES.keys())
    if unknown:
        raise ValueError(f"expected letters of {''.join(STROKES)}, got {''.join(unknown)!r} in {word!r}")
    scale = high_mm / HIGH
    left = middle[0] - scale * (len(word) * (WIDE + APART) - APART) / 2
    low = middle[1] - high_mm / 2
    return [
        tuple((round(left + scale * (n * (WIDE + APART) + x), 3), round(low + scale * y, 3)) for x, y in stroke)
        for n, letter in enumerate(word)
        for stroke in STROKES[letter]
    ]


def _beside(lamp: Lamp) -> list[tuple[float, float]]:
    sides = ((0, -1), (0, 1), (1, 0), (-1, 0))
    return [(lamp.x + x * 1.5 * BESIDE_MM, lamp.y + y * BESIDE_MM) for x, y in sides]


def _free(lines: Sequence[Line], outline: Rect, openings: Sequence[Circle], taken: Sequence[Line]) -> bool:
    """Return whether strokes are on the face, and clear of its holes and of other strokes."""
    left, top, right, bottom = _box(lines)
    if min(left, top, outline.wide - right, outline.high - bottom) < CLEAR_MM:
        return False
    for opening in openings:
        reach = opening.d / 2 + CLEAR_MM
        near = left - reach < opening.x < right + reach and top - reach < opening.y < bottom + reach
        if near and any(to_segment((opening.x, opening.y), *pair) < reach for line in lines for pair in pairwise(line)):
            return False
    boxes = map(box_of, taken)
    return not any(left < box[2] and box[0] < right and top < box[3] and box[1] < bottom for box in boxes)


def _box(lines: Sequence[Line]) -> tuple[float, float, float, float]:
    boxes = [box_of(line) for line in lines]
    return (*(min(box[n] for box in boxes) for n in (0, 1)), *(max(box[n] for box in boxes) for n in (2, 3)))
