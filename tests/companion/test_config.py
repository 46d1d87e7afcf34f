"""The configuration: defaults, a file, the command line; every mistake names its file and its key."""

import time
import tomllib
from dataclasses import asdict, fields
from pathlib import Path
from typing import get_type_hints

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from tables import Table

from companion.cli.options import asked_game
from companion.cli.running import differences
from companion.config import SECTIONS, Config, TableConfig, WebConfig, data_folder
from companion.config_files import Layers, config_from, explained, load_config, load_service_layers
from companion.devices.drivers import missing, open_devices
from companion.errors import ConfigError
from companion.table.state.house import HouseRules
from companion.table.state.inputs import DraftPatch
from companion.words import NOTHING, english
from pegboard.buttons.port import Button, Hold
from pegboard.errors import NoDeviceError
from pegboard.layouts import load_layout

KEYS = [
    (section, key.name, kind)
    for section, types in SECTIONS.items()
    for key in fields(types)
    for kind in [get_type_hints(types)[key.name]]
]
"""Every key of every section, with its type."""

WRONG = {
    str: ("3", "a text"),
    int: ("'x'", "a whole number"),
    float: ("'x'", "a number"),
    bool: ("1", "true or false"),
    tuple[int, ...]: ("['x']", "a list of whole numbers"),
}


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refusal(folder: Path, text: str) -> str:
    file = written(folder, text)
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    return said.removeprefix(f"{file}: ")


def test_without_a_file_the_defaults_of_a_desk_hold() -> None:
    config = load_config(None)
    assert (config.camera.source, config.leds.driver, config.buttons.driver) == ("simulated", "simulated", "page")
    assert config.web == WebConfig(host="127.0.0.1", port=8080, asking=True)
    document = tomllib.loads(explained(Config()))
    assert config_from(document) == Config()
    assert {(section, key) for section in document for key in document[section]} == {each[:2] for each in KEYS}


def test_a_file_with_a_key_that_is_gone_is_told_what_takes_its_place_and_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = written(tmp_path, "[web]\nwrites = 'trusted-network'\nport = 8081\n")
    assert load_config(file).web == WebConfig(port=8081)
    told = "a phone asks to play on its page, and whoever stands at the table lets it in"
    assert caplog.messages == [f"web.writes has no effect any more: {told}"]


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    text = '\ufeff[table]\nplayers = ["Ann", "Zoë"]\r\n[web]\nport = 0\n[times]\nfarkle_shown_s = 3\n'
    config = load_config(written(tmp_path, text))
    assert (config.table.players, config.web.port, config.times.farkle_shown_s) == (("Ann", "Zoë"), 0, 3.0)
    rest = asdict(config)
    rest["table"]["players"], rest["web"]["port"], rest["times"]["farkle_shown_s"] = (), 8080, 2.5
    assert rest == asdict(Config())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[web]\nx = 80\n", "web.x: expected a key this program knows, got 'web.x' (known: web.host, web.port, "),
        ("[wbe]\n", "wbe: expected a section this program knows, got 'wbe' (did you mean 'web'?)"),
        ("[q]\n", "q: expected a section this program knows, got 'q' (known: table, camera, eye, leds, buttons,"),
        ("web = 80\n", "web: expected a section [web], got 80"),
        ("[web]\nport = true\n", "web.port: expected a whole number, got True"),
        ("[web]\nport = 65536\n", "web.port: expected 0 to 65535, got 65536"),
        ("[web]\nhost = ' '\n", "web.host: expected an address, such as 127.0.0.1 or 0.0.0.0, got ' '"),
        ("[mqtt]\nboard = 'a/b'\n", "mqtt.board: expected letters, digits, - and _, at most 64, got 'a/b'"),
        ("[mqtt]\ndiscovery = 'a/#'\n", "mqtt.discovery: expected a topic such as homeassistant, got 'a/#'"),
        ("[mqtt]\nkey = 'k'\n", "mqtt.certificate: expected a value beside mqtt.key, got ''"),
        ("[mqtt]\npassword_file = 'p'\n", "mqtt.user: expected a value beside mqtt.password_file, got ''"),
        ("[league]\nkey = 'k'\n", "league.certificate: expected a value beside league.key, got ''"),
        ("[mqtt]\nauthority = 'a'\n", "mqtt.tls: expected true beside mqtt.authority or mqtt.certificate, got False"),
        ("[table]\nplayers = ['Ann', 2]\n", 'table.players: expected a list of texts such as ["Ann", "Ben"], got '),
        ("[times]\nfarkle_shown_s = nan\n", "times.farkle_shown_s: expected 0 to 60, got nan"),
        ("[leds]\nbudget_ma = 4000\n", "leds.budget_ma: expected 100 to 3150 (mA; at most the value of the strip's"),
        ("[table]\ncocked = 'pray'\n", "table.cocked: expected that_die or flatten, got 'pray'"),
        ("[eye]\nmissing_s = 0.2\n", "eye.missing_s: expected 0.35 to 60.0, got 0.2"),
        ("[buttons]\nkeep = 5\n", "buttons: expected a GPIO of its own"),
        ("[sound]\ndevice = 'hw:1,0'\n", "sound.device: expected a card's name in /proc/asound/cards, got 'hw:1,0'"),
        ("[sound]\ndriver = 'a.py+buzzer+a.py'\n", "sound.driver: expected each driver once, got 'a.py+buzzer+a.py'"),
        ("[web]\nport = 1\nport = 2\n", "expected TOML, got "),
    ],
)
def test_a_mistake_names_file_key_and_what_was_expected(tmp_path: Path, text: str, words: str) -> None:
    assert refusal(tmp_path, text).startswith(words)


