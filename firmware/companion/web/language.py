"""The language of a request: the catalogue that the client's browser asks for, else English."""

from collections.abc import Iterator

from fastapi import Request

from companion.words import Catalogue, languages, load_catalogue
from companion.words.catalogue import LANGUAGE


def all_catalogues() -> tuple[Catalogue, ...]:
    """Return the catalogue of each language that comes with the program, English first."""
    return tuple(map(load_catalogue, sorted(languages(), key=lambda code: code != LANGUAGE)))


def words_of(request: Request) -> Catalogue:
    """Return the first catalogue that the header Accept-Language names, or the application's first one.

    A browser lists its languages in the order in which its user wants them.
    """
    known: tuple[Catalogue, ...] = request.app.state.languages
    for wanted in _wanted(request.headers.get("accept-language", "")):
        for words in known:
            if words.code.casefold() == wanted:
                return words
    return known[0]


def _wanted(header: str) -> Iterator[str]:
    """Yield the codes of the header, each followed by that of its language without the country."""
    for entry in header.split(","):
        code = entry.partition(";")[0].strip().replace("-", "_").casefold()
        yield code
        yield code.partition("_")[0]
