"""The flat parts of board and tray cut from wood, acrylic or card, from the measures of layout and tray."""

import math

import engraving
from boxes import Fit
from flat import Circle, Flat, Label, Line, Rect, Shape, flat_part, middle_rect

from dicereader.tray.geometry import TAG_PLATE_MM, Tray
from pegboard.layouts import Layout, seams
from pegboard.layouts.strips import GROOVE_PLAY_MM, StripPiece, pieces

HOLE_MM = 3.6
"""The hole over an LED."""

CORNER_MM = 6.0
SLOPE_MM = 8.0
"""The rail's slope on the throw side, along the floor."""

FRAME_MM, FRAME_END_MM, FRAME_HIGH_MM = 10.0, 5.0, 5.0
"""The strips that keep the board's face off the LEDs: the width of the long ones, which take the screws, the width of
those at both ends, which leave space for the wires to LED 0, and their height, in which two wires of 18 AWG cross."""

WALL_SCREWS_MM, RIM_IN_MM = 80.0, 7.5
"""Screws of the tray's floor: their distance from a wall's middle, and the rim's from the floor's edge."""


def board(layout: Layout) -> tuple[Flat, ...]:
    """Return the board's face, the frame behind it and the back, all as seen from in front."""
    edge, (wide, deep) = seams.EDGE_MM, layout.size_mm
    outline = Rect(0, 0, wide + 2 * edge, deep + 2 * edge, CORNER_MM)
    screws = tuple(Circle(x + edge, y + edge, Fit().screw) for x, y in seams.screws(layout))
    lamps = tuple(Circle(lamp.x + edge, lamp.y + edge, HOLE_MM) for lamp in layout.lamps())
    x, y = seams.leads_out(layout)
    leads = Circle(edge + x, edge + y, seams.LEADS_OUT_MM)
    inner = Rect(FRAME_END_MM, FRAME_MM, outline.wide - 2 * FRAME_END_MM, outline.high - 2 * FRAME_MM)
    along = tuple(screw for screw in screws if screw.y < FRAME_MM)
    chain = pieces(layout)
    dark = [chain[0].first.led, *(0 for _ in chain[1:])]  # LEDs before the first one that has a place
    strips = [mark for piece, spare in zip(chain, dark, strict=True) for mark in _strip(layout, edge, piece, spare)]
    front, back = (
        [((x + edge, 0.0), (x + edge, outline.high)) for x in cuts(layout)[1:-1]]
        for cuts in (seams.front_cuts, seams.back_cuts)
    )
    end = Rect(0, 0, inner.high, FRAME_END_MM)
    back_labels = (
        *_seams(back, outline),
        *(_numbers(edge, piece, spare) for piece, spare in zip(chain, dark, strict=True)),
        Label(leads.x + 7, leads.y + 1, "wires"),
        Label(outline.wide / 2 - 20, FRAME_MM + 4, "frame around this line"),
    )
    holes, name = (*lamps, *screws), {"layout": layout.name}
    words = engraving.engraved(layout, edge, outline, holes)
    along_the_face = Rect(0, 0, outline.wide, FRAME_MM)
    return (
        flat_part("board-face", outline, holes, front, engraved=words, labels=_seams(front, outline), **name),
        flat_part("board-frame-long", along_the_face, along, high=FRAME_HIGH_MM, wide=FRAME_MM, **name),
        flat_part("board-frame-end", end, high=FRAME_HIGH_MM, wide=FRAME_END_MM, **name),
        flat_part("board-back", outline, (leads, *screws), (inner, *strips, *back), labels=back_labels, **name),
    )


def _numbers(edge: float, piece: StripPiece, spare: int) -> Label:
    """Return the label of a strip: its LEDs in the order of the chain, and which way its data goes."""
    first, last = piece.first, piece.last
    x, y = edge + min(first.x, last.x) + 4, edge + (first.y + last.y) / 2 + 1
    if piece.leds == 1:
        return Label(x, y, f"LED {first.led}")
    level = first.y == last.y and not piece.arc
    way = (", data to the right" if first.x < last.x else ", data to the left") if level else ""
    return Label(x, y, f"LEDs {first.led - spare} to {last.led}{way}")


