"""`selftest camera`: the picture is checked, and known faces give the error rate of this table."""

import itertools
import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from asked import Terminal

from companion.calibration.samples import draw_throw
from companion.checkup.camera_trial import FRAMES, KnownThrow, faces_in, well_read
from companion.cli.checkup import selftest_camera
from companion.errors import CompanionError
from companion.games.statistics import interval, share
from dicereader.data.frame import Frame, Pixels
from dicereader.reading import Box, DiceReading, ReadDie
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World


def reading(faces: str, *, sure: bool) -> DiceReading:
    return DiceReading(tuple(ReadDie(int(face), Box(0, 0, 9, 9), 0.9) for face in faces), sure)


@pytest.fixture(autouse=True)
def readings_take_a_tenth_of_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the time of a reading to 0.1 s, so that a busy machine does not fail the test of a camera."""
    ticks = itertools.count()
    clock = SimpleNamespace(perf_counter=lambda: next(ticks) / 10, monotonic=time.monotonic)
    monkeypatch.setattr("companion.checkup.camera_trial.time", clock)


def test_the_picture_is_checked_without_a_throw(tmp_path: Path, capsys) -> None:
    assert selftest_camera("simulated:4", 0, tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    names = ["edges of the softest tag", "evenness of the light", "flicker", "largest reflection", "frames a second"]
    assert [line.partition(":")[0] for line in lines[:6]] == ["dice in the empty tray", *names]
    assert [line.rpartition(": ")[2] for line in lines[:5]] == ["good"] * 5
    assert "time of a reading:         not measured: no throw was read" in lines
    assert lines[-1] == "no throws: the error rate is not measured"


def test_an_uncalibrated_table_is_reported_and_its_checks_are_in_the_json_with_their_limits(
    tmp_path: Path, capsys
) -> None:
    assert selftest_camera("simulated:4", 1, tmp_path, json_out=True) == 0
    out, err = capsys.readouterr()
    assert "not calibrated" in err
    told = json.loads(out)
    checks = {each["name"]: each for each in told["checks"]}
    assert (checks["flicker"]["good"], checks["flicker"]["limit"], checks["flicker"]["unit"]) == (True, 3.0, " %")
    assert checks["edges of the softest tag"]["limit"] == 7.0
    assert checks["time of a reading"]["value"] == pytest.approx(100.0)
    assert (checks["frames a second"]["good"], checks["frames a second"]["value"]) == (None, None)


class Webcam:
    """A camera over a drawn table that can spoil its picture. The person throws the dice and types their faces."""

    live = True

    def __init__(self, spoil: Callable[[Pixels], Pixels]) -> None:
        self.tray, self.spoil, self.closed = SyntheticSource(lambda: 100.0, seed=4), spoil, False
        self.tray.set_world(World(4, ()))
        self.number = 0

    def next(self, timeout_s: float) -> Frame:
        self.number += 1
        if self.number > FRAMES:
            draw_throw(self.tray, 4, FACES, random.Random(self.number // FRAMES))
        frame = self.tray.next(timeout_s)
        return replace(frame, pixels=self.spoil(frame.pixels))

    def close(self) -> None:
        self.closed = True


FACES = (1, 2, 3, 4, 5, 6)


def tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoil: Callable[[Pixels], Pixels], typed: str
) -> tuple[int, Webcam]:
    webcam = Webcam(spoil)
    monkeypatch.setattr("companion.checkup.camera_trial.open_source", lambda *given: webcam)
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    return selftest_camera("usb:0", 3, tmp_path), webcam


def test_a_person_clears_the_tray_and_types_each_throw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys) -> None:
    _, webcam = tried(monkeypatch, tmp_path, lambda pixels: pixels, "\n123456\n\n")
    out, err = capsys.readouterr()
    assert err.index("Clear the tray") < err.index("1 of 3: throw all dice") < err.index("2 of 3: throw all dice")
    assert "throws read exactly: 1 of 1" in out
    assert "frames a second:           " in out
    assert webcam.closed


def test_a_fault_of_the_picture_fails_the_test_and_is_printed_with_its_cure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys
) -> None:
    code, _ = tried(monkeypatch, tmp_path, lambda pixels: cv2.GaussianBlur(pixels, (0, 0), 2.0), "\n\n")
    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    wrong = next(n for n, line in enumerate(lines) if line.endswith("WRONG"))
    assert lines[wrong].startswith("edges of the softest tag:")
    assert (
        lines[wrong + 1]
        == "  cure: set the lens to the tray's distance; if only some tags are soft, hang the camera level"
    )


def test_a_camera_that_is_too_low_is_reported_before_the_throws(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys
) -> None:
    def narrow(pixels: Pixels) -> Pixels:
        height, width = pixels.shape[:2]
        return np.ascontiguousarray(cv2.resize(pixels[: height * 3 // 4, : width * 3 // 4], (width, height)))

    tried(monkeypatch, tmp_path, narrow, "\n\n")
    out, err = capsys.readouterr()
    assert "the picture of the empty tray: camera too low: raise the camera by " in err
    assert "evenness of the light:     not measured: needs all four tags" in out


EXACT, SURELY_WRONG, UNSURE = (
    KnownThrow((1, 2, 3), reading(faces, sure=sure)) for faces, sure in (("123", True), ("125", True), ("12", False))
)


def test_a_wrong_face_and_a_missing_die_are_counted() -> None:
    assert [(throw.exact, throw.right, throw.wrong_and_sure) for throw in (EXACT, SURELY_WRONG, UNSURE)] == [
        (True, 3, False),
        (False, 2, True),
        (False, 2, False),
    ]
    assert SURELY_WRONG.line() == "123: WRONG, read as 125"
    assert UNSURE.line() == "123: WRONG, read as 12, not sure"


def test_one_wrong_throw_that_was_read_as_sure_fails_the_test_and_two_of_ten_that_were_not() -> None:
    assert not well_read([*[EXACT] * 99, SURELY_WRONG])
    assert well_read([*[EXACT] * 9, UNSURE])
    assert not well_read([*[EXACT] * 8, *[UNSURE] * 2])


@pytest.mark.parametrize("line", ["112346\n", "1 1 2 3 4 6", "6-4-3-2-1-1", "1,1,2,3,4,6"])
def test_faces_are_typed_as_people_type_them(line: str) -> None:
    assert faces_in(line) == (1, 1, 2, 3, 4, 6)


def test_text_that_is_no_face_is_refused() -> None:
    with pytest.raises(CompanionError, match="expected faces such as 112346, got '1178'"):
        faces_in("1178\n")


def test_a_test_of_photographs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="expected a camera, got photographs"):
        selftest_camera(f"recorded:{tmp_path}", 1, tmp_path)


def test_an_interval_holds_the_share_and_narrows() -> None:
    assert share(0, 0) == "0 of 0"
    assert share(4, 4) == "4 of 4 = 100.0 % (51.0 to 100.0)"
    wide, narrow = interval(5, 10), interval(500, 1000)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
