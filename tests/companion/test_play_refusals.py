"""`farklecrib play` with impossible options or configuration: one error line, status 2, and no table starts."""

from pathlib import Path

import pytest
from asked import Run


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--camera", "recorded:/nowhere"], "expected pictures or clips in '/nowhere'"),
        (["--camera", "recorded:"], "expected recorded:PATH"),
        (["--camera", "webcam"], "expected one of simulated, recorded, usb, url, phone, picamera2, got 'webcam'"),
        (["--leds", "candles"], "expected one of the LED drivers"),
        (["--buttons", "pedals"], "expected one of the button drivers"),
        (["--sound", "trumpet"], "expected one of the sound drivers"),
        (["--rules", "chess", "--players", "A,B"], "expected a rule set, got 'chess'"),
        (["--set", "traget=9", "--players", "A,B"], "did you mean 'target'?"),
        (["--set", "target"], "expected --set SWITCH=VALUE"),
        (["--players", "A,a"], "expected players of different names, got A, a"),
        (["--players", "A,,B"], "expected a player's name, got ''"),
        (["--track", "9"], "table.track: expected 11 to 1001, got 9"),
        (
            ["--track", "99", "--leds", "wled:192.0.2.1"],
            "table.track: expected 121 or 241, the tracks of long-board-4, got 99",
        ),
        (["--port", "99999"], "port"),
        (["--config", "/nowhere.toml"], "expected a configuration file, got '/nowhere.toml'"),
        (["--leds", "terminal"], "expected a terminal"),
        (["--rules", "bogus"], "table.rules: expected a rule set, got 'bogus'"),
        (["--data", "/proc/games"], "expected a data folder"),
        (["--frobnicate"], "No such option"),
    ],
)
def test_impossible_options_get_one_line_and_status_two(
    run: Run, tmp_path: Path, options: list[str], words: str
) -> None:
    data = [] if "--data" in options else ["--data", str(tmp_path)]
    refused = run("play", "--port", "0", *data, *options)
    assert refused.status == 2
    assert refused.out == ""
    assert refused.err.startswith("farklecrib: error: ")
    assert words in refused.err
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[web]\nport = 'high'\n", "web.port: expected a whole number, got 'high'"),
        ("[web]\nport = 99999\n", "web.port: expected 0 to 65535, got 99999"),
        (
            "[web]\nprot = 80\n",
            "web.prot: expected a key this program knows, got 'web.prot' (did you mean 'web.port'?)",
        ),
        ("[wen]\n", "expected a section this program knows, got 'wen' (did you mean 'web'?)"),
        ("web = 3\n", "web: expected a section [web], got 3"),
        ("[table]\nplayers = 'Ann'\n", "table.players: expected a list of texts"),
        ("[web\n", "expected TOML"),
    ],
)
def test_a_broken_configuration_names_file_and_key(run: Run, tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    refused = run("play", "--config", str(file), "--data", str(tmp_path / "games"), "--port", "0")
    assert refused.status == 2
    assert words in refused.err
    assert "mine.toml" in refused.err
