"""The drivers of docs/extending.md: each has fewer than forty lines and obeys the contract of its port."""

import os
import pty
import struct
import sys
import threading
import tomllib
import tty
from pathlib import Path

import pytest
from served import served
from started import Started
from strips import look

from companion.app import FEATURES
from companion.web.feature import Feature, installed_features
from pegboard.animation.effects import board_lights
from pegboard.buttons.button_drivers import open_buttons
from pegboard.buttons.port import Button, Hold, Tap
from pegboard.errors import DriverError, FrameError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.led_drivers import open_leds
from pegboard.palette import mark
from pegboard.pegs import BoardView, LaneView
from pegboard.render import render
from pegboard.sound.port import Checkable, Loudness, Tone
from pegboard.sound.sound_drivers import open_sound
from pegboard.track import Hole

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "docs" / "examples"
DRIVERS = EXAMPLES / "drivers"
LAYOUT = load_layout("long-board-1")
FRAME = render(board_lights(BoardView((LaneView(mark(0), Hole(5), Hole(17)),), turn=0), 0.0), LAYOUT)


@pytest.fixture
def serial():
    """Give the name of a serial port, and a function that reads `count` bytes at its other end."""
    leader, follower = pty.openpty()
    tty.setraw(follower)

    def read(count: int) -> bytes:
        found = b""
        while len(found) < count:
            found += os.read(leader, count - len(found))
        return found

    yield os.ttyname(follower), read
    os.close(leader)
    os.close(follower)


def test_own_leds_show_frames_at_their_serial_port_and_end_dark(serial) -> None:
    port, read = serial
    strip = open_leds(str(DRIVERS / "own_leds.py"), port, LAYOUT)
    strip.show(FRAME)
    header, data = read(6), read(3 * LAYOUT.leds)
    assert header[:3] == b"Ada"
    assert int.from_bytes(header[3:5], "big") == LAYOUT.leds - 1
    assert header[5] == header[3] ^ header[4] ^ 0x55
    assert look(LedFrame(data)) == look(FRAME) != {}
    with pytest.raises(FrameError, match=f"expected a frame of {LAYOUT.leds} LEDs"):
        strip.show(dark(3))
    strip.close()
    strip.close()
    assert read(6 + 3 * LAYOUT.leds)[6:] == dark(LAYOUT.leds).data
    with pytest.raises(DriverError, match="already closed"):
        strip.show(FRAME)


def test_own_buttons_tap_and_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "js0"
    os.mkfifo(path)
    monkeypatch.setenv("JOYSTICK", str(path))
    writing: list[int] = []
    opening = threading.Thread(target=lambda: writing.append(os.open(path, os.O_WRONLY)))
    opening.start()
    buttons = open_buttons(str(DRIVERS / "own_buttons.py"))
    opening.join(60)

    def event(number: int, down: bool, kind: int = 1) -> None:
        os.write(writing[0], struct.pack("IhBB", 0, down, kind, number))

    event(0, down=False, kind=0x81)  # as the kernel reports the state at the start
    event(1, down=True)
    assert buttons.poll(1.0) == ()
    event(1, down=False)
    assert buttons.poll(1.2) == ()
    assert buttons.poll(1.3) == (Tap(Button.ROLL),)
    event(2, down=True)
    assert buttons.poll(3.0) == ()
    assert buttons.poll(4.6) == (Hold(Button.BANK),)
    buttons.close()
    buttons.close()
    assert buttons.poll(5.0) == ()
    os.close(writing[0])


def test_own_sound_speaks_and_plays_and_is_silent_after_the_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = tmp_path / "heard"
    os.mkfifo(heard)
    for name in ("flite", "canberra-gtk-play"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho "$0 $*" > {heard}\n', encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    sound, night = (open_sound(str(DRIVERS / "own_sound.py"), each) for each in (Loudness(), Loudness(night=True)))

    def next_heard() -> str:
        with heard.open(encoding="utf-8") as listening:  # until the driver has spoken
            return Path(listening.read().strip()).name

    sound.say("nine at risk")
    assert next_heard() == "flite -t nine at risk"
    sound.play(Tone.TICK, 3)
    assert next_heard() == "canberra-gtk-play -i message -l 3"
    night.play(Tone.TICK)
    night.say("hush")
    assert next_heard() == "flite -t hush"
    for each in (sound, night):
        each.close()
        each.close()
        each.say("too late")


def test_own_sound_that_is_not_heard_is_an_error_of_the_next_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "flite").symlink_to("/bin/false")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    started = Started().note(monkeypatch)
    sound = open_sound(str(DRIVERS / "own_sound.py"))
    assert isinstance(sound, Checkable)
    sound.say("nine at risk")
    started.processes[0].wait(60)
    with pytest.raises(DriverError, match="expected to be heard, got an error of flite"):
        sound.check()
    assert not sound.check()
    sound.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("open_strip = print", "expected a function open_leds in"),
        ("import nothing_of_that_name", "got ModuleNotFoundError"),
        ("def open_leds(", "got SyntaxError"),
    ],
)
def test_a_file_that_holds_no_driver_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DriverError, match=says):
        open_leds(str(file), "", LAYOUT)


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> list[Feature]:
    """Return the features of other packages, with one of this source, which is installed in `folder`."""
    points = tomllib.loads((EXAMPLES / "features" / "jar.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    (folder / "jar.py").write_text(source, encoding="utf-8")
    about = folder / "farklecrib_jar-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: farklecrib-jar\nVersion: 1\n", encoding="utf-8")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in of.items()) for group, of in points.items()
    ]
    (about / "entry_points.txt").write_text("".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "jar", raising=False)
    return list(installed_features(FEATURES))


def test_a_feature_of_an_own_package_joins_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (EXAMPLES / "features" / "jar.py").read_text(encoding="utf-8")
    (jar,) = installed(tmp_path, monkeypatch, source)
    with served(tmp_path, features=(*FEATURES, jar)) as table:
        table.game("Ann", "Ben").throws("334466").throws("334466")
        assert table.state()["coins"] == 2
        assert table.post("jar/empty").json()["coins"] == 0
        assert table.throws("334466").state()["coins"] == 1
        assert "How many coins are in the jar." in table.client.get("/api/openapi.json").text
    with served(tmp_path) as table:
        assert table.state()["to_move"] == "Ben"
        assert "coins" not in table.state()


TAKEN = """
from companion.table.feature import TableFeature
from companion.features.coach.table import CoachShown
from companion.web.feature import Feature
FEATURE = Feature("jar", TableFeature("jar", part=CoachShown))
"""


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("FEATURE = print", "expected a companion.web.feature.Feature, got <built-in function print>"),
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        (TAKEN, "expected new names in the view, got coach"),
    ],
)
def test_a_package_that_cannot_be_used_is_left_out_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, source: str, said: str
) -> None:
    assert installed(tmp_path, monkeypatch, source) == []
    assert f"feature jar: {said}" in caplog.text


def test_a_feature_that_fails_beside_the_table_is_logged_and_the_page_is_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Feature("jar", context=lambda _: {}["jar"], front=lambda _: {}["jar"])
    with served(tmp_path, features=(*FEATURES, broken)) as table:
        assert table.client.get("/").status_code == 200
    assert "feature jar" in caplog.text
