"""The lights of a view: colours and levels as pure functions of the view and of times.

An effect depends on the seconds since the view was shown. Breathing and blinking depend on a clock that does not
restart with a new view, so that the light does not jump when the view changes.

No meaning depends on colour alone: the peg of the turn breathes, a preview pulses dimly, outcomes of a question take
turns, a leader twinkles, a winner's lane runs, and two sides of one colour have different rhythms.

Digits are counted out in lit holes, so that people read a number from the board: one digit after the other, twice.
Each digit lights its number of holes from the start of a lane, in groups of five as on every cribbage board; a zero
lights ten. Each digit fades in, stays and fades out.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pegboard.animation import levels
from pegboard.palette import AMBER, RGB, WHITE
from pegboard.pegs import (
    FARKLE_LIGHTS,
    SHELF_LIGHTS,
    BoardLights,
    BoardView,
    Effect,
    HoleLight,
    LaneView,
    ShelfLight,
    Status,
)
from pegboard.track import Hole

STEADY = 0.55  # a peg that is not moving
PREVIEW = 0.24  # a preview: never as bright as a peg
PREVIEW_LEAST = 0.12
OUT = 0.15
SHELF = 0.7
SPARKLE_S = 1.2
SWEEP_S = 1.2
RACE_HOLES_S = 8.0
TAIL = 8
FILL_AFTER_S = 1.6  # the winner's peg has arrived
FILL_S = 2.0
RUN_HOLES = 40
RUN_S = 3.0

DIGIT_S = 2.4
"""The time that a digit is lit."""

FADE_S = 0.5
BETWEEN_S = 0.8
"""The dark time after a digit."""

PAUSE_S = 2.0
"""The dark time before the first digit, each time."""

TIMES = 2
LEVEL = 0.8


@dataclass(frozen=True)
class _Times:
    """The time on the clock, the seconds since the view was shown, and whether lights are calm."""

    now_s: float
    elapsed_s: float
    calm: bool


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
        yield HoleLight(view.turn or 0, Hole(hole), WHITE.rgb, LEVEL * (1 - levels.wave(shown, 2.0)))


def _once_s(digits: tuple[int, ...]) -> float:
    return PAUSE_S + len(digits) * (DIGIT_S + BETWEEN_S)


def effect_duration_s(effect: Effect | None, view: BoardView) -> float:
    """Return the duration of an effect on a view in seconds."""
    if effect is Effect.DIGITS:
        return digits_duration_s(view.digits)
    return {None: 0.0, Effect.SPARKLE: SPARKLE_S, Effect.SWEEP: SWEEP_S, Effect.FARKLE: 2 * SPARKLE_S}[effect]


def _sparkles(view: BoardView, elapsed_s: float, calm: bool) -> Iterator[HoleLight]:
    """Yield lights that flash once each along the lane of the turn; in calm mode the whole lane glows and fades."""
    if view.turn is None:
        return
    fade = 1 - elapsed_s / SPARKLE_S
    for hole in range(1, view.track.holes):
        moment_of_hole = levels.scattered(hole) * (SPARKLE_S - 0.3)
        near = abs(elapsed_s - moment_of_hole - 0.15) / 0.15
        level = 0.3 * math.sin(math.pi * fade) if calm else max(0.0, 1 - near) * 0.9
        if level > 0.02:
            yield HoleLight(view.turn, Hole(hole), view.lanes[view.turn].mark.colour.rgb, level)


def _lane(side: int, lane: LaneView, view: BoardView, times: _Times, shared_colour: bool) -> Iterator[HoleLight]:
    """Yield the pegs and the preview of one side; `shared_colour` if another side has the same colour."""
    rgb = lane.mark.colour.rgb
    steady = STEADY * (levels.shape_rhythm(lane.mark.shape, times.now_s) if shared_colour else 1.0)
    if lane.out:
        yield HoleLight(side, lane.back, rgb, OUT, peg=True)
        return
    if lane.preview is not None:
        level = PREVIEW_LEAST + (PREVIEW - PREVIEW_LEAST) * levels.wave(times.now_s, levels.PULSE_S / 2)
        yield HoleLight(side, lane.preview, rgb, level)
    moving = side == view.turn
    if moving and view.prompt is not None and view.prompt.outcomes:
        outcomes = view.prompt.outcomes
        yield HoleLight(side, lane.back, rgb, steady, peg=True)
        for number, hole in enumerate(outcomes):
            level = levels.alternating(times.elapsed_s, number, len(outcomes))
            if level > 0:
                yield HoleLight(side, hole, rgb, level, peg=True)
    elif moving:
        if (lane.front, lane.front_half) != (lane.back, lane.back_half):
            yield from _peg(side, lane.back, lane.back_half, rgb, steady, view)
        yield from _peg(side, lane.front, lane.front_half, rgb, levels.breathe(times.now_s, view.idle), view)
    else:
        if lane.front != lane.back:  # after a bank, while its back peg is moving there
            yield HoleLight(side, lane.front, rgb, steady, peg=True)
        twinkles = view.status in (Status.FINAL, Status.OVER) and side in view.leaders
        level = levels.twinkle(times.now_s, times.calm) if twinkles else steady
        yield from _peg(side, lane.back, lane.back_half, rgb, level, view)


def _peg(side: int, hole: Hole, half: bool, rgb: RGB, level: float, view: BoardView) -> Iterator[HoleLight]:
    """Yield a peg in its hole; with `half` it lights two neighbouring holes at half brightness."""
    if half and hole < view.track.holes:
        yield HoleLight(side, hole, rgb, level / 2, peg=True)
        yield HoleLight(side, Hole(hole + 1), rgb, level / 2, peg=True)
    else:
        yield HoleLight(side, hole, rgb, level, peg=True)


def _race(view: BoardView, elapsed_s: float) -> Iterator[HoleLight]:
    """Yield a slow race: a light of each lane runs along the track with a fading tail."""
    for side, lane in enumerate(view.lanes):
        head = int(elapsed_s * RACE_HOLES_S * (1 + 0.13 * side)) % view.track.holes
        for behind in range(min(TAIL, head), -1, -1):
            yield HoleLight(side, Hole(head - behind), lane.mark.colour.rgb, 0.8 * (1 - behind / (TAIL + 1)))


def _won(view: BoardView, elapsed_s: float, calm: bool) -> Iterator[HoleLight]:
    """Yield the winners' lanes: light fills them from the start to the game hole, then waves run along slowly."""
    since_s = elapsed_s - FILL_AFTER_S
    if since_s < 0:
        return
    filled = view.track.holes * min(since_s / FILL_S, 1.0)
    for side in view.leaders:
        rgb = view.lanes[side].mark.colour.rgb
        for hole in range(1, view.track.holes + 1):
            if hole <= filled:
                level = 0.3 if calm else 0.14 + 0.36 * levels.wave(since_s - hole * RUN_S / RUN_HOLES, RUN_S) ** 3
                yield HoleLight(side, Hole(hole), rgb, level)


