"""Text that no command can use gives one error line, status 2, no traceback and no terminal control characters."""

from itertools import product
from pathlib import Path

import pytest
from asked import GAME, TRAY, Answered, Run, refused
from samples import sampled

NINES, LONG_HEX = "9" * 5000, "0x" + "f" * 5000
HOUSE = 'key = "house"\ntitle = "House"\nlike = "classic"\n'
TEXTS = {
    "nested arrays": f"x = {'[' * 5000}{']' * 5000}",
    "nested tables": f"x = {'{a=' * 5000}1{'}' * 5000}",
    "a key of many parts": f"a{'.a' * 1500} = 1",
    "nested in a section": f"[web]\nport = {'[' * 300}{']' * 300}",
    "many digits": f"[web]\nport = {NINES}",
    "a long number": f"[web]\nport = {LONG_HEX}",
    "a long fraction": f"[leds]\nbrightness = {'9' * 400}",
    "a long fraction in base 16": f"[eye]\nstill_s = {LONG_HEX}",
    "a long switch": f"{HOUSE}[settings]\ntarget = {LONG_HEX}",
    "long points": f"{HOUSE}[points]\nsingle = {{ 1 = {LONG_HEX} }}",
    "a long chain": f"leds = {LONG_HEX}\npitch_mm = {'9' * 400}",
    "a chain of many LEDs": "leds = 99999999999",
    "not a number": "[leds]\nbrightness = nan\n[times]\ndim_s = nan\n[eye]\nstill_s = nan",
    "NUL": "\0" * 10,
    "Latin-1": "x = \xe9",
    "one long line": "a" * 100_000,
    "marks": "\x1b[31m\x07 = 1",
    "a long target": GAME.replace("target=20", f"target={NINES}"),
    "a long score": f"rules: farkle-cribbage\nplayers: Ann, Ben\nscores: Ann {NINES}, Ben 3\n",
    "a long total": f"rules: farkle-cribbage\nplayers: Ann, Ben\nAnn: 111222 > 111 = {NINES}\n",
    "long left over": f"rules: farkle-cribbage\nplayers: Ann, Ben\nscores: Ann 1, Ben 3\nleft-over: {NINES} dice 3\n",
}
COMMANDS = [
    "config check --config FILE",
    "config show --config FILE",
    "config show --explain --config FILE",
    "play --config FILE",
    "play --rules FILE",
    "play --scene FILE",
    "rules check FILE",
    "rules show FILE",
    "score FILE 115",
    "replay FILE",
    "read --calibration FILE TRAY",
    "calibrate --from FILE FILE",
    "board check FILE",
    "board show FILE",
    "games list --config FILE",
]


