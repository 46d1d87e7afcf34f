"""The settings of the page: where they lie among the layers, what may stand there, and how they are changed."""

import tomllib
from pathlib import Path

import pytest

from companion.cli.config import refused
from companion.config_files import load_layers, load_service_layers
from companion.errors import ConfigError, DataFolderError, RefusedError
from companion.page_settings import SETTABLE, settings_file
from companion.runtime.changes import Changes, write_settings
from companion.words import english


def configured(folder: Path, text: str = "") -> Path:
    """Write a configuration file whose data folder is `folder`."""
    file = folder / "config.toml"
    file.write_text(f'[table]\ndata = "{folder}"\n{text}', encoding="utf-8")
    return file


def changes(folder: Path, text: str = "", **overrides: object) -> Changes:
    return Changes(load_layers(configured(folder, text), overrides), folder, refused)


def test_settings_lie_over_the_file_and_under_the_command_line(tmp_path: Path) -> None:
    file = configured(tmp_path, "[leds]\nbrightness = 0.3\ncalm = true\n[times]\ndim_s = 400.0\n")
    write_settings(settings_file(tmp_path), {"leds.brightness": 0.5, "leds.calm": False})
    layers = load_layers(file, {"leds.calm": True})
    config = layers.config
    assert (config.leds.brightness, config.leds.calm, config.times.dim_s) == (0.5, True, 400.0)
    origins = [layers.origin(name) for name in ("leds.brightness", "leds.calm", "times.dim_s", "web.port")]
    assert origins == [str(settings_file(tmp_path)), "command line", str(file), "default"]


FORBIDDEN = {
    "web.host": "0.0.0.0",
    "web.port": 80,
    "web.tls": True,
    "table.data": "/",
    "table.rules": "/etc/passwd",
    "camera.source": "url:http://example.org/stream",
    "leds.driver": "wled:example.org",
    "leds.layout": "/tmp/own.toml",
    "buttons.driver": "/tmp/own_buttons.py",
    "sound.driver": "own_sound.py",
    "table.language": "/tmp/own.toml",
    "eye.missing_s": 1.0,
    "hook.command": ["rm"],
    "hook.url": "http://example.org/",
    "mqtt.host": "example.org",
    "mqtt.names": True,
    "league.host": "example.org",
}
"""Keys and values that a browser may not set: paths, hosts, drivers of one's own, hooks, brokers, all of `[web]`."""


@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_could_own_the_machine_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    made = changes(tmp_path)
    with pytest.raises(ConfigError, match=f"^{name}: expected a (key|value) that the page may set"):
        made.change({"leds.brightness": 0.5, name: FORBIDDEN[name]})
    assert not made.file.exists()
    write_settings(settings_file(tmp_path), {name: FORBIDDEN[name]})
    with pytest.raises(ConfigError, match=f"^{settings_file(tmp_path)}: {name}: expected a"):
        load_layers(tmp_path / "config.toml")


def test_a_value_that_play_cannot_use_is_refused(tmp_path: Path) -> None:
    made = changes(tmp_path)
    with pytest.raises(ConfigError, match=r"leds.brightness: expected 0 to 1, got 3.0"):
        made.change({"leds.brightness": 3.0})
    with pytest.raises(RefusedError, match=r"leds.layout: "):
        made.change({"leds.layout": "no-such-board"})
    with pytest.raises(ConfigError, match=r"buttons: .*twice: \[6\]"):
        made.change({"buttons.roll": 6})
    assert not made.file.exists()


def test_a_value_of_the_command_line_cannot_be_changed_on_the_page(tmp_path: Path) -> None:
    made = Changes(load_layers(configured(tmp_path), {"camera.source": "phone"}), tmp_path, refused)
    with pytest.raises(RefusedError) as caught:
        made.change({"camera.source": "usb:0"})
    assert "camera.source is set on the command line" in english().text(caught.value.reason)