def test_every_key_refuses_a_value_of_another_type_and_is_the_answer_to_its_misspelling(tmp_path: Path) -> None:
    for section, key, kind in KEYS:
        value, expected = WRONG.get(kind, ("7", "a list of texts"))
        assert refusal(tmp_path, f"[{section}]\n{key} = {value}\n").startswith(f"{section}.{key}: expected {expected}")
        said = refusal(tmp_path, f"[{section}]\n{key}x = 1\n")
        assert said.endswith(f"got '{section}.{key}x' (did you mean '{section}.{key}'?)")


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("none.toml", "expected a configuration file, got '.*none.toml': No such file"),
        ("", "expected a configuration file, got .*: it is a folder, not a file"),
        ("mine.toml", "mine.toml: expected TOML, got "),
    ],
)
def test_a_file_that_is_no_configuration_is_named(tmp_path: Path, file: str, words: str) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=words):
        load_config(tmp_path / file)


def test_the_command_line_overrides_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, '[table]\ntrack = 241\nplayers = ["Cy"]\n[web]\nport = 80\n[leds]\ndriver = "x"\n')
    overrides = {"table.players": ("Ann", "Ben"), "table.track": 121, "table.data": Path("b"), "web.port": 0}
    after = load_config(file, {**overrides, "camera.source": "recorded:a", "leds.driver": "terminal"})
    assert after.table == TableConfig(data="b", players=("Ann", "Ben"), track=121)
    assert (after.web.port, after.camera.source, after.leds.driver) == (0, "recorded:a", "terminal")
    assert load_config(file, {"table.players": None, "web.port": None}) == load_config(file)
    with pytest.raises(ConfigError, match=r"table\.track: expected 11 to 1001, got 9"):
        load_config(None, {"table.track": 9})


def test_the_data_folder_may_be_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder(config_from({"table": {"data": "~/games"}})) == tmp_path / "games"
    with pytest.raises(ConfigError, match=r"table.data: expected a folder, got '~nobody-of-this-name/games'"):
        data_folder(config_from({"table": {"data": "~nobody-of-this-name/games"}}))