def _strip(layout: Layout, edge: float, piece: StripPiece, spare: int = 0) -> tuple[Rect | Line, ...]:
    """Return the outline of a strip, half a pitch longer than its LEDs at both ends, or the two edges of an arc.

    `spare` is the number of LEDs without a place before the first one.
    """
    half, end = (layout.strip_mm + GROOVE_PLAY_MM) / 2, layout.pitch_mm / 2
    first, last = piece.first, piece.last
    if piece.arc:
        x, y = piece.arc.middle
        return tuple(
            tuple((edge + x + (lamp.x - x) * out, edge + y + (lamp.y - y) * out) for lamp in piece.lamps)
            for out in (1 - half / piece.arc.radius, 1 + half / piece.arc.radius)
        )
    longer = spare / (piece.leds - 1) if piece.leds > 1 else 0.0
    begin_x, begin_y = first.x - (last.x - first.x) * longer, first.y - (last.y - first.y) * longer
    if first.x != last.x and first.y != last.y:
        return (_aslant((begin_x + edge, begin_y + edge), (last.x + edge, last.y + edge), half, end),)
    x, y = (end, half) if first.y == last.y else (half, end)
    wide, high = abs(last.x - begin_x) + 2 * x, abs(last.y - begin_y) + 2 * y
    return (middle_rect(edge + (begin_x + last.x) / 2, edge + (begin_y + last.y) / 2, wide, high),)


def _aslant(first: tuple[float, float], last: tuple[float, float], half: float, end: float) -> Line:
    """Return the outline of a strip between two places: `half` to both sides, and `end` beyond them."""
    length = math.dist(first, last)
    x, y = (last[0] - first[0]) / length, (last[1] - first[1]) / length
    corners = ((first, -end, half), (last, end, half), (last, end, -half), (first, -end, -half), (first, -end, half))
    return tuple((at[0] + x * along - y * side, at[1] + y * along + x * side) for at, along, side in corners)


def _seams(lines: list[Line], outline: Rect) -> tuple[Label, ...]:
    return tuple(Label(line[0][0] + 11, outline.high - 2.5, "seam, if cut in parts") for line in lines)


def tray(tray: Tray) -> tuple[Flat, ...]:
    """Return the tray's floor, walls, rail, slope, pockets, tag plates and the blocks under them.

    The felt covers the whole floor; walls, rail and blocks stand on it, so all heights are above the felt.
    """
    pad = tray.tag_mm + 2 * tray.tag_border_mm
    far = tray.tag_centre_mm(1)[0] + pad / 2  # from the middle to the tags' outer edge
    outer = tray.half_mm + tray.wall_mm
    high = tray.wall_height_mm
    inner, wall = tray.inner_mm, {"wide": tray.wall_mm, "high": high}
    return (
        _floor(tray, far, pad),
        flat_part("tray-wall-long", Rect(0, 0, 2 * outer, high), **wall),
        flat_part("tray-wall-short", Rect(0, 0, inner, high), **wall),
        flat_part("tray-rail", Rect(0, 0, inner, tray.rail_height_mm)),
        flat_part("tray-slope", Rect(0, 0, inner, math.hypot(SLOPE_MM, tray.rail_height_mm))),
        _pockets(tray),
        flat_part("tray-tag-plate", Rect(0, 0, pad, pad), thick=TAG_PLATE_MM),
        flat_part("tray-block", Rect(0, 0, far - outer, high), **wall),
    )


def _floor(tray: Tray, far: float, pad: float) -> Flat:
    outer, pocket = tray.half_mm + tray.wall_mm, tray.pocket_mm

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
        *(
            centred(x * (outer + far) / 2, y * (outer - tray.wall_mm / 2), far - outer, tray.wall_mm)
            for x in (-1, 1)
            for y in (-1, 1)
        ),
    ]
    wall, rim = tray.half_mm + tray.wall_mm / 2, far - RIM_IN_MM
    along = (-WALL_SCREWS_MM, WALL_SCREWS_MM)
    places = [
        *((x, y) for x in along for y in (-wall, wall)),
        *((x, y) for x in (-wall, wall) for y in along),
        (0, -rim), (0, rim), (-rim, 0), (rim, 0),
    ]  # fmt: skip
    labels = (
        *(Label(far + x - 7, far - y + 1, f"tag {n}") for n, (x, y) in enumerate(tags)),
        Label(far - 70, far - 40, "felt over the whole floor; walls stand on it"),
        Label(far - 70, far - 34, "screws of the walls from below, of the rim from above"),
        Label(far - 70, far - tray.rail_y_mm - 14, "rail, and its slope on the throw side"),
        Label(far - 60, 2 * far - 3, "the players' side"),
    )
    screws = [Circle(far + x, far - y, Fit().screw) for x, y in places]
    return flat_part("tray-floor", Rect(0, 0, 2 * far, 2 * far, 4), screws, marks, labels=labels)


def _pockets(tray: Tray) -> Flat:
    pockets = [tray.pocket_centre_mm(n) for n in range(tray.pockets)]
    middle, pocket = tray.shelf_mm / 2 + pockets[0][1], tray.pocket_mm
    holes = [middle_rect(tray.half_mm + x, middle - y, pocket, pocket, 1) for x, y in pockets]
    return flat_part("tray-pockets", Rect(0, 0, tray.inner_mm, tray.shelf_mm), holes)
