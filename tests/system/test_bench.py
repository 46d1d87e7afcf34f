"""The benchmarks: each can be imported with the present code. Their figures are not tested."""

import importlib
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize("name", sorted(path.stem for path in BENCH.glob("*.py")))
def test_a_benchmark_can_be_imported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCH / "training")])
    importlib.import_module(name)  # raises if the code lacks something that the benchmark imports


def test_two_readers_are_compared_on_the_pictures_that_both_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    paired = importlib.import_module("paired")
    before = [paired.PictureRow("development", f"{n}.jpg", "", n == 3, n > 0, n == 0, 10.0) for n in range(5)]
    after = [paired.PictureRow("development", f"{n}.jpg", "", n == 3, True, n == 3, 20.0) for n in range(4)]
    lines = "\n".join(paired.compare(before, after))
    assert "development, n 3" in lines
    assert "exact                   2 to 3 (+1 ± 1.6: 1 gained, 0 lost)" in lines
    assert "wrong                   1 to 0 (-1 ± 1.6: 0 gained, 1 lost)" in lines
    assert "odd ones sure, n 1      0 to 1 (+1 ± 0.0: 1 gained, 0 lost)" in lines
    assert "median 2.00" in lines


def test_a_photograph_in_many_conditions_is_one_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    paired = importlib.import_module("paired")
    pictures = [(n, condition) for n in range(4) for condition in ("dim", "red", "soft")]
    before = [paired.PictureRow("other conditions", f"{n}.jpg", each, False, True, True, 10.0) for n, each in pictures]
    after = [paired.PictureRow("other conditions", f"{n}.jpg", each, False, n > 0, True, 10.0) for n, each in pictures]
    lines = "\n".join(paired.compare(before, after))
    assert "other conditions, n 12" in lines
    assert "exact                   12 to 9 (-3 ± 5.1: 0 gained, 3 lost)" in lines  # ± 2.9 if each were a case


def test_a_changed_number_of_a_stage_is_written_to_its_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    limits = importlib.import_module("fit_limits")
    source = 'A, B = 0.5, 3.0\n"""Two numbers: 0.5 and 3.0."""\n\nC = 1.0  # 1.0\nD = A * 2\nE = F = 2\n'
    assert {name: number.value for name, number in limits.assigned(source).items()} == {"A": 0.5, "B": 3.0, "C": 1.0}
    assert limits.with_number(source, "B", 2.4) == source.replace("3.0\n", "2.4\n", 1)
    assert limits.with_number(source, "C", 1.25) == source.replace("C = 1.0", "C = 1.25")


def test_one_wrong_reading_outweighs_several_that_are_not_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    limits, row = importlib.import_module("fit_limits"), importlib.import_module("paired").PictureRow
    sure = [row("drawn", str(n), "", False, n > 0, True, 1.0) for n in range(6)]
    unsure = [row("drawn", str(n), "", False, n > 0, False, 1.0) for n in range(6)]
    assert limits.gain(sure, sure) == (0.0, 0.0)
    assert limits.gain(sure, unsure)[0] == limits.WRONG - 5