def test_a_setting_that_is_taken_back_leaves_what_a_person_has_written(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    file.write_text("# ours\n[leds]\nbrightness = 0.5  # the pub is dark\ncalm = true\n", encoding="utf-8")
    made = changes(tmp_path)
    made.change({"leds.calm": None, "sound.volume": 0.5})
    text = file.read_text(encoding="utf-8")
    assert tomllib.loads(text) == {"leds": {"brightness": 0.5}, "sound": {"volume": 0.5}}
    assert "# ours" in text
    assert "# the pub is dark" in text


def test_a_folder_that_cannot_be_written_keeps_the_settings_as_they_were(tmp_path: Path) -> None:
    made = changes(tmp_path)
    made.file = tmp_path / "missing" / "settings.toml"
    with pytest.raises(DataFolderError, match="expected a settings file that can be written"):
        made.change({"leds.calm": True})
    assert made.layers.settings == {}


@pytest.mark.parametrize("text", ["[leds", "leds = 1\n", "[leds]\nbrightness = 'x'\n", "[web]\nport = 1\n"])
def test_a_service_leaves_damaged_settings_out_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("FARKLECRIB_CONFIG", str(configured(tmp_path, "[leds]\ncalm = true\n")))
    settings_file(tmp_path).write_text(text, encoding="utf-8")
    layers, said = load_service_layers({})
    assert (layers.config.leds.calm, layers.settings) == (True, {})
    assert english().text(said).startswith(f"What was set on the page is left out: {settings_file(tmp_path)}: ")
    with pytest.raises(ConfigError, match=f"^{settings_file(tmp_path)}: "):  # a person reads why
        load_layers(None)


REFUSED = (
    *(("table.players", [name]) for name in ("", " Ann", '"""', "A\u202enn", "A\nnn", "\ud800", "bot:none")),
    *(("table.players", names) for names in (["Ann", "", "Ann"], ["Ann", "ann"], [f"P{n}" for n in range(13)])),
    *(("leds.driver", f"neopixel:{arg}") for arg in ("D99", "D28", "D10,RRR", "D\u0661")),
    *(("table.rules", "none-such"), ("camera.source", "simulated:65536"), ("camera.source", "usb:\ud800")),
)


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_what_play_would_refuse_the_page_refuses_under_its_key(tmp_path: Path, name: str, value: object) -> None:
    with pytest.raises((ConfigError, RefusedError), match=f"^{name}: "):
        changes(tmp_path, 'players = ["Ann", "Ben"]\n').change({name: value})


ODD: tuple[object, ...] = (
    *(True, 0, -1, 7, 27.5, 10**400, float("nan"), float("inf"), 1.0, 60.0, 1500, [], ["ask", ""], ["bot:bold"]),
    *("", "usb:0", "simulated", "picamera2:0,60", "neopixel:D10,RGB", "gpio", "espeak", "classic", "long-board-3"),
    *("all", "en\n", "Device", "two words", "that_die", "en"),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SETTABLE)
def test_what_the_page_may_set_can_be_played_and_is_read_again(tmp_path: Path, name: str) -> None:
    made, accepted = changes(tmp_path, 'players = ["Ann", "Ben"]\n'), 0
    for value in ODD:
        try:
            made.change({name: value})
        except (ConfigError, RefusedError):
            continue
        accepted += 1
        layers = load_layers(tmp_path / "config.toml")
        assert layers.config == made.layers.config
        assert [*refused(layers.config)] == []
    assert accepted


@pytest.mark.parametrize(
    ("file", "settings", "language"),
    [
        ('[sound]\nlanguage = "de"', "", "de"),
        ('[sound]\nlanguage = "de"\n[table]\nlanguage = "fr"', "", "fr"),
        ('[table]\nlanguage = "fr"', '[sound]\nlanguage = "de"', "de"),
        ("", '[sound]\nlanguage = "de"\n[table]\nlanguage = "fr"', "fr"),
    ],
)
def test_the_language_is_read_where_it_stood_before(tmp_path: Path, file: str, settings: str, language: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f"{file}\n", encoding="utf-8")
    settings_file(tmp_path).write_text(settings, encoding="utf-8")
    layers = load_layers(config, {"table.data": tmp_path})
    assert (layers.config.table.language, "language" in vars(layers.config.sound)) == (language, False)
