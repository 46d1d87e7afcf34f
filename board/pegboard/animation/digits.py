"""Digits counted out in lit holes, so that people read a number from the board: one digit after the other, twice.

Each digit lights its number of holes from the start of a lane, in groups of five as on every cribbage board; a zero
lights ten. Each digit fades in, stays and fades out.
"""

from collections.abc import Iterator

from pegboard.animation.levels import wave
from pegboard.palette import WHITE
from pegboard.pegs import BoardView, HoleLight
from pegboard.track import Hole

DIGIT_S = 2.4
"""The time that a digit is lit."""

FADE_S = 0.5
BETWEEN_S = 0.8
"""The dark time after a digit."""

PAUSE_S = 2.0
"""The dark time before the first digit, each time."""

TIMES = 2
LEVEL = 0.8


def digits_duration_s(digits: tuple[int, ...]) -> float:
    """Return the duration of counting out these digits in seconds."""
    return TIMES * _once_s(digits) if digits else 0.0


def counted_out(view: BoardView, elapsed_s: float) -> Iterator[HoleLight]:
    """Yield the lit holes of the digit that is shown `elapsed_s` after the first pause began."""
    within = elapsed_s % _once_s(view.digits) - PAUSE_S
    place, into = divmod(within, DIGIT_S + BETWEEN_S)
    if within < 0 or into >= DIGIT_S:
        return
    shown = min(1.0, into / FADE_S, (DIGIT_S - into) / FADE_S)
    for hole in range(1, (view.digits[int(place)] or 10) + 1):
        yield HoleLight(view.turn or 0, Hole(hole), WHITE.rgb, LEVEL * (1 - wave(shown, 2.0)))


def _once_s(digits: tuple[int, ...]) -> float:
    return PAUSE_S + len(digits) * (DIGIT_S + BETWEEN_S)
