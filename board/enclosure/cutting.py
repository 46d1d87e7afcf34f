"""Flat parts as SVG and DXF for a laser, a router or a jigsaw, in true size."""

from collections.abc import Iterator

import ezdxf
from ezdxf.document import Drawing
from ezdxf.layouts import Modelspace
from flat import Circle, Flat, Line, Rect, Shape

LAYERS = {"CUT": ("red", 1), "ENGRAVE": ("blue", 5), "MARK": ("green", 3)}
"""Each layer's colour in SVG and its colour number in DXF."""

MARGIN_MM = 2.0
"""Empty space around the part in an SVG file."""


def layers(flat: Flat) -> Iterator[tuple[str, Shape | Line]]:
    """Yield all shapes and lines with their layers; openings first, because a part may move once its outline is cut."""
    yield from (("ENGRAVE", each) for each in flat.engraved)
    yield from (("MARK", each) for each in flat.marks)
    yield from (("CUT", each) for each in flat.openings)
    yield "CUT", flat.outline


def svg(flat: Flat, kerf_mm: float = 0.0) -> str:
    """Return the part as an SVG file, for a cut of this width."""
    cut = flat.with_kerf(kerf_mm)
    wide, high = (each + 2 * MARGIN_MM for each in flat.size)
    groups = {name: "".join(_element(shape) for layer, shape in layers(cut) if layer == name) for name in LAYERS}
    drawn = (
        f'<g id="{name}" stroke="{LAYERS[name][0]}" stroke-width="0.1" fill="none">{inside}</g>'
        for name, inside in reversed(groups.items())
        if inside
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{high:g}mm" '
        f'viewBox="{-MARGIN_MM:g} {-MARGIN_MM:g} {wide:g} {high:g}">'
        f"<title>{flat.title}: {flat.material}, {flat.count} x</title>{''.join(drawn)}</svg>\n"
    )


def _element(shape: Shape | Line) -> str:
    if isinstance(shape, Circle):
        return f'<circle cx="{shape.x:.3f}" cy="{shape.y:.3f}" r="{shape.d / 2:.3f}"/>'
    if isinstance(shape, Rect):
        place = f'x="{shape.x:.3f}" y="{shape.y:.3f}" width="{shape.wide:.3f}" height="{shape.high:.3f}"'
        return f'<rect {place} rx="{shape.r:.3f}"/>' if shape.r else f"<rect {place}/>"
    return f'<polyline points="{" ".join(f"{x:.3f},{y:.3f}" for x, y in shape)}"/>'


def dxf(flat: Flat, kerf_mm: float = 0.0) -> Drawing:
    """Return the part as a DXF drawing in millimetres, y up, its lower left corner at 0, 0, for a cut of this width."""
    document = ezdxf.new("R2010", units=ezdxf.units.MM)
    for name, (_, colour) in LAYERS.items():
        document.layers.add(name, color=colour)
    space = document.modelspace()
    for layer, shape in layers(flat.with_kerf(kerf_mm)):
        _entity(space, shape, flat.size[1], layer)
    return document


def _entity(space: Modelspace, shape: Shape | Line, high: float, layer: str) -> None:
    """Add a shape to the drawing, mirrored so that y goes up."""
    attributes = {"layer": layer}
    if isinstance(shape, Circle):
        space.add_circle((shape.x, high - shape.y), shape.d / 2, dxfattribs=attributes)
    elif isinstance(shape, Rect):
        corners = _corners(shape)
        space.add_lwpolyline(
            [(x, high - y, bulge) for x, y, bulge in corners], "xyb", close=True, dxfattribs=attributes
        )
    else:
        space.add_lwpolyline([(x, high - y) for x, y in shape], dxfattribs=attributes)


QUARTER = 0.41421356
"""The DXF bulge of a quarter circle: the tangent of a quarter of its 90 degrees."""


def _corners(rect: Rect) -> list[tuple[float, float, float]]:
    """Return the corners, counterclockwise where y goes up, each with the bulge of the arc that begins there."""
    left, top, right, bottom, r = rect.x, rect.y, rect.x + rect.wide, rect.y + rect.high, rect.r
    if not r:
        return [(left, bottom, 0.0), (right, bottom, 0.0), (right, top, 0.0), (left, top, 0.0)]
    return [
        (left + r, bottom, 0.0),
        (right - r, bottom, QUARTER),
        (right, bottom - r, 0.0),
        (right, top + r, QUARTER),
        (right - r, top, 0.0),
        (left + r, top, QUARTER),
        (left, top + r, 0.0),
        (left, bottom - r, QUARTER),
    ]
