"""A stand-in for picamera2 that plays a recording: the driver of the Pi's camera takes its frames from shared files.

The folder is named by `FARKLECRIB_RECORDING`. `control.npy` holds a row for each of two recordings: when it starts in
seconds of the monotonic clock, its moving frames, and its still frames, which follow in a loop. Like a camera it gives
the newest frame, at `RATE` a second, and drops frames that are not taken in time. `taken.npy` gets the number and time
of each frame that was taken. Its first row counts them.
"""

import os
import time
from pathlib import Path

import numpy as np

RATE = 30
LIGHT = {"ExposureTime": 10_000, "AnalogueGain": 1.0, "AeState": 2, "ColourGains": (1.5, 2.0)}


class Request:
    """One frame: its main picture is copied when it is taken, as picamera2 does."""

    def __init__(self, main, lores, at_s) -> None:
        self._arrays = {"main": main, "lores": lores}
        self._at_s = at_s

    def get_metadata(self):
        """Return the frame's metadata as from a sensor."""
        return {**LIGHT, "SensorTimestamp": int(self._at_s * 1e9)}

    def make_array(self, name):
        """Return a copy of one stream."""
        return self._arrays[name].copy()

    def release(self) -> None:
        """Do nothing: the frames belong to the recording."""


class Picamera2:
    """The one camera of the recording, without lens motor and sensor modes."""

    camera_controls = dict.fromkeys(("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains"))
    sensor_modes = ()

    @staticmethod
    def global_camera_info():
        """Return the one camera."""
        return [{"Model": "recording", "Id": "recording", "Num": 0}]

    def __init__(self, _number=0) -> None:
        folder = Path(os.environ["FARKLECRIB_RECORDING"])
        self._control = np.load(folder / "control.npy", mmap_mode="r")
        self._taken = np.load(folder / "taken.npy", mmap_mode="r+")
        streams = ("main", "lores")
        self._frames = [{name: np.load(folder / f"{name}-{k}.npy", mmap_mode="r") for name in streams} for k in (0, 1)]
        self.camera_properties = {}
        self._last_s = 0.0

    def create_video_configuration(self, **wanted):
        """Return the wanted configuration."""
        return wanted

    def configure(self, wanted) -> None:
        """Take the configuration, whose sizes the recording has."""
        self._configuration = {name: dict(wanted[name]) for name in ("main", "lores")}

    def camera_configuration(self):
        """Return the configuration."""
        return self._configuration

    def start(self) -> None:
        """Do nothing: the recording runs by the clock."""

    def set_controls(self, controls) -> None:
        """Do nothing: the recording's light is settled."""

    def capture_request(self, *, wait, flush=None):
        """Return a job."""
        return wait, flush

    def wait(self, _job, *, timeout):
        """Return the newest frame after the last one, when it is due.

        Raises:
            TimeoutError: if it is not due in time.
        """
        now = time.monotonic()
        due_s = self._last_s + 1 / RATE
        if due_s - now > timeout:
            raise TimeoutError
        if due_s > now:
            time.sleep(due_s - now)
            now = time.monotonic()
        started = [k for k in (0, 1) if self._control[k, 0] <= now]
        newest = max(started, key=lambda k: self._control[k, 0])
        start_s, moving, still = self._control[newest]
        number = int((now - start_s) * RATE)
        place = number if number < moving else int(moving) + (number - int(moving)) % int(still)
        self._last_s = start_s + number / RATE
        count = int(self._taken[0, 0]) + 1
        self._taken[count] = self._last_s, now
        self._taken[0, 0] = count
        frames = self._frames[newest]
        return Request(frames["main"][place], frames["lores"][place], self._last_s)

    def cancel_all_and_flush(self) -> None:
        """Do nothing: no job waits."""

    def close(self) -> None:
        """Do nothing."""
