"""A reader is shared by threads, and takes pictures of cameras and libraries."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
import pytest
from trays import TRAYS

from dicereader import DiceReading, Reader
from dicereader.data.frame import Pixels, as_pixels
from dicereader.data.pictures import load
from dicereader.errors import PictureError


@pytest.fixture(scope="module")
def tray() -> Pixels:
    return load(TRAYS[0].with_name("00104.jpg"))


def untimed(reading: DiceReading) -> DiceReading:
    return replace(reading, ms=0.0)


@pytest.mark.parametrize(
    ("form", "order"),
    [
        (lambda bgr: np.repeat(bgr, 2, 0)[::2], "bgr"),
        (lambda bgr: cv2.cvtColor(bgr, cv2.COLOR_BGR2BGRA), "bgr"),
        (lambda bgr: cv2.cvtColor(bgr, cv2.COLOR_BGR2RGBA), "rgb"),
        (lambda bgr: bgr[..., ::-1], "rgb"),
        (lambda bgr: bgr.astype(np.uint16) * 257, "bgr"),
        (lambda bgr: bgr.astype(np.float32) / 255, "bgr"),
        (lambda bgr: bgr / 255, "bgr"),
    ],
    ids=["a view", "alpha", "red first with alpha", "red first", "16 bit", "floats", "doubles"],
)
def test_other_forms_of_a_picture_are_the_same_pixels(tray: Pixels, form, order: str) -> None:
    assert np.array_equal(as_pixels(form(tray), order), tray)
    grey = cv2.cvtColor(tray, cv2.COLOR_BGR2GRAY)
    for each in (grey, grey[..., None]):
        assert np.array_equal(as_pixels(each, order), cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))


def test_an_array_is_read_in_its_order_of_colours(tray: Pixels) -> None:
    assert untimed(Reader().read(tray[..., ::-1], order="rgb")) == untimed(Reader().read(tray))


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Return the intersection of two boxes (left, top, width, height) over their union."""
    wide, high = (max(0.0, min(a[k] + a[k + 2], b[k] + b[k + 2]) - max(a[k], b[k])) for k in (0, 1))
    return wide * high / (a[2] * a[3] + b[2] * b[3] - wide * high)


def test_a_box_bounds_a_die_with_its_sides() -> None:
    rows = [json.loads(row) for row in (TRAYS[0].parent / "truth.jsonl").read_text().splitlines()]
    whole, top = [], []
    for row in rows[:4]:
        true = [tuple(die["box"]) for die in row["dice"]]
        for die in Reader().read(TRAYS[0].parent / row["image"]).dice:
            whole.append(max(overlap((die.box.x, die.box.y, die.box.w, die.box.h), box) for box in true))
            top.append(max(overlap((die.top.x, die.top.y, die.top.w, die.top.h), box) for box in true))
    assert np.median(top) < np.median(whole) > 0.85


def test_threads_that_share_a_reader_read_as_one_does() -> None:
    shared, pictures = Reader(), [load(path) for path in TRAYS[:2]]
    alone = [untimed(shared.read(picture)) for picture in pictures]
    with ThreadPoolExecutor(3) as pool:
        assert [untimed(reading) for reading in pool.map(shared.read, pictures * 2)] == alone * 2


def test_a_batch_is_read_in_its_order_and_goes_on_after_a_picture_that_cannot_be_read(tray: Pixels) -> None:
    first, broken, last = Reader().read_all([tray, "none.jpg", TRAYS[0]], threads=2)
    assert untimed(first) == untimed(Reader().read(tray))
    assert isinstance(broken, PictureError)
    assert untimed(last) == untimed(Reader().read(TRAYS[0]))


def test_the_library_sets_no_environment_and_loads_no_training_and_the_program_sets_opencvs_limit() -> None:
    code = """
import os
before = dict(os.environ)
import dicereader.data.pictures, dicereader.data.frame
assert os.environ == before
import dicereader.reader  # OpenCV changes LD_LIBRARY_PATH
assert not any(name.startswith("OPENCV") for name in os.environ.keys() - before.keys())
import sys
assert not {"torch", "onnx"} & sys.modules.keys()
from companion.cli.main import main
sys.argv = ["farklecrib", "version"]
try:
    main()
finally:
    assert os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] == "20000000"
"""
    clean = {name: value for name, value in os.environ.items() if name != "OPENCV_IO_MAX_IMAGE_PIXELS"}
    done = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
