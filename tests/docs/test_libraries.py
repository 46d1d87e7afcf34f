"""The libraries' public interfaces: their names, their documentation, and the imports that an example may use."""

import importlib
import inspect
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARIES = ("dicereader", "farkle", "pegboard")


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_names_its_version_and_what_it_offers(name: str) -> None:
    library = importlib.import_module(name)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert library.__version__ == project["version"]
    assert sorted(library.__all__) == list(library.__all__)
    for public in library.__all__:
        assert public == "__version__" or inspect.getdoc(getattr(library, public)), public


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_name_that_a_library_lacks_is_an_attribute_error(name: str) -> None:
    library = importlib.import_module(name)
    with pytest.raises(AttributeError):
        library.no_such_name  # noqa: B018
