"""`farklecrib calibrate` and `mat`, and which calibration a table plays with."""

import io
import random
import shutil
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import cv2
import pytest
from asked import Terminal
from pypdf import PdfReader

from companion.calibration.paper import printed_paper
from companion.calibration.samples import draw_samples
from companion.calibration.store import calibration_file, load_calibration
from companion.cli.calibrate import calibrate, mat
from companion.errors import CompanionError
from companion.words import Catalogue, load_catalogue
from dicereader import load_calibration as load_with_empty
from dicereader import read as read_pixels
from dicereader.errors import CalibrationError
from dicereader.reading import Zone
from dicereader.tray.printed_sheets import PAGES_MM


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write pictures of the empty tray and of four throws of one simulated table."""
    folder = tmp_path_factory.mktemp("table")
    empty, throws = draw_samples(11, 4, random.Random(2))
    files = [folder / f"{n}.png" for n in range(5)]
    for file, picture in zip(files, [empty, *throws], strict=True):
        cv2.imwrite(str(file), picture)
    return files


@dataclass(frozen=True)
class Calibrated:
    """A data folder with a calibration from pictures, and what the command said."""

    folder: Path
    out: str
    err: str


@pytest.fixture(scope="module")
def calibrated(pictures: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Calibrated:
    """Calibrate a table from three throws, at a terminal where nobody answers."""
    folder, out, err = tmp_path_factory.mktemp("calibrated"), io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(out), redirect_stderr(err):
        patched.setattr("sys.stdin", Terminal(""))
        assert calibrate(pictures=pictures[:4], data=folder) == 0
    return Calibrated(folder, out.getvalue(), err.getvalue())


def test_pictures_calibrate_a_table_that_then_reads_surely(calibrated: Calibrated, pictures: list[Path]) -> None:
    assert "of 3 throws 3 are read surely" in calibrated.out
    assert "Replace" not in calibrated.err, "there was none"
    known, empty = load_with_empty(calibration_file(calibrated.folder))
    reading = read_pixels(cv2.imread(str(pictures[4])), calibration=known, empty=empty, expect=6)
    assert (reading.sure, len(reading.dice)) == (True, 6)


def test_dice_that_cannot_be_learnt_cost_neither_tray_nor_zones(
    pictures: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    throw = cv2.imread(str(pictures[1]))
    for die in read_pixels(throw).dice[2:]:  # too few to learn from
        x, y, w, h = die.box.x, die.box.y, die.box.w, die.box.h
        throw[y - 4 : y + h + 4, x - 4 : x + w + 4] = cv2.imread(str(pictures[0]))[y - 4 : y + h + 4, x - 4 : x + w + 4]
    cv2.imwrite(str(tmp_path / "two.png"), throw)
    assert calibrate(pictures=[pictures[0], tmp_path / "two.png"], save=tmp_path / "tray.toml") == 0
    assert "not learnt: expected throws that show at least 6 dice clearly, got 2" in capsys.readouterr().err
    known, empty = load_with_empty(tmp_path / "tray.toml")
    reading = read_pixels(cv2.imread(str(pictures[4])), calibration=known, empty=empty)
    assert (reading.sure, len(reading.dice)) == (True, 6)
    assert {die.zone for die in reading.dice} == {Zone.THROW}


def test_a_throw_of_another_size_is_refused_with_both_sizes(pictures: list[Path], tmp_path: Path) -> None:
    half = tmp_path / "half.png"
    cv2.imwrite(str(half), cv2.resize(cv2.imread(str(pictures[1])), None, fx=0.5, fy=0.5))
    with pytest.raises(CalibrationError, match="of the empty tray's, 960 x 720 pixels, got one of 480 x 360"):
        calibrate(pictures=[pictures[0], half], save=tmp_path / "tray.toml")
    assert not (tmp_path / "tray.toml").exists()


@pytest.mark.exhaustive
def test_a_folder_stands_for_its_pictures_in_order_and_a_file_for_the_calibration(
    pictures: list[Path], tmp_path: Path
) -> None:
    for picture in pictures[:2]:
        shutil.copy(picture, tmp_path)
    assert calibrate(pictures=[tmp_path], save=tmp_path / "tray.toml") == 0
    assert load_with_empty(tmp_path / "tray.toml")[0].dice is not None


def test_without_a_terminal_nobody_is_asked_and_the_calibration_counts_for_its_own_camera_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    calibration_file(tmp_path).write_text("the one before", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setattr("companion.cli.calibrate.THROWS", 1)
    assert calibrate(camera="simulated:11", data=tmp_path) == 0
    assert "Replace" not in capsys.readouterr().err
    assert load_calibration(tmp_path, "simulated:11").calibration is not None
    assert load_calibration(tmp_path, "simulated:11").empty.startswith(b"\x89PNG")
    assert load_calibration(tmp_path, "simulated").calibration is None
    assert load_calibration(tmp_path, "recorded:throws").calibration is None


def test_a_calibration_from_pictures_counts_for_any_real_camera(calibrated: Calibrated) -> None:
    assert load_calibration(calibrated.folder, "recorded:throws").calibration is not None
    assert load_calibration(calibrated.folder, "simulated:11").calibration is None
    assert load_calibration(calibrated.folder / "another", "simulated").calibration is None


def test_four_corners_are_four_points(pictures: list[Path], tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="expected --corners 'x,y x,y x,y x,y', got '1,2 3,4'"):
        calibrate(pictures=pictures, corners="1,2 3,4", save=tmp_path / "tray.toml")


def test_one_picture_alone_is_refused(pictures: list[Path]) -> None:
    with pytest.raises(CompanionError, match="expected the empty tray and at least one throw after --from, got 1"):
        calibrate(pictures=[pictures[0]])


def test_the_sheet_of_tags_is_written_and_nothing_else(tmp_path: Path, capsys) -> None:
    assert calibrate(sheet=tmp_path / "tags.svg") == 0
    assert (tmp_path / "tags.svg").read_text().startswith("<svg")
    assert "print it at 100 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "replaced"),
    [*(pytest.param(yes, True, marks=pytest.mark.exhaustive) for yes in ("y", "Yes")), ("n", False), ("", False)],
)
def test_on_a_terminal_a_calibration_is_replaced_only_if_a_person_agrees(
    pictures: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys, answer: str, replaced: bool
) -> None:
    file = calibration_file(tmp_path)
    file.write_text("the one before", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", Terminal(f"{answer}\n"))
    assert calibrate(pictures=pictures[:2], data=tmp_path) == (0 if replaced else 1)
    assert (file.read_text(encoding="utf-8") != "the one before") == replaced
    assert f"Replace the calibration {file}? [y/N]" in capsys.readouterr().err


# --- `farklecrib mat` writes the paper tray ---

POINTS = 72 / 25.4


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_pdf_is_one_page_in_true_size_with_the_words(tmp_path: Path, capsys, paper) -> None:
    file = tmp_path / "new" / "tray.pdf"
    assert mat(file, paper) == 0
    (page,) = PdfReader(file).pages
    assert [float(page.mediabox.width), float(page.mediabox.height)] == pytest.approx(
        [side * POINTS for side in PAGES_MM[paper]], abs=0.01
    )
    text = page.extract_text()
    assert "box's lid" in text
    assert "100 mm" in text
    assert f"wrote {file}: print it on" in capsys.readouterr().out


def test_a_language_without_a_pdf_gets_the_english_one() -> None:
    english = tomllib.loads(resources.files("companion.words").joinpath("languages/en.toml").read_text("utf-8"))
    danish = Catalogue(english, "da", load_catalogue())
    assert printed_paper("a4", "pdf", danish) == printed_paper("a4", "pdf", load_catalogue())


@pytest.mark.parametrize("name", ["tray.png", "tray"])
def test_another_ending_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CompanionError, match=r"expected a file that ends in \.svg or \.pdf, got "):
        mat(tmp_path / name)
    assert not list(tmp_path.iterdir())