def _shelf(view: BoardView, effect: Effect | None, times: _Times) -> tuple[RGB, tuple[float, ...]]:
    blink = levels.double_blink(times.now_s, times.calm)
    wanted = SHELF * levels.breathe(times.now_s, view.idle)
    if view.prompt and view.prompt.lit:
        return WHITE.rgb, _first(view.prompt.lit, SHELF)
    if view.prompt and view.prompt.blinking:
        return AMBER.rgb, _first(view.prompt.blinking, blink)
    if effect in (Effect.SWEEP, Effect.SPARKLE) and times.elapsed_s < SWEEP_S:
        head = times.elapsed_s / SWEEP_S * (SHELF_LIGHTS + 2) - 1
        return WHITE.rgb, tuple(levels.crossfade(1 - abs(head - place)) * SHELF for place in range(SHELF_LIGHTS))
    shown = {ShelfLight.OFF: 0.0, ShelfLight.COUNTS: SHELF, ShelfLight.REFUSED: blink, ShelfLight.WANTED: wanted}
    return WHITE.rgb, tuple(shown[light] for light in view.shelf)


def _first(count: int, level: float) -> tuple[float, ...]:
    return tuple(level if place < count else 0.0 for place in range(SHELF_LIGHTS))


def _farkles(view: BoardView, effect: Effect | None, elapsed_s: float, calm: bool) -> tuple[float, ...]:
    """Return the lit farkle lights of each side, the newest blinking during the effect; a fraction dims a light."""
    counts = [float(lane.farkles) for lane in view.lanes]
    if (
        effect is Effect.FARKLE
        and elapsed_s < effect_duration_s(effect, view)
        and view.turn is not None
        and counts[view.turn]
    ):
        counts[view.turn] = min(counts[view.turn], FARKLE_LIGHTS) - 1 + levels.double_blink(elapsed_s, calm)
    return tuple(counts)


