"""`farklecrib config`: every value with its origin, the file that is read, and all mistakes at once."""

import json
import tomllib
from pathlib import Path

import pytest

from companion.cli.config import check_config, config_path, show_config
from companion.config import Config
from companion.config_files import SYSTEM_FILE, config_from, explained, file_used, load_config, system_file
from companion.setting import toml


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write this machine's configuration, of a table with a strip."""
    file = tmp_path / "config.toml"
    file.write_text('[leds]\ndriver = "neopixel"\n', encoding="utf-8")
    monkeypatch.setenv("FARKLECRIB_CONFIG", str(file))
    return file


def test_this_machines_file_is_read_if_it_is_there_and_no_other_is_named(
    machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_config(None).leds.driver == "neopixel"
    mine = tmp_path / "mine.toml"
    mine.write_text("[web]\nport = 81\n", encoding="utf-8")
    assert (load_config(mine).leds.driver, load_config(mine).web.port) == ("simulated", 81)
    monkeypatch.setenv("FARKLECRIB_CONFIG", "/nowhere/config.toml")
    assert load_config(None) == Config()
    monkeypatch.setenv("FARKLECRIB_CONFIG", "")
    assert file_used(None) is None
    monkeypatch.delenv("FARKLECRIB_CONFIG")
    assert system_file() == SYSTEM_FILE == Path("/etc/farklecrib/config.toml")


def test_each_value_says_where_it_came_from(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_config(None, explain=False, json_out=True) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["leds"]["driver"] == {"value": "neopixel", "from": str(machine)}
    rest = [key["from"] for section in shown.values() for key in section.values()]
    assert sorted(set(rest)) == sorted({str(machine), "default"})
    assert rest.count(str(machine)) == 1
    show_config(None, explain=False, json_out=False)
    said = capsys.readouterr().out
    assert config_from(tomllib.loads(said)) == load_config(None)
    line = 'driver = "neopixel"'
    assert f"{line:40}  # {machine}" in said.splitlines()
    show_config(None, explain=True, json_out=False)
    said = capsys.readouterr().out
    assert config_from(tomllib.loads(said)) == load_config(None)
    assert said.count("#") == explained(Config()).count("#")


@pytest.mark.parametrize("value", [True, 3, 2.5, "", 'a "b" \\ \x7f\n ü', ("x", "y"), (1, 2), ()])
def test_a_value_is_written_as_toml_reads_it(value: object) -> None:
    read = tomllib.loads(f"key = {toml(value)}")["key"]
    assert (tuple(read) if isinstance(read, list) else read) == value


def test_the_path_of_the_file_is_printed_and_whether_the_defaults_hold(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (config_path(None), check_config(None)) == (0, 0)
    assert capsys.readouterr().out == f"{machine}\n{machine}: the table can be played with it\n"
    monkeypatch.setenv("FARKLECRIB_CONFIG", "/nowhere/config.toml")
    assert config_path(None) == 1
    said = capsys.readouterr()
    assert said.out == "/nowhere/config.toml\n"
    assert "the packaged defaults hold" in said.err
    monkeypatch.setenv("FARKLECRIB_CONFIG", "")
    assert check_config(None) == 0


def test_all_mistakes_are_reported_at_once_with_their_keys(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine.write_text(
        "[web]\nprot = 1\nport = 'x'\n[wbe]\n[buttons]\nkeep = 5\n[leds]\ndriver = 'neopixle'\nlayout = 'none-such'\n"
        "[camera]\nsource = 'front'\n[sound]\ndriver = 'espeak+drum+espeak:x+/nowhere/mine.py'\nlanguage = 'zz'\n"
        "[table]\nrules = 'chess'\n",
        encoding="utf-8",
    )
    assert check_config(None) == 1
    lines = [line.removeprefix(f"{machine}: ") for line in capsys.readouterr().out.splitlines()]
    assert [line.partition(": ")[0] for line in lines] == [
        "web.prot",
        "web.port",
        "wbe",
        "buttons",
        "table.rules",
        "camera.source",
        "leds.layout",
        "table.language",
        "leds.driver",
        *["sound.driver"] * 3,
    ]
    assert lines[8].endswith("got 'neopixle' (did you mean 'neopixel'?)")
    assert "got 'espeak:x'" in lines[10]  # which takes no argument
    assert lines[11].endswith("expected a file of your own, got '/nowhere/mine.py', which is not there")
