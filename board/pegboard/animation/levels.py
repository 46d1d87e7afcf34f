"""The level of a light over time: breathing, blinking, twinkling. Pure functions from seconds to a level from 0 to 1.

Nothing flashes more than three times a second: the double blink is two flashes in 1.6 s. In calm mode blinking lights
fade instead.
"""

import math
from collections.abc import Mapping

from pegboard.ledframe import GAMMA
from pegboard.palette import Shape
from pegboard.pegs import IdleStage

BREATH_S = 2.4
BLINK_S = 1.6
BLINK_ON_S = 0.18
PULSE_S = 4.0
TWINKLE_S = 1.1
ALTERNATE_S = 3.0
RHYTHM_S = 4.0
DIP_S = 0.45
"""The time from one dip of a rhythm to the next: 2.2 dips a second."""

DIP = 0.45
IDLE_LEVELS: Mapping[IdleStage, tuple[float, float]] = {
    IdleStage.DIM: (1.0, 0.45),
    IdleStage.ASLEEP: (0.45, 0.15),
}
"""The brightness of the board before and after the fade of an idle stage."""

IDLE_FADE_S = 5.0
"""The duration of this fade."""


def wave(elapsed_s: float, period_s: float) -> float:
    """Return a cosine wave: 1 at 0 s, 0 after half a period."""
    return 0.5 + 0.5 * math.cos(2 * math.pi * elapsed_s / period_s)


def breathe(now_s: float, idle: IdleStage = IdleStage.AWAKE, least: float = 0.35) -> float:
    """Return a slow breath between `least` and 1, full at 0 s, and deeper on an idle board."""
    if idle is not IdleStage.AWAKE:
        least *= 0.4
    return least + (1 - least) * wave(now_s, BREATH_S)


def double_blink(elapsed_s: float, calm: bool) -> float:
    """Return two flashes and a pause; in calm mode one slow fade."""
    if calm:
        return 1 - wave(elapsed_s, 2 * BLINK_S)
    within = elapsed_s % BLINK_S
    return 1.0 if within < BLINK_ON_S or 2 * BLINK_ON_S <= within < 3 * BLINK_ON_S else 0.0


def pulse(elapsed_s: float) -> float:
    """Return a slow pulse from dark to half and back."""
    return 0.5 - 0.5 * wave(elapsed_s, PULSE_S)


def twinkle(elapsed_s: float, calm: bool) -> float:
    """Return a quick, uneven shimmer, less than twice a second; in calm mode a breath."""
    if calm:
        return breathe(elapsed_s, least=0.5)
    return 0.4 + 0.6 * wave(elapsed_s, TWINKLE_S) * (0.6 + 0.4 * wave(elapsed_s, 2.7 * TWINKLE_S))


def alternating(elapsed_s: float, which: int, among: int) -> float:
    """Return the level of light `which` of `among` lights that take turns, each fading in and out."""
    period_s = ALTERNATE_S / 2 * among
    within = (elapsed_s - which * ALTERNATE_S / 2) % period_s
    return math.sin(math.pi * within / (ALTERNATE_S / 2)) if within < ALTERNATE_S / 2 else 0.0


def shape_rhythm(shape: Shape, elapsed_s: float) -> float:
    """Return the level of a shape's rhythm, which distinguishes pegs of one colour.

    Every four seconds the light dips briefly, once for each shape that comes before this one; a circle has no dips.
    """
    within = elapsed_s % RHYTHM_S
    dip, into = divmod(within, DIP_S)
    if dip >= tuple(Shape).index(shape):
        return 1.0
    return 1 - DIP * (1 - wave(into, DIP_S))


def idle_level(idle: IdleStage, since_s: float) -> float:
    """Return the brightness of a whole board that has been in an idle stage for `since_s`."""
    before, least = IDLE_LEVELS.get(idle, (1.0, 1.0))
    return before + (least - before) * min(max(since_s, 0.0) / IDLE_FADE_S, 1.0)


def scattered(number: int) -> float:
    """Return a number from 0 to 1 that looks random; the numbers are spread evenly (multiples of the golden ratio)."""
    return number * 0.6180339887498949 % 1


def crossfade(share: float) -> float:
    """Return the level of a light that has a share, from 0 to 1, of the light that it passes to its neighbour.

    The two lights always add up to the same: an LED's light is the level to the power of gamma.
    """
    return math.pow(max(share, 0.0), 1 / GAMMA)
