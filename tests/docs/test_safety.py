"""Every promise of docs/safety.toml names existing tests, and those marked as measured have a figure."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROMISES = tomllib.loads((ROOT / "docs" / "safety.toml").read_text(encoding="utf-8"))["promise"]


def test_the_tests_of_every_promise_exist() -> None:
    for promise in PROMISES:
        for named in promise["tests"]:
            file, _, function = named.partition("::")
            text = (ROOT / file).read_text(encoding="utf-8")
            assert not function or re.search(rf"^(async )?def {function}\(", text, re.MULTILINE), named
        assert promise["tests"] or "figure" in promise


def test_every_measurement_has_a_row_and_a_figure() -> None:
    sys.path.insert(0, str(ROOT / "bench"))
    import safety_bench

    measured = {promise["name"]: promise["figure"] for promise in PROMISES if "figure" in promise}
    assert set(measured) == set(safety_bench.MEASURES)
    assert all(measured.values())
