"""Loads the catalogues that come with the program, and one from a file."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from companion.words.catalogue import LANGUAGE, Catalogue, CatalogueError


def languages() -> tuple[str, ...]:
    """Return the languages that come with the program."""
    folder = resources.files("companion.words").joinpath("languages")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


@cache
def english() -> Catalogue:
    """Return the English catalogue: what every other one falls back to, and what the log and the commands say."""
    return Catalogue(_packaged(LANGUAGE), LANGUAGE)


def load_catalogue(language: str = LANGUAGE) -> Catalogue:
    """Return the catalogue of a language that comes with the program, or of a file that ends in `.toml`.

    Raises:
        CatalogueError: if there is no such catalogue, or it cannot be used.
    """
    if language == LANGUAGE:
        return english()
    if language.endswith(".toml"):
        from dicereader.data.files import read_text  # only where a file is read

        try:
            text = read_text(language)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CatalogueError(f"expected a file of words, got {language!r}: {reason}") from error
    elif language not in languages():
        raise CatalogueError(f"expected one of {', '.join(languages())}, or a .toml file, got {language!r}")
    try:
        document = tomllib.loads(text) if language.endswith(".toml") else _packaged(language)
        locale = LANGUAGE if language.endswith(".toml") else language
        return Catalogue(document, str(document.get("locale", locale)), english())
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CatalogueError(f"{language}: expected the words as in languages/{LANGUAGE}.toml, got: {error}") from error


def _packaged(language: str) -> dict[str, Any]:
    folder = resources.files("companion.words").joinpath("languages")
    return tomllib.loads(folder.joinpath(f"{language}.toml").read_text(encoding="utf-8"))
