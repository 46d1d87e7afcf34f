"""The drawings of hardware.md: the perfboard's connections, the lengths of cables, and whole labels."""

import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from dicereader.data.camera_modules import modules
from dicereader.tray.camera_place import needed_height_mm
from pegboard.buttons.port import Button, Pins
from pegboard.layouts import layout_names, load_layout

ROOT = Path(__file__).resolve().parents[2]
DRAWN = ROOT / "docs" / "pictures" / "hardware"
PARTS = (ROOT / "docs" / "hardware" / "parts.csv").read_text(encoding="utf-8")
GROUND = {"J1.GND", "J2.GND", "J4.GND", "J5.GND", "U1.7", "U2.8", "C1.2", "C2.1", "C3.1", "C4.1"}
UNUSED_GATES = {"U1.4", "U1.5", "U1.10", "U1.9", "U1.13", "U1.12"}


def test_the_perfboard_joins_strip_supply_buttons_and_lamps_and_nothing_else(generate: ModuleType) -> None:
    joined = {
        frozenset({"J4.GPIO10", "U1.2"}),  # 1A
        frozenset({"U1.3", "J2.DIN"}),  # 1Y
        frozenset({"J1.5V", "F1.2"}),  # all that is thin is behind the polyfuse
        frozenset({"F1.1", "J3.5V", "U1.14", "C1.1"}),
        frozenset(GROUND | UNUSED_GATES | {"U1.1"}),  # 1OE
        frozenset({"J6.3V3", "R4.1", "R5.1", "R6.1"}),
    }
    pins = Pins()
    for place, button in enumerate((Button.KEEP, Button.BANK, Button.ROLL)):
        name = button.value.upper()
        joined |= {
            frozenset({f"J4.GPIO{pins.lamps[button]}", f"U2.{place + 1}"}),
            frozenset({f"U2.{16 - place}", f"J3.{name} -"}),
            frozenset({f"J5.{name}", f"R{place + 1}.2", f"R{place + 4}.2"}),
            frozenset({f"R{place + 1}.1", f"C{place + 2}.2", f"J6.GPIO{pins.buttons[button]}"}),
        }
    assert {net for net in generate.perfboard.nets() if len(net) > 1} == joined


def test_the_pin_header_is_cut_into_one_piece_of_three_pins_and_six_single_pins(generate: ModuleType) -> None:
    assert sorted(generate.perfboard.header_pieces()) == [1, 1, 1, 1, 1, 1, 3]


def test_each_pin_of_the_perfboard_has_a_hole_of_its_own(generate: ModuleType) -> None:
    board = generate.perfboard
    holes = [hole for part in board.PARTS for hole in part.pins.values()]
    assert len(set(holes)) == len(holes)
    assert all(1 <= column <= board.COLUMNS and 1 <= row <= board.ROWS for column, row in holes)


def lengths(generate: ModuleType, build: object) -> dict[str, float]:
    return {cable.words: cable.length_mm for cable in generate.cables.cables(build)}


def test_every_cable_of_a_build_reaches_and_the_data_lead_is_short(generate: ModuleType) -> None:
    for build in generate.builds():
        found = lengths(generate, build)
        assert found["camera cable"] <= build.cable_mm
        assert found["data, 5 V and ground to the first LED"] <= 450
        assert found["cord of each adapter, from beside the table"] <= 1500
        assert f"flat, {build.cable_mm:g} mm" in PARTS


def round_hole(generate: ModuleType, name: str) -> tuple[float, float]:
    """Return the middle of the hole of 8 mm in a part of wood, from the part's upper left corner."""
    flats = generate.steps.flat_parts(generate.builds()[0])
    (hole,) = (circle for circle in flats[name].circles if circle.d == 8)
    return hole.x, hole.y


