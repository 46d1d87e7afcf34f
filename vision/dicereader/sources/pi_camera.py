"""A camera on the Pi's ribbon, through picamera2: exposure, gain, white balance and focus are found, then locked.

picamera2 comes from apt with libcamera below it. It waits for ever unless it is told how long, and a wait that was
given up leaves its job in the camera's queue, where it would take a buffer that nobody gives back. So every wait has an
end here, and a job that was not done in time is waited for again at the next call. What hangs in libcamera itself
nobody can end: the eye is a process of its own.
"""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import cv2
import numpy as np

from dicereader.errors import PictureError, SourceError
from dicereader.frame import Frame, Pixels
from dicereader.sources.locking import MAINS_HZ, autofocus, focused, level, locked, settled

MAIN_PX = 1280, 960
LORES_PX = 320, 240
"""Main is read, lores is what motion is looked for in: a quarter of main, the size that the eye compares."""

BUFFERS = 4
FRAME_US = 33_333, 33_333
FIRST_S = 5.0
"""A camera may take so long to its first frame."""

SETTLE_FRAMES, FOCUS_FRAMES, LOCK_FRAMES = 30, 90, 15
"""So many frames at most until exposure has settled, the lens has found its focus, and locked values have arrived."""

PAUSE_S = 0.25
"""Who has not asked for so long gets a frame that was begun after he asked, and not one from the queue."""

CLOSE_S = 2.0

APT = "sudo apt install --no-install-recommends python3-picamera2, and a venv made with --system-site-packages"
CLASH = (
    "picamera2 of apt and numpy of pip do not fit: on Bookworm install the versions of requirements/pi.txt (numpy "
    "below 2, opencv-python-headless below 4.12); farklecrib doctor says more"
)
CABLE = "look at both ends of its cable, then try rpicam-hello --list-cameras"


class Camera(Protocol):
    """What is asked of picamera2's Picamera2."""

    @property
    def camera_controls(self) -> Mapping[str, Any]: ...  # noqa: D102
    def create_video_configuration(self, **wanted: Any) -> Any: ...  # noqa: D102
    def configure(self, wanted: Any, /) -> Any: ...  # noqa: D102
    def camera_configuration(self) -> Mapping[str, Any]: ...  # noqa: D102
    def start(self) -> None: ...  # noqa: D102
    def set_controls(self, controls: Mapping[str, Any], /) -> None: ...  # noqa: D102
    def capture_request(self, *, wait: bool, flush: Any = None) -> Any: ...  # noqa: D102
    def wait(self, job: Any, /, *, timeout: float) -> Any: ...  # noqa: D102
    def cancel_all_and_flush(self) -> None: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


def open_pi(arg: str, clock: Callable[[], float]) -> "PiCamera":
    """The Pi's camera of `NUMBER` or `NUMBER,60` (60 Hz mains); SourceError says what is there instead."""
    number, mains_hz = parsed(arg)
    library = _library()
    there = [str(each.get("Model", each.get("Id", "?"))) for each in library.global_camera_info()]
    if not there:
        raise SourceError(f"expected a camera on the Pi's ribbon, and libcamera sees none: {CABLE}")
    if number >= len(there):
        raise SourceError(f"expected the camera number {number}, got {len(there)} cameras: {', '.join(there)}")
    return PiCamera(lambda: library(number), clock, there[number], mains_hz)


def parsed(arg: str) -> tuple[int, int]:
    """The camera's number and the mains frequency in hertz; raises SourceError."""
    number, _, mains = arg.partition(",")
    if not (number or "0").isdecimal() or (mains or "50") not in MAINS_HZ:
        raise SourceError(f"expected picamera2, picamera2:NUMBER or picamera2:NUMBER,60 (mains hertz), got {arg!r}")
    return int(number or 0), int(mains or 50)


def _library() -> Any:
    try:
        from picamera2 import Picamera2
    except ModuleNotFoundError as error:
        raise SourceError(f"expected the library picamera2, got none ({error.name} is missing): {APT}") from error
    except (ImportError, ValueError) as error:  # numpy says with a ValueError that it is another one
        hint = CLASH if "numpy" in str(error) else APT
        raise SourceError(f"expected the library picamera2, and it cannot be loaded: {error}; {hint}") from error
    return Picamera2