@pytest.mark.parametrize(
    ("asked", "track"),
    [(DraftPatch(), 121), (DraftPatch(track=241), 241), (DraftPatch(settings={"target": "241"}), None)],
)
def test_a_target_that_is_asked_for_finds_its_own_track_and_autoplay_its_players(
    asked: DraftPatch, track: int | None
) -> None:
    game = asked_game(load_config(None, {"table.players": ("Ann",), "table.track": asked.track}), asked)
    assert (game.track, asked_game(Config(), asked).names) == (track, None)
    assert asked_game(Config(), asked, autoplay=True).names == ("Ann", "Ben")


def kept(*, target: int, **asked: object) -> list[str]:
    """Return the settings that a game of Ann and Ben to this target keeps when the configuration says the 121 track."""
    state = Table().start("Ann", "Ben", settings={"target": target}).state
    return differences(state.game, state.current.track, DraftPatch(**asked))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, []),
        ({"names": ("Ann", "Ben"), "track": 121, "rules": "Farkle Crib", "settings": {"target": " 99 "}}, []),
        ({"names": ("Ben", "Ann")}, ["players Ann, Ben"]),
        ({"rules": "chess"}, ["rules farkle-cribbage"]),
        ({"settings": {"target": "50"}}, ["target=99"]),
        ({"settings": {"traget": "99"}}, ["target=99"]),
        ({"track": 241}, ["a track of 121 holes"]),
        ({"names": ("Cy",), "track": 241}, ["players Ann, Ben", "a track of 121 holes"]),
    ],
)
def test_settings_that_a_game_keeps_of_its_own_are_reported(asked: dict[str, object], words: list[str]) -> None:
    assert kept(target=99, **asked) == words
    assert kept(target=121, settings={"target": "50"}) == ["the switches of its sheet"]


def test_each_custom_of_the_house_is_a_key_with_the_same_default() -> None:
    table = TableConfig()
    assert HouseRules(table.off_table, table.cocked) == HouseRules()


def test_the_buttons_that_are_opened_hold_as_long_as_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    factory, now = MockFactory(), time.monotonic()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    config = config_from({"buttons": {"driver": "gpio", "hold_s": 0.5}})
    devices = open_devices(config, load_layout("long-board-1"), "en")
    factory.pin(config.buttons.roll).drive_low()
    assert devices.buttons.poll(now + 0.4) == ()
    assert devices.buttons.poll(now + 1.4) == (Hold(Button.ROLL),)
    devices.buttons.close()


def test_the_sound_driver_gets_the_configured_sound_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALSA_CARD", "vc4hdmi0")
    file = tmp_path / "mine.py"
    file.write_text(
        "import subprocess\n"
        "def open_sound(loudness, language):\n"
        "    card = subprocess.run(['printenv', 'ALSA_CARD'], capture_output=True, text=True).stdout\n"
        "    raise RuntimeError(card.strip())\n"
    )
    for device, card in (("", "vc4hdmi0"), ("Device", "Device")):
        config = config_from({"sound": {"driver": str(file), "device": device}})
        devices = open_devices(config, load_layout("long-board-1"), "en")
        devices.close()
        assert [english().text(fault.text or "").rsplit(": ", 1)[-1] for fault in devices.faults] == [card]


def test_a_missing_library_is_told_without_the_command_that_installs_it(caplog: pytest.LogCaptureFixture) -> None:
    command = "/usr/bin/python3 -m pip install --editable '/crib[pi]'"
    error = NoDeviceError(f"expected pins, got none that gpiozero can open: {command}; elsewhere use 'page'")
    said = "No buttons: expected pins, got none that gpiozero can open; elsewhere use 'page'"
    assert english().text(missing("buttons", error)) == f"{said}; farklecrib doctor says what to install"
    assert command in caplog.text


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine's file, which is not there yet."""
    file = tmp_path / "config.toml"
    monkeypatch.setenv("FARKLECRIB_CONFIG", str(file))
    monkeypatch.setattr("companion.config_files.PACKAGED_FILE", tmp_path / "share.toml")
    return file


