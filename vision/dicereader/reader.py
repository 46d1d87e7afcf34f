"""Read the dice of one picture, of a calibrated or an unknown tray."""

import math
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

from numpy.typing import NDArray

from dicereader.data.frame import Order, Pixels, as_pixels, check_order, check_pixels
from dicereader.data.pictures import DamagedPictureError, load
from dicereader.errors import PictureError, SettingError, check_number, quoted
from dicereader.reading import DiceReading, Doubt
from dicereader.stages.known.judge_level import judge_level
from dicereader.stages.known.level_dice import find_known_dice
from dicereader.stages.unknown.second_reading import decided
from dicereader.stages.unknown.uncalibrated import first_pass
from dicereader.tray.calibration import Calibration, placed
from dicereader.tray.registration import stands

Picture = os.PathLike[str] | str | NDArray[Any]
"""The path of a picture, or its pixels as `dicereader.data.frame.as_pixels` takes them."""


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads pictures of dice. It changes nothing in itself: any number of threads may share one.

    `calibration` is the camera over the tray, made for pictures of their size; `empty` is a picture of the same tray
    without dice: objects that look the same in both are not dice. With both, and with the calibration's dice, a picture
    is read by their geometry; what that leaves in doubt is read a second time, as the dice of an unknown tray are. The
    same picture has the same reading on every machine.

    Settings of another type or out of range are a `SettingError`, an empty tray that is not pixels is a `PictureError`.
    """

    calibration: Calibration | None = None
    empty: Pixels | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.calibration, Calibration | None):
            raise SettingError(f"expected a Calibration or None as calibration, got {quoted(self.calibration)}")
        if self.empty is not None:
            check_pixels(self.empty)

    def read(self, picture: Picture, *, expect: int | None = None, order: Order = "bgr") -> DiceReading:
        """Return the dice of one picture. `SettingError` reaches the caller if `expect` is not a number from 0.

        Args:
            picture: a file, or an array (see `dicereader.data.frame.as_pixels`).
            expect: the expected number of dice; another count is a doubt.
            order: the order of an array's colours.

        Raises:
            PictureError: if it is not a picture, or does not have the size of `calibration` or `empty`.
        """
        if expect is not None:
            _check_count("expect", expect)
        check_order(order)
        if isinstance(picture, str | os.PathLike):
            return read_file(picture, partial(self.read, expect=expect))[1]
        pixels, empty = as_pixels(picture, order), self.empty
        known = self.calibration
        if known is not None and not known.fits(pixels):
            wanted, got = f"{known.width_px} x {known.height_px}", f"{pixels.shape[1]} x {pixels.shape[0]}"
            raise PictureError(f"expected a picture of {wanted} pixels, as the calibration's, got {got}")
        if empty is not None and empty.shape != pixels.shape:
            raise PictureError(f"expected a picture as large as the empty tray's, {empty.shape}, got {pixels.shape}")
        start = perf_counter()
        reading = None
        if known is not None and known.dice is not None and empty is not None:
            plane, level = find_known_dice(pixels, known, known.dice, empty)
            reading = judge_level(plane, level, known, known.dice, expect)
        if reading is None or not reading.sure:
            alone = first_pass(pixels, empty, known).judge(expect)
            alone = alone if known is None else placed(alone, known)
            if reading is None:
                reading = alone
            elif known is not None and alone.sure and stands(known, pixels):
                reading = decided(reading, alone)
        return replace(reading, ms=(perf_counter() - start) * 1e3)

    def read_all(
        self, pictures: Iterable[Picture], *, expect: int | None = None, order: Order = "bgr", threads: int = 1
    ) -> Iterator[DiceReading | PictureError]:
        """Return an iterator over the reading of each picture in order, or the error of one that cannot be read.

        Args:
            pictures: any number of pictures; see `read`.
            expect: the expected number of dice in each.
            order: the order of the arrays' colours.
            threads: the number of pictures that are read at once, from 1.

        Raises:
            SettingError: if `pictures` is a single path or cannot be iterated over, or a setting is out of range.
        """
        if isinstance(pictures, str | bytes | os.PathLike) or not isinstance(pictures, Iterable):
            raise SettingError(f"expected an iterable of pictures, got {quoted(pictures)}")
        if expect is not None:
            _check_count("expect", expect)
        check_order(order)
        _check_count("threads", threads, least=1)

        def one(picture: Picture) -> DiceReading | PictureError:
            try:
                return self.read(picture, expect=expect, order=order)
            except PictureError as error:
                return error

        def all_of() -> Iterator[DiceReading | PictureError]:
            with ThreadPoolExecutor(threads) as pool:
                yield from pool.map(one, pictures)

        return all_of()


def _check_count(name: str, value: object, least: int = 0) -> None:
    """Check that a setting is a whole number from `least`."""
    check_number(value, least, math.inf, f"{name} as a whole number from {least}", SettingError, whole=True)


def read_file(path: os.PathLike[str] | str, read: Callable[[Pixels], DiceReading]) -> tuple[Pixels, DiceReading]:
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
