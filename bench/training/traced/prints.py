"""Draw what is printed on grounds and things: a game's board, pages, cards, the screen of a phone."""

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 512
"""Pixels of a print's side."""

WORDS = (
    "THE", "DICE", "ARE", "CAST", "ROLL", "AGAIN", "100", "500", "1000", "START", "GO", "BANK", "FARKLE", "SCORE",
    "Lorem", "ipsum", "dolor", "sit", "amet", "1", "2", "3", "4", "5", "6",
)  # fmt: skip
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX)
Print = NDArray[np.uint8]


def game(seed: int, colour: tuple[int, ...], second: tuple[int, ...]) -> Print:
    """Return the board of a game: squares, a track, triangles or circles, with numbers and rules."""
    rng = np.random.default_rng([seed, 2])
    page = np.full((SIDE, SIDE, 3), colour, np.uint8)
    kind = rng.integers(5)
    count = int(rng.integers(4, 12))
    step = SIDE / count
    if kind == 0:  # squares of two colours
        for i in range(count):
            for j in range(i % 2, count, 2):
                _box(page, i * step, j * step, step, step, second)
    elif kind == 1:  # a track around, each field of its own colour
        for n in range(4 * (count - 1)):
            i, j = divmod(n, count - 1)
            x, y = ((j, 0), (count - 1, j), (count - 1 - j, count - 1), (0, count - 1 - j))[i]
            _box(page, x * step, y * step, step, step, _any(rng))
            cv2.rectangle(
                page, (int(x * step), int(y * step)), (int(x * step + step), int(y * step + step)), (20,) * 3, 2
            )
            _write(page, rng, str(n + 1), (x * step + 0.15 * step, y * step + 0.7 * step), step / 60, (20,) * 3)
    elif kind == 2:  # triangles from both sides
        for i in range(count):
            ink = second if i % 2 else _any(rng)
            for base, tip in ((0, 0.42), (1, 0.58)):
                corners = np.array([(i, base * count), (i + 1, base * count), (i + 0.5, tip * count)]) * step
                cv2.fillPoly(page, [np.rint(corners).astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == 3:  # rings and spots
        for _ in range(int(rng.integers(5, 40))):
            at = tuple(int(n) for n in rng.integers(0, SIDE, 2))
            thick = int(rng.choice([cv2.FILLED, 2, 6]))
            cv2.circle(page, at, int(rng.integers(5, 50)), _any(rng), thick, cv2.LINE_AA)
    else:  # holes in rows, as for pegs or a score
        for i in range(count * 2):
            for j in range(count * 2):
                if j % 4:
                    cv2.circle(
                        page,
                        (int((i + 0.5) * step / 2), int((j + 0.5) * step / 2)),
                        max(2, int(step / 9)),
                        second,
                        cv2.FILLED,
                        cv2.LINE_AA,
                    )
    for _ in range(int(rng.integers(0, 8))):
        _write(page, rng, str(rng.choice(WORDS)), rng.uniform(0, SIDE, 2), rng.uniform(0.5, 2.5), _any(rng))
    return page


def paper(seed: int, colour: tuple[int, ...]) -> Print:
    """Return a page: ruled, squared, blank, printed or written on."""
    rng = np.random.default_rng([seed, 3])
    page = np.full((SIDE, SIDE, 3), colour, np.uint8)
    kind = rng.integers(5)
    ink = tuple(int(n) for n in (np.array(colour) * rng.uniform(0.5, 0.9) + rng.integers(0, 40, 3)).clip(0, 255))
    step = int(rng.integers(12, 40))
    if kind in (0, 1):
        for at in range(0, SIDE, step):
            cv2.line(page, (0, at), (SIDE, at), ink, 1, cv2.LINE_AA)
            if kind == 1:
                cv2.line(page, (at, 0), (at, SIDE), ink, 1, cv2.LINE_AA)
    if kind in (0, 2, 3):
        high = rng.uniform(0.3, 0.9)
        for at in range(30, SIDE, int(40 * high) + 8):
            line = " ".join(rng.choice(WORDS, int(rng.integers(2, 9))))
            _write(page, rng, line, (rng.integers(5, 60), at), high, (40, 30, 30))
    if kind == 3:
        x, y = (int(n) for n in rng.integers(0, SIDE // 2, 2))
        cv2.rectangle(page, (x, y), (x + 220, y + 160), _any(rng), cv2.FILLED)
    return page


def card(seed: int) -> Print:
    """Return a playing card: spots in the places of its number. An eight has more of them than a die."""
    rng = np.random.default_rng([seed, 4])
    page = np.full((SIDE, SIDE * 2 // 3, 3), 240, np.uint8)
    width = page.shape[1]
    ink = (30, 25, 200) if rng.random() < 0.5 else (20, 20, 20)
    number = int(rng.integers(2, 11))
    rows = (number + 1) // 2
    for n in range(number):
        x = width * (0.33 if n % 2 == 0 else 0.67) if n < number - number % 2 else width / 2
        y = SIDE * (0.2 + 0.6 * (n // 2) / max(1, rows - 1))
        cv2.circle(page, (int(x), int(y)), SIDE // 22, ink, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(page, (int(x), int(y) + SIDE // 30), SIDE // 30, ink, cv2.FILLED, cv2.LINE_AA)
    for at in ((10, 50), (width - 60, SIDE - 12)):
        _write(page, rng, str(number), at, 1.5, ink)
    return page


def domino(seed: int) -> Print:
    """Return a domino: two squares of spots and a line between them, which no die has."""
    rng = np.random.default_rng([seed, 5])
    light = rng.random() < 0.5
    page = np.full((SIDE, SIDE // 2, 3), 235 if light else 20, np.uint8)
    ink = (20,) * 3 if light else (235,) * 3
    width = page.shape[1]
    cv2.line(page, (20, width), (width - 20, width), ink, 8, cv2.LINE_AA)
    for half in (0, 1):
        for x, y in SPOTS[int(rng.integers(0, 7))]:
            at = int(width * (0.5 + 0.27 * x)), int(width * (0.5 + half + 0.27 * y))
            cv2.circle(page, at, width // 11, ink, cv2.FILLED, cv2.LINE_AA)
    return page


SPOTS = (
    (), ((0, 0),), ((-1, -1), (1, 1)), ((-1, -1), (0, 0), (1, 1)), ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)), ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)  # fmt: skip


def screen(seed: int) -> Print:
    """Return the screen of a phone: rows of rounded icons on a colour, or lines of a chat."""
    rng = np.random.default_rng([seed, 6])
    page = np.full((SIDE, SIDE // 2, 3), rng.integers(0, 120, 3), np.uint8)
    width = page.shape[1]
    if rng.random() < 0.6:
        for i in range(4):
            for j in range(int(rng.integers(3, 8))):
                x, y, s = int(20 + i * 57), int(40 + j * 57), 38
                cv2.rectangle(page, (x, y), (x + s, y + s), _any(rng), cv2.FILLED)
                cv2.circle(page, (x + s // 2, y + s // 2), s // 4, _any(rng), cv2.FILLED, cv2.LINE_AA)
    else:
        for y in range(30, SIDE, 46):
            x = 12 if rng.random() < 0.5 else width // 3
            cv2.rectangle(page, (x, y), (x + width // 2, y + 34), _any(rng), cv2.FILLED)
            _write(page, rng, str(rng.choice(WORDS)), (x + 8, y + 24), 0.6, (245,) * 3)
    return page


def letter(seed: int) -> Print:
    """Return a tile with a letter or a sign."""
    rng = np.random.default_rng([seed, 7])
    page = np.full((SIDE, SIDE, 3), rng.integers(150, 245), np.uint8)
    if rng.random() < 0.3:
        page[:] = rng.integers(10, 60)
    ink = (235,) * 3 if page.mean() < 100 else (25,) * 3
    _write(page, rng, str(rng.choice(list("ABDEFGHKMNPQRSTXZ0789?!%&+"))), (110, 400), 14, ink, 28)
    return page


def _box(page: Print, x: float, y: float, wide: float, tall: float, fill: tuple[int, ...]) -> None:
    cv2.rectangle(page, (int(x), int(y)), (int(x + wide), int(y + tall)), fill, cv2.FILLED)


def _any(rng: np.random.Generator) -> tuple[int, int, int]:
    ink = rng.uniform(10, 240, 3)
    ink = ink.mean() + rng.uniform(0.1, 0.9) * (ink - ink.mean())  # inks are seldom as strong as a screen's colours
    blue, green, red = (int(n) for n in ink)
    return blue, green, red


def _write(
    page: Print, rng: np.random.Generator, text: str, at: object, scale: float, ink: tuple[int, ...], thick: int = 0
) -> None:
    x, y = at  # type: ignore[misc]
    font = FONTS[int(rng.integers(len(FONTS)))]
    cv2.putText(page, text, (int(x), int(y)), font, scale, ink, thick or max(1, round(scale * 1.6)), cv2.LINE_AA)
