"""How a view glows: which light shines how brightly. Pure functions of the view and of times.

What happens once goes by the seconds since the view was shown. What goes on, breathing, blinking, goes by a clock that
no new view starts anew: else each change would be a jump of light.

Meaning is never in a colour alone: who is to move breathes, a guess pulses dimly, outcomes of a question take turns, a
leader twinkles, a winner's lane runs; and two sides of one colour have rhythms of their own.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pegboard.animation.levels import (
    PULSE_S,
    alternating,
    breathe,
    double_blink,
    gait,
    pulse,
    scattered,
    share,
    twinkle,
    wave,
    weariness,
)
from pegboard.palette import AMBER, RGB, WHITE
from pegboard.pegs import FARKLE_LIGHTS, SHELF_LIGHTS, BoardView, Cue, LaneView, Light, Moment, ShelfLight, Status
from pegboard.track import Hole

STEADY = 0.55  # a peg that waits
GHOST = 0.24  # a preview: never as bright as a peg
GHOST_LEAST = 0.12
OUT = 0.15
FARKLE = 0.7
SHELF = 0.7
SPARKLE_S = 1.2
SWEEP_S = 1.2
RACE_HOLES_S = 8.0
TAIL = 8
FILL_AFTER_S = 1.6  # the winner's peg has arrived
FILL_S = 2.0
RUN_HOLES = 40
RUN_S = 3.0


@dataclass(frozen=True)
class _Times:
    """When a moment is: on the clock, and since its view was shown; and whether lights are calm."""

    now_s: float
    elapsed_s: float
    calm: bool


def cue_lasts_s(cue: Cue | None) -> float:
    """For how many seconds a cue is seen."""
    return {None: 0.0, Cue.SPARKLE: SPARKLE_S, Cue.SWEEP: SWEEP_S, Cue.FARKLE: 2 * SPARKLE_S}[cue]


def _sparkles(view: BoardView, elapsed_s: float, calm: bool) -> Iterator[Light]:
    """Lights that come and go along the lane of the one to move, each once; in calm mode the lane glows and fades."""
    if view.turn is None:
        return
    fade = 1 - elapsed_s / SPARKLE_S
    for hole in range(1, view.track.holes):
        moment_of_hole = scattered(hole) * (SPARKLE_S - 0.3)
        near = abs(elapsed_s - moment_of_hole - 0.15) / 0.15
        level = 0.3 * math.sin(math.pi * fade) if calm else max(0.0, 1 - near) * 0.9
        if level > 0.02:
            yield Light(view.turn, Hole(hole), view.lanes[view.turn].mark.colour.rgb, level)


def _lane(side: int, lane: LaneView, view: BoardView, times: "_Times", twins: bool) -> Iterator[Light]:
    """One side's pegs and guesses; `twins` where another side has the same colour."""
    rgb = lane.mark.colour.rgb
    steady = STEADY * (gait(lane.mark.shape, times.now_s) if twins else 1.0)
    if lane.out:
        yield Light(side, lane.back, rgb, OUT, peg=True)
        return
    if lane.preview is not None:
        yield Light(side, lane.preview, rgb, GHOST_LEAST + (GHOST - GHOST_LEAST) * wave(times.now_s, PULSE_S / 2))
    moving = side == view.turn
    if moving and view.asking is not None and view.asking.outcomes:
        outcomes = view.asking.outcomes
        yield Light(side, lane.back, rgb, steady, peg=True)
        for number, hole in enumerate(outcomes):
            level = alternating(times.elapsed_s, number, len(outcomes))
            if level > 0:
                yield Light(side, hole, rgb, level, peg=True)
    elif moving:
        if (lane.front, lane.front_half) != (lane.back, lane.back_half):
            yield from _peg(side, lane.back, lane.back_half, rgb, steady, view)
        yield from _peg(side, lane.front, lane.front_half, rgb, breathe(times.now_s, view.rest), view)
    else:
        if lane.front != lane.back:  # its back peg is on the way there, after a bank
            yield Light(side, lane.front, rgb, steady, peg=True)
        twinkles = view.status in (Status.FINAL, Status.OVER) and side in view.leaders
        level = twinkle(times.now_s, times.calm) if twinkles else steady
        yield from _peg(side, lane.back, lane.back_half, rgb, level, view)


def _peg(side: int, hole: Hole, half: bool, rgb: RGB, level: float, view: BoardView) -> Iterator[Light]:
    """A peg in its hole; half a hole further it is two neighbours at half brightness."""
    if half and hole < view.track.holes:
        yield Light(side, hole, rgb, level / 2, peg=True)
        yield Light(side, Hole(hole + 1), rgb, level / 2, peg=True)
    else:
        yield Light(side, hole, rgb, level, peg=True)


def _race(view: BoardView, elapsed_s: float) -> Iterator[Light]:
    """A slow race: each lane's light runs along the track with a fading tail."""
    for side, lane in enumerate(view.lanes):
        head = int(elapsed_s * RACE_HOLES_S * (1 + 0.13 * side)) % view.track.holes
        for behind in range(min(TAIL, head), -1, -1):
            yield Light(side, Hole(head - behind), lane.mark.colour.rgb, 0.8 * (1 - behind / (TAIL + 1)))


