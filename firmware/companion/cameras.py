"""The cameras by name, and the value of `--camera`."""

import re
from dataclasses import dataclass

from companion.errors import ConfigError
from dicereader.errors import SourceError
from dicereader.sources.addresses import checked, shown

CAMERAS = {
    "simulated": (r"[0-9]{0,5}", "simulated or simulated:NUMBER below 65536"),
    "recorded": (r"[^\0]+", "recorded:PATH with a folder, a picture or a clip"),
    "usb": (
        r"[0-9]{0,5}|[^/\0]*[^/\0\d][^/\0]*",  # `dicereader.sources.found_cameras.number_of` finds it
        "usb for the only camera, or usb:NAME with its name in /dev/v4l/by-id, or usb:N with its number, such as usb:0",
    ),
    "url": (r".*", "url:ADDRESS"),  # `dicereader.sources.addresses.checked` says more
    "phone": ("", "phone"),
    "picamera2": (
        r"|[0-9]{1,5}(,(50|60))?",  # as `dicereader.sources.pi_camera.parsed` reads it
        "picamera2, picamera2:N with a camera's number, or picamera2:N,60 where the mains have 60 Hz",
    ),
}
"""The cameras by name: the pattern of each one's argument, and its form in words."""


@dataclass(frozen=True)
class CameraChoice:
    """The value of `--camera`: a name, and the argument after the colon."""

    name: str
    arg: str = ""

    @property
    def simulated(self) -> bool:
        """Whether the pictures are drawn."""
        return self.name == "simulated"

    @property
    def source(self) -> str:
        """The eye's source for this camera."""
        return "synthetic" if self.simulated else self.name


def camera_shown(text: str) -> str:
    """Return `NAME[:ARG]` as a log may hold it: an address without what may be secret."""
    name, colon, arg = text.partition(":")
    return f"url:{shown(arg)}" if name == "url" and colon else text


def camera_named(text: str) -> CameraChoice:
    """Return the camera of `NAME[:ARG]`.

    Raises:
        ConfigError: if the name is unknown, or the argument does not fit it.
    """
    name, _, arg = text.partition(":")
    if name not in CAMERAS:
        raise ConfigError(f"camera: expected one of {', '.join(CAMERAS)}, got {name!r}")
    if name == "url":
        try:
            checked(arg)
        except SourceError as error:
            raise ConfigError(f"camera: {error}") from error
    pattern, form = CAMERAS[name]
    if not re.fullmatch(pattern, arg) or (name == "simulated" and int(arg or 0) >= 1 << 16):
        raise ConfigError(f"camera: expected {form}, got {text!r}")
    return CameraChoice(name, arg)
