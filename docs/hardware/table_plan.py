"""Draws the whole table of a build to scale, from above and from the side, with each cable; places as in cables.py."""

import math
from collections.abc import Callable, Iterator, Sequence

import cables
import drawing
from boxes import CameraPlate
from builds import Build
from cables import (
    BASE_FROM,
    BASE_THICK,
    BASE_TO,
    BASE_Z,
    BOARD_X,
    BOARD_Y,
    BUTTON_BOX,
    BUTTONS,
    BUTTONS_Y,
    FAR_MM,
    TABLE_Z,
    TRAY,
)
from drawing import text

from dicereader.tray.geometry import TAG_PLATE_MM
from pegboard.layouts.seams import EDGE_MM

At = Callable[[float, float], tuple[float, float]]

SCALE = 0.8
WIDE, HIGH = 1140.0, 1145.0
LEFT = 90.0
BASE_HALF = 150.0
"""Half the width of the wooden base."""

BAR = CameraPlate().bar
WOOD, WOOD_LINE = "#b98b55", "#5b3d18"


def svg(build: Build) -> str:
    """Return the drawing of a build."""
    return drawing.svg(WIDE, HIGH, (*_above(build), *_beside(build)))


def _above(build: Build) -> Iterator[str]:
    layout, top = build.board, 50.0

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + (x + 600) * SCALE, top + (400 - y) * SCALE

    yield text(20, 30, f"{build.name}, from above, board {layout.name}; 1 px = {1 / SCALE:g} mm", 17)
    yield _box(at, (-600, -300), (1200, 700), "#efe6d8", "#a98f68")
    yield _box(at, (-BASE_HALF, BASE_FROM), (2 * BASE_HALF, BASE_TO - BASE_FROM), "#dcc49c", WOOD_LINE)
    if not build.printed:
        yield _box(at, (-FAR_MM, -FAR_MM), (2 * FAR_MM, 2 * FAR_MM), "#3d6f4b", "#222")
    outer = TRAY.half_mm + TRAY.wall_mm
    yield _box(at, (-outer, -outer), (2 * outer, 2 * outer), "#c9c9c9", "#555")
    yield _box(at, (-TRAY.half_mm, -TRAY.half_mm), (TRAY.inner_mm, TRAY.inner_mm), "#2f5d3a", "#222")
    yield _box(at, (-TRAY.half_mm, -TRAY.half_mm), (TRAY.inner_mm, TRAY.shelf_mm), "#25492e", "#222")
    plate = TRAY.tag_mm + 2 * TRAY.tag_border_mm
    for x, y in (TRAY.tag_centre_mm(tag) for tag in range(4)):
        yield _box(at, (x - plate / 2, y - plate / 2), (plate, plate), "#fff", "#222")
    size = (layout.size_mm[0] + 2 * EDGE_MM, layout.size_mm[1] + 2 * EDGE_MM)
    yield _box(at, (BOARD_X, BOARD_Y), size, "#6b421c", "#2c1a08")
    for lamp in layout.lamps():
        x, y = at(BOARD_X + EDGE_MM + lamp.x, BOARD_Y + EDGE_MM + layout.size_mm[1] - lamp.y)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.6" fill="#ffe08a"/>'
    yield _box(at, (-BUTTONS[0] / 2, BUTTONS_Y - BUTTONS[1] / 2), BUTTONS, "#4a4a4a", "#222")
    for hole_x, hole_y in BUTTON_BOX.holes:
        x, y = at(hole_x, BUTTONS_Y + hole_y)
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{build.button_mm / 2 * SCALE:g}" fill="#f2f2f2"/>'
    box, (near, far), post = cables.hung(build), cables.arm_ends(build), cables.post_y(build)
    yield _box(at, (box.left, post + BAR / 2), (box.wide, box.thick), "#5f7a8c", "#222")
    yield _box(at, (-BAR / 2, near), (BAR, max(far, post + BAR / 2) - near), WOOD, WOOD_LINE)
    plate_size = CameraPlate()
    yield _box(
        at, (-plate_size.wide / 2, -plate_size.front), (plate_size.wide, near + plate_size.front), WOOD, WOOD_LINE
    )
    yield _box(at, (-90, -25), (50, 50), "#fff7c2", "#a08c20")
    x, y = at(0, 0)
    yield f'<circle cx="{x:g}" cy="{y:g}" r="7" fill="#111" stroke="#fff"/>'
    for cable in cables.cables(build):
        yield _way(cable.colour, [at(x, y) for x, y, _ in cable.way])
    for words, x, y in (
        ("board", BOARD_X + 140, BOARD_Y - 26), ("the Pi, on the post", -248, 190), ("lamp", -88, 32),
        ("lens", 24, -4), ("tray", -108, 70), ("buttons", -28, -262), ("players", -40, -330), ("players", -585, 60),
        ("players", 520, 60), ("post", 18, 142), ("tags", 145, 100), ("base", -146, -160),
    ):  # fmt: skip
        yield text(*at(x, y), words, 15, halo=True)
    x, y = at(-560, -270)
    yield f'<path d="M{x:g} {y:g}h{100 * SCALE:g}" stroke="#222" stroke-width="3"/>'
    yield text(x, y - 8, "100 mm", 14)


