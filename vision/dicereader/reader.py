"""Read the dice of one picture, of a calibrated or an unknown tray."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from dicereader.errors import PictureError
from dicereader.frame import Pixels
from dicereader.pictures import SMALLEST_PX, DamagedPictureError, load
from dicereader.reading import DiceReading, Doubt
from dicereader.stages.calibrated import find_known_dice
from dicereader.stages.combine import combine
from dicereader.stages.judge_level import judge_level
from dicereader.stages.uncalibrated import first_pass, further_passes
from dicereader.tray.calibration import Calibration


def read_pixels(
    pixels: Pixels,
    *,
    calibration: Calibration | None = None,
    empty: Pixels | None = None,
    expect: int | None = None,
    second_look: bool = True,
) -> DiceReading:
    """Return the dice of one picture.

    Args:
        pixels: the picture, (height, width, 3), BGR uint8, at least 16 x 16 pixels.
        calibration: the camera over the tray, made for pictures of this size.
        empty: a picture of the same tray without dice; objects that look the same in both are not dice.
        expect: the expected number of dice; another count is a doubt.
        second_look: whether a doubtful picture of an uncalibrated tray is read again at other contrasts and sizes.
            A live camera's next frame is the better second look.

    Raises:
        PictureError: if the pixels are no picture, or do not have the size of `calibration` or `empty`.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise PictureError(f"expected pixels (height, width, 3) of uint8, got {pixels.shape} of {pixels.dtype}")
    if min(pixels.shape[:2]) < SMALLEST_PX:
        got = f"{pixels.shape[1]} x {pixels.shape[0]}"
        raise PictureError(f"expected a picture of at least {SMALLEST_PX} x {SMALLEST_PX} pixels, got {got}")
    if calibration is not None and not calibration.fits(pixels):
        wanted, got = f"{calibration.width_px} x {calibration.height_px}", f"{pixels.shape[1]} x {pixels.shape[0]}"
        raise PictureError(f"expected a picture of {wanted} pixels, as the calibration's, got {got}")
    if empty is not None and empty.shape != pixels.shape:
        raise PictureError(f"expected a picture as large as the empty tray's, {empty.shape}, got {pixels.shape}")
    start = perf_counter()
    if calibration is not None and calibration.dice is not None and empty is not None:
        plane, level = find_known_dice(pixels, calibration, calibration.dice, empty)
        reading = judge_level(plane, level, calibration, calibration.dice, expect)
    else:
        first = first_pass(pixels, calibration, empty)
        reading = first.judge(expect)
        if calibration is None and second_look:
            reading = combine(reading, (each.judge(expect) for each in further_passes(first)))
    return replace(reading, ms=(perf_counter() - start) * 1e3)


def read_file(path: Path | str, read: Callable[[Pixels], DiceReading] = read_pixels) -> tuple[Pixels, DiceReading]:
    """Return the pixels of a picture's file and their reading, which is never sure if the file is damaged.

    `PictureError` reaches the caller if the file is no picture.
    """
    try:
        pixels = load(path)
    except DamagedPictureError as error:
        reading = read(error.pixels)
        doubts = (*reading.doubts, *({Doubt.FACE} - {*reading.doubts}))
        return error.pixels, replace(reading, sure=False, doubts=doubts)
    return pixels, read(pixels)
