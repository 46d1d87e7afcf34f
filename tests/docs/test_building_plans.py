"""The drawings of hardware.md: the perfboard's connections, the lengths of cables, and whole labels."""

import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from pegboard.buttons import Button, Pins
from pegboard.layouts import load_layout

DRAWN = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "hardware"
GROUND = {"J1.GND", "J2.GND", "J4.GND", "J5.GND", "U1.7", "U2.8", "C1.2", "C2.1", "C3.1", "C4.1"}
UNUSED_GATES = {"U1.4", "U1.5", "U1.10", "U1.9", "U1.13", "U1.12"}


def nets(generate: ModuleType) -> set[frozenset[str]]:
    return {net for net in generate.perfboard.nets() if len(net) > 1}


def test_the_perfboard_joins_the_strip_and_its_supply(generate: ModuleType) -> None:
    assert {
        frozenset({"J4.GPIO10", "U1.2"}),  # 1A
        frozenset({"U1.3", "J2.DIN"}),  # 1Y
        frozenset({"J1.5V", "J3.5V", "U1.14", "C1.1"}),
        frozenset(GROUND | UNUSED_GATES | {"U1.1"}),  # 1OE
    } <= nets(generate)


@pytest.mark.parametrize(("button", "place"), [(Button.KEEP, 0), (Button.BANK, 1), (Button.ROLL, 2)])
def test_the_perfboard_joins_each_button_and_lamp_with_its_pin(
    generate: ModuleType, button: Button, place: int
) -> None:
    pins, name = Pins(), button.value.upper()
    assert {
        frozenset({f"J4.GPIO{pins.lamps[button]}", f"U2.{place + 1}"}),
        frozenset({f"U2.{16 - place}", f"J3.{name} -"}),
        frozenset({f"J5.{name}", f"R{place + 1}.2", f"R{place + 4}.2"}),
        frozenset({f"R{place + 1}.1", f"C{place + 2}.2", f"J6.GPIO{pins.buttons[button]}"}),
        frozenset({"J6.3V3", "R4.1", "R5.1", "R6.1"}),
    } <= nets(generate)


def test_the_perfboard_has_no_other_connections(generate: ModuleType) -> None:
    assert len(nets(generate)) == 4 + 4 * 3 + 1


def test_each_pin_of_the_perfboard_has_a_hole_of_its_own(generate: ModuleType) -> None:
    board = generate.perfboard
    holes = [hole for part in board.PARTS for hole in part.pins.values()]
    assert len(set(holes)) == len(holes)
    assert all(1 <= column <= board.COLUMNS and 1 <= row <= board.ROWS for column, row in holes)


def test_the_test_finds_a_track_across_a_pin(generate: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    board = generate.perfboard
    before = nets(generate)
    monkeypatch.setattr(board, "TRACKS", (*board.TRACKS, ((9, 9), (9, 11))))
    assert nets(generate) != before


def test_the_cables_can_be_bought_and_the_data_lead_is_short(generate: ModuleType) -> None:
    plan = generate.table_plan
    for lanes in range(1, 5):
        found = {cable.words: cable.length_mm for cable in plan.cables(430.0, load_layout(f"long-board-{lanes}"))}
        assert found["camera cable"] <= 500
        assert found["data, 5 V and ground to the first LED"] <= 300


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
    for name, drawing in generate.drawings().items():
        assert (DRAWN / f"{name}.svg").read_text(encoding="utf-8") == drawing, f"{name}.svg is stale: run make docs"
    assert not re.search(r"nan|inf", "".join(generate.drawings().values()))
