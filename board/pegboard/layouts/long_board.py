"""The long board for a track of any length: out along the players' side, round the bend, and back to the game hole.

The page draws it for tracks that no layout has, and the packaged long boards have its measures.
"""

from pegboard.layouts.layout import Lamp, Lane, Layout
from pegboard.pegs import SHELF_LIGHTS
from pegboard.track import GROUP, walks

LONGEST_LAP = 120
"""The most holes of one lap; on a longer track pegs walk round again."""

PITCH_MM = 6.944
ROWS_MM = 12.0
EDGE_MM = 14.0
SHELF_SLOTS = range(6, 6 + 2 * SHELF_LIGHTS, 2)
"""The shelf lights on the last strip, in pitches from the status light."""

SHELF_MIDDLE_SLOT = SHELF_SLOTS[0] + SHELF_LIGHTS - 1

FIRST_HOLE_SLOT, START_SLOT = 5, 3
"""The first hole and the start, in pitches from the outer farkle light."""


def lap_of(track: int) -> int:
    """Return the number of holes of one lap: the track's in as few equal laps as a board has space for."""
    return -(-(track - 1) // walks(track, LONGEST_LAP))


def long_board(lanes: int, track: int) -> Layout:
    """Return the long board for a track.

    Args:
        lanes: the number of lanes.
        track: the number of holes of the track.
    """
    lap = lap_of(track)
    out = min(-(-lap // (2 * GROUP)) * GROUP, lap - 2)  # a whole number of fives before the bend
    length = _slot(out - 1) + 1
    bend = EDGE_MM + (FIRST_HOLE_SLOT + _slot(out - 1)) * PITCH_MM
    rows = 2 * lanes + 1
    wide = round(max(bend + ROWS_MM * lanes + EDGE_MM - 1, 2 * (EDGE_MM + SHELF_MIDDLE_SLOT * PITCH_MM)), 1)
    chain, found = 1, []
    for lane in range(lanes):
        near, far = (EDGE_MM + ROWS_MM * row for row in (rows - 1 - lane, lane))
        places = [_lamp(chain + slot, slot, near) for slot in (1, 0, START_SLOT)]
        first = chain + FIRST_HOLE_SLOT
        holes = [_lamp(first + _slot(hole), FIRST_HOLE_SLOT + _slot(hole), near) for hole in range(out)]
        chain = first + length
        for hole in range(lap - out):
            holes.append(Lamp(chain + _slot(hole), round(bend - _slot(hole) * PITCH_MM, 3), far))
        chain = holes[-1].led + 1
        found.append((places, holes))
    game = _lamp(chain, START_SLOT, EDGE_MM + ROWS_MM * lanes)
    left, last = wide / 2 - SHELF_MIDDLE_SLOT * PITCH_MM, EDGE_MM + ROWS_MM * rows  # the shelf is in the middle
    status, *shelf = (_lamp(chain + 1 + slot, slot, last, left) for slot in (0, *SHELF_SLOTS))
    return Layout(
        name=f"long-board-{lanes}" if lap == LONGEST_LAP else f"long-board-{lanes} of {lap + 1} holes",
        leds=shelf[-1].led + 1,
        size_mm=(wide, 2 * EDGE_MM + ROWS_MM * rows - 6),
        pitch_mm=PITCH_MM,
        lanes=tuple(Lane((start, *holes, game), (one, two), lap) for (one, two, start), holes in found),
        shelf=tuple(shelf),
        status=status,
    )


def _slot(hole: int) -> int:
    """Return the pitches from a row's first hole to another one: an LED after every five holes stays dark."""
    return hole + hole // GROUP


def _lamp(led: int, slot: int, y: float, left: float = EDGE_MM) -> Lamp:
    return Lamp(led, round(left + slot * PITCH_MM, 3), y)
