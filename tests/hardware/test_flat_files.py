"""The flat parts as DXF and SVG, measured: true size, every hole in its place, and the kerf."""

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import ezdxf
import pytest
from enclosure_scripts import all_flats, needs_openscad, script
from samples import sampled

from dicereader.tray.geometry import Tray
from pegboard.layouts import Layout, layout_names, load_layout, seams
from pegboard.layouts.layout import Lamp
from pegboard.layouts.strips import StripPiece, pieces

flats, templates, flat_parts, engraving = script("flats"), script("templates"), script("flat"), script("engraving")
flat_boxes, cutting = script("flat_boxes"), script("cutting")
measures, parts = script("measures"), script("parts")

Place = tuple[float, float]
Cuts = Callable[[Layout], tuple[float, ...]]


FLATS = all_flats()


@pytest.mark.parametrize("kerf", [0.0, 0.2])
@pytest.mark.parametrize("name", sampled(FLATS, "buttons-top"))
def test_a_dxf_file_is_in_millimetres_with_outline_and_holes_in_place_wider_and_narrower_by_the_kerf(
    tmp_path: Path, name: str, kerf: float
) -> None:
    flat = FLATS[name]
    cutting.dxf(flat, kerf).saveas(tmp_path / "part.dxf")
    document = ezdxf.readfile(tmp_path / "part.dxf")
    assert document.header["$INSUNITS"] == ezdxf.units.MM
    space, (wide, high) = document.modelspace(), flat.size
    circles = sorted((each.dxf.center.x, each.dxf.center.y, each.dxf.radius) for each in space.query("CIRCLE"))
    holes = sorted((each.x, high - each.y, each.d / 2 - kerf / 2) for each in flat.circles)
    assert circles == [pytest.approx(hole, abs=0.001) for hole in holes]
    cuts = list(space.query("LWPOLYLINE[layer=='CUT']"))
    assert all(each.closed for each in cuts)
    outline = max(cuts, key=lambda each: _extent(list(each.vertices())))
    assert _extent(list(outline.vertices())) == pytest.approx((wide + kerf, high + kerf), abs=0.001)
    if not kerf:
        flattened = [(x, y) for x, y, _ in ezdxf.path.make_path(outline).flattening(0.01)]
        wood = wide * high - (4 - math.pi) * flat.outline.r**2
        assert _area(flattened) == pytest.approx(wood, rel=0.0005), "its round corners are convex"


@pytest.mark.parametrize("name", sampled(FLATS, "buttons-top"))
def test_an_svg_file_is_in_millimetres_with_outline_and_holes_in_place(name: str) -> None:
    flat, root = FLATS[name], ET.fromstring(cutting.svg(FLATS[name]))
    _, _, wide, high = (float(each) for each in root.attrib["viewBox"].split())
    assert (root.attrib["width"], root.attrib["height"]) == (f"{wide:g}mm", f"{high:g}mm")

    def shapes(kind: str, *keys: str) -> list[tuple[float, ...]]:
        cut = [each for group in root if group.attrib.get("id") == "CUT" for each in group if each.tag.endswith(kind)]
        return sorted(tuple(float(each.attrib[key]) for key in keys) for each in cut)

    holes = sorted((each.x, each.y, each.d / 2) for each in flat.circles)
    assert shapes("circle", "cx", "cy", "r") == [pytest.approx(hole, abs=0.001) for hole in holes]
    assert max(shapes("rect", "width", "height")) == pytest.approx(flat.size, abs=0.001)


def _extent(points: list[Place]) -> Place:
    xs, ys = zip(*points, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def _area(points: list[Place]) -> float:
    turned = [*points[1:], points[0]]
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(points, turned, strict=True))) / 2


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--kerf", "3.4", "expected a cut of 0 to less than 3.3 mm for 'board-face', got 3.4"),
        ("--layout", "none", "expected a .toml file or one of the layouts"),
        ("--button", "60", "expected buttons of 8 to 40 mm, got 60"),
    ],
)
def test_an_option_that_no_part_can_have_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, value: str, says: str
) -> None:
    assert templates.main(["--out", str(tmp_path), option, value]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"farklecrib: error: {says}")
    assert said.count("\n") == 1


@pytest.mark.parametrize("name", layout_names())
def test_no_opening_of_a_part_touches_another_one(name: str) -> None:
    for flat in (*flats.board(load_layout(name)), *flats.tray(Tray()), *flat_boxes.boxes()):
        for one, other in itertools.combinations(flat.circles, 2):
            assert math.dist((one.x, one.y), (other.x, other.y)) > (one.d + other.d) / 2 + 0.5, flat.name


