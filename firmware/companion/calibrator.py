"""Calibrates a running table: takes the empty tray and throws from its camera, learns, stores, and tells the eye."""

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from companion.calibrated import place
from companion.errors import BusyError, CompanionError, DataFolderError
from companion.tries import DICE, laid, lay
from dicereader.calibration import Calibration, empty_file, load, save_with_empty
from dicereader.errors import CalibrationError, PictureError
from dicereader.fitness import Fitness, fitness
from dicereader.frame import Pixels
from dicereader.learn import learn
from dicereader.pictures import decode
from dicereader.reader import read_pixels
from dicereader.sources.synthetic import SyntheticSource
from dicereader.tags import Tags, common_tags, find_tags, posed_by_corners, posed_by_tags

MOST_THROWS = 12
"""So many pictures of throws are kept; then the oldest goes."""

NO_PICTURE = "expected a picture of the tray, but the camera has given none yet"

Know = Callable[[Calibration, bytes], object]
"""Tells the eye: a calibration, and the empty tray as a PNG."""


class Camera(Protocol):
    """What pictures are taken with."""

    def now(self) -> Pixels:
        """The tray as it looks now."""

    def empty(self) -> Pixels:
        """The tray that somebody has cleared."""

    def throw(self) -> Pixels:
        """The tray onto which somebody has thrown."""


@dataclass(frozen=True)
class Preview:
    """The eye's newest picture: whoever stands at the table clears it and throws. `CompanionError` without one."""

    jpeg: Callable[[], bytes | None]

    def now(self) -> Pixels:
        """The tray as it looks now."""
        data = self.jpeg()
        if data is None:
            raise CompanionError(NO_PICTURE)
        try:
            return decode(data, "the tray")
        except PictureError as error:
            raise CompanionError(str(error)) from error

    empty = throw = now


@dataclass
class Simulated:
    """A simulated tray clears itself and throws by itself; nobody stands there."""

    seed: int
    chance: random.Random = field(default_factory=random.Random)
    _last: Pixels | None = None

    def now(self) -> Pixels:
        """What was laid last."""
        return self.empty() if self._last is None else self._last

    def empty(self) -> Pixels:
        """The tray without dice."""
        self._last, _ = laid(self.seed, 0, self.chance)
        return self._last

    def throw(self) -> Pixels:
        """Six dice by chance, somewhere."""
        faces = [self.chance.randint(1, 6) for _ in range(DICE)]
        self._last = lay(SyntheticSource(lambda: 100.0, seed=self.seed), self.seed, faces, self.chance)
        return self._last


@dataclass(frozen=True)
class Progress:
    """How far a calibration is: the picture's size, its tags' corners, what is wrong with it, and what was taken."""

    size: tuple[int, int]
    tags: Tags
    judged: Fitness
    empty: bool
    throws: int
    calibrated: Calibration | None


@dataclass(frozen=True)
class Outcome:
    """What came of it: the calibration, and how many of the throws are read surely with it."""

    calibration: Calibration
    surely: int
    throws: int


class Calibrator:
    """One table's calibration under way. Every method may be called from any thread.

    `camera` takes pictures, `name` is the camera as after `--camera`, `know` tells the eye what was learnt.
    """

    def __init__(self, camera: Camera, name: str, data: Path, know: Know) -> None:
        self._camera = camera
        self._name = name
        self._data = data
        self._know = know
        self._lock = threading.Lock()
        self._learning = threading.Lock()
        self._empty: Pixels | None = None
        self._throws: list[Pixels] = []

    def picture(self) -> bytes:
        """The tray as it looks now, as a JPEG. Raises `CompanionError` where there is none."""
        done, data = cv2.imencode(".jpg", self._camera.now())
        if not done:
            raise CompanionError(NO_PICTURE)
        return data.tobytes()

    def progress(self) -> Progress:
        """How far it is, and what the picture now is fit for. Raises `CompanionError` where there is none."""
        pixels = self._camera.now()
        height, width = pixels.shape[:2]
        file = place(self._data)
        try:
            stored = load(file) if file.exists() else None
        except CalibrationError:
            stored = None
        with self._lock:
            return Progress(
                (width, height), find_tags(pixels), fitness(pixels), self._empty is not None, len(self._throws), stored
            )

    def take_empty(self) -> None:
        """Take the empty tray; throws taken before belong to another one and are dropped."""
        pixels = self._camera.empty()
        with self._lock:
            self._empty, self._throws = pixels, []

    def take_throw(self) -> None:
        """Take a throw. Raises `CompanionError` before the empty tray."""
        with self._lock:
            if self._empty is None:
                raise CompanionError("expected the empty tray first")
        pixels = self._camera.throw()
        with self._lock:
            self._throws = [*self._throws, pixels][-MOST_THROWS:]

    def save(self, corners: list[tuple[float, float]] | None, inside_mm: float, die_mm: float) -> Outcome:
        """Learn from what was taken, store it, tell the eye. With `corners` no tags are needed; see `dicereader.tags`.

        Raises `CompanionError` where pictures are missing, `BusyError` while another learns, `DataFolderError` where
        it cannot be stored, CalibrationError where nothing can be learnt or not one throw is read surely then.
        """
        if not self._learning.acquire(blocking=False):
            raise BusyError("expected one calibration at a time, and one is being learnt")
        try:
            return self._learn(corners, inside_mm, die_mm)
        finally:
            self._learning.release()

    def _learn(self, corners: list[tuple[float, float]] | None, inside_mm: float, die_mm: float) -> Outcome:
        with self._lock:
            empty, throws = self._empty, list(self._throws)
        if empty is None or not throws:
            raise CompanionError("expected the empty tray and at least one throw")
        if corners is None:
            posed = posed_by_tags(empty.shape, common_tags([empty, *throws]))
        else:
            posed = posed_by_corners(empty.shape, np.array(corners, np.float64), inside_mm)
        known = replace(learn(empty, throws, posed, die_mm), camera=self._name)
        surely = sum(read_pixels(throw, calibration=known, empty=empty).sure for throw in throws)
        if not surely:
            raise CalibrationError("expected throws that are read surely then, got none: more light, or other throws")
        file = place(self._data)
        try:
            save_with_empty(known, empty, file)
        except CalibrationError as error:
            raise DataFolderError(str(error)) from error
        self._know(known, empty_file(file).read_bytes())
        with self._lock:
            self._empty, self._throws = None, []
        return Outcome(known, surely, len(throws))
