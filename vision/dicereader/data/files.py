"""Read a file that a user names: an ordinary file alone, and no more bytes than its kind can need.

All functions raise `OSError` with a reason in words as its `strerror`.
"""

import errno
import os
import re
import stat
from io import BufferedReader, FileIO

MOST_PICTURE_BYTES = 64 << 20
"""The most bytes of a picture's file: 20 megapixels without compression are 60 MB."""

MOST_TEXT_BYTES = 1 << 20
"""The most bytes of a text: a calibration, a layout, a rule set, a configuration, words, a written game, a scene."""

DEEP_KEY = re.compile(r"""(?<![\w"'\\-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""")
"""A key of TOML with more than 32 parts. tomllib takes minutes for one of 50,000 parts; this takes a linear time."""

FILE_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""What is no ordinary file, in words, by its kind."""


def open_file(path: os.PathLike[str] | str) -> FileIO:
    """Open an ordinary file, or a link to one, to read its bytes; a named pipe does not make it wait.

    Raises:
        OSError: if it is not an ordinary file, or the operating system refuses.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    kind = stat.S_IFMT(os.fstat(opened).st_mode)
    if kind == stat.S_IFREG:
        return FileIO(opened)
    os.close(opened)
    raise OSError(errno.EINVAL, f"it is {FILE_KINDS.get(kind, 'something else')}, not a file", os.fspath(path))


def read_bytes(path: os.PathLike[str] | str, most: int) -> bytes:
    """Return the bytes of an ordinary file of at most `most` bytes.

    Raises:
        OSError: if the file is larger, or another error of `open_file`.
    """
    with BufferedReader(open_file(path)) as file:  # a file of /proc has a size of 0 and bytes all the same
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > most else file.read(most + 1)
    if max(size, len(data)) > most:
        raise OSError(errno.EFBIG, f"it has {max(size, len(data)):,} bytes, more than {most:,}", os.fspath(path))
    return data


def read_text(path: os.PathLike[str] | str) -> str:
    """Return the text of an ordinary file in UTF-8; see `read_bytes`. `UnicodeDecodeError` is for other bytes.

    A byte order mark, which some editors write at the start, is no part of the text.

    Raises:
        OSError: if the text has a key of TOML that nothing of ours needs, or another error of `read_bytes`.
    """
    text = read_bytes(path, MOST_TEXT_BYTES).decode("utf-8-sig")
    if DEEP_KEY.search(text):
        raise OSError(errno.EINVAL, "it has a key of more than 32 parts", os.fspath(path))
    return text
