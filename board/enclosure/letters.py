"""Letters as single strokes, for engraving: no font is needed, and a laser draws each stroke once."""

from collections.abc import Sequence

Stroke = tuple[tuple[float, float], ...]

WIDE, HIGH, APART = 4.0, 6.0, 2.0
"""The grid of a letter, and the space to the next one; y goes up."""

STROKES: dict[str, tuple[Stroke, ...]] = {
    "A": (((0, 0), (2, 6), (4, 0)), ((0.67, 2), (3.33, 2))),
    "B": (((0, 0), (0, 6), (3, 6), (4, 5), (4, 4), (3, 3.2), (0, 3.2)), ((3, 3.2), (4, 2.3), (4, 1), (3, 0), (0, 0))),
    "0": (((1, 0), (0, 1), (0, 5), (1, 6), (3, 6), (4, 5), (4, 1), (3, 0), (1, 0)),),
    "1": (((1, 4.8), (2, 6), (2, 0)),),
    "2": (((0, 5), (1, 6), (3, 6), (4, 5), (4, 4), (0, 0), (4, 0)),),
    "3": (((0, 6), (4, 6), (1.8, 3.5), (3, 3.5), (4, 2.5), (4, 1), (3, 0), (1, 0), (0, 1)),),
    "4": (((3, 0), (3, 6), (0, 2), (4, 2)),),
    "5": (((4, 6), (0.4, 6), (0, 3.2), (1, 3.7), (3, 3.7), (4, 2.7), (4, 1), (3, 0), (1, 0), (0, 1)),),
    "6": (((3.6, 6), (1, 4), (0, 2.4), (0, 1), (1, 0), (3, 0), (4, 1), (4, 2.4), (3, 3.4), (1, 3.4), (0, 2.4)),),
    "7": (((0, 6), (4, 6), (1.4, 0)),),
    "8": (
        ((1, 3.2), (0, 4), (0, 5), (1, 6), (3, 6), (4, 5), (4, 4), (3, 3.2), (1, 3.2)),
        ((1, 3.2), (0, 2.2), (0, 1), (1, 0), (3, 0), (4, 1), (4, 2.2), (3, 3.2)),
    ),
    "9": (((0.4, 0), (3, 2), (4, 3.6), (4, 5), (3, 6), (1, 6), (0, 5), (0, 3.6), (1, 2.6), (3, 2.6), (4, 3.6)),),
    "/": (((0.4, 0), (3.6, 6)),),
    "E": (((4, 0), (0, 0), (0, 6), (4, 6)), ((0, 3.2), (3, 3.2))),
    "F": (((0, 0), (0, 6), (4, 6)), ((0, 3.2), (3, 3.2))),
    "H": (((0, 0), (0, 6)), ((4, 0), (4, 6)), ((0, 3.2), (4, 3.2))),
    "I": (((2, 0), (2, 6)),),
    "K": (((0, 0), (0, 6)), ((4, 6), (0, 2.4)), ((1.3, 3.6), (4, 0))),
    "L": (((0, 6), (0, 0), (4, 0)),),
    "N": (((0, 0), (0, 6), (4, 0), (4, 6)),),
    "O": (((1, 0), (0, 1), (0, 5), (1, 6), (3, 6), (4, 5), (4, 1), (3, 0), (1, 0)),),
    "P": (((0, 0), (0, 6), (3, 6), (4, 5), (4, 3.8), (3, 2.8), (0, 2.8)),),
    "R": (((0, 0), (0, 6), (3, 6), (4, 5), (4, 3.8), (3, 2.8), (0, 2.8)), ((2, 2.8), (4, 0))),
    "S": (((4, 5), (3, 6), (1, 6), (0, 5), (0, 4.2), (1, 3.4), (3, 2.8), (4, 2), (4, 1), (3, 0), (1, 0), (0, 1)),),
}


def strokes(word: str, middle: tuple[float, float], high_mm: float) -> Sequence[Stroke]:
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
