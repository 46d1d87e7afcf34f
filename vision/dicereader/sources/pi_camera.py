"""A camera on the Pi's ribbon, through picamera2: exposure, gain, white balance and focus are found, then locked.

picamera2 comes from apt with libcamera. By default it waits without a limit, and a wait that is given up leaves its job
in the camera's queue, where it would take a buffer that nobody returns. Therefore every wait here has a limit, and the
next call waits again for a job that was not done in time. Only ending the process ends a call that hangs in libcamera:
the eye is a process of its own. `pi_controls` says what is locked, `sensor_modes` which mode the sensor runs in.
"""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np

from dicereader.data.camera_modules import CameraView
from dicereader.data.frame import Frame, Pixels
from dicereader.errors import PictureError, SourceError
from dicereader.sources.pi_controls import FOCUS, focused, has_values, locked, settled
from dicereader.sources.sensor_modes import Size, chosen_mode, view_of

MAIN_PX: Size = (1280, 960)
LORES_PX: Size = (320, 240)
"""Sizes in pixels of the picture that is read, and of the one in which motion is detected."""

BUFFERS = 4
FRAME_US = 33_333, 33_333
FIRST_S = 5.0
"""Seconds that a camera may take to its first frame."""

SETTLE_FRAMES, FOCUS_FRAMES, LOCK_FRAMES = 30, 90, 15
"""The most frames to wait until exposure has settled, the lens has found its focus, and locked values have arrived."""

PAUSE_S = 0.25
"""Seconds without a request after which queued frames are too old: the next request waits for a frame begun after
it."""

CLOSE_S = 2.0
"""Seconds that closing the camera may take before it is left behind."""

MAINS_HZ = ("50", "60")
"""Mains frequencies: a lamp flickers at twice the frequency, and an exposure of whole half-periods gathers the same
light in every frame."""

APT = (
    "sudo apt install --no-install-recommends python3-picamera2; in a checkout also: "
    "python3 -m venv --system-site-packages .venv"
)
CLASH = (
    "picamera2 of apt and numpy of pip do not fit: on Bookworm install the versions of requirements/pi.txt (numpy "
    "below 2, opencv-python-headless below 4.12); farklecrib doctor says more"
)
CABLE = "look at both ends of its cable, then try rpicam-hello --list-cameras"


def open_pi(arg: str, clock: Callable[[], float]) -> "PiCamera":
    """Return the Pi's camera of `NUMBER` or `NUMBER,60` (60 Hz mains).

    Raises:
        SourceError: if there is no such camera; the text says which ones there are.
    """
    number, mains_hz = parsed(arg)
    library = _library()
    there = [str(each.get("Model", each.get("Id", "?"))) for each in library.global_camera_info()]
    if not there:
        raise SourceError(f"expected a camera on the Pi's ribbon, got an empty list from libcamera: {CABLE}")
    if number >= len(there):
        raise SourceError(f"expected the camera number {number}, got {len(there)} cameras: {', '.join(there)}")
    return PiCamera(lambda: library(number), clock, there[number], mains_hz)


def parsed(arg: str) -> tuple[int, int]:
    """Return the camera's number and the mains frequency in hertz.

    Raises:
        SourceError: if the text is not `NUMBER` or `NUMBER,HERTZ`.
    """
    number, _, mains = arg.partition(",")
    if not (number or "0").isdecimal() or (mains or "50") not in MAINS_HZ:
        raise SourceError(f"expected picamera2, picamera2:NUMBER or picamera2:NUMBER,60 (mains hertz), got {arg!r}")
    return int(number or 0), int(mains or 50)


def _library() -> Any:
    try:
        from picamera2 import Picamera2
    except ModuleNotFoundError as error:
        raise SourceError(f"expected the library picamera2, got none ({error.name} is missing): {APT}") from error
    except (ImportError, ValueError) as error:  # numpy reports another version with a ValueError
        hint = CLASH if "numpy" in str(error) else APT
        raise SourceError(f"expected the library picamera2, and it cannot be loaded: {error}; {hint}") from error
    return Picamera2


