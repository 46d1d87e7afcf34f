"""Cameras by name: what may stand after `--camera`, and the eye's source for each."""

import re
from dataclasses import dataclass

from companion.errors import ConfigError

CAMERAS = {"simulated": "synthetic", "recorded": "recorded", "usb": "usb", "picamera2": "picamera2"}
"""The cameras that may be asked for, and the eye's source for each."""

PI_CAMERA = re.compile(r"\d+(,(50|60))?")
"""What may stand behind `picamera2:`; `dicereader.sources.pi_camera.parsed` reads it."""


@dataclass(frozen=True)
class Camera:
    """What stands after `--camera`: a name, and what stands after the colon."""

    name: str
    arg: str = ""

    @property
    def simulated(self) -> bool:
        """Whether its pictures are drawn."""
        return self.name == "simulated"

    @property
    def source(self) -> str:
        """The eye's source for it."""
        return CAMERAS[self.name]


def camera_named(text: str) -> Camera:
    """The camera of `NAME[:ARG]`; raises `ConfigError` listing the known names."""
    name, _, arg = text.partition(":")
    if name not in CAMERAS:
        raise ConfigError(f"camera: expected one of {', '.join(CAMERAS)}, got {name!r}")
    if name == "simulated" and arg and not (arg.isdecimal() and int(arg) < 1 << 16):
        raise ConfigError(f"camera: expected simulated or simulated:NUMBER below 65536, got {text!r}")
    if name == "recorded" and not arg:
        raise ConfigError(f"camera: expected recorded:PATH with a folder, a picture or a clip, got {text!r}")
    if name == "usb" and arg and not arg.isdecimal():
        raise ConfigError(f"camera: expected usb:N with a camera's number, such as usb:0, got {text!r}")
    if name == "picamera2" and arg and not PI_CAMERA.fullmatch(arg):
        raise ConfigError(
            f"camera: expected picamera2, picamera2:N with a camera's number, or picamera2:N,60 where the mains have "
            f"60 Hz, got {text!r}"
        )
    return Camera(name, arg)
