"""`farklecrib board`: check, draw and show layouts, as a person types it."""

from importlib.resources import files
from pathlib import Path

import pytest

from companion.cli.board import check_board, draw_board, show_board
from pegboard.drawing import svg
from pegboard.layouts import layout_names, load_layout


@pytest.mark.parametrize("name", layout_names())
def test_every_layout_that_we_ship_is_sound(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_board(name) == 0
    assert f"{name}: stays dark: 0," in capsys.readouterr().out


RING = str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "ring.toml")


def checked(file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Return the exit status of the check of a file, and its lines without the file's name."""
    status = check_board(str(file))
    return status, [line.removeprefix(f"{file}: ") for line in capsys.readouterr().out.splitlines()]


def test_a_ring_can_be_played_and_drilled_and_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(Path(RING), capsys) == (
        0,
        [
            "can be played on 61 or 121 holes: 1 lane, 83 LEDs, 190 x 190 mm",
            "stays dark: 0, 3, 67 to 71, 73, 75, 77, 79, 81",
            "can be built: strip of 10 mm in pieces of 4, 1, 17 LEDs",
            "can be built: LEDs 5 to 64 as a ring of 151 mm from LED to LED, or part of one; strip does not bend",
            "can be built: drilled with the templates",
            "cannot be printed: expected rows from left to right, as the printed grooves are, got LEDs 5 to 64",
        ],
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[39.448, 120.0]", "[29.448, 120.0]", "cannot be built: expected a wall of 1.2 mm or more between grooves"),
        ("[190.0, 190.0]", "[190.0, 230.0]", "cannot be built: expected a board of at most 204 mm from front to back"),
    ],
)
def test_a_board_that_only_plays_says_so(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(Path(RING).read_text().replace(old, new))
    status, lines = checked(file, capsys)
    assert status == 1
    assert lines[0].startswith("can be played on 61 or 121 holes")
    assert any(line.startswith(says) for line in lines)
    assert not any(line.startswith("can be built") for line in lines)


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


def test_a_layout_is_shown_with_its_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_board("classic-3") == 0
    told = capsys.readouterr().out
    assert "lane 3: start LED 154, holes LED 156 to 225, farkle lights 152, 151; 60 holes, walked twice" in told
    assert "draws about 0.2 A dark, 14.9 A if all were white; kept below 2.5 A" in told
