"""The benchmarks: each can be started as the code stands; what they measure they print themselves."""

import importlib
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.parametrize("name", sorted(path.stem for path in BENCH.glob("*.py")))
def test_a_benchmark_finds_all_it_needs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCH / "training")])
    assert callable(getattr(importlib.import_module(name), "main", len))
