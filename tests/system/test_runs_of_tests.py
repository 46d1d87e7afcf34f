"""What `tests/conftest.py` gives every test, seen in a run of tests that fail."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent

FAILING = """
import gc, os, pathlib, subprocess, sys

class Litter:
    def __del__(self):
        return 1 + self.missing.part + 2

def test_garbage():
    gc.disable()
    for _ in range(50):
        each = Litter()
        each.itself = each
    gc.set_threshold(gc.get_count()[0] + 4000)  # exceeded while the failure is written, which reads this long file
    gc.enable()
    assert not each

def test_home():
    assert not pathlib.Path.home().joinpath(".cache").exists()
    assert not pathlib.Path(os.environ["USERS"], ".cache/farklecrib/odds").exists()
    open(os.environ["USERS"] + "/.cache/farklecrib/odds", "w")

def test_program():
    subprocess.run([sys.executable, "-c", "0"], env={})
"""


@pytest.mark.exhaustive
def test_a_failure_with_litter_is_written_and_the_home_of_the_person_is_spared(tmp_path: Path) -> None:
    (tmp_path / ".cache" / "farklecrib").mkdir(parents=True)
    file = tmp_path / "tests" / "failing" / "test_failing.py"
    file.parent.mkdir(parents=True)
    file.write_text(FAILING + "".join(f"def f{n}(x):\n    return [x + {n} * y for y in x]\n" for n in range(2000)))
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "--rootdir", tmp_path, file]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "USERS": str(tmp_path), "PYTHONPATH": str(TESTS)}
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    said = ended.stdout
    assert "INTERNALERROR" not in said
    assert "1 failed, 2 passed, 2 errors" in said
    assert f"assert not ['{tmp_path}/.cache/farklecrib/odds']" in said
    assert "which has no HOME" in said
