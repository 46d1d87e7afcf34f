"""Layouts loaded from TOML files: the packaged ones by name, and a house's own by file."""

import errno
import os
import re
import stat
import tomllib
from importlib.resources import files

from pegboard.errors import LayoutError
from pegboard.layouts.layout import Layout

DEFAULT = "long-board-4"

MOST_BYTES = 1 << 20
"""The most bytes of a layout's file; one with a run for each of 241 holes of six lanes has 150,000."""

DEEP_KEY = re.compile(r"""(?<![\w"'\\-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""")
"""A key with more than 32 parts, as in `dicereader.data.files`: tomllib takes minutes for one of 50,000 parts."""


def layout_names() -> tuple[str, ...]:
    """Return the names of the packaged layouts."""
    names = (entry.name for entry in files("pegboard.layouts").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load_layout(name: str = DEFAULT) -> Layout:
    """Return the packaged layout of this name, or the layout of a file if the name ends in `.toml`.

    Raises `LayoutError` for an unknown name, a file that cannot be read, or an invalid layout.
    """
    return parse_layout(layout_text(name), name)


def layout_text(name: str) -> str:
    """Return the TOML text of the packaged layout of this name, or of a file.

    Raises:
        LayoutError: if there is no such layout, or the file cannot be read.
    """
    if not isinstance(name, str):
        raise LayoutError(f"expected the name of a layout or of its file, got {name!r}")
    if name.endswith(".toml"):
        try:
            return _file_text(name)
        except ValueError as error:  # the file is not text, or its name holds a NUL
            raise LayoutError(f"expected TOML in layout {name!r}, got: {error}") from error
        except OSError as error:
            raise LayoutError(f"expected a layout file at {name!r}, got: {error.strerror}") from error
    if name in layout_names():
        return files("pegboard.layouts").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    raise LayoutError(f"expected a .toml file or one of the layouts {', '.join(layout_names())}; got {name!r}")


def parse_layout(text: str, name: str) -> Layout:
    """Return the layout of a TOML text; `name` is its name in errors.

    Raises:
        LayoutError: if the layout is invalid, with all its errors.
    """
    layout, wrong = read_layout(text, name)
    if layout is None:
        raise LayoutError(f"layout {name!r}: {'; '.join(wrong)}")
    return layout


def read_layout(text: str, name: str) -> tuple[Layout | None, tuple[str, ...]]:
    """Return the layout of a TOML text, or None, and a line for each of its errors."""
    from pegboard.layouts.document import layout_from  # only here: the strip's own process needs no pydantic

    try:
        return layout_from(tomllib.loads(text), name)
    except (ValueError, RecursionError) as error:  # also for a whole number of too many digits
        return None, (f"expected TOML, got: {error}",)


def _file_text(name: str) -> str:
    """Return the text of an ordinary file, as `dicereader.data.files.read_text` does for the other packages.

    Raises:
        OSError: if it is no ordinary file, has more than `MOST_BYTES`, or a key of TOML that no layout needs.
    """
    opened = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(errno.EINVAL, "it is not a file")
    with os.fdopen(opened, "rb") as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES:,} bytes")
    decoded = text.decode("utf-8")
    if DEEP_KEY.search(decoded):
        raise OSError(errno.EINVAL, "it has a key of more than 32 parts")
    return decoded
