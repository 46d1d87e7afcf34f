"""How bright a light is over time: breathing, blinking, twinkling. Pure functions of seconds to a level from 0 to 1.

Nothing flashes more than three times a second: the double blink is two flashes in 1.6 s. In calm mode lights that
would blink fade instead.
"""

import math
from collections.abc import Mapping

from pegboard.ledframe import GAMMA
from pegboard.palette import Shape
from pegboard.pegs import Rest

BREATH_S = 2.4
BLINK_S = 1.6
BLINK_ON_S = 0.18
PULSE_S = 4.0
TWINKLE_S = 1.1
ALTERNATE_S = 3.0
GAIT_S = 4.0
DIP_S = 0.45
"""From one dip of a gait to the next: 2.2 a second."""

DIP = 0.45
WEARY: Mapping[Rest, tuple[float, float]] = {Rest.DIM: (1.0, 0.45), Rest.ASLEEP: (0.45, 0.15)}
"""How bright a board was before a stage of rest, and how bright it is in it."""

TIRES_S = 5.0
"""It fades from one to the other in so many seconds."""


def wave(elapsed_s: float, period_s: float) -> float:
    """From 1 at 0 s down to 0 after half a period and back."""
    return 0.5 + 0.5 * math.cos(2 * math.pi * elapsed_s / period_s)


def breathe(now_s: float, rest: Rest = Rest.AWAKE, least: float = 0.35) -> float:
    """A slow breath between `least` and 1, full at 0 s; deeper where nothing has happened for a while."""
    if rest is not Rest.AWAKE:
        least *= 0.4
    return least + (1 - least) * wave(now_s, BREATH_S)


def double_blink(elapsed_s: float, calm: bool) -> float:
    """On, off, on, and a pause; in calm mode one slow fade instead."""
    if calm:
        return 1 - wave(elapsed_s, 2 * BLINK_S)
    within = elapsed_s % BLINK_S
    return 1.0 if within < BLINK_ON_S or 2 * BLINK_ON_S <= within < 3 * BLINK_ON_S else 0.0


def pulse(elapsed_s: float) -> float:
    """A slow pulse from dark to half and back."""
    return 0.5 - 0.5 * wave(elapsed_s, PULSE_S)


def twinkle(elapsed_s: float, calm: bool) -> float:
    """A leader's quick, uneven shimmer, less than twice a second; in calm mode a breath."""
    if calm:
        return breathe(elapsed_s, least=0.5)
    return 0.4 + 0.6 * wave(elapsed_s, TWINKLE_S) * (0.6 + 0.4 * wave(elapsed_s, 2.7 * TWINKLE_S))


def alternating(elapsed_s: float, which: int, among: int) -> float:
    """How far it is the turn of one of several that take turns, each fading in and out."""
    period_s = ALTERNATE_S / 2 * among
    within = (elapsed_s - which * ALTERNATE_S / 2) % period_s
    return math.sin(math.pi * within / (ALTERNATE_S / 2)) if within < ALTERNATE_S / 2 else 0.0


def gait(shape: Shape, elapsed_s: float) -> float:
    """What tells two pegs of one colour apart: the shape's number of short dips every four seconds (a circle has none).

    An LED cannot show a shape; its rhythm can.
    """
    within = elapsed_s % GAIT_S
    dip, into = divmod(within, DIP_S)
    if dip >= tuple(Shape).index(shape):
        return 1.0
    return 1 - DIP * (1 - wave(into, DIP_S))


def weariness(rest: Rest, since_s: float) -> float:
    """How bright the whole board still is: 1, then dim, then nearly asleep; it has been so for `since_s`."""
    before, least = WEARY.get(rest, (1.0, 1.0))
    return before + (least - before) * min(max(since_s, 0.0) / TIRES_S, 1.0)


def scattered(number: int) -> float:
    """A number from 0 to 1 that looks like chance; many of them lie evenly (multiples of the golden section)."""
    return number * 0.6180339887498949 % 1


def share(near: float) -> float:
    """A light's level when it has that much (0 to 1) of a light that goes over to its neighbour.

    The two together give the same light all the while: an LED's light is the level to the power of the gamma.
    """
    return math.pow(max(near, 0.0), 1 / GAMMA)
