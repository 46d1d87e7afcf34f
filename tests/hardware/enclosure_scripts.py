"""The scripts of board/enclosure, which form no package."""

import importlib
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "board" / "enclosure"

needs_openscad = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="needs OpenSCAD: apt install --no-install-recommends openscad"
)


def script(name: str) -> ModuleType:
    """Return a script as a module."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return importlib.import_module(name)
