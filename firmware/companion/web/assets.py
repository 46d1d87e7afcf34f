"""Styles, scripts and pictures of the pages: served compressed, under addresses that change with their contents.

`/static/VERSION/table.js` may be kept for ever, because VERSION is a hash of all files; a module imports its neighbours
by relative addresses, so they carry the same version. `/static/table.js` serves the same file and is asked for again.
Comments on lines of their own stay here, a twelfth of all; the lines keep their numbers.
"""

import gzip
import hashlib
import os
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from jinja2 import Environment
from jinja2.ext import Extension
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import farklestyles

STATIC = Path(__file__).parent / "static"

_folders = [farklestyles.FOLDER / "static"]
"""The other folders with files: what the pages share with those of a league, and the folders of features."""

PREFIX: Final = "/static/"

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}

LEVEL = 6
"""The level of compression, here and for pages: 9 saves a thousandth more."""

LEAST_BYTES = 500
"""Shorter answers are not compressed."""

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

_COMMENTS = {
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".js": re.compile(r"^[ \t]*//.*$", re.MULTILINE),
}
_INDENTS = re.compile(r"^[ \t]+", re.MULTILINE)
"""White space that means nothing: no text of a script may go on in another line."""

_IMPORTED = re.compile(r'^import\b[^"]*"\./([\w-]+\.js)";', re.MULTILINE)


@dataclass(frozen=True)
class Asset:
    """One file."""

    body: bytes
    kind: str

    @cached_property
    def tag(self) -> str:
        """The entity tag of the contents."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:16]}"'

    @cached_property
    def packed(self) -> bytes:
        """The contents as gzip. Made once, on first use."""
        return gzip.compress(self.body, LEVEL, mtime=0)


@dataclass(frozen=True)
class Assets:
    """All files of a folder, by name, and their version."""

    files: dict[str, Asset]
    version: str
    _closures: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def modules(self, *names: str) -> tuple[str, ...]:
        """Return these modules and all that they import statically, each after the first that imports it."""
        if names not in self._closures:
            found = dict.fromkeys(names)
            ahead = [*names]
            while ahead:
                imported = _IMPORTED.findall(self.files[ahead.pop(0)].body.decode())
                ahead += [each for each in imported if each not in found]
                found.update(dict.fromkeys(imported))
            self._closures[names] = tuple(found)
        return self._closures[names]


def assets() -> Assets:
    """Return the files as they are now; they are read again when one has changed."""
    stamps = []
    for folder in (STATIC, *_folders):
        with os.scandir(folder) as entries:  # each page asks: by Path objects it takes twice as long
            files = [(entry.path, entry.stat()) for entry in entries if entry.name.endswith(tuple(KINDS))]
        stamps += [(path, stat.st_mtime_ns, stat.st_size) for path, stat in files]
    return _read(tuple(sorted(stamps)))


def add_folder(folder: Path) -> None:
    """Serve the files of a feature's folder, too, if there is such a folder."""
    if folder not in _folders and folder.is_dir():
        _folders.append(folder)


@lru_cache(maxsize=1)
def _read(stamps: tuple[tuple[str, int, int], ...]) -> Assets:
    paths = sorted((Path(path) for path, _, _ in stamps), key=lambda path: path.name)
    files = {path.name: Asset(_stripped(path), KINDS[path.suffix]) for path in paths}
    digest = hashlib.sha256("".join(f"{name} {file.tag}\n" for name, file in files.items()).encode())
    return Assets(files, digest.hexdigest()[:12])


def _stripped(path: Path) -> bytes:
    """Return a file without comments and indents; each line keeps its number."""
    comment = _COMMENTS.get(path.suffix)
    if comment is None:
        return path.read_bytes()
    text = comment.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8"))
    return _INDENTS.sub("", text).encode()


async def serve(request: Request) -> Response:
    """Answer a request for a file, with or without a version; the version of an older page gets the newest file.

    Raises:
        HTTPException: 404 if there is no such file.
    """
    version, _, name = str(request.path_params["path"]).rpartition("/")
    found = assets()
    asset = found.files.get(name)
    if asset is None or "/" in version:
        raise HTTPException(404)
    headers = {
        "cache-control": FOR_EVER if version == found.version else ASK_AGAIN,
        "etag": asset.tag,
        "vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    body = asset.body
    if len(body) >= LEAST_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = asset.packed, "gzip"
    return Response(body, media_type=asset.kind, headers=headers)


class Versioned(Extension):
    """Puts the version into the addresses of files in templates: `"/static/table.js"` is written without it."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.globals["assets"] = assets

    def preprocess(self, source: str, _name: str | None, _filename: str | None = None) -> str:
        """Return the source of a template with the version in each address."""
        return source.replace(f'"{PREFIX}', f'"{PREFIX}{{{{ assets().version }}}}/')
