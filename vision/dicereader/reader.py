"""Read the dice of one picture, of a known table or of one that nobody knows, and time each stage."""

from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import numpy as np

from dicereader.errors import PictureError
from dicereader.frame import Pixels
from dicereader.pictures import load
from dicereader.reading import DiceReading
from dicereader.stages.choose import Chosen
from dicereader.stages.known_tray import look_known
from dicereader.stages.rectify import View
from dicereader.stages.second import borne_out
from dicereader.stages.unknown_tray import look_again, look_unknown
from dicereader.stages.verdict import verdict
from dicereader.tray.calibration import Calibration


@dataclass
class Stopwatch:
    """Milliseconds of each stage of one reading, in their order."""

    ms: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=perf_counter)

    def lap(self, stage: str) -> None:
        """Book the time since the last lap on a stage."""
        now = perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + (now - self._last) * 1e3
        self._last = now


def read(
    picture: Path | str | Pixels, *, calibration: Calibration | None = None, expect: int | None = None
) -> DiceReading:
    """The dice of a picture file or of pixels (height, width, 3) BGR uint8.

    Raises PictureError where there is no picture, or one smaller than 16 x 16 or larger than 20 million pixels.
    """
    pixels = picture if isinstance(picture, np.ndarray) else load(picture)
    return read_pixels(pixels, calibration=calibration, expect=expect)


def read_pixels(
    pixels: Pixels,
    *,
    calibration: Calibration | None = None,
    empty: Pixels | None = None,
    expect: int | None = None,
    second_look: bool = True,
    watch: Stopwatch | None = None,
) -> DiceReading:
    """The dice of one picture, (height, width, 3) BGR uint8.

    `calibration` gives size, place and zone; a picture of another size than it was made for is a PictureError.
    `empty` is a picture of the same tray without dice: what looks the same in both is no die. `expect` is how many
    dice there must be. `second_look` is whether a picture in doubt is looked at again where there is no calibration; of
    a live camera the next frame shows more. `watch` takes the stages' times.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise PictureError(f"expected pixels (height, width, 3) of uint8, got {pixels.shape} of {pixels.dtype}")
    if min(pixels.shape[:2]) < 16:
        raise PictureError(f"expected a picture of at least 16 x 16 pixels, got {pixels.shape[1]} x {pixels.shape[0]}")
    if calibration is not None and not calibration.fits(pixels):
        wanted, got = f"{calibration.width_px} x {calibration.height_px}", f"{pixels.shape[1]} x {pixels.shape[0]}"
        raise PictureError(f"expected a picture of {wanted} pixels, as the calibration's, got {got}")
    if empty is not None and empty.shape != pixels.shape:
        raise PictureError(f"expected a picture as large as the empty tray's, {empty.shape}, got {pixels.shape}")
    watch = watch or Stopwatch()
    start = perf_counter()
    if calibration is not None and calibration.dice is not None and empty is not None:
        plane, level = look_known(pixels, calibration, calibration.dice, empty, watch.lap)
        told = verdict(plane, level, calibration, calibration.dice, expect)
        watch.lap("verdict")
    else:
        glance, chosen = look_unknown(pixels, calibration, empty, watch.lap)
        told = glance.told(chosen, expect)
        watch.lap("judge")
        if calibration is None and second_look:
            told = borne_out(told, (each.told(each.chosen(), expect) for each in look_again(glance, chosen)))
            watch.lap("second")
    dice, sure, doubts = told
    return DiceReading(dice=dice, sure=sure, doubts=doubts, ms=(perf_counter() - start) * 1e3)


def look(pixels: Pixels, calibration: Calibration | None = None, empty: Pixels | None = None) -> tuple[View, Chosen]:
    """All stages but the last: the view of a picture and the faces chosen in it, not judged yet. See `read_pixels`."""
    glance, chosen = look_unknown(pixels, calibration, empty)
    return glance.view, chosen
