"""The steps of hardware.md: each takes what parts.csv lists and what the templates have, and nothing is missing."""

import csv
import importlib
import math
import re
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

from pegboard.layouts import load_layout
from pegboard.ledframe import MOST_MA

ROOT = Path(__file__).resolve().parents[2]
SAW_MM = 2.0
"""The width of a saw's cut."""

BUILDS = ("first evening", "long-board-3", "long-board-4", "wooden long-board-3")


def enclosure(name: str) -> ModuleType:
    """Return a script of board/enclosure, which `docs/generate.py` has put on the path."""
    return importlib.import_module(name)


def listed(generate: ModuleType) -> dict[str, dict[str, str]]:
    rows = generate.parts_list.rows()
    found = {row["key"]: row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("build", BUILDS)
def test_the_steps_use_exactly_what_the_list_has(generate: ModuleType, build: str) -> None:
    used: dict[str, float] = defaultdict(float)
    for need in generate.steps.needs():
        used[need.part] += need.numbers[build]
    bought = {key: float(row[build]) for key, row in listed(generate).items()}
    assert used == pytest.approx(bought)


@pytest.mark.parametrize("wooden", [0, 1])
def test_every_template_is_sawn_in_a_step_with_exactly_its_holes(generate: ModuleType, wooden: int) -> None:
    flats = generate.steps.flat_parts(generate.steps.WOODEN[wooden])
    cuts = generate.steps.cuts(generate.steps.WOODEN[wooden])
    assert sorted(cut.template for cut in cuts) == sorted(flats)
    for cut in cuts:
        holes: dict[float, int] = defaultdict(int)
        for circle in flats[cut.template].circles:
            holes[enclosure("flat").bit_mm(circle.d)] += 1
        assert cut.holes == holes, cut.template


@pytest.mark.parametrize("wooden", [0, 1])
def test_every_stock_is_thick_enough_and_holds_its_parts(generate: ModuleType, wooden: int) -> None:
    build = generate.steps.WOODEN[wooden]
    rows, flats = listed(generate), generate.steps.flat_parts(build)
    of_stock: dict[str, list[object]] = defaultdict(list)
    for cut in generate.steps.cuts(build):
        of_stock[cut.stock] += [flats[cut.template]] * flats[cut.template].count
    for stock, parts in of_stock.items():
        numbers = [float(each) for each in re.findall(r"[\d.]+", rows[stock]["type"])]
        if rows[stock]["part"] == "plywood":
            thick, wide, high = numbers
            sizes = [flat.size for flat in parts]
            places = enclosure("paper").packed(sizes, (wide, high), SAW_MM)
            assert {place.page for place in places} == {0}, f"{stock}: {len(parts)} parts"
            assert all(flat.material == f"plywood, {thick:g} mm" for flat in parts)
        else:
            thick, high, metres = numbers
            lengths = bar_lengths(parts, thick, high)
            assert fits(lengths, [1000.0 * metres] * int(rows[stock][build.name])), (stock, lengths)


def bar_lengths(parts: list[object], thick: float, high: float) -> list[float]:
    """Return the lengths that are sawn from a strip."""
    for flat in parts:
        assert flat.material == f"strip, {thick:g} x {high:g} mm"
        assert flat.size[1] == high, "the strip's width is the part's height"
    return [flat.size[0] for flat in parts]


def fits(lengths: list[float], pieces: list[float], cut: float = SAW_MM) -> bool:
    """Return whether all lengths can be sawn from the pieces, the longest first; each cut costs some."""
    left = list(pieces)
    for length in sorted(lengths, reverse=True):
        piece = next((n for n, rest in enumerate(left) if rest >= length), None)
        if piece is None:
            return False
        left[piece] -= length + cut
    return True


@pytest.mark.parametrize("build", BUILDS)
def test_the_list_has_enough_of_every_wire_and_bar(generate: ModuleType, build: str) -> None:
    (found,) = (each for each in generate.builds() if each.name == build)
    rows = listed(generate)
    for key, metres in generate.cables.wires_m(found).items():
        assert metres <= float(rows[key][build]) <= metres + 0.6, key
    assert fits(list(generate.cables.bars_mm(found).values()), [1000.0])


@pytest.mark.parametrize("build", BUILDS)
def test_a_builds_fuse_opens_for_what_its_adapter_gives_and_carries_its_budget(
    generate: ModuleType, build: str
) -> None:
    (found,) = (each for each in generate.builds() if each.name == build)
    assert 2.1 * found.fuse_a <= found.adapter_a
    assert found.budget_ma <= 1000 * found.fuse_a
    assert found.budget_ma <= MOST_MA
    assert max(each.fuse_a for each in generate.builds()) * 1000 >= MOST_MA
    bought = [row for row in generate.parts_list.rows() if float(row[build])]
    (fuse,) = (row["type"] for row in bought if row["part"] == "fuse")
    (adapter,) = (row["type"] for row in bought if row["part"] == "5 V adapter")
    assert f"{found.fuse} (IEC 60127-2 sheet 3)" in fuse
    assert f"5 V {found.adapter_a:g} A," in adapter
    (jack,) = (row["type"] for row in bought if row["part"] == "adapter for the plug")
    rated = re.search(r", (\d+) A$", jack)
    assert 2.1 * found.fuse_a <= float(rated[1]), "a short circuit flows through the jack until the fuse opens"
    assert re.search(r"5\.5 x 2\.\d mm", jack)[0] in adapter


def test_a_cable_tie_goes_around_a_bar(generate: ModuleType) -> None:
    long = float(listed(generate)["tie"]["type"].partition(" x ")[2])
    side = float(listed(generate)["bar"]["type"].partition(" x ")[0])
    assert long > 4 * side + 30, "30 mm of a tie are its head and what a hand pulls"


FELT_MM, ANGLE_MM, SOLE_MM = 1.5, 2.0, 5.0
LEAST_THREAD_MM = 6.0


@pytest.mark.parametrize(
    ("screw", "through", "into"),
    [
        ("wood-3x12", ["ply-4", FELT_MM], ["strip-30"]),  # the tray's walls, and the frame of the button box
        ("wood-3x12", ["ply-4", FELT_MM], ["base"]),
        ("wood-3x12", ["ply-3"], ["bar"]),
        ("wood-3x12", [ANGLE_MM], ["base"]),
        ("wood-35x30", ["base"], ["bar", "bar"]),  # along the upright
        ("wood-35x16", [SOLE_MM], ["base"]),
    ],
)
def test_a_wood_screw_holds_and_does_not_come_out(
    generate: ModuleType, screw: str, through: list[str | float], into: list[str]
) -> None:
    rows = listed(generate)

    def thick(part: str | float) -> float:
        return float(re.findall(r"[\d.]+", rows[part]["type"])[0]) if isinstance(part, str) else part

    deep = float(re.findall(r"[\d.]+", rows[screw]["type"])[1]) - sum(map(thick, through))
    assert LEAST_THREAD_MM <= deep < sum(map(thick, into))


def test_screws_from_opposite_sides_do_not_meet_in_a_bar(generate: ModuleType) -> None:
    rows = listed(generate)
    bar, long = (float(re.findall(r"[\d.]+", rows[key]["type"])[at]) for key, at in (("bar", 0), ("wood-3x12", 1)))
    assert 2 * (long - 3) < bar, "the two post plates of 3 mm"
    long = float(re.findall(r"[\d.]+", rows["wood-35x16"]["type"])[1])
    assert 2 * (long - SOLE_MM) > bar, "so the printed foot takes screws of neighbouring sides alone"
    foot = next(need for need in generate.steps.needs() if need.part == "wood-35x16")
    assert foot.reason.startswith("6 in the foot")


@pytest.mark.parametrize("wooden", [0, 1])
def test_the_boards_screws_hold_a_nut_and_end_above_the_table(generate: ModuleType, wooden: int) -> None:
    rows, flats = listed(generate), generate.steps.flat_parts(generate.steps.WOODEN[wooden])
    long = float(re.findall(r"[\d.]+", rows["m3x16"]["type"])[1])
    foot = re.search(r"(\d+) mm high", rows["foot-high"]["type"])
    materials = [flats[f"board-{name}"].material for name in ("face", "frame-long", "back")]
    stack = sum(float(re.findall(r"[\d.]+", material)[0]) for material in materials)
    assert stack + 2.4 + 1 <= long, "a nut of M3 is 2.4 mm high; 1 mm for thicker wood"
    assert long - stack < float(foot[1])
    assert float(rows["m3x16"][generate.steps.WOODEN[wooden].name]) == len(flats["board-face"].circles) - len(
        list(generate.steps.WOODEN[wooden].board.lamps())
    )


WIRE_MM = 2.1
"""The width of a wire of 18 AWG with its insulation (UL 1007)."""


@pytest.mark.parametrize("wooden", [0, 1])
def test_two_thick_wires_cross_in_the_frame_and_pass_between_it_and_every_strip(
    generate: ModuleType, wooden: int
) -> None:
    flats, box_of = generate.steps.flat_parts(generate.steps.WOODEN[wooden]), enclosure("flat").box_of
    frame_high = float(re.findall(r"[\d.]+", flats["board-frame-long"].material)[0])
    assert frame_high >= 2 * WIRE_MM
    inner, *strips = (box_of(mark) for mark in flats["board-back"].marks if not isinstance(mark, tuple))
    for left, _, right, _ in strips:
        assert min(left - inner[0], inner[2] - right) >= 2 * WIRE_MM + 1


def test_the_buttons_fit_into_their_wooden_box(generate: ModuleType) -> None:
    push = next(row for row in generate.parts_list.rows() if row["key"] == "button-push")
    behind = re.search(r"at most (\d+) mm behind", push["type"])
    assert float(behind[1]) < generate.steps.flat_parts(generate.steps.WOODEN[0])["buttons-side-front"].size[1]


# --- the parts list: its sums, and all parts that the printed parts need ---

REEL_LEDS = 288
TIE = "cable tie 2.5 x 160"


def count(generate: ModuleType, build: str, *words: str) -> float:
    """Return how many parts with these words in name and type a build needs."""
    rows = [row for row in generate.parts_list.rows() if all(word in f"{row['part']} {row['type']}" for word in words)]
    assert rows, words
    return sum(float(row[build]) for row in rows)


def test_what_a_first_evening_uses_costs_about_a_hundred_dollars_at_most_without_the_pi(generate: ModuleType) -> None:
    assert sum(generate.parts_list.cost("first evening", computer=False, whole=False)) / 2 <= 100


def test_the_sums_are_packs_times_prices(generate: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    sold = {"group": "Screws", "low": "2", "high": "4", "pack": "50"}
    monkeypatch.setattr(generate.parts_list, "rows", lambda: [sold | {"long-board-3": "60"}])
    assert generate.parts_list.cost("long-board-3", computer=False, whole=True) == (4, 8)
    assert generate.parts_list.cost("long-board-3", computer=False, whole=False) == pytest.approx((2.4, 4.8))
    assert generate.parts_list.cost("long-board-3", computer=True, whole=True) == (0, 0)


@pytest.mark.parametrize(
    ("build", "layout"),
    [
        ("first evening", "classic-3"),
        ("long-board-3", "long-board-3"),
        ("long-board-4", "long-board-4"),
        ("wooden long-board-3", "long-board-3"),
    ],
)
def test_the_reels_hold_the_pieces_of_strip(generate: ModuleType, build: str, layout: str) -> None:
    reels = [REEL_LEDS] * int(count(generate, build, "LED strip"))
    assert fits(generate.hardware_tables.to_cut(load_layout(layout)), reels, cut=0)


@pytest.mark.parametrize("build", ["long-board-3", "long-board-4"])
def test_the_list_has_every_screw_of_the_printed_parts(generate: ModuleType, build: str) -> None:
    parts = enclosure("parts")
    named = {
        "heat-set insert M3 x 4": ("heat-set insert", "M3"),
        "screw M3 x 6, countersunk": ("M3 x 6",),
        "screw M3 x 8, countersunk": ("M3 x 8",),
        "screw M2.5 x 6": ("M2.5 x 6",),
        "screw M2 x 6": ("M2 x 6",),
        "screw M2 x 12": ("M2 x 12",),
        "nut M2": ("nut M2",),
        "wood screw 3.5 x 16, countersunk": ("3.5 x 16",),
        "wood screw 3.5 x 12, round head": ("3.5 x 12",),
        TIE: ("cable tie",),
        "pin 3 x 16, a nail or filament": ("pin 3 x 16",),
        "rubber foot 10 x 5, self-adhesive": ("rubber foot",),
    }
    needed = parts.hardware(load_layout(build))
    assert needed.keys() == named.keys()
    listed = {name: count(generate, build, *named[name]) for name in needed}
    along_the_post = 4
    assert listed == needed | {TIE: needed[TIE] + along_the_post}


def test_the_list_has_the_filament_that_the_slicer_says(generate: ModuleType) -> None:
    lines = (ROOT / "board" / "enclosure" / "print_times.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    kg = sum(float(row["grams"]) for row in rows) / 1000
    assert kg <= count(generate, "long-board-3", "filament PLA") <= 1.3 * kg


def test_the_list_has_the_perfboards_parts(generate: ModuleType) -> None:
    drawn = generate.perfboard.PARTS
    for words, listed in (("1 kΩ", "1 kΩ"), ("4.7 kΩ", "4.7 kΩ"), ("100 nF", "100 nF"), ("74AHCT125", "74AHCT125")):
        wanted = sum(part.words == words for part in drawn)
        assert count(generate, "long-board-3", listed) == wanted, words
    contacts = sum(len(part.pins) for part in drawn if part.name in ("J1", "J2", "J3", "J5"))
    assert count(generate, "long-board-3", "screw terminal 2 contacts") == math.ceil(contacts / 2)
    from_pi = sum(len(part.pins) for part in drawn if part.name in ("J4", "J6"))
    assert count(generate, "long-board-3", "pin header", "1 x 40") == 1 >= from_pi / 40
    assert count(generate, "long-board-3", "polyfuse") == sum(part.name.startswith("F") for part in drawn)
