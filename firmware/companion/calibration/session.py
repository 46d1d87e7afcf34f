"""Calibrate a running table: take pictures of the empty tray and of throws, learn from them, store the result.

Pictures are decoded in a worker process, so that the game's own process loads no OpenCV.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from companion.calibration.store import calibration_file, known_tray, load_calibration
from companion.cameras import CameraChoice, camera_shown
from companion.errors import BusyError, DataFolderError, RefusedError
from companion.words import NOTHING, Message, Text, message
from dicereader.data.camera_modules import CameraView
from dicereader.errors import CalibrationError, DiceReaderError
from dicereader.tray.calibration import Calibration, empty_file

if TYPE_CHECKING:
    from companion.calibration.learning import CalibrationOutcome
    from dicereader.tray.problem import TrayProblem

MOST_THROWS = 12
"""Number of the latest pictures of throws that are kept."""

T = TypeVar("T")

Corners = list[list[float]]
"""Four points in pixels, clockwise from the top left."""

Content = Literal["now", "empty", "throw"]
"""What a picture must show: the tray as it is, the cleared tray, or a throw."""


class RunInWorker(Protocol):
    """Runs a function in the worker process."""

    def __call__(self, function: Callable[[], T]) -> T:
        """Return the function's result, or raise its exception."""


class TrayCamera(Protocol):
    """Takes the pictures of a calibration."""

    def picture(self, content: Content, run: RunInWorker) -> bytes:
        """Return a picture of the tray as JPEG.

        Raises:
            RefusedError: if there is no picture.
        """

    def several(self, run: RunInWorker) -> tuple[bytes, ...]:
        """Return pictures of the empty tray one after another, by which a flicker is seen; the first one counts."""

    def view(self) -> CameraView | None:
        """Return what the camera shows, None if that is unknown."""


SEVERAL = 8
"""Pictures of the empty tray that are compared."""

LOOK_S, LOOKS = 0.05, 60
"""Seconds between two looks for another picture, and the most looks: a camera that stands still gives no other one."""


@dataclass(frozen=True)
class EyeCamera:
    """Takes the eye's newest picture; a person clears the tray and throws. `pause` waits so many seconds."""

    jpeg: Callable[[], bytes | None]
    view: Callable[[], CameraView | None] = lambda: None
    pause: Callable[[float], object] = time.sleep

    def picture(self, _content: Content, _run: RunInWorker) -> bytes:
        """Return the newest picture, whatever it shows.

        Raises:
            RefusedError: before the first picture.
        """
        picture = self.jpeg()
        if picture is None:
            raise RefusedError(message("calibrate.no_picture"))
        return picture

    def several(self, run: RunInWorker) -> tuple[bytes, ...]:
        """Return the newest picture, and those that come after it."""
        pictures = [self.picture("empty", run)]
        for _ in range(LOOKS):
            if len(pictures) == SEVERAL:
                break
            self.pause(LOOK_S)
            newest = self.jpeg()
            if newest is not None and newest != pictures[-1]:
                pictures.append(newest)
        return tuple(pictures)


@dataclass
class SimulatedCamera:
    """Draws a simulated tray, which clears itself and throws by itself."""

    seed: int
    chance: random.Random = field(default_factory=random.Random)
    _last: bytes | None = None

    def picture(self, content: Content, run: RunInWorker) -> bytes:
        """Draw the empty tray or six dice at random; for `now` return the last picture again."""
        if self._last is None or content != "now":
            throw = self.chance.randrange(1 << 30) if content == "throw" else None
            self._last = run(partial(_draw, self.seed, throw))
        return self._last

    def several(self, run: RunInWorker) -> tuple[bytes, ...]:
        """Return the picture of the empty tray: a drawn lamp does not flicker."""
        return (self.picture("empty", run),)

    def view(self) -> CameraView | None:
        """Return None: the field of view of a simulated camera is unknown."""
        return None


@dataclass(frozen=True)
class Tag:
    """A tag in a picture: its number, and its corners in pixels, clockwise from the printed top left."""

    number: int
    corners: Corners


