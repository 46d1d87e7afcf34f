"""The phone that is the table's camera: one browser at a time, whose pictures go on to the eye."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.devices.eye_process import EyeProcess

SILENT_S = 5.0
"""Seconds without a picture after which another phone may become the camera without being asked again."""

IDLE_S = 3.0
"""Seconds for which nothing has moved before fewer and smaller pictures are enough."""


@dataclass(frozen=True)
class Wanted:
    """What the table wants of the camera: milliseconds from picture to picture, their longer side, JPEG's quality."""

    every_ms: int
    longest_px: int
    quality: float


MOVING = Wanted(66, 1280, 0.85)
IDLE = Wanted(200, 1280, 0.6)
"""The pictures keep their size, because another size begins a new scene; a lower quality makes them half as large."""


class CameraPhone:
    """Knows which browser is the camera. Use it on one thread."""

    def __init__(self, eye: EyeProcess, clock: Callable[[], float], who: tuple[str, str] = ("", "")) -> None:
        """Begin with the browser that was the camera before the table was built anew, or without a camera.

        Args:
            eye: Gets the pictures.
            clock: Seconds that never go back.
            who: The browser's id and its phone's name, as `who` was.
        """
        self._eye, self._clock = eye, clock
        self._holder, self._name = who
        self._newest_s = 0.0

    def take(self, holder: str, name: str, *, over: bool) -> str:
        """Make a browser the camera.

        Args:
            holder: The phone's id; this machine has one, too.
            name: The phone's name.
            over: Whether it takes the place of another one that still sends pictures.

        Returns:
            The name of the camera that still sends pictures; empty if this browser is the camera now.
        """
        sends = self._clock() - self._newest_s < SILENT_S
        if self._holder not in {"", holder} and sends and not over:
            return self._name
        self._holder, self._name, self._newest_s = holder, name, self._clock()
        return ""

    def leave(self, holder: str) -> None:
        """Let a browser be the camera no longer."""
        if self.is_camera(holder):
            self._holder = self._name = ""

    @property
    def who(self) -> tuple[str, str]:
        """The id of the browser that is the camera, and the phone's name; empty texts without one."""
        return self._holder, self._name

    def is_camera(self, holder: str) -> bool:
        """Return whether a browser is the camera."""
        return holder != "" and holder == self._holder

    def give(self, picture: bytes) -> Wanted:
        """Give the camera's next picture to the eye, and return what is wanted of the ones after it."""
        self._newest_s = self._clock()
        self._eye.show(picture)
        return IDLE if self._eye.still_for_s() >= IDLE_S else MOVING
