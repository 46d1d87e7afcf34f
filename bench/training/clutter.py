"""Draw sheets of what the networks took for dice: keyboards, tokens with numerals, writing, seen at any slant."""

import cv2
import numpy as np
from grounds import GLYPHS
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Colour = NDArray[np.float64]

SIDE = 640
"""Pixels along the side of a sheet, before it is laid on a ground."""

CAPTIONS = (
    "alt",
    "ctrl",
    "fn",
    "shift",
    "enter",
    "option",
    "F1",
    "F3",
    "F7",
    "F9",
    "F12",
    "esc",
    "tab",
    "home",
    "pg up",
)


def clutter(rng: np.random.Generator, canvas: Picture, edge: float) -> None:
    """Lay a sheet of keys, tokens or writing somewhere on a ground, three to twelve dice's edges across."""
    sheet = [_keyboard, _tokens, _writing][int(rng.choice(3, p=[0.5, 0.25, 0.25]))](rng)
    across = edge * rng.uniform(3, 12)
    turn = rng.normal(0, 0.5) if rng.random() < 0.6 else rng.uniform(0, 6.3)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (across / 2, across / 2 * rng.uniform(0.6, 1))
    corners = corners * (1 + rng.normal(0, 0.08, (4, 1)))
    turned = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    height, width = canvas.shape[:2]
    quad = (turned + rng.uniform((0, 0), (width, height))).astype(np.float32)
    if across < SIDE:  # else the reduced sheet would have jagged rims
        sheet = np.asarray(cv2.GaussianBlur(sheet, (0, 0), max(0.01, 0.4 * SIDE / across - 0.2)), np.uint8)
    flat = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, quad)
    seen = cv2.warpPerspective(sheet, matrix, (width, height))
    there = cv2.warpPerspective(np.full((SIDE, SIDE), 255, np.uint8), matrix, (width, height)) > 127
    canvas[there] = seen[there]


def _colour(rng: np.random.Generator, low: float = 0.0, high: float = 255.0) -> Colour:
    """Return a colour, strong or pale, with channels between two bounds."""
    colour = rng.uniform(low, high, 3)
    return np.asarray(colour.mean() + rng.uniform(0, 1) * (colour - colour.mean()), np.float64)


def _plain(colour: Colour) -> Picture:
    return np.full((SIDE, SIDE, 3), colour.clip(0, 255), np.uint8)


def _text(
    rng: np.random.Generator, sheet: Picture, text: str, at: tuple[float, float], high: float, colour: Colour
) -> None:
    """Write a text around a point, `high` pixels high."""
    font, thick = int(rng.integers(0, 5)), max(1, round(high / rng.uniform(6, 14)))
    (across, tall), _ = cv2.getTextSize(text, font, 1, thick)
    scale = high / max(tall, 1)
    origin = round(at[0] - across * scale / 2), round(at[1] + high / 2)
    cv2.putText(sheet, text, origin, font, scale, colour.tolist(), thick, cv2.LINE_AA)


def _key(sheet: Picture, at: tuple[float, float], size: tuple[float, float], round_px: float, colour: Colour) -> None:
    """Draw a rectangle with round corners."""
    half = np.array(size) / 2
    radius = int(min(round_px, *half))
    low, high = (np.rint(np.array(at) + side * half).astype(int) for side in (-1, 1))
    for inset in ((radius, 0), (0, radius)):
        cv2.rectangle(sheet, (low + inset).tolist(), (high - inset).tolist(), colour.tolist(), cv2.FILLED)
    for x in (low[0] + radius, high[0] - radius):
        for y in (low[1] + radius, high[1] - radius):
            cv2.circle(sheet, (int(x), int(y)), radius, colour.tolist(), cv2.FILLED, cv2.LINE_AA)


