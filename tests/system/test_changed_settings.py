"""A running table whose settings are changed on its page: it starts again with them, and nothing is lost."""

import urllib.request
from pathlib import Path

import pytest
from hosted import hosted
from running import PATIENCE_S, Table, systemd, table

from companion.games.backup import write_backup
from companion.games.stores import HostGames
from companion.games.throw_images import ThrowImages


def send(running: Table, path: str, body: bytes, kind: str) -> None:
    request = urllib.request.Request(f"{running.address}{path}", body, {"content-type": kind})
    urllib.request.urlopen(request, timeout=PATIENCE_S).close()


@pytest.mark.exhaustive
def test_a_table_starts_again_with_settings_and_with_the_games_of_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(tmp_path / "other", running=True) as other:
        images = ThrowImages(tmp_path / "other")
        write_backup(HostGames(other.game("Cy", "Di").host, images), images, tmp_path / "games.zip")
    with systemd(tmp_path, monkeypatch) as until, table(tmp_path / "data", "--players", "Ann,Ben") as running:
        until("READY=1")
        before = running.ready().get("state")
        status, _ = running.post("set-up/settings", {"values": {"times.dim_s": 400.0, "sound.driver": "espeak"}})
        assert status == 200
        assert "STOPPING=1" not in until("READY=1")
        written = running.get("set-up")["written"]
        assert written == {"times.dim_s": "400.0", "sound.driver": '"espeak"'}
        after = running.get("state")
        assert (after["seq"], after["to_move"]) == (before["seq"], before["to_move"])
        running.says("sound espeak")
        send(running, "api/v1/set-up/games", (tmp_path / "games.zip").read_bytes(), "application/zip")
        assert "STOPPING=1" not in until("READY=1")
        assert running.get("set-up")["written"] == written
        assert [player["name"] for player in running.get("state")["players"]] == ["Cy", "Di"]
        assert running.end() == 0
        until("STOPPING=1")
    assert not list((tmp_path / "data").glob("restore*"))
    monkeypatch.delenv("NOTIFY_SOCKET")
    with table(tmp_path / "killed", "--players", "Ann,Ben") as running:
        send(running.ready(), "api/v1/set-up/games", (tmp_path / "games.zip").read_bytes(), "application/zip")
        running.process.kill()
    with table(tmp_path / "killed") as running:
        assert [player["name"] for player in running.ready().get("state")["players"]] == ["Cy", "Di"]
