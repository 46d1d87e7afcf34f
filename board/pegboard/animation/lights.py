"""How a view glows: breathing, blinking, sparkling. Pure functions of the view and the seconds since it was shown.

Nothing flashes more than three times a second: the double blink is two flashes in 1.6 s. In calm mode lights that
would blink fade.
"""

import math
from collections.abc import Iterator

from pegboard.palette import AMBER, RGB, WHITE
from pegboard.pegs import SHELF_LIGHTS, BoardView, Cue, LaneView, Light, Moment, ShelfLight, Status
from pegboard.track import Hole

STEADY = 0.55  # a peg that waits
BRIGHT = 1.0
GHOST = 0.22  # a preview: never as bright as a peg
OUT = 0.15
BREATH_S = 2.4
BLINK_S = 1.6
BLINK_ON_S = 0.18
PULSE_S = 4.0
SPARKLE_S = 1.2
SWEEP_S = 1.2
RACE_HOLES_S = 8.0
TAIL = 8


def breathe(elapsed_s: float, least: float = 0.35) -> float:
    """A slow breath between `least` and 1, full at 0 s."""
    return least + (1 - least) * (0.5 + 0.5 * math.cos(2 * math.pi * elapsed_s / BREATH_S))


def double_blink(elapsed_s: float, calm: bool) -> float:
    """On, off, on, and a pause; in calm mode one slow fade instead."""
    if calm:
        return 0.5 - 0.5 * math.cos(2 * math.pi * elapsed_s / (2 * BLINK_S))
    within = elapsed_s % BLINK_S
    return 1.0 if within < BLINK_ON_S or 2 * BLINK_ON_S <= within < 3 * BLINK_ON_S else 0.0


def pulse(elapsed_s: float) -> float:
    """A slow white pulse from dark to half and back."""
    return 0.25 - 0.25 * math.cos(2 * math.pi * elapsed_s / PULSE_S)


def _scattered(number: int, step: int) -> float:
    """A number from 0 to 1 that looks like chance and is the same each time (a hash by multiplication)."""
    return ((number * 2654435761 + step * 40503) % 65521) / 65521


def cue_lasts_s(cue: Cue | None) -> float:
    """For how many seconds a cue is seen."""
    return {None: 0.0, Cue.SPARKLE: SPARKLE_S, Cue.SWEEP: SWEEP_S}[cue]


def _sparkles(view: BoardView, elapsed_s: float, calm: bool) -> Iterator[Light]:
    """Lights that come and go along the lane of the one to move; each twice a second at most."""
    if view.turn is None:
        return
    fade = 1 - elapsed_s / SPARKLE_S
    for hole in range(1, view.track.holes):
        moment_of_hole = _scattered(hole, 7) * (SPARKLE_S - 0.3)
        near = abs(elapsed_s - moment_of_hole - 0.15) / 0.15
        level = fade * 0.3 if calm else max(0.0, 1 - near) * 0.9
        if level > 0.02:
            yield Light(view.turn, Hole(hole), view.lanes[view.turn].mark.colour.rgb, level)


def _lane(side: int, lane: LaneView, view: BoardView, elapsed_s: float) -> Iterator[Light]:
    colour = lane.mark.colour.rgb
    if lane.out:
        yield Light(side, lane.back, colour, OUT)
        return
    if lane.preview is not None:
        yield Light(side, lane.preview, colour, GHOST)
    if side != view.turn:
        twinkles = view.status in (Status.FINAL, Status.OVER) and side in view.leaders
        yield Light(side, lane.back, colour, breathe(elapsed_s, 0.5) if twinkles else STEADY)
        return
    if lane.front == lane.back:
        yield Light(side, lane.back, colour, breathe(elapsed_s))
        return
    yield Light(side, lane.back, colour, STEADY)
    yield Light(side, lane.front, colour, breathe(elapsed_s))


def _race(view: BoardView, elapsed_s: float) -> Iterator[Light]:
    """A slow race: each lane's light runs along the track with a fading tail."""
    for side, lane in enumerate(view.lanes):
        head = int(elapsed_s * RACE_HOLES_S * (1 + 0.13 * side)) % view.track.holes
        for behind in range(min(TAIL, head), -1, -1):
            yield Light(side, Hole(head - behind), lane.mark.colour.rgb, 0.8 * (1 - behind / (TAIL + 1)))


def _shelf(view: BoardView, cue: Cue | None, elapsed_s: float, calm: bool) -> tuple[float, ...]:
    if cue is not None and elapsed_s < SWEEP_S:
        head = elapsed_s / SWEEP_S * (SHELF_LIGHTS + 2) - 1
        return tuple(max(0.0, 1 - abs(head - place)) * 0.7 for place in range(SHELF_LIGHTS))
    shown = {ShelfLight.OFF: 0.0, ShelfLight.COUNTS: 0.7, ShelfLight.REFUSED: double_blink(elapsed_s, calm)}
    return tuple(shown[light] for light in view.shelf)


def _status(status: Status, elapsed_s: float, calm: bool) -> tuple[RGB, float]:
    if status is Status.LOOK:
        return AMBER.rgb, double_blink(elapsed_s, calm)
    if status is Status.BLIND:
        return WHITE.rgb, pulse(elapsed_s)
    return WHITE.rgb, 0.15 if status is Status.QUIET else 0.0


def moment(view: BoardView, elapsed_s: float, cue: Cue | None = None, calm: bool = False) -> Moment:
    """All lights of `view`, `elapsed_s` after it was first shown; `cue` is what happened with it."""
    lights: list[Light] = []
    if view.status is Status.ATTRACT:
        lights.extend(_race(view, elapsed_s))
    else:
        if cue is Cue.SPARKLE and elapsed_s < SPARKLE_S:
            lights.extend(_sparkles(view, elapsed_s, calm))
        order = sorted(range(len(view.lanes)), key=lambda side: side == view.turn)
        for side in order:
            lights.extend(_lane(side, view.lanes[side], view, elapsed_s))
    return Moment(
        track=view.track,
        lights=tuple(lights),
        shelf=_shelf(view, cue, elapsed_s, calm),
        farkles=tuple(lane.farkles for lane in view.lanes),
        status=_status(view.status, elapsed_s, calm),
        marks=tuple(lane.mark for lane in view.lanes),
    )
