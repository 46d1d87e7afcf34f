"""A stand-in for picamera2 that obeys the rules in the source of version 0.3.38.

An unknown control raises an error. A request that is not released keeps its buffer. A job whose wait was cancelled
stays in the queue, and the next frame completes it. A flush needs time stamps. `close` waits for every job without a
limit. Exposure and focus need some frames to settle, and controls take three frames to arrive. The first access to the
sensor's modes configures the camera, which must not run at that time.
"""

import threading
import time
from collections import deque

import numpy as np

LIGHT = ["AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "FrameDurationLimits"]
LENS = ["AfMode", "AfTrigger", "LensPosition"]
CONTROLS = dict.fromkeys(LIGHT + LENS, (0, 1, None))
SETTLING, ARRIVING = 6, 3
CAMERAS: list[dict[str, object]] = [{"Model": "imx708", "Id": "/base/axi/pcie/i2c/imx708@1a", "Num": 0}]


class Job:
    def __init__(self, flush) -> None:
        self.flush, self.request = flush, None


class Request:
    def __init__(self, camera, metadata, shade) -> None:
        self.camera, self.metadata, self.shade, self.held = camera, metadata, shade, True

    def get_metadata(self):
        assert self.held, "asked of a request that was given back"
        return dict(self.metadata)

    def make_array(self, name):
        assert self.held
        width, height = self.camera.configuration[name]["size"]
        if self.camera.configuration[name]["format"] == "RGB888":
            return np.full((height, width, 3), self.shade, np.uint8)
        padded = np.full((height * 3 // 2, width + 64), 128, np.uint8)  # lines are padded in memory
        padded[:height, :width] = self.shade
        return padded if name == "lores" else np.ascontiguousarray(padded[:, :width])

    def release(self):
        assert self.held, "given back twice"
        self.held = False
        self.camera.free += 1


class Picamera2:
    """A camera that works for `gives` more frames, or without end if `gives` is None."""

    held_elsewhere = False
    lens = True
    streams = 2
    main_format = "RGB888"
    stamped = True
    light = (14_000, 1.5)
    modes: tuple[dict[str, object], ...] = ()
    array_px = (4608, 2592)
    scaler_crop: tuple[int, int, int, int] | None = None

    @staticmethod
    def global_camera_info():
        return CAMERAS

    def __init__(self, number=0) -> None:
        if self.held_elsewhere:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.camera_controls = {
            name: limits for name, limits in CONTROLS.items() if self.lens or not name.startswith(("Af", "Lens"))
        }
        self.gives: int | None = None
        self.frames = 0
        self.jobs: deque[Job] = deque()
        self.pending: deque[tuple[int, dict]] = deque()
        self.effective: dict[str, object] = {}
        self.sought_at: int | None = None
        self.started = self.closed = False
        self.camera_properties = {"PixelArraySize": self.array_px}
        self.configuration: dict[str, dict] = {}
        self.never = threading.Event()

    @property
    def sensor_modes(self):
        assert not self.started, "Camera must be stopped before configuring"
        self.configuration = {}
        return list(self.modes)

    def create_video_configuration(self, **wanted):
        if wanted.get("lores") and self.streams < 2:
            raise RuntimeError("Invalid camera configuration")
        return wanted

    def configure(self, wanted):
        self.configuration = {name: dict(wanted[name]) for name in ("main", "lores") if wanted.get(name)}
        self.configuration["main"]["format"] = self.main_format
        self.sensor = wanted.get("sensor")
        self.free = wanted["buffer_count"]

    def camera_configuration(self):
        return self.configuration

    def start(self):
        self.started = True

    def set_controls(self, controls):
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.pending.append((self.frames + ARRIVING, dict(controls)))

    def capture_request(self, *, wait, flush=None):
        assert wait is False, "a wait without an end"
        self.jobs.append(Job(flush))
        return self.jobs[-1]

    def wait(self, job, *, timeout):
        while job.request is None:
            if self.gives == 0 or self.free == 0:
                raise TimeoutError
            self._expose()
        return job.request

    def cancel_all_and_flush(self):
        self.jobs.clear()

    def close(self):
        if self.jobs:
            self.never.wait()
        self.closed = True

    def _expose(self):
        self.frames += 1
        if self.gives is not None:
            self.gives -= 1
        while self.pending and self.pending[0][0] <= self.frames:
            new = self.pending.popleft()[1]
            if "AfTrigger" in new:
                self.sought_at = self.frames
            self.effective |= new
        if self.jobs:
            job = self.jobs.popleft()
            metadata = self.metadata()
            if job.flush:
                metadata["SensorTimestamp"], metadata["ExposureTime"]  # as wait_for_timestamp_ asks for them
            self.free -= 1
            job.request = Request(self, metadata, self.frames % 256)

    def metadata(self):
        time_us, gain = self.light
        by_hand = self.effective.get("AeEnable") is False
        metadata = {
            "ExposureTime": self.effective["ExposureTime"] if by_hand else time_us,
            "AnalogueGain": self.effective["AnalogueGain"] if by_hand else gain,
            "AeState": 2 if self.frames >= SETTLING else 1,
            "ColourGains": (1.5, 2.25),
        }
        if self.stamped:
            metadata["SensorTimestamp"] = time.monotonic_ns() - 20_000_000
        else:
            metadata = {}
        if self.scaler_crop:
            metadata["ScalerCrop"] = self.scaler_crop
        if self.lens:
            found = self.sought_at is not None and self.frames - self.sought_at > 10
            metadata |= {"AfState": 2 if found else 1, "LensPosition": 3.1 if found else 0.5}
        return metadata
