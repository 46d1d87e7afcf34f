"""Everything that the docs refer to exists: links, pictures, files, names of code, targets of the Makefile."""

import importlib
import inspect
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\]\(\s*([^)\s]+)\s*\)")
NAME = re.compile(r"`((?:farkle|companion|dicereader|pegboard)(?:\.\w+)+)`")
FILE = re.compile(r"`((?:firmware|vision|board|tests|docs|bench)/[\w./-]+)`")
BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def prose(path: Path) -> str:
    """Return the text without its blocks of code."""
    return BLOCK.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """Return the names that a link may have after `#`."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def named(name: str) -> Any:
    """Return the module, class, function or constant of a dotted name.

    Raises:
        LookupError: if there is no such module.
    """
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


def test_every_link_leads_to_a_file_or_a_heading(generate: ModuleType) -> None:
    for path in generate.documents():
        for link in LINK.findall(prose(path)):
            if "://" in link:
                continue
            file, _, anchor = link.partition("#")
            there = path.parent / file if file else path
            assert there.exists(), f"{path.name}: {link}"
            assert not anchor or anchor in anchors(there), f"{path.name}: {link}"


def test_every_name_of_code_in_the_docs_exists(generate: ModuleType) -> None:
    names = {name: path.name for path in generate.documents() for name in NAME.findall(prose(path))}
    assert len(names) > 30
    for name, where in names.items():
        try:
            named(name)
        except (LookupError, AttributeError) as error:
            raise AssertionError(f"{where}: {name} is not there") from error


def test_every_file_the_docs_name_exists(generate: ModuleType) -> None:
    for path in generate.documents():
        for file in FILE.findall(prose(path)):
            if "/my_" not in file:  # a file that the reader is going to write
                assert (generate.ROOT / file).exists(), f"{path.name}: {file}"


def test_every_room_stands_in_the_table_of_rooms(generate: ModuleType) -> None:
    text = (generate.DOCS / "architecture.md").read_text(encoding="utf-8")
    rooms = {
        module.parent.relative_to(generate.ROOT).as_posix()
        for package in ("firmware/farkle", "firmware/farkleague", "firmware/companion", "vision/dicereader")
        for module in (generate.ROOT / package).glob("*/__init__.py")
    }
    assert len(rooms) > 15
    for room in rooms:
        assert f"| `{room}` |" in text, room


def test_every_make_target_the_docs_name_is_in_the_makefile(generate: ModuleType) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (generate.ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    files = [*generate.documents(), *(generate.ROOT / ".github").rglob("*.*"), *(generate.ROOT / ".ci").iterdir()]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    asked = set(re.findall(r"(?:`|^|run: )make ([a-z-]+)", text, re.MULTILINE))
    assert {"play", "test", "check", "bench", "soak", "docs"} <= asked
    assert asked <= targets


def test_every_page_of_the_docs_can_be_reached_from_the_readme(generate: ModuleType) -> None:
    to_visit = [generate.ROOT / "README.md"]
    visited: set[Path] = set()
    while to_visit:
        path = to_visit.pop().resolve()
        path = path / "README.md" if path.is_dir() and (path / "README.md").exists() else path
        if path in visited or path.suffix != ".md":
            continue
        visited.add(path)
        to_visit += [path.parent / link.partition("#")[0] for link in LINK.findall(prose(path)) if "://" not in link]
    pages = {page.resolve() for page in generate.documents() if generate.DOCS in page.parents}
    assert pages <= visited


# --- every promise of docs/safety.toml names existing tests, and those marked as measured have a figure ---

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


# --- the libraries' public interfaces: their names, their documentation, and the imports that an example may use ---

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
