"""The scripts of board/enclosure, which form no package."""

import importlib
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dicereader.tray.geometry import Tray
from pegboard.layouts import load_layout

FOLDER = Path(__file__).resolve().parents[2] / "board" / "enclosure"

needs_openscad = pytest.mark.skipif(
    shutil.which("openscad") is None, reason="needs OpenSCAD: apt install --no-install-recommends openscad"
)


def script(name: str) -> ModuleType:
    """Return a script as a module."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return importlib.import_module(name)


def all_flats() -> dict[str, Any]:
    """Return the flat parts of the default board, the tray and the boxes, by name."""
    flats = script("flats")
    layout = load_layout(script("measures").LAYOUT)
    return {flat.name: flat for flat in (*flats.board(layout), *flats.tray(Tray()), *script("flat_boxes").boxes())}
