"""The set-up in the browser: who may, what is written, what is tried, and what is brought and downloaded."""

import errno
import queue
import socket
import sys
import threading
import tomllib
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from gpiozero.pins.mock import MockFactory
from served import JPEG, OWN_PAGE, Served, refusal, served
from test_connections import connect

from companion.checkup.buttons import ButtonSearch
from companion.checkup.machine import Machine
from companion.cli.config import refused
from companion.config_files import load_layers
from companion.features.set_up.pages import PAGES
from companion.features.set_up.set_up import FORMS, STEPS, SetUp
from companion.games.backup import BROUGHT, read_backup
from companion.runtime.changes import Changes
from companion.web.guard import limits
from companion.web.guard.access import RESTORE
from companion.words import Text, english


@dataclass
class Told:
    """The parts of a table, which note what the set-up asks of them."""

    restarts: queue.SimpleQueue[None] = field(default_factory=queue.SimpleQueue)
    trials: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    faults: dict[str, Text] = field(default_factory=dict)

    def restart(self) -> None:
        self.restarts.put(None)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def header(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setattr("gpiozero.Device.pin_factory", factory)
    yield factory
    factory.reset()


def made(folder: Path, told: Told, root: Path | None = None) -> SetUp:
    layers = load_layers(None, {"table.data": folder})
    changes = Changes(layers, folder, refused)
    parts = (told.restart, folder, told.trials.append, told.words.append, lambda: told.faults)
    machine = Machine(root=root or folder / "root")
    return SetUp(layers.config, changes, *parts, machine=machine, search=ButtonSearch())


@pytest.fixture
def table(tmp_path: Path, told: Told, header: MockFactory) -> Iterator[Served]:
    set_up = made(tmp_path, told)
    with served(tmp_path, set_up=set_up) as running:
        yield running
    set_up.close()


def test_a_setting_is_written_and_the_table_starts_again(table: Served, told: Told, tmp_path: Path) -> None:
    values = {"leds.brightness": 0.5, "table.players": ["Ann", "Ben"], "table.coach": ["ask"]}
    written = {"leds.brightness": "0.5", "table.coach": '["ask"]', "table.players": '["Ann", "Ben"]'}
    assert table.post("set-up/settings", {"values": values}).raise_for_status().json()["written"] == written
    assert tomllib.loads((tmp_path / "settings.toml").read_text(encoding="utf-8")) == {
        "leds": {"brightness": 0.5},
        "table": {"coach": ["ask"], "players": ["Ann", "Ben"]},
    }
    assert told.restarts.get(timeout=60) is None


def test_a_setting_that_cannot_be_used_says_why_and_restarts_nothing(table: Served, told: Told, tmp_path: Path) -> None:
    for values, words in (
        ({"leds.brightness": 7}, "leds.brightness: expected 0 to 1, got 7.0"),
        ({"web.port": 80}, "web.port: expected a key that the page may set"),
        ({"leds.driver": "wled:1.2.3.4"}, "leds.driver: expected a value that the page may set"),
        ({"table.rules": "no-such-rules"}, "no-such-rules"),
    ):
        status, why = refusal(table.post("set-up/settings", {"values": values}))
        assert (status, words in why) == (422, True), why
    half = b'{"values": {"\\ud800": 1}}'  # half of a surrogate pair
    assert table.client.post("/api/v1/set-up/settings", content=half).status_code == 422
    assert not (tmp_path / "settings.toml").exists()
    assert told.restarts.empty()


WRITES = {
    "settings": {"values": {"leds.calm": True}},
    "colours": {"seen": {"red": "red"}},
    "lights": {"show": "red"},
    "buttons": {},
    "camera": {"source": "simulated"},
    "sound": {},
    "games": {},
}


FILES = ("config.toml", "farklecrib-games.zip", "farklecrib-report.tar.gz")


def test_who_may_not_set_up_writes_and_reads_nothing_of_it(table: Served, told: Told) -> None:
    for who in (OWN_PAGE, table.phone()):
        for path in ("/api/v1/set-up", *(f"/set-up/files/{name}" for name in FILES)):
            assert table.afar("GET", path, **who).status_code == 403, path
        for path, body in WRITES.items():
            assert table.afar("POST", f"/api/v1/set-up/{path}", body, **who).status_code in {403, 415}, path
    assert (told.restarts.empty(), told.trials, told.words) == (True, [], [])


def test_a_phone_with_the_right_sets_up(table: Served, told: Told) -> None:
    phone = table.phone()
    table.pairing.set_up_until_s = {table.pairing.phones.all()[0].id: table.pairing.now_s() + 600}
    for path, body in (("lights", {"show": "lane-1"}), ("sound", {})):
        assert table.afar("POST", f"/api/v1/set-up/{path}", body, **phone).status_code == 204
    assert (told.trials, told.words) == (["lane-1"], ["Three fours, eight points. Good luck!"])


@pytest.mark.parametrize(
    ("path", "body"),
    [("buttons/bank", b"{}"), ("set-up/settings", b'{"values": {"times.dim_s": 400.0}}'), ("set-up/games", b"PK")],
)
def test_a_phone_that_is_taken_away_while_its_body_comes_does_nothing(
    table: Served, told: Told, monkeypatch: pytest.MonkeyPatch, path: str, body: bytes
) -> None:
    # The answer does not wait for more of the body.
    monkeypatch.setattr("companion.web.guard.limits.BODY_DEADLINE_S", 3600.0)
    phone = table.game().throws("111346").phone()
    (mia,) = table.pairing.phones.all()
    table.pairing.set_up_until_s = {mia.id: table.pairing.now_s() + 600}

    async def trickling() -> AsyncIterator[bytes]:
        yield body[:1]
        table.pairing.forget(mia.id)
        yield body[1:]

    kind = "application/zip" if body == b"PK" else "application/json"
    answer = table.afar("POST", f"/api/v1/{path}", trickling(), **phone, **{"content-type": kind})
    assert refusal(answer) == (403, english()("access.watch_only"))
    assert (table.state()["last"]["kind"], told.restarts.empty()) == ("roll", True)


def test_the_order_of_the_colours_becomes_a_setting(table: Served, tmp_path: Path) -> None:
    table.app.state.table.offered(SetUp).config = load_layers(None, {"leds.driver": "neopixel"}).config  # type: ignore[attr-defined]
    seen = {"red": "green", "green": "red", "blue": "blue"}
    assert table.post("set-up/colours", {"seen": seen}).status_code == 200
    settings = tomllib.loads((tmp_path / "settings.toml").read_text(encoding="utf-8"))
    assert settings == {"leds": {"driver": "neopixel:D10,RGB"}}


def test_pressed_buttons_are_found_and_lamps_are_lit(table: Served, header: MockFactory) -> None:
    assert table.post("set-up/buttons").json() == {"pressed": []}
    header.pin(6).drive_low()
    assert table.post("set-up/buttons", {"lamp": 22}).json() == {"pressed": [6]}
    assert header.pin(22).state
    table.post("set-up/buttons", {"lamp": -1})
    assert not header.pin(22).state


def test_without_the_library_of_the_pins_the_page_says_what_to_install(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    for body in ({}, {"lamp": 22}):
        status, why = refusal(table.post("set-up/buttons", body))
        assert status == 422
        assert why.startswith("No buttons: expected the library gpiozero, got none: ")


def bring(table: Served, content: bytes) -> httpx.Response:
    return table.client.post(RESTORE, content=content, headers={"content-type": "application/zip"})


def full(_: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_backup_is_brought_and_the_table_starts_again_with_it(
    table: Served, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.game("Ann", "Ben").throws("111346")
    backup = table.client.get("/set-up/files/farklecrib-games.zip")
    assert (backup.status_code, backup.headers["content-type"]) == (200, "application/zip")
    other = BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("settings.toml", "[web]\nport = 1\n")
    assert refusal(bring(table, other.getvalue())) == (422, english()("set_up.no_backup"))
    with monkeypatch.context() as full_disk:
        full_disk.setattr("companion.games.backup.sync", full)
        status, why = refusal(bring(table, backup.content))
    assert (status, "No space left" in why) == (503, True)
    assert (told.restarts.empty(), list(tmp_path.glob("restore*"))) == (True, [])
    assert bring(table, backup.content).status_code == 200
    assert [path.name for path in tmp_path.glob("restore*")] == [BROUGHT]
    assert read_backup(tmp_path / BROUGHT).rows
    told.restarts.get(timeout=60)


def test_a_backup_that_is_too_large_is_refused_before_it_is_read(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ZIP", limits.BodyLimits("application/zip", 1000, limits.ZIP.rate))

    def parts() -> Iterator[bytes]:
        yield from (b"x" * 400 for _ in range(4))

    assert bring(table, b"x" * 1001).status_code == 413
    assert table.client.post(RESTORE, content=parts(), headers={"content-type": "application/zip"}).status_code == 413


def half_a_backup(table: Served, data: Path) -> socket.socket:
    """Begin to bring a backup; return its connection once the table has begun to receive it into its data folder."""
    kind = b"content-type: application/zip\r\ncontent-length: 9000\r\n"
    connection = connect(table.client.base_url.port)
    connection.sendall(b"POST %b HTTP/1.1\r\nhost: 127.0.0.1\r\n%b\r\nhalf" % (RESTORE.encode(), kind))
    while not list(data.glob("restore*")):
        threading.Event().wait(0.01)
    return connection


def test_one_backup_is_brought_at_a_time_and_a_client_that_leaves_leaves_nothing(
    table: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with half_a_backup(table, tmp_path):
        assert bring(table, b"another").json()["detail"] == english()("set_up.bringing_other")
    while bring(table, b"another").status_code == 409:
        pass
    assert list(tmp_path.glob("restore*")) == []
    assert "Exception in ASGI application" not in caplog.text


def test_a_backup_that_is_still_coming_at_the_tables_end_gets_an_answer(table: Served, tmp_path: Path) -> None:
    with half_a_backup(table, tmp_path) as connection:
        table.web.stop()
        assert connection.recv(100).startswith(b"HTTP/1.1 503 ")
    assert list(tmp_path.glob("restore*")) == []


def test_every_page_is_shown_on_this_machine_and_names_its_fields(table: Served) -> None:
    overview = table.client.get("/set-up").text
    for page in PAGES:
        assert f'href="/set-up/{page}"' in overview
        shown = table.client.get(f"/set-up/{page}")
        assert shown.status_code == 200
        for key in FORMS.get(page, {}):
            assert f'data-key="{key}"' in shown.text
    camera = table.client.get("/set-up/camera").text  # the only one of a desk; that of a phone needs a command
    assert (english()("set_up.simulated") in camera, "--camera phone" in camera) == (True, True)
    assert table.client.get("/set-up/nothing").status_code == 404
    assert {"camera", "lights", "buttons", "sound", "games"} == set(PAGES) & set(STEPS)


def test_every_field_and_value_has_its_words_and_no_other_has() -> None:
    words = frozenset(english())
    forms = {key: form for page in FORMS.values() for key, form in page.items()}
    assert {key for key in words if key.startswith("setting.")} == {f"setting.{key}" for key in forms}
    values = {f"setting_value.{key}={value}" for key, form in forms.items() for value in form.choices}
    found = {"setting_value.leds.layout=", "setting_value.sound.device="}  # their others are names
    assert {key for key in words if key.startswith("setting_value.")} == values | found


def test_what_the_command_line_has_set_cannot_be_changed(tmp_path: Path, told: Told) -> None:
    set_up = made(tmp_path, told)
    given = {"table.data": tmp_path, "sound.driver": "espeak", "camera.source": "phone"}
    set_up.changes.layers = load_layers(None, given)
    set_up.config = set_up.changes.layers.config
    with served(tmp_path, set_up=set_up) as table:
        sound, camera = (table.client.get(f"/set-up/{page}").text for page in ("sound", "camera"))
    assert "Set on the command line." in sound
    assert ("Set on the command line." in camera, "data-camera=" in camera) == (True, False)


def test_a_device_that_does_not_work_says_why_on_its_page(table: Served, told: Told) -> None:
    told.faults["sound espeak"] = "No sound: no card"
    assert "No sound: no card" in table.client.get("/set-up/sound").text
    assert "No sound: no card" not in table.client.get("/set-up/lights").text


def test_a_phone_without_the_right_reads_how_to_get_it(tmp_path: Path, told: Told) -> None:
    for buttons, words in ((True, "then hold KEEP at the table"), (False, "farklecrib pair --set-up")):
        folder = tmp_path / str(buttons)
        folder.mkdir()
        with served(folder, set_up=made(folder, told), real_buttons=buttons) as table:
            page = table.afar("GET", "/set-up", None, **table.phone())
            assert (page.status_code, words in page.text) == (403, True)


def pi(folder: Path) -> Path:
    """Return the root of a machine that is a Raspberry Pi."""
    model = folder / "pi" / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_text("Raspberry Pi 4 Model B Rev 1.5\0", encoding="ascii")
    return folder / "pi"


@pytest.mark.parametrize(
    "act", [lambda table: table.game(), lambda table: table.post("set-up/settings", {"values": {"leds.calm": True}})]
)
def test_a_new_pi_begins_with_the_set_up_until_somebody_puts_it_off_plays_or_sets_it_up(
    tmp_path: Path, told: Told, act: Callable[[Served], object]
) -> None:
    with served(tmp_path, set_up=made(tmp_path, told, pi(tmp_path))) as table:
        first = table.client.get("/")
        assert (first.status_code, first.headers["location"]) == (303, "/set-up")
        assert table.client.get("/?later").status_code == 200
        act(table)
        assert table.client.get("/").status_code == 200


def test_the_report_and_the_configuration_without_a_cameras_name_and_password_can_be_downloaded(table: Served) -> None:
    assert table.client.get("/set-up/files/farklecrib-report.tar.gz").content[:2] == b"\x1f\x8b"
    source = "url:http://mia:hush@192.168.7.9/stream?key=hush"
    table.app.state.table.offered(SetUp).config = load_layers(None, {"camera.source": source}).config  # type: ignore[attr-defined]
    text = table.client.get("/set-up/files/config.toml").text
    config = tomllib.loads(text)
    assert config["leds"]["brightness"] == 1.0
    assert config["camera"]["source"].startswith("url:http://")
    assert ("mia" in text, "hush" in text) == (False, False)


def test_a_camera_is_looked_through_on_request_of_the_page_alone_and_one_at_a_time(table: Served) -> None:
    assert table.post("set-up/camera", {"source": "simulated"}).content == JPEG
    assert table.client.get("/api/v1/set-up/camera?source=usb:9").status_code == 405
    with ThreadPoolExecutor() as pool:
        asked = [pool.submit(table.post, "set-up/camera", {"source": "usb:9"}) for _ in range(4)]
        said = {refusal(each.result()) for each in asked}
    silent, busy = (422, english()("set_up.camera_silent")), (409, english()("set_up.looking"))
    assert {silent} <= said <= {silent, busy}


def test_everyone_may_print_the_paper_tray(table: Served) -> None:
    for paper in ("a4.pdf", "letter.svg"):
        answer = table.afar("GET", f"/set-up/paper/{paper}", None)
        assert answer.status_code == 200
        assert answer.content.startswith(b"%PDF" if paper.endswith("pdf") else b"<svg")


def test_usb_cameras_are_listed_and_chosen_by_their_names_unless_there_is_one(tmp_path: Path, told: Told) -> None:
    by_id = tmp_path / "root/dev/v4l/by-id"
    by_id.mkdir(parents=True)
    (tmp_path / "root/dev/video2").touch()
    (by_id / "usb-Logi_C920-video-index0").symlink_to("../../video2")
    with served(tmp_path, set_up=made(tmp_path, told)) as table:
        page = table.client.get("/set-up/camera").text
        (tmp_path / "root/dev/video4").touch()
        (by_id / "usb-Acme_HD-video-index0").symlink_to("../../video4")
        both = table.client.get("/set-up/camera").text
    assert "Logi C920 (USB 2)" in page
    assert 'data-camera="usb"' in page
    assert 'data-camera="usb:Logi_C920"' in both
    assert 'data-camera="usb:Acme_HD"' in both
