"""`selftest camera`: known faces give the error rate of this table."""

import json
from pathlib import Path

import pytest

from companion.cli.calibrate import calibrate
from companion.cli.selftest.camera import Score, faces_in, selftest_camera
from companion.errors import CompanionError
from companion.games.statistics import interval, share
from dicereader.reading import Box, DiceReading, ReadDie


def reading(faces: str, *, sure: bool) -> DiceReading:
    return DiceReading(tuple(ReadDie(int(face), Box(0, 0, 9, 9), 0.9) for face in faces), sure)


def test_a_calibrated_simulated_table_is_read_exactly_and_surely(tmp_path: Path, capsys) -> None:
    calibrate(camera="simulated:4", data=tmp_path)
    capsys.readouterr()
    assert selftest_camera("simulated:4", 3, tmp_path, json_out=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["throws"], told["exact"], told["sure"], told["wrong_and_sure"]) == (3, 3, 3, 0)
    assert told["error_rate_low"] == 0.0 < told["error_rate_high"] < 0.6


def test_a_table_that_is_not_calibrated_says_so(tmp_path: Path, capsys) -> None:
    selftest_camera("simulated:4", 1, tmp_path)
    assert "not calibrated" in capsys.readouterr().err


def test_a_wrong_face_and_a_missing_die_are_counted() -> None:
    score = Score()
    score.add((1, 2, 3), reading("123", sure=True))
    score.add((1, 2, 3), reading("125", sure=True))
    score.add((1, 2, 3), reading("12", sure=False))
    assert (score.exact, score.wrong_and_sure, score.dice, score.right, score.good) == (1, 1, 9, 7, False)
    assert score.wrong == ["123 read as 125 and sure", "123 read as 12"]


def test_one_throw_wrong_while_sure_is_no_good_table() -> None:
    score = Score(throws=100, exact=99, wrong_and_sure=1)
    assert not score.good
    assert Score(throws=10, exact=9).good


@pytest.mark.parametrize("line", ["112346\n", "1 1 2 3 4 6", "6-4-3-2-1-1", "1,1,2,3,4,6"])
def test_faces_are_typed_as_people_type_them(line: str) -> None:
    assert faces_in(line) == (1, 1, 2, 3, 4, 6)


def test_what_is_no_face_is_refused() -> None:
    with pytest.raises(CompanionError, match="expected faces such as 112346, got '1178'"):
        faces_in("1178\n")


def test_photographs_are_no_camera(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="expected a camera, got photographs"):
        selftest_camera(f"recorded:{tmp_path}", 1, tmp_path)


def test_an_interval_holds_the_share_and_narrows() -> None:
    assert share(0, 0) == "0 of 0"
    assert share(4, 4) == "4 of 4 = 100.0 % (51.0 to 100.0)"
    wide, narrow = interval(5, 10), interval(500, 1000)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