def _won(view: BoardView, elapsed_s: float, calm: bool) -> Iterator[Light]:
    """The winners' lanes: light fills them from the start to the game hole, then waves run along, slowly."""
    since_s = elapsed_s - FILL_AFTER_S
    if since_s < 0:
        return
    filled = view.track.holes * min(since_s / FILL_S, 1.0)
    for side in view.leaders:
        rgb = view.lanes[side].mark.colour.rgb
        for hole in range(1, view.track.holes + 1):
            if hole <= filled:
                level = 0.3 if calm else 0.14 + 0.36 * wave(since_s - hole * RUN_S / RUN_HOLES, RUN_S) ** 3
                yield Light(side, Hole(hole), rgb, level)


def _shelf(view: BoardView, cue: Cue | None, times: _Times) -> tuple[RGB, tuple[float, ...]]:
    blink = double_blink(times.now_s, times.calm)
    if view.asking is not None and (view.asking.face or view.asking.doubts):
        if view.asking.face:
            return WHITE.rgb, _first(view.asking.face, SHELF)
        return AMBER.rgb, _first(view.asking.doubts, blink)
    if cue in (Cue.SWEEP, Cue.SPARKLE) and times.elapsed_s < SWEEP_S:
        head = times.elapsed_s / SWEEP_S * (SHELF_LIGHTS + 2) - 1
        return WHITE.rgb, tuple(share(1 - abs(head - place)) * SHELF for place in range(SHELF_LIGHTS))
    shown = {ShelfLight.OFF: 0.0, ShelfLight.COUNTS: SHELF, ShelfLight.REFUSED: blink}
    return WHITE.rgb, tuple(shown[light] for light in view.shelf)


def _first(count: int, level: float) -> tuple[float, ...]:
    return tuple(level if place < count else 0.0 for place in range(SHELF_LIGHTS))


def _farkles(view: BoardView, cue: Cue | None, elapsed_s: float, calm: bool) -> tuple[float, ...]:
    """How many farkle lights each side has lit; the newest of a fresh farkle blinks (a part of a light is dimmer)."""
    if cue is not Cue.FARKLE or view.turn is None or elapsed_s >= cue_lasts_s(cue):
        return tuple(float(lane.farkles) for lane in view.lanes)
    return tuple(
        max(0.0, min(lane.farkles, FARKLE_LIGHTS) - 1 + double_blink(elapsed_s, calm))
        if side == view.turn and lane.farkles
        else float(lane.farkles)
        for side, lane in enumerate(view.lanes)
    )


def _status(view: BoardView, times: _Times) -> tuple[RGB, float]:
    match view.status:
        case Status.LOOK:
            return AMBER.rgb, double_blink(times.now_s, times.calm)
        case Status.BLIND:
            return WHITE.rgb, pulse(times.now_s)
        case Status.ASK:
            return WHITE.rgb, 0.1 + 0.3 * wave(times.now_s, PULSE_S)
        case Status.QUIET:
            return WHITE.rgb, 0.15
        case _:
            return WHITE.rgb, 0.0


def _lights(view: BoardView, cue: Cue | None, times: _Times) -> Iterator[Light]:
    if view.status is Status.ATTRACT:
        yield from _race(view, times.elapsed_s)
        return
    if cue is Cue.SPARKLE and times.elapsed_s < SPARKLE_S:
        yield from _sparkles(view, times.elapsed_s, times.calm)
    if view.status is Status.OVER:
        yield from _won(view, times.elapsed_s, times.calm)
    colours = Counter(lane.mark.colour for lane in view.lanes)
    for side in sorted(range(len(view.lanes)), key=lambda side: side == view.turn):
        lane = view.lanes[side]
        yield from _lane(side, lane, view, times, colours[lane.mark.colour] > 1)


def moment(
    view: BoardView,
    elapsed_s: float,
    cue: Cue | None = None,
    calm: bool = False,
    now_s: float | None = None,
    rested_s: float = math.inf,
) -> Moment:
    """All lights of `view`, `elapsed_s` after it was first shown; `cue` is what happened with it.

    `now_s` is the time of the clock that goes on from view to view; without it the view is the first. `rested_s` is for
    how long the board has been at its stage of rest.
    """
    times = _Times(elapsed_s if now_s is None else now_s, elapsed_s, calm)
    awake = weariness(view.rest, rested_s)
    shelf_rgb, shelf = _shelf(view, cue, times)
    lights = _lights(view, cue, times)
    if awake < 1:
        lights = (Light(each.lane, each.hole, each.rgb, each.level * awake, each.peg) for each in lights)
    return Moment(
        track=view.track,
        lights=tuple(lights),
        shelf=tuple(level * awake for level in shelf),
        shelf_rgb=shelf_rgb,
        farkles=_farkles(view, cue, elapsed_s, calm),
        status=_status(view, times),
        colours=tuple(lane.mark.colour.rgb for lane in view.lanes),
        turn=view.turn,
        now_s=times.now_s,
    )
