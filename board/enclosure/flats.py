"""The flat parts of a table cut from wood, acrylic or card, from the measures of layout, tray and boxes."""

import math

import letters
from boxes import LABELS, ButtonBox, CameraPlate, Fit, PiBox
from flat import Circle, Flat, Label, Line, Rect, Shape, middle_rect

from dicereader.tray.calibration import TAG_PLATE_MM
from dicereader.tray.geometry import Tray
from pegboard.layouts import Layout, seams
from pegboard.layouts.strips import GROOVE_PLAY_MM, StripPiece, pieces

HOLE_MM = 3.6
"""The hole over an LED."""

CORNER_MM = 6.0
FELT_MM = 1.5
SLOPE_MM = 8.0
"""The rail's bevel on the throw side, along the floor."""

SIDE_MM = 10.0
"""The thickness of the wooden button box's sides, which take the screws of top and bottom."""

PLY = "plywood, 3 mm"


def board(layout: Layout) -> tuple[Flat, ...]:
    """Return the board's face, the frame behind it and the back, all as seen from in front."""
    edge, (wide, deep) = seams.EDGE_MM, layout.size_mm
    outline = Rect(0, 0, wide + 2 * edge, deep + 2 * edge, CORNER_MM)
    screws = tuple(Circle(x + edge, y + edge, Fit().screw) for x, y in seams.screws(layout))
    lamps = tuple(Circle(lamp.x + edge, lamp.y + edge, HOLE_MM) for lamp in layout.lamps())
    x, y = seams.leads_out(layout)
    leads = Circle(edge + x, edge + y, seams.LEADS_OUT_MM)
    inner = outline.grown(-edge)
    strips = [mark for piece in pieces(layout) for mark in _strip(layout, edge, piece)]
    front, back = (
        [((x + edge, 0.0), (x + edge, outline.high)) for x in cuts(layout)[1:-1]]
        for cuts in (seams.front_cuts, seams.back_cuts)
    )
    title = f"Board {layout.name}"
    return (
        Flat("board-face", f"{title}: face", PLY, outline, (*lamps, *screws), front, labels=_seams(front, outline)),
        Flat("board-frame", f"{title}: frame behind the face", "wood, 4 mm", outline, (inner, *screws)),
        Flat(
            "board-back",
            f"{title}: back, seen from in front; the strips are glued on it",
            PLY,
            outline,
            (leads, *screws),
            (*strips, *back),
            labels=_seams(back, outline),
        ),
    )


def _strip(layout: Layout, edge: float, piece: StripPiece) -> tuple[Rect | Line, ...]:
    """Return the outline of a strip, half a pitch longer than its LEDs at both ends, or the two edges of an arc."""
    half, end = (layout.strip_mm + GROOVE_PLAY_MM) / 2, layout.pitch_mm / 2
    first, last = piece.first, piece.last
    if piece.arc:
        x, y = piece.arc.middle
        return tuple(
            tuple((edge + x + (lamp.x - x) * out, edge + y + (lamp.y - y) * out) for lamp in piece.lamps)
            for out in (1 - half / piece.arc.radius, 1 + half / piece.arc.radius)
        )
    if first.x != last.x and first.y != last.y:
        return (_aslant((first.x + edge, first.y + edge), (last.x + edge, last.y + edge), half, end),)
    level = first.y == last.y
    x, y = (end, half) if level else (half, end)
    left, right = sorted((first.x, last.x))
    top, bottom = sorted((first.y, last.y))
    return (Rect(left - x + edge, top - y + edge, right - left + 2 * x, bottom - top + 2 * y),)


def _aslant(first: tuple[float, float], last: tuple[float, float], half: float, end: float) -> Line:
    """Return the outline of a strip between two places: `half` to both sides, and `end` beyond them."""
    length = math.dist(first, last)
    x, y = (last[0] - first[0]) / length, (last[1] - first[1]) / length
    corners = ((first, -end, half), (last, end, half), (last, end, -half), (first, -end, -half), (first, -end, half))
    return tuple((at[0] + x * along - y * side, at[1] + y * along + x * side) for at, along, side in corners)


