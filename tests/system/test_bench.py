"""The benchmarks: each can be imported with the code as it is. They print themselves what they measure."""

import importlib
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize("name", sorted(path.stem for path in BENCH.glob("*.py")))
def test_a_benchmark_finds_all_it_needs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCH / "training")])
    importlib.import_module(name)  # raises if the code lacks something that the benchmark imports
