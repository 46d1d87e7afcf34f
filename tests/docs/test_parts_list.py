"""The parts list of hardware.md: its rows, its sums, and all parts that the printed parts need."""

import csv
import importlib
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pegboard.layouts import load_layout

ROOT = Path(__file__).resolve().parents[2]
REEL_LEDS = 288
TIE = "cable tie 2.5 x 160"


@pytest.fixture(scope="module")
def enclosure() -> Iterator[ModuleType]:
    folder = str(ROOT / "board" / "enclosure")
    sys.path.append(folder)
    yield importlib.import_module("parts")
    sys.path.remove(folder)


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
    left = [REEL_LEDS] * int(count(generate, build, "LED strip"))
    for leds in sorted(generate.hardware_tables.to_cut(load_layout(layout)), reverse=True):
        reel = next((number for number, rest in enumerate(left) if rest >= leds), None)
        assert reel is not None, f"{layout}: no reel has {leds} LEDs left of {left}"
        left[reel] -= leds


@pytest.mark.parametrize("build", ["long-board-3", "long-board-4"])
def test_the_list_has_every_screw_of_the_printed_parts(generate: ModuleType, enclosure: ModuleType, build: str) -> None:
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
    needed = enclosure.hardware(load_layout(build))
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