@pytest.fixture(autouse=True)
def nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide this machine's configuration, and end a table at once if it could be played."""
    monkeypatch.setenv("FARKLECRIB_CONFIG", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("companion.cli.running.run_table", lambda *_given, **_more: 0)


def check_form(answer: Answered) -> None:
    assert answer.status in (0, 1, 2)
    if answer.status == 2:
        assert answer.err.startswith("farklecrib: error: ")
        assert answer.err.count("\n") == 1
        assert len(answer.err) < 3000
    for mark in answer.out + answer.err:
        assert mark.isprintable() or mark == "\n", repr(answer)


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", TEXTS)
def test_no_content_of_a_file_ends_a_command_in_a_traceback(run: Run, tmp_path: Path, name: str, every: int) -> None:
    text = TEXTS[name]
    file = tmp_path / "bad.toml"
    file.write_bytes(text.encode("latin-1"))
    for command in COMMANDS[list(TEXTS).index(name) % every :: every]:
        words = [{"FILE": str(file), "TRAY": str(TRAY)}.get(word, word) for word in command.split()]
        answer = run(*words)
        check_form(answer)
        assert answer.status != 0 or "config" in command or command.startswith("play --config"), (command, answer)
    answer = run("replay", "-", given=text.encode("latin-1"))
    check_form(answer)
    assert answer.status == 2


NUL = {
    "table.data": '[table]\ndata = "a\\u0000b"',
    "table.rules": '[table]\nrules = "a\\u0000b.toml"',
    "web.host": '[web]\nhost = "a\\u0000b"',
    "leds.layout": '[leds]\nlayout = "a\\u0000b.toml"',
    "leds.driver": '[leds]\ndriver = "wled:a\\u0000b"',
    "camera.source": '[camera]\nsource = "recorded:a\\u0000b"',
    "sound.language": '[sound]\nlanguage = "a\\u0000b.toml"',
    "buttons.driver": '[buttons]\ndriver = "a\\u0000b.py"',
}
UNUSABLE = {
    **NUL,
    "a host of another machine": '[web]\nhost = "192.0.2.1"',
    "a host that is none": '[web]\nhost = "no host at all"',
    "a host of one long word": f'[web]\nhost = "{"a" * 300}"',
    "a folder that is a file": '[table]\ndata = "/dev/null"',
    "a folder that cannot be made": '[table]\ndata = "/proc/games"',
    "a folder of a long name": f'[table]\ndata = "{"a" * 300}"',
    "99 players": f"[table]\nplayers = {[f'P{n}' for n in range(99)]}",
    "a quiet LED that is not there": "[leds]\nquiet = [99999999999]",
    "a strip without an address": '[leds]\ndriver = "wled"',
    "a strip at no port": '[leds]\ndriver = "wled:board:99999"',
    "photographs that are not there": '[camera]\nsource = "recorded:/nowhere"',
    "a camera of many digits": f'[camera]\nsource = "usb:{NINES}"',
}


@pytest.mark.parametrize("text", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_config_check_reports_each_mistake_that_play_refuses(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    told = run("config", "check", "--config", file)
    check_form(told)
    assert told.status == 1, told
    refused = run("play", "--config", file, "--port", "0")
    check_form(refused)
    assert refused.status == 2, refused
    assert not (tmp_path / "home").exists()


def test_a_number_that_no_game_has_is_refused(run: Run, tmp_path: Path) -> None:
    for command, game in (("show", NINES), ("export", "-1"), ("delete", "\u0663"), ("show", "\x1b[31m")):
        answer = run("games", command, "--data", tmp_path, "--", game)
        check_form(answer)
        assert answer.status == 2


CONTROLS, REVERSED, LONG = "x\x1b[31mred\x07\x9b.toml", "x\u202egnp.toml", "x" * 300
NO_TEXT = b"x\xff\xfe.toml".decode(errors="surrogateescape")


@pytest.mark.parametrize("case", sampled(product((CONTROLS, REVERSED, LONG, NO_TEXT), (True, False)), (CONTROLS, True)))
def test_a_file_s_name_reaches_the_terminal_as_text(run: Run, tmp_path: Path, case: tuple[str, bool]) -> None:
    name, there = case
    file = tmp_path / name
    if there and len(name) < 300:
        file.write_text("x = 1", encoding="utf-8")
    for command in [
        *COMMANDS,
        "read FILE",
        "config path --config FILE",
        "games list --data FILE",
        "play --data FILE",
        "games export --out FILE",
        "calibrate --sheet FILE",
        "board draw long-board-1 --out FILE",
    ]:
        check_form(run(*(str(file) if word == "FILE" else word for word in command.split())))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--camera recorded:/nowhere", "expected pictures or clips in '/nowhere'"),
        ("--camera webcam", "expected one of simulated, recorded, usb"),
        ("--leds candles", "expected one of the LED drivers"),
        ("--rules bogus", "table.rules: expected a rule set, got 'bogus'"),
        ("--set targt=5", "expected the name of a switch, got 'targt' (did you mean 'target'?)"),
        ("--set target=5000", "expected a target of at most 241 on a track of 241 holes"),
        ("--rules classic --set target=x", "target: expected"),
        ("--start Ann", "expected --players with --start, got --start 'Ann' alone"),
        ("--players Ann,Ben --start Cy", "Cy does not play, so cannot begin"),
        ("--players Ann,ann", "expected players of different names, got Ann, ann"),
        ("--players A,,B", "expected a player's name, got ''"),
        ("--track 99 --leds wled:192.0.2.1", "table.track: expected 121 or 241, the tracks of long-board-4, got 99"),
        ("--config /nowhere.toml", "expected a configuration file, got '/nowhere.toml'"),
    ],
)
def test_options_that_no_game_can_have_are_refused_without_players_too(run: Run, options: str, words: str) -> None:
    refused(run("play", "--port", "0", *options.split()), words)
