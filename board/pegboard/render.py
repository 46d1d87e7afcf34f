"""One moment onto one layout: which LED gives how much light."""

from pegboard.errors import FrameError
from pegboard.layout import Layout
from pegboard.ledframe import LedFrame, duty
from pegboard.palette import RGB, WHITE
from pegboard.pegs import Moment

SECOND_LAP = 0.7  # a peg of an earlier lap is that much dimmer than one of the last lap
FARKLE_LEVEL = 0.7


def render(moment: Moment, layout: Layout, brightness: float = 1.0) -> LedFrame:
    """The LED frame of a moment.

    `brightness` (0 to 1) scales all lights as the eye sees them. Later lights of the moment cover earlier ones; where
    more sides play than the layout has lanes, sides share lanes.
    """
    if not 0.0 <= brightness <= 1.0:
        raise FrameError(f"expected a brightness from 0 to 1, got {brightness!r}")
    data = bytearray(3 * layout.leds)

    def paint(led: int, rgb: RGB, level: float) -> None:
        data[3 * led : 3 * led + 3] = bytes(duty(rgb, level * brightness))

    last_lap = moment.track.spot(moment.track.game_hole).lap
    for light in moment.lights:
        spot = moment.track.spot(light.hole)
        level = light.level if spot.lap == last_lap else light.level * SECOND_LAP
        paint(layout.lane_of(light.lane).spots[spot.number].led, light.rgb, level)
    for side, farkles in enumerate(moment.farkles):
        for lamp in layout.lane_of(side).farkles[:farkles]:
            paint(lamp.led, moment.marks[side].colour.rgb, FARKLE_LEVEL)
    for lamp, level in zip(layout.shelf, moment.shelf, strict=True):
        paint(lamp.led, WHITE.rgb, level)
    paint(layout.status.led, *moment.status)
    return LedFrame(bytes(data))
