"""Calibrate a running table: take pictures of the empty tray and of throws, learn, store, and inform the eye.

Pictures are processed in a process of its own, which ends with the table: the game's process never loads OpenCV.
"""

import random
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

from companion.calibration.store import calibration_file
from companion.errors import BusyError, CompanionError, DataFolderError
from dicereader.errors import CalibrationError, DiceReaderError
from dicereader.tray.calibration import Calibration, empty_file, load

MOST_THROWS = 12
"""Pictures of throws that are kept; another one replaces the oldest."""

T = TypeVar("T")

Corners = list[list[float]]
"""Four points in pixels, clockwise from the top left."""

RunApart = Callable[[Callable[[], bytes]], bytes]
"""Runs a function in the process for pictures, and returns its result."""


class Shot(Enum):
    """What a picture is to show: the tray as it is, cleared, or after a throw."""

    NOW = auto()
    EMPTY = auto()
    THROW = auto()


class PictureSource(Protocol):
    """Takes the pictures of a calibration."""

    def take(self, shot: Shot, run_apart: RunApart) -> bytes:
        """Return a JPEG of the tray.

        Raises:
            CompanionError: if the source has no picture.
        """


@dataclass(frozen=True)
class EyePreview:
    """The eye's newest picture; a person at the table clears the tray and throws."""

    jpeg: Callable[[], bytes | None]

    def take(self, shot: Shot, run_apart: RunApart) -> bytes:  # noqa: ARG002 - a person clears and throws
        """Return the newest JPEG.

        Raises:
            CompanionError: if the camera has not given a picture yet.
        """
        data = self.jpeg()
        if data is None:
            raise CompanionError("expected a picture of the tray, but the camera has given none yet")
        return data


@dataclass
class SimulatedTray:
    """Pictures of the simulated tray with this number, which is cleared and thrown on by itself."""

    seed: int
    _last: bytes | None = None

    def take(self, shot: Shot, run_apart: RunApart) -> bytes:
        """Return the last picture for `NOW`, else a new one."""
        if shot is not Shot.NOW or self._last is None:
            chance = random.randrange(1 << 30) if shot is Shot.THROW else None
            self._last = run_apart(partial(_draw, self.seed, chance))
        return self._last


@dataclass(frozen=True)
class Tag:
    """A tag in a picture: its number, and its corners in pixels, clockwise from the printed top left."""

    number: int
    corners: Corners


@dataclass(frozen=True)
class Progress:
    """The progress of a calibration, also the model of the API.

    `width`, `height` and `tags` describe the picture now. `problems` are sentences about it, empty if it is fit for
    calibrating. `empty` says whether the empty tray was taken, `throws` how many throws were taken, and `calibrated`
    whether a calibration is stored. `said` is the result of the last step in words.
    """

    width: int
    height: int
    tags: tuple[Tag, ...]
    problems: tuple[str, ...]
    empty: bool = False
    throws: int = 0
    calibrated: bool = False
    said: str = ""


@dataclass(frozen=True)
class CalibrationOutcome:
    """The result: the calibration, and how many of the throws it reads surely."""

    calibration: Calibration
    surely: int
    throws: int