def _status(view: BoardView, times: _Times) -> tuple[RGB, float]:
    lights = {
        Status.LOOK: (AMBER.rgb, levels.double_blink(times.now_s, times.calm)),
        Status.BLIND: (WHITE.rgb, levels.pulse(times.now_s)),
        Status.ASK: (WHITE.rgb, 0.1 + 0.3 * levels.wave(times.now_s, levels.PULSE_S)),
        Status.QUIET: (WHITE.rgb, 0.15),
    }
    return lights.get(view.status, (WHITE.rgb, 0.0))


def _lights(view: BoardView, effect: Effect | None, times: _Times) -> Iterator[HoleLight]:
    if effect is Effect.DIGITS and times.elapsed_s < digits_duration_s(view.digits):
        yield from counted_out(view, times.elapsed_s)
        return
    if view.status is Status.ATTRACT:
        yield from _race(view, times.elapsed_s)
        return
    if effect is Effect.SPARKLE and times.elapsed_s < SPARKLE_S:
        yield from _sparkles(view, times.elapsed_s, times.calm)
    if view.status is Status.OVER:
        yield from _won(view, times.elapsed_s, times.calm)
    colours = Counter(lane.mark.colour for lane in view.lanes)
    for side in sorted(range(len(view.lanes)), key=lambda side: side == view.turn):
        lane = view.lanes[side]
        yield from _lane(side, lane, view, times, colours[lane.mark.colour] > 1)


def board_lights(
    view: BoardView,
    elapsed_s: float,
    effect: Effect | None = None,
    calm: bool = False,
    now_s: float | None = None,
    idle_s: float = math.inf,
) -> BoardLights:
    """Return all lights of a view.

    Args:
        view: the view.
        elapsed_s: the seconds since the view was first shown.
        effect: the effect that is shown with the view.
        calm: whether lights fade instead of blinking.
        now_s: the time of a clock that does not restart with a view; by default `elapsed_s`.
        idle_s: the seconds since the idle stage of the view began.
    """
    times = _Times(elapsed_s if now_s is None else now_s, elapsed_s, calm)
    awake = levels.idle_level(view.idle, idle_s)
    shelf_rgb, shelf = _shelf(view, effect, times)
    lights = _lights(view, effect, times)
    if awake < 1:
        lights = (HoleLight(each.lane, each.hole, each.rgb, each.level * awake, each.peg) for each in lights)
    return BoardLights(
        track=view.track,
        lights=tuple(lights),
        shelf=tuple(level * awake for level in shelf),
        shelf_rgb=shelf_rgb,
        farkles=_farkles(view, effect, elapsed_s, calm),
        status=_status(view, times),
        colours=tuple(lane.mark.colour.rgb for lane in view.lanes),
        turn=view.turn,
        now_s=times.now_s,
    )
