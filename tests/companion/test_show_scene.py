"""`play --scene`: a scene on a whole table with page, lights and voice, in fast motion."""

import re
import sys
from pathlib import Path

import pytest
from asked import Terminal

from companion.cli.play import table_without_eye
from companion.config import Config, LedsConfig, WebConfig
from companion.errors import CompanionError
from companion.simulation.scenes import show as shown

SCENES = Path(__file__).parent.parent / "table"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PACE_S", "THROW_S", "LONGEST_S"):
        monkeypatch.setattr(shown, name, 0.0)


def show(path: Path) -> int:
    return shown.show_scene(path, Config(web=WebConfig(port=0)), table_without_eye)


@pytest.mark.parametrize("name", ["power-cut-mid-turn", "idle-and-asleep", "lobby-without-a-phone"])
def test_a_scene_on_the_desk_ends_as_in_its_fast_form(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(SCENES / f"{name}.scene") == 0
    assert "Everything went as written." in capsys.readouterr().err


def test_a_failed_step_of_a_scene_is_reported_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.scene"
    file.write_text("rules: farkle-cribbage\nplayers: Ann\n---\nthrow 233346\ntap BANK\n    Ann 9\ntap KEEP\n")
    assert show(file) == 1
    told = capsys.readouterr().err
    assert "line 6: Ann 9: expected 9, got 8" in told
    assert "line 7: tap KEEP: refused: throw first" in told


def test_a_scene_that_cannot_be_read_is_told_with_file_and_line(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match=r"expected a scene, got '.*none\.scene': No such file"):
        show(tmp_path / "none.scene")
    file = tmp_path / "bad.scene"
    file.write_text("---\ndance\n")
    with pytest.raises(CompanionError, match=r"bad\.scene: line 2: expected one of throw"):
        show(file)


def test_beside_a_board_in_the_terminal_the_scene_keeps_to_lines_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(shown, "PACE_S", 0.2)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    file = SCENES / "hot-dice.scene"
    config = Config(web=WebConfig(port=0), leds=LedsConfig(driver="terminal"))
    assert shown.show_scene(file, config, table_without_eye) == 0
    drawn, _, after = terminal.getvalue().partition("\x1b[?1049l")
    lines = re.findall(r"^ +\d+  throw .*$", after, re.MULTILINE)
    assert len(lines) >= 2
    assert after.endswith("Everything went as written.\n")
    assert "\n" not in drawn  # the board and its lines are written at places of their own
    rows = {line: re.findall(rf"\x1b\[(\d+);1H\x1b\[2K{re.escape(line)}", drawn) for line in lines}
    board = max(int(row) for row in re.findall(r"\x1b\[(\d+);1H\x1b\[2K[^\x1b]*·", drawn))
    assert all(int(row) > board for found in rows.values() for row in found)
    assert any(rows.values())
