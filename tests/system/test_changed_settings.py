"""A running table whose settings are changed on its page: it starts again with them, and nothing is lost."""

import socket
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from hosted import hosted
from running import PATIENCE_S, Table, table

from companion.games.backup import write_backup
from companion.games.repository import HostGames
from companion.games.throw_images import ThrowImages


def send(running: Table, path: str, body: bytes, kind: str) -> None:
    request = urllib.request.Request(f"{running.address}{path}", body, {"content-type": kind})
    urllib.request.urlopen(request, timeout=PATIENCE_S).close()


def started_again(running: Table, run: str) -> dict:
    """Wait until the table has started again; return how far its set-up is."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            now = running.get("set-up")
        except OSError:  # it is starting
            time.sleep(0.05)
            continue
        if now["run"] != run:
            return now
    raise AssertionError(running.said)


def notified(systemd: socket.socket) -> list[bytes]:
    """Return what systemd was told, without waiting."""
    systemd.setblocking(False)
    told = []
    with suppress(BlockingIOError):
        while True:
            told.append(systemd.recv(4096))
    return told


def test_a_table_starts_again_with_settings_and_with_the_games_of_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with hosted(tmp_path / "other", running=True) as other:
        images = ThrowImages(tmp_path / "other")
        write_backup(HostGames(other.game("Cy", "Di").host, images), images, tmp_path / "games.zip")
    with table(tmp_path / "data", "--players", "Ann,Ben") as running:
        before, run = running.ready().get("state"), running.get("set-up")["run"]
        status, _ = running.post("set-up/settings", {"values": {"times.dim_s": 400.0, "sound.driver": "espeak"}})
        assert status == 200
        again = started_again(running, run)
        assert again["written"] == {"times.dim_s": "400.0", "sound.driver": '"espeak"'}
        after = running.get("state")
        assert (after["seq"], after["to_move"]) == (before["seq"], before["to_move"])
        running.says("sound espeak")
        send(running, "api/v1/set-up/games", (tmp_path / "games.zip").read_bytes(), "application/zip")
        assert started_again(running, again["run"])["written"] == again["written"]
        assert [player["name"] for player in running.get("state")["players"]] == ["Cy", "Di"]
        assert running.end() == 0
    assert not list((tmp_path / "data").glob("restore*"))
    told = notified(systemd)
    assert [each for each in told if each in (b"READY=1", b"STOPPING=1")] == [*[b"READY=1"] * 3, b"STOPPING=1"]
    systemd.close()
