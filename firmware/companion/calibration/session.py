"""Calibrates a running table: takes the empty tray and throws from its camera, learns, stores, and tells the eye.

Pictures are looked at in a process of its own, which ends with the table: the game's own loads no OpenCV.
"""

import random
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

from companion.calibration.store import place
from companion.errors import BusyError, CompanionError, DataFolderError
from dicereader.errors import CalibrationError, DiceReaderError
from dicereader.tray.calibration import Calibration, empty_file, load

MOST_THROWS = 12
"""So many pictures of throws are kept; then the oldest goes."""

NO_PICTURE = "expected a picture of the tray, but the camera has given none yet"

Know = Callable[[Calibration, bytes], object]
"""Tells the eye: a calibration, and the empty tray as a PNG."""

T = TypeVar("T")

Corners = list[list[float]]
"""Four points in pixels, clockwise from the top left."""


class Camera(Protocol):
    """What gives pictures, as JPEG, or raises `CompanionError` where there is none; `ask` runs a function apart."""

    def now(self, ask: "Ask") -> bytes:
        """The tray as it looks now."""

    def empty(self, ask: "Ask") -> bytes:
        """The tray that somebody has cleared."""

    def throw(self, ask: "Ask") -> bytes:
        """The tray onto which somebody has thrown."""


class Ask(Protocol):
    """Runs a function in the process that looks at pictures, and gives its answer."""

    def __call__(self, function: Callable[[], T]) -> T:
        """The function's answer, or what it raised."""


@dataclass(frozen=True)
class Preview:
    """The eye's newest picture: whoever stands at the table clears it and throws."""

    jpeg: Callable[[], bytes | None]

    def now(self, ask: Ask) -> bytes:  # noqa: ARG002 - nothing is drawn
        """The tray as it looks now."""
        data = self.jpeg()
        if data is None:
            raise CompanionError(NO_PICTURE)
        return data

    empty = throw = now


@dataclass
class Simulated:
    """A simulated tray clears itself and throws by itself; nobody stands there."""

    seed: int
    chance: random.Random = field(default_factory=random.Random)
    _last: bytes | None = None

    def now(self, ask: Ask) -> bytes:
        """What was laid last."""
        return self.empty(ask) if self._last is None else self._last

    def empty(self, ask: Ask) -> bytes:
        """The tray without dice."""
        self._last = ask(partial(_drawn, self.seed, None))
        return self._last

    def throw(self, ask: Ask) -> bytes:
        """Six dice by chance, somewhere."""
        self._last = ask(partial(_drawn, self.seed, self.chance.randrange(1 << 30)))
        return self._last


@dataclass(frozen=True)
class Seen:
    """What a picture shows: its size, its tags' corners in pixels, and what is wrong with it."""

    size: tuple[int, int]
    tags: dict[int, Corners]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Progress:
    """How far a calibration is: the picture now, and what was taken."""

    seen: Seen
    empty: bool
    throws: int
    calibrated: bool


@dataclass(frozen=True)
class Outcome:
    """What came of it: the calibration, and how many of the throws are read surely with it."""

    calibration: Calibration
    surely: int
    throws: int


