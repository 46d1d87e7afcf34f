"""The program that writes the generated parts of the docs, for their tests."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.fixture(scope="session")
def generate() -> ModuleType:
    """Load `docs/generate.py`, which is a script outside any package."""
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
