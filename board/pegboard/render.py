"""The LED frame of the board's lights on one layout."""

from functools import lru_cache

from pegboard.errors import FrameError
from pegboard.layouts.layout import Lane, Layout
from pegboard.ledframe import LedFrame, duty
from pegboard.palette import RGB
from pegboard.pegs import BoardLights, HoleLight
from pegboard.track import spot_of, walks

EARLIER_WALK = 0.4
"""The difference in brightness between a peg on the last walk and one on the first."""

FARKLE_LEVEL = 0.7
SHARE_S = 0.9
SHARE_FADE = 6.0
"""The speed of the fade of a peg that shares an LED, as a multiple of the speed of its turn."""

STEPS = 255


@lru_cache(maxsize=8192)
def _duty(rgb: RGB, step: int) -> bytes:
    """Return the LED's bytes for a colour at one of `STEPS` levels."""
    return bytes(duty(rgb, step / STEPS))


def render(shown: BoardLights, layout: Layout, brightness: float = 1.0) -> LedFrame:
    """Return the LED frame of the board's lights on a layout.

    Later lights cover earlier ones. If more sides play than the layout has lanes, sides share lanes, and pegs of
    several sides in one LED take turns.

    Args:
        shown: the lights.
        layout: the board.
        brightness: the factor of all levels, from 0 to 1 to the eye.

    Raises:
        FrameError: if the brightness is out of range.
    """
    if not 0.0 <= brightness <= 1.0:
        raise FrameError(f"expected a brightness from 0 to 1, got {brightness!r}")
    data = bytearray(3 * layout.leds)
    scale = brightness * STEPS

    def paint(led: int, rgb: RGB, level: float) -> None:
        data[3 * led : 3 * led + 3] = _duty(rgb, round(level * scale))

    sharing: dict[int, dict[int, tuple[RGB, float]]] = {}
    for light in shown.lights:
        lane = layout.lane_of(light.lane)
        led, level = _place(light, lane, shown.track.holes)
        if light.peg:
            sharing.setdefault(led, {})[light.lane] = (light.rgb, level)
        paint(led, light.rgb, level)
    shift, within = divmod(shown.now_s / SHARE_S + 0.5, 1.0)
    faded = min(1.0, SHARE_FADE * within, SHARE_FADE * (1 - within))
    for led, sides in sharing.items():
        if len(sides) > 1:
            rgb, level = list(sides.values())[int(shift) % len(sides)]
            paint(led, rgb, level * faded)
    for side in sorted(range(len(shown.farkles)), key=lambda side: (side == shown.turn, -side)):
        for number, lamp in enumerate(layout.lane_of(side).farkles):
            lit = min(max(shown.farkles[side] - number, 0.0), 1.0)
            paint(lamp.led, shown.colours[side], FARKLE_LEVEL * lit)
    for lamp, level in zip(layout.shelf, shown.shelf, strict=True):
        paint(lamp.led, shown.shelf_rgb, level)
    paint(layout.status.led, *shown.status)
    return LedFrame(bytes(data))


def _place(light: HoleLight, lane: Lane, holes: int) -> tuple[int, float]:
    """Return the LED of a light and its level; where a lane is walked more than once, the last walk is brightest."""
    if light.hole == holes:
        return lane.spots[-1].led, light.level
    walk, last = max(light.hole - 1, 0) // lane.walk, walks(holes, lane.walk) - 1
    led = lane.spots[spot_of(light.hole, holes, lane.walk)].led
    return led, light.level * (1 - EARLIER_WALK * (last - walk) / last) if last else light.level
