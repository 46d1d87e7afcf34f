"""The flat parts of button box, camera post and Pi's base cut from wood, from the measures of boxes.py."""

from dataclasses import replace

from boxes import LABELS, ButtonBox, CameraPlate, Fit, PiBox
from engraving import strokes
from flat import Circle, Flat, Label, Rect, flat_part, middle_rect
from flats import CORNER_MM

SIDE_MM = 10.0
"""The thickness of the wooden button box's sides, which take the screws of top and bottom."""

SIDE_HIGH_MM = {"push": 30.0, "arcade": 40.0}
"""The height of the sides, that of a strip that can be bought: push buttons need 28 mm below the top, arcades 35."""

PUSH_MM, LEAST_MM, MOST_MM = 20.0, 8.0, 40.0
"""The widest hole of a push button, and the limits of a hole that the top has space for."""

PLAY_MM = 0.2
"""The width of a button's hole beyond its button."""

TIE_MM, LEADS_MM = 4.0, 8.0
"""Holes for cable ties, and for the buttons' cable."""

POST_MM = 80.0
"""The side of the plates that join arm and upright bar."""

BASE_EDGE_MM = 10.0

LEAVE_MM = {"supply": (44.0, 117.0), "strip": (93.0, 117.0), "buttons": (130.0, 117.0)}
"""Where the board's supply and the cables of strip and buttons leave the Pi's base, each tied between two holes."""

LEAVE_APART_MM = 8.0


def boxes(button_mm: float = 30.0) -> tuple[Flat, ...]:
    """Return the button box for buttons of this diameter, the camera's plate, the post's plates, and the Pi's base.

    Raises:
        ValueError: if the box has no space for such buttons.
    """
    if not LEAST_MM <= button_mm <= MOST_MM:
        raise ValueError(f"expected buttons of {LEAST_MM:g} to {MOST_MM:g} mm, got {button_mm:g}")
    return (*_buttons(button_mm), _plate(CameraPlate()), _post(CameraPlate()), _base(PiBox()))


def _buttons(button_mm: float) -> tuple[Flat, ...]:
    box = replace(ButtonBox(), hole=button_mm + PLAY_MM)
    x0, y0 = box.wide / 2, box.deep / 2
    outline = Rect(0, 0, box.wide, box.deep, box.corner)
    holes = [Circle(x0 + x, y0 - y, box.hole) for x, y in box.holes]
    screws = [Circle(x0 + x, y0 - y, Fit().screw) for x, y in box.screws]
    words = [
        tuple((x0 + x, y0 - y) for x, y in stroke)
        for word, (middle, _) in zip(LABELS, box.holes, strict=True)
        for stroke in strokes(word, (middle, box.label_y), box.label_high)
    ]
    high = SIDE_HIGH_MM["push" if button_mm <= PUSH_MM else "arcade"]
    side = {"wide": SIDE_MM, "high": high}
    long, short = Rect(0, 0, box.wide, high), Rect(0, 0, box.deep - 2 * SIDE_MM, high)
    cable = (Circle(x0, high / 2, LEADS_MM),)
    return (
        flat_part("buttons-top", outline, (*holes, *screws), engraved=words),
        flat_part("buttons-bottom", outline, screws),
        flat_part("buttons-side-front", long, **side),
        flat_part("buttons-side-back", long, cable, **side),
        flat_part("buttons-side-short", short, **side),
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
    return flat_part("camera-plate", outline, (*holes, *screws, slot), (bar, *lens), labels=words)


def _post(plate: CameraPlate) -> Flat:
    """Return the plate that joins arm and upright bar; there is one on each side of them."""
    middle, half = POST_MM / 2, plate.bar / 2
    holes = [(middle - 25, half), (middle + 25, half), (middle, plate.bar + 20), (middle, plate.bar + 46)]
    arm, post = Rect(0, 0, POST_MM, plate.bar), Rect(middle - half, plate.bar, plate.bar, POST_MM - plate.bar)
    outline = Rect(0, 0, POST_MM, POST_MM, plate.corner)
    screws = [Circle(x, y, Fit().screw) for x, y in holes]
    words = (Label(4, 16, "arm"), Label(middle - 8, POST_MM - 6, "upright"))
    return flat_part("post-plate", outline, screws, (arm, post), labels=words)


def _base(box: PiBox) -> Flat:
    edge = BASE_EDGE_MM
    outline = Rect(0, 0, box.wide + 2 * edge, box.deep + 2 * edge, CORNER_MM)

    def at(place: tuple[float, float], d: float) -> Circle:
        return Circle(edge + place[0], edge + box.deep - place[1], d)

    def board(x: float, y: float, wide: float, deep: float) -> Rect:
        return Rect(edge + x, edge + box.deep - y - deep, wide, deep)

    pi, perf = board(box.pi_x, box.pi_y, 85, 56), board(box.perf_x, box.perf_y, 70, 50)
    zero, jack = board(box.zero_x, box.zero_y, 65, 30), board(2, 10, 40, 16)
    fuse, can = board(2, 34, 46, 12), board(2, 58, 46, 22)
    (left, low), (_, up) = box.hang_holes
    bar = board(left - 10, low - 30, 20, up - low + 46)
    ties = [
        *((22, y) for y in (7, 29)), *((34, y) for y in (31, 49)), *((26, y) for y in (55, 83)),
        *((x, y + side * LEAVE_APART_MM / 2) for x, y in LEAVE_MM.values() for side in (-1, 1)),
    ]  # fmt: skip
    holes = [
        *(at(place, 2.7) for place in (*box.pi_holes, *box.zero_holes)),
        *(at(place, 2.3) for place in box.perf_holes),
        *(at(place, CameraPlate().bar_screw) for place in box.hang_holes),
        *(at(place, TIE_MM) for place in ties),
    ]
    labels = (
        Label(pi.x + 20, pi.y + 8, "Pi 3, 4, 5"),
        Label(zero.x + 20, zero.y + 12, "Pi Zero"),
        Label(perf.x + 20, perf.y + 25, "perfboard"),
        Label(perf.x + 20, perf.y + perf.high - 3, "its pins for the Pi"),
        *(Label(edge + x + 4, edge + box.deep - y + 1, words) for words, (x, y) in LEAVE_MM.items()),
        Label(jack.x + 2, jack.y + 6, "jack: 5 V only"),
        Label(fuse.x + 2, fuse.y + 8, "fuse holder"),
        Label(can.x + 2, can.y + 9, "connectors and can"),
        Label(12, outline.high - 3, "this edge up, when it hangs on the post"),
    )
    marks = (pi, zero, perf, jack, fuse, can, bar)
    return flat_part("pi-base", outline, holes, marks, labels=labels)
