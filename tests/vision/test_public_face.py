"""The library's public interface: bad input is refused with an error of the library, in one line."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

import dicereader
from dicereader import Box, Calibration, DiceReaderError, ReadDie, Reader, load_calibration, read

GREY = np.full((40, 50, 3), 90, np.uint8)
LEVEL = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))


class BytesPath(os.PathLike):
    def __fspath__(self) -> bytes:
        return b"tray.jpg"


NO_PICTURES = {
    "None": None,
    "a number": 5,
    "a list": [1, 2, 3],
    "bytes": b"tray.jpg",
    "an object": object(),
    "no file": "nowhere.jpg",
    "a folder": Path(__file__).parent,
    "an empty path": "",
    "a path with a null character": "tray\0.jpg",
    "a path that no file system has": "\ud800.jpg",
    "a path of bytes": BytesPath(),
    "text in a file": Path(__file__),
    "five channels": np.zeros((40, 50, 5), np.uint8),
    "four axes": np.zeros((2, 40, 50, 3), np.uint8),
    "no pixels": np.zeros((0, 0, 3), np.uint8),
    "too few pixels": np.zeros((100, 15, 3), np.uint8),
    "too many pixels": np.broadcast_to(np.uint8(0), (5000, 5000, 3)),
    "one axis": np.zeros(100, np.uint8),
    "truths": np.zeros((100, 100), bool),
    "floats above 1": np.full((100, 100), 255.0),
    "whole numbers": np.zeros((40, 50, 3), np.int64),
    "not numbers": np.full((40, 50), np.nan),
    "infinite": np.full((40, 50, 3), np.inf, np.float32),
    "objects": np.full((40, 50, 3), None),
    "texts": np.full((40, 50, 3), "a"),
    "complex": np.zeros((40, 50), complex),
}
NO_COUNTS = [-1, 2.0, "six", [6], True, np.nan, np.zeros(2)]
NO_CALIBRATIONS = [
    (None, 480, 500.0, LEVEL, (0.0, 0.0, 400.0)),
    (640, "high", 500.0, LEVEL, (0.0, 0.0, 400.0)),
    (640, 480, float("nan"), LEVEL, (0.0, 0.0, 400.0)),
    (640, 480, 500.0, None, (0.0, 0.0, 400.0)),
    (640, 480, 500.0, LEVEL[:2], (0.0, 0.0, 400.0)),
    (640, 480, 500.0, (*LEVEL[:2], (0.0,)), (0.0, 0.0, 400.0)),
    (640, 480, 500.0, "up", (0.0, 0.0, 400.0)),
    (640, 480, 500.0, LEVEL, 400.0),
    (640, 480, 500.0, LEVEL, (0.0, 0.0, "high")),
    (640, 480, 500.0, LEVEL, (0.0, 0.0, 400.0), None),
    (640, 480, 500.0, LEVEL, (0.0, 0.0, 400.0), dicereader.load_calibration),
]
REFUSED: dict[str, Callable[[], object]] = {
    **{f"read: {name}": lambda each=each: read(each) for name, each in NO_PICTURES.items()},
    **{f"read: expect {each!r}": lambda each=each: read(GREY, expect=each) for each in NO_COUNTS},
    **{f"calibration {each!r}": lambda each=each: read(GREY, calibration=each) for each in ("tray.toml", 5, Path())},
    **{f"empty {each!r:.20}": lambda each=each: read(GREY, empty=each) for each in ("tray.png", 5, GREY[..., 0])},
    "empty of another size": lambda: read(GREY, empty=GREY[1:]),
    **{f"order {each!r}": lambda each=each: read(GREY, order=each) for each in ("grb", None, [], np.zeros(2))},
    "order of a file's colours": lambda: read("nowhere.jpg", order="grb"),
    **{f"read_all {each!r}": lambda each=each: Reader().read_all(each) for each in (None, 5, "tray.jpg", Path())},
    **{f"threads {each!r}": lambda each=each: Reader().read_all([], threads=each) for each in [*NO_COUNTS, 0, None]},
    "read_all: expect": lambda: Reader().read_all([], expect="six"),
    "read_all: order": lambda: Reader().read_all([], order="grb"),
    **{f"calibration {n}": lambda each=each: Calibration(*each) for n, each in enumerate(NO_CALIBRATIONS)},
    **{
        f"load_calibration {each!r:.30}": lambda each=each: load_calibration(each)
        for each in (None, 5, [], b"a", "nowhere.toml", "a\0b", Path(__file__), Path(__file__).parent, BytesPath())
    },
    **{f"a face of {each!r}": lambda each=each: ReadDie(each, Box(0, 0, 9, 9), 0.9) for each in (0, 7, 1.5, "1", None)},
    **{f"confidence {each!r}": lambda each=each: ReadDie(1, Box(0, 0, 9, 9), each) for each in (-0.1, 1.1, "1", None)},
}


def answer(call: Callable[[], object]) -> str:
    """Return the message with which the library refuses a call, or what it does instead."""
    try:
        return f"accepted: {call()!r}"
    except DiceReaderError as error:
        return str(error) if isinstance(error, ValueError) else repr(error)


def test_bad_input_of_any_type_is_refused_in_one_line_by_an_error_of_the_library() -> None:
    told = {what: answer(call) for what, call in REFUSED.items()}
    assert {what: said for what, said in told.items() if not re.fullmatch("expected .*, got.*", said)} == {}


def test_numbers_of_numpy_are_accepted_as_arguments() -> None:
    reader = Reader()
    assert reader.read(GREY, expect=np.int32(0)).dice == ()
    assert next(reader.read_all(iter([GREY, None]), threads=np.int64(1))).dice == ()
