"""Recorded sources: a folder of photographs, one at a time on request, or clips at their own frame times."""

from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from dicereader.errors import PictureError, SourceError
from dicereader.frame import Frame
from dicereader.pictures import load
from dicereader.sources.folder import find_recorded

_PLAUSIBLE_RATE = 1.0, 1000.0  # frames a second that a clip's header may claim
_USUAL_RATE = 30.0


def open_recorded(path: str, clock: Callable[[], float]) -> "PhotoSource | ClipSource":
    """A picture, a clip, or a folder of either; SourceError says what was expected."""
    recorded = find_recorded(path)
    return ClipSource(recorded.clips, clock) if recorded.clips else PhotoSource(recorded.photos, clock)


def clip_frames(path: Path) -> Iterator[Frame]:
    """The frames of one clip, from its start to its end, at their own times in seconds from 0."""
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
    """Photographs in the order of their names, for ever; each is one settled tray."""

    live = False
    simulated = False

    def __init__(self, files: Sequence[Path], clock: Callable[[], float]) -> None:
        self._files = files
        self._clock = clock
        self._asked = 0
        self._at = 0
        self._number = 0
        self._broken_in_a_row = 0

    def advance(self) -> None:
        """Let `next` give the following photograph."""
        self._asked += 1

    def next(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - nothing is waited for
        """The photograph asked for, None if none was.

        One that cannot be read raises PictureError and is left out; when that was all of them, SourceError.
        """
        if not self._asked:
            return None
        file = self._files[self._at]
        self._at = (self._at + 1) % len(self._files)
        try:
            pixels = load(file)
        except PictureError:
            self._broken_in_a_row += 1
            if self._broken_in_a_row >= len(self._files):
                n = len(self._files)
                raise SourceError(f"expected pictures in {str(file.parent)!r}, and none of {n} can be read") from None
            raise
        self._broken_in_a_row = 0
        self._asked -= 1
        frame = Frame(pixels, at_s=self._clock(), number=self._number, still=True, name=file.name)
        self._number += 1
        return frame

    def close(self) -> None:
        """Nothing is held between two pictures."""


class ClipSource:
    """Clips one after the other, for ever, each frame when the clock has come to its time.

    With a clock that always says infinity, every frame is due at once.
    """

    live = True
    simulated = False

    def __init__(self, files: Sequence[Path], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start_s = clock()
        self._frames = self._for_ever(files)
        self._waiting: Frame | None = None

    def next(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - who waits is the caller, on its own clock
        """The next frame if it is due, else None."""
        if self._waiting is None:
            self._waiting = next(self._frames)
        if self._clock() - self._start_s < self._waiting.at_s:
            return None
        frame, self._waiting = self._waiting, None
        return frame

    def close(self) -> None:
        """Let go of the clip."""
        self._frames.close()

    def _for_ever(self, files: Sequence[Path]) -> Generator[Frame, None, None]:
        number, start_s, at_s, broken = 0, 0.0, 0.0, 0
        while True:
            for file in files:
                try:
                    for frame in clip_frames(file):
                        at_s = start_s + frame.at_s
                        yield Frame(frame.pixels, at_s=at_s, number=number, name=file.name)
                        number += 1
                        broken = 0
                except PictureError as error:
                    broken += 1
                    if broken >= len(files):
                        raise SourceError(f"expected clips, and none of {len(files)} can be read: {error}") from error
                start_s = at_s + 1 / _USUAL_RATE
