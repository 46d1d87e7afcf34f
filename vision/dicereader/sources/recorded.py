"""Recorded sources: a folder of photographs, one at a time on request, or clips at their own frame times."""

import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dicereader.data.files import open_file
from dicereader.data.frame import Frame
from dicereader.data.pictures import SUFFIXES, load
from dicereader.errors import PictureError, SourceError

CLIPS = (".mp4", ".avi")
"""The endings of clips, in small letters."""

_PLAUSIBLE_RATE = 1.0, 1000.0  # frames a second that a clip's header may claim
_USUAL_RATE = 30.0


def open_recorded(path: str, clock: Callable[[], float]) -> "PhotoSource | ClipSource":
    """Return the source of a picture, a clip, or a folder of either."""
    photos, clips = find_recorded(path)
    return ClipSource(clips, clock) if clips else PhotoSource(photos, clock)


def find_recorded(path: str) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return the photographs and the clips at a path by name, one of the two always empty.

    Raises:
        SourceError: if there are none, or both.
    """
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
        return photos, clips
    got = "an empty folder" if not files else f"{len(files)} other files, such as {files[0].name!r}"
    raise SourceError(f"expected pictures ({_list(SUFFIXES)}) or clips ({_list(CLIPS)}) in {path!r}, got {got}")


def _list(endings: Iterable[str]) -> str:
    return " ".join(sorted(endings))


def clip_frames(path: Path) -> Iterator[Frame]:
    """Yield the frames of one clip at their own times, in seconds from 0.

    Raises:
        PictureError: if the clip is no ordinary file, or has no frame that can be read.
    """
    import cv2  # only where a clip is decoded: names are found without it

    try:
        open_file(path).close()  # OpenCV would wait for a named pipe
    except OSError as error:
        raise PictureError(f"expected a clip in {str(path)!r}, got: {error.strerror or error}") from error
    video = cv2.VideoCapture(str(path))
    try:
        rate = float(video.get(cv2.CAP_PROP_FPS)) if video.isOpened() else 0.0
        if not _PLAUSIBLE_RATE[0] <= rate <= _PLAUSIBLE_RATE[1]:
            rate = _USUAL_RATE
        number = 0
        while True:
            given, pixels = video.read()
            if not given:
                break
            yield Frame(np.asarray(pixels, np.uint8), at_s=number / rate, number=number, name=path.name)
            number += 1
        if not number:
            raise PictureError(f"expected a clip that can be read, got {str(path)!r}")
    finally:
        video.release()


class PhotoSource:
    """Photographs in the order of their names, in an endless loop; each is one settled tray."""

    live = False

    def __init__(self, files: Sequence[Path], clock: Callable[[], float]) -> None:
        self._count = len(files)
        self._files = itertools.cycle(files)
        self._clock = clock
        self._requested = 0
        self._broken_in_a_row = 0

    def advance(self) -> None:
        """Request the next photograph."""
        self._requested += 1

    def next(self, _timeout_s: float) -> Frame | None:
        """Return the requested photograph, None without a request.

        Raises:
            PictureError: if the photograph cannot be read; it is skipped.
            SourceError: if none of them can be read.
        """
        if not self._requested:
            return None
        file = next(self._files)
        try:
            pixels = load(file)
        except PictureError:
            self._broken_in_a_row += 1
            if self._broken_in_a_row >= self._count:
                text = f"expected pictures in {str(file.parent)!r}, and none of {self._count} can be read"
                raise SourceError(text) from None
            raise
        self._broken_in_a_row = 0
        self._requested -= 1
        return Frame(pixels, at_s=self._clock(), still=True, name=file.name)

    def close(self) -> None:
        """Do nothing: no file is open between two pictures."""


class ClipSource:
    """Clips in an endless loop, each frame at its time on the clock.

    With a clock that always returns infinity, every frame is due at once.
    """

    live = True

    def __init__(self, files: Sequence[Path], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start_s = clock()
        self._frames = self._loop(files)
        self._waiting: Frame | None = None

    def next(self, _timeout_s: float) -> Frame | None:
        """Return the next frame if it is due, else None."""
        if self._waiting is None:
            self._waiting = next(self._frames)
        if self._clock() - self._start_s < self._waiting.at_s:
            return None
        frame, self._waiting = self._waiting, None
        return frame

    def close(self) -> None:
        """Close the clip."""
        self._frames.close()

    def _loop(self, files: Sequence[Path]) -> Generator[Frame, None, None]:
        start_s, at_s, broken = 0.0, 0.0, 0
        while True:
            for file in files:
                try:
                    for frame in clip_frames(file):
                        at_s = start_s + frame.at_s
                        yield replace(frame, at_s=at_s)
                        broken = 0
                except PictureError as error:
                    broken += 1
                    if broken >= len(files):
                        raise SourceError(f"expected clips, and none of {len(files)} can be read: {error}") from error
                start_s = at_s + 1 / _USUAL_RATE
