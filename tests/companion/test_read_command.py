"""`farklecrib read`: a line for each picture and each throw of a clip; a bad file does not stop the others."""

from pathlib import Path
from shutil import copy

import cv2
import numpy as np
import pytest
from asked import GAME, TRAY, Run, refused


def test_another_count_than_expected_is_a_doubt_and_overlays_go_into_their_own_folder(run: Run, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "felt.png"), np.full((480, 640, 3), (40, 90, 30), np.uint8))
    given = ("read", TRAY, TRAY, tmp_path / "felt.png", "--expect", "5", "--overlay", tmp_path / "seen")
    told, _, empty = run(*given, "--json").lines
    assert ("count" in told["doubts"], told["sure"], len(told["dice"]), empty["dice"]) == (True, False, 6, [])
    names = ["00104-2.read.jpg", "00104.read.jpg", "felt.read.jpg"]
    assert sorted(file.name for file in (tmp_path / "seen").iterdir()) == names
    drawn = cv2.imread(str(tmp_path / "seen" / "00104.read.jpg"))
    assert drawn.shape == cv2.imread(str(TRAY)).shape
    assert run(*given).out.count("(not sure: count)\n") == 3


def test_a_folder_is_read_in_the_order_of_its_names(run: Run, tmp_path: Path) -> None:
    for name in ("b.jpg", "c.JPG", "a.jpg"):
        copy(TRAY, tmp_path / name)
    (tmp_path / "notes.txt").write_text("no picture")
    answer = run("read", tmp_path, "--json")
    assert [line["source"] for line in answer.lines] == [str(tmp_path / name) for name in ("a.jpg", "b.jpg", "c.JPG")]
    assert answer.status == 0


BROKEN = {
    "cut.jpg": TRAY.read_bytes()[:5000],
    "text.jpg": b"this is no picture",
    "empty.png": b"",
    "huge.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x75\x30\x00\x00\x75\x30\x08\x02\x00\x00\x00",
    "clip.mp4": b"no clip",
    "game.txt": GAME.encode(),
}


def test_a_file_that_cannot_be_read_is_said_and_the_others_are_read(run: Run, tmp_path: Path) -> None:
    for name, content in BROKEN.items():
        (tmp_path / name).write_bytes(content)
    broken = [tmp_path / name for name in BROKEN]
    answer = run("read", TRAY, *broken, TRAY, "--json")
    good, *bad, after = answer.lines
    assert (answer.status, [each["source"] for each in bad]) == (1, [*map(str, broken)])
    assert good["dice"] == after["dice"] != []
    assert all(list(each) == ["source", "error"] and each["error"].startswith("expected ") for each in bad)
    assert run("read", *broken).out.count(": error: expected ") == len(broken)


def test_a_damaged_picture_is_read_and_never_sure(run: Run, tmp_path: Path) -> None:
    whole = TRAY.read_bytes()
    lost = int(len(whole) * 0.97)
    (tmp_path / "damaged.jpg").write_bytes(whole[:lost] + whole[lost + 100 :])
    (tmp_path / "phone.jpg").write_bytes(whole + b"\0" * 9000)
    damaged, phone = run("read", tmp_path / "damaged.jpg", tmp_path / "phone.jpg", "--json").lines
    assert ("face" in damaged["doubts"], damaged["sure"]) == (True, False)
    assert (phone["doubts"], phone["sure"]) == ([], True)


def test_each_settled_throw_of_a_clip_is_a_line_with_its_time(run: Run, tmp_path: Path) -> None:
    still = cv2.resize(cv2.imread(str(TRAY)), (640, 480))
    writer = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (640, 480))
    for _ in range(30):
        writer.write(still)
    writer.release()
    told = run("read", tmp_path / "a.avi", "--json").lines
    assert len(told) == 1
    assert {"at_s", "frame"} <= set(told[0])
    assert told[0]["at_s"] == pytest.approx(told[0]["frame"] / 30, abs=0.002)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{folder}"], "expected pictures (JPEG, PNG, BMP) or clips (MP4, AVI) in '{folder}', got none"),
        (["{folder}/none.jpg"], "got '{folder}/none.jpg': No such file or directory"),
        (["{tray}", "{folder}/none.jpg"], "got '{folder}/none.jpg': No such file or directory"),
        (["{tray}", "--calibration", "{folder}/none.json"], "none.json"),
        (["{tray}", "--calibration", "{tray}"], "expected"),
        (["{tray}", "--overlay", "{tray}"], "expected a folder for the overlays, got '{tray}'"),
    ],
)
def test_impossible_options_are_refused_before_any_picture_is_read(
    run: Run, tmp_path: Path, words: list[str], said: str
) -> None:
    given = [word.format(folder=tmp_path, tray=TRAY) for word in words]
    refused(run("read", *given, "--json"), said.format(folder=tmp_path, tray=TRAY))