@pytest.fixture
def packaged(tmp_path: Path, system: Path) -> Path:
    """The configuration of the Debian package: a strip, and the games in a folder of their own."""
    file = tmp_path / "share.toml"
    file.write_text(f"[table]\ndata = '{tmp_path / 'games'}'\n[leds]\ndriver = 'neopixel'\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "it is missing"),
        (b"", "it is empty"),
        (b" \n\n", "it is empty"),
        (b"# as the package wrote it\n[", "it is not TOML"),
        (b"# comments alone\n", "it has no key"),
        (bytes(4096), "it is not TOML"),
        (b"[table]\ndata = '/x'\n" + bytes(100), "it is not TOML"),
        (b"\x89PNG\r\n\x1a\n\xff", "it is not TOML"),
        ("folder", "it cannot be read (it is a folder, not a file)"),
    ],
)
def test_a_service_whose_file_is_damaged_gets_the_packages_settings_and_says_so(
    tmp_path: Path, packaged: Path, system: Path, content: bytes | str | None, reason: str
) -> None:
    if isinstance(content, bytes):
        system.write_bytes(content)
    elif content is not None:
        system.mkdir()
    layers, said = load_service_layers({"web.port": 81})
    config = layers.config
    assert (config.leds.driver, config.web.port, data_folder(config)) == ("neopixel", 81, tmp_path / "games")
    assert (said.key, said.fields) == (
        "fault.settings",
        {"file": str(system), "reason": reason, "data": str(tmp_path / "games")},
    )
    packaged.write_bytes(bytes(100))
    with pytest.raises(ConfigError, match=f"^{packaged}: expected TOML"):
        load_service_layers({})


def test_a_service_with_a_sound_file_says_nothing(
    packaged: Path, system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system.write_text("[web]\nport = 81\n", encoding="utf-8")
    layers, said = load_service_layers({})
    config = layers.config
    assert (config.web.port, config.leds.driver, said) == (81, "simulated", NOTHING)
    monkeypatch.setenv("FARKLECRIB_CONFIG", "")
    assert load_service_layers({}) == (Layers(overrides={}), NOTHING)


@pytest.mark.parametrize("text", ["[web]\nprot = 1\n", "[web]\nport = 'x'\n", "[wep]\nport = 1\n"])
def test_a_wrong_key_or_value_still_ends_a_service(packaged: Path, system: Path, text: str) -> None:
    system.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=f"^{system}: we[bp]"):
        load_service_layers({})


def test_without_the_packages_settings_a_damaged_file_ends_a_service(system: Path) -> None:
    assert load_service_layers({}) == (Layers(overrides={}), NOTHING)  # as for a person
    system.touch()
    with pytest.raises(ConfigError, match=f"^{system}: expected a configuration, but it is empty"):
        load_service_layers({})


NO_HOSTS = ("http://farklecrib.lan", "farklecrib.lan:80", "*.lan", "", "-a.lan", "a-.lan", "a..lan", "a.lan.", "ä.lan")


@pytest.mark.parametrize("name", [*NO_HOSTS, "a b", "a" * 64, ".".join(["a" * 60] * 5), "farklecrib.lan\n"])
def test_a_name_of_the_table_that_no_host_can_have_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"web.hosts: expected names such as farklecrib.lan, without scheme"):
        config_from({"web": {"hosts": ["farklecrib.lan", name]}})
    assert config_from({"web": {"hosts": ["farklecrib.lan", "Crib2"] * 8}}).web.hosts[:2] == ("farklecrib.lan", "Crib2")
    with pytest.raises(ConfigError, match=r"web.hosts: expected at most 16 names, got 17"):
        config_from({"web": {"hosts": ["a.lan"] * 17}})