@dataclass(frozen=True)
class SeenDie:
    """A die as it was read: its face, its box in pixels (left, top, width, height), and whether it is sure."""

    face: int
    box: tuple[int, int, int, int]
    sure: bool


@dataclass(frozen=True)
class Progress:
    """The newest picture, and the state of a calibration.

    `width` and `height` are in pixels. `problems` are sentences about the picture, empty if it is fit for calibrating;
    `kinds` are their kinds, such as `too dark`.
    `empty` says whether the empty tray was taken, `throws` how many throws were taken, and `calibrated` whether a
    calibration is stored. `said` is the result of the last step, in words. `marks` are the places of reflections in the
    empty tray (left, top, width, height), and `dice` those of the throw that was read last, until the next step.
    """

    width: int
    height: int
    tags: tuple[Tag, ...]
    problems: tuple[Text, ...]
    kinds: tuple[str, ...]
    empty: bool = False
    throws: int = 0
    calibrated: bool = False
    said: Text = NOTHING
    marks: tuple[tuple[int, int, int, int], ...] = ()
    dice: tuple[SeenDie, ...] = ()


class TrayEye(Protocol):
    """The eye of a running table."""

    def preview(self) -> bytes | None:
        """Return the newest picture of the tray as JPEG, or None before the first."""

    def view(self) -> CameraView | None:
        """Return what the camera shows, None if that is unknown."""

    def calibrate(self, calibration: Calibration, empty: bytes) -> None:
        """Use another calibration, with a picture of the empty tray as PNG."""


def open_session(camera: CameraChoice, data: Path, eye: TrayEye) -> "CalibrationSession | None":
    """Return a calibration session for a table, or None if photographs take the place of a camera.

    Args:
        camera: the table's camera; a simulated camera has its number.
        data: the table's data folder.
        eye: takes the pictures, and gets the new calibration.
    """
    source = camera_shown(f"{camera.name}:{camera.arg}" if camera.arg else camera.name)
    match camera.name:
        case "recorded":
            return None
        case "simulated":
            return CalibrationSession(SimulatedCamera(int(camera.arg)), source, data, eye.calibrate)
        case _:
            return CalibrationSession(EyeCamera(eye.preview, eye.view), source, data, eye.calibrate)