@pytest.mark.parametrize("name", layout_names())
def test_frame_and_hole_for_the_wires_of_the_back_are_beside_all_strips(name: str) -> None:
    layout = load_layout(name)
    face, along, end, back = flats.board(layout)
    frame, *strips = [each for each in back.marks if isinstance(each, flat_parts.Rect)]
    (hole,) = (each for each in back.circles if each.d == seams.LEADS_OUT_MM)
    assert (frame.x, frame.y, frame.high) == (end.size[1], along.size[1], end.size[0])
    assert len(strips) > len(layout.lanes)
    for strip in strips:
        assert frame.x <= strip.x
        assert frame.y <= strip.y
        assert strip.x + strip.wide <= frame.x + frame.wide
        assert strip.y + strip.high <= frame.y + frame.high
        x = max(strip.x - hole.x, hole.x - strip.x - strip.wide, 0)
        y = max(strip.y - hole.y, hole.y - strip.y - strip.high, 0)
        assert math.hypot(x, y) > hole.d / 2, strip
    assert set(along.circles) < set(face.circles)
    assert along.count * len(along.circles) == len(face.circles) - len(list(layout.lamps()))


@pytest.mark.parametrize("name", sampled(["classic-3", "long-board-4"], "long-board-4"))
def test_the_back_shows_each_strip_as_long_as_it_is_cut_with_its_leds(name: str) -> None:
    layout = load_layout(name)
    *_, back = flats.board(layout)
    _, *strips = [each for each in back.marks if isinstance(each, flat_parts.Rect)]
    first, *others = pieces(layout)
    counts = [first.leds + first.first.led, *(piece.leds for piece in others)]
    assert [strip.wide for strip in strips] == pytest.approx([leds * layout.pitch_mm for leds in counts])
    words = [label.text for label in back.labels if label.text.startswith("LED")]
    assert words[0] == f"LEDs 0 to {first.last.led}, data to the right"
    assert words[1].endswith("data to the left")
    assert sum(counts) == layout.leds
    assert len(words) == len(strips)


def test_the_wooden_tray_is_as_the_eye_expects_it() -> None:
    tray, floor = Tray(), FLATS["tray-floor"]
    for name in ("tray-wall-long", "tray-wall-short", "tray-block"):
        assert FLATS[name].size[1] == tray.wall_height_mm
    assert FLATS["tray-rail"].size[1] == tray.rail_height_mm
    assert FLATS["tray-slope"].size[1] == pytest.approx(math.hypot(flats.SLOPE_MM, tray.rail_height_mm))
    assert len(FLATS["tray-pockets"].openings) == tray.pockets
    for number, opening in enumerate(FLATS["tray-pockets"].openings):
        x, y = tray.pocket_centre_mm(number)
        middle = (opening.x + opening.wide / 2, opening.y + opening.high / 2)
        assert middle == pytest.approx((tray.half_mm + x, -tray.half_mm + tray.shelf_mm - y), abs=0.001)
        assert opening.wide == opening.high == tray.pocket_mm
    middle, wall = floor.size[0] / 2, tray.half_mm + tray.wall_mm / 2
    screws = sorted(max(abs(hole.x - middle), abs(hole.y - middle)) for hole in floor.circles)
    assert screws == pytest.approx([wall] * 8 + [middle - flats.RIM_IN_MM] * 4)
    assert wall + tray.wall_mm / 2 + 3 < middle - flats.RIM_IN_MM < middle - 3, "heads of 6 mm beside the walls"


@pytest.mark.parametrize(("button_mm", "high"), [(12, 30), (16, 30), (30, 40)])
def test_a_button_box_has_the_holes_of_its_buttons_and_sides_of_a_strip_that_can_be_bought(
    button_mm: float, high: float
) -> None:
    parts = {flat.name: flat for flat in flat_boxes.boxes(button_mm)}
    bits = sorted(flat_parts.bit_mm(hole.d) for hole in parts["buttons-top"].circles)
    assert bits == [3.5] * 4 + [button_mm] * 3
    for name in ("front", "back", "short"):
        assert parts[f"buttons-side-{name}"].size[1] == high


@pytest.mark.parametrize("name", ["classic-3", "long-board-3", "long-board-4"])
def test_the_face_names_lanes_tens_and_the_finish_beside_its_holes(name: str) -> None:
    layout = load_layout(name)
    face = flats.board(layout)[0]
    wanted = list(engraving.words(layout))
    said = [word for word, _, _ in wanted]
    lap = [f"{hole}/{hole + 60}" for hole in range(10, 70, 10)] if name == "classic-3" else range(10, 130, 10)
    each = [str(hole) for hole in lap]
    assert said == ["FINISH", *(word for lane in range(1, len(layout.lanes) + 1) for word in (str(lane), *each))]
    strokes = sum(len(engraving.strokes(word, (0, 0), high)) for word, high, _ in wanted)
    assert len(face.engraved) == 1 + strokes, "every word has a free place, and the finish a ring"
    for hole in face.circles:
        assert min(math.dist((hole.x, hole.y), place) for line in face.engraved for place in line) > hole.d / 2


