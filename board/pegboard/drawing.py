"""The drawing of a board in SVG, in millimetres: grooves, holes, streets and lights of a layout.

The page uses `wood` as its board, coloured by the page's style sheet, and draws holes and skunk lines itself.
`svg` is a plan for builders, with colours of its own, the number of each LED and the skunk line of a game of one lap.
"""

import json
import math
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from pegboard.layouts.layout import Arc, Lamp, Lane, Layout
from pegboard.track import GROUP, STREET, skunk_holes

LONGEST_TICK_MM = 6.0
LETTERS_MM = 6.4
LINE_MM = 280.0
"""The width of the line of text below a plan; a narrower plan has two lines."""

STYLE = files("pegboard").joinpath("drawing.css").read_text(encoding="utf-8")


def plan_json(layout: Layout) -> str:
    """Return a layout as JSON: `name`, `size`, `pitch`, `lanes` (`spots`, `farkles`), `shelf` and `wood`.

    A place is `[x, y]` in millimetres; `spots` are the start, the holes of one lap and the game hole. `wood` is the SVG
    of the function `wood`.
    """
    plan = {
        "name": layout.name,
        "size": list(layout.size_mm),
        "pitch": layout.pitch_mm,
        "lanes": [{"spots": _places(lane.spots), "farkles": _places(lane.farkles)} for lane in layout.lanes],
        "shelf": _places(layout.shelf),
        "wood": wood(layout),
    }
    return json.dumps(plan, separators=(",", ":"))


