"""The sensor mode that picamera2's own configuration code makes of the driver's request, for each module's real modes.

`make test-pi` runs this beside driven_by_libcamera.py. The virtual camera has no sensor: its modes are the published
ones, and libcamera's answer to a raw stream is a plain object. Everything between, from the check of the configuration
to the score of each mode, is picamera2's.
"""

import time
from types import SimpleNamespace
from typing import Any

import libcamera
import pytest
from driven_by_libcamera import Virtual, number_of
from published_modes import ARRAYS, FULL_FIELD, MODES, NEWER_IMX477, listed

from dicereader.sources.pi_camera import LORES_PX, MAIN_PX, PiCamera

CROPPED = {"imx708": (1536, 864), "imx708_wide": (1536, 864), "newer imx477": (1332, 990)}
"""The modes that picamera2 takes by itself where they crop."""

ROWS = MODES | {"newer imx477": NEWER_IMX477}


class Streams:
    """A stand-in for libcamera's camera while picamera2 fills in the configuration of its streams."""

    def generate_configuration(self, roles: list[Any]) -> Any:
        streams = [SimpleNamespace() for _ in roles]
        return SimpleNamespace(at=streams.__getitem__)


class OnRibbon(Virtual):
    """The virtual camera with the modes of a module. picamera2 treats it as a camera on the ribbon cable."""

    module = "imx708"

    def __init__(self, number: int = 0) -> None:
        self.as_pi = False
        self.sensors: list[libcamera.SensorConfiguration] = []
        super().__init__(number)
        self._raw_modes = [{"format": each["format"], "size": each["size"]} for each in self.sensor_modes]
        self.camera_properties_["PixelArraySize"] = ARRAYS[self.module.removeprefix("newer ")]
        self.as_pi = True
        self._native_mode = self._select_native_mode(self._raw_modes)
        self.sensor_resolution, self.sensor_format = self._native_mode["size"], self._native_mode["format"]

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        return listed(ROWS[self.module])

    def _is_rpi_camera(self) -> bool:
        return self.as_pi

    def sensor_for(self, config: dict[str, Any]) -> libcamera.SensorConfiguration:
        """Return picamera2's request to libcamera for the sensor."""
        self.check_camera_config(config)
        virtual, self.camera = self.camera, Streams()
        try:
            return self._make_libcamera_config(config).sensor_config
        finally:
            self.camera = virtual

    def configure(self, config: dict[str, Any]) -> None:
        self.sensors.append(self.sensor_for(config))
        self.as_pi = False  # the virtual camera itself has no raw stream
        super().configure(config | {"raw": None, "sensor": None})
        self.as_pi = True


def size_of(sensor: libcamera.SensorConfiguration) -> tuple[int, int]:
    return sensor.output_size.width, sensor.output_size.height


@pytest.mark.parametrize("module", ROWS)
def test_picamera2_asks_for_the_full_field_of_each_module(module: str) -> None:
    opened: list[OnRibbon] = []
    sensor = module.removeprefix("newer ")

    def ribbon() -> OnRibbon:
        opened.append(type("Module", (OnRibbon,), {"module": module})(int(number_of("Virtual0"))))
        return opened[0]

    camera = PiCamera(ribbon, time.monotonic, sensor)
    try:
        assert camera.next(2.0) is not None
        assert {(*size_of(asked), asked.bit_depth) for asked in opened[0].sensors} == {
            (*FULL_FIELD[sensor], 12 if sensor == "imx477" else 10)
        }
        assert camera.view is not None
        assert camera.view.mode.startswith("{} x {} of".format(*FULL_FIELD[sensor]))
    finally:
        camera.close()


@pytest.mark.parametrize("module", ROWS)
def test_without_a_mode_picamera2_itself_crops_some_modules(module: str) -> None:
    camera = type("Module", (OnRibbon,), {"module": module})(int(number_of("Virtual0")))
    try:
        streams = {"main": {"size": MAIN_PX, "format": "RGB888"}, "lores": {"size": LORES_PX, "format": "YUV420"}}
        sensor = camera.sensor_for(camera.create_video_configuration(**streams))
        assert size_of(sensor) == (CROPPED[module] if module in CROPPED else FULL_FIELD[module])
    finally:
        camera.close()
