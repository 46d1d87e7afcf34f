"""Cameras by name: what may stand after `--camera`, and the eye's source for each."""

from dataclasses import dataclass

from companion.errors import ConfigError

CAMERAS = {"simulated": "synthetic", "recorded": "recorded", "usb": "usb"}
"""The cameras that may be asked for, and the eye's source for each."""


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
    return Camera(name, arg)