class PiCamera:
    """Frames of a camera whose values are locked. `locked` is what was locked, by libcamera's names."""

    live = True
    simulated = False

    def __init__(self, opened: Callable[[], Camera], clock: Callable[[], float], name: str, mains_hz: int = 50) -> None:
        self._clock = clock
        self._name = name
        self._job: Any = None
        self._number = 0
        self._at_s = self._asked_s = float("-inf")
        self._closed = False
        try:
            self._camera = opened()
        except Exception as error:
            raise SourceError(
                f"expected the camera {name!r} to be free, and it cannot be opened: {error}; does another program use "
                "it (a running table, rpicam)?"
            ) from error
        try:
            self._configure()
            self._camera.start()
            self.locked = self._lock(mains_hz)
        except Exception as error:
            self.close()
            if isinstance(error, SourceError):
                raise
            raise SourceError(f"expected the camera {name!r} to start, and it does not: {error}") from error

    def next(self, timeout_s: float) -> Frame | None:
        """The newest frame, None where none came in time. Raises SourceError when the camera is gone."""
        if self._closed:
            raise SourceError(f"expected a frame of the camera {self._name!r}, which is closed")
        now = self._clock()
        rested = now - self._asked_s > PAUSE_S
        taken = self._take(timeout_s, flush=rested and self._flushes)
        self._asked_s = self._clock()
        if taken is None:
            return None
        pixels, small, metadata = taken
        at_s = self._asked_s - self._age_s(metadata)
        self._at_s = at_s if at_s > self._at_s else max(self._at_s + 1e-4, at_s)
        frame = Frame(pixels, at_s=self._at_s, number=self._number, small=small)
        self._number += 1
        return frame

    def close(self) -> None:
        """Let the camera go; one that hangs is left behind."""
        if self._closed:
            return
        self._closed = True
        if self._job is not None:
            self._camera.cancel_all_and_flush()  # else its stop would wait behind our job, for ever
        closing = threading.Thread(target=self._camera.close, name=f"{self._name} closes", daemon=True)
        closing.start()
        closing.join(CLOSE_S)

    def _configure(self) -> None:
        wanted: dict[str, Any] = {
            "main": {"size": MAIN_PX, "format": "RGB888"},  # blue-green-red in memory, as OpenCV keeps it
            "lores": {"size": LORES_PX, "format": "YUV420"},
            "buffer_count": BUFFERS,
            "queue": False,
        }
        try:
            self._camera.configure(self._camera.create_video_configuration(**wanted))
        except (RuntimeError, KeyError):  # a camera that is not the Pi's own may have one stream alone
            self._camera.configure(self._camera.create_video_configuration(**(wanted | {"lores": None})))
        self._streams = self._camera.camera_configuration()

    def _lock(self, mains_hz: int) -> Mapping[str, Any]:
        """Let the camera find its values, then keep them: only those that it has."""
        has = self._camera.camera_controls
        self._set({"FrameDurationLimits": FRAME_US, "AeEnable": True, "AwbEnable": True, **autofocus(has)})
        found = self._until(settled, SETTLE_FRAMES, FIRST_S)
        self._flushes = {"SensorTimestamp", "ExposureTime"} <= found.keys()  # what picamera2 needs for it
        if "AfMode" in has:
            found |= self._until(focused, FOCUS_FRAMES, FIRST_S)
        wanted = {name: value for name, value in locked(found, mains_hz).items() if name in has}
        self._set(wanted)
        self._until(lambda metadata: level(wanted, metadata), LOCK_FRAMES if wanted else 0, FIRST_S)
        return wanted

    def _set(self, controls: Mapping[str, Any]) -> None:
        has = self._camera.camera_controls
        self._camera.set_controls({name: value for name, value in controls.items() if name in has})

    def _until(self, fits: Callable[[Mapping[str, Any]], bool], frames: int, wait_s: float) -> dict[str, Any]:
        """Take frames until their metadata fits, so many at most; the last one's metadata."""
        metadata: Mapping[str, Any] = {}
        for _ in range(frames):
            taken = self._take(wait_s, flush=False, picture=False)
            if taken is None:
                raise SourceError(
                    f"expected frames of the camera {self._name!r}, got none within {wait_s:g} s: {CABLE}"
                )
            metadata = taken[2]
            if fits(metadata):
                break
        return dict(metadata)

    def _take(
        self, timeout_s: float, *, flush: bool, picture: bool = True
    ) -> tuple[Pixels, Pixels | None, Mapping[str, Any]] | None:
        """The next request's pictures and metadata; None where none came in time."""
        try:
            if self._job is None:
                self._job = self._camera.capture_request(wait=False, flush=flush or None)
            request = self._camera.wait(self._job, timeout=timeout_s)
        except TimeoutError:
            return None
        except Exception as error:
            self._job = None
            raise SourceError(f"expected frames of the camera {self._name!r}, got: {error}") from error
        self._job = None
        try:
            metadata = request.get_metadata()
            if not picture:
                return np.zeros((1, 1, 3), np.uint8), None, metadata
            main, form = request.make_array("main"), self._streams["main"]["format"]
            small = request.make_array("lores") if self._streams.get("lores") else None
        finally:
            request.release()
        return _in_bgr(main, form), None if small is None else _grey(small, self._streams["lores"]["size"]), metadata

    def _age_s(self, metadata: Mapping[str, Any]) -> float:
        """How long ago the frame was exposed; libcamera's time stamps are of the kernel's clock."""
        stamp_ns = metadata.get("SensorTimestamp")
        return 0.0 if stamp_ns is None else min(1.0, max(0.0, (time.monotonic_ns() - stamp_ns) / 1e9))


def _in_bgr(array: Any, form: str) -> Pixels:
    """A main picture in any of the formats that cameras fall back to, as OpenCV keeps pictures."""
    codes = {"YUV420": cv2.COLOR_YUV2BGR_I420, "NV12": cv2.COLOR_YUV2BGR_NV12, "BGR888": cv2.COLOR_RGB2BGR}
    if form == "RGB888":
        return np.asarray(array, np.uint8)
    if form not in codes:
        raise PictureError(f"expected pictures as RGB888, {', '.join(codes)}, got {form!r}")
    return np.asarray(cv2.cvtColor(array, codes[form]), np.uint8)


def _grey(array: Any, size: tuple[int, int]) -> Pixels:
    """The brightness of a YUV picture: its first plane, without what pads its lines."""
    width, height = size
    return np.ascontiguousarray(array[:height, :width], np.uint8)