def _seams(lines: list[Line], outline: Rect) -> tuple[Label, ...]:
    return tuple(Label(line[0][0] + 11, outline.high - 2.5, "seam, if cut in parts") for line in lines)


def tray(tray: Tray) -> tuple[Flat, ...]:
    """Return the tray's floor, walls, rail, pockets, tag plates and the blocks under them."""
    pad = tray.tag_mm + 2 * tray.tag_border_mm
    far = tray.tag_centre_mm(1)[0] + pad / 2  # from the middle to the tags' outer edge
    outer = tray.half_mm + tray.wall_mm
    block = far - outer
    high = tray.wall_height_mm + FELT_MM
    shelf = tray.pocket_centre_mm(0)[1]
    pocket = tray.pocket_mm

    def centred(x: float, y: float, wide: float, deep: float) -> Rect:
        return middle_rect(far + x, far - y, wide, deep)

    pockets = [tray.pocket_centre_mm(n) for n in range(tray.pockets)]
    tags = [tray.tag_centre_mm(n) for n in range(4)]
    marks: list[Shape | Line] = [
        centred(0, 0, 2 * outer, 2 * outer),
        centred(0, 0, tray.inner_mm, tray.inner_mm),
        centred(0, tray.rail_y_mm, tray.inner_mm, tray.rail_mm),
        centred(0, tray.rail_y_mm + (tray.rail_mm + SLOPE_MM) / 2, tray.inner_mm, SLOPE_MM),
        *(centred(x, y, pocket, pocket) for x, y in pockets),
        *(centred(x, y, pad, pad) for x, y in tags),
    ]
    labels = (
        *(Label(far + x - 7, far - y + 1, f"tag {n}") for n, (x, y) in enumerate(tags)),
        Label(far - 70, far - 40, "felt; walls stand around it, on this floor"),
        Label(far - 70, far - tray.rail_y_mm - 12, "rail, and its slope on the throw side"),
        Label(far - 60, 2 * far - block - 3, "the players' side"),
    )
    tall = f"wood, {tray.wall_mm:g} mm"
    return (
        Flat("tray-floor", "Tray: floor", "plywood, 4 mm", Rect(0, 0, 2 * far, 2 * far, 4), (), marks, labels=labels),
        Flat("tray-wall-long", "Tray: wall, behind and in front", tall, Rect(0, 0, 2 * outer, high), count=2),
        Flat("tray-wall-short", "Tray: wall, left and right", tall, Rect(0, 0, tray.inner_mm, high), count=2),
        Flat(
            "tray-rail",
            f"Tray: rail; on its throw side a slope of {SLOPE_MM:g} x {tray.rail_height_mm:g} mm",
            f"wood, {tray.rail_mm:g} mm",
            Rect(0, 0, tray.inner_mm, tray.rail_height_mm + FELT_MM),
        ),
        Flat(
            "tray-pockets",
            "Tray: pockets, on the shelf",
            "plywood or cork, 3 mm, over the felt",
            Rect(0, 0, tray.inner_mm, tray.shelf_mm),
            tuple(middle_rect(tray.half_mm + x, tray.shelf_mm / 2 + shelf - y, pocket, pocket, 1) for x, y in pockets),
        ),
        Flat(
            "tray-tag-plate",
            "Tray: plate for a tag, on the walls' corner and a block",
            f"plywood, {TAG_PLATE_MM:g} mm",
            Rect(0, 0, pad, pad),
            count=4,
        ),
        Flat(
            "tray-block",
            "Tray: block under a tag's outer corner",
            f"wood, {block:g} mm",
            Rect(0, 0, block, high),
            count=4,
        ),
    )


def boxes() -> tuple[Flat, ...]:
    """Return the button box, the camera's plate and a base for the Raspberry Pi."""
    return (*_buttons(ButtonBox()), _plate(CameraPlate()), _base(PiBox()))