def test_the_template_of_a_ring_has_its_holes_and_two_edges() -> None:
    layout = load_layout(str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "ring.toml"))
    face, *_, back = flats.board(layout)
    x, y = 95 + seams.EDGE_MM, 95 + seams.EDGE_MM
    on_ring = [each for each in face.circles if math.dist((each.x, each.y), (x, y)) == pytest.approx(75.5, abs=0.01)]
    assert len(on_ring) == 60
    edges = [each for each in back.marks if isinstance(each, tuple)]
    assert [len(edge) for edge in edges] == [60, 60]
    for edge, radius in zip(edges, (75.5 - 5.3, 75.5 + 5.3), strict=True):
        assert {round(math.dist(place, (x, y)), 1) for place in edge} == {radius}
    assert len([each for each in back.marks if isinstance(each, flat_parts.Rect)]) == 4  # three strips and the frame


def test_a_slanting_strip_is_marked_along_its_leds() -> None:
    slanting = Layout(
        "slanting", 3, (200.0, 100.0), 10.0, load_layout("long-board-1").lanes, (), Lamp(2, 20.0, 30.0), strip_mm=9.4
    )
    (mark,) = flats._strip(slanting, 8.0, StripPiece((Lamp(1, 10.0, 10.0), Lamp(2, 16.0, 18.0))))  # noqa: SLF001
    middle = (10 + 16) / 2 + 8, (10 + 18) / 2 + 8
    assert len(mark) == 5
    assert {round(math.dist(corner, middle), 2) for corner in mark} == {round(math.hypot(10, 5), 2)}


def test_the_buttons_are_named_keep_bank_roll_and_what_cannot_be_cut_is_named() -> None:
    assert script("boxes").LABELS == ("KEEP", "BANK", "ROLL")
    strokes = [len(engraving.strokes(word, (0, 0), 8)) for word in script("boxes").LABELS]
    assert len(FLATS["buttons-top"].engraved) == sum(strokes)
    with pytest.raises(ValueError, match="got 'XZ' in 'ZAX'"):
        engraving.strokes("ZAX", (0, 0), 8)
    with pytest.raises(ValueError, match="expected openings within the outline of 'x'"):
        flat_parts.Flat("x", "x", "card", flat_parts.Rect(0, 0, 10, 10), (flat_parts.Circle(9, 5, 4),))


def printed(name: str, folder: Path, kerf: float = 0.0) -> set[Place]:
    """Return the corners of a printed part's outline and holes."""
    (part,) = (part for part in parts.parts() if part.name == name)
    script("render").flat(part, folder / "part.dxf", kerf)
    lines = ezdxf.readfile(folder / "part.dxf").modelspace().query("LINE")
    return {(round(each.dxf.start.x, 3), round(each.dxf.start.y, 3)) for each in lines}


@pytest.mark.exhaustive
@needs_openscad
@pytest.mark.parametrize("name", ["camera-plate", "buttons-bottom"])
def test_a_printed_plate_has_its_holes_where_the_template_has_them_and_its_kerf(tmp_path: Path, name: str) -> None:
    template, points = FLATS[name], printed(name, tmp_path)
    left, top = min(x for x, _ in points), max(y for _, y in points)
    assert _extent(list(points)) == pytest.approx(template.size, abs=0.1)
    for hole in template.circles:
        middle = left + hole.x, top - hole.y
        around = [place for place in points if math.dist(place, middle) < hole.d]
        assert len(around) >= 24, hole
        mean = [sum(each) / len(around) for each in zip(*around, strict=True)]
        assert math.dist(mean, middle) < 0.1, hole
    wide, _ = _extent(list(points))
    assert _extent(list(printed(name, tmp_path, 0.2)))[0] - wide == pytest.approx(0.2, abs=0.01)


@pytest.mark.exhaustive
@needs_openscad
@pytest.mark.parametrize(("side", "cuts"), [("front", seams.front_cuts), ("back", seams.back_cuts)])
def test_the_printed_boards_parts_to_cut_have_the_templates_holes(tmp_path: Path, side: str, cuts: Cuts) -> None:
    layout = load_layout(measures.LAYOUT)
    template = FLATS["board-face" if side == "front" else "board-back"]
    seen = set()
    for segment, (left, right) in enumerate(itertools.pairwise(cuts(layout))):
        points = {(x, layout.size_mm[1] - y) for x, y in printed(f"board-{side}-{segment + 1}", tmp_path)}
        assert min(x for x, _ in points) == pytest.approx(left, abs=0.01)
        assert max(x for x, _ in points) == pytest.approx(right, abs=0.01)
        for hole in template.circles:
            middle = hole.x - seams.EDGE_MM, hole.y - seams.EDGE_MM
            rim = [point for point in points if abs(math.dist(point, middle) - hole.d / 2) < 0.01]
            if len(rim) >= 12:
                seen.add(hole)
    assert seen == set(template.circles)
