"""What takes the pictures of a calibration: the eye of a table, or a tray that is drawn."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from companion.errors import RefusedError
from companion.words import message
from dicereader.data.camera_modules import CameraView

Content = Literal["now", "empty", "throw"]
"""What a picture must show: the tray as it is, the cleared tray, or a throw."""


OLD_S = 3.0
"""Seconds from which a picture is too old to be taken: nobody knows what the tray looks like since."""

SEVERAL = 8
"""Pictures of the empty tray that are compared."""

LOOK_S, LOOKS = 0.05, 60
"""Seconds between two looks for another picture, and the most looks: a camera that stands still gives no other one."""


@dataclass(frozen=True)
class EyeCamera:
    """Takes the eye's newest picture; a person clears the tray and throws. `pause` waits so many seconds."""

    jpeg: Callable[[], bytes | None]
    view: Callable[[], CameraView | None] = lambda: None
    age_s: Callable[[], float] = lambda: 0.0
    pause: Callable[[float], object] = time.sleep

    def picture(self, content: Content) -> bytes:
        """Return the newest picture, whatever it shows.

        Raises:
            RefusedError: before the first picture, and if it is too old for anything but to be shown.
        """
        picture = self.jpeg()
        if picture is None:
            raise RefusedError(message("calibrate.no_picture"))
        if content != "now" and (age_s := self.age_s()) >= OLD_S:
            raise RefusedError(message("calibrate.old_picture", seconds=round(age_s)))
        return picture

    def several(self) -> tuple[bytes, ...]:
        """Return the newest picture, and those that come after it."""
        pictures = [self.picture("empty")]
        for _ in range(LOOKS):
            if len(pictures) == SEVERAL:
                break
            self.pause(LOOK_S)
            newest = self.jpeg()
            if newest is not None and newest != pictures[-1]:
                pictures.append(newest)
        return tuple(pictures)


@dataclass
class SimulatedCamera:
    """Draws a simulated tray, which clears itself and throws by itself. `run` makes a drawing, in a process perhaps."""

    seed: int
    run: Callable[[Callable[[], bytes]], bytes] = lambda draw: draw()
    chance: random.Random = field(default_factory=random.Random)
    _last: bytes | None = None

    def picture(self, content: Content) -> bytes:
        """Draw the empty tray or six dice at random; for `now` return the last picture again."""
        if self._last is None or content != "now":
            throw = self.chance.randrange(1 << 30) if content == "throw" else None
            self._last = self.run(partial(_draw, self.seed, throw))
        return self._last

    def several(self) -> tuple[bytes, ...]:
        """Return the picture of the empty tray: a drawn lamp does not flicker."""
        return (self.picture("empty"),)

    def age_s(self) -> float:
        """Return 0: what is drawn is so now."""
        return 0.0

    def view(self) -> CameraView | None:
        """Return None: the field of view of a simulated camera is unknown."""
        return None


TrayCamera = EyeCamera | SimulatedCamera
"""Takes the pictures of a calibration. `several` are of the empty tray, one after another, by which a flicker is seen;
the first one counts. `age_s` is the seconds since the tray looked as `picture` shows it now."""


def _draw(seed: int, throw: int | None) -> bytes:
    """Return a picture of the simulated tray as JPEG: empty, or with the dice of a throw."""
    import cv2

    from companion.calibration.samples import draw_samples

    empty, throws = draw_samples(seed, 0 if throw is None else 1, random.Random(throw))
    return cv2.imencode(".jpg", throws[0] if throws else empty, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