class CalibrationSession:
    """One table's calibration in progress. Every method may be called from any thread."""

    def __init__(
        self, source: PictureSource, camera: str, data: Path, on_saved: Callable[[Calibration, bytes], object]
    ) -> None:
        """Begin without pictures.

        Args:
            source: Takes the pictures.
            camera: The camera as after `--camera`, stored with the calibration.
            data: The data folder.
            on_saved: Gets the stored calibration, and the empty tray as the bytes of a PNG file.
        """
        self._source = source
        self._camera = camera
        self._data = data
        self._on_saved = on_saved
        self._lock = threading.Lock()
        self._learning = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._empty: bytes | None = None
        self._throws: list[bytes] = []

    def picture(self) -> bytes:
        """Return a JPEG of the tray as it is now; without one the source raises `CompanionError`."""
        return self._source.take(Shot.NOW, self._run_apart)

    def progress(self) -> Progress:
        """Return the progress and a check of the picture now; without one the source raises `CompanionError`."""
        progress = self._run_apart(partial(_check, self.picture()))
        file = calibration_file(self._data)
        try:
            stored = file.exists() and load(file) is not None
        except CalibrationError:
            stored = False
        with self._lock:
            return replace(progress, empty=self._empty is not None, throws=len(self._throws), calibrated=stored)

    def take_empty(self) -> None:
        """Take a picture of the empty tray, and drop the throws: they may be of another tray."""
        picture = self._source.take(Shot.EMPTY, self._run_apart)
        with self._lock:
            self._empty, self._throws = picture, []

    def take_throw(self) -> None:
        """Take a picture of a throw.

        Raises:
            CompanionError: if there is no picture of the empty tray yet.
        """
        with self._lock:
            if self._empty is None:
                raise CompanionError("expected the empty tray first")
        picture = self._source.take(Shot.THROW, self._run_apart)
        with self._lock:
            self._throws = [*self._throws, picture][-MOST_THROWS:]

    def save(self, corners: Corners | None, inside_mm: float, die_mm: float) -> CalibrationOutcome:
        """Learn a calibration from the pictures, store it, and pass it on.

        Pictures without a calibration, or whose calibration reads no throw surely, raise `CalibrationError`. A folder
        that cannot be written raises `DataFolderError`.

        Args:
            corners: The inner corners of the walls' upper edge; None finds the tray by its tags.
            inside_mm: The inner width of the tray, used with `corners`.
            die_mm: The edge of a die.

        Raises:
            CompanionError: if pictures are missing.
            BusyError: if another calibration is being learnt.
        """
        if not self._learning.acquire(blocking=False):
            raise BusyError("expected one calibration at a time, and one is being learnt")
        try:
            with self._lock:
                empty, throws = self._empty, list(self._throws)
            if empty is None or not throws:
                raise CompanionError("expected the empty tray and at least one throw")
            file = calibration_file(self._data)
            work = partial(_learn, empty, throws, corners, inside_mm, die_mm, self._camera, file)
            outcome = self._run_apart(work)
            self._on_saved(outcome.calibration, empty_file(file).read_bytes())
            with self._lock:
                self._empty, self._throws = None, []
            return outcome
        finally:
            self._learning.release()

    def close(self) -> None:
        """End the process for pictures."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _run_apart(self, function: Callable[[], T]) -> T:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_ignore_interrupts)
            pool = self._pool
        return pool.submit(function).result()


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C at the terminal: the game handles it, and ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _check(jpeg: bytes) -> Progress:
    from dicereader.pictures import decode
    from dicereader.tray.fitness import fitness
    from dicereader.tray.tags import find_tags

    try:
        pixels = decode(jpeg, "the tray")
    except DiceReaderError as error:
        raise CompanionError(str(error)) from error
    tags = tuple(Tag(number, corners.round(1).tolist()) for number, corners in sorted(find_tags(pixels).items()))
    return Progress(pixels.shape[1], pixels.shape[0], tags, fitness(pixels).problems)


def _learn(
    empty_jpeg: bytes,
    throw_jpegs: list[bytes],
    corners: Corners | None,
    inside_mm: float,
    die_mm: float,
    camera: str,
    file: Path,
) -> CalibrationOutcome:
    import numpy as np

    from dicereader.learn import learn
    from dicereader.pictures import decode
    from dicereader.reader import read_pixels
    from dicereader.tray.calibration import save_with_empty
    from dicereader.tray.tags import common_tags, posed_by_corners, posed_by_tags

    empty, *throws = (decode(jpeg, "the tray") for jpeg in (empty_jpeg, *throw_jpegs))
    if corners is None:
        posed = posed_by_tags(empty.shape, common_tags([empty, *throws]))
    else:
        posed = posed_by_corners(empty.shape, np.array(corners, np.float64), inside_mm)
    calibration = replace(learn(empty, throws, posed, die_mm), camera=camera)
    surely = sum(read_pixels(throw, calibration=calibration, empty=empty).sure for throw in throws)
    if not surely:
        raise CalibrationError("expected throws that are read surely then, got none: more light, or other throws")
    try:
        save_with_empty(calibration, empty, file)
    except CalibrationError as error:
        raise DataFolderError(str(error)) from error
    return CalibrationOutcome(calibration, surely, len(throws))


def _draw(seed: int, throw: int | None) -> bytes:
    """Return a JPEG of the simulated tray: empty, or with the dice of a throw of this number."""
    import cv2

    from companion.calibration.samples import simulated_pictures

    empty, throws = simulated_pictures(seed, 0 if throw is None else 1, random.Random(throw))
    return cv2.imencode(".jpg", throws[0] if throws else empty, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
