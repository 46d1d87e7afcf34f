"""What a strip shows to a person who checks it, and the order of its colours from what the person saw."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import RefusedError
from companion.words import message
from pegboard.layouts import Layout
from pegboard.ledframe import LedFrame
from pegboard.power import within_budget

LEVEL = 120
COLOURS = {"red": (LEVEL, 0, 0), "green": (0, LEVEL, 0), "blue": (0, 0, LEVEL)}
"""The colours (red, green, blue: 0 to 255) by which the order of a strip's colours is found."""

WHITE = (24, 24, 24)
STEP_S = 0.03
"""Seconds from LED to LED along a lane."""

HELD_S = 20.0
"""Seconds that the last picture stays, unless another one is asked for."""

CHANNELS = {"red": "R", "green": "G", "blue": "B"}


@dataclass(frozen=True)
class StripPicture:
    """The LEDs that shine, one group after another, each `step_s` seconds; the last one stays for `HELD_S`."""

    groups: tuple[tuple[int, ...], ...]
    rgb: tuple[int, int, int] = WHITE
    step_s: float = 0.0

    def frame(self, leds: int, after_s: float, brightness: float, budget_ma: float) -> LedFrame | None:
        """Return the picture `after_s` seconds after its begin; None once it is over.

        Args:
            leds: the number of LEDs.
            after_s: seconds since the begin.
            brightness: from 0 to 1, as people see it.
            budget_ma: the most current in milliamperes.
        """
        step = int(after_s / self.step_s) if self.step_s else len(self.groups)
        if step >= len(self.groups) and after_s - self.step_s * len(self.groups) >= HELD_S:
            return None
        data = bytearray(3 * leds)
        for led in self.groups[min(step, len(self.groups) - 1)]:
            data[3 * led : 3 * led + 3] = bytes(round(value * brightness) for value in self.rgb)
        return within_budget(LedFrame(bytes(data)), budget_ma)


def strip_pictures(layout: Layout) -> Mapping[str, StripPicture]:
    """Return all pictures of a strip by name: the colours, a walk of each lane, its single lights, white, and dark."""
    whole = (tuple(range(layout.leds)),)
    lanes = [[lamp.led for lamp in (*lane.spots[: lane.walk + 1], lane.spots[-1])] for lane in layout.lanes]
    return {
        **{name: StripPicture(whole, rgb) for name, rgb in COLOURS.items()},
        **{
            f"lane-{number}": StripPicture(tuple((led,) for led in lane), step_s=STEP_S)
            for number, lane in enumerate(lanes, 1)
        },
        "shelf": StripPicture((tuple(lamp.led for lamp in layout.shelf),)),
        "status": StripPicture(((layout.status.led,),)),
        "white": StripPicture(whole),
        "dark": StripPicture(((),)),
    }


def picture_of(name: str, layout: Layout) -> StripPicture:
    """Return a picture of `strip_pictures` by its name.

    Raises:
        RefusedError: if there is none of this name.
    """
    try:
        return strip_pictures(layout)[name]
    except KeyError as error:
        raise RefusedError(message("set_up.no_trial", got=name)) from error


def order_seen(configured: str, seen: dict[str, str]) -> str:
    """Return the order of a strip's colours from what a person saw.

    The driver sends a colour's value in the place that the configured order gives it; the LED shows the colour that
    this place has in its own order.

    Args:
        configured: the order by which the colours were shown, such as `GRB`.
        seen: the colour that was seen, by the colour that was shown, for red, green and blue.

    Raises:
        RefusedError: if two shown colours look alike: then the strip is not one of three colours, or is broken.
    """
    if set(seen) != set(CHANNELS) or set(seen.values()) != set(CHANNELS):
        raise RefusedError(message("set_up.colours_alike"))
    place = {CHANNELS[shown]: CHANNELS[saw] for shown, saw in seen.items()}
    return "".join(place.get(channel, channel) for channel in configured)