def _beside(build: Build) -> Iterator[str]:
    floor, layout, lens = HIGH - 70.0, build.board, build.lens_mm

    def at(y: float, z: float) -> tuple[float, float]:
        return LEFT + (y + 300) * SCALE, floor - z * SCALE

    yield text(20, floor - (lens + 76) * SCALE, "From the side, the players at the left", 17)
    table = TABLE_Z
    yield _box(at, (-300, table - 14), (800, 14), "#efe6d8", "#a98f68")
    yield _box(at, (BASE_FROM, table), (BASE_TO - BASE_FROM, BASE_THICK), "#dcc49c", WOOD_LINE)
    outer, high = TRAY.half_mm + TRAY.wall_mm, TRAY.wall_height_mm
    across = FAR_MM if not build.printed else outer
    yield _box(at, (-across, BASE_Z), (2 * across, -BASE_Z), "#2f5d3a", "#222")
    yield _box(at, (-outer, 0), (TRAY.wall_mm, high), "#c9c9c9", "#555")
    yield _box(at, (TRAY.half_mm, 0), (TRAY.wall_mm, high), "#c9c9c9", "#555")
    post, arm, (near, far), (low, up) = (
        cables.post_y(build), cables.arm_z(build), cables.arm_ends(build), cables.upright_ends(build),
    )  # fmt: skip
    yield _box(at, (post - BAR / 2, low), (BAR, up - low), WOOD, WOOD_LINE)
    yield _box(at, (near, arm), (far - near, BAR), WOOD, WOOD_LINE)
    yield _box(at, (-CameraPlate().front, arm - 3), (near + CameraPlate().front + 40, 3), WOOD, WOOD_LINE)
    yield _box(at, (-12, lens), (24, 6), "#222", "#222")
    box = cables.hung(build)
    yield _box(at, (post + BAR / 2, box.low), (box.thick, box.high), "#5f7a8c", "#222")
    yield _box(at, (BOARD_Y, table), (layout.size_mm[1] + 2 * EDGE_MM, 10), "#6b421c", "#2c1a08")
    deep, tall = BUTTONS[1], 36.0 if not build.printed else BUTTON_BOX.high + BUTTON_BOX.bottom
    yield _box(at, (BUTTONS_Y - deep / 2, table), (deep, tall), "#4a4a4a", "#222")
    top, reach = high + TAG_PLATE_MM, FAR_MM
    for end in (-reach, reach):
        (x, y), (to_x, to_y) = at(0, lens), at(end, top)
        yield f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="#666" stroke-dasharray="6 5" fill="none"/>'
    for cable in cables.cables(build):
        yield _way(cable.colour, [at(y, max(z, table)) for _, y, z in cable.way])
    (x, y), (_, to_y) = at(-170, 0), at(-170, lens)
    yield f'<path d="M{x:g} {y:g}V{to_y:g}m-6 0h12" stroke="#b2182b" stroke-width="2" fill="none"/>'
    yield text(x - 10, (y + to_y) / 2, f"lens {lens / 10:.0f} cm high", 15, "end", "#b2182b", halo=True)
    for number, cable in enumerate(cables.cables(build)):
        x, y = 620, floor - 330 + 30 * number
        yield f'<path d="M{x} {y - 5:g}h30" stroke="{cable.colour}" stroke-width="5"/>'
        yield text(x + 40, y, f"{cable.words}: {math.ceil(cable.length_mm / 10)} cm", 15)
    bars = ", ".join(f"{name} {length / 10:.1f} cm" for name, length in cables.bars_mm(build).items())
    for number, words in enumerate((f"Square bar: {bars}.", "Nothing of this was built yet.")):
        yield text(620, floor - 190 + 24 * number, words, 15)


def _box(at: At, low: tuple[float, float], size: tuple[float, ...], fill: str, line: str) -> str:
    x, y = at(low[0], low[1] + size[1])
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{size[0] * SCALE:.1f}" height="{size[1] * SCALE:.1f}" fill="{fill}"'
        f' stroke="{line}"/>'
    )


def _way(colour: str, points: Sequence[tuple[float, float]]) -> str:
    """Return a cable's line, with a white edge that sets it off from any ground."""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    drawn = f'<polyline points="{line}" fill="none" stroke-linejoin="round"'
    return f'{drawn} stroke="#fff" stroke-width="6"/>{drawn} stroke="{colour}" stroke-width="3.5"/>'