class PiCamera:
    """Frames of a camera whose values are locked.

    `locked` holds the locked values by libcamera's names; `view` says which mode the sensor is in and what is seen.
    """

    live = True

    def __init__(self, opened: Callable[[], Any], clock: Callable[[], float], name: str, mains_hz: int = 50) -> None:
        self._clock = clock
        self._name = name
        self._job: Any = None
        self._at_s = self._requested_s = float("-inf")
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
            self.view: CameraView = view_of(name, self._mode, self._crop, MAIN_PX)
        except Exception as error:
            self.close()
            if isinstance(error, SourceError):
                raise
            raise SourceError(f"expected the camera {name!r} to start, and it does not: {error}") from error

    def next(self, timeout_s: float) -> Frame | None:
        """Return the newest frame, None if none came in time.

        Raises:
            SourceError: if the camera is gone.
        """
        if self._closed:
            raise SourceError(f"expected the camera {self._name!r} to be open, and it is closed")
        now = self._clock()
        paused = now - self._requested_s > PAUSE_S
        request = self._request(timeout_s, flush=paused and self._flushes)
        self._requested_s = self._clock()
        if request is None:
            return None
        try:
            age_s = self._age_s(request.get_metadata())
            pixels = _in_bgr(request.make_array("main"), self._streams["main"]["format"])
            lores = self._streams.get("lores")
            small = _grey(request.make_array("lores"), lores["size"]) if lores else None
        finally:
            request.release()
        at_s = self._requested_s - age_s
        self._at_s = at_s if at_s > self._at_s else max(self._at_s + 1e-4, at_s)
        return Frame(pixels, at_s=self._at_s, small=small)

    def close(self) -> None:
        """Close the camera; one that hangs is left behind."""
        if self._closed:
            return
        self._closed = True
        if self._job is not None:
            self._camera.cancel_all_and_flush()  # otherwise its stop would wait behind our job
        closing = threading.Thread(target=self._camera.close, name=f"{self._name} closes", daemon=True)
        closing.start()
        closing.join(CLOSE_S)

    def _configure(self) -> None:
        wanted: dict[str, Any] = {
            "main": {"size": MAIN_PX, "format": "RGB888"},  # blue-green-red in memory, as in OpenCV
            "lores": {"size": LORES_PX, "format": "YUV420"},
            "buffer_count": BUFFERS,
            "queue": False,
        }
        self._mode = chosen_mode(self._camera, MAIN_PX)
        if self._mode is not None:
            wanted["sensor"] = self._mode.request
        try:
            self._camera.configure(self._camera.create_video_configuration(**wanted))
        except (RuntimeError, KeyError):  # a camera that is not the Pi's own may have only one stream
            self._camera.configure(self._camera.create_video_configuration(**(wanted | {"lores": None})))
        self._streams = self._camera.camera_configuration()

    def _lock(self, mains_hz: int) -> Mapping[str, Any]:
        """Let the camera find its values, then lock them; return the controls that the camera has."""
        self._set({"FrameDurationLimits": FRAME_US, "AeEnable": True, "AwbEnable": True} | FOCUS)
        found = self._until(settled, SETTLE_FRAMES)
        self._flushes = {"SensorTimestamp", "ExposureTime"} <= found.keys()  # what picamera2 needs to flush
        self._crop = found.get("ScalerCrop")
        if "AfMode" in self._camera.camera_controls:
            found |= self._until(focused, FOCUS_FRAMES)
        wanted = self._set(locked(found, mains_hz))
        self._until(lambda metadata: has_values(wanted, metadata), LOCK_FRAMES if wanted else 0)
        return wanted

    def _set(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Set those of some controls that the camera has, and return them."""
        has = self._camera.camera_controls
        kept = {name: value for name, value in controls.items() if name in has}
        self._camera.set_controls(kept)
        return kept

    def _until(self, accepted: Callable[[Mapping[str, Any]], bool], frames: int) -> dict[str, Any]:
        """Take frames until their metadata is accepted, or `frames` of them; return the last one's metadata.

        Raises:
            SourceError: if no frame comes.
        """
        metadata: dict[str, Any] = {}
        for _ in range(frames):
            request = self._request(FIRST_S, flush=False)
            if request is None:
                text = f"expected frames of the camera {self._name!r}, got none within {FIRST_S:g} s: {CABLE}"
                raise SourceError(text)
            metadata = dict(request.get_metadata())
            request.release()
            if accepted(metadata):
                break
        return metadata

    def _request(self, timeout_s: float, *, flush: bool) -> Any:
        """Return picamera2's next completed request; None if none came in time.

        Raises:
            SourceError: if the camera is gone.
        """
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
        return request

    def _age_s(self, metadata: Mapping[str, Any]) -> float:
        """Return the seconds since the frame was exposed; libcamera's time stamps are of the kernel's clock."""
        stamp_ns = metadata.get("SensorTimestamp")
        return 0.0 if stamp_ns is None else min(1.0, max(0.0, (time.monotonic_ns() - stamp_ns) / 1e9))


def _in_bgr(array: Any, form: str) -> Pixels:
    """Return a main picture in any of the formats that cameras fall back to, as BGR.

    Raises:
        PictureError: if it has another format.
    """
    codes = {"YUV420": cv2.COLOR_YUV2BGR_I420, "NV12": cv2.COLOR_YUV2BGR_NV12, "BGR888": cv2.COLOR_RGB2BGR}
    if form == "RGB888":
        return np.asarray(array, np.uint8)
    if form not in codes:
        raise PictureError(f"expected pictures as RGB888, {', '.join(codes)}, got {form!r}")
    return np.asarray(cv2.cvtColor(array, codes[form]), np.uint8)


def _grey(array: Any, size: tuple[int, int]) -> Pixels:
    """Return the brightness of a YUV picture: its first plane, without the padding of its lines."""
    width, height = size
    return np.ascontiguousarray(array[:height, :width], np.uint8)
