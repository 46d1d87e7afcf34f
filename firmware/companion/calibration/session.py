"""Calibrate a running table: take pictures of the empty tray and of throws, learn from them, store the result.

Pictures are decoded in a worker process, so that the game's own process loads no OpenCV.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from companion.calibration import picture_work
from companion.calibration.store import calibration_file, camera_identity, load_calibration
from companion.calibration.tray_cameras import OLD_S, TrayCamera
from companion.errors import RefusedError
from companion.words import message
from companion.work_process import WorkProcess
from dicereader.errors import CalibrationError
from dicereader.tray.calibration import Calibration, empty_file

MOST_THROWS = 12
"""Number of throws from which more teach nothing."""


@dataclass(eq=False)
class CalibrationSession:
    """Calibrates one table. Any thread may call any method.

    Args:
        camera: takes the pictures.
        name: the camera's name, as written after `--camera`.
        data: the table's data folder.
        use: called with a new calibration and a picture of the empty tray as PNG.
        worker: the process that decodes pictures; the session ends it.
    """

    camera: TrayCamera
    name: str
    data: Path
    use: Callable[[Calibration, bytes], object]
    worker: WorkProcess = field(default_factory=lambda: WorkProcess(message("calibrate.worker_ended")))

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._empty: bytes | None = None
        self._throws: list[picture_work.ShownThrow] = []
        self._checked = picture_work.Checked()

    def picture(self) -> bytes:
        """Return a picture of the tray as JPEG. `RefusedError` reaches the caller if there is no picture."""
        return self.camera.picture("now")

    def progress(self, check_line_mm: float | None = None) -> picture_work.Progress:
        """Return the state of the calibration. `RefusedError` reaches the caller if there is no picture.

        Args:
            check_line_mm: the measured length of the printed line of 100 mm; with it the words say in centimetres by
                how much to raise the camera, else in percent of its height.
        """
        age_s = self.camera.age_s()
        progress = self.worker.run(partial(picture_work.inspected, self.picture(), self.camera.view(), check_line_mm))
        with self._lock:
            return replace(
                progress,
                age_s=round(age_s) if age_s >= OLD_S else 0,
                warnings=self._checked.problems,
                marks=self._checked.marks,
                empty=self._empty is not None,
                throws=len(self._throws),
                calibrated=self.stored(),
            )

    def stored(self) -> bool:
        """Return whether a calibration of this camera is stored."""
        try:
            return load_calibration(self.data, self.name).calibration is not None
        except CalibrationError:
            return False

    def take_empty(self, *, by_corners: bool = False) -> None:
        """Take a picture of the empty tray, measure it, and drop the throws that were taken before.

        `RefusedError` reaches the caller if there is no new picture, or if it shows dice or hides a tag.

        Args:
            by_corners: whether the tray is located by its corners, and needs no tags.
        """
        pictures = self.camera.several()
        found = self.worker.run(partial(picture_work.checked, pictures, self.camera.view(), by_corners=by_corners))
        with self._lock:
            self._empty, self._throws, self._checked = pictures[0], [], found

    def take_throw(self) -> int:
        """Take a picture of a throw, and return how many dice are seen in it.

        Raises:
            RefusedError: before the empty tray was taken, when enough throws were taken, if there is no new picture,
                and if it shows no dice or a throw that was taken.
        """
        with self._lock:
            empty, taken = self._empty, list(self._throws)
        if empty is None:
            raise RefusedError(message("calibrate.empty_first"))
        if len(taken) >= MOST_THROWS:
            raise RefusedError(message("calibrate.enough", throws=len(taken)))
        throw = self.worker.run(partial(picture_work.seen, self.camera.picture("throw"), empty))
        if not throw.dice:
            raise RefusedError(message("calibrate.no_dice"))
        if any(picture_work.lie_alike(throw, before) for before in taken):
            raise RefusedError(message("calibrate.same_throw"))
        with self._lock:
            self._throws.append(throw)
        return len(throw.dice)

    def read(self) -> tuple[bool, tuple[picture_work.SeenDie, ...]]:
        """Read the newest picture as the game would; return whether it is sure, and its dice.

        Raises:
            RefusedError: before the tray is calibrated.
        """
        known = load_calibration(self.data, self.name)
        if known.calibration is None:
            raise RefusedError(message("calibrate.save_first"))
        return self.worker.run(partial(picture_work.read, self.camera.picture("throw"), known.calibration, known.empty))

    def save(
        self, corners: picture_work.Corners | None, inside_mm: float, die_mm: float
    ) -> picture_work.CalibrationOutcome:
        """Learn from the pictures, store the calibration and use it.

        Args:
            corners: the tray's inner corners in pixels; None locates the tray by its tags.
            inside_mm: the width of the tray inside, used with `corners`.
            die_mm: the length of a die's edge.

        Raises:
            RefusedError: if pictures are missing. `BusyError` reaches the caller while another calibration is being
                learnt, `CalibrationError` if nothing can be learnt from the pictures, and `DataFolderError` if the
                calibration cannot be stored.
        """
        with self.worker.alone(message("calibrate.under_way")):
            with self._lock:
                empty, throws = self._empty, [throw.jpeg for throw in self._throws]
            if empty is None or not throws:
                raise RefusedError(message("calibrate.throw_first"))
            file = calibration_file(self.data)
            view, camera = self.camera.view(), camera_identity(self.name)
            known_deg = view.known_across_deg if view is not None else None
            learn = partial(
                picture_work.learn_tray,
                corners=corners,
                inside_mm=inside_mm,
                die_mm=die_mm,
                camera=camera,
                known_fov_deg=known_deg,
            )
            outcome = self.worker.run(partial(picture_work.learnt, [empty, *throws], learn, file))
            self.use(outcome.calibration, empty_file(file).read_bytes())
            with self._lock:
                self._empty, self._throws, self._checked = None, [], picture_work.Checked()
            return outcome

    def close(self) -> None:
        """End the worker process."""
        self.worker.close()
