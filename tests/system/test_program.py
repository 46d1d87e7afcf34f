"""The program as people and services start it: ready, ended, refused, killed, and continued after a restart."""

import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
from hosted import hosted
from running import PATIENCE_S, Table, ended, run, table

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "tests" / "pictures" / "trays"
LINE = re.compile(r"\d\d:\d\d:\d\d (debug|info|warning|error|critical) [\w.]+: .+")

Done = subprocess.CompletedProcess[str]


@pytest.mark.exhaustive
def test_autoplay_plays_a_whole_game_from_photographs(tmp_path: Path) -> None:
    played = run("play", "--data", str(tmp_path), "--port", "0", "--camera", f"recorded:{PICTURES}", "--autoplay")
    assert played.returncode == 0, played.stderr
    again = run("replay", "-", "--json", given=played.stdout)
    assert again.returncode == 0, again.stderr
    game = json.loads(again.stdout)
    assert game["over"]
    assert game["winners"]
    assert max(player["score"] for player in game["players"]) >= 121
    assert "photographs skipped" in played.stderr


@pytest.mark.exhaustive
def test_rules_without_players_are_those_that_the_lobby_offers(tmp_path: Path) -> None:
    with table(tmp_path, "--rules", "classic", "--set", "target=5000", "--track", "241") as running:
        state = running.ready().get("state")
        assert (state["phase"], state["track"], state["settings"]) == ("lobby", 241, {"target": 5000})
        assert (state["lobby"]["players"], state["lobby"]["rules"]) == (2, "classic")
        assert "Classic" in state["message"]["text"]
        running.post("buttons/bank", {"press": "tap"})
        started = running.post("buttons/roll", {"press": "tap"})[1]  # in the order in which they joined
        assert (started["rules"], started["settings"]["target"], started["track"]) == ("classic", 5000, 241)


@pytest.mark.exhaustive
def test_an_own_rule_set_without_players_is_offered_in_the_lobby(tmp_path: Path) -> None:
    house = ROOT / "docs" / "examples" / "house.toml"
    with table(tmp_path, "--rules", str(house)) as running:
        assert running.ready().get("state")["lobby"]["rules"] == "our-house"
        assert "our-house" in [each["key"] for each in running.get("rules")["sets"]]
        after = running.post("buttons/roll", {"press": "tap"})[1]
        assert (after["lobby"]["players"], after["lobby"]["rules"]) == (2, "farkle-cribbage")


@dataclass(frozen=True)
class Seen:
    """A whole run of the program under a service manager, and two other tables that were refused meanwhile."""

    data: Path
    address: str
    pid: int
    children: list[int]
    phase: str
    told: list[str]
    said: list[str]
    status: int
    on_its_data: Done
    on_its_port: Done