def _buttons(box: ButtonBox) -> tuple[Flat, ...]:
    x0, y0 = box.wide / 2, box.deep / 2
    outline = Rect(0, 0, box.wide, box.deep, box.corner)
    holes = [Circle(x0 + x, y0 - y, box.hole) for x, y in box.holes]
    screws = [Circle(x0 + x, y0 - y, Fit().screw) for x, y in box.screws]
    strokes = [
        tuple((x0 + x, y0 - y) for x, y in stroke)
        for word, (middle, _) in zip(LABELS, box.holes, strict=True)
        for stroke in letters.strokes(word, (middle, box.label_y), box.label_high)
    ]
    high = box.high - box.plate
    side = f"wood, {SIDE_MM:g} mm"
    long, short = Rect(0, 0, box.wide, high), Rect(0, 0, box.deep - 2 * SIDE_MM, high)
    cable = (Circle(x0, high - box.cable, box.cable),)
    return (
        Flat("buttons-top", "Button box: top", PLY, outline, (*holes, *screws), engraved=strokes),
        Flat("buttons-bottom", "Button box: bottom", PLY, outline, screws),
        Flat("buttons-side-front", "Button box: front side; round its ends", side, long),
        Flat("buttons-side-back", "Button box: back side; round its ends", side, long, cable),
        Flat("buttons-side-short", "Button box: left and right side", side, short, count=2),
    )


def _plate(plate: CameraPlate) -> Flat:
    long = plate.front + plate.back
    x0, y0 = plate.wide / 2, plate.back
    holes = [Circle(x0 + x, y0 - y, plate.m2) for x, y in plate.module_holes]
    screws = [Circle(x0 + x, y0 - y, plate.bar_screw) for x, y in plate.bar_holes]
    slot = middle_rect(x0, y0 - plate.slot_y, plate.slot_wide, plate.slot)
    bar = Rect(x0 - plate.bar / 2, 0, plate.bar, plate.back - plate.bar_first + 8)
    lens = (((x0 - 3, y0), (x0 + 3, y0)), ((x0, y0 - 3), (x0, y0 + 3)))
    words = (Label(x0 - 8, 5, "bar above"), Label(x0 - 2.4, y0 + 6, "lens"))
    outline = Rect(0, 0, plate.wide, long, plate.corner)
    return Flat(
        "camera-plate", "Camera plate, from above", PLY, outline, (*holes, *screws, slot), (bar, *lens), labels=words
    )


def _base(box: PiBox) -> Flat:
    edge = 10.0
    outline = Rect(0, 0, box.wide + 2 * edge, box.deep + 2 * edge, CORNER_MM)

    def at(place: tuple[float, float], d: float) -> Circle:
        return Circle(edge + place[0], edge + box.deep - place[1], d)

    def board(x: float, y: float, wide: float, deep: float) -> Rect:
        return Rect(edge + x, edge + box.deep - y - deep, wide, deep)

    pi, perf = board(box.pi_x, box.pi_y, 85, 56), board(box.perf_x, box.perf_y, 70, 50)
    zero = board(box.zero_x, box.zero_y, 65, 30)
    holes = [
        *(at(place, 2.7) for place in (*box.pi_holes, *box.zero_holes)),
        *(at(place, 2.3) for place in box.perf_holes),
        *(Circle(x, y, 4.0) for x in (5, outline.wide - 5) for y in (5, outline.high - 5)),
    ]
    labels = (
        Label(pi.x + 20, pi.y + 8, "Pi 3, 4, 5"),
        Label(zero.x + 20, zero.y + 12, "Pi Zero"),
        Label(perf.x + 20, perf.y + 25, "perfboard"),
        Label(12, 20, "jack, fuse, terminals: 5 V only"),
    )
    return Flat("pi-base", "Base for the Raspberry Pi", PLY, outline, holes, (pi, zero, perf), labels=labels)