class Calibrator:
    """One table's calibration under way. Every method may be called from any thread.

    `camera` gives pictures, `name` is the camera as after `--camera`, `know` tells the eye what was learnt.
    """

    def __init__(self, camera: Camera, name: str, data: Path, know: Know) -> None:
        self._camera = camera
        self._name = name
        self._data = data
        self._know = know
        self._lock = threading.Lock()
        self._learning = threading.Lock()
        self._apart: ProcessPoolExecutor | None = None
        self._empty: bytes | None = None
        self._throws: list[bytes] = []

    def picture(self) -> bytes:
        """The tray as it looks now, as a JPEG. Raises `CompanionError` where there is none."""
        return self._camera.now(self._ask)

    def progress(self) -> Progress:
        """How far it is, and what the picture now is fit for. Raises `CompanionError` where there is none."""
        seen = self._ask(partial(_seen, self._camera.now(self._ask)))
        file = place(self._data)
        try:
            stored = file.exists() and load(file) is not None
        except CalibrationError:
            stored = False
        with self._lock:
            return Progress(seen, self._empty is not None, len(self._throws), stored)

    def take_empty(self) -> None:
        """Take the empty tray; throws taken before belong to another one and are dropped."""
        picture = self._camera.empty(self._ask)
        with self._lock:
            self._empty, self._throws = picture, []

    def take_throw(self) -> None:
        """Take a throw. Raises `CompanionError` before the empty tray."""
        with self._lock:
            if self._empty is None:
                raise CompanionError("expected the empty tray first")
        picture = self._camera.throw(self._ask)
        with self._lock:
            self._throws = [*self._throws, picture][-MOST_THROWS:]

    def save(self, corners: Corners | None, inside_mm: float, die_mm: float) -> Outcome:
        """Learn from what was taken, store it, tell the eye. With `corners` no tags are needed.

        Raises `CompanionError` where pictures are missing, `BusyError` while another learns, `DataFolderError` where
        it cannot be stored, CalibrationError where nothing can be learnt or not one throw is read surely then.
        """
        if not self._learning.acquire(blocking=False):
            raise BusyError("expected one calibration at a time, and one is being learnt")
        try:
            with self._lock:
                empty, throws = self._empty, list(self._throws)
            if empty is None or not throws:
                raise CompanionError("expected the empty tray and at least one throw")
            file = place(self._data)
            work = partial(_learnt, empty, throws, corners, inside_mm, die_mm, self._name, file)
            known, surely = self._ask(work)
            self._know(known, empty_file(file).read_bytes())
            with self._lock:
                self._empty, self._throws = None, []
            return Outcome(known, surely, len(throws))
        finally:
            self._learning.release()

    def close(self) -> None:
        """End the process that looks at pictures."""
        with self._lock:
            apart, self._apart = self._apart, None
        if apart is not None:
            apart.shutdown(wait=True, cancel_futures=True)

    def _ask(self, function: Callable[[], T]) -> T:
        with self._lock:
            if self._apart is None:
                self._apart = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin)
            apart = self._apart
        return apart.submit(function).result()


def _begin() -> None:
    """In the process apart: Ctrl-C at the terminal is the game's, which ends this process in its order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _seen(jpeg: bytes) -> Seen:
    from dicereader.pictures import decode
    from dicereader.tray.fitness import fitness
    from dicereader.tray.tags import find_tags

    try:
        pixels = decode(jpeg, "the tray")
    except DiceReaderError as error:
        raise CompanionError(str(error)) from error
    tags = {number: corners.round(1).tolist() for number, corners in sorted(find_tags(pixels).items())}
    return Seen((pixels.shape[1], pixels.shape[0]), tags, fitness(pixels).problems)


def _learnt(
    empty_jpeg: bytes,
    throw_jpegs: list[bytes],
    corners: Corners | None,
    inside_mm: float,
    die_mm: float,
    camera: str,
    file: Path,
) -> tuple[Calibration, int]:
    from dataclasses import replace

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
    known = replace(learn(empty, throws, posed, die_mm), camera=camera)
    surely = sum(read_pixels(throw, calibration=known, empty=empty).sure for throw in throws)
    if not surely:
        raise CalibrationError("expected throws that are read surely then, got none: more light, or other throws")
    try:
        save_with_empty(known, empty, file)
    except CalibrationError as error:
        raise DataFolderError(str(error)) from error
    return known, surely


def _drawn(seed: int, throw: int | None) -> bytes:
    """The simulated tray as a JPEG: empty, or with the dice of a throw."""
    import cv2

    from companion.calibration.samples import laid

    empty, throws = laid(seed, 0 if throw is None else 1, random.Random(throw))
    return cv2.imencode(".jpg", throws[0] if throws else empty, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