@pytest.fixture(scope="module", params=[pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive), signal.SIGTERM])
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Run the program once for all tests that look at it, because each start takes seconds."""
    folder = tmp_path_factory.mktemp("seen")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, pytest.MonkeyPatch.context() as environment:
        manager.bind(str(folder / "notify"))
        manager.settimeout(PATIENCE_S)
        environment.setenv("NOTIFY_SOCKET", str(folder / "notify"))
        environment.setenv("WATCHDOG_USEC", "900000")
        with table(folder / "games", "--players", "Ann,Ben") as running:
            told = [manager.recv(4096).decode()]
            port = running.ready().address.rpartition(":")[2].strip("/")
            children = running.children()
            environment.delenv("NOTIFY_SOCKET")
            on_its_data = run("play", "--data", str(folder / "games"), "--port", "0")
            on_its_port = run("play", "--data", str(folder / "other"), "--port", port, "--players", "A,B")
            phase = running.get("state")["phase"]
            while told.count("WATCHDOG=1") < 3:
                told.append(manager.recv(4096).decode())
            status = running.end(request.param)
            while told[-1] != "STOPPING=1":
                told.append(manager.recv(4096).decode())
    return Seen(
        folder / "games",
        running.address,
        running.process.pid,
        children,
        phase,
        told,
        running.said,
        status,
        on_its_data,
        on_its_port,
    )


def test_it_ends_on_a_signal_and_leaves_no_process(seen: Seen) -> None:
    assert seen.children
    assert seen.status == 0
    assert [pid for pid in seen.children if not ended(pid)] == []
    assert not (seen.data / "journal.db-wal").exists()


def test_it_says_that_it_is_ready_feeds_the_watchdog_and_says_that_it_ends(seen: Seen) -> None:
    assert seen.told[0] == "READY=1"
    assert f"STATUS=page {seen.address}" in seen.told


def test_a_start_is_logged_with_versions_and_devices_and_an_end_with_its_reason(seen: Seen) -> None:
    assert all(LINE.fullmatch(line) or line.startswith("Farkle Crib is ready at ") for line in seen.said), seen.said
    words = [line.split(" ", 2)[2] for line in seen.said if LINE.fullmatch(line)]
    assert words[0].startswith(f"table: farklecrib {version('farklecrib')}, Python 3.")
    assert re.search(r", OpenCV \d", words[0])
    assert words[1] == "table: camera simulated, LEDs simulated, buttons page, sound silent"
    assert words[2] == f"table: games in {seen.data}, page at {seen.address} (SIMULATED)"
    assert re.fullmatch(r"table: ended: signal SIG(INT|TERM)", words[-1])


def test_a_second_table_on_the_same_data_is_refused_with_the_firsts_process_id(seen: Seen) -> None:
    assert seen.on_its_data.returncode == 2
    assert f"process id {seen.pid} " in seen.on_its_data.stderr
    assert seen.phase == "to_throw"


def test_a_taken_port_is_refused_before_anything_starts(seen: Seen) -> None:
    refused = seen.on_its_port
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("farklecrib: error: expected a free address for the page, got 127.0.0.1:")
    assert refused.stderr.count("\n") == 1


@pytest.mark.exhaustive
def test_a_killed_game_leaves_no_process_behind(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben") as running:
        running.ready().until(lambda state: state["reading"] is not None)
        eye = set(running.children())
        assert running.get("calibration")["problems"] == []  # starts the worker that inspects pictures
        children = set(running.children())
        assert eye < children
        running.process.kill()
        running.process.wait()
        for pid in children:
            assert ended(pid, within_s=PATIENCE_S)  # each ends by itself when its game has gone


def play_on(running: Table, chance: random.Random) -> None:
    """Do one act of a player: throw, choose or bank. The last throw may still be in the air afterwards."""
    state = running.until(lambda state: state["reading"] is not None and state["phase"] != "rolling")
    if state["phase"] in {"to_throw", "farkled"}:
        running.post("simulator/throw", {"dice": None})
    elif state["phase"] == "asking":
        running.post("answer", {"answer": state["question"]["answers"][0]})
    elif state["phase"] == "choosing" and state["chosen"] is None:
        running.post("keep", {"dice": chance.choice(state["selections"])["dice"]})
    elif state["phase"] == "choosing":
        running.post("buttons/bank", {"press": "tap"})


def kill_and_resume(tmp_path: Path, cycles: int) -> None:
    chance = random.Random(7)
    seen = 0
    for _ in range(cycles):
        with table(tmp_path, "--players", "Ann,Ben") as running:
            running.ready()
            state = running.get("state")
            assert state["seq"] >= seen
            for _ in range(chance.randrange(1, 8)):
                play_on(running, chance)
            before = running.get("state")
            children = running.children()
            running.process.send_signal(signal.SIGKILL)
            running.process.wait()
            assert all(ended(pid, within_s=PATIENCE_S) for pid in children)
        with table(tmp_path) as again:
            after = again.ready().get("state")
            # The journal may also hold an act of the eye after the last answer. It never holds fewer acts.
            assert after["seq"] >= before["seq"]
            if after["seq"] == before["seq"]:
                for key in ("players", "roll", "locked", "turn_points", "chosen", "to_move", "selections", "winners"):
                    if (
                        key != "roll" or before["selections"]
                    ):  # a farkle is shown for a while, and is not part of the state
                        assert after[key] == before[key], key
            seen = after["seq"]
            again.end()
    assert seen > 1  # the journal held more than the game's start


@pytest.mark.parametrize("cycles", [1, pytest.param(5, marks=pytest.mark.exhaustive)])
def test_a_table_killed_in_a_game_comes_back_as_it_was(tmp_path: Path, cycles: int) -> None:
    kill_and_resume(tmp_path, cycles)


@pytest.mark.soak
def test_a_table_killed_a_hundred_times_comes_back_as_it_was(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, 100)


@pytest.mark.exhaustive
def test_an_unfinished_game_goes_on_and_differences_are_reported(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben", "--set", "target=99") as first:
        first.ready()
        first.end()
    with table(tmp_path, "--players", "Cy,Di", "--set", "target=50", "--track", "241") as second:
        state = second.ready().get("state")
        assert [player["name"] for player in state["players"]] == ["Ann", "Ben"]
        assert (state["seq"], state["target"]) == (1, 99)
        said = " ".join(second.said)
        assert "goes on with players Ann, Ben" in said
        assert "target" in said
        assert "121 holes" in said


@pytest.mark.exhaustive
def test_a_damaged_journal_is_said_on_the_page_and_the_rest_is_there(tmp_path: Path) -> None:
    with hosted(tmp_path) as first:
        assert first.game("Ann", "Ben").throws("111222").view.phase == "choosing"
    database = sqlite3.connect(tmp_path / "journal.db")
    database.execute("UPDATE events SET body = replace(body, '1', '2') WHERE act = 2")
    database.commit()
    database.close()
    with table(tmp_path) as second:
        state = second.ready().get("state")
        assert (state["phase"], sorted(state["roll"])) == ("choosing", [1, 1, 1, 2, 2, 2])
        assert any("journal was damaged" in said and "nothing is lost" in said for said in state["degraded"])
        assert [path for path in tmp_path.iterdir() if "damaged" in path.name]


@pytest.mark.exhaustive
def test_an_eye_that_dies_is_started_again_and_the_game_goes_on(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben") as running:
        running.ready()
        assert running.throw([1, 1, 1, 2, 3, 4])["phase"] == "choosing"
        eyes = running.children()
        for pid in eyes:
            os.kill(pid, signal.SIGKILL)
            assert ended(pid, within_s=PATIENCE_S)
        running.post("keep", {"dice": [1, 1, 1]})
        assert sorted(running.throw([1, 5, 5])["roll"]) == [1, 5, 5]
        assert set(running.children()).isdisjoint(eyes)


@pytest.mark.exhaustive
def test_pictures_that_cannot_be_read_end_an_autoplay_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    refused = run(
        *["play", "--data", str(tmp_path / "games"), "--port", "0", "--autoplay"],
        *["--camera", f"recorded:{tmp_path / 'pictures'}"],
    )
    assert refused.returncode == 2
    assert "none of 1 can be read" in refused.stderr


@pytest.mark.exhaustive
def test_one_broken_picture_among_others_is_skipped(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for file in sorted(PICTURES.glob("*.jpg"))[:8]:
        shutil.copy(file, pictures / file.name)
    (pictures / "0-broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    played = run(
        *["play", "--data", str(tmp_path / "games"), "--port", "0", "--autoplay", "--set", "target=20"],
        *["--camera", f"recorded:{pictures}"],
    )
    assert played.returncode == 0, played.stderr
    assert json.loads(run("replay", "-", "--json", given=played.stdout).stdout)["winners"]
