"""Loads catalogues: those that come with the program, and those of a folder beside the games, or of a file."""

import logging
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from companion.words.catalogue import LANGUAGE, Catalogue, CatalogueError
from companion.words.check import mistakes

FOLDER = "languages"
"""The folder of the files of words, in this package and in a data folder."""

CODE = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
"""A language's code, such as `de` or `pt-BR`; a file of the folders is named by it."""

PACKAGED = Path(__file__).parent / FOLDER

_log = logging.getLogger("farklecrib.words")


@cache
def english() -> Catalogue:
    """Return the English catalogue: what every other one falls back to, and what the log and the commands say."""
    text = (PACKAGED / f"{LANGUAGE}.toml").read_text(encoding="utf-8")
    return Catalogue(tomllib.loads(text), LANGUAGE)


def language_files(data: Path | None = None) -> Mapping[str, Path]:
    """Return the file of each language by its code: those of the program, and in their place those of a data folder."""
    found: dict[str, Path] = {}
    for folder in (PACKAGED, *([data / FOLDER] if data is not None else ())):
        files = sorted(folder.glob("*.toml"))
        found |= {file.stem.replace("_", "-"): file for file in files if CODE.fullmatch(file.stem)}
    return found


def language_names(files: Mapping[str, Path]) -> Mapping[str, str]:
    """Return each language's own name by its code, in the order of the names; the code for a file that gives none."""
    names = {code: _name_in(file) or code for code, file in files.items()}
    return dict(sorted(names.items(), key=lambda item: item[1].casefold()))


def load_catalogue(language: str = LANGUAGE, data: Path | None = None) -> Catalogue:
    """Return the catalogue of a language, or of a file that ends in `.toml`.

    Args:
        language: a code, or a path.
        data: the data folder, which may have languages of its own.

    Raises:
        CatalogueError: if there is no such catalogue, or it cannot be used.
    """
    if language.endswith(".toml"):
        code = Path(language).stem
        return _loaded(Path(language), code if CODE.fullmatch(code) else "")
    files = language_files(data)
    code = language.replace("_", "-")
    if code not in files:
        raise CatalogueError(f"expected one of {', '.join(files)}, or a .toml file, got {language!r}")
    return _loaded(files[code], code)


class Languages:
    """The languages of a table. Its own language is the default; the others come from files.

    A file is read when a request first asks for its language.
    """

    def __init__(self, own: Catalogue, *others: Catalogue, files: Mapping[str, Path] | None = None) -> None:
        self.own = own
        self._files = {code.casefold(): file for code, file in (files or {}).items()}
        self._known: dict[str, Catalogue | None] = {each.code.casefold(): each for each in (*others, own)}
        self.names: Mapping[str, str] = language_names(files or {})
        """Each language's own name by its code."""

    def first(self, wanted: Iterable[str]) -> Catalogue:
        """Return the catalogue of the first of these codes that there is, else the table's own."""
        return next(filter(None, map(self._of, wanted)), self.own)

    def _of(self, code: str) -> Catalogue | None:
        code = code.casefold().replace("_", "-")
        if code not in self._known and code in self._files:
            try:
                self._known[code] = _loaded(self._files[code], code)
            except CatalogueError as error:
                _log.warning("this language is left out: %s", error)
                self._known[code] = None
        return self._known.get(code)


@cache
def _loaded(file: Path, code: str) -> Catalogue:
    if file == PACKAGED / f"{LANGUAGE}.toml":
        return english()
    try:
        document = tomllib.loads(_text_of(file))
        code = code or str(document.get("locale", LANGUAGE))
        words = Catalogue(document, code, english())
        for mistake in mistakes(words, english()) if file.parent != PACKAGED else ():
            raise CatalogueError(mistake)
        return words
    except OSError as error:
        raise CatalogueError(f"expected a file of words, got {str(file)!r}: {error.strerror or error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CatalogueError(f"{file}: expected the words as in languages/{LANGUAGE}.toml, got: {error}") from error


def _text_of(file: Path) -> str:
    from dicereader.data.files import read_text  # only where a file is read

    return read_text(file)


def _name_in(file: Path) -> str:
    try:
        found = re.search(r'^name = "([^"\n]{1,40})"', _text_of(file), re.MULTILINE)
    except (OSError, ValueError):
        return ""
    return found[1] if found else ""