class CalibrationSession:
    """Calibrates one table. Any thread may call any method."""

    def __init__(self, camera: TrayCamera, name: str, data: Path, use: Callable[[Calibration, bytes], object]) -> None:
        """Make a session without pictures.

        Args:
            camera: takes the pictures.
            name: the camera's name, as written after `--camera`.
            data: the table's data folder.
            use: called with a new calibration and a picture of the empty tray as PNG.
        """
        self._camera = camera
        self._name = name
        self._data = data
        self._use = use
        self._lock = threading.Lock()
        self._learning = threading.Lock()
        self._worker: ProcessPoolExecutor | None = None
        self._empty: bytes | None = None
        self._throws: list[bytes] = []
        self._checked = Checked()

    def picture(self) -> bytes:
        """Return a picture of the tray as JPEG. `RefusedError` reaches the caller if there is no picture."""
        return self._camera.picture("now", self._run)

    def progress(self, check_line_mm: float | None = None) -> Progress:
        """Return the state of the calibration. `RefusedError` reaches the caller if there is no picture.

        Args:
            check_line_mm: the measured length of the printed line of 100 mm; with it the words say in centimetres by
                how much to raise the camera, else in percent of its height.
        """
        progress = self._run(partial(_inspect, self.picture(), self._camera.view(), check_line_mm))
        with self._lock:
            return replace(
                progress,
                problems=(*progress.problems, *self._checked.problems),
                kinds=(*progress.kinds, *self._checked.kinds),
                marks=self._checked.marks,
                empty=self._empty is not None,
                throws=len(self._throws),
                calibrated=self.stored(),
            )

    def stored(self) -> bool:
        """Return whether a calibration of this camera is stored."""
        try:
            return known_tray(self._data, self._name) is not None
        except CalibrationError:
            return False

    def take_empty(self) -> None:
        """Take a picture of the empty tray, measure it, and drop the throws that were taken before."""
        pictures = self._camera.several(self._run)
        checked = self._run(partial(_check, pictures, self._camera.view()))
        with self._lock:
            self._empty, self._throws, self._checked = pictures[0], [], checked

    def take_throw(self) -> None:
        """Take a picture of a throw.

        Raises:
            RefusedError: before the empty tray was taken.
        """
        with self._lock:
            if self._empty is None:
                raise RefusedError(message("calibrate.empty_first"))
        picture = self._camera.picture("throw", self._run)
        with self._lock:
            self._throws = [*self._throws, picture][-MOST_THROWS:]

    def read(self) -> tuple[bool, tuple[SeenDie, ...]]:
        """Read the newest picture as the game would; return whether it is sure, and its dice.

        Raises:
            RefusedError: before the tray is calibrated.
        """
        known = load_calibration(self._data, self._name)
        if known.calibration is None:
            raise RefusedError(message("calibrate.save_first"))
        return self._run(partial(_read, self._camera.picture("throw", self._run), known.calibration, known.empty))

    def save(self, corners: Corners | None, inside_mm: float, die_mm: float) -> "CalibrationOutcome":
        """Learn from the pictures, store the calibration and use it.

        Args:
            corners: the tray's inner corners in pixels; None locates the tray by its tags.
            inside_mm: the width of the tray inside, used with `corners`.
            die_mm: the length of a die's edge.

        Raises:
            BusyError: while another calibration is being learnt.
            RefusedError: if pictures are missing. `CalibrationError` reaches the caller if nothing can be learnt
                from them, and `DataFolderError` if the calibration cannot be stored.
        """
        if not self._learning.acquire(blocking=False):
            raise BusyError(message("calibrate.under_way"))
        try:
            with self._lock:
                empty, throws = self._empty, list(self._throws)
            if empty is None or not throws:
                raise RefusedError(message("calibrate.throw_first"))
            file = calibration_file(self._data)
            view = self._camera.view()
            known_fov_deg = view.known_across_deg if view is not None else None
            outcome = self._run(
                partial(_learn, empty, throws, corners, inside_mm, die_mm, self._name, known_fov_deg, file)
            )
            self._use(outcome.calibration, empty_file(file).read_bytes())
            with self._lock:
                self._empty, self._throws, self._checked = None, [], Checked()
            return outcome
        finally:
            self._learning.release()

    def close(self) -> None:
        """End the worker process."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.shutdown(wait=True, cancel_futures=True)

    def _run(self, function: Callable[[], T]) -> T:
        with self._lock:
            if self._worker is None:
                self._worker = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin_worker)
            worker = self._worker
        try:
            return worker.submit(function).result()
        except BrokenExecutor as error:  # the process was killed, or ran out of memory
            with self._lock:
                self._worker = None if self._worker is worker else self._worker
            raise RefusedError(message("calibrate.worker_ended")) from error


def _begin_worker() -> None:
    """Ignore Ctrl-C in the worker process, because the game ends the worker; and end with the game if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with the game", daemon=True).start()


