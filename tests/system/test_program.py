"""The program as people and services start it: ready, ended, refused, killed, and continued after a restart."""

import random
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest
from running import PATIENCE_S, Table, ended, systemd, table

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


def killed(folder: Path, chance: random.Random) -> dict:
    """Play some acts on a table, kill it, and return the last state of its API."""
    with table(folder, "--players", "Ann,Ben") as running:
        if running.ready().get("state")["seq"] == 1:
            running.throw([1, 1, 1, 2, 3, 4])
        for _ in range(chance.randrange(1, 8)):
            play_on(running, chance)
        before = running.get("state")
        children = running.children()
        running.process.send_signal(signal.SIGKILL)
        running.process.wait()
        assert all(ended(pid, within_s=PATIENCE_S) for pid in children)
    return before


@contextmanager
def resumed(folder: Path, before: dict) -> Iterator[Table]:
    """Start a killed table again, with other options than its game has, and check that the game is as it was."""
    with table(folder, "--players", "Cy,Di", "--track", "241") as again:
        after = again.ready().get("state")
        again.says("goes on with players Ann, Ben; a track of 121 holes")
        # The journal may also hold an act of the eye after the last answer. It never holds fewer acts.
        assert after["seq"] >= before["seq"] > 1
        if after["seq"] == before["seq"]:
            # A farkle is shown for a while, and is not part of the state.
            roll = ("roll",) if before["selections"] else ()
            for key in (*roll, "players", "locked", "turn_points", "chosen", "to_move", "selections", "winners"):
                assert after[key] == before[key], key
        yield again


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive), signal.SIGTERM])
def test_a_table_killed_in_a_game_comes_back_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """It comes back as a service, which feeds its watchdog and ends on a signal."""
    games = tmp_path / "games"
    before = killed(games, random.Random(7))
    with systemd(tmp_path, monkeypatch, WATCHDOG_USEC="900000") as until:
        with resumed(games, before) as running:
            children = running.children()
            told = until("WATCHDOG=1", times=3)
            assert running.end(number) == 0
        until("STOPPING=1")
    assert told[0] == "READY=1"
    assert f"STATUS=page {running.address}" in told
    assert children
    assert [pid for pid in children if not ended(pid)] == []
    assert not (games / "journal.db-wal").exists()
    spoken = [line for line in running.said if not LINE.fullmatch(line)]
    assert [" is ready at " in line or "goes on with players" in line for line in spoken] == [True] * 2, spoken
    words = [line.split(" ", 2)[2] for line in running.said if LINE.fullmatch(line)]
    assert re.fullmatch(rf"table: farklecrib {version('farklecrib')}, Python 3.*, OpenCV \d.*", words[0])
    assert words[1:3] == [
        "table: camera simulated, LEDs simulated, buttons page, sound silent",
        f"table: games in {games}, page at {running.address} (SIMULATED)",
    ]
    assert words[-1] == f"table: ended: signal {number.name}"


@pytest.mark.parametrize(
    "cycles", [pytest.param(5, marks=pytest.mark.exhaustive), pytest.param(100, marks=pytest.mark.soak)]
)
def test_a_table_killed_many_times_comes_back_as_it_was(tmp_path: Path, cycles: int) -> None:
    chance = random.Random(7)
    for _ in range(cycles):
        with resumed(tmp_path, killed(tmp_path, chance)) as again:
            again.end()