def svg(layout: Layout) -> str:
    """Return the board as an SVG file in its true size: the drawing, the lights, the LED numbers, and the chain."""
    wide, high = layout.size_mm
    built = f"{escape(layout.name)}: {layout.leds} LEDs, {wide:g} x {high:g} mm, one LED every {layout.pitch_mm:g} mm."
    chained = "The thin line is the way of the chain; where it jumps, a wire."
    keys = (f"{built} {chained}",) if wide >= LINE_MM else (built, chained)
    foot = 2 + 6 * len(keys)
    lights = [*layout.shelf, layout.status, *(lamp for lane in layout.lanes for lamp in lane.farkles)]
    ordered = sorted(layout.lamps(), key=lambda lamp: lamp.led)
    chain = " ".join(f"{lamp.x:g},{lamp.y:g}" for lamp in ordered)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{high + foot:g}mm"'
        f' viewBox="0 0 {wide:g} {high + foot:g}">',
        f"<title>{escape(layout.name)}</title>",
        f"<style>\n{STYLE}</style>",
        f'<rect class="plank" width="{wide:g}" height="{high:g}" rx="9"/>',
        wood(layout),
        holes(layout),
        f'<path class="skunk" d="{_skunk_line(layout, skunk_holes(layout.lap + 1)[0])}"/>',
        f'<polyline class="chain" points="{chain}"/>',
        *(f'<circle class="light" cx="{lamp.x:g}" cy="{lamp.y:g}" r="1.9"/>' for lamp in lights),
        *(f'<text class="led" x="{lamp.x:g}" y="{lamp.y - 2.4:g}">{lamp.led}</text>' for lamp in ordered),
        *(f'<text class="key" x="2" y="{high + 5.5 + 6 * row:g}">{line}</text>' for row, line in enumerate(keys)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def wood(layout: Layout) -> str:
    """Return SVG paths of the grooves, the marks of fives and streets, and the rings of the start and the game hole."""
    lanes = layout.lanes
    lines = [_line(lane, layout.arcs) for lane in lanes]
    parts = [f'<path class="{name}" d="{line}"/>' for line in lines for name in ("groove", "inlay")]
    parts += _marks(layout)
    parts += [f'<path class="start-ring" d="{_circle(lane.spots[0], 3.6)}"/>' for lane in lanes]
    game = lanes[0].spots[-1]
    parts.append(
        f'<path class="game-ring outer" d="{_circle(game, 6.2)}"/><path class="game-ring" d="{_circle(game, 4.6)}"/>'
    )
    return "".join(parts)


def holes(layout: Layout) -> str:
    """Return SVG paths of the holes, larger at the start and the end."""
    lanes = layout.lanes
    large = [*(lane.spots[0] for lane in lanes), lanes[0].spots[-1]]
    small = [lamp for lane in lanes for lamp in lane.spots[1 : lane.walk + 1]]
    return f'<path class="holes" d="{_dots(small)}"/><path class="holes large" d="{_dots(large)}"/>'


def _places(lamps: Sequence[Lamp]) -> list[list[float]]:
    return [[_short(lamp.x), _short(lamp.y)] for lamp in lamps]


def _short(value: float) -> float:
    """Return the value rounded to a tenth, as an int if it is whole, to keep a page with thousands of values short."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _dots(lamps: Iterable[Lamp]) -> str:
    """Return a path of strokes of no length, which round line ends turn into dots, in relative coordinates."""
    path, x, y = "", 0.0, 0.0
    for lamp in lamps:
        there_x, there_y = _short(lamp.x), _short(lamp.y)
        path += f"{'m' if path else 'M'}{_short(there_x - x):g} {_short(there_y - y):g}h0"
        x, y = there_x, there_y
    return path


def _circle(lamp: Lamp, radius: float) -> str:
    half = f"a{radius} {radius} 0 1 0"
    return f"M{_short(lamp.x - radius):g} {_short(lamp.y):g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0"


def _line(lane: Lane, arcs: Sequence[Arc]) -> str:
    """Return the path of a lane: along its rows, half circles where it turns back, and a curve to the game hole."""
    spots = lane.spots[: lane.walk + 1]
    path = f"M{spots[0].x:.1f} {spots[0].y:.1f}"
    for hole in range(1, len(spots)):
        spot = spots[hole]
        if _turns_back(lane, hole - 1):
            path += _bend(*spots[hole - 2 : hole + 1])
        elif arc := next((arc for arc in arcs if arc.first <= spots[hole - 1].led < spot.led <= arc.last), None):
            path += _round(arc, spots[hole - 1], spot)
        elif hole < lane.walk and _along(*spots[hole - 1 : hole + 2]):
            continue
        else:
            path += f"L{_short(spot.x):g} {_short(spot.y):g}"
    end, game = spots[-1], lane.spots[-1]
    return f"{path}Q{_short(game.x):g} {_short(end.y):g} {_short(game.x):g} {_short(game.y):g}"


def _apart(one: Lamp, other: Lamp) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def _along(before: Lamp, spot: Lamp, after: Lamp) -> bool:
    """Return whether three places are in one row along an edge of the board."""
    return before.y == spot.y == after.y or before.x == spot.x == after.x


def _turns_back(lane: Lane, hole: int) -> bool:
    """Return whether the lane turns back between a hole and the next one, as at the end of a row."""
    if not 1 < hole < lane.walk - 1:
        return False
    before, here, there, after = lane.spots[hole - 1 : hole + 3]
    return (here.x - before.x) * (after.x - there.x) + (here.y - before.y) * (after.y - there.y) < 0


def _bend(before: Lamp, here: Lamp, there: Lamp) -> str:
    """Return half a circle from the end of one row to the next row, on the outer side."""
    radius = _apart(here, there) / 2
    clockwise = (here.x - before.x) * (there.y - here.y) - (here.y - before.y) * (there.x - here.x) > 0
    return f"A{_short(radius):g} {_short(radius):g} 0 0 {int(clockwise)} {_short(there.x):g} {_short(there.y):g}"


def _round(arc: Arc, here: Lamp, there: Lamp) -> str:
    """Return the part of an arc from one place to the next."""
    x, y = arc.middle
    clockwise = (here.x - x) * (there.y - y) - (here.y - y) * (there.x - x) > 0
    return f"A{arc.radius:g} {arc.radius:g} 0 0 {int(clockwise)} {_short(there.x):g} {_short(there.y):g}"


def _marks(layout: Layout) -> list[str]:
    """Return a line after every five holes, bolder between streets, and the numbers at the ends of streets."""
    lamps = layout.lamps()
    ticks: dict[str, str] = {}
    for lane in layout.lanes:
        for hole in range(GROUP, lane.walk, GROUP):
            kind = "street" if hole % STREET == 0 else "fives"
            if kind == "street" or not _turns_back(lane, hole):
                ticks[kind] = ticks.get(kind, "") + _tick(lamps, layout.pitch_mm, lane, hole)
    parts = [f'<path class="{kind}" d="{path}"/>' for kind, path in ticks.items()]
    return [*parts, *_numbers(layout.lanes[-1], lamps), *_name(layout)]


def _tick(lamps: Sequence[Lamp], pitch_mm: float, lane: Lane, hole: int) -> str:
    """Return the path of a line across a lane after a hole."""
    before, here, there = lane.spots[hole - 1 : hole + 2]
    x, y = (here.x + there.x) / 2, (here.y + there.y) / 2
    apart = _apart(here, there) or 1.0
    if _turns_back(lane, hole):
        step = _apart(before, here) or 1.0
        across_x, across_y = (here.x - before.x) / step, (here.y - before.y) / step
        x, y = x + across_x * apart / 2, y + across_y * apart / 2  # across the bend, at its outermost place
        reach = LONGEST_TICK_MM - 2
    elif _along(before, here, there):
        across_x, across_y = (0.0, 1.0) if here.y == there.y else (1.0, 0.0)
        reach = min(LONGEST_TICK_MM, _room(lamps, x, y, pitch_mm) / 2)
    else:
        across_x, across_y = (here.y - there.y) / apart, (there.x - here.x) / apart
        near = lane.spots[max(0, hole - 3) : hole + 5]
        reach = min(LONGEST_TICK_MM, min(math.dist((x, y), (lamp.x, lamp.y)) for lamp in lamps if lamp not in near) / 2)
    if across_x and across_y:
        start = f"M{_short(x - across_x * reach):g} {_short(y - across_y * reach):g}"
        return f"{start}l{_short(2 * across_x * reach):g} {_short(2 * across_y * reach):g}"
    start = f"M{_short(x - abs(across_x) * reach):g} {_short(y - abs(across_y) * reach):g}"
    return f"{start}{'v' if across_y else 'h'}{_short(2 * reach):g}"


def _skunk_line(layout: Layout, hole: int) -> str:
    """Return the path of a line before a hole, across all lanes."""
    lamps = layout.lamps()
    return "".join(_tick(lamps, layout.pitch_mm, lane, (hole - 2) % lane.walk + 1) for lane in layout.lanes)


def _numbers(lane: Lane, lamps: Sequence[Lamp]) -> list[str]:
    """Return the numbers at the ends of a lane's streets, each where the most space is free, if there is space."""
    parts = []
    for hole in range(STREET, min(lane.walk, lane.lap - 1) + 1, STREET):
        spot = lane.spots[hole]
        word = str(hole) if lane.walk == lane.lap else f"{hole} · {hole + lane.walk}"
        half = 1.5 * len(word)
        near = [(0.0, LETTERS_MM), (0.0, -LETTERS_MM)]
        far = [(side * (half + LETTERS_MM), by) for side in (1, -1) for by in (0.0, LETTERS_MM, -LETTERS_MM)]

        def free(way: tuple[float, float], spot: Lamp = spot, half: float = half) -> float:
            x, y = spot.x + way[0], spot.y + way[1]
            return min(_apart(lamp, Lamp(-1, x + at, y)) for lamp in lamps for at in (-half, 0, half))

        best = max(near, key=free)
        if free(best) < LETTERS_MM - 1:
            best = max(far, key=free)
        if free(best) > LETTERS_MM / 2:
            x, y = spot.x + best[0], spot.y + best[1]
            parts.append(f'<text class="lettering number" x="{_short(x):g}" y="{_short(y):g}">{word}</text>')
    return parts


def _room(lamps: Iterable[Lamp], x: float, y: float, pitch_mm: float) -> float:
    """Return the distance from a place between two holes to the nearest LED of another row."""
    return min(
        (
            math.hypot(lamp.x - x, lamp.y - y)
            for lamp in lamps
            if max(abs(lamp.x - x), abs(lamp.y - y)) < 4 * pitch_mm
            and min(abs(lamp.x - x), abs(lamp.y - y)) <= 1.1 * pitch_mm
            and abs(lamp.y - y) > 0.1
            and abs(lamp.x - x) > 0.1
        ),
        default=math.inf,
    )


def _name(layout: Layout) -> list[str]:
    """Return the name in the middle of the board, if the space is free."""
    wide, high = layout.size_mm
    reach = 150
    near = [lamp for lamp in layout.lamps() if abs(lamp.x - wide / 2) < reach + 20 and abs(lamp.y - high / 2) < 9]
    if near or wide < 3 * reach:
        return []
    parts = []
    for word, at in (("FARKLE", -118), ("CRIB", 118)):
        x = wide / 2 + at
        parts.append(f'<text class="lettering crib" x="{_short(x):g}" y="{high / 2 + 0.4:.1f}">{word}</text>')
        for side in (-1, 1):
            left = x + side * (len(word) * 6.2 + 12) - 3.4
            parts.append(f'<path class="brass" d="M{_short(left):g} {high / 2:.1f}l3.4-2.1 3.4 2.1-3.4 2.1z"/>')
    return parts