def _end_with_parent() -> None:
    """End this process as soon as the one that started it has ended: its queue of work would stay open for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def _inspect(jpeg: bytes, view: CameraView | None, check_line_mm: float | None) -> Progress:
    from dicereader.data.pictures import decode
    from dicereader.tray.fitness import fitness
    from dicereader.tray.tags import find_tags

    try:
        pixels = decode(jpeg, "the tray")
    except DiceReaderError as error:
        raise RefusedError(str(error)) from error
    problems = fitness(pixels, view=view, check_line_mm=check_line_mm).problems
    tags = tuple(Tag(number, corners.round(1).tolist()) for number, corners in sorted(find_tags(pixels).items()))
    kinds = tuple(problem.kind for problem in problems)
    return Progress(pixels.shape[1], pixels.shape[0], tags, tuple(map(problem_in_words, problems)), kinds)


@dataclass(frozen=True)
class Checked:
    """What is wrong with the picture of the empty tray, in words and by kind, and where a lamp is mirrored."""

    problems: tuple[Message, ...] = ()
    kinds: tuple[str, ...] = ()
    marks: tuple[tuple[int, int, int, int], ...] = ()


def _check(jpegs: tuple[bytes, ...], view: CameraView | None) -> Checked:
    from companion.calibration.checks import ShownTray, check_empty, tray_of
    from dicereader.data.pictures import decode

    shown = ShownTray(tuple(decode(jpeg, "the tray") for jpeg in jpegs), (), view)
    wrong = [each for each in check_empty(shown, tray_of(shown, None)) if each.good is False]
    return Checked(
        tuple(message(f"measure.{each.name}", value=round(each.value or 0), limit=round(each.limit)) for each in wrong),
        tuple(each.name for each in wrong),
        tuple((each.place.x, each.place.y, each.place.w, each.place.h) for each in wrong if each.place is not None),
    )


def _read(jpeg: bytes, calibration: Calibration, empty: bytes) -> tuple[bool, tuple[SeenDie, ...]]:
    from dicereader.data.pictures import decode
    from dicereader.reader import read_pixels

    pixels, floor = decode(jpeg, "the tray"), decode(empty, "the empty tray") if empty else None
    reading = read_pixels(pixels, calibration=calibration, empty=floor)
    dice = [SeenDie(die.face, (die.box.x, die.box.y, die.box.w, die.box.h), not die.doubts) for die in reading.dice]
    return reading.sure, tuple(dice)


def problem_in_words(problem: "TrayProblem") -> Message:
    """Return a problem of a picture in words."""
    match problem.kind:
        case "camera too low" | "camera aslant" | "dice hidden":
            cm, percent = problem.raise_cm, problem.raise_percent
            rise = message("rise.cm", cm=cm) if cm else message("rise.percent", percent=percent)
            return message(f"tray_problem.{problem.kind}", rise=rise)
        case "camera off centre":
            return message(
                "tray_problem.camera off centre", ways=[message(f"move.{way}", cm=cm) for way, cm in problem.move_cm]
            )
        case "tag hidden":
            tags = [message("calibrate.tag", number=tag, corner=message(f"corner.{tag}")) for tag in problem.hidden]
            if problem.least_cm:
                return message("tray_problem.tag hidden, known lens", tags=tags, least=problem.least_cm)
            return message("tray_problem.tag hidden", tags=tags)
        case kind:
            return message(f"tray_problem.{kind}")


def _learn(
    empty_jpeg: bytes,
    throw_jpegs: list[bytes],
    corners: Corners | None,
    inside_mm: float,
    die_mm: float,
    camera: str,
    known_fov_deg: float | None,
    file: Path,
) -> "CalibrationOutcome":
    from companion.calibration.learning import learn_tray
    from dicereader.data.pictures import decode
    from dicereader.tray.calibration import save_with_empty

    empty, *throws = (decode(jpeg, "the tray") for jpeg in (empty_jpeg, *throw_jpegs))
    outcome = learn_tray(empty, throws, corners, inside_mm, die_mm, camera, known_fov_deg)
    if not outcome.sure:
        raise RefusedError(message("calibrate.none_sure"))
    try:
        save_with_empty(outcome.calibration, empty, file)
    except CalibrationError as error:
        raise DataFolderError(str(error)) from error
    return outcome


def _draw(seed: int, throw: int | None) -> bytes:
    """Return a picture of the simulated tray as JPEG: empty, or with the dice of a throw."""
    import cv2

    from companion.calibration.samples import draw_samples

    empty, throws = draw_samples(seed, 0 if throw is None else 1, random.Random(throw))
    return cv2.imencode(".jpg", throws[0] if throws else empty, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