def _keyboard(rng: np.random.Generator) -> Picture:
    """Return rows of keys, mostly dark, some lit from below through their letters."""
    dark = rng.random() < 0.75
    bounds, marks = ((2, 60), (150, 255)) if dark else ((150, 255), (2, 60))
    sheet = _plain(_colour(rng, *(bounds if rng.random() < 0.7 else marks)))
    body, glows = _colour(rng, *bounds), dark and rng.random() < 0.4
    mark = rng.uniform(0, 1, 3) ** 2 * 255 + (0, 0, 60) if glows else _colour(rng, *marks)
    key = rng.uniform(0.08, 0.2) * SIDE
    step, round_px, high = key * rng.uniform(1.03, 1.3), key * rng.uniform(0, 0.2), key * rng.uniform(0.18, 0.5)
    right, down = ((0.0, 0.0), (-0.2, -0.2), (-0.1, 0.15))[int(rng.integers(3))]
    letters, white = _plain(np.zeros(3)), np.full(3, 255.0)
    count = int(SIDE / step) + 2
    for row in range(count):
        shift = rng.uniform(0, step)
        for column in range(-1, count):
            x, y = shift + column * step, (row + 0.5) * step
            wide = key if rng.random() < 0.85 else 2.1 * key
            _key(sheet, (x, y), (wide, key), round_px, body * rng.uniform(0.5, 0.8))
            _key(sheet, (x, y - 0.04 * key), (0.9 * wide, key * rng.uniform(0.8, 0.95)), round_px, body)
            x, y = x + right * key, y + down * key
            if rng.random() < 0.65:
                _text(rng, letters, str(rng.choice(GLYPHS)), (x, y), high, white)
            elif rng.random() < 0.8:
                _text(rng, letters, str(rng.choice(CAPTIONS)), (x, y), 0.6 * high, white)
            if rng.random() < 0.3:
                _text(rng, letters, str(rng.choice(GLYPHS)), (x, y + 0.4 * key), 0.8 * high, white)
    share = letters / 255.0
    lit = sheet.astype(np.float64)
    if glows:
        lit += cv2.GaussianBlur(share, (0, 0), key * rng.uniform(0.03, 0.15)) * mark * rng.uniform(0.5, 1.5)
    return (lit * (1 - share) + mark * share).clip(0, 255).astype(np.uint8)


def _tokens(rng: np.random.Generator) -> Picture:
    """Return round tokens with rims, most with a letter or numeral."""
    sheet, step = _plain(_colour(rng)), rng.uniform(0.14, 0.3) * SIDE
    base, mark, rim = _colour(rng), _colour(rng), _colour(rng)
    for row in range(int(SIDE / step) + 1):
        for column in range(int(SIDE / step) + 1):
            if rng.random() < 0.35:
                continue
            x, y = step * (np.array([column, row]) + 0.5 + rng.uniform(-0.1, 0.1, 2))
            radius, middle = step * rng.uniform(0.33, 0.45), (round(x), round(y))
            for share, colour in ((1.0, rim), (rng.uniform(0.6, 0.95), base)):
                cv2.circle(sheet, middle, round(radius * share), colour.tolist(), cv2.FILLED, cv2.LINE_AA)
            if rng.random() < 0.6:
                _text(rng, sheet, str(rng.choice(GLYPHS)), (x, y), radius * rng.uniform(0.6, 1.1), mark)
    return sheet


def _writing(rng: np.random.Generator) -> Picture:
    """Return lines of letters of several sizes."""
    sheet, y = _plain(_colour(rng)), 0.0
    while y < SIDE:
        high, colour = SIDE * rng.uniform(0.03, 0.2), _colour(rng)
        x, y = rng.uniform(-0.3, 0) * SIDE, y + 1.4 * high
        while x < SIDE:
            text = "".join(rng.choice(GLYPHS, int(rng.integers(1, 6))))
            _text(rng, sheet, text, (x, y), high, colour)
            x += high * (len(text) + 0.6)
    return sheet
