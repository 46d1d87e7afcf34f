"""`farklecrib board`: check, draw and show layouts, as a person types it."""

from importlib.resources import files
from pathlib import Path

import pytest

from companion.cli.board import check_board, draw_board, show_board
from companion.errors import CompanionError
from pegboard.drawing import svg
from pegboard.errors import LayoutError
from pegboard.layouts import layout_names, load_layout


@pytest.mark.parametrize("name", layout_names())
def test_every_layout_that_we_ship_is_sound(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_board(name) == 0
    assert f"{name}: stays dark: 0," in capsys.readouterr().out


def test_everything_that_is_wrong_with_a_file_has_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = files("pegboard").joinpath("layouts", "long-board-1.toml").read_text(encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(shipped.replace("led = 77", "led = 70").replace("holes = [1, 60]", "holes = [1, 58]"))
    assert check_board(str(mine)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        "expected an LED for each of the holes 1 to 120 in lane 1, got none for 59 to 60",
        "expected each LED once, got twice: 70, 72 to 74",
    ]


def test_a_first_pixel_that_has_a_place_is_warned_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = files("pegboard").joinpath("layouts", "long-board-1.toml").read_text(encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(shipped.replace("led = 1, at_mm", "led = 0, at_mm"))
    assert check_board(str(mine)) == 0
    assert "LED 0 has a place" in capsys.readouterr().out


def test_a_drawing_goes_to_a_file_or_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert draw_board("serpentine-2") == draw_board("serpentine-2", tmp_path / "board.svg") == 0
    drawn = svg(load_layout("serpentine-2"))
    assert capsys.readouterr().out == drawn
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == drawn


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CompanionError, match=r"expected a file that can be written, got .*File exists"):
        draw_board("serpentine-2", tmp_path / "file" / "board.svg")


def test_a_layout_is_shown_with_its_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_board("classic-3") == 0
    told = capsys.readouterr().out
    assert "lane 3: start LED 154, holes LED 156 to 225, farkle lights 152, 151; 60 holes, walked twice" in told
    assert "draws about 0.2 A dark, 14.9 A if all were white; kept below 2.5 A" in told


def test_a_layout_that_is_not_there_is_named() -> None:
    with pytest.raises(LayoutError, match=r"none\.toml"):
        check_board("none.toml")