def test_cables_go_through_the_holes_of_board_and_button_box(generate: ModuleType) -> None:
    cables, build = generate.cables, generate.builds()[0]
    ways = {cable.words: cable.way for cable in cables.cables(build)}
    x, y = round_hole(generate, "board-back")
    deep = build.board.size_mm[1] + 16
    assert (cables.BOARD_X + x, cables.BOARD_Y + deep - y) in [
        place[:2] for place in ways["data, 5 V and ground to the first LED"]
    ]
    x, y = round_hole(generate, "buttons-side-back")
    wide, deep = cables.BUTTONS
    hole = (x - wide / 2, cables.BUTTONS_Y + deep / 2)
    assert hole in [place[:2] for place in ways["four wires to the buttons"]]


def test_each_cable_of_the_perfboard_is_tied_beside_its_terminal(generate: ModuleType) -> None:
    cables, build = generate.cables, generate.builds()[0]
    base = generate.steps.flat_parts(build)["pi-base"]
    ties = [(cables.hung(build).left + hole.x, base.size[1] - hole.y) for hole in base.circles if hole.d == 4]
    for cable in cables.cables(build)[1:3]:
        terminal, (x, _, z), *_ = cable.way
        near = [tie for tie in ties if abs(tie[0] - x) < 1 and abs(cables.hung(build).top - tie[1] - z) < 6]
        assert len(near) == 2, f"{cable.words}: a tie needs two holes"
        assert abs(terminal[0] - x) < 15


def test_a_pi_that_hangs_too_low_is_out_of_the_cables_reach(generate: ModuleType) -> None:
    low = replace(generate.builds()[0], hang_mm=150)
    assert lengths(generate, low)["camera cable"] > low.cable_mm


def test_the_lens_hangs_as_high_as_its_camera_needs(generate: ModuleType) -> None:
    for build in generate.builds():
        needed = needed_height_mm(modules()[build.camera].picture_field_deg()[1])
        assert needed <= build.lens_mm <= needed + 20


def test_the_parts_of_the_post_are_clear_of_each_other_and_of_the_camera(generate: ModuleType) -> None:
    cables = generate.cables
    for build in generate.builds():
        box, (near, far), (low, up) = cables.hung(build), cables.arm_ends(build), cables.upright_ends(build)
        assert near > 12.5 + 6, "the bar would lie on the camera's screws"
        assert far > cables.post_y(build) - 20
        assert box.low > 60, "above the foot"
        assert box.top < cables.arm_z(build) - 60, "below elbow and post plates"
        assert up > box.top
        assert low < 0
        assert sum(cables.bars_mm(build).values()) < 1000


@pytest.mark.parametrize("layout", layout_names())
def test_the_pieces_of_strip_have_all_leds_of_the_chain(generate: ModuleType, layout: str) -> None:
    assert sum(generate.hardware_tables.to_cut(load_layout(layout))) == load_layout(layout).leds


@pytest.mark.parametrize("file", sorted(DRAWN.glob("*.svg")), ids=lambda file: file.stem)
def test_no_label_of_a_drawing_is_cut_off(file: Path) -> None:
    root = ET.fromstring(file.read_text(encoding="utf-8"))
    _, _, wide, high = map(float, root.get("viewBox", "").split())
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        size, length = float(text.get("font-size", "16")), len(text.text or "")
        x, y = float(text.get("x", "0")), float(text.get("y", "0"))
        if text.get("transform"):
            continue
        long = 0.56 * size * length
        left = x - {"start": 0, "middle": long / 2, "end": long}[text.get("text-anchor", "start")]
        assert left >= 0, text.text
        assert left + long <= wide, text.text
        assert size / 2 <= y <= high - size / 4, text.text


def test_the_drawings_are_those_that_the_program_makes(generate: ModuleType) -> None:
    drawings = generate.drawings()
    assert not re.search(r"nan|inf", "".join(drawings.values()))
    stale = [name for name, drawn in drawings.items() if (DRAWN / f"{name}.svg").read_text(encoding="utf-8") != drawn]
    assert stale == []
