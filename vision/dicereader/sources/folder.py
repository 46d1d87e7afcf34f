"""What is recorded at a path: photographs or clips, in the order of their names. Looks at names alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dicereader.errors import SourceError
from dicereader.pictures import SUFFIXES

CLIPS = (".mp4", ".avi")
"""The endings of clips, in small letters."""


@dataclass(frozen=True)
class Recorded:
    """Photographs or clips: never both, never neither."""

    photos: tuple[Path, ...] = ()
    clips: tuple[Path, ...] = ()


def find_recorded(path: str) -> Recorded:
    """A picture, a clip, or a folder of either; SourceError says what was expected."""
    where = Path(path)
    try:
        files = [where] if where.is_file() else sorted(entry for entry in where.iterdir() if entry.is_file())
    except OSError as error:
        reason = error.strerror or error
        raise SourceError(f"expected pictures or clips in {path!r}, and it cannot be opened: {reason}") from error
    photos = tuple(file for file in files if file.suffix.lower() in SUFFIXES)
    clips = tuple(file for file in files if file.suffix.lower() in CLIPS)
    if photos and clips:
        n, m = len(photos), len(clips)
        raise SourceError(f"expected pictures or clips in {path!r}, got both: {n} pictures and {m} clips")
    if photos or clips:
        return Recorded(photos, clips)
    got = "an empty folder" if not files else f"{len(files)} other files, such as {files[0].name!r}"
    raise SourceError(f"expected pictures ({_list(SUFFIXES)}) or clips ({_list(CLIPS)}) in {path!r}, got {got}")


def _list(endings: Iterable[str]) -> str:
    return " ".join(sorted(endings))
