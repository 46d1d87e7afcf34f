"""The program as people and services start it: ready, ended, refused, killed, and continued after a restart."""

import random
import re
import signal
from importlib.metadata import version
from pathlib import Path

import pytest
from running import PATIENCE_S, Table, ended, systemd, table

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "tests" / "pictures" / "trays"
LINE = re.compile(r"\d\d:\d\d:\d\d (debug|info|warning|error|critical) [\w.]+: .+")


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


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive), signal.SIGTERM])
def test_a_service_is_ready_feeds_its_watchdog_and_ends_on_a_signal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    games = tmp_path / "games"
    with systemd(tmp_path, monkeypatch, WATCHDOG_USEC="900000") as until:
        with table(games, "--players", "Ann,Ben") as running:
            children = running.ready().children()
            assert running.get("state")["phase"] == "to_throw"
            told = until("WATCHDOG=1", times=3)
            assert running.end(number) == 0
        until("STOPPING=1")
    assert told[0] == "READY=1"
    assert f"STATUS=page {running.address}" in told
    assert children
    assert [pid for pid in children if not ended(pid)] == []
    assert not (games / "journal.db-wal").exists()
    assert all(LINE.fullmatch(line) or line.startswith("Farkle Crib is ready at ") for line in running.said)
    words = [line.split(" ", 2)[2] for line in running.said if LINE.fullmatch(line)]
    assert re.fullmatch(rf"table: farklecrib {version('farklecrib')}, Python 3.*, OpenCV \d.*", words[0])
    assert words[1:3] == [
        "table: camera simulated, LEDs simulated, buttons page, sound silent",
        f"table: games in {games}, page at {running.address} (SIMULATED)",
    ]
    assert words[-1] == f"table: ended: signal {number.name}"


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
        with table(tmp_path, "--players", "Cy,Di", "--track", "241") as again:
            after = again.ready().get("state")
            again.says("goes on with players Ann, Ben; a track of 121 holes")
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
