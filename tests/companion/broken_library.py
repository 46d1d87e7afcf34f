"""Stand-ins for an onnxruntime that does not load: one that its processor refuses, and one that lacks a file."""

import os
from pathlib import Path

import pytest

BROKEN = {
    "SIGILL": "import os, signal\nos.kill(os.getpid(), signal.SIGILL)",
    "a missing file": "raise ImportError('libonnxruntime.so.1: cannot open shared object file')",
    "another numpy": "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')",
}
"""The code of each."""

SAID = {
    "SIGILL": "onnxruntime ended with SIGILL (illegal instruction",
    "a missing file": "onnxruntime does not load: ImportError: libonnxruntime.so.1: cannot open shared object file",
    "another numpy": "onnxruntime does not load: ValueError: numpy.dtype size changed",
}
"""What the program says of each."""


def break_library(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let every Python process that is started from now on find an onnxruntime of this code first."""
    package = folder / "broken" / "onnxruntime"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(code, encoding="utf-8")
    before = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(package.parent), *([before] if before else [])]))
